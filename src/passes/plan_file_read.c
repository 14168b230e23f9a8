/* plan_file_read.c - see plan_file.h: reading.
 *
 * A line is a statement.  Names are looked up in the block that the statement
 * is in.  A block is put together when the next one begins: O(ops + lines). */
#include "passes/plan_file.h"

#include <stdlib.h>
#include <string.h>

struct placed {
  op_id op, before; /* BEFORE is NONE for "end"; OP is, for a fence */
  uint32_t line;    /* where it is said */
  uint32_t count;   /* of a fence: its values */
  value_id *values;
  bool backward;
  enum plan_stay stay;
};

struct reading {
  struct plan *plan;
  const struct ir_module *m;
  const struct source *source;
  struct diagnostics *diagnostics;
  struct arena *arena;
  uint32_t at; /* in the text */
  function_id function;
  block_id block;
  struct string_table *names; /* of the ops of BLOCK */
  VECTOR(op_id) named;        /* by name */
  VECTOR(struct placed) placed;
  bool *gone; /* by op of BLOCK: erased or moved away */
  bool *read; /* by block: it was described */
  bool failed;
};

/* WHAT is wrong with what stands at WHERE, and which of the COUNT NAMES it may
 * have been. */
static void
complain_near(struct reading *r, struct span where, const char *what,
              const char **names, uint32_t count) {
  struct text quoted = source_text(r->source, where);
  const char *near = count ? text_nearest(quoted, names, count) : NULL;
  if (!quoted.size)
    quoted = TEXT("the end of the line");
  diagnose(r->diagnostics, DIAGNOSTIC_INPUT, location_at(r->source, where),
           "%s '%.*s'%s%s%s", what, (int)quoted.size, quoted.data,
           near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  r->failed = true;
}

static void
complain(struct reading *r, struct span where, const char *what) {
  complain_near(r, where, what, NULL, 0);
}

/* The next word of the line; empty at its end. */
static struct span
next_word(struct reading *r) {
  const char *text = r->source->text;
  while (text[r->at] == ' ' || text[r->at] == '\t')
    r->at++;
  uint32_t begin = r->at;
  if (text[r->at] == '#')
    return (struct span){begin, begin};
  bool quoted = false;
  while (text[r->at] && text[r->at] != '\n' && text[r->at] != '\r' &&
         (quoted || (text[r->at] != ' ' && text[r->at] != '\t'))) {
    quoted ^= text[r->at] == '"';
    r->at++;
  }
  return (struct span){begin, r->at};
}

static bool
is_word(const struct reading *r, struct span word, const char *what) {
  return text_is(source_text(r->source, word), what);
}

static bool
parse_number(const struct reading *r, struct span word, uint32_t *number) {
  int64_t value;
  if (!ir_parse_integer(source_text(r->source, word), &value) || value < 0 ||
      value > UINT32_MAX - 1)
    return false;
  *number = (uint32_t)value;
  return true;
}

/* No op of the block is called WORD. */
static void
complain_op(struct reading *r, struct span word) {
  const char **names = ARENA_ARRAY(r->arena, const char *, r->named.count + 1);
  for (uint32_t i = 0; r->names && i < r->named.count; i++) {
    struct text name = string_text(r->names, i);
    names[i] = arena_copy(r->arena, name.data, name.size);
  }
  if (r->function == NONE)
    complain(r, word, "no 'function' line stands before");
  else
    complain_near(r, word, "no op of this block is called", names,
                  r->names ? r->named.count : 0);
}

/* The op that the next words name, or NONE after an error. */
static op_id
read_op(struct reading *r) {
  struct span word = next_word(r);
  op_id op = NONE;
  uint32_t number;
  if (is_word(r, word, "op")) {
    word = next_word(r);
    if (parse_number(r, word, &number) && r->block != NONE &&
        number < r->m->block_op_count[r->block])
      op = ir_block_op(r->m, r->block, number);
    else
      complain(r, word, "the block has no op number");
  } else {
    number = r->names ? string_find(r->names, source_text(r->source, word))
                      : STRING_NONE;
    if (number != STRING_NONE)
      op = r->named.data[number];
    else
      complain_op(r, word);
  }
  if (op != NONE)
    vector_push(r->arena, &r->plan->said, ((struct plan_said){op, word}));
  return op;
}

/* "before OP" or "before end", into *BEFORE; false after an error. */
static bool
read_before(struct reading *r, struct span word, op_id *before) {
  *before = NONE;
  if (!is_word(r, word, "before")) {
    complain(r, word, "expected 'before' but found");
    return false;
  }
  uint32_t at = r->at;
  if (is_word(r, next_word(r), "end"))
    return true;
  r->at = at;
  *before = read_op(r);
  return *before != NONE;
}

/* The value that WORD names, of the block or an argument around it. */
static value_id
find_value(const struct reading *r, struct span word) {
  struct text name = source_text(r->source, word);
  const char *mark = memchr(name.data, '#', name.size);
  uint32_t number = NONE;
  if (mark) {
    word.begin += (uint32_t)(mark + 1 - name.data);
    if (!parse_number(r, word, &number))
      return NONE;
    name.size = (uint32_t)(mark - name.data);
  }
  uint32_t id = string_find(r->names, name);
  if (id != STRING_NONE)
    for (uint32_t i = 0; i < r->m->op_result_count[r->named.data[id]]; i++) {
      value_id value = ir_result(r->m, r->named.data[id], i);
      if (r->m->value_number[value] == number &&
          text_equal(name, source_text(r->m->source, r->m->value_name[value])))
        return value;
    }
  for (block_id b = r->block; b != NONE;) {
    for (uint32_t i = 0; i < r->m->block_argument_count[b]; i++) {
      value_id value = r->m->block_first_argument[b] + i;
      if (text_equal(name, source_text(r->m->source, r->m->value_name[value])))
        return value;
    }
    op_id around = r->m->region_op[r->m->block_region[b]];
    b = around == NONE ? NONE : r->m->op_block[around];
  }
  return NONE;
}

/* --- blocks --- */

static bool *
gone_of(const struct reading *r, op_id op) {
  return &r->gone[op - ir_block_op(r->m, r->block, 0)];
}

/* By the op that they stand before, then as they are listed. */
static int
compare_placed(const void *a, const void *b) {
  const struct placed *x = a, *y = b;
  if (x->before != y->before)
    return x->before < y->before ? -1 : 1;
  return x->line < y->line ? -1 : x->line > y->line;
}

/* Write what is placed here: an instance, or a fence before what comes next. */
static void
write_placed(struct reading *r, struct plan_block *block,
             const struct placed *placed) {
  if (placed->op == NONE) {
    block->fences[block->fence_count++] =
        (struct plan_fence){block->count, placed->count, placed->values};
    return;
  }
  block->backward[block->count] = placed->backward;
  block->stays[block->count] = (uint8_t)placed->stay;
  block->ops[block->count++] = placed->op;
  if (placed->backward)
    r->plan->selected[placed->op] |= PLAN_SCOPED;
}

/* Write the block's sequence, when all of its lines are read. */
static void
finish_block(struct reading *r) {
  if (r->block == NONE || r->failed)
    return;
  uint32_t count = r->m->block_op_count[r->block], next = 0;
  uint32_t most = count + r->placed.count;
  struct plan_block block = {
      .block = r->block,
      .ops = ARENA_ARRAY(r->arena, op_id, most),
      .backward = ARENA_ARRAY(r->arena, bool, most),
      .stays = ARENA_ARRAY(r->arena, uint8_t, most),
      .fences = ARENA_ARRAY(r->arena, struct plan_fence, r->placed.count)};
  if (r->placed.count)
    qsort(r->placed.data, r->placed.count, sizeof *r->placed.data,
          compare_placed);
  for (uint32_t i = 0; i < count; i++) {
    op_id op = ir_block_op(r->m, r->block, i);
    bool last = i + 1 == count;
    while (next < r->placed.count &&
           (r->placed.data[next].before == op || last))
      write_placed(r, &block, &r->placed.data[next++]);
    if (*gone_of(r, op))
      continue;
    block.backward[block.count] = (r->plan->selected[op] & PLAN_BACKWARD) != 0;
    block.ops[block.count++] = op;
  }
  vector_push(r->arena, &r->plan->blocks, block);
}

static void
begin_block(struct reading *r, block_id block) {
  uint32_t count = r->m->block_op_count[block];
  r->block = block;
  r->read[block] = true;
  r->placed.count = 0;
  r->named.count = 0;
  r->names = string_table_new(r->arena);
  op_id first = count ? ir_block_op(r->m, block, 0) : 0;
  op_id last = count ? ir_block_op(r->m, block, count - 1) : 0;
  r->gone = ARENA_ARRAY(r->arena, bool, last - first + 1);
  for (uint32_t i = 0; i < count; i++) {
    op_id op = ir_block_op(r->m, block, i);
    for (uint32_t k = 0; k < r->m->op_result_count[op]; k++) {
      value_id result = ir_result(r->m, op, k);
      uint32_t id = string_intern(
          r->names, source_text(r->m->source, r->m->value_name[result]));
      if (id == r->named.count)
        vector_push(r->arena, &r->named, op);
    }
  }
}

/* --- statements --- */

static void
complain_function(struct reading *r, struct span word) {
  uint32_t count = 0;
  const char **names =
      ARENA_ARRAY(r->arena, const char *, r->m->functions.count + 1);
  for (function_id f = 0; f < r->m->functions.count; f++) {
    const struct ir_function *function = &r->m->functions.data[f];
    struct text name = source_text(r->m->source, function->name_text);
    if (function->body != NONE)
      names[count++] = arena_copy(r->arena, name.data, name.size);
  }
  complain_near(r, word, "the dump has no function with a body called", names,
                count);
}

static void
read_function(struct reading *r) {
  struct span word = next_word(r);
  struct text name = source_text(r->source, word);
  finish_block(r);
  r->block = r->function = NONE;
  for (function_id f = 0; f < r->m->functions.count; f++) {
    const struct ir_function *function = &r->m->functions.data[f];
    if (function->body != NONE &&
        text_equal(name, source_text(r->m->source, function->name_text)))
      r->function = f;
  }
  if (r->function == NONE)
    complain_function(r, word);
}

/* The blocks of a function are numbered in a row. */
static void
read_block(struct reading *r) {
  struct span word = next_word(r);
  uint32_t number;
  finish_block(r);
  r->block = NONE;
  if (r->function == NONE)
    return;
  block_id first = r->m->region_block[r->m->functions.data[r->function].body];
  bool known =
      parse_number(r, word, &number) && number < r->m->block_count - first;
  if (known) {
    region_id region = r->m->block_region[first + number];
    op_id around = r->m->region_op[region];
    known = region == r->m->functions.data[r->function].body ||
            (around != NONE && ir_op_function(r->m, around) == r->function);
  }
  if (known && r->read[first + number])
    complain(r, word, "the plan says twice what becomes of block");
  else if (known)
    begin_block(r, first + number);
  else
    complain(r, word, "the function has no block");
}

/* Statements before any `block` are about the function's first; WORD is what
 * they begin with. */
static void
need_block(struct reading *r, struct span word) {
  if (r->block != NONE || r->function == NONE)
    return;
  block_id first = r->m->region_block[r->m->functions.data[r->function].body];
  if (r->read[first])
    complain(r, word, "no 'block' line says where to");
  else
    begin_block(r, first);
}

/* OP is named at WHERE to leave its place; complains where it did before. */
static void
take_away(struct reading *r, op_id op, struct span where) {
  if (op == NONE)
    return;
  if (*gone_of(r, op))
    complain(r, where, "this op was moved or erased before:");
  *gone_of(r, op) = true;
}

/* The word that was read last as one of the words behind an instance. */
static bool
read_readers(struct reading *r, struct placed *placed) {
  uint32_t at = r->at;
  struct span word = next_word(r);
  if (is_word(r, word, "backward"))
    placed->backward = true;
  else if (is_word(r, word, "joining"))
    placed->stay = PLAN_JOINS;
  else if (is_word(r, word, "passing"))
    placed->stay = PLAN_PASSES;
  else
    r->at = at;
  return r->at != at && word.end > word.begin;
}

/* "clone OP before OP", "move OP before OP", with words behind. */
static void
read_placed(struct reading *r, struct span statement, bool moved) {
  struct placed placed = {.line = r->at};
  need_block(r, statement);
  placed.op = r->failed ? NONE : read_op(r);
  if (placed.op == NONE)
    return;
  struct span where = r->plan->said.data[r->plan->said.count - 1].where;
  if (!read_before(r, next_word(r), &placed.before))
    return;
  while (read_readers(r, &placed))
    ;
  if (moved)
    take_away(r, placed.op, where);
  vector_push(r->arena, &r->placed, placed);
}

static void
read_erase(struct reading *r, struct span statement) {
  need_block(r, statement);
  op_id op = r->failed ? NONE : read_op(r);
  if (op != NONE)
    take_away(r, op, r->plan->said.data[r->plan->said.count - 1].where);
}

/* "fence VALUE... before OP". */
static void
read_fence(struct reading *r, struct span statement) {
  VECTOR(value_id) values = {0};
  struct placed placed = {.op = NONE, .line = r->at};
  need_block(r, statement);
  if (r->block == NONE && !r->failed)
    complain(r, statement, "no 'function' line stands before");
  struct span word = next_word(r);
  for (; !r->failed && word.end > word.begin && !is_word(r, word, "before");
       word = next_word(r)) {
    value_id value = find_value(r, word);
    if (value == NONE)
      complain(r, word, "no value here is called");
    else if (ir_value_op(r->m, value) != NONE)
      vector_push(r->arena, &r->plan->said,
                  ((struct plan_said){ir_value_op(r->m, value), word}));
    vector_push(r->arena, &values, value);
  }
  if (r->failed || !read_before(r, word, &placed.before))
    return;
  if (!r->m->format->has_barrier || !r->m->format->has_barrier(r->m))
    complain(r, statement, "the dialects of the dump have no barrier for a");
  placed.values = values.data;
  placed.count = values.count;
  vector_push(r->arena, &r->placed, placed);
}

static void
read_statement(struct reading *r, struct span word) {
  static const char *const words[] = {"function", "block", "clone",
                                      "move",     "erase", "fence"};
  if (is_word(r, word, "function"))
    read_function(r);
  else if (is_word(r, word, "block"))
    read_block(r);
  else if (is_word(r, word, "clone") || is_word(r, word, "move"))
    read_placed(r, word, is_word(r, word, "move"));
  else if (is_word(r, word, "erase"))
    read_erase(r, word);
  else if (is_word(r, word, "fence"))
    read_fence(r, word);
  else {
    struct text text = source_text(r->source, word);
    const char *nearest = text_nearest(text, words, 6);
    diagnose(r->diagnostics, DIAGNOSTIC_INPUT, location_at(r->source, word),
             "unknown word '%.*s'%s%s%s", (int)text.size, text.data,
             nearest ? "; did you mean '" : "", nearest ? nearest : "",
             nearest ? "'?" : "");
    r->failed = true;
  }
}

static void
end_line(struct reading *r) {
  struct span word = next_word(r);
  if (word.end > word.begin && !r->failed)
    complain(r, word, "nothing may follow here, but there is");
  while (r->source->text[r->at] && r->source->text[r->at] != '\n')
    r->at++;
  r->at += r->source->text[r->at] == '\n';
}

static bool
read_header(struct reading *r) {
  struct span word = next_word(r);
  struct span version = next_word(r);
  if (is_word(r, word, "remat-plan") && is_word(r, version, "1"))
    return true;
  word.end = version.end;
  complain(r, word, "a plan begins with 'remat-plan 1', this one with");
  return false;
}

bool
plan_file_read(struct plan *plan, const struct ir_module *module,
               const struct source *source, struct diagnostics *diagnostics,
               struct arena *arena) {
  struct reading r = {.plan = plan,
                      .m = module,
                      .source = source,
                      .diagnostics = diagnostics,
                      .arena = arena,
                      .read = ARENA_ARRAY(arena, bool, module->block_count),
                      .function = NONE,
                      .block = NONE};
  if (!read_header(&r))
    return false;
  end_line(&r);
  while (source->text[r.at] && !r.failed) {
    struct span word = next_word(&r);
    if (word.end > word.begin)
      read_statement(&r, word);
    end_line(&r);
  }
  finish_block(&r);
  return !r.failed;
}
