/* liveness.c - what memory a program needs, moment by moment.
 *
 *   tick  op                 live
 *    1    %0 = tanh %a       %a %0
 *    2    %1 = add %0, %a    %a %0 %1     the peak
 *    3    return %1          %a %1        %a is held: it is the caller's
 *
 * Each buffer adds its bytes where it begins to be needed and takes them away
 * behind its end; one sweep over the clock sums that up.  Callees come before
 * their callers, so what a call adds is known; a recursive call adds nothing
 * and is said to.  O(buffers + segments + ticks + uses). */
#include "passes/dump.h"
#include "passes/check.h"
#include "passes/liveness.h"
#include "passes/xla.h"

#include <string.h>

struct work {
  struct program *program;
  const struct ir_module *module;
  const struct facts *facts;
  const struct buffers *buffers;
  const struct clock *clock;
  /* Until a function is summed up, its ticks have how far each sum rises or
   * falls there.  Sums are taken modulo 2^64: right wherever the true sum
   * fits; `saturate` sees to where it does not. */
  struct liveness *liveness;
  uint64_t *argument; /* by tick: of what is live, the arguments */
  bool overflow;      /* all buffers together cannot be counted */
};

/* SUM has BYTES more from BEGIN to END. */
static void
add_bytes(uint64_t *sum, uint32_t begin, uint32_t end, uint64_t bytes) {
  sum[begin] += bytes;
  sum[end + 1] -= bytes;
}

static void
add_interval(struct work *work, uint32_t buffer, uint32_t begin, uint32_t end) {
  uint64_t bytes = work->buffers->bytes[buffer];
  add_bytes(work->liveness->live, begin, end, bytes);
  if (buffers_temporary(work->buffers, buffer))
    add_bytes(work->liveness->temp, begin, end, bytes);
  if (work->buffers->flags[buffer] & BUFFER_ARGUMENT)
    add_bytes(work->argument, begin, end, bytes);
}

static void
add_buffers(struct work *work) {
  const struct buffers *buffers = work->buffers;
  uint64_t total = 0;
  for (uint32_t i = 0; i < buffers->count; i++)
    total = saturating_add(total, buffers->bytes[i]);
  work->overflow = total > UINT64_MAX / 4;
  for (uint32_t i = 0; i < buffers->count; i++)
    if (!(buffers->flags[i] & BUFFER_SEGMENTED))
      add_interval(work, i, buffers->begin[i], buffers->end[i]);
  for (uint32_t i = 0; i < buffers->segments.count; i++) {
    const struct buffer_segment *segment = &buffers->segments.data[i];
    add_interval(work, segment->buffer, segment->begin, segment->end);
  }
  const uint64_t *workspace = work->facts->op_workspace;
  for (op_id op = 0; workspace && op < work->module->op_count; op++) {
    uint32_t tick = work->clock->op_end[op];
    if (tick == NONE || !workspace[op])
      continue;
    add_bytes(work->liveness->live, tick, tick, workspace[op]);
    add_bytes(work->liveness->temp, tick, tick, workspace[op]);
  }
}

uint64_t
liveness_called_bytes(const struct liveness *liveness,
                      const struct ir_module *module, op_id op) {
  const struct clock *clock = liveness->buffers->clock;
  uint32_t count;
  uint64_t most = 0;
  const struct ir_call *calls = ir_op_calls(module, op, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (calls[i].role != CALL_FLOW || clock_inlines(clock, &calls[i]))
      continue;
    uint64_t bytes = liveness->functions[calls[i].callee].called_bytes;
    if (most < bytes)
      most = bytes;
  }
  return most;
}

/* Sum up the ticks of the host FUNCTION, whose callees were summed up. */
static void
sum_up(struct work *work, function_id function) {
  const struct clock *clock = work->clock;
  struct liveness_function *f = &work->liveness->functions[function];
  uint64_t *live_at = work->liveness->live, *temp_at = work->liveness->temp;
  uint64_t live_sum = 0, temp_sum = 0, argument_sum = 0;
  uint32_t end = clock->function_end[function];
  f->runs = true;
  f->peak_tick = f->peak_temp_tick = clock->function_begin[function];
  for (uint32_t tick = f->peak_tick; tick <= end; tick++) {
    live_sum += live_at[tick];
    temp_sum += temp_at[tick];
    argument_sum += work->argument[tick];
    op_id op = clock->tick_op[tick];
    uint64_t called = 0;
    if (work->module->calls.count && op != NONE &&
        clock->op_begin[op] == tick && clock->op_end[op] != tick)
      called = liveness_called_bytes(work->liveness, work->module, op);
    uint64_t live = live_at[tick] = saturating_add(live_sum, called);
    uint64_t temp = temp_at[tick] = saturating_add(temp_sum, called);
    if (live > f->peak_bytes) {
      f->peak_bytes = live;
      f->peak_tick = tick;
    }
    if (temp > f->peak_temp_bytes) {
      f->peak_temp_bytes = temp;
      f->peak_temp_tick = tick;
    }
    uint64_t own = saturating_subtract(live, argument_sum);
    if (f->called_bytes < own)
      f->called_bytes = own;
  }
  /* What ends with the function ends here, at a tick of no function. */
  live_at[end + 1] = temp_at[end + 1] = 0;
}

/* A function that runs on another's clock: the peaks are those of its part of
 * it, less what is live around it. */
static void
sum_inlined(struct work *work, function_id function) {
  const struct clock *clock = work->clock;
  struct liveness_function *f = &work->liveness->functions[function];
  region_id body = work->module->functions.data[function].body;
  uint64_t outside =
      work->liveness->block_outside_bytes[work->module->region_block[body]];
  f->runs = true;
  f->peak_tick = f->peak_temp_tick = clock->function_begin[function];
  for (uint32_t tick = clock->function_begin[function];
       tick <= clock->function_end[function]; tick++) {
    uint64_t live = saturating_subtract(work->liveness->live[tick], outside);
    if (live > f->peak_bytes) {
      f->peak_bytes = live;
      f->peak_tick = tick;
    }
    if (work->liveness->temp[tick] > f->peak_temp_bytes) {
      f->peak_temp_bytes = work->liveness->temp[tick];
      f->peak_temp_tick = tick;
    }
  }
}

/* What is live when a block begins and is not made there is live all the
 * while: values of outside that it reads are needed until its op ends. */
static void
find_outside(struct work *work) {
  const struct buffers *buffers = work->buffers;
  const struct ir_module *module = work->module;
  uint64_t *outside = work->liveness->block_outside_bytes;
  uint64_t *begun =
      ARENA_ARRAY(work->program->scratch, uint64_t, work->clock->tick_count);
  for (uint32_t i = 0; i < buffers->count; i++)
    begun[buffers->begin[i]] += buffers->bytes[i];
  for (block_id block = 0; block < module->block_count; block++) {
    uint32_t tick = work->clock->block_begin[block];
    if (tick != NONE)
      outside[block] =
          saturating_subtract(work->liveness->live[tick], begun[tick]);
  }
}

/* Bytes of the buffers that OP reads and makes, each counted once. */
static uint64_t
touched_bytes(const struct work *work, op_id op, uint32_t *stamps) {
  const struct ir_module *module = work->module;
  uint32_t uses = module->op_use_count[op];
  uint64_t bytes =
      work->facts->op_workspace ? work->facts->op_workspace[op] : 0;
  for (uint32_t i = 0; i < uses + module->op_result_count[op]; i++) {
    value_id value =
        i < uses ? ir_operand(module, op, i) : ir_result(module, op, i - uses);
    uint32_t end = facts_first_leaf(work->facts, value + 1);
    for (uint32_t leaf = facts_first_leaf(work->facts, value); leaf < end;
         leaf++) {
      uint32_t buffer = work->buffers->leaf_buffer[leaf];
      if (buffer == NONE || stamps[buffer] == op + 1 ||
          work->buffers->flags[buffer] & BUFFER_ARGUMENT ||
          !buffers_live(work->buffers, buffer, work->clock->op_end[op]))
        continue;
      stamps[buffer] = op + 1;
      bytes = saturating_add(bytes, work->buffers->bytes[buffer]);
    }
  }
  return bytes;
}

/* Does OP only give names to what is stored already? */
static bool
only_names(const struct work *work, op_id op) {
  return facts_of(work->facts, op)->flags &
         (FACT_TUPLE | FACT_ELEMENT | FACT_FORWARDS);
}

/* No plan needs less than the arguments that are HELD and one op's operands
 * and results. */
static void
find_lower_bound(struct work *work, function_id function, uint64_t held,
                 uint32_t *stamps) {
  const struct clock *clock = work->clock;
  struct liveness_function *f = &work->liveness->functions[function];
  op_id root = work->module->functions.data[function].root;
  f->lower_bound_op = NONE;
  f->lower_bound_bytes = held;
  for (uint32_t tick = clock->function_begin[function];
       tick <= clock->function_end[function]; tick++) {
    op_id op = clock->tick_op[tick];
    if (op == NONE || clock->op_end[op] != tick ||
        (only_names(work, op) && op != root))
      continue;
    uint64_t bytes = saturating_add(held, touched_bytes(work, op, stamps));
    if (bytes > f->lower_bound_bytes) {
      f->lower_bound_bytes = bytes;
      f->lower_bound_op = op;
    }
  }
}

/* Bytes of all that FUNCTION returns, by its first return or its root. */
static uint64_t
result_bytes(const struct work *work, function_id function) {
  const struct ir_module *module = work->module;
  const struct ir_function *f = &module->functions.data[function];
  uint64_t bytes = 0;
  if (f->root != NONE)
    return facts_value_bytes(work->facts, ir_result(module, f->root, 0));
  for (block_id block = module->region_block[f->body]; block != NONE;
       block = module->block_next[block]) {
    uint32_t count = module->block_op_count[block], successors;
    if (count == 0)
      continue;
    op_id last = ir_block_op(module, block, count - 1);
    ir_op_successors(module, last, &successors);
    if (successors || !(module->op_flags[last] & OP_TERMINATOR))
      continue;
    for (uint32_t i = 0; i < module->op_use_count[last]; i++)
      bytes = saturating_add(
          bytes, facts_value_bytes(work->facts, ir_operand(module, last, i)));
    return bytes;
  }
  return bytes;
}

/* Sizes of FUNCTION's arguments and results; what is held of the former. */
static uint64_t
add_sizes(struct work *work, function_id function) {
  const struct buffers *buffers = work->buffers;
  const struct ir_function *source = &work->module->functions.data[function];
  struct liveness_function *f = &work->liveness->functions[function];
  uint64_t held = 0;
  f->result_bytes = result_bytes(work, function);
  for (uint32_t i = 0; i < source->argument_count; i++) {
    value_id value = source->arguments[i];
    if (value == NONE)
      continue;
    f->argument_bytes = saturating_add(f->argument_bytes,
                                       facts_value_bytes(work->facts, value));
    uint32_t end = facts_first_leaf(work->facts, value + 1);
    for (uint32_t leaf = facts_first_leaf(work->facts, value); leaf < end;
         leaf++) {
      uint32_t buffer = buffers->leaf_buffer[leaf];
      if (buffer != NONE && buffers->flags[buffer] & BUFFER_ARGUMENT &&
          buffers->end[buffer] == work->clock->function_end[function])
        held = saturating_add(held, buffers->bytes[buffer]);
    }
  }
  return held;
}

/* More than can be counted: say so instead of a sum that wrapped. */
static void
saturate(struct work *work) {
  for (uint32_t i = 0; i < work->module->functions.count; i++) {
    struct liveness_function *f = &work->liveness->functions[i];
    if (f->runs)
      f->peak_bytes = f->peak_temp_bytes = f->called_bytes = UINT64_MAX;
  }
}

static void
scan_functions(struct work *work) {
  const struct ir_module *module = work->module;
  const struct clock *clock = work->clock;
  uint32_t *stamps =
      ARENA_ARRAY(work->program->scratch, uint32_t, work->buffers->count);
  for (uint32_t i = 0; i < clock->order_count; i++)
    sum_up(work, clock->order[i]);
  find_outside(work);
  for (function_id i = 0; i < module->functions.count; i++) {
    if (clock->function_host[i] == NONE)
      continue;
    if (clock->function_host[i] != i)
      sum_inlined(work, i);
    find_lower_bound(work, i, add_sizes(work, i), stamps);
  }
  if (work->overflow)
    saturate(work);
}

struct liveness *
liveness_scan(struct program *program, const struct ir_module *module,
              const struct facts *facts, const struct buffers *buffers) {
  struct arena *arena = program->arena;
  const struct clock *clock = buffers->clock;
  struct liveness *liveness = ARENA_NEW(arena, struct liveness);
  if (xla_applies(module))
    buffers = xla_buffers(program, module, facts, clock);
  liveness->buffers = buffers;
  struct work work = {.program = program,
                      .module = module,
                      .facts = facts,
                      .buffers = buffers,
                      .clock = clock,
                      .liveness = liveness};
  liveness->live = ARENA_ARRAY(arena, uint64_t, clock->tick_count);
  liveness->temp = ARENA_ARRAY(arena, uint64_t, clock->tick_count);
  work.argument = ARENA_ARRAY(program->scratch, uint64_t, clock->tick_count);
  liveness->functions =
      ARENA_ARRAY(arena, struct liveness_function, module->functions.count);
  liveness->block_outside_bytes =
      ARENA_ARRAY(arena, uint64_t, module->block_count);
  add_buffers(&work);
  scan_functions(&work);
  return liveness;
}

op_id
liveness_op_at(const struct clock *clock, uint32_t tick) {
  while (tick + 1 < clock->tick_count && clock->tick_op[tick] == NONE)
    tick++;
  return clock->tick_op[tick];
}

static bool
execute_liveness(struct program *program) {
  program->liveness =
      liveness_scan(program, program->input, program->facts, program->buffers);
  return true;
}

const struct pass pass_liveness = {
    .name = "liveness",
    .help = "bytes that are live at each moment, and where that is most",
    .execute = execute_liveness,
    .dump = dump_liveness,
    .check = check_liveness,
    .requires_ = PROP_FACTS | PROP_BUFFERS,
    .provides = PROP_LIVENESS,
    .essential = true,
};
