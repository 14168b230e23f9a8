/* plan_file_read.c - see plan_file.h: reading.
 *
 * A line is a statement.  Names are looked up in the block that the statement
 * is in.  A block is put together when the next one begins: O(ops + lines). */
#include "passes/plan_file.h"

#include <stdlib.h>

struct placed {
  op_id op, before; /* BEFORE is NONE for "end" */
  uint32_t line;    /* where it is said */
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
  bool failed;
};

static void
complain(struct reading *r, struct span where, const char *what,
         struct text quoted) {
  diagnose(r->diagnostics, DIAGNOSTIC_INPUT, location_at(r->source, where),
           "%s '%.*s'", what, (int)quoted.size, quoted.data);
  r->failed = true;
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

/* The op that the next words name, or NONE after an error. */
static op_id
read_op(struct reading *r) {
  struct span word = next_word(r);
  struct text text = source_text(r->source, word);
  uint32_t number;
  if (is_word(r, word, "op")) {
    word = next_word(r);
    if (parse_number(r, word, &number) && r->block != NONE &&
        number < r->m->block_op_count[r->block])
      return ir_block_op(r->m, r->block, number);
    complain(r, word, "the block has no op number",
             source_text(r->source, word));
    return NONE;
  }
  number = r->names ? string_find(r->names, text) : STRING_NONE;
  if (number != STRING_NONE)
    return r->named.data[number];
  complain(r, word, "no op of this block is called", text);
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

/* Write the block's sequence, when all of its lines are read. */
static void
finish_block(struct reading *r) {
  if (r->block == NONE || r->failed)
    return;
  uint32_t count = r->m->block_op_count[r->block], next = 0;
  struct plan_block block = {.block = r->block};
  block.ops = ARENA_ARRAY(r->arena, op_id, count + r->placed.count);
  if (r->placed.count)
    qsort(r->placed.data, r->placed.count, sizeof *r->placed.data,
          compare_placed);
  for (uint32_t i = 0; i < count; i++) {
    op_id op = ir_block_op(r->m, r->block, i);
    bool last = i + 1 == count;
    while (next < r->placed.count &&
           (r->placed.data[next].before == op || last))
      block.ops[block.count++] = r->placed.data[next++].op;
    if (!*gone_of(r, op))
      block.ops[block.count++] = op;
  }
  vector_push(r->arena, &r->plan->blocks, block);
}

static void
begin_block(struct reading *r, block_id block) {
  uint32_t count = r->m->block_op_count[block];
  r->block = block;
  r->placed.count = 0;
  r->named.count = 0;
  r->names = string_table_new(r->arena);
  op_id first = count ? ir_block_op(r->m, block, 0) : 0;
  op_id last = count ? ir_block_op(r->m, block, count - 1) : 0;
  r->gone = ARENA_ARRAY(r->arena, bool, last - first + 1);
  for (uint32_t i = 0; i < count; i++) {
    op_id op = ir_block_op(r->m, block, i);
    if (r->m->op_result_count[op] == 0)
      continue;
    value_id result = ir_result(r->m, op, 0);
    uint32_t id = string_intern(
        r->names, source_text(r->m->source, r->m->value_name[result]));
    if (id == r->named.count)
      vector_push(r->arena, &r->named, op);
  }
}

/* --- statements --- */

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
    complain(r, word, "the dump has no function with a body called", name);
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
  if (known)
    begin_block(r, first + number);
  else
    complain(r, word, "the function has no block",
             source_text(r->source, word));
}

static void
need_block(struct reading *r) {
  if (r->block == NONE && r->function != NONE)
    begin_block(r, r->m->region_block[r->m->functions.data[r->function].body]);
}

/* "clone OP before OP", "move OP before OP". */
static void
read_placed(struct reading *r, bool moved) {
  struct placed placed = {.line = r->at};
  need_block(r);
  placed.op = read_op(r);
  if (placed.op == NONE)
    return;
  struct span word = next_word(r);
  if (!is_word(r, word, "before")) {
    complain(r, word, "expected 'before' but found",
             source_text(r->source, word));
    return;
  }
  uint32_t at = r->at;
  word = next_word(r);
  placed.before = NONE;
  if (!is_word(r, word, "end")) {
    r->at = at;
    placed.before = read_op(r);
  }
  if (moved)
    *gone_of(r, placed.op) = true;
  vector_push(r->arena, &r->placed, placed);
}

static void
read_erase(struct reading *r) {
  need_block(r);
  op_id op = read_op(r);
  if (op != NONE)
    *gone_of(r, op) = true;
}

static void
read_statement(struct reading *r, struct span word) {
  static const char *const words[] = {"function", "block", "clone", "move",
                                      "erase"};
  if (is_word(r, word, "function"))
    read_function(r);
  else if (is_word(r, word, "block"))
    read_block(r);
  else if (is_word(r, word, "clone") || is_word(r, word, "move"))
    read_placed(r, is_word(r, word, "move"));
  else if (is_word(r, word, "erase"))
    read_erase(r);
  else {
    struct text text = source_text(r->source, word);
    const char *nearest = text_nearest(text, words, 5);
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
    complain(r, word, "nothing may follow here, but there is",
             source_text(r->source, word));
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
  complain(r, word, "a plan begins with 'remat-plan 1', this one with",
           source_text(r->source, word));
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
