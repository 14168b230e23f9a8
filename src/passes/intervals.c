/* intervals.c - see intervals.h.
 *
 * Three sweeps: positions of ops; for each producer its last reader and what
 * bars it; then one interval for each op that nothing bars. */
#include "passes/intervals.h"

#include "passes/options.h"
#include "passes/reads.h"
#include "plan/problem.h"

/* What is known of an op's readers. */
struct readers {
  uint32_t last;         /* position of the last */
  uint32_t last_forward; /* the same of forward ones, NONE where none is */
  bool any, barred;
};

struct finder {
  struct program *program;
  const struct ir_module *module;
  struct arena *arena;
  bool candidates;         /* the seed's model */
  function_id *function;   /* by op: on whose clock it runs, or NONE */
  uint32_t *position;      /* by op */
  struct readers *readers; /* by op */
  bool *phases;            /* by function */
  struct intervals *found; /* by function at first */
};

/* --- positions --- */

static function_id
host_of(const struct finder *f, function_id function) {
  const struct clock *clock =
      f->program->liveness ? f->program->buffers->clock : NULL;
  return function == NONE || !clock ? function : clock->function_host[function];
}

static void
place_ops(struct finder *f) {
  const struct ir_module *m = f->module;
  const struct clock *clock = f->program->buffers->clock;
  f->function = ir_functions_of_ops(m, f->arena);
  f->position = ARENA_ARRAY(f->arena, uint32_t, m->op_count);
  for (op_id op = 0; op < m->op_count; op++) {
    function_id function = host_of(f, f->function[op]);
    f->function[op] = function;
    f->position[op] = NONE;
    if (function == NONE)
      continue;
    struct intervals *found = &f->found[function];
    found->ops += m->op_result_count[op] > 0;
    if (f->candidates)
      f->position[op] = found->ops ? found->ops - 1 : 0;
    else if (clock->op_begin[op] != NONE)
      f->position[op] = clock->op_begin[op] - clock->function_begin[function];
    f->phases[function] |= (f->program->plan->selected[op] & PLAN_BACKWARD) > 0;
  }
  for (function_id i = 0; i < m->functions.count; i++)
    f->found[i].positions =
        f->candidates ? f->found[i].ops
        : clock->function_begin[i] == NONE
            ? 0
            : clock->function_end[i] - clock->function_begin[i] + 1;
}

/* --- readers --- */

/* READER, seen from the region of PRODUCER, reads it through OP. */
static void
note_reader(struct finder *f, op_id producer, op_id reader, op_id op) {
  const struct ir_module *m = f->module;
  struct readers *readers = &f->readers[producer];
  uint32_t position = f->position[op];
  if (reader == NONE || reader <= producer || position == NONE ||
      m->op_block[reader] != m->op_block[producer] ||
      (m->op_flags[op] & OP_TERMINATOR)) {
    readers->barred = true;
    return;
  }
  readers->last =
      !readers->any || position > readers->last ? position : readers->last;
  readers->any = true;
  if (f->program->plan->selected[reader] & PLAN_BACKWARD)
    return;
  if (readers->last_forward == NONE || position > readers->last_forward)
    readers->last_forward = position;
}

static void
find_readers(struct finder *f) {
  const struct ir_module *m = f->module;
  f->readers = ARENA_ARRAY(f->arena, struct readers, m->op_count);
  for (op_id op = 0; op < m->op_count; op++)
    f->readers[op].last_forward = NONE;
  for (op_id op = 0; op < m->op_count; op++)
    for (uint32_t i = 0; i < m->op_use_count[op]; i++) {
      value_id value = ir_operand(m, op, i);
      op_id producer = value == NONE ? NONE : ir_value_op(m, value);
      if (producer == NONE)
        continue;
      op_id reader = op;
      if (m->op_block[op] != m->op_block[producer] &&
          m->op_block[producer] != NONE)
        reader = reads_reader(m, op, m->block_region[m->op_block[producer]]);
      note_reader(f, producer, reader, op);
    }
  for (function_id i = 0; i < m->functions.count; i++)
    if (m->functions.data[i].root != NONE)
      f->readers[m->functions.data[i].root].barred = true;
}

/* --- candidates --- */

/* The bytes of OP's results; 0 where they are not all storage of its own. */
static uint64_t
own_bytes(const struct finder *f, op_id op) {
  const struct ir_module *m = f->module;
  const struct facts *facts = f->program->facts;
  const struct buffers *buffers = f->program->buffers;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < m->op_result_count[op]; i++) {
    value_id value = ir_result(m, op, i);
    bytes = saturating_add(bytes, facts_value_bytes(facts, value));
    uint32_t end = facts_first_leaf(facts, value + 1);
    for (uint32_t leaf = facts_first_leaf(facts, value);
         leaf < end && !f->candidates; leaf++) {
      uint32_t buffer = buffers->leaf_buffer[leaf];
      if (buffer == NONE || buffers->value[buffer] != value ||
          !buffers_temporary(buffers, buffer) ||
          buffers->end[buffer] -
                  f->program->buffers->clock->function_begin[f->function[op]] >
              f->readers[op].last)
        return 0;
    }
  }
  return bytes;
}

static bool
is_candidate(const struct finder *f, op_id op) {
  const struct readers *readers = &f->readers[op];
  uint8_t mark = f->program->plan->selected[op];
  if (f->function[op] == NONE || f->position[op] == NONE || !readers->any ||
      readers->barred || (mark & PLAN_KEEP))
    return false;
  return (mark & PLAN_SELECTED) || facts_can_recompute(f->program->facts, op);
}

/* The interval of OP, a candidate; false where it frees nothing. */
static bool
make_interval(const struct finder *f, op_id op, struct interval *interval) {
  const struct readers *readers = &f->readers[op];
  bool phases = f->phases[f->function[op]];
  uint64_t cost = f->program->facts->op_cost_ns[op];
  *interval = (struct interval){.op = op,
                                .first = f->position[op],
                                .last = readers->last,
                                .from = f->position[op],
                                .bytes = own_bytes(f, op),
                                .cost_ns = cost ? cost : 1};
  if (!f->candidates)
    interval->last -= interval->last > interval->first;
  if (phases && readers->last_forward != NONE)
    interval->from = readers->last_forward + 1;
  return interval->bytes > 0;
}

/* Sum up the profile of FOUND. */
static void
make_profile(struct finder *f, struct intervals *found) {
  const struct liveness *live = f->program->liveness;
  const struct budget *budget = &f->program->budget[found->function];
  uint64_t total = 0, most = 0;
  int64_t *profile =
      ARENA_ARRAY(f->arena, int64_t, (size_t)found->positions + 1);
  uint32_t begin = f->program->buffers->clock->function_begin[found->function];
  const uint64_t *ticks = budget->temporaries ? live->temp : live->live;
  for (uint32_t i = 0; i < found->all.count; i++) {
    const struct interval *interval = &found->all.data[i];
    total = saturating_add(total, interval->bytes);
    if (!f->candidates || total > PLAN_BYTES_MAX)
      continue;
    profile[interval->first] += (int64_t)interval->bytes;
    profile[interval->last + 1] -= (int64_t)interval->bytes;
  }
  for (uint32_t i = 0; !f->candidates && i < found->positions; i++) {
    most = ticks[begin + i] > most ? ticks[begin + i] : most;
    profile[i] = (int64_t)ticks[begin + i];
  }
  for (uint32_t i = 1; f->candidates && i < found->positions; i++)
    profile[i] += profile[i - 1];
  if (total <= PLAN_BYTES_MAX && most <= PLAN_BYTES_MAX)
    found->profile = profile;
}

struct intervals *
intervals_find(struct program *program, struct arena *arena, uint32_t *count) {
  const struct ir_module *m = program->input;
  struct finder f = {.program = program, .module = m, .arena = arena};
  f.candidates = program->options->memory_model == MEMORY_CANDIDATES;
  f.phases = ARENA_ARRAY(arena, bool, m->functions.count);
  f.found = ARENA_ARRAY(arena, struct intervals, m->functions.count);
  place_ops(&f);
  find_readers(&f);
  for (op_id op = 0; op < m->op_count; op++) {
    struct interval interval;
    if (is_candidate(&f, op) && make_interval(&f, op, &interval))
      vector_push(arena, &f.found[f.function[op]].all, interval);
  }
  *count = 0;
  for (function_id i = 0; i < m->functions.count; i++) {
    struct intervals found = f.found[i];
    found.function = i;
    if (program->budget[i].source == BUDGET_NONE || host_of(&f, i) != i)
      continue;
    make_profile(&f, &found);
    f.found[(*count)++] = found;
  }
  return f.found;
}

uint64_t
intervals_peak(const struct intervals *intervals, const uint8_t *selected,
               struct arena *scratch) {
  int64_t *change =
      ARENA_ARRAY(scratch, int64_t, (size_t)intervals->positions + 1);
  int64_t peak = 0, gone = 0;
  for (uint32_t i = 0; i < intervals->all.count; i++) {
    const struct interval *interval = &intervals->all.data[i];
    if (!(selected[interval->op] & PLAN_SELECTED) ||
        interval->from > interval->last)
      continue;
    change[interval->from] += (int64_t)interval->bytes;
    change[interval->last + 1] -= (int64_t)interval->bytes;
  }
  for (uint32_t i = 0; i < intervals->positions; i++) {
    gone += change[i];
    if (intervals->profile[i] - gone > peak)
      peak = intervals->profile[i] - gone;
  }
  return (uint64_t)peak;
}
