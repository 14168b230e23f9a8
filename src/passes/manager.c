/* manager.c - see manager.h.
 *
 * For each pass in order: leave it out where -fdisable or its gate says so;
 * run the providers of what it needs and lacks; leave it out, too, where a
 * provider was left out; execute, update properties, check, dump, empty the
 * scratch arena.  Where a pass put another program in the place of the input,
 * begin again.  O(passes) beside what the passes do. */
#include "passes/manager.h"

#include <assert.h>
#include <string.h>
#include <time.h>

#define PASS(name) extern const struct pass pass_##name;
#include "passes/passes.def"
#undef PASS

void
pipeline_default(struct pipeline *pipeline, struct arena *arena) {
  *pipeline = (struct pipeline){0};
  vector_reserve(arena, &pipeline->passes, 32);
#define PASS(name) vector_push(arena, &pipeline->passes, &pass_##name);
#include "passes/passes.def"
#undef PASS
}

/* The place of the pass called NAME; the count where there is none. */
static uint32_t
place_of(const struct pipeline *pipeline, const char *name) {
  uint32_t i = 0;
  while (i < pipeline->passes.count &&
         strcmp(pipeline->passes.data[i]->name, name) != 0)
    i++;
  return i;
}

const struct pass *
pipeline_find(const struct pipeline *pipeline, const char *name) {
  uint32_t place = place_of(pipeline, name);
  return place < pipeline->passes.count ? pipeline->passes.data[place] : NULL;
}

bool
pipeline_insert(struct pipeline *pipeline, struct arena *arena,
                const struct pass *pass, const char *anchor, bool after) {
  uint32_t place = place_of(pipeline, anchor);
  if (place == pipeline->passes.count)
    return false;
  place += after;
  vector_push(arena, &pipeline->passes, pass);
  const struct pass **at = pipeline->passes.data + place;
  memmove(at + 1, at,
          (pipeline->passes.count - 1 - place) * sizeof(const struct pass *));
  *at = pass;
  return true;
}

/* The pass that a user called NAME; says so where there is none. */
static const struct pass *
named_pass(const struct pipeline *pipeline, const char *name,
           struct diagnostics *diagnostics) {
  const struct pass *pass = pipeline_find(pipeline, name);
  if (pass)
    return pass;
  struct arena arena = {0};
  uint32_t count = pipeline->passes.count;
  const char **names = ARENA_ARRAY(&arena, const char *, count);
  for (uint32_t i = 0; i < count; i++)
    names[i] = pipeline->passes.data[i]->name;
  const char *near = text_nearest(text_of(name), names, count);
  diagnose(diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
           "unknown pass '%s'%s%s%s", name, near ? "; did you mean '" : "",
           near ? near : "", near ? "'?" : "");
  arena_empty(&arena);
  return NULL;
}

static bool
check_disabled(const struct pipeline *pipeline, const struct options *options,
               struct diagnostics *diagnostics) {
  bool good = true;
  for (uint32_t i = 0; i < options->disabled.count; i++) {
    const char *name = options->disabled.data[i].pass;
    const struct pass *pass = named_pass(pipeline, name, diagnostics);
    if (pass && pass->essential)
      diagnose(diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
               "pass '%s' cannot be disabled: what is printed rests on it",
               name);
    good &= pass && !pass->essential;
  }
  return good;
}

static bool
check_dumps(const struct pipeline *pipeline, const struct options *options,
            struct diagnostics *diagnostics) {
  bool good = true;
  for (uint32_t i = 0; i < options->dumps.count; i++) {
    const char *name = options->dumps.data[i].pass;
    const struct pass *pass = named_pass(pipeline, name, diagnostics);
    if (pass && !pass->dump)
      diagnose(diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
               "pass '%s' has nothing to dump", name);
    good &= pass && pass->dump;
  }
  return good;
}

/* The parameter NAME of PASS, or NULL. */
static const struct parameter *
parameter_of(const struct pass *pass, const char *name) {
  const struct parameter *parameter = pass->parameters;
  for (; parameter && parameter->name; parameter++)
    if (strcmp(parameter->name, name) == 0)
      return parameter;
  return NULL;
}

/* Says that no pass has a parameter NAME. */
static void
unknown_parameter(const struct pipeline *pipeline, const char *name,
                  struct diagnostics *diagnostics) {
  struct arena arena = {0};
  VECTOR(const char *) names = {0};
  for (uint32_t i = 0; i < pipeline->passes.count; i++) {
    const struct parameter *parameter = pipeline->passes.data[i]->parameters;
    for (; parameter && parameter->name; parameter++)
      vector_push(&arena, &names, parameter->name);
  }
  const char *near = text_nearest(text_of(name), names.data, names.count);
  diagnose(diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
           "unknown parameter '%s'%s%s%s; --help=params lists them", name,
           near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  arena_empty(&arena);
}

static bool
check_parameters(const struct pipeline *pipeline, const struct options *options,
                 struct diagnostics *diagnostics) {
  bool good = true;
  for (uint32_t i = 0; i < options->parameters.count; i++) {
    const struct parameter_value *value = &options->parameters.data[i];
    const struct parameter *parameter = NULL;
    for (uint32_t p = 0; p < pipeline->passes.count && !parameter; p++)
      parameter = parameter_of(pipeline->passes.data[p], value->name);
    bool fits = parameter && value->value >= parameter->least &&
                value->value <= parameter->most;
    if (!parameter)
      unknown_parameter(pipeline, value->name, diagnostics);
    else if (!fits)
      diagnose(diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
               "parameter '%s' must be from %g to %g, not %g", value->name,
               parameter->least, parameter->most, value->value);
    good &= fits;
  }
  return good;
}

bool
pipeline_check_options(const struct pipeline *pipeline,
                       const struct options *options,
                       struct diagnostics *diagnostics) {
  bool disabled = check_disabled(pipeline, options, diagnostics);
  bool dumps = check_dumps(pipeline, options, diagnostics);
  bool parameters = check_parameters(pipeline, options, diagnostics);
  return disabled && dumps && parameters;
}

double
pass_parameter(const struct program *program, const struct pass *pass,
               const char *name) {
  const struct parameter *parameter = parameter_of(pass, name);
  assert(parameter);
  double value = parameter->initial;
  const struct options *options = program->options;
  for (uint32_t i = 0; i < options->parameters.count; i++)
    if (strcmp(options->parameters.data[i].name, name) == 0)
      value = options->parameters.data[i].value;
  return value;
}

static const char *const property_names[] = {
    "facts",      "buffers", "liveness", "budget", "plan",
    "projection", "made",    "proof",    "marks",
};

const char *
property_name(uint32_t property) {
  for (uint32_t i = 0; i < sizeof property_names / sizeof *property_names; i++)
    if (property == UINT32_C(1) << i)
      return property_names[i];
  return "?";
}

/* One run of the pipeline. */
struct run {
  struct program *program;
  const struct pipeline *pipeline;
  const struct manager_callbacks *callbacks;
  bool *done;    /* by place: executed already, for a pass that needed it */
  bool *running; /* by place: being executed, or its needs established */
};

enum outcome {
  OUTCOME_RAN,
  OUTCOME_LEFT_OUT,
  OUTCOME_FAILED,
};

static bool
is_disabled(const struct options *options, const struct pass *pass) {
  for (uint32_t i = 0; i < options->disabled.count; i++)
    if (strcmp(options->disabled.data[i].pass, pass->name) == 0)
      return true;
  return false;
}

static uint64_t
now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static enum outcome
internal_error(const struct run *run, const struct pass *pass,
               const char *what) {
  diagnose(run->program->diagnostics, DIAGNOSTIC_INTERNAL, NO_LOCATION,
           "pass '%s': %s", pass->name, what);
  return OUTCOME_FAILED;
}

/* Give to the host what the user asked to see of PASS. */
static bool
dump_pass(const struct run *run, const struct pass *pass) {
  const struct options *options = run->program->options;
  bool good = true;
  for (uint32_t i = 0; i < options->dumps.count && good; i++) {
    const struct pass_request *request = &options->dumps.data[i];
    if (strcmp(request->pass, pass->name) != 0 || !pass->dump ||
        !run->callbacks->dump)
      continue;
    struct arena arena = {0};
    struct buffer out = {.arena = &arena};
    pass->dump(run->program, &out);
    struct text text = {buffer_finish(&out), (uint32_t)out.size};
    good = run->callbacks->dump(run->callbacks->user, request, text);
    arena_empty(&arena);
  }
  return good;
}

/* Execute PASS, whose needs are there. */
static enum outcome
execute_pass(const struct run *run, const struct pass *pass) {
  struct program *program = run->program;
  uint32_t errors = program->diagnostics->errors;
  uint64_t start = now_ns();
  bool good = pass->execute(program);
  if (run->callbacks->timed)
    run->callbacks->timed(run->callbacks->user, pass, now_ns() - start);
  arena_empty(program->scratch);
  if (!good && program->diagnostics->errors == errors)
    return internal_error(run, pass, "failed without saying why");
  if (!good)
    return OUTCOME_FAILED;
  program->properties &= ~pass->destroys;
  program->properties |= pass->provides;
  const char *fault = NULL;
  if (program->options->verify_each && pass->check)
    fault = pass->check(program);
  arena_empty(program->scratch);
  if (fault)
    return internal_error(run, pass, fault);
  return dump_pass(run, pass) ? OUTCOME_RAN : OUTCOME_FAILED;
}

static enum outcome run_pass(const struct run *run, uint32_t place);

/* Run whoever provides PROPERTY, which PASS needs. */
static enum outcome
establish(const struct run *run, const struct pass *pass, uint32_t property) {
  const struct pipeline *pipeline = run->pipeline;
  enum outcome outcome = OUTCOME_LEFT_OUT;
  bool known = false;
  for (uint32_t i = 0; i < pipeline->passes.count; i++) {
    if (!(pipeline->passes.data[i]->provides & property) || run->running[i])
      continue;
    known = true;
    outcome = run_pass(run, i);
    if (outcome != OUTCOME_LEFT_OUT)
      return outcome;
  }
  if (known)
    return outcome;
  struct arena arena = {0};
  outcome =
      internal_error(run, pass,
                     arena_printf(&arena, "needs %s, which no pass provides",
                                  property_name(property)));
  arena_empty(&arena);
  return outcome;
}

/* Run the pass at PLACE, and before it whoever provides what it needs.  A
 * pass whose needs were left out is left out itself. */
static enum outcome
run_pass(const struct run *run, uint32_t place) {
  const struct pass *pass = run->pipeline->passes.data[place];
  struct program *program = run->program;
  if (is_disabled(program->options, pass) ||
      (pass->gate && !pass->gate(program)))
    return OUTCOME_LEFT_OUT;
  run->running[place] = true;
  enum outcome outcome = OUTCOME_RAN;
  uint32_t missing;
  while (outcome == OUTCOME_RAN &&
         (missing = pass->requires_ & ~program->properties) != 0)
    outcome = establish(run, pass, missing & (0 - missing));
  if (outcome == OUTCOME_RAN)
    outcome = execute_pass(run, pass);
  run->running[place] = false;
  run->done[place] |= outcome == OUTCOME_RAN;
  return outcome;
}

bool
manager_run(struct program *program, const struct pipeline *pipeline,
            const struct manager_callbacks *callbacks) {
  struct arena arena = {0};
  uint32_t count = pipeline->passes.count;
  struct run run = {program, pipeline, callbacks,
                    ARENA_ARRAY(&arena, bool, count),
                    ARENA_ARRAY(&arena, bool, count)};
  const struct ir_module *input = program->input;
  bool good = true;
  for (uint32_t i = 0; i < count && good; i++) {
    if (!run.done[i])
      good = run_pass(&run, i) != OUTCOME_FAILED;
    if (program->input == input)
      continue;
    /* Another program is in its place: all of it is to be done again. */
    input = program->input;
    memset(run.done, 0, count * sizeof *run.done);
    i = UINT32_MAX;
  }
  arena_empty(&arena);
  return good;
}
