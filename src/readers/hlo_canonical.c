/* hlo_canonical.c - what an instruction says, however it is written.
 *
 *   ROOT %d.4 = f32[8,4]{1,0} dot(%a, f32[4,4]{1,0} %b),
 * rhs_contracting_dims={0}, lhs_contracting_dims={1}, metadata={op_name="f"}
 *   f32[8,4];lhs_contracting_dims={1};rhs_contracting_dims={0};
 *
 * The type without layouts; the text between the parentheses where it is no
 * list of operands (a literal); attributes sorted, without blanks, and without
 * those that change no value: where the op comes from, how a back end is to
 * run it, what has to run before it.  A bitcast keeps all layouts, for it
 * means nothing without them.  Linear in the instruction but for the sorting
 * of its attributes. */
#include "readers/hlo.h"
#include "support/buffer.h"

#include <stdlib.h>
#include <string.h>

struct attribute {
  struct text key, value;
};

static struct text
text_at(const char *text, struct span span) {
  return (struct text){text + span.begin, span.end - span.begin};
}

/* Behind the comment that begins at byte I of TEXT; I where none does. */
static uint32_t
skip_comment(struct text text, uint32_t i) {
  if (i + 1 >= text.size || text.data[i] != '/' || text.data[i + 1] != '*')
    return i;
  for (i += 2; i + 1 < text.size; i++)
    if (text.data[i] == '*' && text.data[i + 1] == '/')
      return i + 2;
  return text.size;
}

/* TEXT without blanks and comments outside of strings. */
static void
put_dense(struct buffer *out, struct text text) {
  bool quoted = false;
  for (uint32_t i = 0; i < text.size; i++) {
    if (!quoted)
      i = skip_comment(text, i);
    if (i >= text.size)
      return;
    char c = text.data[i];
    if (c == '"' && !(quoted && text.data[i - 1] == '\\'))
      quoted = !quoted;
    if (quoted || !memchr(" \t\r\n", c, 4))
      buffer_add(out, &c, 1);
  }
}

/* A type; without layouts, "{...}" behind a bracket, unless LAYOUTS. */
static void
put_type(struct buffer *out, struct text type, bool layouts) {
  const char *p = type.data, *end = p + type.size;
  while (p < end) {
    const char *open = layouts ? NULL : memchr(p, ']', (size_t)(end - p));
    const char *stop = open ? open + 1 : end;
    put_dense(out, (struct text){p, (uint32_t)(stop - p)});
    p = stop;
    if (p < end && *p == '{' && !layouts) {
      const char *close = memchr(p, '}', (size_t)(end - p));
      p = close ? close + 1 : end;
    }
  }
}

/* Does attribute KEY of an instruction called OPCODE change no value? */
static bool
is_idle(struct text key, struct text opcode) {
  static const char *const always[] = {"metadata", "origin", "statistics",
                                       "control-predecessors",
                                       "original_value"};
  for (uint32_t i = 0; i < sizeof always / sizeof *always; i++)
    if (text_is(key, always[i]))
      return true;
  /* What these say to a custom call is known to it alone. */
  return (text_is(key, "backend_config") ||
          text_is(key, "frontend_attributes")) &&
         !text_is(opcode, "custom-call");
}

/* Does KEY name computations, which are compared as such? */
static bool
is_calling(const struct ir_call *calls, uint32_t count,
           const struct ir_module *module, struct text key) {
  for (uint32_t i = 0; i < count; i++)
    if (text_equal(string_text(module->names, calls[i].attribute), key))
      return true;
  return false;
}

static int
compare_keys(const void *a, const void *b) {
  const struct attribute *x = a, *y = b;
  return text_order(x->key, y->key);
}

/* What follows the parentheses of OP, from CURSOR on. */
static void
put_attributes(struct buffer *out, const struct ir_module *module, op_id op,
               struct hlo_cursor *cursor) {
  struct arena scratch = {0};
  VECTOR(struct attribute) found = {0};
  struct span key, value;
  uint32_t count;
  const struct ir_call *calls = ir_op_calls(module, op, &count);
  while (hlo_accept(cursor, ',') && hlo_identifier(cursor, false, &key) &&
         hlo_accept(cursor, '=')) {
    uint32_t begin = cursor->at;
    if (!hlo_value(cursor, &value))
      value = (struct span){begin, begin};
    struct attribute row = {text_at(cursor->text, key),
                            text_at(cursor->text, value)};
    if (is_idle(row.key, ir_op_name(module, op)))
      continue;
    if (is_calling(calls, count, module, row.key))
      row.value = TEXT("@");
    vector_push(&scratch, &found, row);
  }
  if (found.count)
    qsort(found.data, found.count, sizeof *found.data, compare_keys);
  for (uint32_t i = 0; i < found.count; i++) {
    buffer_text(out, found.data[i].key);
    buffer_string(out, "=");
    put_dense(out, found.data[i].value);
    buffer_string(out, ";");
  }
  arena_empty(&scratch);
}

void
hlo_canonical(struct buffer *out, const struct ir_module *module, op_id op) {
  const char *text = module->source->text;
  struct span scope = module->op_text[op], span;
  struct hlo_cursor cursor = {text, scope.begin, scope.end};
  bool layouts = text_is(ir_op_name(module, op), "bitcast");
  hlo_accept_word(&cursor, "ROOT");
  /* One inside of an operand list has neither name nor '='. */
  struct hlo_cursor named = cursor;
  if (hlo_identifier(&named, true, &span) && hlo_accept(&named, '='))
    cursor = named;
  if (hlo_looks_like_type(&cursor))
    hlo_type_extent(&cursor, &span);
  put_type(out, ir_value_type(module, ir_result(module, op, 0))->spelling,
           layouts);
  buffer_string(out, ";");
  if (!hlo_identifier(&cursor, false, &span))
    return;
  uint32_t begin = cursor.at;
  if (!hlo_group(&cursor))
    return;
  if (!module->op_use_count[op])
    put_dense(out, text_at(text, (struct span){begin, cursor.at}));
  for (uint32_t i = 0; layouts && i < module->op_use_count[op]; i++)
    put_type(out, ir_value_type(module, ir_operand(module, op, i))->spelling,
             true);
  put_attributes(out, module, op, &cursor);
}
