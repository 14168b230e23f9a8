/* rulesc.c - the rules compiler as a program.
 *
 *   rulesc FILE -o TABLES.c      compile to C tables
 *   rulesc --check FILE...       say what is wrong, run the expect lines
 *   rulesc --print FILE          the rules after includes, in normal form
 *   rulesc --price OP FILE       price one op
 *   rulesc --devices | --classes FILE
 *
 * Ends with 0 when all is well, 1 after errors in the files, 2 for wrong
 * usage. */
#include "rules/emit.h"
#include "rules/rulesc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Tables of its own it has none. */
extern const struct rules *const rules_builtin_tables[];
extern const char *const rules_default_target;
const struct rules *const rules_builtin_tables[] = {NULL};
const char *const rules_default_target = "";

enum { EXIT_FINE, EXIT_BAD_FILE, EXIT_BAD_USAGE };

static const char usage[] =
    "usage: rulesc [options] FILE\n"
    "  -o FILE           write the tables of FILE as C\n"
    "  --check           check FILE (or several) and run its expect lines\n"
    "  --print           print the rules after includes in normal form\n"
    "  --price 'OP (TYPES) -> TYPES'\n"
    "                    price one op; with --device NAME on that device\n"
    "  --devices         list the devices with their figures\n"
    "  --classes         list the classes of op with their facts\n"
    "  -I DIR            look for includes in DIR too\n"
    "  --allow-include   allow includes from outside of the project\n"
    "  --pedantic        warn of figures without a source\n"
    "  --max-errors N    stop showing errors after N (10); 0: show all\n"
    "  --depend FILE     write a make rule for what was read to FILE\n"
    "  --depend-target T ... with T as its target\n"
    "  --help, --version\n";

static void
print_diagnostic(void *user, const struct diagnostic *diagnostic) {
  struct arena arena = {0};
  (void)user;
  fputs(diagnostic_render(&arena, diagnostic,
                          isatty(STDERR_FILENO) ? DIAGNOSTIC_COLOR
                                                : DIAGNOSTIC_PLAIN),
        stderr);
  arena_empty(&arena);
}

static int
bad_usage(const char *message, const char *what) {
  fprintf(stderr, "rulesc: %s%s%s\n%s", message, what ? " " : "",
          what ? what : "", usage);
  return EXIT_BAD_USAGE;
}

/* Write TEXT to PATH, "-" is standard output.  Beside it and renamed, so that
 * a failed run leaves nothing half written. */
static bool
write_file(struct arena *arena, const char *path, const char *text,
           size_t size) {
  bool to_stdout = strcmp(path, "-") == 0;
  const char *part = arena_printf(arena, "%s.part", path);
  FILE *file = to_stdout ? stdout : fopen(part, "w");
  bool fine = file != NULL;
  fine = fine && fwrite(text, 1, size, file) == size && !ferror(file);
  if (file)
    fine = (to_stdout ? fflush(file) : fclose(file)) == 0 && fine;
  if (fine && !to_stdout)
    fine = rename(part, path) == 0;
  if (!fine) {
    fprintf(stderr, "rulesc: cannot write '%s': %s\n", path, strerror(errno));
    if (!to_stdout)
      remove(part);
  }
  return fine;
}

static void
escape_path(struct buffer *out, const char *path) {
  for (; *path; path++) {
    if (strchr(" #$", *path))
      buffer_string(out, *path == '$' ? "$" : "\\");
    buffer_add(out, path, 1);
  }
}

/* "TARGET: FILE FILE" with an empty rule for each file, as compilers do. */
static bool
write_dependencies(struct command *command, const struct file_list *files) {
  struct buffer out = {.arena = &command->arena};
  escape_path(&out, command->depend_target ? command->depend_target
                    : command->output      ? command->output
                                           : "-");
  buffer_string(&out, ":");
  for (uint32_t i = 0; i < files->count; i++) {
    buffer_string(&out, " ");
    escape_path(&out, files->paths[i]);
  }
  buffer_string(&out, "\n");
  for (uint32_t i = 1; i < files->count; i++) {
    escape_path(&out, files->paths[i]);
    buffer_string(&out, ":\n");
  }
  return write_file(&command->arena, command->depend, buffer_finish(&out),
                    out.size);
}

/* --- what is done with one file --- */

static bool
do_file(struct command *command, const char *path) {
  struct file_list files = {NULL, 0};
  struct buffer out = {.arena = &command->arena};
  if (command->action == ACTION_PRINT_RULES) {
    if (!rules_print_file(&command->arena, &command->diagnostics, path,
                          &command->options, &out))
      return false;
    return write_file(&command->arena, command->output ? command->output : "-",
                      buffer_finish(&out), out.size);
  }
  command->options.files = &files;
  const struct rules *rules = rules_compile_file(
      &command->arena, &command->diagnostics, path, &command->options);
  if (!rules)
    return false;
  if (command->depend && !write_dependencies(command, &files))
    return false;
  switch (command->action) {
  case ACTION_CHECK:
    return true;
  case ACTION_DEVICES:
    list_devices(rules, &out);
    break;
  case ACTION_CLASSES:
    list_classes(rules, &out);
    break;
  case ACTION_PRICE:
    if (!price_op(command, rules, &out))
      return false;
    break;
  default:
    rules_emit(rules, &out);
    break;
  }
  return write_file(&command->arena, command->output ? command->output : "-",
                    buffer_finish(&out), out.size);
}

/* --- the command line --- */

/* The argument of option ARGV[*I]: behind '=' or the next word. */
static const char *
argument_of(int argc, char **argv, int *i, const char *option) {
  size_t size = strlen(option);
  if (argv[*i][size] == '=')
    return argv[*i] + size + 1;
  return *i + 1 < argc ? argv[++*i] : NULL;
}

static bool
is_option(const char *word, const char *option) {
  size_t size = strlen(option);
  return strncmp(word, option, size) == 0 &&
         (word[size] == '\0' || word[size] == '=');
}

static bool
set_action(struct command *command, const char *word) {
  static const struct {
    const char *option;
    enum command_action action;
  } actions[] = {{"--check", ACTION_CHECK},
                 {"--print", ACTION_PRINT_RULES},
                 {"--devices", ACTION_DEVICES},
                 {"--classes", ACTION_CLASSES}};
  for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
    if (strcmp(word, actions[i].option) == 0) {
      command->action = actions[i].action;
      return true;
    }
  return false;
}

static bool
set_switch(struct command *command, const char *word) {
  if (strcmp(word, "--allow-include") == 0)
    command->options.allow_include = true;
  else if (strcmp(word, "--pedantic") == 0)
    command->options.pedantic = true;
  else
    return set_action(command, word);
  return true;
}

/* An option that takes an argument; false where WORD is none. */
static bool
set_value(struct command *command, int argc, char **argv, int *i) {
  static const char *const options[] = {
      "-o",           "-I",       "--price",        "--device",
      "--max-errors", "--depend", "--depend-target"};
  const char **values[] = {&command->output,       NULL,
                           &command->price,        &command->device,
                           &command->max_errors,   &command->depend,
                           &command->depend_target};
  for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
    if (!is_option(argv[*i], options[k]))
      continue;
    const char *value = argument_of(argc, argv, i, options[k]);
    if (!value)
      return false;
    if (values[k])
      *values[k] = value;
    else
      command->include_dirs[command->options.include_count++] = value;
    return true;
  }
  return false;
}

static int
read_command_line(struct command *command, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] != '-' || strcmp(argv[i], "-") == 0)
      command->files[command->file_count++] = argv[i];
    else if (strncmp(argv[i], "-I", 2) == 0 && argv[i][2])
      command->include_dirs[command->options.include_count++] = argv[i] + 2;
    else if (!set_switch(command, argv[i]) &&
             !set_value(command, argc, argv, &i))
      return bad_usage("unknown option, or one without its argument:", argv[i]);
  }
  if (command->price)
    command->action = ACTION_PRICE;
  if (command->max_errors) {
    char *end;
    unsigned long most = strtoul(command->max_errors, &end, 10);
    if (*end || end == command->max_errors || most > UINT32_MAX)
      return bad_usage("not a number of errors:", command->max_errors);
    command->diagnostics.max_errors = (uint32_t)most;
  }
  if (command->file_count == 0)
    return bad_usage("no file is given", NULL);
  if (command->file_count > 1 && command->action != ACTION_CHECK)
    return bad_usage("only --check takes several files", NULL);
  if (command->action == ACTION_EMIT && !command->output)
    return bad_usage("say what to do: -o, --check, --print, --price, "
                     "--devices or --classes",
                     NULL);
  return EXIT_FINE;
}

int
main(int argc, char **argv) {
  struct command command = {
      .diagnostics = {.sink = print_diagnostic, .max_errors = 10}};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0)
      return fputs(usage, stdout) < 0;
    if (strcmp(argv[i], "--version") == 0)
      return puts("rulesc, language version 1") < 0;
  }
  command.files = ARENA_ARRAY(&command.arena, const char *, argc + 1);
  command.include_dirs = ARENA_ARRAY(&command.arena, const char *, argc + 1);
  command.options.include_dirs = command.include_dirs;
  int status = read_command_line(&command, argc, argv);
  for (uint32_t i = 0; status != EXIT_BAD_USAGE && i < command.file_count; i++)
    if (!do_file(&command, command.files[i]))
      status = EXIT_BAD_FILE;
  if (command.diagnostics.errors > command.diagnostics.max_errors &&
      command.diagnostics.max_errors)
    fprintf(stderr, "rulesc: %u errors in all\n", command.diagnostics.errors);
  arena_empty(&command.arena);
  return status;
}
