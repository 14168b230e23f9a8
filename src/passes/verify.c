/* verify.c - nothing is emitted that is not proved.
 *
 *   the same program   verify_same.c     operands by value number, effects
 *   legal              verify_order.c    definitions dominate uses
 *                      verify_names.c    names stay apart
 *   fences hold        verify_fences.c   nothing crosses but through them
 *   the same figures   here              clones, originals, cost, peak
 *
 * The figures of the plan are compared with what is counted in the new module,
 * and the reported peak with a second scan that shares nothing with liveness,
 * for functions that are simple enough to do it in a few lines: one block,
 * nothing called, no storage shared.  A difference is our fault, whatever its
 * cause: the run ends and prints nothing.  O(ops + uses). */
#include "passes/verify.h"

#include "passes/budget.h"
#include "passes/options.h"
#include "passes/plan.h"
#include "passes/xla.h"

#include <string.h>

/* What is counted in one function of the new module. */
struct count {
  uint64_t ops, clones, cost_ns;
  uint64_t added; /* that hand values on, at fences */
};

/* Count MODULE's ops by function into COUNTS.  The cost of an op is that of
 * what is inside of it, or of what it calls, too; so copies of computations,
 * which go along with clones of their callers, do not count. */
static void
count_ops(struct program *program, const struct ir_module *module,
          const struct facts *facts, struct count *counts) {
  const function_id *of = ir_functions_of_ops(module, program->scratch);
  for (op_id op = 0; op < module->op_count; op++) {
    if (of[op] == NONE || module->functions.data[of[op]].copy)
      continue;
    struct count *count = &counts[of[op]];
    count->ops++;
    count->added += (module->op_flags[op] & OP_ADDED) != 0;
    count->clones += module->base && module->op_copy[op] > 0;
    region_id region = module->block_region[module->op_block[op]];
    if (region == module->functions.data[of[op]].body)
      count->cost_ns = saturating_add(count->cost_ns, facts->op_cost_ns[op]);
  }
}

/* A - B, as near as an int64_t can say it. */
static int64_t
difference(uint64_t a, uint64_t b) {
  uint64_t distance = a > b ? a - b : b - a;
  int64_t size = distance > INT64_MAX ? INT64_MAX : (int64_t)distance;
  return a > b ? size : -size;
}

/* Write down what was counted, and compare it with what was projected. */
static const char *
check_counts(struct program *program, const struct count *before,
             const struct count *after) {
  const struct ir_module *m = program->input;
  for (function_id f = 0; f < m->functions.count; f++) {
    struct plan_function *figures = &program->plan->functions[f];
    figures->ops_in = before[f].ops;
    figures->ops_out = after[f].ops;
    figures->emitted_clones = after[f].clones;
    figures->base_cost_ns = before[f].cost_ns;
    figures->extra_cost_ns = difference(after[f].cost_ns, before[f].cost_ns);
    if (figures->emitted_clones != figures->projected_clones ||
        figures->ops_out != figures->ops_in + figures->emitted_clones -
                                figures->erased + after[f].added ||
        (figures->fences == 0) != (after[f].added == 0))
      return arena_printf(
          program->scratch,
          "function %u: %llu ops in, %llu clones projected, %llu emitted, "
          "%llu erased, but %llu ops out",
          f, (unsigned long long)figures->ops_in,
          (unsigned long long)figures->projected_clones,
          (unsigned long long)figures->emitted_clones,
          (unsigned long long)figures->erased,
          (unsigned long long)figures->ops_out);
  }
  return NULL;
}

/* --- the peak, once more --- */

/* The only block of FUNCTION, if the program is simple there; else NONE. */
static block_id
simple_block(const struct program *program, function_id function) {
  const struct ir_module *m = program->made;
  region_id body = m->functions.data[function].body;
  block_id block = body == NONE ? NONE : m->region_block[body];
  if (block == NONE || m->block_next[block] != NONE || m->calls.count ||
      m->donations.count || program->made_facts->op_workspace ||
      program->made_facts->value_first_leaf ||
      m->functions.data[function].op == NONE)
    return NONE;
  for (uint32_t i = 0; i < m->block_op_count[block]; i++) {
    op_id op = ir_block_op(m, block, i);
    const struct op_facts *facts = facts_of(program->made_facts, op);
    if (m->op_region[op] != NONE || facts->alias != OPERAND_NONE ||
        facts->inplace != OPERAND_NONE || facts->reuses != OPERAND_NONE ||
        (facts->flags & (FACT_TUPLE | FACT_ELEMENT | FACT_FORWARDS |
                         FACT_CONSTANT | FACT_VIRTUAL)))
      return NONE;
  }
  return block;
}

/* The most bytes that are live in BLOCK at one op, by difference array. */
static uint64_t
scan_block(struct program *program, block_id block) {
  const struct ir_module *m = program->made;
  const uint64_t *bytes = program->made_facts->leaf_bytes;
  uint32_t count = m->block_op_count[block];
  uint32_t *last = ARENA_ARRAY(program->scratch, uint32_t, m->value_count);
  uint64_t *freed = ARENA_ARRAY(program->scratch, uint64_t, (size_t)count + 1);
  uint64_t live = 0, peak = 0;
  for (uint32_t i = 0; i < count; i++) {
    op_id op = ir_block_op(m, block, i);
    for (uint32_t u = 0; u < m->op_use_count[op]; u++)
      last[ir_operand(m, op, u)] = i;
    for (uint32_t r = 0; r < m->op_result_count[op]; r++)
      last[ir_result(m, op, r)] = i;
  }
  for (uint32_t i = 0; i < m->block_argument_count[block]; i++)
    live = saturating_add(live, bytes[m->block_first_argument[block] + i]);
  peak = live;
  for (uint32_t i = 0; i < count; i++) {
    op_id op = ir_block_op(m, block, i);
    for (uint32_t r = 0; r < m->op_result_count[op]; r++) {
      value_id value = ir_result(m, op, r);
      live = saturating_add(live, bytes[value]);
      freed[last[value]] = saturating_add(freed[last[value]], bytes[value]);
    }
    peak = live > peak ? live : peak;
    live -= freed[i];
  }
  return peak;
}

static const char *
check_peaks(struct program *program) {
  const struct ir_module *m = program->made;
  if (program->options->arguments != ARGUMENTS_HELD)
    return NULL;
  for (function_id f = 0; f < m->functions.count; f++) {
    block_id block = simple_block(program, f);
    uint64_t reported = program->made_liveness->functions[f].peak_bytes;
    if (block == NONE || !program->made_liveness->functions[f].runs)
      continue;
    uint64_t found = scan_block(program, block);
    if (found != reported)
      return arena_printf(
          program->scratch, "function %u: the peak is %llu bytes, not %llu", f,
          (unsigned long long)found, (unsigned long long)reported);
  }
  return NULL;
}

static const char *
check_figures(struct program *program) {
  uint32_t functions = program->input->functions.count;
  struct count *before = ARENA_ARRAY(program->scratch, struct count, functions);
  struct count *after = ARENA_ARRAY(program->scratch, struct count, functions);
  count_ops(program, program->input, program->facts, before);
  if (!program->made)
    return check_counts(program, before, before);
  count_ops(program, program->made, program->made_facts, after);
  const char *fault = check_counts(program, before, after);
  return fault ? fault : check_peaks(program);
}

/* No op reads a buffer that was written over before: a scheduled module gets
 * no more copies that would keep it whole. */
static const char *
check_storage(struct program *program) {
  struct xla_conflicts found =
      xla_new_conflicts(program, program->made, program->made_facts,
                        program->made_buffers->clock);
  if (!found.count)
    return NULL;
  return arena_printf(program->scratch,
                      "op %u reads a buffer that op %u has written over",
                      found.data[0].reader, found.data[0].writer);
}

/* Fences hold, and with them functions stay within what is claimed. */
static const char *
check_fences(struct program *program) {
  const struct ir_module *m = program->made;
  bool fenced = false;
  for (function_id f = 0; f < program->input->functions.count; f++)
    fenced |= program->plan->functions[f].fences > 0;
  if (!fenced)
    return NULL;
  struct stored *stored = stored_find(program, m, program->made_facts);
  struct fused *fused = fused_new(program, stored, program->scratch);
  const char *fault = verify_fences(fused, program->facts, program->scratch);
  fused->any_order = true;
  for (function_id f = 0; f < m->functions.count && !fault; f++) {
    const struct plan_function *figures =
        &program->plan->functions[m->functions.data[f].origin];
    if (!figures->fenced || m->functions.data[f].copy)
      continue;
    uint64_t bytes = fused_function_peak(fused, f);
    if (bytes > figures->claimed_peak_after_bytes)
      return arena_printf(
          program->scratch,
          "between two fences of function %u up to %llu bytes can be live, not "
          "%llu",
          f, (unsigned long long)bytes,
          (unsigned long long)figures->claimed_peak_after_bytes);
  }
  return fault;
}

static bool
execute_verify(struct program *program) {
  const char *fault = check_figures(program);
  if (!fault && program->made)
    fault = check_storage(program);
  if (!fault && program->made)
    fault = verify_same(program->made, program->facts, program->scratch);
  if (!fault && program->made)
    fault = verify_order(program->made, program->scratch);
  if (!fault && program->made)
    fault = check_fences(program);
  if (!fault && program->made)
    fault = verify_names(program->made, program->scratch);
  if (fault)
    diagnose(program->diagnostics, DIAGNOSTIC_INTERNAL, NO_LOCATION,
             "the new program is not proved: %s", fault);
  return !fault;
}

static bool
gate_verify(const struct program *program) {
  return !program->options->analyze &&
         program->options->strategy != STRATEGY_NONE;
}

static const struct parameter parameters[] = {
    {"verify-text-ops",
     "read the printed text again and compare, up to so many ops", 25000, 0,
     UINT32_MAX},
    {0}};

const struct pass pass_verify = {
    .name = "verify",
    .help = "prove that the new program is the old one, and its figures",
    .requires_ = PROP_FACTS | PROP_BUDGET | PROP_MADE,
    .provides = PROP_PROOF,
    .essential = true,
    .parameters = parameters,
    .gate = gate_verify,
    .execute = execute_verify,
};
