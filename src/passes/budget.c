/* budget.c - find out how much memory each function may take.
 *
 *   --budget=40GiB                           explicit_cli
 *   {tessera.remat_budget_mb = 1}            explicit_function
 *   {tessera.device_memory_capacity_bytes}   model_device_envelope
 *   a device with a known memory             device
 *
 * in this order; the first that is there decides, and the later ones are not
 * even looked at.  A share of a peak ("50%peak") is of the function's own. */
#include "passes/budget.h"
#include "passes/fused.h"

#include "passes/options.h"
#include "passes/plan.h"

#include <string.h>

const char *
budget_source_name(enum budget_source source) {
  static const char *const names[] = {NULL, "explicit_cli", "explicit_function",
                                      "model_device_envelope", "device"};
  return names[source];
}

/* All of FUNCTION's memory under the fused model. */
static uint64_t
fused_total_bytes(const struct liveness_function *function) {
  return saturating_add(liveness_caller_bytes(function),
                        function->fused_temp_bytes);
}

uint64_t
budget_counted(const struct budget *budget,
               const struct liveness_function *function) {
  if (budget->fused) {
    if (budget->temporaries)
      return function->fused_temp_bytes;
    return saturating_subtract(fused_total_bytes(function),
                               budget->resident_bytes);
  }
  if (budget->temporaries)
    return function->peak_temp_bytes;
  return saturating_subtract(function->peak_bytes, budget->resident_bytes);
}

uint64_t
budget_least(const struct budget *budget,
             const struct liveness_function *function, op_id *op) {
  *op = NONE;
  if (budget->fused)
    return 0;
  *op = budget->temporaries ? function->lower_bound_temp_op
                            : function->lower_bound_op;
  if (budget->temporaries)
    return function->lower_bound_temp_bytes;
  return saturating_subtract(function->lower_bound_bytes,
                             budget->resident_bytes);
}

static uint64_t
share_of(uint64_t bytes, uint32_t share_ppm) {
  uint128 share = (uint128)bytes * share_ppm / 1000000;
  return share > UINT64_MAX ? UINT64_MAX : (uint64_t)share;
}

static uint64_t
usable_bytes(const struct program *program) {
  uint32_t device = rules_device_find(program->rules, program->options->device);
  return device == NONE ? 0 : rules_usable_bytes(program->rules, device);
}

/* What REQUEST says of FUNCTION; false after an error. */
static bool
resolve_request(const struct program *program,
                const struct budget_request *request, function_id function,
                struct budget *budget) {
  const struct liveness_function *live =
      &program->liveness->functions[function];
  uint64_t usable;
  switch (request->unit) {
  case BUDGET_NOT_GIVEN:
    break;
  case BUDGET_BYTES:
    budget->bytes = request->bytes;
    break;
  case BUDGET_TEMP_BYTES:
    budget->bytes = request->bytes;
    budget->temporaries = true;
    break;
  case BUDGET_OF_DEVICE:
    usable = usable_bytes(program);
    if (!usable) {
      diagnose(program->diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
               "a budget in %% is a share of the device's memory, but target "
               "'%s' does not say how much its device has",
               rules_name(program->rules));
      return false;
    }
    budget->bytes = share_of(usable, request->share_ppm);
    break;
  case BUDGET_OF_PEAK:
    budget->bytes =
        share_of(budget->fused ? fused_total_bytes(live) : live->peak_bytes,
                 request->share_ppm);
    break;
  case BUDGET_OF_TEMP:
    budget->bytes =
        share_of(budget->fused ? live->fused_temp_bytes : live->peak_temp_bytes,
                 request->share_ppm);
    budget->temporaries = true;
    break;
  }
  return true;
}

/* --- the function's own attribute --- */

/* TEXT without the quotes around it. */
static struct text
unquoted(struct text text) {
  if (text.size < 2 || text.data[0] != '"')
    return text;
  return (struct text){text.data + 1, text.size - 2};
}

static bool
attribute_error(const struct program *program, function_id function,
                const char *key, const char *expected) {
  diagnose(program->diagnostics, DIAGNOSTIC_INPUT,
           plan_location(program->input, function), "%s must be %s", key,
           expected);
  return false;
}

/* Sets *BUDGET where FUNCTION has an attribute that does; false after an
 * error. */
static bool
from_function(const struct program *program, function_id function,
              struct budget *budget) {
  const struct ir_module *m = program->input;
  struct text text;
  int64_t number;
  const char *key = "remat.budget";
  if (ir_function_attribute(m, function, key, &text)) {
    struct budget_request request;
    if (ir_parse_integer(text, &number) && number >= 0)
      request = (struct budget_request){BUDGET_BYTES, (uint64_t)number, 0};
    else if (!option_parse_budget(unquoted(text), &request))
      return attribute_error(
          program, function, key,
          "a size (\"40GiB\", \"2GiBtemp\", 1073741824) or a share "
          "(\"75%\", \"50%peak\", \"25%temp\")");
    budget->source = BUDGET_FUNCTION;
    return resolve_request(program, &request, function, budget);
  }
  key = "tessera.remat_budget_mb";
  if (!ir_function_attribute(m, function, key, &text))
    return true;
  if (!ir_parse_integer(text, &number) || number < 0)
    return attribute_error(program, function, key, "a number from 0");
  budget->source = BUDGET_FUNCTION;
  budget->bytes = saturating_multiply((uint64_t)number, 1 << 20);
  return true;
}

/* --- the model and device envelope --- */

struct envelope {
  int64_t capacity, reserve, gradients, optimizer, persistent;
  int64_t parameters; /* bytes of all of them */
};

static bool
envelope_error(const struct program *program, function_id function,
               const char *message) {
  diagnose(program->diagnostics, DIAGNOSTIC_MODEL_BUDGET_INVALID,
           plan_location(program->input, function), "%s", message);
  return false;
}

static bool
overflow_error(const struct program *program, function_id function) {
  return envelope_error(program, function,
                        "model-derived memory-budget arithmetic overflows "
                        "signed i64");
}

/* Attribute KEY of FUNCTION as a number from 0 up to MOST; NUMBER stays what
 * it is where there is none. */
static bool
read_number(const struct program *program, function_id function,
            const char *key, int64_t *number) {
  struct text text;
  if (!ir_function_attribute(program->input, function, key, &text))
    return true;
  return ir_parse_integer(text, number) && *number >= 0;
}

static bool
read_envelope(const struct program *program, function_id function,
              struct envelope *e) {
  bool good =
      read_number(program, function, "tessera.device_memory_capacity_bytes",
                  &e->capacity) &&
      read_number(program, function,
                  "tessera.device_memory_reserve_basis_points", &e->reserve) &&
      read_number(program, function, "tessera.model_gradient_copies",
                  &e->gradients) &&
      read_number(program, function, "tessera.model_optimizer_state_copies",
                  &e->optimizer) &&
      read_number(program, function, "tessera.model_persistent_bytes",
                  &e->persistent);
  if (good && e->reserve <= 10000)
    return true;
  return envelope_error(program, function,
                        "model-derived memory-budget inputs must be "
                        "non-negative and reserve basis points must be <= "
                        "10000");
}

/* Bytes of argument INDEX, a parameter of the model; false after an error. */
static bool
parameter_bytes(const struct program *program, function_id function,
                uint32_t index, int64_t *bytes) {
  const struct ir_module *m = program->input;
  const struct ir_function *f = &m->functions.data[function];
  value_id argument = f->arguments[index];
  struct text text;
  bool bounded = ir_argument_attribute(
      m, function, index, "tessera.model.parameter_bytes_bound", &text);
  if (bounded && ir_parse_integer(text, bytes) && *bytes >= 0)
    return true;
  const struct type *type =
      argument == NONE ? NULL : ir_value_type(m, argument);
  if (!bounded && type && !type->dynamic && type->kind != TYPE_UNKNOWN &&
      type->kind != TYPE_TOKEN && type->kind != TYPE_FUNCTION &&
      type->bytes <= INT64_MAX) {
    *bytes = (int64_t)type->bytes;
    return true;
  }
  struct arena *scratch = program->scratch;
  return envelope_error(
      program, function,
      arena_printf(scratch,
                   "model parameter argument %u has a dynamic or unsupported "
                   "type and requires a non-negative "
                   "tessera.model.parameter_bytes_bound",
                   index));
}

/* The bytes of all parameters, and in *HELD those that the peak counts. */
static bool
add_parameters(const struct program *program, function_id function,
               struct envelope *e, uint64_t *held) {
  const struct ir_module *m = program->input;
  const struct ir_function *f = &m->functions.data[function];
  struct text text;
  for (uint32_t i = 0; i < f->argument_count; i++) {
    int64_t bytes;
    if (!ir_argument_attribute(m, function, i, "tessera.model.parameter",
                               &text))
      continue;
    if (!parameter_bytes(program, function, i, &bytes))
      return false;
    if (__builtin_add_overflow(e->parameters, bytes, &e->parameters))
      return overflow_error(program, function);
    if (f->arguments[i] != NONE)
      *held = saturating_add(
          *held, facts_value_bytes(program->facts, f->arguments[i]));
  }
  return true;
}

/* usable = capacity * (10000 - reserve) / 10000
 * state = parameters * (1 + gradients + optimizer) + persistent
 * budget = max (usable - state, 0) */
static bool
from_envelope(const struct program *program, function_id function,
              struct budget *budget) {
  struct envelope e = {.reserve = 1000, .gradients = 1, .optimizer = 2};
  struct text text;
  int64_t copies, state, usable;
  if (!ir_function_attribute(program->input, function,
                             "tessera.device_memory_capacity_bytes", &text))
    return true;
  if (!read_envelope(program, function, &e) ||
      !add_parameters(program, function, &e, &budget->resident_bytes))
    return false;
  if (__builtin_add_overflow(e.gradients, 1, &copies) ||
      __builtin_add_overflow(copies, e.optimizer, &copies) ||
      __builtin_mul_overflow(e.parameters, copies, &state) ||
      __builtin_add_overflow(state, e.persistent, &state) ||
      __builtin_mul_overflow(e.capacity, 10000 - e.reserve, &usable))
    return overflow_error(program, function);
  usable /= 10000;
  budget->source = BUDGET_MODEL;
  budget->bytes = usable > state ? (uint64_t)(usable - state) : 0;
  budget->parameter_bytes = (uint64_t)e.parameters;
  budget->state_bytes = (uint64_t)state;
  return true;
}

/* --- the pass --- */

/* A function that others call gets its memory from them, and has no budget of
 * its own but the one that it says itself. */
static bool
find_budget(const struct program *program, function_id function, bool called,
            struct budget *budget) {
  const struct budget_request *request = &program->options->budget;
  budget->fused = fused_is_model(program);
  bool named = program->options->function != NULL;
  if (called && !named)
    return from_function(program, function, budget);
  if (request->unit != BUDGET_NOT_GIVEN) {
    budget->source = BUDGET_CLI;
    return resolve_request(program, request, function, budget);
  }
  if (!from_function(program, function, budget))
    return false;
  if (budget->source == BUDGET_NONE &&
      !from_envelope(program, function, budget))
    return false;
  uint64_t usable = usable_bytes(program);
  if (budget->source == BUDGET_NONE && usable) {
    budget->source = BUDGET_DEVICE;
    budget->bytes = usable;
  }
  return true;
}

/* Is FUNCTION one that is asked for?  A computation that others run has what
 * they leave, unless it is named. */
static bool
is_asked_for(const struct program *program, function_id function) {
  const char *only = program->options->function;
  const struct ir_function *f = &program->input->functions.data[function];
  bool called = f->op == NONE && !f->entry;
  if (!program->liveness->functions[function].runs || (called && !only))
    return false;
  return !only || (f->name != NONE &&
                   text_is(string_text(program->input->names, f->name), only));
}

/* The budget that FUNCTION had before the program was rewritten: a share of
 * what it needed then is still that. */
static const struct budget *
budget_before(const struct program *program, function_id function) {
  const struct program *before = program->before;
  const struct ir_function *f = &program->input->functions.data[function];
  if (!before || f->name == NONE)
    return NULL;
  function_id was = ir_find_function(
      before->input, string_text(program->input->names, f->name));
  return was == NONE ? NULL : &before->budget[was];
}

static bool
gate_budget(const struct program *program) {
  return !program->options->analyze &&
         program->options->strategy != STRATEGY_NONE;
}

static bool
execute_budget(struct program *program) {
  uint32_t count = program->input->functions.count;
  const bool *called = ir_called_functions(program->input, program->scratch);
  bool good = true;
  program->budget = ARENA_ARRAY(program->arena, struct budget, count);
  for (function_id f = 0; f < count; f++) {
    const struct budget *before = budget_before(program, f);
    if (!is_asked_for(program, f))
      continue;
    if (before)
      program->budget[f] = *before;
    else
      good &= find_budget(program, f, called[f], &program->budget[f]);
  }
  return good;
}

static void
dump_budget(const struct program *program, struct buffer *out) {
  const struct ir_module *m = program->input;
  for (function_id f = 0; f < m->functions.count; f++) {
    const struct budget *budget = &program->budget[f];
    if (budget->source == BUDGET_NONE)
      continue;
    buffer_string(out, "@");
    if (m->functions.data[f].name != NONE)
      buffer_text(out, string_text(m->names, m->functions.data[f].name));
    buffer_printf(out, ": %llu bytes%s, %s", (unsigned long long)budget->bytes,
                  budget->temporaries ? " of temporaries" : "",
                  budget_source_name(budget->source));
    if (budget->source == BUDGET_MODEL)
      buffer_printf(out, ", parameters %llu, state %llu",
                    (unsigned long long)budget->parameter_bytes,
                    (unsigned long long)budget->state_bytes);
    buffer_string(out, "\n");
  }
}

const struct pass pass_budget = {
    .name = "budget",
    .help = "find out how much memory each function may take",
    .requires_ = PROP_FACTS | PROP_LIVENESS,
    .provides = PROP_BUDGET,
    .gate = gate_budget,
    .execute = execute_budget,
    .dump = dump_budget,
};
