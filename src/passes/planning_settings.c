/* planning_settings.c - see planning.h: what planners are told, from what the
 * user asks for. */
#include "passes/manager.h"
#include "passes/options.h"
#include "passes/planning.h"

extern const struct pass pass_sequence;

static uint32_t
parameter(const struct program *program, const char *name) {
  return (uint32_t)pass_parameter(program, &pass_sequence, name);
}

struct plan_settings
planning_settings(const struct program *program) {
  static const enum plan_strategy strategies[] = {
      [STRATEGY_BEST] = PLAN_BEST,
      [STRATEGY_GAP] = PLAN_GAPS,
      [STRATEGY_SIM] = PLAN_SIMULATE,
      [STRATEGY_MOVE] = PLAN_MOVE,
  };
  const struct options *options = program->options;
  struct plan_settings settings = plan_default_settings();
  settings.strategy =
      options->exact ? PLAN_EXACT : strategies[options->strategy];
  if (options->search_seconds >= 0)
    settings.search_seconds = options->search_seconds;
  settings.clone_bound = options->clone_expansion > UINT32_MAX
                             ? 0
                             : (uint32_t)options->clone_expansion;
  settings.closure_max = parameter(program, "closure");
  settings.rounds_max = parameter(program, "rounds");
  settings.orders_max = parameter(program, "orders-max");
  settings.portfolio_max = parameter(program, "portfolio-max");
  settings.seed = parameter(program, "seed");
  settings.exact_max = parameter(program, "exact-ops");
  settings.clones_per_node = parameter(program, "max-clones-per-op");
  settings.cut_max = options->bound == BOUND_KNAPSACK ? 0
                     : options->bound == BOUND_CUT
                         ? UINT32_MAX
                         : parameter(program, "cut-ops");
  return settings;
}
