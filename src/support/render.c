/* render.c - a diagnostic as text: what a compiler prints, or JSON.
 *
 *   step.mlir:41:10: error: use of undefined value '%x' [REMAT_INPUT]
 *      41 |   %3 = add %x, %y : f32
 *         |            ^~
 *
 * A line longer than LINE_SHOWN is cut around the caret, for dumps have lines
 * of megabytes. */
#include "support/buffer.h"
#include "support/diagnostic.h"

#include <string.h>

enum { LINE_SHOWN = 160, CONTEXT_BEFORE = 60 };

static const char *const severity_names[] = {"note", "remark", "warning",
                                             "error"};
static const char *const severity_colors[] = {"\033[36m", "\033[34m",
                                              "\033[35m", "\033[31m"};

/* Remarks say what kind they are: "optimized" or "missed". */
static const char *
severity_name(const struct diagnostic *diagnostic) {
  if (diagnostic->severity != SEVERITY_REMARK)
    return severity_names[diagnostic->severity];
  return diagnostic->code == DIAGNOSTIC_MISSED ? "missed" : "optimized";
}

/* Warnings end with their flag, errors that have one of the named codes with
 * that code. */
static void
add_tag(struct buffer *out, const struct diagnostic *diagnostic) {
  const struct diagnostic_info *info = &diagnostic_infos[diagnostic->code];
  if (diagnostic->severity < SEVERITY_WARNING)
    return;
  if (info->flag && diagnostic->severity == SEVERITY_ERROR)
    buffer_printf(out, " [%s, -Werror=%s]", info->code, info->flag);
  else if (info->flag)
    buffer_printf(out, " [%s, -W%s]", info->code, info->flag);
  else
    buffer_printf(out, " [%s]", info->code);
}

static bool
is_continuation(char c) {
  return ((unsigned char)c & 0xc0) == 0x80;
}

/* A byte as it may be shown: tabs and control bytes would move the caret. */
static void
add_shown(struct buffer *out, struct text line, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    unsigned char c = (unsigned char)line.data[i];
    buffer_add(out, c < 0x20 || c == 0x7f ? " " : line.data + i, 1);
  }
}

/* The line of LOCATION with its number, and the caret below. */
static void
add_line(struct buffer *out, struct location where, uint32_t line_number,
         uint32_t column) {
  struct text line = source_line(where.source, line_number);
  uint32_t at = column - 1 < line.size ? column - 1 : line.size;
  uint32_t from = 0, to = line.size;
  if (line.size > LINE_SHOWN) {
    from = at > CONTEXT_BEFORE ? at - CONTEXT_BEFORE : 0;
    to = line.size - from > LINE_SHOWN ? from + LINE_SHOWN : line.size;
    while (from < at && is_continuation(line.data[from]))
      from++;
    while (to > at && to < line.size && is_continuation(line.data[to]))
      to--;
  }
  buffer_printf(out, "%6u | ", line_number);
  if (from)
    buffer_string(out, "...");
  add_shown(out, line, from, to);
  buffer_string(out, to < line.size ? "...\n" : "\n");
  buffer_string(out, "       | ");
  if (from)
    buffer_string(out, "   ");
  for (uint32_t i = from; i < at; i++)
    if (!is_continuation(line.data[i]))
      buffer_string(out, " ");
  buffer_string(out, "^");
  uint32_t length = where.end > where.begin ? where.end - where.begin : 1;
  uint32_t end = length < to - at ? at + length : to;
  for (uint32_t i = at + 1; i < end; i++)
    if (!is_continuation(line.data[i]))
      buffer_string(out, "~");
  buffer_string(out, "\n");
}

/* The includes through which a rules file came in, as GCC says it. */
static void
add_includes(struct buffer *out, const struct source *source) {
  struct location from = source->included_from;
  for (; from.source; from = from.source->included_from) {
    uint32_t line, column;
    source_position(from.source, from.begin, &line, &column);
    buffer_printf(out, "in file included from %s:%u:\n", from.source->name,
                  line);
  }
}

static const char *
render_text(struct buffer *out, const struct diagnostic *diagnostic,
            bool color) {
  struct location where = diagnostic->where;
  uint32_t line = 0, column = 0;
  if (where.source && diagnostic->severity != SEVERITY_NOTE)
    add_includes(out, where.source);
  if (color)
    buffer_string(out, "\033[1m");
  if (where.source && where.begin == UINT32_MAX) {
    buffer_printf(out, "%s: ", where.source->name);
  } else if (where.source) {
    source_position(where.source, where.begin, &line, &column);
    buffer_printf(out, "%s:%u:%u: ", where.source->name, line, column);
  } else {
    buffer_string(out, "remat: ");
  }
  if (color)
    buffer_string(out, severity_colors[diagnostic->severity]);
  buffer_printf(out, "%s: ", severity_name(diagnostic));
  if (color)
    buffer_string(out, "\033[0m");
  buffer_string(out, diagnostic->message);
  add_tag(out, diagnostic);
  buffer_string(out, "\n");
  if (line)
    add_line(out, where, line, column);
  return buffer_finish(out);
}

static const char *
render_json(struct buffer *out, const struct diagnostic *diagnostic) {
  struct location where = diagnostic->where;
  buffer_string(out, "{\"severity\": ");
  buffer_json(out, text_of(severity_name(diagnostic)));
  buffer_string(out, ", \"code\": ");
  buffer_json(out, text_of(diagnostic_infos[diagnostic->code].code));
  if (where.source) {
    buffer_string(out, ", \"file\": ");
    buffer_json(out, text_of(where.source->name));
  }
  if (where.source && where.begin != UINT32_MAX) {
    uint32_t line, column;
    source_position(where.source, where.begin, &line, &column);
    buffer_printf(out, ", \"line\": %u, \"column\": %u", line, column);
    if (where.end > where.begin)
      buffer_printf(out, ", \"length\": %u", where.end - where.begin);
  }
  buffer_string(out, ", \"message\": ");
  buffer_json(out, text_of(diagnostic->message));
  buffer_string(out, "}\n");
  return buffer_finish(out);
}

const char *
diagnostic_render(struct arena *arena, const struct diagnostic *diagnostic,
                  enum diagnostic_style style) {
  struct buffer out = {.arena = arena};
  if (style == DIAGNOSTIC_JSON)
    return render_json(&out, diagnostic);
  return render_text(&out, diagnostic, style == DIAGNOSTIC_COLOR);
}
