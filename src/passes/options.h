/* options.h - everything that a run can be asked for, as a plain struct.
 *
 * Zeroed, with `options_default` on it, it is what a run does when nothing is
 * asked.  `option_set` takes the spelling that the command line has, so that
 * hosts and driver share one parser and one set of messages. */
#ifndef REMAT_PASSES_OPTIONS_H
#define REMAT_PASSES_OPTIONS_H

#include "support/diagnostic.h"
#include "support/vector.h"

/* KEEP WITH enum strategy. */
#define STRATEGIES "best|greedy|gap|sim|move|none"

enum strategy {
  STRATEGY_BEST,
  STRATEGY_GREEDY,
  STRATEGY_GAP,
  STRATEGY_SIM,
  STRATEGY_MOVE,
  STRATEGY_NONE,
};

/* KEEP WITH the choices in options.def, here and below. */
/* KEEP WITH enum bound. */
#define BOUNDS "auto|knapsack|cut"

/* Which lower bound on cost is found. */
enum bound {
  BOUND_AUTO, /* by cuts up to --param cut-ops ops, beyond that by knapsacks */
  BOUND_KNAPSACK,
  BOUND_CUT,
};

enum trim {
  TRIM_SEGMENT_MIDPOINT,
  TRIM_MIDPOINT,
  TRIM_MAX,
};

enum memory_model {
  MEMORY_LIVE,
  MEMORY_FUSED,
  MEMORY_CANDIDATES,
  MEMORY_AUTO, /* fused for what goes to a compiler that fuses, else live */
};

enum arguments_policy {
  ARGUMENTS_HELD,
  ARGUMENTS_DEAD,
};

/* What --budget says. */
enum budget_unit {
  BUDGET_NOT_GIVEN,
  BUDGET_BYTES,
  BUDGET_TEMP_BYTES, /* of temporaries alone, as in BUDGET_OF_TEMP */
  BUDGET_OF_DEVICE,  /* a share of the device's usable memory */
  BUDGET_OF_PEAK,    /* of the program's own peak */
  BUDGET_OF_TEMP,    /* of its temporaries' peak; the account is theirs too */
};

struct budget_request {
  enum budget_unit unit;
  uint64_t bytes;
  uint32_t share_ppm; /* millionths: 12.5% is 125000 */
};

/* A pass that the user named: -fdisable-NAME, -fdump-NAME[=FILE]. */
struct pass_request {
  const char *pass;
  const char *file; /* of a dump; NULL for standard error */
};

struct parameter_value {
  const char *name;
  double value;
};

struct options {
  struct arena *arena; /* of the texts below */
  const char *target, *device, *rules;
  VECTOR(const char *) includes; /* folders that rules files include from */
  struct budget_request budget;
  enum strategy strategy;
  enum trim trim;
  uint64_t clone_expansion; /* 0: no bound */
  enum memory_model memory_model;
  enum arguments_policy arguments;
  bool analyze;
  bool no_annotate;
  const char *explain;
  const char *input_format, *dump, *function;
  double search_seconds; /* below 0: as long as planners do by themselves */
  bool exact;
  enum bound bound;
  const char *plan; /* a file; NULL: plan here */
  bool pareto;
  bool check_cse;
  int barriers;     /* -fbarriers 1, -fno-barriers 0, else -1 */
  bool verify_each; /* -fverify-each */
  int verify_text;  /* -fverify-text 1, -fno-verify-text 0, else -1 */
  bool time_report; /* -ftime-report */
  bool plan_saved;  /* the plan is to be one of the input as it is */
  bool no_report;   /* nobody will ask for figures that the run itself does
                       not need */
  VECTOR(struct parameter_value) parameters;
  VECTOR(struct pass_request) disabled;
  VECTOR(struct pass_request) dumps;
};

/* One row of options.def. */
struct option_info {
  const char *name, *argument, *choices, *help;
};

extern const struct option_info option_infos[];
extern const uint32_t option_count;

/* One FLAG row: "verify-each" behind -f. */
struct flag_info {
  const char *name, *help;
};

extern const struct flag_info flag_infos[];
extern const uint32_t flag_count;

/* What a run does when nothing is asked; texts will be kept in ARENA. */
void options_default(struct options *options, struct arena *arena);

/* Set --NAME=VALUE (VALUE NULL: none was given).  False after an error was
 * diagnosed. */
bool option_set(struct options *options, struct diagnostics *diagnostics,
                struct text name, const char *value);

/* Set -fFLAG ("dump-select=x", "disable-trim", "verify-each", "barriers").
 * Pass names are checked by the manager.  False after an error. */
bool option_set_flag(struct options *options, struct diagnostics *diagnostics,
                     const char *flag);

/* The row for --NAME, or NULL. */
const struct option_info *option_find(struct text name);

/* A size as a user writes it: "40GiB", "512MB", "1073741824". */
bool option_parse_size(struct text text, uint64_t *bytes);

/* A size, or a share: "75%", "50%peak", "25%temp". */
bool option_parse_budget(struct text text, struct budget_request *request);

#endif
