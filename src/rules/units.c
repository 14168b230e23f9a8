/* units.c - see units.h. */
#include "rules/units.h"

#include <ctype.h>
#include <string.h>

enum { MOST_POWER = 20 };

#define KI 1024.0

static const struct named_unit {
  const char *name;
  struct unit unit;
} units[] = {
    {"B", {{1, 0, 0}, 1, 1}},
    {"KB", {{1, 0, 0}, 1e3, 1}},
    {"kB", {{1, 0, 0}, 1e3, 1}},
    {"MB", {{1, 0, 0}, 1e6, 1}},
    {"GB", {{1, 0, 0}, 1e9, 1}},
    {"TB", {{1, 0, 0}, 1e12, 1}},
    {"PB", {{1, 0, 0}, 1e15, 1}},
    {"KiB", {{1, 0, 0}, KI, 1}},
    {"MiB", {{1, 0, 0}, KI *KI, 1}},
    {"GiB", {{1, 0, 0}, KI *KI *KI, 1}},
    {"TiB", {{1, 0, 0}, KI *KI *KI *KI, 1}},
    {"PiB", {{1, 0, 0}, KI *KI *KI *KI *KI, 1}},
    {"ns", {{0, 1, 0}, 1, 1}},
    {"us", {{0, 1, 0}, 1e3, 1}},
    {"ms", {{0, 1, 0}, 1e6, 1}},
    {"s", {{0, 1, 0}, 1e9, 1}},
    {"FLOP", {{0, 0, 1}, 1, 1}},
    {"KFLOP", {{0, 0, 1}, 1e3, 1}},
    {"MFLOP", {{0, 0, 1}, 1e6, 1}},
    {"GFLOP", {{0, 0, 1}, 1e9, 1}},
    {"TFLOP", {{0, 0, 1}, 1e12, 1}},
    {"PFLOP", {{0, 0, 1}, 1e15, 1}},
    {"Hz", {{0, -1, 0}, 1, 1e9}},
    {"kHz", {{0, -1, 0}, 1, 1e6}},
    {"MHz", {{0, -1, 0}, 1, 1e3}},
    {"GHz", {{0, -1, 0}, 1, 1}},
    {"%", {{0, 0, 0}, 1, 100}},
};

enum { UNIT_COUNT = sizeof units / sizeof *units };

/* Letters at the beginning of TEXT, or one '%'. */
static uint32_t
word_length(struct text text) {
  uint32_t length = 0;
  if (text.size && text.data[0] == '%')
    return 1;
  while (length < text.size && isalpha((unsigned char)text.data[length]))
    length++;
  if (length < text.size &&
      (isalnum((unsigned char)text.data[length]) || text.data[length] == '_'))
    return 0;
  return length;
}

static const struct unit *
find_unit(struct text word) {
  for (uint32_t i = 0; i < UNIT_COUNT; i++)
    if (text_is(word, units[i].name))
      return &units[i].unit;
  return NULL;
}

uint32_t
unit_parse(struct text text, struct unit *unit) {
  uint32_t length = word_length(text);
  const struct unit *above = find_unit((struct text){text.data, length});
  if (!length || !above)
    return 0;
  *unit = *above;
  if (length == text.size || text.data[length] != '/')
    return length;
  struct text rest = {text.data + length + 1, text.size - length - 1};
  uint32_t more = word_length(rest);
  const struct unit *below = find_unit((struct text){rest.data, more});
  if (!more || !below)
    return length;
  dimension_combine(above->dimension, below->dimension, -1, &unit->dimension);
  unit->times = above->times * below->over;
  unit->over = above->over * below->times;
  return length + 1 + more;
}

const char *
unit_nearest(struct text text) {
  const char *names[UNIT_COUNT + 6];
  uint32_t count = 0;
  for (uint32_t i = 0; i < UNIT_COUNT; i++)
    names[count++] = units[i].name;
  names[count++] = "GB/s";
  names[count++] = "MB/s";
  names[count++] = "TB/s";
  names[count++] = "GFLOP/s";
  names[count++] = "TFLOP/s";
  names[count++] = "PFLOP/s";
  return text_nearest(text, names, count);
}

bool
dimension_equal(struct dimension a, struct dimension b) {
  return a.bytes == b.bytes && a.time == b.time && a.work == b.work;
}

static bool
in_reason(int power) {
  return power >= -MOST_POWER && power <= MOST_POWER;
}

bool
dimension_combine(struct dimension a, struct dimension b, int sign,
                  struct dimension *result) {
  int bytes = a.bytes + sign * b.bytes;
  int time = a.time + sign * b.time;
  int work = a.work + sign * b.work;
  if (!in_reason(bytes) || !in_reason(time) || !in_reason(work))
    return false;
  *result = (struct dimension){(int8_t)bytes, (int8_t)time, (int8_t)work};
  return true;
}

static void
add_power(struct buffer *out, const char *name, int power) {
  if (power <= 0)
    return;
  if (out->size && out->data[out->size - 1] != '/')
    buffer_string(out, "·");
  buffer_string(out, name);
  if (power > 1)
    buffer_printf(out, "^%d", power);
}

const char *
dimension_text(struct arena *arena, struct dimension dimension) {
  struct buffer out = {.arena = arena};
  if (dimension_equal(dimension, DIMENSION_PLAIN))
    return "a plain number";
  add_power(&out, "FLOP", dimension.work);
  add_power(&out, "B", dimension.bytes);
  add_power(&out, "s", dimension.time);
  if (!out.size)
    buffer_string(&out, "1");
  if (dimension.work < 0 || dimension.bytes < 0 || dimension.time < 0)
    buffer_string(&out, "/");
  add_power(&out, "FLOP", -dimension.work);
  add_power(&out, "B", -dimension.bytes);
  add_power(&out, "s", -dimension.time);
  return buffer_finish(&out);
}

const char *
dimension_words(struct arena *arena, struct dimension dimension) {
  if (dimension_equal(dimension, DIMENSION_TIME))
    return "a time";
  if (dimension_equal(dimension, DIMENSION_BYTES))
    return "a number of bytes";
  if (dimension_equal(dimension, DIMENSION_WORK))
    return "an amount of work (FLOP)";
  if (dimension_equal(dimension, DIMENSION_BANDWIDTH))
    return "a bandwidth (B/s)";
  if (dimension_equal(dimension, DIMENSION_RATE))
    return "a rate of work (FLOP/s)";
  return dimension_text(arena, dimension);
}
