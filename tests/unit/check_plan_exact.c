/* Optima, bounds and what lies between them, on random small problems with
 * every feature and on chains with a closed form. */
#include "../tools/shapes.h"
#include "plan/bound.h"
#include "plan/chain.h"
#include "plan/exact.h"
#include "plan/planner.h"
#include "plan_random.h"
#include "unit.h"

/* On the way to every optimum: it is a plan within the budget, nothing that
 * plan_best finds is below it, no bound is above it, and what is proved
 * impossible is not found. */
START_TEST(optimum_is_between_bound_and_plan) {
  struct random random = {5};
  unsigned optimal = 0, planned = 0, sharper = 0, higher = 0;
  uint32_t node;
  for (unsigned run = 0; run < 160; run++) {
    struct arena arena = {0};
    struct plan_problem *problem =
        random_problem(&random, 4 + random_below(&random, 8), run % 16, &arena);
    uint64_t before = slow_peak(problem, plan_program_order(problem, &arena));
    struct plan_settings settings = plan_default_settings();
    settings.exact_max = 0;
    for (uint32_t percent = 40; percent < 100; percent += 15) {
      struct plan_exact_limits limits = {before * percent / 100, UINT64_MAX,
                                         200000};
      struct plan_sequence sequence;
      struct plan_figures figures;
      struct plan_result result;
      enum plan_exact_verdict verdict =
          plan_exact(problem, &limits, &sequence, &arena);
      bool fits =
          plan_best(problem, limits.budget_bytes, &settings, &result, &arena);
      ck_assert_int_ne(verdict, PLAN_EXACT_GAVE_UP);
      if (verdict == PLAN_EXACT_IMPOSSIBLE) {
        ck_assert(!fits);
        continue;
      }
      ck_assert(plan_valid(problem, sequence));
      ck_assert(plan_evaluate(problem, sequence, &figures));
      ck_assert_uint_le(slow_peak(problem, sequence), limits.budget_bytes);
      ck_assert(!result.proved_infeasible);
      ck_assert_uint_le(result.bound_bytes, limits.budget_bytes);
      ck_assert_uint_le(result.bound_cost_ns, figures.cost_ns);
      uint64_t bound =
          plan_bound_cost(problem, limits.budget_bytes, 1000000, false);
      uint64_t cut =
          plan_bound_cost(problem, limits.budget_bytes, 1000000, true);
      ck_assert_uint_le(bound, cut);
      ck_assert_uint_le(cut, figures.cost_ns);
      uint64_t resident = plan_bound_resident(problem, 1000000, &node);
      ck_assert_uint_ge(resident, plan_bound_bytes(problem));
      ck_assert_uint_le(resident, limits.budget_bytes);
      higher += resident > plan_bound_bytes(problem);
      sharper += cut > bound;
      planned += fits;
      optimal += fits && result.figures.cost_ns == figures.cost_ns;
      if (fits)
        ck_assert_uint_ge(result.figures.cost_ns, figures.cost_ns);
      if (result.proved_optimal)
        ck_assert_uint_eq(result.figures.cost_ns, figures.cost_ns);
    }
    arena_empty(&arena);
  }
  ck_assert_uint_gt(sharper, 0);
  ck_assert_uint_gt(higher, 0);
  /* Not a law, but a planner that fell below it would be broken. */
  ck_assert_uint_ge(optimal * 100, planned * 85);
}
END_TEST

/* Every sequence of at most LIMIT instances, by brute force: the cheapest
 * that is a plan within the budget. */
static uint64_t
cheapest_by_force(const struct plan_problem *problem, uint64_t budget,
                  struct plan_sequence *sequence, uint32_t limit) {
  uint64_t best = UINT64_MAX;
  struct plan_figures figures;
  bool complete = plan_valid(problem, *sequence);
  if (complete && slow_peak(problem, *sequence) <= budget &&
      plan_evaluate(problem, *sequence, &figures))
    best = figures.cost_ns;
  if (sequence->count == limit)
    return best;
  for (uint32_t node = 0; node < problem->node_count; node++) {
    sequence->nodes[sequence->count++] = node;
    uint64_t below = cheapest_by_force(problem, budget, sequence, limit);
    best = below < best ? below : best;
    sequence->count--;
  }
  return best;
}

START_TEST(optimum_is_that_of_all_sequences) {
  struct random random = {6};
  for (unsigned run = 0; run < 48; run++) {
    struct arena arena = {0};
    struct plan_problem *problem = random_problem(&random, 4, run % 16, &arena);
    uint64_t before = slow_peak(problem, plan_program_order(problem, &arena));
    uint32_t nodes[6];
    struct plan_sequence all = {nodes, 0}, sequence;
    struct plan_exact_limits limits = {before * 75 / 100, UINT64_MAX, 100000};
    uint64_t forced = cheapest_by_force(problem, limits.budget_bytes, &all, 6);
    struct plan_figures figures = {.cost_ns = UINT64_MAX};
    if (plan_exact(problem, &limits, &sequence, &arena) == PLAN_EXACT_FOUND)
      plan_evaluate(problem, sequence, &figures);
    /* Longer sequences may be better than what six instances allow. */
    ck_assert_uint_le(figures.cost_ns, forced);
    if (figures.cost_ns < forced)
      ck_assert_uint_gt(sequence.count, 6);
    arena_empty(&arena);
  }
}
END_TEST

/* Steps of the optimum for a chain of LENGTH links with SLOTS values stored:
 * T(l, s) = min over k of k + T(l - k, s - 1) + T(k, s), T(1, s) = 0 where s
 * is not 0. */
static uint64_t
chain_steps(uint32_t length, uint32_t slots, uint64_t (*known)[64]) {
  if (!slots)
    return UINT32_MAX;
  if (length <= 1)
    return 0;
  if (known[length][slots])
    return known[length][slots];
  uint64_t best = UINT32_MAX;
  for (uint32_t k = 1; k < length; k++) {
    uint64_t steps = k + chain_steps(length - k, slots - 1, known) +
                     chain_steps(k, slots, known);
    best = steps < best ? steps : best;
  }
  return known[length][slots] = best;
}

START_TEST(chains_are_optimal) {
  for (uint32_t stages = 8; stages <= 40; stages += 8)
    for (uint32_t budget = 4; budget <= stages / 2; budget += 3) {
      struct arena arena = {0};
      uint64_t known[64][64] = {{0}};
      struct plan_problem *problem = shape_training_chain(stages, &arena);
      struct plan_goal goal = {.budget_bytes = budget,
                               .most_instances = 100000};
      struct plan_sequence sequence;
      struct plan_figures figures;
      ck_assert(plan_chain(problem, &goal, &sequence, &arena));
      ck_assert(plan_valid(problem, sequence));
      plan_evaluate(problem, sequence, &figures);
      ck_assert_uint_eq(figures.peak_bytes, budget);
      ck_assert_uint_eq(figures.cost_ns,
                        stages + 1 + chain_steps(stages, budget - 1, known));
      arena_empty(&arena);
    }
}
END_TEST

/* Chains of unlike links: valid, within the budget, and not above the best of
 * the other planners by much; never below the optimum. */
START_TEST(unlike_chains) {
  struct random random = {7};
  for (unsigned run = 0; run < 60; run++) {
    struct arena arena = {0};
    struct plan_builder builder = {.arena = &arena};
    uint32_t stages = 3 + random_below(&random, 4), last = PLAN_NONE;
    for (uint32_t i = 0; i < 2 * stages; i++) {
      plan_add_node(&builder, 1 + random_below(&random, 9),
                    random_below(&random, 3), 0);
      if (last != PLAN_NONE)
        plan_add_operand(&builder, last);
      if (i > stages)
        plan_add_operand(&builder, 2 * stages - 1 - i);
      last = plan_add_result(&builder, 1 + random_below(&random, 9),
                             i + 1 == 2 * stages);
    }
    struct plan_problem *problem = plan_finish(&builder);
    uint64_t before = slow_peak(problem, plan_program_order(problem, &arena));
    for (uint32_t percent = 50; percent <= 100; percent += 10) {
      struct plan_goal goal = {.budget_bytes = before * percent / 100,
                               .most_instances = 1000};
      struct plan_exact_limits limits = {goal.budget_bytes, UINT64_MAX, 100000};
      struct plan_sequence sequence, best;
      struct plan_figures figures, optimum;
      if (!plan_chain(problem, &goal, &sequence, &arena))
        continue;
      ck_assert(plan_valid(problem, sequence));
      ck_assert_uint_le(slow_peak(problem, sequence), goal.budget_bytes);
      plan_evaluate(problem, sequence, &figures);
      ck_assert_int_eq(plan_exact(problem, &limits, &best, &arena),
                       PLAN_EXACT_FOUND);
      plan_evaluate(problem, best, &optimum);
      ck_assert_uint_ge(figures.cost_ns, optimum.cost_ns);
    }
    arena_empty(&arena);
  }
}
END_TEST

UNIT_MAIN("plan-exact", optimum_is_between_bound_and_plan,
          optimum_is_that_of_all_sequences, chains_are_optimal, unlike_chains)
