/* session.c - see session.h. */
#include "session/session.h"

#include "passes/facts.h"
#include "passes/fused.h"
#include "passes/plan_emitted.h"
#include "passes/plan_file.h"
#include "passes/verify.h"
#include "readers/reader.h"
#include "rules/rules.h"
#include "session/proof.h"

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
  if (session->has_plan_source)
    source_close(&session->plan_source);
  for (uint32_t i = 0; i < session->rewritten.count; i++)
    source_close(session->rewritten.data[i]);
  session->rewritten.count = session->rewritten.capacity = 0;
  session->rewritten.data = NULL;
  session->has_source = session->has_plan_source = false;
  session->input = NULL;
  arena_empty(&session->module);
  arena_empty(&session->scratch);
}

void
session_close(struct session *session) {
  forget(session);
  arena_empty(&session->context);
}

/* Is there the function that --function names? */
static bool
has_function(struct session *session) {
  const char *wanted = session->options.function;
  const struct ir_module *module = session->input;
  if (!wanted || ir_find_function(module, text_of(wanted)) != NONE)
    return true;
  const char **names =
      ARENA_ARRAY(&session->scratch, const char *, module->functions.count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < module->functions.count; i++) {
    name_id name = module->functions.data[i].name;
    if (name == NONE)
      continue;
    struct text text = string_text(module->names, name);
    names[count++] = arena_copy(&session->scratch, text.data, text.size);
  }
  const char *near = text_nearest(text_of(wanted), names, count);
  diagnose(&session->diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
           "the input has no function '%s'%s%s%s", wanted,
           near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  arena_empty(&session->scratch);
  return false;
}

static bool
read_source(struct session *session) {
  const struct options *options = &session->options;
  const struct reader_options how = {.format = options->input_format,
                                     .dump = options->dump,
                                     .rules = session->rules};
  session->has_source = true;
  session->input = reader_read(&session->module, &session->source, &how,
                               &session->diagnostics);
  return session->input != NULL && has_function(session);
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

/* Read the plan that the user gives, if any. */
static bool
open_plan(struct session *session) {
  const char *path = session->options.plan;
  if (!path)
    return true;
  enum source_status status = source_open(&session->plan_source, path);
  session->has_plan_source = status == SOURCE_OK;
  if (status != SOURCE_OK)
    diagnose(&session->diagnostics, DIAGNOSTIC_INPUT, NO_LOCATION,
             "cannot read '%s': %s", path, reader_open_error(status));
  return session->has_plan_source;
}

/* What is planned in the place of the input computes what that does. */
static void
prove_input(struct session *session) {
  const struct program *program = &session->program;
  for (const struct program *before = program->before; before;
       before = before->before) {
    const char *fault =
        verify_loops(before->input, program->input,
                     before->facts->op_repeatable, &session->scratch);
    if (fault)
      diagnose(&session->diagnostics, DIAGNOSTIC_INTERNAL, NO_LOCATION,
               "the rewritten loops are not proved: %s", fault);
    arena_empty(&session->scratch);
    program = before;
  }
  if (!program->given)
    return;
  const char *fault =
      verify_calls(program->given, program->given_facts, program->input,
                   program->facts, &session->scratch);
  if (fault)
    diagnose(&session->diagnostics, DIAGNOSTIC_INTERNAL, NO_LOCATION,
             "the program without calls is not proved: %s", fault);
  arena_empty(&session->scratch);
}

/* What is emitted must have been proved. */
static void
demand_proof(struct session *session) {
  const struct program *program = &session->program;
  prove_input(session);
  if (program->made && !(program->properties & PROP_PROOF))
    diagnose(&session->diagnostics, DIAGNOSTIC_INTERNAL, NO_LOCATION,
             "the new program was not proved to be the old one");
}

/* TARGET is no target that was built in: say so, with those that are. */
static bool
unknown_target(struct session *session, const char *target) {
  const char *names[64];
  uint32_t count = rules_builtin_count();
  for (uint32_t i = 0; i < count && i < 64; i++)
    names[i] = rules_name(rules_builtin_at(i));
  const char *near = text_nearest(text_of(target), names, count);
  diagnose(&session->diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
           "unknown target '%s'%s%s%s; --help=targets lists them", target,
           near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  return false;
}

static bool
unknown_device(struct session *session, const char *device) {
  const struct rules *rules = session->rules;
  const char *names[256];
  uint32_t count = 0;
  for (uint32_t i = 0; i < rules_device_count(rules) && count < 256; i++)
    if (rules_device_complete(rules, i))
      names[count++] = rules_device_name(rules, i);
  const char *near = text_nearest(text_of(device), names, count);
  diagnose(&session->diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
           "target '%s' has no device '%s'%s%s%s; --help=targets lists them",
           rules_name(rules), device, near ? "; did you mean '" : "",
           near ? near : "", near ? "'?" : "");
  return false;
}

bool
session_choose_target(struct session *session) {
  const struct options *options = &session->options;
  const char *name = options->target ? options->target : rules_default_target;
  if (options->rules && options->target) {
    diagnose(&session->diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
             "--rules and --target both say whose rules");
    return false;
  }
  const struct rules_options how = {.include_dirs = options->includes.data,
                                    .include_count = options->includes.count};
  session->rules = options->rules ? rules_compile_file(&session->context,
                                                       &session->diagnostics,
                                                       options->rules, &how)
                                  : rules_builtin(name);
  if (!session->rules)
    return options->rules ? false : unknown_target(session, name);
  session->device = rules_device_find(session->rules, options->device);
  if (session->device == NONE)
    return unknown_device(session,
                          options->device ? options->device : "(default)");
  return true;
}

/* Read TEXT, that a pass made of what was read, into ARENA. */
static const struct ir_module *
reread(void *user, struct arena *arena, struct text text,
       const struct source_pieces *pieces) {
  struct session *session = user;
  struct diagnostics silent = {0};
  struct source *source = ARENA_NEW(&session->module, struct source);
  const struct reader_options how = {.format = session->input->format->name,
                                     .rules = session->rules};
  const char *name = session->source.name;
  if (!pieces)
    name = arena_printf(&session->module, "%s (loops rewritten)", name);
  source_from_text(source, name, text.data, text.size);
  if (pieces)
    source->pieces = *pieces;
  vector_push(&session->module, &session->rewritten, source);
  return reader_read(arena, source, &how, &silent);
}

/* Are fences asked for where there are none?  Says so. */
static bool
wants_no_fences(struct session *session) {
  if (session->options.barriers != 1 || session->program.is_fused)
    return false;
  diagnose(&session->diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
           "-fbarriers needs --memory-model=fused: under the model of this run "
           "a plan is the order of its ops, and has no segments to put fences "
           "between");
  return true;
}

enum session_status
session_run(struct session *session) {
  session->program = (struct program){
      .arena = &session->module,
      .scratch = &session->scratch,
      .diagnostics = &session->diagnostics,
      .options = &session->options,
      .rules = session->rules,
      .device = session->device,
      .input = session->input,
      .is_fused = fused_resolve(&session->options, session->input),
      .reread = reread,
      .reread_user = session,
  };
  if (wants_no_fences(session) || !open_plan(session))
    return session_status(session);
  if (session->has_plan_source)
    session->program.plan_source = &session->plan_source;
  if (pipeline_check_options(&session->pipeline, &session->options,
                             &session->diagnostics) &&
      manager_run(&session->program, &session->pipeline, &session->callbacks))
    demand_proof(session);
  if (session_status(session) == SESSION_DONE ||
      session_status(session) == SESSION_OVER_BUDGET)
    session_prove_text(session);
  return session_status(session);
}

void
session_write_plan(struct session *session, struct buffer *out) {
  struct plan plan;
  plan_emitted(&session->program, &plan, &session->scratch);
  plan_file_write(out, session->program.input, &plan, &session->scratch);
  arena_empty(&session->scratch);
}

/* EDITS, of the program without calls, as those of GIVEN. */
static const struct ir_edits *
edits_as_given(const struct program *program, struct arena *arena) {
  if (!program->edits)
    return NULL;
  struct ir_edits *edits = ARENA_NEW(arena, struct ir_edits);
  struct ir_annotation *added = ARENA_ARRAY(arena, struct ir_annotation,
                                            program->edits->annotation_count);
  *edits = *program->edits;
  for (uint32_t i = 0; i < edits->annotation_count; i++) {
    const struct ir_module *m = program->input;
    added[i] = edits->annotations[i];
    added[i].function = ir_find_function(
        program->given,
        string_text(m->names, m->functions.data[added[i].function].name));
  }
  edits->annotations = added;
  return edits;
}

const struct ir_module *
session_emitted(const struct session *session, struct arena *arena,
                const struct ir_edits **edits) {
  const struct program *program = &session->program;
  *edits = program->edits;
  if (program->made)
    return program->made;
  if (!program->given || program->before)
    return program->input;
  *edits = edits_as_given(program, arena);
  return program->given;
}

bool
session_print(struct session *session, const struct ir_writer *writer) {
  const struct ir_edits *edits;
  const struct ir_module *module =
      session_emitted(session, &session->scratch, &edits);
  bool good = ir_print(module, edits, writer, &session->scratch);
  arena_empty(&session->scratch);
  return good;
}
