/* session.c - see session.h. */
#include "session/session.h"

#include "readers/reader.h"

/* Look at each message before the host gets it. */
static void
watch(void *user, const struct diagnostic *diagnostic) {
  struct session *session = user;
  session->over_budget |= diagnostic->code == DIAGNOSTIC_BUDGET_MISSED;
  session->internal |= diagnostic->code == DIAGNOSTIC_INTERNAL;
  if (session->sink)
    session->sink(session->sink_user, diagnostic);
}

void
session_open(struct session *session, diagnostic_sink sink, void *user) {
  *session = (struct session){.sink = sink, .sink_user = user};
  session->diagnostics.sink = watch;
  session->diagnostics.user = session;
  options_default(&session->options, &session->context);
  pipeline_default(&session->pipeline, &session->context);
}

/* Give up what was read and made of it. */
static void
forget(struct session *session) {
  if (session->has_source)
    source_close(&session->source);
  session->has_source = false;
  session->input = NULL;
  arena_empty(&session->module);
  arena_empty(&session->scratch);
}

void
session_close(struct session *session) {
  forget(session);
  arena_empty(&session->context);
}

static bool
read_source(struct session *session) {
  const struct options *options = &session->options;
  const struct reader_options how = {.format = options->input_format,
                                     .dump = options->dump};
  session->has_source = true;
  session->input = reader_read(&session->module, &session->source, &how,
                               &session->diagnostics);
  return session->input != NULL;
}

bool
session_read_file(struct session *session, const char *path) {
  forget(session);
  enum source_status status = source_open(&session->source, path);
  if (status == SOURCE_OK)
    return read_source(session);
  diagnose(&session->diagnostics, DIAGNOSTIC_INPUT, NO_LOCATION,
           "cannot read '%s': %s", path, reader_open_error(status));
  return false;
}

bool
session_read_text(struct session *session, const char *name, const char *text,
                  uint32_t size) {
  forget(session);
  source_from_text(&session->source, name, text, size);
  return read_source(session);
}

enum session_status
session_status(const struct session *session) {
  if (session->internal)
    return SESSION_INTERNAL;
  if (session->diagnostics.errors)
    return SESSION_BAD_INPUT;
  return session->over_budget ? SESSION_OVER_BUDGET : SESSION_DONE;
}

/* What is emitted must have been proved. */
static void
demand_proof(struct session *session) {
  const struct program *program = &session->program;
  if (program->made && !(program->properties & PROP_PROOF))
    diagnose(&session->diagnostics, DIAGNOSTIC_INTERNAL, NO_LOCATION,
             "the new program was not proved to be the old one");
}

enum session_status
session_run(struct session *session) {
  session->program = (struct program){
      .arena = &session->module,
      .scratch = &session->scratch,
      .diagnostics = &session->diagnostics,
      .options = &session->options,
      .input = session->input,
  };
  if (pipeline_check_options(&session->pipeline, &session->options,
                             &session->diagnostics) &&
      manager_run(&session->program, &session->pipeline, &session->callbacks))
    demand_proof(session);
  return session_status(session);
}

bool
session_print(struct session *session, const struct ir_writer *writer) {
  const struct program *program = &session->program;
  bool good = ir_print(program->made ? program->made : session->input,
                       program->edits, writer, &session->scratch);
  arena_empty(&session->scratch);
  return good;
}
