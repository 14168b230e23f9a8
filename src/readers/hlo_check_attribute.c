/* hlo_check_attribute.c - windows, dimension labels and device lists.
 *
 * Those attributes whose text costs and device counts are read from.  Each is
 * a little language of numbers; what is checked is that its parts fit each
 * other. */
#include "readers/hlo.h"

#include <string.h>

/* The next item of a window's list "2x2", "1_1x0_0": numbers with '_'
 * between them, HOW_MANY of them.  False where it is none. */
static bool
window_item(struct hlo_cursor *cursor, uint32_t *how_many) {
  uint64_t number;
  *how_many = 0;
  do {
    if (cursor->at < cursor->end && cursor->text[cursor->at] == '-')
      cursor->at++;
    if (!hlo_number(cursor, &number))
      return false;
    ++*how_many;
  } while (hlo_accept(cursor, '_'));
  return true;
}

/* Items of one entry, each of PARTS numbers, or -1. */
static int
window_entry(struct hlo_cursor *cursor, uint32_t parts) {
  int count = 0;
  uint32_t found;
  do {
    if (!window_item(cursor, &found) || found != parts)
      return -1;
    count++;
    if (cursor->at >= cursor->end || cursor->text[cursor->at] != 'x')
      break;
    cursor->at++;
  } while (true);
  return count;
}

/* {size=2x2 pad=1_1x0_0 stride=2x2}: as many of each as dimensions. */
static bool
window_fits(struct text text) {
  struct hlo_cursor cursor = {text.data, 0, text.size};
  int dimensions = -1;
  struct span key;
  hlo_accept(&cursor, '{');
  while (hlo_identifier(&cursor, false, &key)) {
    struct text name = {text.data + key.begin, key.end - key.begin};
    if (!hlo_accept(&cursor, '='))
      return false;
    int count = window_entry(&cursor, text_is(name, "pad") ? 2 : 1);
    if (count < 0 || (dimensions >= 0 && count != dimensions))
      return false;
    dimensions = count;
  }
  return hlo_accept(&cursor, '}');
}

/* One of the three parts of dim_labels: A and B once each, the spatial
 * dimensions 0, 1, ... once each, '?' for those without meaning. */
static bool
labels_fit(struct text part, char a, char b) {
  uint32_t seen_a = 0, seen_b = 0, digits = 0, seen = 0;
  for (uint32_t i = 0; i < part.size; i++) {
    char c = part.data[i];
    seen_a += c == a;
    seen_b += c == b;
    if (c >= '0' && c <= '9') {
      digits++;
      seen |= 1u << (c - '0');
    } else if (c != a && c != b && c != '?') {
      return false;
    }
  }
  return seen_a == 1 && seen_b == 1 && seen == (1u << digits) - 1;
}

/* "b01f_01io->b01f". */
static bool
dim_labels_fit(struct text text) {
  const char *low = memchr(text.data, '_', text.size);
  const char *arrow = memmem(text.data, text.size, "->", 2);
  if (!low || !arrow || arrow < low)
    return false;
  const char *end = text.data + text.size;
  struct text input = {text.data, (uint32_t)(low - text.data)};
  struct text kernel = {low + 1, (uint32_t)(arrow - low - 1)};
  struct text output = {arrow + 2, (uint32_t)(end - arrow - 2)};
  return labels_fit(input, 'b', 'f') && labels_fit(kernel, 'i', 'o') &&
         labels_fit(output, 'b', 'f');
}

/* "[2,4]" at the cursor: the product, in *PRODUCT. */
static bool
product(struct hlo_cursor *cursor, uint64_t *result) {
  uint64_t number;
  *result = 1;
  if (!hlo_accept(cursor, '['))
    return false;
  while (hlo_number(cursor, &number)) {
    *result *= number;
    hlo_accept(cursor, ',');
  }
  return hlo_accept(cursor, ']');
}

/* "[2,2]<=[4]", or "[2,2]0,1,2,3": as many devices as places. */
static bool
devices_fit(struct hlo_cursor cursor) {
  uint64_t places, devices = 0, number;
  if (!product(&cursor, &places))
    return true;
  if (hlo_accept(&cursor, '<'))
    return hlo_accept(&cursor, '=') && product(&cursor, &devices) &&
           places == devices;
  while (hlo_number(&cursor, &number)) {
    devices++;
    hlo_accept(&cursor, ',');
  }
  return devices == 0 || places == devices;
}

/* Every "devices=[...]" in TEXT. */
static bool
sharding_fits(struct text text) {
  static const char word[] = "devices=";
  const char *at = text.data, *end = text.data + text.size;
  while ((at = memmem(at, (size_t)(end - at), word, sizeof word - 1))) {
    at += sizeof word - 1;
    struct hlo_cursor cursor = {text.data, (uint32_t)(at - text.data),
                                text.size};
    if (!devices_fit(cursor))
      return false;
  }
  return true;
}

/* A name in single quotes. */
static bool
axis_name(struct hlo_cursor *cursor, struct text *name) {
  if (!hlo_accept(cursor, '\''))
    return false;
  const char *begin = cursor->text + cursor->at;
  const char *end = memchr(begin, '\'', cursor->end - cursor->at);
  if (!end)
    return false;
  *name = (struct text){begin, (uint32_t)(end - begin)};
  cursor->at += name->size + 1;
  return true;
}

enum { MESH_AXES = 16 };

/* 'a'=2,'b'=4 into NAMES; how many, or -1.  *DEVICES is their product. */
static int
mesh_axes(struct hlo_cursor *cursor, struct text *names, uint64_t *devices) {
  int count = 0;
  uint64_t size;
  *devices = 1;
  while (hlo_peek(cursor) == '\'') {
    if (count == MESH_AXES || !axis_name(cursor, &names[count]) ||
        !hlo_accept(cursor, '=') || !hlo_number(cursor, &size))
      return -1;
    *devices *= size;
    count++;
    hlo_accept(cursor, ',');
  }
  return count;
}

/* mesh['a'=2,'b'=2, device_ids=(0,1,2,3)] {'b'}: axes that the mesh has. */
static bool
mesh_fits(struct text text) {
  struct hlo_cursor cursor = {text.data, 0, text.size};
  struct text axes[MESH_AXES], name;
  uint64_t devices, listed = 0, number;
  if (!hlo_accept_word(&cursor, "mesh") || !hlo_accept(&cursor, '['))
    return true;
  int count = mesh_axes(&cursor, axes, &devices);
  if (count < 0)
    return false;
  if (hlo_accept_word(&cursor, "device_ids") && hlo_accept(&cursor, '=') &&
      hlo_accept(&cursor, '(')) {
    for (; hlo_number(&cursor, &number); listed++)
      hlo_accept(&cursor, ',');
    if (listed != devices)
      return false;
  }
  while (cursor.at < cursor.end && cursor.text[cursor.at] != '{')
    cursor.at++;
  hlo_accept(&cursor, '{');
  while (axis_name(&cursor, &name)) {
    int axis = 0;
    while (axis < count && !text_equal(axes[axis], name))
      axis++;
    if (axis == count)
      return false;
    while (cursor.at < cursor.end && cursor.text[cursor.at] != ',' &&
           cursor.text[cursor.at] != '}')
      cursor.at++;
    hlo_accept(&cursor, ',');
  }
  return true;
}

static bool
groups_fit(struct text text) {
  struct hlo_cursor cursor = {text.data, 0, text.size};
  return mesh_fits(text) && devices_fit(cursor);
}

/* A mode by name or a tolerance. */
static bool
accuracy_fits(struct text text) {
  return text_is(text, "{mode=default}") || text_is(text, "{mode=highest}") ||
         text_starts(text, "{tolerance=") || text_is(text, "{}");
}

bool
hlo_check_attribute(struct hlo_reader *reader, struct text key,
                    struct span value) {
  static const struct {
    const char *key;
    bool (*fits)(struct text);
  } checks[] = {
      {"window", window_fits},
      {"dim_labels", dim_labels_fit},
      {"sharding", sharding_fits},
      {"replica_groups", groups_fit},
      {"result_accuracy", accuracy_fits},
  };
  struct text text = source_text(reader->source, value);
  for (uint32_t i = 0; i < sizeof checks / sizeof *checks; i++)
    if (text_is(key, checks[i].key) && !checks[i].fits(text))
      return hlo_fail(reader, value, "the parts of '%s' do not fit each other",
                      checks[i].key);
  return true;
}
