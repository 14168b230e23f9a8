/* command.c - the command line.
 *
 * Options of the run go to the session's options, those of the driver alone
 * are set here.  Options accumulate; of two that set one thing the later
 * wins.  `--name=value` and `--name value` are the same. */
#include "driver/driver.h"

#include <stdlib.h>
#include <string.h>

/* One option of the driver, with its value or NULL. */
struct setting {
  struct command *command;
  struct diagnostics *diagnostics;
  const char *value;
};

static bool
wrong(struct diagnostics *diagnostics, const char *value, const char *name,
      const char *wanted) {
  diagnose(diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
           "'%s' is no value for --%s: expected %s", value, name, wanted);
  return false;
}

static bool
set_output(const struct setting *setting) {
  setting->command->output = setting->value;
  return true;
}

static bool
set_save_plan(const struct setting *setting) {
  setting->command->save_plan = setting->value;
  setting->command->session->options.plan_saved = true;
  return true;
}

static bool
set_compare(const struct setting *setting) {
  setting->command->compare = true;
  return true;
}

static bool
set_report(const struct setting *setting) {
  struct text path = text_of(setting->value);
  if (!text_ends(path, ".json") && !text_ends(path, ".html") &&
      !text_ends(path, ".txt"))
    return wrong(setting->diagnostics, setting->value, "report",
                 "a name that ends in .json, .html or .txt");
  vector_push(setting->command->arena, &setting->command->reports,
              setting->value);
  return true;
}

static bool
set_diagnostics(const struct setting *setting) {
  bool json = strcmp(setting->value, "json") == 0;
  if (!json && strcmp(setting->value, "text") != 0)
    return wrong(setting->diagnostics, setting->value, "diagnostics",
                 "text or json");
  setting->command->json = json;
  return true;
}

static bool
set_color(const struct setting *setting) {
  const char *value = setting->value ? setting->value : "always";
  if (strcmp(value, "auto") == 0)
    setting->command->color = COLOR_AUTO;
  else if (strcmp(value, "always") == 0)
    setting->command->color = COLOR_ALWAYS;
  else if (strcmp(value, "never") == 0)
    setting->command->color = COLOR_NEVER;
  else
    return wrong(setting->diagnostics, value, "color", "auto, always or never");
  return true;
}

static bool
set_max_errors(const struct setting *setting) {
  char *end;
  unsigned long value = strtoul(setting->value, &end, 10);
  if (end == setting->value || *end || *setting->value == '-' ||
      value > UINT32_MAX)
    return wrong(setting->diagnostics, setting->value, "max-errors",
                 "a whole number");
  setting->diagnostics->max_errors = (uint32_t)value;
  return true;
}

static bool
set_print_passes(const struct setting *setting) {
  setting->command->print_passes = true;
  return true;
}

static bool
set_help(const struct setting *setting) {
  setting->command->help = true;
  setting->command->help_topic = setting->value;
  return true;
}

static bool
set_version(const struct setting *setting) {
  setting->command->version = true;
  return true;
}

static const struct driver_option {
  const char *field, *argument;
  bool (*set)(const struct setting *);
} driver_options[] = {
#define OPTION(field, argument, help) {#field, argument, set_##field},
#include "driver/options.def"
#undef OPTION
};

enum { DRIVER_OPTIONS = sizeof driver_options / sizeof *driver_options };

/* Is NAME what users write for FIELD, with '-' for '_'? */
static bool
is_field(struct text name, const char *field) {
  if (name.size != strlen(field))
    return false;
  for (uint32_t i = 0; i < name.size; i++)
    if (name.data[i] != (field[i] == '_' ? '-' : field[i]))
      return false;
  return true;
}

static const struct driver_option *
driver_option(struct text name) {
  for (int i = 0; i < DRIVER_OPTIONS; i++)
    if (is_field(name, driver_options[i].field))
      return &driver_options[i];
  return NULL;
}

static bool
unknown_option(struct command *command, struct text name) {
  const char **names =
      ARENA_ARRAY(command->arena, const char *, option_count + DRIVER_OPTIONS);
  for (uint32_t i = 0; i < option_count; i++)
    names[i] = option_infos[i].name;
  for (uint32_t i = 0; i < DRIVER_OPTIONS; i++) {
    const char *field = driver_options[i].field;
    char *spelled = arena_copy(command->arena, field, strlen(field));
    for (char *at = spelled; *at; at++)
      *at = *at == '_' ? '-' : *at;
    names[option_count + i] = spelled;
  }
  const char *near = text_nearest(name, names, option_count + DRIVER_OPTIONS);
  diagnose(&command->session->diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
           "unknown option '--%.*s'%s%s%s", (int)name.size, name.data,
           near ? "; did you mean '--" : "", near ? near : "",
           near ? "'?" : "");
  return false;
}

/* "--NAME", "--NAME=VALUE" or "--NAME VALUE"; *NEXT is the argument behind
 * it and becomes NULL where it was taken. */
static bool
parse_long(struct command *command, const char *argument, char **next) {
  struct diagnostics *diagnostics = &command->session->diagnostics;
  const char *equals = strchr(argument, '=');
  struct text name =
      equals ? (struct text){argument, (uint32_t)(equals - argument)}
             : text_of(argument);
  const char *value = equals ? equals + 1 : NULL;
  const struct driver_option *own = driver_option(name);
  const struct option_info *run = own ? NULL : option_find(name);
  if (!own && !run)
    return unknown_option(command, name);
  const char *wants = own ? own->argument : run->argument;
  if (wants && *wants != '[' && !value && *next) {
    value = *next;
    *next = NULL;
  }
  if (!own)
    return option_set(&command->session->options, diagnostics, name, value);
  if ((wants && *wants != '[' && !value) || (!wants && value)) {
    diagnose(diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION, "--%.*s %s",
             (int)name.size, name.data,
             wants ? "needs a value" : "takes no value");
    return false;
  }
  const struct setting setting = {command, diagnostics, value};
  return own->set(&setting);
}

/* The code behind -W or -Wno-; says so where there is none. */
static bool
find_flag(struct command *command, const char *flag,
          enum diagnostic_code *code) {
  *code = diagnostic_by_flag(flag);
  if (*code != DIAGNOSTIC_COUNT)
    return true;
  const char *names[DIAGNOSTIC_COUNT];
  uint32_t count = 0;
  for (int i = 0; i < DIAGNOSTIC_COUNT; i++)
    if (diagnostic_infos[i].flag)
      names[count++] = diagnostic_infos[i].flag;
  const char *near = text_nearest(text_of(flag), names, count);
  diagnose(&command->session->diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
           "unknown warning '%s'%s%s%s; --help=warnings lists them", flag,
           near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  return false;
}

/* Behind "-W": "error", "error=FLAG", "no-error=FLAG", "FLAG", "no-FLAG". */
static bool
parse_warning(struct command *command, const char *flag) {
  struct diagnostics *diagnostics = &command->session->diagnostics;
  struct text text = text_of(flag);
  enum diagnostic_code code;
  if (text_is(text, "error") || text_is(text, "no-error")) {
    diagnostics->werror = text_is(text, "error");
    return true;
  }
  if (text_starts(text, "error=") || text_starts(text, "no-error=")) {
    if (!find_flag(command, strchr(flag, '=') + 1, &code))
      return false;
    diagnostics->as_error[code] = text_starts(text, "error=");
    return true;
  }
  bool off = text_starts(text, "no-");
  if (!find_flag(command, off ? flag + 3 : flag, &code))
    return false;
  diagnostics->off[code] = off;
  return true;
}

static bool
parse_input(struct command *command, const char *argument) {
  if (command->input && !command->second) {
    command->second = argument;
    return true;
  }
  if (command->input) {
    diagnose(&command->session->diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
             "too many inputs: '%s'", argument);
    return false;
  }
  command->input = argument;
  return true;
}

/* The value of a short option, "-oFILE" or "-o FILE", which is to be WANTED;
 * NULL after an error. */
static const char *
short_value(struct command *command, const char *argument, char **next,
            const char *wanted) {
  const char *value = argument[2] ? argument + 2 : *next;
  if (!value)
    diagnose(&command->session->diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
             "%s needs a %s", argument, wanted);
  else if (!argument[2])
    *next = NULL;
  return value;
}

static bool
parse_output(struct command *command, const char *argument, char **next) {
  const char *value = short_value(command, argument, next, "file");
  if (value)
    command->output = value;
  return value != NULL;
}

static bool
parse_include(struct command *command, const char *argument, char **next) {
  const char *value = short_value(command, argument, next, "folder");
  return value &&
         option_set(&command->session->options, &command->session->diagnostics,
                    TEXT("include"), value);
}

static bool
has_html(const struct command *command) {
  for (uint32_t i = 0; i < command->reports.count; i++)
    if (text_ends(text_of(command->reports.data[i]), ".html"))
      return true;
  return false;
}

/* One input, or two to compare, and nothing that would then be without
 * effect. */
static bool
check_inputs(const struct command *command) {
  struct diagnostics *diagnostics = &command->session->diagnostics;
  if (!command->compare && command->second)
    diagnose(diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
             "more than one input: '%s' and '%s'", command->input,
             command->second);
  else if (command->compare && !command->second)
    diagnose(diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
             "--compare needs two files, BEFORE and AFTER");
  else if (command->compare && command->save_plan)
    diagnose(diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
             "--compare makes no plan, so there is nothing for --save-plan");
  else if (command->compare && has_html(command))
    diagnose(diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
             "--compare reports as .json or .txt, not as .html");
  else
    return true;
  return false;
}

static bool
parse_argument(struct command *command, const char *argument, char **next) {
  struct session *session = command->session;
  struct text text = text_of(argument);
  if (text_starts(text, "--") && text.size > 2)
    return parse_long(command, argument + 2, next);
  if (text_starts(text, "-o"))
    return parse_output(command, argument, next);
  if (text_starts(text, "-I"))
    return parse_include(command, argument, next);
  if (text_starts(text, "-W"))
    return parse_warning(command, argument + 2);
  if (text_starts(text, "-f"))
    return option_set_flag(&session->options, &session->diagnostics,
                           argument + 2);
  if (text_is(text, "-h")) {
    command->help = true;
    return true;
  }
  if (text_starts(text, "-") && text.size > 1) {
    diagnose(&session->diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
             "unknown option '%s'; --help lists them", argument);
    return false;
  }
  return parse_input(command, argument);
}

bool
command_parse(struct command *command, int argc, char **argv) {
  bool good = true, options = true;
  for (int i = 1; i < argc; i++) {
    char *next = i + 1 < argc ? argv[i + 1] : NULL;
    char *behind = next;
    if (options && strcmp(argv[i], "--") == 0)
      options = false;
    else if (options)
      good &= parse_argument(command, argv[i], &next);
    else
      good &= parse_input(command, argv[i]);
    i += next != behind;
  }
  if (good && !command->help && !command->version && !command->print_passes)
    good = check_inputs(command);
  return good;
}
