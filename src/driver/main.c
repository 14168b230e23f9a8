/* main.c - the driver: command line, files, messages, exit status.
 *
 * Reads one input, runs the pipeline, writes what was asked for when all went
 * well: the program, or with --analyze the text that says where its memory
 * goes, and reports. */
#include "driver/driver.h"
#include "report/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Messages go to standard error as the command line wants them. */
static void
show_message(void *user, const struct diagnostic *diagnostic) {
  const struct command *command = user;
  struct arena arena = {0};
  bool color = command->color == COLOR_ALWAYS ||
               (command->color == COLOR_AUTO && isatty(STDERR_FILENO));
  enum diagnostic_style style = command->json ? DIAGNOSTIC_JSON
                                : color       ? DIAGNOSTIC_COLOR
                                              : DIAGNOSTIC_PLAIN;
  fputs(diagnostic_render(&arena, diagnostic, style), stderr);
  arena_empty(&arena);
}

/* What -fdump-PASS asked for, into its file or to standard error. */
static bool
write_dump(void *user, const struct pass_request *request, struct text text) {
  struct command *command = user;
  if (!request->file)
    return fwrite(text.data, 1, text.size, stderr) == text.size;
  struct output output;
  if (!output_open(&output, request->file, &command->session->diagnostics))
    return false;
  return output_close(&output, output_write(&output, text.data, text.size));
}

static void
show_time(void *user, const struct pass *pass, uint64_t ns) {
  const struct command *command = user;
  if (command->session->options.time_report)
    fprintf(stderr, "%-12s %9.3f ms\n", pass->name, (double)ns / 1e6);
}

/* The program as it now is, to where the user wants it. */
static bool
write_program(struct command *command) {
  struct output output;
  struct session *session = command->session;
  if (!output_open(&output, command->output, &session->diagnostics))
    return false;
  const struct ir_writer writer = {output_write, &output};
  return output_close(&output, session_print(session, &writer));
}

static bool
write_text(struct command *command, const char *path,
           const struct buffer *text) {
  struct output output;
  if (!output_open(&output, path, &command->session->diagnostics))
    return false;
  return output_close(&output, output_write(&output, text->data, text->size));
}

/* What REPORT appends, into the file at PATH. */
static bool
write_report(struct command *command, const char *path,
             void (*report)(struct program *, struct buffer *)) {
  struct session *session = command->session;
  struct buffer text = {.arena = command->arena};
  report(&session->program, &text);
  arena_empty(&session->scratch);
  return write_text(command, path, &text);
}

static bool
write_plan(struct command *command) {
  struct buffer text = {.arena = command->arena};
  if (!command->save_plan)
    return true;
  session_write_plan(command->session, &text);
  return write_text(command, command->save_plan, &text);
}

static bool
write_explanation(struct command *command) {
  struct session *session = command->session;
  struct buffer text = {.arena = command->arena};
  bool good = report_explain(&session->program, &text);
  arena_empty(&session->scratch);
  return good && write_text(command, command->output, &text);
}

/* All files that --report asks for. */
static bool
write_reports(struct command *command) {
  bool good = true;
  for (uint32_t i = 0; i < command->reports.count && good; i++) {
    struct text path = text_of(command->reports.data[i]);
    good = write_report(command, path.data,
                        text_ends(path, ".json")   ? report_json
                        : text_ends(path, ".html") ? report_html
                                                   : report_text);
  }
  return good;
}

/* Read the file at PATH into SESSION and find what it needs. */
static bool
study(struct session *session, const char *path) {
  session->options.analyze = true;
  session->options.strategy = STRATEGY_NONE;
  return session_choose_target(session) && session_read_file(session, path) &&
         session_run(session) == SESSION_DONE;
}

/* What came of a comparison, as text and into files. */
static bool
write_comparison(struct command *command, const struct buffer *text,
                 const struct buffer *json) {
  bool good = true;
  for (uint32_t i = 0; i < command->reports.count && good; i++) {
    struct text path = text_of(command->reports.data[i]);
    good =
        write_text(command, path.data, text_ends(path, ".json") ? json : text);
  }
  return good && write_text(command, command->output, text);
}

/* Are both inputs one program, and what does either need?  Done if they are,
 * over if they are not. */
static enum session_status
compare(struct command *command) {
  struct session *before = command->session, after;
  struct buffer text = {.arena = command->arena}, json = text;
  session_open(&after, show_message, command);
  after.options = before->options;
  after.diagnostics.max_errors = before->diagnostics.max_errors;
  bool good = study(before, command->input) && study(&after, command->second);
  bool same = false;
  if (good && before->input->format != after.input->format) {
    diagnose(&before->diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
             "'%s' is %s and '%s' is %s: only dumps of one format can be "
             "compared",
             command->input, before->input->format->name, command->second,
             after.input->format->name);
    good = false;
  }
  if (good) {
    same = report_compare(&before->program, &after.program, &text, &json);
    good = write_comparison(command, &text, &json);
  }
  session_close(&after);
  return !good ? SESSION_BAD_INPUT : same ? SESSION_DONE : SESSION_OVER_BUDGET;
}

static enum session_status
run(struct command *command) {
  struct session *session = command->session;
  if (!command->input && isatty(STDIN_FILENO)) {
    diagnose(&session->diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
             "no input; --help says how to use remat, '-' reads standard "
             "input");
    return SESSION_BAD_INPUT;
  }
  if (command->compare)
    return compare(command);
  if (!session_choose_target(session))
    return session_status(session);
  if (!session_read_file(session, command->input ? command->input : "-"))
    return session_status(session);
  session->options.no_report = !command->reports.count &&
                               !session->options.explain &&
                               !session->options.pareto;
  enum session_status status = session_run(session);
  if (status != SESSION_DONE && status != SESSION_OVER_BUDGET)
    return status;
  bool good = write_reports(command) && write_plan(command);
  if (good && session->options.explain)
    good = write_explanation(command);
  else if (good && session->options.pareto)
    good = write_report(command, command->output, report_pareto);
  else if (good && session->options.analyze)
    good = write_report(command, command->output, report_text);
  else if (good)
    good = write_program(command);
  return good ? session_status(session) : SESSION_BAD_INPUT;
}

int
main(int argc, char **argv) {
  struct session session;
  struct arena arena = {0};
  struct command command = {.session = &session, .arena = &arena};
  session_open(&session, show_message, &command);
  session.diagnostics.max_errors = 10;
  session.callbacks =
      (struct manager_callbacks){&command, write_dump, show_time};
  enum session_status status = SESSION_BAD_INPUT;
  bool good = command_parse(&command, argc, argv) &&
              pipeline_check_options(&session.pipeline, &session.options,
                                     &session.diagnostics);
  if (good && command.help)
    status = help_print(&command) ? SESSION_DONE : SESSION_BAD_INPUT;
  else if (good && command.version)
    status =
        puts("remat " REMAT_VERSION) < 0 ? SESSION_BAD_INPUT : SESSION_DONE;
  else if (good && command.print_passes) {
    help_print_passes(&session);
    status = SESSION_DONE;
  } else if (good) {
    status = run(&command);
  }
  /* What help and lists printed must have got there. */
  if (fflush(stdout) != 0) {
    diagnose(&session.diagnostics, DIAGNOSTIC_OUTPUT, NO_LOCATION,
             "cannot write 'standard output': %s", strerror(errno));
    status = SESSION_BAD_INPUT;
  }
  session_close(&session);
  arena_empty(&arena);
  return (int)status;
}
