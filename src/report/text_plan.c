/* text_plan.c - see text_plan.h.
 *
 *   plan             greedy: 22 selected, 2 given back, 41 clones, 20 ops gone
 *   peak after       9.00 MiB   of 20.0 MiB, 55.0 % less; packed 9.00 MiB
 *   budget           8.00 MiB   explicit_cli: missed by 1.00 MiB
 *   cost             12.3 us   more than 40.1 us, 30.7 %
 *   at least         52.0 us   in all costs any plan of this budget: this one
 *                              at most 0.8 % more
 *
 *     saves            costs        clones  line  op */
#include "report/text_plan.h"

#include "passes/plan.h"

#include <stdlib.h>

enum { SHOWN = 12 };

static void
put_label(struct buffer *out, const char *label) {
  buffer_printf(out, "  %-14s", label);
}

/* SIZE or TIME, which PUT appends, on the right of a column. */
static void
put_right(struct buffer *out, uint64_t value,
          void (*put)(struct buffer *, uint64_t)) {
  struct arena arena = {0};
  struct buffer text = {.arena = &arena};
  put(&text, value);
  buffer_printf(out, "%12s", buffer_finish(&text));
  arena_empty(&arena);
}

static double
percent(uint64_t part, uint64_t all) {
  return all ? 100 * (double)part / (double)all : 0;
}

static void
put_count(struct buffer *out, uint64_t count, const char *words) {
  if (count)
    buffer_printf(out, ", %llu %s", (unsigned long long)count, words);
}

static void
put_summary(struct buffer *out, const struct figures *figures) {
  put_label(out, "plan");
  buffer_printf(out, "%12.*s   %llu selected", (int)figures->strategy.size,
                figures->strategy.data, (unsigned long long)figures->selected);
  put_count(out, figures->dropped, "given back");
  put_count(out, figures->emitted_clones, "clones");
  put_count(out, figures->erased, "ops gone");
  buffer_string(out, "\n");
}

static void
put_peak(struct buffer *out, const struct figures *figures) {
  uint64_t before = figures->peak_before_bytes;
  uint64_t after = figures->peak_after_bytes;
  put_label(out, "peak after");
  put_right(out, after, human_bytes);
  if (after < before)
    buffer_printf(out, "   %.1f %% less", percent(before - after, before));
  if (!(figures->absent >> FIGURE_packed_after_bytes & 1)) {
    buffer_string(out, after < before ? "; " : "   ");
    buffer_string(out, "packed ");
    human_bytes(out, figures->packed_after_bytes);
  }
  buffer_string(out, "\n");
}

/* What a fusing compiler stores, which is what its plans are for. */
static void
put_fused(struct buffer *out, const struct figures *figures) {
  if (figures->absent >> FIGURE_fused_peak_after_temp_bytes & 1)
    return;
  put_label(out, "when fused");
  put_right(out, figures->fused_peak_after_temp_bytes, human_bytes);
  buffer_string(out, "   of temporaries, before ");
  human_bytes(out, figures->fused_peak_before_temp_bytes);
  buffer_string(out, "\n");
}

static void
put_budget(struct buffer *out, const struct figures *figures) {
  if (figures->absent >> FIGURE_budget_bytes & 1)
    return;
  put_label(out, "budget");
  put_right(out, figures->budget_bytes, human_bytes);
  buffer_printf(out, "   %.*s: %s", (int)figures->budget_source.size,
                figures->budget_source.data,
                figures->fits ? "fits" : "not reached");
  buffer_string(out, "\n");
}

static void
put_cost(struct buffer *out, const struct figures *figures) {
  int64_t extra = figures->extra_cost_ns;
  uint64_t size = extra < 0 ? 0 - (uint64_t)extra : (uint64_t)extra;
  put_label(out, "cost");
  put_right(out, size, human_time);
  buffer_printf(out, "   %s, %.1f %% of ", extra < 0 ? "less" : "more",
                percent(size, figures->base_cost_ns));
  human_time(out, figures->base_cost_ns);
  buffer_string(out, "\n");
}

/* The certificate: how far from the cheapest plan this one can be. */
static void
put_bound(struct buffer *out, const struct figures *figures) {
  uint64_t total = figures->base_cost_ns + (uint64_t)figures->extra_cost_ns;
  uint64_t bound = figures->lower_bound_cost_ns;
  if (figures->absent >> FIGURE_budget_bytes & 1)
    return;
  if (!figures->fits) {
    put_label(out, "certificate");
    buffer_printf(out, "%12s   %s\n", "",
                  figures->proved_infeasible
                      ? "it is proved that no plan fits this budget"
                      : "no plan was found that fits, which is no proof that "
                        "there is none");
  }
  if (!bound)
    return;
  put_label(out, "at least");
  put_right(out, bound, human_time);
  buffer_printf(out, "   in all costs any plan %s: ",
                figures->fits ? "of this budget" : "of this peak");
  if (total > bound)
    buffer_printf(out, "this one at most %.2f %% more\n",
                  percent(total - bound, bound));
  else
    buffer_string(out, "this one is proved to be optimal\n");
}

/* Those that save most first; equal ones in program order. */
static int
compare_decisions(const void *a, const void *b) {
  const struct plan_decision *x = a, *y = b;
  if (x->saved_bytes != y->saved_bytes)
    return x->saved_bytes > y->saved_bytes ? -1 : 1;
  return x->op < y->op ? -1 : x->op > y->op;
}

static void
put_decision(struct buffer *out, const struct ir_module *module,
             const struct plan_decision *decision) {
  uint32_t line = ir_op_line(module, decision->op);
  struct text name = ir_op_name(module, decision->op);
  buffer_string(out, "    ");
  put_right(out, decision->saved_bytes, human_bytes);
  put_right(out, decision->cost_ns, human_time);
  buffer_printf(out, "  %6u  line %u: %.*s", decision->clones, line,
                (int)name.size, name.data);
  if (decision->reason)
    buffer_printf(out, "  %s", decision->reason);
  buffer_string(out, "\n");
}

static void
put_decisions(const struct program *program, function_id function,
              struct buffer *out) {
  const struct plan_function *plan = &program->plan->functions[function];
  struct arena arena = {0};
  VECTOR(struct plan_decision) taken = {0};
  for (uint32_t i = 0; i < plan->decisions.count; i++)
    if (plan->decisions.data[i].taken)
      vector_push(&arena, &taken, plan->decisions.data[i]);
  if (taken.count) {
    qsort(taken.data, taken.count, sizeof *taken.data, compare_decisions);
    buffer_string(out, "\n    recomputed: saves       costs  clones\n");
  }
  for (uint32_t i = 0; i < taken.count && i < SHOWN; i++)
    put_decision(out, program->input, &taken.data[i]);
  if (taken.count > SHOWN)
    buffer_printf(out, "    %34s%u others\n", "", taken.count - SHOWN);
  arena_empty(&arena);
}

void
text_put_plan(const struct program *program, function_id function,
              const struct figures *figures, struct buffer *out) {
  put_summary(out, figures);
  put_peak(out, figures);
  put_fused(out, figures);
  put_budget(out, figures);
  put_cost(out, figures);
  put_bound(out, figures);
  if (program->plan)
    put_decisions(program, function, out);
}
