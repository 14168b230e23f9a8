/* The fast evaluator and the planners against an obvious one, on random
 * problems with every feature that a problem has. */
#include "plan/limit.h"
#include "plan/planner.h"
#include "plan/portfolio.h"
#include "plan_random.h"
#include "unit.h"

START_TEST(profile_equals_the_slow_one) {
  struct random random = {1};
  for (unsigned run = 0; run < 400; run++) {
    struct arena arena = {0};
    struct plan_problem *problem = random_problem(
        &random, 2 + random_below(&random, 30), run % 16, &arena);
    struct plan_sequence sequence = random_sequence(&random, problem, &arena);
    struct plan_timeline timeline;
    ck_assert(plan_timeline_build(&timeline, problem, sequence, &arena));
    for (uint32_t p = 0; p < sequence.count; p++)
      ck_assert_int_eq(timeline.profile[p],
                       (int64_t)slow_live(problem, sequence, p));
    arena_empty(&arena);
  }
}
END_TEST

/* Every decoder at every budget: a plan is valid, within the budget and not
 * longer than was allowed when it says so; and each finds some. */
START_TEST(decoders_keep_their_word) {
  struct random random = {2};
  struct plan_settings settings = plan_default_settings();
  unsigned found[PLAN_DECODER_COUNT] = {0};
  for (unsigned run = 0; run < 160; run++) {
    struct arena arena = {0};
    struct plan_problem *problem = random_problem(
        &random, 5 + random_below(&random, 60), run % 16, &arena);
    uint64_t before = slow_peak(problem, plan_program_order(problem, &arena));
    for (uint32_t decoder = 0; decoder < PLAN_DECODER_COUNT; decoder++)
      for (uint32_t percent = 40; percent < 100; percent += 20) {
        struct plan_goal goal = {.budget_bytes = before * percent / 100,
                                 .most_instances = problem->node_count * 9};
        struct plan_sequence sequence;
        if (!plan_decode(problem, &goal, &settings, decoder, &sequence, &arena))
          continue;
        ck_assert(plan_valid(problem, sequence));
        ck_assert_uint_le(slow_peak(problem, sequence), goal.budget_bytes);
        ck_assert_uint_le(sequence.count, goal.most_instances);
        found[decoder]++;
      }
    arena_empty(&arena);
  }
  for (uint32_t decoder = 0; decoder < PLAN_CHAIN_DECODER; decoder++)
    ck_assert_uint_gt(found[decoder], 20);
}
END_TEST

/* Elimination never makes a plan dearer, longer or go over the budget. */
START_TEST(elimination_only_improves) {
  struct random random = {3};
  for (unsigned run = 0; run < 300; run++) {
    struct arena arena = {0};
    struct plan_problem *problem = random_problem(
        &random, 2 + random_below(&random, 40), run % 16, &arena);
    struct plan_sequence sequence = random_sequence(&random, problem, &arena);
    plan_drop_dead(problem, &sequence);
    struct plan_figures before, after;
    plan_evaluate(problem, sequence, &before);
    uint32_t removed =
        plan_eliminate(problem, before.peak_bytes, run % 4, &sequence);
    ck_assert(plan_valid(problem, sequence));
    ck_assert(plan_evaluate(problem, sequence, &after));
    ck_assert_uint_le(slow_peak(problem, sequence), before.peak_bytes);
    ck_assert_uint_le(after.cost_ns, before.cost_ns);
    ck_assert_uint_eq(after.clones + removed,
                      before.clones + after.erased - before.erased);
    ck_assert_uint_eq(plan_drop_dead(problem, &sequence), 0);
    arena_empty(&arena);
  }
}
END_TEST

START_TEST(best_is_valid_and_says_what_it_is) {
  struct random random = {4};
  struct plan_settings settings = plan_default_settings();
  for (unsigned run = 0; run < 64; run++) {
    struct arena arena = {0};
    struct plan_problem *problem = random_problem(
        &random, 5 + random_below(&random, 40), run % 16, &arena);
    uint64_t before = slow_peak(problem, plan_program_order(problem, &arena));
    for (uint32_t percent = 30; percent <= 100; percent += 35) {
      uint64_t budget = before * percent / 100;
      struct plan_result result;
      bool fits = plan_best(problem, budget, &settings, &result, &arena);
      ck_assert(plan_valid(problem, result.sequence));
      ck_assert_uint_eq(slow_peak(problem, result.sequence),
                        result.figures.peak_bytes);
      ck_assert_uint_le(result.figures.peak_bytes, before);
      ck_assert_int_eq(fits, result.figures.peak_bytes <= budget);
      /* With room for everything the program stays as it is. */
      for (uint32_t i = 0; percent == 100 && i < problem->node_count; i++)
        ck_assert_uint_eq(result.sequence.nodes[i], i);
      if (percent == 100)
        ck_assert_uint_eq(result.sequence.count, problem->node_count);
    }
    arena_empty(&arena);
  }
}
END_TEST

/* How often the node that runs most runs. */
static uint32_t
most_runs(const struct plan_problem *problem, struct plan_sequence sequence,
          struct arena *arena) {
  uint32_t *runs = ARENA_ARRAY(arena, uint32_t, problem->node_count), most = 0;
  for (uint32_t i = 0; i < sequence.count; i++)
    if (++runs[sequence.nodes[i]] > most)
      most = runs[sequence.nodes[i]];
  return most;
}

/* A bound on the clones of each node is obeyed, whatever the budget, and not by
 * doing nothing: some plans with it have clones and fit. */
START_TEST(clones_of_each_node_are_bounded) {
  struct random random = {5};
  struct plan_settings settings = plan_default_settings();
  unsigned useful = 0;
  for (unsigned run = 0; run < 16; run++) {
    struct arena arena = {0};
    struct plan_problem *problem = random_problem(
        &random, 10 + random_below(&random, 40), run % 16, &arena);
    uint64_t before = slow_peak(problem, plan_program_order(problem, &arena));
    for (uint32_t percent = 40; percent < 100; percent += 20) {
      struct plan_result result;
      settings.clones_per_node = 1 + run % 2;
      bool fits = plan_limited(problem, before * percent / 100, &settings,
                               &result, &arena);
      ck_assert(plan_valid(problem, result.sequence));
      ck_assert_uint_le(most_runs(problem, result.sequence, &arena),
                        settings.clones_per_node + 1);
      ck_assert_uint_eq(slow_peak(problem, result.sequence),
                        result.figures.peak_bytes);
      ck_assert_uint_le(result.figures.peak_bytes, before);
      ck_assert(!fits || result.figures.peak_bytes <= before * percent / 100);
      ck_assert(!fits || result.figures.cost_ns >= result.bound_cost_ns);
      useful += fits && result.figures.clones > 0;
    }
    arena_empty(&arena);
  }
  ck_assert_uint_gt(useful, 3);
}
END_TEST

UNIT_MAIN("plan", profile_equals_the_slow_one, decoders_keep_their_word,
          elimination_only_improves, best_is_valid_and_says_what_it_is,
          clones_of_each_node_are_bounded)
