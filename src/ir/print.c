/* print.c - see print.h.
 *
 * First a sweep over the ops, from the last to the first, finds those whose
 * text differs from their origin's ("dirty"): a name in it is a copy's, an
 * attribute goes or changes, a block inside of it has another order.  All
 * others are copied as they stand.  A dirty op is its text cut at its edits,
 * which are sorted by place; a region is such an edit, and inside of it the
 * blocks' bodies are put together op by op.
 *
 * The body of a block is parted into segments, one an op: from the end of the
 * line (or op) before to the end of its own line, so that comments above and
 * behind belong to it.  The first instance that is printed takes the whole
 * segment along, others only the op and its indentation.
 *
 * Cost: O(ops + uses + bytes written). */
#include "ir/printer.h"

#include "support/buffer.h"

#include <string.h>

/* --- writing --- */

static void
flush(struct printer *p) {
  if (p->used && !p->failed &&
      !p->writer->write(p->writer->user, p->buffer, p->used))
    p->failed = true;
  p->used = 0;
}

static void
put(struct printer *p, const char *data, size_t size) {
  if (!size)
    return;
  if (size > PRINTER_BYTES - p->used) {
    flush(p);
    if (size > PRINTER_BYTES) {
      if (!p->failed && !p->writer->write(p->writer->user, data, size))
        p->failed = true;
      p->line_start = data[size - 1] == '\n';
      return;
    }
  }
  memcpy(p->buffer + p->used, data, size);
  p->used += size;
  p->line_start = data[size - 1] == '\n';
}

static void
put_source(struct printer *p, uint32_t begin, uint32_t end) {
  if (begin < end)
    put(p, p->text + begin, end - begin);
}

static void
put_number(struct printer *p, uint32_t number) {
  char digits[10];
  size_t at = sizeof digits;
  do
    digits[--at] = (char)('0' + number % 10);
  while (number /= 10);
  put(p, digits + at, sizeof digits - at);
}

/* --- names --- */

static value_id
value_origin(const struct ir_module *module, value_id value) {
  return module->base ? module->value_origin[value] : value;
}

static uint32_t
value_copy(const struct ir_module *module, value_id value) {
  return module->base ? module->value_copy[value] : 0;
}

void
ir_spell_value(struct buffer *out, const struct ir_module *module,
               value_id value) {
  struct text name = source_text(module->source, module->value_name[value]);
  uint32_t copy = value_copy(module, value);
  if (copy)
    module->format->spell_copy(out, name, copy);
  else
    buffer_text(out, name);
}

/* The same, with the spelling of first copies kept. */
static void
put_name(struct printer *p, value_id value) {
  struct text name =
      source_text(p->module->source, p->module->value_name[value]);
  uint32_t copy = value_copy(p->module, value);
  if (copy) {
    struct text *stem = &p->stems[value_origin(p->module, value)];
    if (!stem->data) {
      struct buffer spelled = {.arena = p->scratch};
      p->module->format->spell_copy(&spelled, name, 1);
      *stem = (struct text){spelled.data, (uint32_t)spelled.size};
    }
    name = *stem;
  }
  put(p, name.data, name.size);
  if (copy > 1)
    put_number(p, copy);
}

/* --- printing --- */

static void print_region(struct printer *p, region_id region);

static void
print_annotations(struct printer *p, function_id function) {
  const struct ir_module *m = p->module;
  function_id from = m->base ? m->functions.data[function].origin : function;
  const struct ir_edits *edits = p->edits;
  uint32_t first = 0, end;
  while (edits->annotations[first].function != from)
    first++;
  for (end = first; end < edits->annotation_count &&
                    edits->annotations[end].function == from;)
    end++;
  struct buffer out = {.arena = p->scratch};
  m->format->annotate(&out, m, function, edits->annotations + first,
                      end - first);
  put(p, out.data, out.size);
}

static void
print_callee(struct printer *p, function_id function) {
  const struct ir_function *f = &p->module->functions.data[function];
  struct buffer out = {.arena = p->scratch};
  p->module->format->spell_copy(
      &out, source_text(p->module->source, f->name_text), f->copy);
  put(p, out.data, out.size);
}

static void
print_edit(struct printer *p, struct edit edit) {
  const struct ir_module *m = p->module;
  switch (edit.kind) {
  case EDIT_NAME:
    put_name(p, edit.id);
    if (m->value_number[edit.id] != NONE) {
      put(p, "#", 1);
      put_number(p, m->value_number[edit.id]);
    }
    break;
  case EDIT_DEFINE:
    put_name(p, edit.id);
    break;
  case EDIT_CUT:
    break;
  case EDIT_BACKWARD:
    put(p, "\"backward\"", 10);
    break;
  case EDIT_REGION:
    print_region(p, edit.id);
    break;
  case EDIT_FUNCTION:
    print_annotations(p, edit.id);
    break;
  case EDIT_CALLEE:
    print_callee(p, edit.id);
    break;
  }
}

/* The edits from FIRST on, with the text between them and up to END. */
static void
print_edits(struct printer *p, uint32_t first, struct span span) {
  uint32_t count = p->stack.count, at = span.begin;
  for (uint32_t i = first; i < count; i++) {
    struct edit edit = p->stack.data[i];
    put_source(p, at, edit.place.begin);
    print_edit(p, edit);
    at = edit.place.end;
  }
  put_source(p, at, span.end);
  p->stack.count = first;
}

static void
print_op(struct printer *p, op_id op) {
  struct span span = ir_op_span(p->module, op);
  uint32_t first = p->stack.count;
  if (!p->dirty[op]) {
    put_source(p, span.begin, span.end);
    return;
  }
  printer_gather_edits(p, op);
  print_edits(p, first, span);
}

/* Behind blanks and comments from AT on, when what follows them is the end of
 * the line, the next line's begin; else AT. */
static uint32_t
line_end(const struct printer *p, uint32_t at, uint32_t end) {
  const char *text = p->text;
  for (uint32_t i = at; i < end; i++) {
    if (text[i] == '\n')
      return i + 1;
    if (text[i] == '/' && i + 1 < end && text[i + 1] == '/') {
      const char *newline = memchr(text + i, '\n', end - i);
      return newline ? (uint32_t)(newline - text) + 1 : end;
    }
    if (text[i] == '/' && i + 1 < end && text[i + 1] == '*') {
      const char *close = memmem(text + i + 2, end - i - 2, "*/", 2);
      if (!close || memchr(text + i, '\n', (size_t)(close - text) - i))
        return at;
      i = (uint32_t)(close - text) + 1;
    } else if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r')
      return at;
  }
  return at;
}

/* Where the segment of OP, an op of the base, begins and ends. */
static struct span
segment(const struct printer *p, op_id op) {
  const struct ir_module *base = p->base;
  struct span body = base->block_body[base->op_block[op]];
  uint32_t from =
      p->previous[op] == NONE ? body.begin : base->op_text[p->previous[op]].end;
  return (struct span){line_end(p, from, body.end),
                       line_end(p, base->op_text[op].end, body.end)};
}

/* The blanks at the start of the line that AT is on. */
static struct span
indentation(const struct printer *p, uint32_t at) {
  const char *text = p->text;
  uint32_t begin = at;
  while (begin > 0 && text[begin - 1] != '\n')
    begin--;
  uint32_t end = begin;
  while (end < at && (text[end] == ' ' || text[end] == '\t'))
    end++;
  return (struct span){begin, end};
}

static void
print_further_instance(struct printer *p, op_id op) {
  struct span indent = indentation(p, ir_op_span(p->module, op).begin);
  if (!p->line_start)
    put(p, "\n", 1);
  put_source(p, indent.begin, indent.end);
  print_op(p, op);
  put(p, "\n", 1);
}

/* An op that no op of the base is the origin of, indented as LIKE, of the
 * base. */
static void
print_added(struct printer *p, op_id op, op_id like) {
  struct span indent = indentation(p, p->base->op_text[like].begin);
  struct buffer out = {.arena = p->scratch};
  if (!p->line_start)
    put(p, "\n", 1);
  put_source(p, indent.begin, indent.end);
  p->module->format->spell_added(&out, p->module, op);
  put(p, out.data, out.size);
  put(p, "\n", 1);
}

/* OP; if its block is REORDERED, without comments where they were printed with
 * an earlier instance. */
static void
print_instance(struct printer *p, op_id op, bool reordered) {
  op_id from = printer_origin(p->module, op);
  if (reordered && p->printed[from]) {
    print_further_instance(p, op);
    return;
  }
  struct span whole = segment(p, from), span = p->base->op_text[from];
  p->printed[from] = true;
  put_source(p, whole.begin, span.begin);
  print_op(p, op);
  put_source(p, span.end, whole.end);
}

static void
print_body(struct printer *p, block_id block) {
  const struct ir_module *m = p->module;
  struct span body = m->block_body[block];
  block_id from = m->base ? m->block_origin[block] : block;
  uint32_t in_base = p->base->block_op_count[from];
  if (!in_base || !p->changed[block]) {
    put_source(p, body.begin, body.end);
    return;
  }
  put_source(p, body.begin, line_end(p, body.begin, body.end));
  for (uint32_t i = 0; i < m->block_op_count[block]; i++) {
    op_id op = ir_block_op(m, block, i);
    if (m->op_flags[op] & OP_ADDED)
      print_added(p, op, ir_block_op(p->base, from, 0));
    else
      print_instance(p, op, p->reordered[block]);
  }
  op_id last = ir_block_op(p->base, from, in_base - 1);
  put_source(p, segment(p, last).end, body.end);
}

static void
print_region(struct printer *p, region_id region) {
  const struct ir_module *m = p->module;
  struct span span = m->region_text[region];
  uint32_t at = span.begin;
  for (block_id b = m->region_block[region]; b != NONE; b = m->block_next[b]) {
    uint32_t first = p->stack.count;
    printer_gather_arguments(p, b, span, false);
    print_edits(p, first, (struct span){at, m->block_body[b].begin});
    print_body(p, b);
    at = m->block_body[b].end;
  }
  put_source(p, at, span.end);
}

/* The text of FUNCTION, a copy of one that stands before, under its name. */
static void
print_function_copy(struct printer *p, function_id function) {
  const struct ir_function *f = &p->module->functions.data[function];
  struct span body = p->module->region_text[f->body];
  put(p, "\n\n", 2);
  put_source(p, f->text.begin, f->name_text.begin);
  print_callee(p, function);
  put_source(p, f->name_text.end, body.begin);
  print_region(p, f->body);
  put_source(p, body.end, f->text.end);
}

/* Functions that are no ops, in the order of their texts, copies behind what
 * they are copies of: the numbers of the latter come first. */
static function_id *
order_computations(struct printer *p) {
  const struct ir_module *m = p->module;
  uint32_t count = m->functions.count;
  uint32_t *first = ARENA_ARRAY(p->scratch, uint32_t, (size_t)count + 2);
  function_id *order = ARENA_ARRAY(p->scratch, function_id, count);
  for (function_id i = 0; i < count; i++)
    first[(m->base ? m->functions.data[i].origin : i) + 2]++;
  for (uint32_t i = 2; i <= count; i++)
    first[i] += first[i - 1];
  for (function_id i = 0; i < count; i++)
    order[first[(m->base ? m->functions.data[i].origin : i) + 1]++] = i;
  return order;
}

/* HLO computations, from the byte AT on.  Returns the byte behind the last of
 * them.  Those inside of an op's text come with it. */
static uint32_t
print_computations(struct printer *p, uint32_t at) {
  const struct ir_module *m = p->module;
  const function_id *order = order_computations(p);
  for (uint32_t i = 0; i < m->functions.count; i++) {
    const struct ir_function *f = &m->functions.data[order[i]];
    if (f->op != NONE || f->body == NONE || f->name == NONE)
      continue;
    if (f->copy) {
      put_source(p, at, f->text.end);
      print_function_copy(p, order[i]);
      at = f->text.end;
      continue;
    }
    put_source(p, at, m->region_text[f->body].begin);
    print_region(p, f->body);
    at = m->region_text[f->body].end;
  }
  return at;
}

static void
print_file(struct printer *p) {
  const struct ir_module *m = p->module;
  uint32_t at = print_computations(p, m->text.begin);
  for (uint32_t i = 0; i < m->top_count; i++) {
    struct span span = ir_op_span(m, m->order[i]);
    put_source(p, at, span.begin);
    print_op(p, m->order[i]);
    at = span.end;
  }
  put_source(p, at, m->text.end);
}

/* What stands before each op of the base in its block. */
static void
find_previous(struct printer *p) {
  const struct ir_module *base = p->base;
  p->previous = ARENA_ARRAY(p->scratch, op_id, base->op_count);
  for (block_id block = 0; block < base->block_count; block++) {
    op_id before = NONE;
    for (uint32_t i = 0; i < base->block_op_count[block]; i++) {
      op_id op = ir_block_op(base, block, i);
      p->previous[op] = before;
      before = op;
    }
  }
}

bool
ir_print(const struct ir_module *module, const struct ir_edits *edits,
         const struct ir_writer *writer, struct arena *scratch) {
  struct printer p = {.module = module,
                      .base = module->base ? module->base : module,
                      .edits = edits,
                      .writer = writer,
                      .scratch = scratch,
                      .text = module->source->text,
                      .line_start = true};
  p.buffer = arena_alloc(scratch, PRINTER_BYTES);
  p.stems = ARENA_ARRAY(scratch, struct text, p.base->value_count);
  p.printed = ARENA_ARRAY(scratch, bool, p.base->op_count);
  printer_mark_dirty(&p);
  find_previous(&p);
  print_file(&p);
  flush(&p);
  return !p.failed;
}
