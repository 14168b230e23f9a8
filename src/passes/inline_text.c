/* inline_text.c - see inline.h.
 *
 * A COPY is one function's body in one place: a kept function in its own, or
 * what takes the place of a call.  First all copies are made and their values
 * get names; then the text is written from front to back, with names replaced
 * and bodies in the place of calls.  Names of a copy are those of the function
 * behind "inlined3_", so that they lead back to its text.
 *
 * O(text that is written, and the order of the names in each op). */
#include "passes/inline.h"

#include "support/buffer.h"

#include <stdlib.h>
#include <string.h>

struct copy {
  function_id function;
  const char *
      *names; /* by value of the function from FIRST on; NULL: its own */
  value_id first;
  struct copy **inner; /* by op of the function from FIRST_OP on, or NULL */
  op_id first_op, end_op;
  const char *prefix; /* NULL: names stay */
};

/* What stands in the place of SPAN: a name, or the body of COPY. */
struct piece {
  struct span span;
  const char *name;
  const struct copy *copy;
  op_id call;
  bool root; /* the call is its computation's result */
};

struct writer {
  const struct inlining *i;
  const struct ir_module *m;
  const uint32_t *sizes;
  const function_id *of; /* by op */
  const char *word, *sigil;
  uint32_t copies;
  bool fault;
  struct buffer out;
  VECTOR(struct source_piece) pieces;
};

static void write_body(struct writer *w, const struct copy *copy, op_id call,
                       bool root);

/* --- names --- */

/* The name of VALUE in COPY, "#1" included. */
static const char *
name_in(struct writer *w, const struct copy *copy, value_id value) {
  if (copy->names[value - copy->first])
    return copy->names[value - copy->first];
  struct text name = source_text(w->m->source, w->m->value_name[value]);
  uint32_t number = w->m->value_number[value];
  if (!copy->prefix)
    return number == NONE
               ? arena_printf(w->i->arena, "%.*s", (int)name.size, name.data)
               : arena_printf(w->i->arena, "%.*s#%u", (int)name.size, name.data,
                              number);
  struct text plain = ir_plain_name(name);
  return number == NONE ? arena_printf(w->i->arena, "%s%.*s", copy->prefix,
                                       (int)plain.size, plain.data)
                        : arena_printf(w->i->arena, "%s%.*s#%u", copy->prefix,
                                       (int)plain.size, plain.data, number);
}

/* The same where VALUE is defined. */
static const char *
defined_name(struct writer *w, const struct copy *copy, value_id value) {
  struct text name =
      ir_plain_name(source_text(w->m->source, w->m->value_name[value]));
  return arena_printf(w->i->arena, "%s%.*s", copy->prefix, (int)name.size,
                      name.data);
}

/* --- copies --- */

static op_id
terminator(const struct ir_module *m, function_id function) {
  block_id block = m->region_block[m->functions.data[function].body];
  return ir_block_op(m, block, m->block_op_count[block] - 1);
}

/* The op behind all of FUNCTION, which begins at OP. */
static op_id
end_of(const struct writer *w, function_id function, op_id op) {
  if (w->m->functions.data[function].op != NONE)
    return op + w->sizes[op];
  while (op < w->m->op_count && w->of[op] == function)
    op++;
  return op;
}

/* The first op of FUNCTION: its own where it has one. */
static op_id
begin_of(const struct writer *w, function_id function) {
  const struct ir_function *f = &w->m->functions.data[function];
  if (f->op != NONE || f->body == NONE)
    return f->op;
  block_id block = w->m->region_block[f->body];
  return block == NONE || !w->m->block_op_count[block]
             ? NONE
             : ir_block_op(w->m, block, 0);
}

/* The values of the ops of COPY, and of their blocks, are in a row. */
static void
find_values(const struct writer *w, struct copy *copy) {
  const struct ir_module *m = w->m;
  value_id first = UINT32_MAX, end = 0;
  for (op_id op = copy->first_op; op < copy->end_op; op++) {
    value_id begin = m->op_first_result[op];
    uint32_t count = m->op_result_count[op];
    if (count && begin < first)
      first = begin;
    if (count && begin + count > end)
      end = begin + count;
    for (region_id r = m->op_region[op]; r != NONE; r = m->region_next[r])
      for (block_id b = m->region_block[r]; b != NONE; b = m->block_next[b]) {
        begin = m->block_first_argument[b];
        count = m->block_argument_count[b];
        if (count && begin < first)
          first = begin;
        if (count && begin + count > end)
          end = begin + count;
      }
  }
  copy->first = first < end ? first : 0;
  copy->names =
      ARENA_ARRAY(w->i->arena, const char *, first < end ? end - first : 0);
}

static struct copy *make_copy(struct writer *w, function_id function,
                              op_id call, const struct copy *around);

/* Make what takes the place of OP's call in COPY, and name its results. */
static void
make_inner(struct writer *w, struct copy *copy, op_id op) {
  const struct ir_module *m = w->m;
  function_id callee = w->i->callee[op];
  struct copy *inner = make_copy(w, callee, op, copy);
  copy->inner[op - copy->first_op] = inner;
  op_id root = m->functions.data[callee].root;
  op_id last = root == NONE ? terminator(m, callee) : NONE;
  for (uint32_t r = 0; r < m->op_result_count[op]; r++) {
    value_id value =
        root == NONE ? ir_operand(m, last, r) : ir_result(m, root, 0);
    copy->names[ir_result(m, op, r) - copy->first] = name_in(w, inner, value);
  }
}

/* What OP of COPY takes out of the tuple that stands in the place of a call, by
 * name; NULL where it does nothing like that. */
static const char *
part_of(struct writer *w, const struct copy *copy, op_id op) {
  const struct ir_module *m = w->m;
  uint32_t element = w->i->element[op];
  op_id from = element ? ir_value_op(m, ir_operand(m, op, 0)) : NONE;
  const struct copy *at = copy;
  if (from == NONE || from < copy->first_op || from >= op)
    return NULL;
  while (at->inner[from - at->first_op]) {
    at = at->inner[from - at->first_op];
    from = m->functions.data[at->function].root;
    if (from == NONE)
      return NULL;
  }
  return at != copy && w->i->tuple[from] && element <= m->op_use_count[from]
             ? name_in(w, at, ir_operand(m, from, element - 1))
             : NULL;
}

/* The copy of FUNCTION for CALL in AROUND; NONE: in its own place. */
static struct copy *
make_copy(struct writer *w, function_id function, op_id call,
          const struct copy *around) {
  const struct ir_module *m = w->m;
  const struct ir_function *f = &m->functions.data[function];
  struct copy *copy = ARENA_NEW(w->i->arena, struct copy);
  copy->function = function;
  copy->first_op = begin_of(w, function);
  copy->end_op = end_of(w, function, copy->first_op);
  copy->inner =
      ARENA_ARRAY(w->i->arena, struct copy *, copy->end_op - copy->first_op);
  find_values(w, copy);
  if (call != NONE) {
    copy->prefix =
        arena_printf(w->i->arena, "%s%s%u_", w->sigil, w->word, ++w->copies);
    for (uint32_t i = 0; i < f->argument_count; i++) {
      value_id argument = f->arguments[i], value = ir_operand(m, call, i);
      op_id from = ir_value_op(m, value);
      w->fault |= from != NONE && from >= call;
      if (argument != NONE)
        copy->names[argument - copy->first] = name_in(w, around, value);
    }
  }
  for (op_id op = copy->first_op; op < copy->end_op; op++) {
    const char *part;
    if (w->i->callee[op] != NONE)
      make_inner(w, copy, op);
    else if ((part = part_of(w, copy, op)))
      copy->names[m->op_first_result[op] - copy->first] = part;
  }
  return copy;
}

/* --- text --- */

/* SPAN of the input follows. */
static void
write_span(struct writer *w, struct span span) {
  struct source_piece piece = {(uint32_t)w->out.size, span.begin};
  if (span.begin >= span.end)
    return;
  vector_push(w->i->arena, &w->pieces, piece);
  buffer_text(&w->out, source_text(w->m->source, span));
}

/* NAME follows, for what is called by SPAN in the input. */
static void
write_name(struct writer *w, const char *name, struct span span) {
  struct source_piece piece = {(uint32_t)w->out.size, span.begin};
  vector_push(w->i->arena, &w->pieces, piece);
  buffer_string(&w->out, name);
}

typedef VECTOR(struct piece) piece_list;

static void
add_name(struct writer *w, piece_list *list, struct span span,
         const char *name) {
  struct piece piece = {.span = span, .name = name, .call = NONE};
  if (span.begin < span.end)
    vector_push(w->i->arena, list, piece);
}

/* New names where the COUNT values from FIRST are defined: those of a group
 * share one. */
static void
add_definitions(struct writer *w, const struct copy *copy, value_id first,
                uint32_t count, piece_list *list) {
  for (uint32_t i = 0; i < count; i++)
    if (i == 0 || w->m->value_name[first + i].begin !=
                      w->m->value_name[first + i - 1].begin)
      add_name(w, list, w->m->value_name[first + i],
               defined_name(w, copy, first + i));
}

/* OP's call goes. */
static void
add_call(struct writer *w, const struct copy *copy, op_id op,
         piece_list *list) {
  struct piece piece = {.span = w->m->op_text[op],
                        .copy = copy->inner[op - copy->first_op],
                        .call = op,
                        .root = (w->m->op_flags[op] & OP_ROOT) != 0};
  const char *text = w->m->source->text;
  while (piece.root && text[piece.span.begin] != 'R')
    piece.span.begin--; /* "ROOT" stands before it */
  vector_push(w->i->arena, list, piece);
}

/* OP goes, with the line that it has to itself. */
static void
add_gone(struct writer *w, op_id op, piece_list *list) {
  const char *text = w->m->source->text;
  struct piece piece = {.span = w->m->op_text[op], .name = "", .call = NONE};
  while (text[piece.span.begin - 1] == ' ' ||
         text[piece.span.begin - 1] == '\t')
    piece.span.begin--;
  if (text[piece.span.begin - 1] == '\n')
    piece.span.begin--;
  vector_push(w->i->arena, list, piece);
}

/* What changes in OP of COPY, without what is inside of it. */
static void
add_pieces(struct writer *w, const struct copy *copy, op_id op,
           piece_list *list) {
  const struct ir_module *m = w->m;
  for (uint32_t i = 0; i < m->op_use_count[op]; i++) {
    uint32_t use = m->op_first_use[op] + i;
    value_id value = m->use_value[use];
    if (value == NONE)
      continue;
    if (copy->prefix || copy->names[value - copy->first])
      add_name(w, list, m->use_text[use], name_in(w, copy, value));
  }
  if (!copy->prefix)
    return;
  add_definitions(w, copy, m->op_first_result[op], m->op_result_count[op],
                  list);
  for (region_id r = m->op_region[op]; r != NONE; r = m->region_next[r])
    for (block_id b = m->region_block[r]; b != NONE; b = m->block_next[b])
      add_definitions(w, copy, m->block_first_argument[b],
                      m->block_argument_count[b], list);
}

static int
by_place(const void *a, const void *b) {
  const struct piece *x = a, *y = b;
  return (x->span.begin > y->span.begin) - (x->span.begin < y->span.begin);
}

/* SPAN, that of the ops of COPY from FIRST up to END. */
static void
write_ops(struct writer *w, const struct copy *copy, struct span span,
          op_id first, op_id end) {
  piece_list list = {0};
  for (op_id op = first; op < end; op++) {
    if (copy->inner[op - copy->first_op])
      add_call(w, copy, op, &list);
    else if (part_of(w, copy, op))
      add_gone(w, op, &list);
    else
      add_pieces(w, copy, op, &list);
  }
  if (list.count)
    qsort(list.data, list.count, sizeof *list.data, by_place);
  for (uint32_t i = 0; i < list.count; i++) {
    const struct piece *piece = &list.data[i];
    if (piece->span.begin < span.begin)
      continue; /* arguments that two regions share */
    write_span(w, (struct span){span.begin, piece->span.begin});
    if (piece->copy)
      write_body(w, piece->copy, piece->call, piece->root);
    else
      write_name(w, piece->name, piece->span);
    span.begin = piece->span.end;
  }
  write_span(w, span);
}

/* A new line that is set in as the one of OP is. */
static void
begin_line(struct writer *w, op_id op) {
  const char *text = w->m->source->text;
  uint32_t at = w->m->op_text[op].begin, begin;
  while (at > 0 && text[at - 1] != '\n')
    at--;
  for (begin = at; text[at] == ' ' || text[at] == '\t';)
    at++;
  buffer_string(&w->out, "\n");
  buffer_text(&w->out, source_text(w->m->source, (struct span){begin, at}));
}

/* The ops of COPY in the place of CALL; ROOT: its result is its
 * computation's. */
static void
write_body(struct writer *w, const struct copy *copy, op_id call, bool root) {
  const struct ir_module *m = w->m;
  const struct ir_function *f = &m->functions.data[copy->function];
  block_id block = m->region_block[f->body];
  bool begun = false;
  for (uint32_t i = 0; i < m->block_op_count[block]; i++) {
    op_id op = ir_block_op(m, block, i);
    bool argument = false;
    for (uint32_t a = 0; f->op == NONE && a < f->argument_count; a++)
      argument |= f->arguments[a] == m->op_first_result[op];
    bool unused = op == f->root && w->i->tuple[op] && !w->i->whole[call];
    if (argument || unused || m->op_flags[op] & OP_TERMINATOR ||
        part_of(w, copy, op))
      continue;
    if (begun)
      begin_line(w, call);
    begun = true;
    const struct copy *inner = copy->inner[op - copy->first_op];
    if (inner) {
      write_body(w, inner, call, root && op == f->root);
      continue;
    }
    if (root && op == f->root)
      buffer_string(&w->out, "ROOT ");
    write_ops(w, copy, m->op_text[op], op, op + w->sizes[op]);
  }
}

/* --- all of it --- */

/* The lines of FUNCTION, which goes, and one empty line behind it. */
static struct span
lines_of(const struct ir_module *m, const struct ir_function *f) {
  const char *text = m->source->text;
  struct span span = f->text;
  while (span.begin > m->text.begin &&
         (text[span.begin - 1] == ' ' || text[span.begin - 1] == '\t'))
    span.begin--;
  uint32_t lines = f->op == NONE ? 2 : 1;
  for (; lines && span.end < m->text.end && text[span.end] == '\n'; lines--)
    span.end++;
  return span;
}

/* Does the name of a value begin with WORD? */
static bool
is_taken(const struct ir_module *m, const char *word) {
  for (value_id v = 0; v < m->value_count; v++)
    if (text_starts(ir_plain_name(source_text(m->source, m->value_name[v])),
                    word))
      return true;
  return false;
}

/* "inlined", or a word like it that no name begins with. */
static void
choose_word(struct writer *w) {
  const struct ir_module *m = w->m;
  w->sigil = "";
  for (value_id v = 0; v < m->value_count && !*w->sigil; v++)
    if (m->value_name[v].begin < m->value_name[v].end &&
        m->source->text[m->value_name[v].begin] == '%')
      w->sigil = "%";
  w->word = "inlined";
  for (uint32_t i = 2; is_taken(m, w->word); i++)
    w->word = arena_printf(w->i->arena, "inlined%u_", i);
}

static int
by_text(const void *a, const void *b) {
  const struct ir_function *x = *(const struct ir_function *const *)a;
  const struct ir_function *y = *(const struct ir_function *const *)b;
  return (x->text.begin > y->text.begin) - (x->text.begin < y->text.begin);
}

static void
write_functions(struct writer *w) {
  const struct ir_module *m = w->m;
  uint32_t at = m->text.begin, count = 0;
  const struct ir_function **order =
      ARENA_ARRAY(w->i->arena, const struct ir_function *, m->functions.count);
  for (function_id f = 0; f < m->functions.count; f++)
    if (m->functions.data[f].text.begin < m->functions.data[f].text.end)
      order[count++] = &m->functions.data[f];
  qsort(order, count, sizeof(const struct ir_function *), by_text);
  for (uint32_t i = 0; i < count; i++) {
    function_id f = (function_id)(order[i] - m->functions.data);
    op_id first = begin_of(w, f);
    if (order[i]->text.begin < at)
      continue; /* inside of another one */
    if (!w->i->kept[f]) {
      struct span gone = lines_of(m, order[i]);
      write_span(w, (struct span){at, gone.begin});
      at = gone.end;
    } else if (first != NONE) {
      write_span(w, (struct span){at, order[i]->text.begin});
      const struct copy *copy = make_copy(w, f, NONE, NULL);
      write_ops(w, copy, order[i]->text, first, copy->end_op);
      at = order[i]->text.end;
    }
  }
  write_span(w, (struct span){at, m->text.end});
}

struct text
inline_text(const struct inlining *inlining, struct source_pieces *pieces) {
  const struct ir_module *m = inlining->module;
  struct writer w = {.i = inlining,
                     .m = m,
                     .sizes = ir_op_sizes(m, inlining->arena),
                     .of = ir_functions_of_ops(m, inlining->arena),
                     .out = {.arena = inlining->arena}};
  choose_word(&w);
  write_functions(&w);
  *pieces = (struct source_pieces){m->source, w.pieces.data, w.pieces.count};
  if (w.fault || w.out.size >= UINT32_MAX - 1)
    return (struct text){NULL, 0};
  return (struct text){buffer_finish(&w.out), (uint32_t)w.out.size};
}
