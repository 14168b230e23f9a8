/* api.c - the public interface over a session.  See remat/remat.h. */
#include "remat/remat.h"

#include "report/report.h"
#include "session/session.h"

#include <string.h>

struct remat_session {
  struct session session;
  struct arena self;   /* this */
  struct arena report; /* of what was asked for last */
  remat_message_callback callback;
  void *user;
  bool ready; /* a run left something to print */
};

const char *
remat_version(void) {
  return REMAT_VERSION;
}

/* KEEP WITH enum severity. */
static enum remat_severity
public_severity(enum severity severity) {
  switch (severity) {
  case SEVERITY_NOTE:
    return REMAT_NOTE;
  case SEVERITY_REMARK:
    return REMAT_REMARK;
  case SEVERITY_WARNING:
    return REMAT_WARNING;
  case SEVERITY_ERROR:
    break;
  }
  return REMAT_ERROR;
}

static void
pass_on(void *user, const struct diagnostic *diagnostic) {
  const remat_session *session = user;
  if (!session->callback)
    return;
  remat_message message = {
      .severity = public_severity(diagnostic->severity),
      .code = diagnostic_infos[diagnostic->code].code,
      .text = diagnostic->message,
  };
  struct location where = diagnostic->where;
  if (where.source) {
    message.file = where.source->name;
    if (where.begin != UINT32_MAX)
      source_position(where.source, where.begin, &message.line,
                      &message.column);
  }
  session->callback(session->user, &message);
}

remat_session *
remat_open(void) {
  /* In an arena of its own, so that running out of memory is handled as it is
   * everywhere. */
  struct arena arena = {0};
  remat_session *session = ARENA_NEW(&arena, remat_session);
  session->self = arena;
  session_open(&session->session, pass_on, session);
  return session;
}

void
remat_close(remat_session *session) {
  if (!session)
    return;
  session_close(&session->session);
  arena_empty(&session->report);
  struct arena self = session->self;
  arena_empty(&self);
}

void
remat_on_message(remat_session *session, remat_message_callback callback,
                 void *user) {
  session->callback = callback;
  session->user = user;
}

void
remat_on_out_of_memory(void (*handler)(size_t bytes)) {
  arena_set_oom_handler(handler);
}

bool
remat_set(remat_session *session, const char *name, const char *value) {
  struct session *s = &session->session;
  if (strcmp(name, "f") == 0 && value)
    return option_set_flag(&s->options, &s->diagnostics, value);
  return option_set(&s->options, &s->diagnostics, text_of(name), value);
}

/* Errors of an earlier reading are no errors of this one. */
static void
start_over(remat_session *session) {
  session->ready = false;
  session->session.diagnostics.errors = 0;
  session->session.over_budget = session->session.internal = false;
}

bool
remat_read_file(remat_session *session, const char *path) {
  start_over(session);
  return session_choose_target(&session->session) &&
         session_read_file(&session->session, path);
}

bool
remat_read_text(remat_session *session, const char *name, const char *text,
                size_t size) {
  start_over(session);
  struct session *s = &session->session;
  if (size >= UINT32_MAX) {
    diagnose(&s->diagnostics, DIAGNOSTIC_INPUT, NO_LOCATION,
             "'%s' is 4 GiB or more, which is too large", name);
    return false;
  }
  if (!session_choose_target(s))
    return false;
  const char *copy = arena_copy(&s->context, text, size);
  name = arena_copy(&s->context, name, strlen(name));
  return session_read_text(s, name, copy, (uint32_t)size);
}

enum remat_status
remat_run(remat_session *session) {
  struct session *s = &session->session;
  if (!s->input) {
    diagnose(&s->diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
             "nothing was read");
    return REMAT_BAD_INPUT;
  }
  enum session_status status = session_run(s);
  session->ready = status == SESSION_DONE || status == SESSION_OVER_BUDGET;
  return (enum remat_status)status;
}

bool
remat_print(remat_session *session, remat_write_callback write, void *user) {
  const struct ir_writer writer = {write, user};
  return session->ready && session_print(&session->session, &writer);
}

const char *
remat_report(remat_session *session, const char *format) {
  struct program *program = &session->session.program;
  arena_empty(&session->report);
  struct buffer out = {.arena = &session->report};
  if (!session->ready)
    return NULL;
  if (strcmp(format, "json") == 0)
    report_json(program, &out);
  else if (strcmp(format, "html") == 0)
    report_html(program, &out);
  else if (strcmp(format, "text") == 0)
    report_text(program, &out);
  else
    return NULL;
  arena_empty(program->scratch);
  return buffer_finish(&out);
}

size_t
remat_function_count(const remat_session *session) {
  const struct ir_module *module = session->session.input;
  return module ? module->functions.count : 0;
}

const char *
remat_function_name(remat_session *session, size_t function) {
  const struct ir_module *module = session->session.input;
  if (!module || function >= module->functions.count)
    return NULL;
  name_id name = module->functions.data[function].name;
  struct text text =
      name == NONE ? text_of("") : string_text(module->names, name);
  return arena_copy(&session->session.module, text.data, text.size);
}

/* FUNCTION of the input as a number of what was planned, where calls or loops
 * may have been written anew; NONE where it is gone. */
static function_id
planned_function(const struct session *session, function_id function) {
  const struct ir_module *given = session->input;
  const struct ir_module *planned = session->program.input;
  name_id name = given->functions.data[function].name;
  if (given == planned)
    return function;
  return name == NONE
             ? NONE
             : ir_find_function(planned, string_text(given->names, name));
}

bool
remat_figure(remat_session *session, size_t function, const char *key,
             int64_t *value) {
  struct session *s = &session->session;
  if (!session->ready || function >= s->input->functions.count)
    return false;
  function_id planned = planned_function(s, (function_id)function);
  if (planned == NONE)
    return false;
  struct figure_counts counts;
  struct figures figures;
  figures_count(&s->scratch, &s->program, &counts);
  figures_of(&s->program, &counts, planned, &figures);
  bool found = figures_number(&figures, counts.planned, key, value);
  arena_empty(&s->scratch);
  return found;
}
