/* cse.c - which clones would a consumer's CSE merge again?  (--check-cse)
 *
 *   %0 = tanh %x
 *   ...
 *   %0_remat = tanh %x      merged with %0, which then lives on: no memory is
 *                           saved; behind a barrier on %x it stays
 *
 * Of what is emitted, or of the input where nothing is planned.  Two ops are
 * merged where they say the same and read the same values, after the ops that
 * they read were merged themselves, and the first stands in the same block or
 * in one around it; what a barrier hands on is a value of its own.  Ops that
 * may not run twice are never merged, nor is it worth a word where the result
 * occupies nothing: under the fused model, where no value of it is stored.  In
 * a program as it was read every such op is listed, for nothing tells a clone
 * from what its producer wrote down twice.
 *
 * O(ops + uses + text), times the depth of blocks. */
#include "passes/fused.h"
#include "passes/manager.h"
#include "passes/number.h"
#include "passes/options.h"
#include "support/human.h"

#include <string.h>

extern const struct pass pass_cse;

/* The first op with a node in a block. */
struct seen {
  uint32_t node;
  block_id block;
  op_id op;
};

/* OP would be merged with WITH, which stands before it. */
struct merged {
  op_id op, with;
};

struct search {
  struct program *program;
  const struct ir_module *m;
  const struct facts *facts;
  struct numbered *numbered;
  const struct stored *stored; /* NULL: every value is */
  struct seen *slots;          /* open addressing; free where op is NONE */
  uint32_t mask;
  VECTOR(struct merged) merged;
  uint64_t bytes;
};

static struct seen *
slot_of(const struct search *s, uint32_t node, block_id block) {
  uint32_t at = (node * 2654435761u ^ block * 2246822519u) & s->mask;
  while (s->slots[at].op != NONE &&
         (s->slots[at].node != node || s->slots[at].block != block))
    at = (at + 1) & s->mask;
  return &s->slots[at];
}

/* The op that OP is merged with, or NONE.  OP is remembered where there is
 * none in its own block. */
static op_id
find_first(struct search *s, op_id op) {
  uint32_t node = s->numbered->op_node[op];
  struct seen *own = slot_of(s, node, s->m->op_block[op]);
  if (own->op != NONE)
    return own->op;
  *own = (struct seen){node, s->m->op_block[op], op};
  for (op_id around = ir_parent_op(s->m, op);
       around != NONE && s->m->op_block[around] != NONE;
       around = ir_parent_op(s->m, around)) {
    const struct seen *above = slot_of(s, node, s->m->op_block[around]);
    if (above->op != NONE)
      return above->op;
  }
  return NONE;
}

/* Bytes that the results of OP occupy.  A fusing compiler computes what is dear
 * inside of its only reader, but stores it for two. */
static uint64_t
result_bytes(const struct search *s, op_id op) {
  bool dear = facts_has(s->facts, op, FACT_EXPENSIVE);
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < s->m->op_result_count[op]; i++) {
    value_id value = ir_result(s->m, op, i);
    if (!s->stored || dear || stored_for_all(s->stored, value) ||
        s->stored->whole[value])
      bytes = saturating_add(bytes, facts_value_bytes(s->facts, value));
  }
  return bytes;
}

/* Is OP an op that CSE may merge, and worth a word? */
static bool
is_wanted(const struct search *s, op_id op) {
  uint32_t idle =
      FACT_TERMINATOR | FACT_ARGUMENT | FACT_BARRIER | FACT_CONSTANT;
  block_id block = s->m->op_block[op];
  return s->numbered->op_node[op] != NONE && block != NONE &&
         s->facts->op_repeatable[op] && s->facts->block_stored[block] &&
         !(facts_of(s->facts, op)->flags & idle) &&
         !(s->m->op_flags[op] & (OP_TERMINATOR | OP_ADDED)) &&
         result_bytes(s, op) != 0;
}

/* Look at BLOCK's ops in program order, those inside of them behind them. */
static void
search_block(struct search *s, block_id block) {
  for (uint32_t i = 0; i < s->m->block_op_count[block]; i++) {
    op_id op = ir_block_op(s->m, block, i);
    if (is_wanted(s, op)) {
      op_id with = find_first(s, op);
      struct merged row = {op, with};
      bool clones = with != NONE &&
                    (!s->m->base || s->m->op_copy[op] || s->m->op_copy[with]);
      if (clones) {
        vector_push(s->program->scratch, &s->merged, row);
        s->bytes = saturating_add(s->bytes, result_bytes(s, op));
      }
    }
    for (region_id r = s->m->op_region[op]; r != NONE; r = s->m->region_next[r])
      for (block_id b = s->m->region_block[r]; b != NONE;
           b = s->m->block_next[b])
        search_block(s, b);
  }
}

/* --- messages --- */

/* How the first result of OP is called in what is printed. */
static const char *
spelled(const struct search *s, op_id op) {
  const struct ir_module *m = s->m;
  value_id value = ir_result(m, op, 0);
  struct text name = source_text(m->source, m->value_name[value]);
  struct buffer out = {.arena = s->program->scratch};
  if (m->base && m->value_copy[value])
    m->format->spell_copy(&out, name, m->value_copy[value]);
  else
    buffer_text(&out, name);
  return buffer_finish(&out);
}

static void
note_merged(const struct search *s, const struct merged *row) {
  struct diagnostics *diagnostics = s->program->diagnostics;
  struct text name = ir_op_name(s->m, row->op);
  struct buffer bytes = {.arena = s->program->scratch};
  human_bytes(&bytes, result_bytes(s, row->op));
  diagnose_note(diagnostics, ir_op_location(s->m, row->op),
                "%s ('%.*s', %s) would be merged with %s", spelled(s, row->op),
                (int)name.size, name.data, buffer_finish(&bytes),
                spelled(s, row->with));
}

/* Were barriers put into MODULE? */
static bool
has_fences(const struct ir_module *module) {
  for (op_id op = 0; op < module->op_count; op++)
    if (module->op_flags[op] & OP_ADDED)
      return true;
  return false;
}

static void
report_merged(const struct search *s) {
  struct program *program = s->program;
  struct buffer bytes = {.arena = program->scratch};
  uint32_t listed = (uint32_t)pass_parameter(program, &pass_cse, "cse-listed");
  uint32_t count = s->merged.count;
  bool one = count == 1;
  human_bytes(&bytes, s->bytes);
  diagnose(program->diagnostics, DIAGNOSTIC_CSE, NO_LOCATION,
           "%u %s%s, of %s, would be merged with %s by a consumer's CSE%s",
           count, s->m->base ? "clone" : "op", one ? "" : "s",
           buffer_finish(&bytes), one ? "an equal op" : "equal ops",
           s->m->base && !has_fences(s->m)
               ? "; the fused model's fences keep them apart"
               : "");
  for (uint32_t i = 0; i < count && (!listed || i < listed); i++)
    note_merged(s, &s->merged.data[i]);
  if (listed && count > listed)
    diagnose_note(program->diagnostics, NO_LOCATION,
                  "%u more; --param cse-listed=0 lists all", count - listed);
}

static void
begin_search(struct search *s) {
  struct program *program = s->program;
  uint32_t slots = 64;
  while (slots / 2 < s->m->op_count && slots < UINT32_MAX / 2)
    slots *= 2;
  s->mask = slots - 1;
  s->slots = ARENA_ARRAY(program->scratch, struct seen, slots);
  memset(s->slots, 0xff, (size_t)slots * sizeof *s->slots);
  if (fused_is_model(program))
    s->stored = stored_find(program, s->m, s->facts);
  s->numbered =
      numbering_add(numbering_new(program->scratch, false), 0, s->m, s->facts);
}

static bool
execute_cse(struct program *program) {
  bool made = program->made != NULL;
  struct search s = {.program = program,
                     .m = made ? program->made : program->input,
                     .facts = made ? program->made_facts : program->facts};
  begin_search(&s);
  for (function_id f = 0; f < s.m->functions.count; f++) {
    struct outcome outcome;
    region_id body = s.m->functions.data[f].body;
    if (body == NONE)
      continue;
    number_function(s.numbered, f, &outcome);
    for (block_id b = s.m->region_block[body]; b != NONE;
         b = s.m->block_next[b])
      search_block(&s, b);
  }
  if (s.merged.count)
    report_merged(&s);
  return true;
}

static bool
gate_cse(const struct program *program) {
  return program->options->check_cse;
}

static const struct parameter parameters[] = {
    {"cse-listed", "clones that --check-cse lists; 0: all", 20, 0, 1e9},
    {NULL, NULL, 0, 0, 0}};

const struct pass pass_cse = {
    .name = "cse",
    .help = "list clones that a consumer's CSE would merge (--check-cse)",
    .gate = gate_cse,
    .execute = execute_cse,
    .requires_ = PROP_FACTS,
    .parameters = parameters,
};
