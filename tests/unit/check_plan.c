/* The planner's promises: moves before clones, the clone bound, sameness of
 * equal runs, figures for the reader, and what an allocator makes of it. */
#include "../tools/shapes.h"
#include "plan/explain.h"
#include "plan/pack.h"
#include "plan/pareto.h"
#include "plan/segment_tree.h"
#include "plan/sort.h"
#include "plan_random.h"
#include "unit.h"

START_TEST(segment_tree_equals_an_array) {
  struct random random = {8};
  for (unsigned run = 0; run < 200; run++) {
    struct arena arena = {0};
    uint32_t count = 1 + random_below(&random, 40);
    int64_t *values = ARENA_ARRAY(&arena, int64_t, count);
    struct segment_tree tree;
    for (uint32_t i = 0; i < count; i++)
      values[i] = random_below(&random, 100);
    segment_tree_build(&tree, values, count, &arena);
    for (unsigned step = 0; step < 60; step++) {
      uint32_t first = random_below(&random, count);
      uint32_t last = random_below(&random, count);
      int64_t add = (int64_t)random_below(&random, 60) - 30,
              most = INT64_MIN / 2;
      segment_tree_add(&tree, first, last, add);
      for (uint32_t i = first; i <= last; i++)
        values[i] += add;
      first = random_below(&random, count);
      last = random_below(&random, count);
      for (uint32_t i = first; i <= last; i++)
        most = values[i] > most ? values[i] : most;
      ck_assert_int_eq(segment_tree_max(&tree, first, last), most);
      most = INT64_MIN / 2;
      for (uint32_t i = 0; i < count; i++)
        most = values[i] > most ? values[i] : most;
      ck_assert_int_eq(segment_tree_top(&tree), most);
    }
    arena_empty(&arena);
  }
}
END_TEST

/* The shapes whose budgets are tried below. */
static struct plan_problem *
large_shape(unsigned which, struct arena *arena) {
  return shape_named(which == 0   ? "random"
                     : which == 1 ? "training"
                                  : "transformer",
                     1500, arena);
}

/* What decoders do for PERCENT of the program's peak, *FITS whether a plan
 * was found. */
static uint64_t
work_for(unsigned which, unsigned percent, uint32_t portfolio_max, bool *fits) {
  struct arena arena = {0};
  struct plan_problem *problem = large_shape(which, &arena);
  struct plan_settings settings = plan_default_settings();
  struct plan_figures program;
  struct plan_result result;
  settings.portfolio_max = portfolio_max;
  plan_evaluate(problem, plan_program_order(problem, &arena), &program);
  *fits = plan_best(problem, program.peak_bytes / 100 * percent, &settings,
                    &result, &arena);
  uint64_t work = result.work;
  arena_empty(&arena);
  return work;
}

/* Half of the peak is met by every portfolio. */
START_TEST(few_decoders_find_plans_too) {
  for (unsigned which = 0; which < 3; which++) {
    bool all, few;
    work_for(which, 50, 20000, &all);
    work_for(which, 50, 100, &few);
    ck_assert(all);
    ck_assert(few);
  }
}
END_TEST

/* A hundredth of the peak, less than some node needs alone: the lowest peak is
 * found with a millisecond's work a node.  (Before there was a limit it took
 * ten times that.) */
START_TEST(out_of_reach_is_found_cheaply) {
  for (unsigned which = 0; which < 3; which++) {
    bool met;
    uint64_t work = work_for(which, 1, 20000, &met);
    ck_assert(!met);
    ck_assert_uint_lt(work, 1500 * (uint64_t)(PLAN_WORK_PER_SECOND / 1000));
  }
}
END_TEST

/* Walks find irregular graphs hard.  Of 20,001 nodes, which is large, one alone
 * goes on until it is done; beside the gap planner, which finds a cheaper plan,
 * walks are not tried again: 27 units of work by node (453 when they were). The
 * walk alone takes 17 and adds 6.5 percent; it was 201 and 18.3 when it
 * searched all that is evicted around a value. */
START_TEST(large_irregular_graphs) {
  struct arena arena = {0};
  struct plan_problem *problem = shape_random_graph(20001, &arena);
  struct plan_settings settings = plan_default_settings();
  struct plan_result best, walk;
  struct plan_figures before;
  plan_evaluate(problem, plan_program_order(problem, &arena), &before);
  uint64_t budget = before.peak_bytes / 4;
  ck_assert(plan_best(problem, budget, &settings, &best, &arena));
  ck_assert_uint_lt(best.work, 40 * 20001);
  settings.strategy = PLAN_SIMULATE;
  ck_assert(plan_best(problem, budget, &settings, &walk, &arena));
  ck_assert_uint_le(walk.figures.peak_bytes, budget);
  ck_assert_uint_lt(best.figures.cost_ns, walk.figures.cost_ns);
  ck_assert_uint_lt(walk.work, 30 * 20001);
  ck_assert_uint_lt(walk.figures.cost_ns, before.cost_ns + before.cost_ns / 10);
  arena_empty(&arena);
}
END_TEST

/* Each v(i) moved down to its sink: v(i - 1) and v(i), or v(i), s(i - 1) and
 * s(i), are all that is live.  Two would not do: s(i) has two operands. */
START_TEST(moves_come_before_clones) {
  for (uint64_t budget = 4; budget >= 3; budget--) {
    struct arena arena = {0};
    struct plan_problem *problem = shape_sink_chain(2000, &arena);
    struct plan_settings settings = plan_default_settings();
    struct plan_result result;
    ck_assert(plan_best(problem, budget, &settings, &result, &arena));
    ck_assert_uint_eq(result.figures.clones, 0);
    ck_assert_uint_eq(result.figures.erased, 0);
    ck_assert_uint_le(result.figures.peak_bytes, budget);
    ck_assert(plan_valid(problem, result.sequence));
    arena_empty(&arena);
  }
}
END_TEST

/* Decoders keep the order of nodes that run once, whatever moves. */
START_TEST(what_is_fixed_keeps_its_order) {
  struct random random = {9};
  struct plan_settings settings = plan_default_settings();
  for (unsigned run = 0; run < 60; run++) {
    struct arena arena = {0};
    struct plan_problem *problem = random_problem(
        &random, 10 + random_below(&random, 30), RANDOM_ALL, &arena);
    uint64_t before = slow_peak(problem, plan_program_order(problem, &arena));
    struct plan_result result;
    plan_best(problem, before * 60 / 100, &settings, &result, &arena);
    uint32_t last = 0, fixed = 0, expected = 0;
    for (uint32_t p = 0; p < result.sequence.count; p++) {
      uint32_t node = result.sequence.nodes[p];
      if (!problem->fixed[node])
        continue;
      ck_assert_uint_ge(node, last);
      last = node;
      fixed++;
    }
    for (uint32_t node = 0; node < problem->node_count; node++)
      expected += problem->fixed[node];
    ck_assert_uint_eq(fixed, expected);
    arena_empty(&arena);
  }
}
END_TEST

/* A chain of 24 in 3 units needs 253 + 24 + 1 - 24 extra runs (T(24, 2) = 23 *
 * 24 / 2 = 276): a bound of 1 allows 48 clones, so the peak must stay above
 * 3, and the plan says why. */
START_TEST(clone_bound_holds) {
  struct arena arena = {0};
  struct plan_problem *problem = shape_training_chain(24, &arena);
  struct plan_settings settings = plan_default_settings();
  struct plan_result result;
  settings.clone_bound = 0;
  ck_assert(plan_best(problem, 3, &settings, &result, &arena));
  ck_assert_uint_eq(result.figures.clones, 276 + 1 - 24);
  settings.clone_bound = 1;
  ck_assert(!plan_best(problem, 3, &settings, &result, &arena));
  ck_assert(result.clone_bound_reached);
  ck_assert(!result.proved_infeasible);
  ck_assert_uint_le(result.figures.clones, 48);
  ck_assert_uint_gt(result.figures.peak_bytes, 3);
  /* 28 extra runs do for 6 units, 17 do for 8 (T(24, 5) = 51, T(24, 7) =
   * 40): what is reached is not worse. */
  ck_assert_uint_le(result.figures.peak_bytes, 6);
  arena_empty(&arena);
}
END_TEST

/* Plans of PROBLEM by SETTINGS have no more clones than their bound, and keep
 * within the budget where they say so. */
static void
check_clone_bound(const struct plan_problem *problem,
                  const struct plan_settings *settings, struct arena *arena) {
  struct plan_figures before;
  plan_evaluate(problem, plan_program_order(problem, arena), &before);
  for (uint64_t part = 2; part <= 8; part += 3) {
    struct plan_result result;
    uint64_t budget = before.peak_bytes / part;
    bool made = plan_best(problem, budget, settings, &result, arena);
    ck_assert_uint_le(result.figures.clones,
                      settings->clone_bound * problem->node_count);
    ck_assert(!made || result.figures.peak_bytes <= budget);
  }
}

/* Whatever makes the plan: on a chain of 48 nodes for which 3 units ask for 253
 * clones, and on a graph without any order in it. */
START_TEST(clone_bound_holds_for_each_strategy) {
  struct arena arena = {0};
  struct plan_settings settings = plan_default_settings();
  for (int strategy = PLAN_BEST; strategy <= PLAN_EXACT; strategy++)
    for (uint32_t bound = 1; bound <= 2; bound++)
      for (int search = 0; search <= 1; search++) {
        settings.strategy = (enum plan_strategy)strategy;
        settings.search_seconds = 0.02 * search;
        settings.clone_bound = bound;
        check_clone_bound(shape_training_chain(24, &arena), &settings, &arena);
        check_clone_bound(shape_random_graph(40, &arena), &settings, &arena);
      }
  arena_empty(&arena);
}
END_TEST

/* Costs of 2^62 ns each: 48 of them are beyond 2^64, and more clones are no
 * less.  No plan seems cheap because its cost went round. */
START_TEST(costs_beyond_counting_stay_there) {
  struct arena arena = {0};
  struct plan_problem *problem = shape_training_chain(24, &arena);
  struct plan_settings settings = plan_default_settings();
  for (uint32_t node = 0; node < problem->node_count; node++)
    problem->cost_ns[node] = (uint64_t)1 << 62;
  for (int strategy = PLAN_BEST; strategy <= PLAN_EXACT; strategy++)
    for (uint64_t budget = 3; budget <= 25; budget += 2) {
      struct plan_result result;
      settings.strategy = (enum plan_strategy)strategy;
      bool made = plan_best(problem, budget, &settings, &result, &arena);
      ck_assert_uint_eq(result.figures.cost_ns, UINT64_MAX);
      ck_assert(!made || result.figures.peak_bytes <= budget);
    }
  arena_empty(&arena);
}
END_TEST

/* b(1) reads f(0) of 4 bytes and b(2): 2 is what every node needs at least;
 * below that no plan exists, and that is proved. */
START_TEST(what_cannot_be_is_proved) {
  struct arena arena = {0};
  struct plan_problem *problem = shape_training_chain(50, &arena);
  struct plan_settings settings = plan_default_settings();
  struct plan_result result;
  ck_assert(!plan_best(problem, 2, &settings, &result, &arena));
  ck_assert(result.proved_infeasible);
  ck_assert_uint_eq(result.bound_bytes, 3);
  ck_assert_uint_lt(result.figures.peak_bytes, 50);
  arena_empty(&arena);
}
END_TEST

START_TEST(equal_runs_give_equal_plans) {
  struct random random = {10};
  struct plan_settings settings = plan_default_settings();
  for (unsigned run = 0; run < 12; run++) {
    struct plan_sequence first = {0};
    struct arena arenas[2] = {{0}, {0}};
    uint64_t state = random.state;
    for (unsigned again = 0; again < 2; again++) {
      struct arena *arena = &arenas[again];
      random.state = state;
      /* Other addresses, other garbage in what malloc gives back. */
      void *shift = malloc(1000 + 77777 * again);
      struct plan_problem *problem =
          random_problem(&random, 40, RANDOM_ALL, arena);
      uint64_t before = slow_peak(problem, plan_program_order(problem, arena));
      struct plan_result result;
      plan_best(problem, before * 55 / 100, &settings, &result, arena);
      if (!again) {
        first = result.sequence;
      } else {
        ck_assert_uint_eq(first.count, result.sequence.count);
        ck_assert_mem_eq(first.nodes, result.sequence.nodes,
                         first.count * sizeof *first.nodes);
      }
      free(shift);
    }
    arena_empty(&arenas[0]);
    arena_empty(&arenas[1]);
  }
}
END_TEST

/* a = 2, b = 3, c = 2 bytes; d, of 4, is born when a and c are dead:
 *   position  0 1 2 3 4
 *   a (2)     x x
 *   b (3)     . x x x x      largest first: d at 0, b above it at 4,
 *   c (2)     . . x x        a at 0, c at 0: 7 bytes, the peak as well.
 *   d (4)     . . . . x
 * When d has 1 byte, it fits where c was: b at 0, then a at 3, c at 3, d at
 * 3: 5 bytes. */
static struct plan_problem *
packing_problem(uint64_t last, struct arena *arena) {
  struct plan_builder builder = {.arena = arena};
  plan_add_node(&builder, 1, 0, 0);
  uint32_t a = plan_add_result(&builder, 2, false);
  plan_add_node(&builder, 1, 0, 0);
  plan_add_operand(&builder, a);
  plan_add_result(&builder, 3, true);
  plan_add_node(&builder, 1, 0, PLAN_ONCE);
  uint32_t c = plan_add_result(&builder, 2, false);
  plan_add_node(&builder, 1, 0, PLAN_ONCE);
  plan_add_operand(&builder, c);
  plan_add_node(&builder, 1, 0, PLAN_ONCE);
  plan_add_result(&builder, last, true);
  return plan_finish(&builder);
}

START_TEST(packing_by_decreasing_size) {
  struct arena arena = {0};
  struct plan_problem *large = packing_problem(4, &arena);
  struct plan_problem *small = packing_problem(1, &arena);
  ck_assert_uint_eq(plan_packed_bytes(large, plan_program_order(large, &arena)),
                    7);
  ck_assert_uint_eq(plan_packed_bytes(small, plan_program_order(small, &arena)),
                    5);
  struct random random = {11};
  for (unsigned run = 0; run < 200; run++) {
    struct plan_problem *problem =
        random_problem(&random, 40, run % 16, &arena);
    struct plan_sequence program = plan_program_order(problem, &arena);
    uint64_t packed = plan_packed_bytes(problem, program);
    ck_assert_uint_ge(packed, slow_peak(problem, program));
  }
  arena_empty(&arena);
}
END_TEST

/* Seven thousand buffers that live to the end: no holes, however placed. */
START_TEST(packing_many) {
  struct arena arena = {0};
  struct plan_builder builder = {.arena = &arena};
  uint64_t sum = 0;
  for (uint32_t i = 0; i < 7000; i++) {
    plan_add_node(&builder, 1, 0, 0);
    plan_add_result(&builder, i % 100, true);
    sum += i % 100;
  }
  struct plan_problem *problem = plan_finish(&builder);
  ck_assert_uint_eq(
      plan_packed_bytes(problem, plan_program_order(problem, &arena)), sum);
  arena_empty(&arena);
}
END_TEST

/* f0 f1 f2 | b2 b1 b0, where b(i) reads f(i): f0 f1 f2 b2 f0' f1' b1 b0 in 3
 * units.  f1 is remade from the clone of f0; while b2 runs, f0 and f1 would
 * have made 2 + 1 + 1. */
START_TEST(reasons_are_in_figures) {
  struct arena arena = {0};
  struct plan_builder builder = {.arena = &arena};
  for (uint32_t i = 0; i < 6; i++) {
    plan_add_node(&builder, 10 + i, 0, 0);
    if (i)
      plan_add_operand(&builder, i - 1);
    if (i > 3)
      plan_add_operand(&builder, 5 - i);
    plan_add_result(&builder, 1, i == 5);
  }
  struct plan_problem *problem = plan_finish(&builder);
  uint32_t nodes[] = {0, 1, 2, 3, 0, 1, 4, 5};
  struct plan_sequence sequence = {nodes, 8};
  const struct plan_reason *reasons;
  ck_assert(plan_valid(problem, sequence));
  ck_assert_uint_eq(plan_explain(problem, sequence, &reasons, &arena), 2);
  ck_assert_uint_eq(reasons[0].node, 0);
  ck_assert_uint_eq(reasons[0].position, 4);
  ck_assert_uint_eq(reasons[0].before, 0);
  ck_assert_uint_eq(reasons[0].gap_first, 2); /* node 1 reads it at 1 */
  ck_assert_uint_eq(reasons[0].gap_last, 3);
  ck_assert_uint_eq(reasons[0].freed_bytes, 1);
  ck_assert_uint_eq(reasons[0].peak_kept_bytes, 3);
  ck_assert_uint_eq(reasons[0].cost_ns, 10);
  ck_assert_uint_eq(reasons[0].relied_count, 0);
  ck_assert_uint_eq(reasons[1].node, 1);
  ck_assert_uint_eq(reasons[1].gap_first, 3);
  ck_assert_uint_eq(reasons[1].remade_count, 1);
  ck_assert_uint_eq(reasons[1].remade[0], 0);
  const struct plan_live *live;
  struct plan_sequence program = plan_program_order(problem, &arena);
  /* While node 3 runs: 0 and 1 for later, 2, and 3 itself. */
  ck_assert_uint_eq(plan_live_at(problem, program, 3, &live, &arena), 4);
  ck_assert_uint_eq(live[0].value, 0);
  ck_assert_uint_eq(live[0].next_read, 5);
  ck_assert_uint_eq(live[0].remake_cost_ns, 10);
  ck_assert_uint_eq(live[1].value, 1);
  ck_assert_uint_eq(live[1].next_read, 4);
  ck_assert_uint_eq(live[1].remake_cost_ns, 11); /* 0 is there for node 5 */
  ck_assert_uint_eq(live[2].next_read, PLAN_NONE);
  arena_empty(&arena);
}
END_TEST

START_TEST(pareto_is_a_front) {
  struct arena arena = {0};
  struct plan_problem *problem = shape_transformer(4, &arena);
  struct plan_settings settings = plan_default_settings();
  struct plan_point points[12];
  uint32_t count = plan_pareto(problem, &settings, 12, points, &arena);
  ck_assert_uint_ge(count, 6);
  ck_assert_uint_eq(points[0].result.figures.clones, 0);
  for (uint32_t i = 1; i < count; i++) {
    const struct plan_figures *larger = &points[i - 1].result.figures;
    const struct plan_figures *smaller = &points[i].result.figures;
    ck_assert_uint_le(smaller->peak_bytes, larger->peak_bytes);
    ck_assert_uint_gt(smaller->cost_ns, larger->cost_ns);
  }
  uint32_t knee = plan_knee(points, count);
  ck_assert_uint_gt(knee, 0);
  ck_assert_uint_lt(knee, count - 1);
  ck_assert_uint_eq(plan_knee(points, 2), 2);
  arena_empty(&arena);
}
END_TEST

/* A search for longer than the polish never costs more than that, whatever its
 * seed, and comes to the same plan again. */
START_TEST(searches_gain_and_repeat) {
  struct arena arena = {0};
  struct plan_problem *problem = shape_named("training", 300, &arena);
  struct plan_figures program;
  plan_evaluate(problem, plan_program_order(problem, &arena), &program);
  uint64_t budget = program.peak_bytes / 100 * 30;
  struct plan_settings settings = plan_default_settings();
  struct plan_result polished, results[2];
  ck_assert(plan_best(problem, budget, &settings, &polished, &arena));
  settings.search_seconds = 0.3;
  for (settings.seed = 1; settings.seed < 4; settings.seed++) {
    for (unsigned again = 0; again < 2; again++)
      ck_assert(plan_best(problem, budget, &settings, &results[again], &arena));
    ck_assert(plan_valid(problem, results[0].sequence));
    ck_assert_uint_le(results[0].figures.peak_bytes, budget);
    ck_assert_uint_lt(results[0].figures.cost_ns, polished.figures.cost_ns);
    ck_assert_uint_eq(results[0].sequence.count, results[1].sequence.count);
    ck_assert_mem_eq(results[0].sequence.nodes, results[1].sequence.nodes,
                     results[0].sequence.count * sizeof(uint32_t));
  }
  arena_empty(&arena);
}
END_TEST

static bool
is_below(const uint64_t *x, const uint64_t *y) {
  return *x >> 8 < *y >> 8;
}

PLAN_SORT(numbers, uint64_t, is_below)

/* Against the definition: in order, equal ones as they stood. */
START_TEST(sorting_is_stable) {
  struct random random = {7};
  for (uint32_t count = 0; count < 200; count++) {
    struct arena arena = {0};
    uint64_t *numbers = ARENA_ARRAY(&arena, uint64_t, count + 1);
    for (uint32_t i = 0; i < count; i++)
      numbers[i] = (uint64_t)random_below(&random, 40) << 8 | i;
    numbers_sort(numbers, count, &arena);
    for (uint32_t i = 1; i < count; i++)
      ck_assert_uint_lt(numbers[i - 1], numbers[i]);
    arena_empty(&arena);
  }
}
END_TEST

START_TEST(bytes_beyond_counting_are_refused) {
  struct arena arena = {0};
  struct plan_builder builder = {.arena = &arena};
  plan_add_node(&builder, 1, 0, 0);
  plan_add_result(&builder, PLAN_BYTES_MAX, true);
  ck_assert_ptr_nonnull(plan_finish(&builder));
  plan_add_node(&builder, 1, 1, 0);
  ck_assert_ptr_null(plan_finish(&builder));
  arena_empty(&arena);
}
END_TEST

UNIT_MAIN("plan", segment_tree_equals_an_array, few_decoders_find_plans_too,
          out_of_reach_is_found_cheaply, large_irregular_graphs,
          moves_come_before_clones, what_is_fixed_keeps_its_order,
          clone_bound_holds, clone_bound_holds_for_each_strategy,
          costs_beyond_counting_stay_there, what_cannot_be_is_proved,
          equal_runs_give_equal_plans, packing_by_decreasing_size, packing_many,
          reasons_are_in_figures, pareto_is_a_front, searches_gain_and_repeat,
          sorting_is_stable, bytes_beyond_counting_are_refused)
