/* options.c - see options.h.  One setter an option, found through the table;
 * what many share (choices, numbers, sizes) is parsed in one place. */
#include "passes/options.h"
#include "support/checked.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct option_info option_infos[] = {
#define OPTION(field, name, argument, choices, help)                           \
  {name, argument, choices, help},
#include "passes/options.def"
#undef OPTION
};

const uint32_t option_count = sizeof option_infos / sizeof *option_infos;

const struct flag_info flag_infos[] = {
#define FLAG(name, help) {name, help},
#include "passes/options.def"
#undef FLAG
};

const uint32_t flag_count = sizeof flag_infos / sizeof *flag_infos;

/* One --NAME=VALUE on its way into OPTIONS. */
struct setting {
  struct options *options;
  struct diagnostics *diagnostics;
  const struct option_info *info;
  const char *value;
};

void
options_default(struct options *options, struct arena *arena) {
  *options = (struct options){.arena = arena,
                              .strategy = STRATEGY_BEST,
                              .memory_model = MEMORY_AUTO,
                              .clone_expansion = 8,
                              .barriers = -1,
                              .search_seconds = -1,
                              .verify_text = -1};
}

static bool
wrong_value(const struct setting *setting, const char *wanted) {
  diagnose(setting->diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
           "'%s' is no value for --%s: expected %s", setting->value,
           setting->info->name, wanted);
  return false;
}

/* The place of the value among the option's choices. */
static bool
set_choice(const struct setting *setting, int *choice) {
  struct text value = text_of(setting->value);
  const char *names[16];
  uint32_t count = 0;
  for (const char *at = setting->info->choices; at;) {
    const char *end = strchr(at, '|');
    size_t size = end ? (size_t)(end - at) : strlen(at);
    names[count] = arena_copy(setting->options->arena, at, size);
    if (text_is(value, names[count])) {
      *choice = (int)count;
      return true;
    }
    count++;
    at = end ? end + 1 : NULL;
  }
  const char *near = text_nearest(value, names, count);
  diagnose(setting->diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
           "'%s' is no value for --%s: expected one of %s%s%s%s",
           setting->value, setting->info->name, setting->info->choices,
           near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  return false;
}

/* NAME as the choice that TYPE's field of the same name holds. */
#define CHOICE_SETTER(field, type)                                             \
  static bool set_##field(const struct setting *setting) {                     \
    int choice;                                                                \
    if (!set_choice(setting, &choice))                                         \
      return false;                                                            \
    setting->options->field = (type)choice;                                    \
    return true;                                                               \
  }

CHOICE_SETTER(strategy, enum strategy)
CHOICE_SETTER(trim, enum trim)
CHOICE_SETTER(bound, enum bound)
CHOICE_SETTER(memory_model, enum memory_model)
CHOICE_SETTER(arguments, enum arguments_policy)

#define TEXT_SETTER(field)                                                     \
  static bool set_##field(const struct setting *setting) {                     \
    const char *value = setting->value;                                        \
    if (!*value)                                                               \
      return wrong_value(setting, setting->info->argument);                    \
    setting->options->field =                                                  \
        arena_copy(setting->options->arena, value, strlen(value));             \
    return true;                                                               \
  }

TEXT_SETTER(target)
TEXT_SETTER(device)
TEXT_SETTER(rules)
TEXT_SETTER(explain)
TEXT_SETTER(input_format)
TEXT_SETTER(dump)
TEXT_SETTER(function)
TEXT_SETTER(plan)

#define SWITCH_SETTER(field)                                                   \
  static bool set_##field(const struct setting *setting) {                     \
    setting->options->field = true;                                            \
    return true;                                                               \
  }

SWITCH_SETTER(analyze)
SWITCH_SETTER(no_annotate)
SWITCH_SETTER(exact)
SWITCH_SETTER(pareto)
SWITCH_SETTER(check_cse)

/* The factor that a size's unit stands for, 0 for none. */
static uint64_t
unit_bytes(struct text unit) {
  static const struct {
    const char *name;
    uint64_t bytes;
  } units[] = {
      {"", 1},
      {"B", 1},
      {"KB", UINT64_C(1000)},
      {"kB", UINT64_C(1000)},
      {"MB", UINT64_C(1000000)},
      {"GB", UINT64_C(1000000000)},
      {"TB", UINT64_C(1000000000000)},
      {"KiB", UINT64_C(1) << 10},
      {"MiB", UINT64_C(1) << 20},
      {"GiB", UINT64_C(1) << 30},
      {"TiB", UINT64_C(1) << 40},
  };
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (text_is(unit, units[i].name))
      return units[i].bytes;
  return 0;
}

/* Digits with an optional fraction at the head of TEXT, in units of
 * 1/1000000; what is left of TEXT stays in it. */
static bool
take_millionths(struct text *text, uint64_t *whole, uint32_t *millionths) {
  uint32_t i = 0, digits = 0;
  *whole = 0;
  *millionths = 0;
  for (; i < text->size && text->data[i] >= '0' && text->data[i] <= '9'; i++) {
    if (!checked_multiply(*whole, 10, whole) ||
        !checked_add(*whole, (uint64_t)(text->data[i] - '0'), whole))
      return false;
    digits++;
  }
  if (i < text->size && text->data[i] == '.') {
    uint32_t place = 100000;
    for (i++; i < text->size && text->data[i] >= '0' && text->data[i] <= '9';
         i++, place /= 10, digits++)
      *millionths += place * (uint32_t)(text->data[i] - '0');
  }
  text->data += i;
  text->size -= i;
  return digits != 0;
}

static void
skip_blanks(struct text *text) {
  while (text->size && *text->data == ' ') {
    text->data++;
    text->size--;
  }
}

bool
option_parse_size(struct text text, uint64_t *bytes) {
  uint64_t whole, unit, scaled;
  uint32_t millionths;
  if (!take_millionths(&text, &whole, &millionths))
    return false;
  skip_blanks(&text);
  unit = unit_bytes(text);
  if (!unit || !checked_multiply(whole, unit, &scaled))
    return false;
  uint128 fraction = (uint128)unit * millionths / 1000000;
  return checked_add(scaled, (uint64_t)fraction, bytes);
}

/* "75%", "50%peak", "25%temp". */
static bool
parse_share(struct text text, struct budget_request *request) {
  uint64_t whole;
  uint32_t millionths;
  if (!take_millionths(&text, &whole, &millionths) || !text.size ||
      *text.data != '%' || whole > 4000)
    return false;
  text.data++;
  text.size--;
  if (text_is(text, ""))
    request->unit = BUDGET_OF_DEVICE;
  else if (text_is(text, "peak"))
    request->unit = BUDGET_OF_PEAK;
  else if (text_is(text, "temp"))
    request->unit = BUDGET_OF_TEMP;
  else
    return false;
  request->share_ppm = (uint32_t)whole * 10000 + millionths / 100;
  return true;
}

/* "400MiB", "400MiBtemp". */
static bool
parse_bytes(struct text text, struct budget_request *request) {
  static const char ending[] = "temp";
  uint32_t size = sizeof ending - 1;
  *request = (struct budget_request){.unit = BUDGET_BYTES};
  if (text.size > size &&
      memcmp(text.data + text.size - size, ending, size) == 0) {
    request->unit = BUDGET_TEMP_BYTES;
    text.size -= size;
  }
  return option_parse_size(text, &request->bytes);
}

bool
option_parse_budget(struct text text, struct budget_request *request) {
  return parse_bytes(text, request) || parse_share(text, request);
}

static bool
set_budget(const struct setting *setting) {
  struct budget_request request;
  if (!option_parse_budget(text_of(setting->value), &request))
    return wrong_value(setting, "a size (40GiB, 512MB, 1073741824; 2GiBtemp) "
                                "or a share (75%, 50%peak, 25%temp)");
  setting->options->budget = request;
  return true;
}

static bool
set_clone_expansion(const struct setting *setting) {
  int64_t value;
  char *end;
  value = strtoll(setting->value, &end, 10);
  if (end == setting->value || *end || value < 0)
    return wrong_value(setting, "a whole number, 0 for no bound");
  setting->options->clone_expansion = (uint64_t)value;
  return true;
}

static bool
set_include(const struct setting *setting) {
  struct options *options = setting->options;
  if (!*setting->value)
    return wrong_value(setting, "a folder");
  const char *folder =
      arena_copy(options->arena, setting->value, strlen(setting->value));
  vector_push(options->arena, &options->includes, folder);
  return true;
}

static bool
set_search(const struct setting *setting) {
  char *end;
  double value = strtod(setting->value, &end);
  if (end == setting->value || *end || !(value >= 0) || isinf(value))
    return wrong_value(setting, "a number of seconds");
  setting->options->search_seconds = value;
  return true;
}

/* Names and ranges are checked by the manager, which knows the passes. */
static bool
set_param(const struct setting *setting) {
  struct options *options = setting->options;
  const char *equals = strchr(setting->value, '=');
  char *end;
  if (!equals || equals == setting->value)
    return wrong_value(setting, "NAME=VALUE");
  double value = strtod(equals + 1, &end);
  if (end == equals + 1 || *end || isnan(value))
    return wrong_value(setting, "NAME=VALUE with a number");
  struct parameter_value parameter = {
      arena_copy(options->arena, setting->value,
                 (size_t)(equals - setting->value)),
      value};
  vector_push(options->arena, &options->parameters, parameter);
  return true;
}

static bool (*const setters[])(const struct setting *) = {
#define OPTION(field, name, argument, choices, help) set_##field,
#include "passes/options.def"
#undef OPTION
};

const struct option_info *
option_find(struct text name) {
  for (uint32_t i = 0; i < option_count; i++)
    if (text_is(name, option_infos[i].name))
      return &option_infos[i];
  return NULL;
}

/* NAME is no option: say so, with the one that it may have been. */
static void
unknown_option(struct diagnostics *diagnostics, struct text name) {
  const char *names[sizeof option_infos / sizeof *option_infos];
  for (uint32_t i = 0; i < option_count; i++)
    names[i] = option_infos[i].name;
  const char *near = text_nearest(name, names, option_count);
  diagnose(diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
           "unknown option '--%.*s'%s%s%s", (int)name.size, name.data,
           near ? "; did you mean '--" : "", near ? near : "",
           near ? "'?" : "");
}

bool
option_set(struct options *options, struct diagnostics *diagnostics,
           struct text name, const char *value) {
  const struct option_info *info = option_find(name);
  if (!info) {
    unknown_option(diagnostics, name);
    return false;
  }
  if (info->argument && !value) {
    diagnose(diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
             "--%s needs a value: --%s=%s", info->name, info->name,
             info->argument);
    return false;
  }
  if (!info->argument && value) {
    diagnose(diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION, "--%s takes no value",
             info->name);
    return false;
  }
  struct setting setting = {options, diagnostics, info, value};
  return setters[info - option_infos](&setting);
}

/* "NAME" or "NAME=FILE" behind -fdump- or -fdisable-. */
static struct pass_request
pass_request_of(struct arena *arena, const char *text) {
  const char *equals = strchr(text, '=');
  size_t size = equals ? (size_t)(equals - text) : strlen(text);
  return (struct pass_request){
      arena_copy(arena, text, size),
      equals ? arena_copy(arena, equals + 1, strlen(equals + 1)) : NULL};
}

/* -fopt-info-KIND asks for remarks of CODE only, unless others were asked for
 * before. */
static void
ask_for_remarks(struct diagnostics *diagnostics, bool optimized, bool missed) {
  if (!diagnostics->remarks) {
    diagnostics->off[DIAGNOSTIC_OPTIMIZED] = true;
    diagnostics->off[DIAGNOSTIC_MISSED] = true;
  }
  diagnostics->remarks = true;
  if (optimized)
    diagnostics->off[DIAGNOSTIC_OPTIMIZED] = false;
  if (missed)
    diagnostics->off[DIAGNOSTIC_MISSED] = false;
}

static void
unknown_flag(struct diagnostics *diagnostics, const char *flag) {
  const char *names[64];
  for (uint32_t i = 0; i < flag_count; i++)
    names[i] = flag_infos[i].name;
  const char *near = text_nearest(text_of(flag), names, flag_count);
  diagnose(diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
           "unknown option '-f%s'%s%s%s", flag,
           near ? "; did you mean '-f" : "", near ? near : "",
           near ? "'?" : "");
}

bool
option_set_flag(struct options *options, struct diagnostics *diagnostics,
                const char *flag) {
  struct text text = text_of(flag);
  struct pass_request request;
  if (text_starts(text, "dump-") && flag[5]) {
    request = pass_request_of(options->arena, flag + 5);
    vector_push(options->arena, &options->dumps, request);
  } else if (text_starts(text, "disable-") && flag[8]) {
    request = pass_request_of(options->arena, flag + 8);
    vector_push(options->arena, &options->disabled, request);
  } else if (text_is(text, "verify-text") || text_is(text, "no-verify-text")) {
    options->verify_text = text_is(text, "verify-text");
  } else if (text_is(text, "barriers") || text_is(text, "no-barriers")) {
    options->barriers = text_is(text, "barriers");
  } else if (text_is(text, "verify-each")) {
    options->verify_each = true;
  } else if (text_is(text, "time-report")) {
    options->time_report = true;
  } else if (text_is(text, "opt-info")) {
    ask_for_remarks(diagnostics, true, true);
  } else if (text_is(text, "opt-info-optimized")) {
    ask_for_remarks(diagnostics, true, false);
  } else if (text_is(text, "opt-info-missed")) {
    ask_for_remarks(diagnostics, false, true);
  } else {
    unknown_flag(diagnostics, flag);
    return false;
  }
  return true;
}
