/* loops_same.c - hold a program whose loops were written anew against the
 * original.
 *
 * usage: loops_same BEFORE AFTER
 *
 * Prints "same", or what is different; ends with 0, or with 1.  Ends with 2
 * where a file cannot be read. */
#include "passes/facts.h"
#include "passes/options.h"
#include "passes/verify.h"
#include "readers/reader.h"
#include "session/session.h"

#include <stdio.h>

static void
show(void *user, const struct diagnostic *diagnostic) {
  struct arena arena = {0};
  (void)user;
  fputs(diagnostic_render(&arena, diagnostic, DIAGNOSTIC_PLAIN), stderr);
  arena_empty(&arena);
}

static int
compare(struct session *session, const char *path) {
  struct source source = {0};
  struct diagnostics diagnostics = {.sink = show};
  if (source_open(&source, path) != SOURCE_OK)
    return 2;
  const struct reader_options how = {.format = session->input->format->name,
                                     .rules = session->rules};
  const struct ir_module *after =
      reader_read(&session->module, &source, &how, &diagnostics);
  if (!after) {
    source_close(&source);
    return 2;
  }
  const char *fault =
      verify_loops(session->input, after, session->program.facts->op_repeatable,
                   &session->module);
  puts(fault ? fault : "same");
  source_close(&source);
  return fault != NULL;
}

int
main(int argc, char **argv) {
  struct session session;
  if (argc != 3) {
    fputs("usage: loops_same BEFORE AFTER\n", stderr);
    return 2;
  }
  session_open(&session, show, NULL);
  session.options.analyze = true;
  session.options.memory_model = MEMORY_LIVE; /* calls stay */
  int status = 2;
  if (session_choose_target(&session) && session_read_file(&session, argv[1]) &&
      session_run(&session) == SESSION_DONE)
    status = compare(&session, argv[2]);
  session_close(&session);
  return status;
}
