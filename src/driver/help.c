/* help.c - --help and its topics, all made from the tables. */
#include "driver/driver.h"
#include "report/figures.h"
#include "rules/rules.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *field, *argument, *help;
} driver_options[] = {
#define OPTION(field, argument, help) {#field, argument, help},
#include "driver/options.def"
#undef OPTION
};

enum { COLUMN = 30, WIDTH = 79 };

/* HELP behind SPELLED, in a column of its own. */
static void
print_row(const char *spelled, const char *help) {
  int at = printf("  %s", spelled);
  if (at >= COLUMN - 1) {
    putchar('\n');
    at = 0;
  }
  at += printf("%*s", COLUMN - at, "");
  while (*help) {
    size_t word = strcspn(help, " ");
    if (at > COLUMN && (size_t)at + 1 + word > WIDTH)
      at = printf("\n%*s", COLUMN, "") - 1;
    if (at > COLUMN)
      at += printf(" ");
    at += printf("%.*s", (int)word, help);
    help += word;
    while (*help == ' ')
      help++;
  }
  putchar('\n');
}

/* "--NAME=ARGUMENT" as users write it. */
static void
print_option(struct arena *arena, const char *name, const char *argument,
             const char *choices, const char *help) {
  bool optional = argument && *argument == '[';
  char *spelled = arena_printf(arena, "--%s%s%s%s", name, optional ? "[" : "",
                               argument ? "=" : "",
                               optional   ? argument + 1
                               : argument ? argument
                                          : "");
  for (char *at = spelled; at < spelled + 2 + strlen(name); at++)
    *at = *at == '_' ? '-' : *at;
  if (choices)
    help = arena_printf(arena, "%s: %s", choices, help);
  print_row(spelled, help);
}

static void
print_usage(struct arena *arena) {
  puts("usage: remat [options] [FILE|-]\n\n"
       "Reads an IR dump (MLIR or XLA HLO text), plans under a memory budget "
       "what to\ncompute again instead of keeping it, proves the new program "
       "and prints it.\n\noptions of the run:");
  for (uint32_t i = 0; i < option_count; i++)
    print_option(arena, option_infos[i].name, option_infos[i].argument,
                 option_infos[i].choices, option_infos[i].help);
  puts("\nfiles and messages:");
  for (size_t i = 0; i < sizeof driver_options / sizeof *driver_options; i++)
    print_option(arena, driver_options[i].field, driver_options[i].argument,
                 NULL, driver_options[i].help);
  print_row("-WFLAG, -Wno-FLAG", "give a warning, or do not");
  print_row("-Werror[=FLAG]", "warnings are errors");
  puts("\npasses:");
  for (uint32_t i = 0; i < flag_count; i++)
    print_row(arena_printf(arena, "-f%s", flag_infos[i].name),
              flag_infos[i].help);
  puts("\nexit status: 0 done and fits; 1 bad input or usage; 2 done, but the "
       "budget was\nnot reached; 3 internal error.  --compare: 0 the same "
       "program; 2 not the same.");
}

static void
print_warnings(struct arena *arena) {
  (void)arena;
  for (int i = 0; i < DIAGNOSTIC_COUNT; i++)
    if (diagnostic_infos[i].flag)
      print_row(arena_printf(arena, "-W%s", diagnostic_infos[i].flag),
                diagnostic_infos[i].meaning);
}

static void
print_params(const struct pipeline *pipeline, struct arena *arena) {
  for (uint32_t i = 0; i < pipeline->passes.count; i++) {
    const struct pass *pass = pipeline->passes.data[i];
    const struct parameter *parameter = pass->parameters;
    for (; parameter && parameter->name; parameter++)
      print_row(
          arena_printf(arena, "%s=%.15g", parameter->name, parameter->initial),
          arena_printf(arena, "%s (%s; %.15g to %.15g)", parameter->help,
                       pass->name, parameter->least, parameter->most));
  }
}

static void
print_passes(const struct pipeline *pipeline) {
  for (uint32_t i = 0; i < pipeline->passes.count; i++)
    print_row(pipeline->passes.data[i]->name, pipeline->passes.data[i]->help);
}

static void
print_targets(struct arena *arena) {
  for (uint32_t i = 0; i < rules_builtin_count(); i++) {
    const struct rules *rules = rules_builtin_at(i);
    bool standard = strcmp(rules_name(rules), rules_default_target) == 0;
    printf("%s%s: %s\n", rules_name(rules), standard ? " (default)" : "",
           rules_description(rules));
    for (uint32_t k = 0; k < rules_device_count(rules); k++) {
      if (!rules_device_complete(rules, k))
        continue;
      bool first = k == rules_device_find(rules, NULL);
      const char *words = rules_device_description(rules, k);
      print_row(arena_printf(arena, "%s%s", rules_device_name(rules, k),
                             first ? " (default)" : ""),
                words ? words : "");
    }
  }
}

static void
print_figures(void) {
  for (uint32_t i = 0; i < figure_count; i++)
    print_row(figure_infos[i].key, figure_infos[i].meaning);
}

static const struct {
  const char *name, *place, *use, *meaning;
} marks[] = {
#define PLACE_OP "op"
#define PLACE_FUNCTION "function"
#define PLACE_ARGUMENT "argument"
#define USE_READ "read"
#define USE_WRITTEN "written"
#define USE_BOTH "read and written"
#define ATTRIBUTE(name, place, use, meaning)                                   \
  {name, PLACE_##place, USE_##use, meaning},
#include "support/attributes.def"
#undef ATTRIBUTE
};

static void
print_marks(struct arena *arena) {
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    print_row(marks[i].name,
              arena_printf(arena, "%s (%s; %s)", marks[i].meaning,
                           marks[i].place, marks[i].use));
}

void
help_print_passes(const struct session *session) {
  const struct options *options = &session->options;
  for (uint32_t i = 0; i < session->pipeline.passes.count; i++) {
    const char *name = session->pipeline.passes.data[i]->name;
    bool disabled = false;
    for (uint32_t k = 0; k < options->disabled.count; k++)
      disabled |= strcmp(options->disabled.data[k].pass, name) == 0;
    printf("%s%s\n", name, disabled ? " (disabled)" : "");
  }
}

bool
help_print(struct command *command) {
  const char *topic = command->help_topic;
  const struct pipeline *pipeline = &command->session->pipeline;
  if (!topic)
    print_usage(command->arena);
  else if (strcmp(topic, "warnings") == 0)
    print_warnings(command->arena);
  else if (strcmp(topic, "params") == 0)
    print_params(pipeline, command->arena);
  else if (strcmp(topic, "passes") == 0)
    print_passes(pipeline);
  else if (strcmp(topic, "targets") == 0)
    print_targets(command->arena);
  else if (strcmp(topic, "figures") == 0)
    print_figures();
  else if (strcmp(topic, "marks") == 0)
    print_marks(command->arena);
  else {
    diagnose(&command->session->diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
             "no help on '%s': expected warnings, params, passes, targets, "
             "figures or marks",
             topic);
    return false;
  }
  return true;
}
