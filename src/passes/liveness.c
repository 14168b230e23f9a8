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
  bool shares;        /* results may take operands' places, as XLA lets them */
  const bool *needed; /* by op: no plan can leave it out */
  const struct clock *clock;
  /* Until a function is summed up, its ticks have how far each sum rises or
   * falls there.  Sums are taken modulo 2^64: right wherever the true sum
   * fits; `saturate` sees to where it does not. */
  struct liveness *liveness;
  uint64_t *argument; /* by tick: of what is live, the arguments */
  uint32_t *stamps;   /* by buffer: when it was counted last */
  uint32_t stamp;
  bool overflow; /* all buffers together cannot be counted */
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

/* Bytes that what OP calls needs at least, its arguments left out. */
static uint64_t
least_called_bytes(const struct work *work, op_id op) {
  uint32_t count = 0;
  uint64_t least = 0;
  const struct ir_call *calls =
      work->module->calls.count ? ir_op_calls(work->module, op, &count) : NULL;
  for (uint32_t i = 0; i < count; i++) {
    if (calls[i].role != CALL_FLOW || clock_inlines(work->clock, &calls[i]))
      continue;
    uint64_t bytes =
        work->liveness->functions[calls[i].callee].least_called_bytes;
    least = bytes > least ? bytes : least;
  }
  return least;
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

/* Bytes that an op needs at least, whatever the order and whatever runs again:
 * of all buffers that are no arguments, and of temporaries alone. */
struct touched {
  uint64_t all, temp;
};

/* May results of OP take the place of operands that die there? */
static bool
takes_places(const struct work *work, op_id op) {
  const struct op_facts *facts = facts_of(work->facts, op);
  return facts->inplace != OPERAND_NONE ||
         (work->shares &&
          (facts->reuses != OPERAND_NONE || facts->body == BODY_FUSED ||
           facts->body == BODY_LOOP || facts->body == BODY_BRANCH));
}

/* Add the buffers that hold VALUE when OP runs, those that are not counted
 * yet. */
static void
touch_value(const struct work *work, op_id op, value_id value,
            struct touched *sum) {
  const struct buffers *buffers = work->buffers;
  uint32_t end = facts_first_leaf(work->facts, value + 1);
  for (uint32_t leaf = facts_first_leaf(work->facts, value); leaf < end;
       leaf++) {
    uint32_t buffer = buffers->leaf_buffer[leaf];
    if (buffer == NONE || work->stamps[buffer] == work->stamp ||
        buffers->flags[buffer] & BUFFER_ARGUMENT ||
        !buffers_live(buffers, buffer, work->clock->op_end[op]))
      continue;
    work->stamps[buffer] = work->stamp;
    sum->all = saturating_add(sum->all, buffers->bytes[buffer]);
    if (buffers_temporary(buffers, buffer))
      sum->temp = saturating_add(sum->temp, buffers->bytes[buffer]);
  }
}

/* What OP reads and makes, each buffer counted once; where results may take
 * places, the larger of both.  While it calls something its results are not
 * there yet. */
static struct touched
touched_bytes(struct work *work, op_id op) {
  const struct ir_module *module = work->module;
  struct touched read = {0, 0}, made = {0, 0};
  uint64_t called = least_called_bytes(work, op);
  work->stamp++;
  for (uint32_t i = 0; i < module->op_use_count[op]; i++)
    touch_value(work, op, ir_operand(module, op, i), &read);
  for (uint32_t i = 0; i < module->op_result_count[op]; i++)
    touch_value(work, op, ir_result(module, op, i), &made);
  if (takes_places(work, op)) {
    made.all = saturating_subtract(made.all, read.all);
    made.temp = saturating_subtract(made.temp, read.temp);
  }
  if (work->facts->op_workspace) {
    made.all = saturating_add(made.all, work->facts->op_workspace[op]);
    made.temp = saturating_add(made.temp, work->facts->op_workspace[op]);
  }
  made.all = called > made.all ? called : made.all;
  made.temp = called > made.temp ? called : made.temp;
  return (struct touched){saturating_add(read.all, made.all),
                          saturating_add(read.temp, made.temp)};
}

/* By op: does it do something, or does an op that is needed read it?  In an
 * order in which readers stand behind what they read. */
static const bool *
needed_ops(const struct work *work) {
  const struct ir_module *module = work->module;
  uint32_t acts = FACT_EFFECT | FACT_RANDOM | FACT_COLLECTIVE |
                  FACT_TERMINATOR | FACT_ARGUMENT;
  bool *needed = ARENA_ARRAY(work->program->scratch, bool, module->op_count);
  for (op_id op = module->op_count; op-- > 0;) {
    uint32_t flags = facts_of(work->facts, op)->flags;
    needed[op] |= (flags & acts) || !(flags & FACT_PURE) ||
                  !module->op_result_count[op] ||
                  (module->op_flags[op] & (OP_ROOT | OP_TERMINATOR));
    for (uint32_t i = 0; needed[op] && i < module->op_use_count[op]; i++) {
      op_id source = ir_value_op(module, ir_operand(module, op, i));
      if (source != NONE)
        needed[source] = true;
    }
  }
  return needed;
}

/* Does OP only give names to what is stored already? */
static bool
only_names(const struct work *work, op_id op) {
  return facts_of(work->facts, op)->flags &
         (FACT_TUPLE | FACT_ELEMENT | FACT_FORWARDS);
}

/* No plan needs less than the arguments that are HELD and one op's operands
 * and results.  Of temporaries alone it needs less by what a result's or a
 * donated argument's place can take in, where places are taken at all. */
static void
find_lower_bound(struct work *work, function_id function, uint64_t held) {
  const struct clock *clock = work->clock;
  struct liveness_function *f = &work->liveness->functions[function];
  op_id root = work->module->functions.data[function].root;
  bool taken = work->shares;
  f->lower_bound_op = f->lower_bound_temp_op = NONE;
  f->lower_bound_bytes = held;
  for (uint32_t tick = clock->function_begin[function];
       tick <= clock->function_end[function]; tick++) {
    op_id op = clock->tick_op[tick];
    if (op == NONE || clock->op_end[op] != tick)
      continue;
    taken |= takes_places(work, op);
    if (!work->needed[op] || (only_names(work, op) && op != root))
      continue;
    struct touched touched = touched_bytes(work, op);
    uint64_t bytes = saturating_add(held, touched.all);
    if (f->least_called_bytes < touched.all)
      f->least_called_bytes = touched.all;
    if (bytes > f->lower_bound_bytes) {
      f->lower_bound_bytes = bytes;
      f->lower_bound_op = op;
    }
    if (touched.temp > f->lower_bound_temp_bytes) {
      f->lower_bound_temp_bytes = touched.temp;
      f->lower_bound_temp_op = op;
    }
  }
  if (taken)
    f->lower_bound_temp_bytes = saturating_subtract(
        f->lower_bound_temp_bytes,
        saturating_add(f->result_bytes,
                       saturating_subtract(f->argument_bytes, held)));
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
      uint8_t kind = BUFFER_ARGUMENT | BUFFER_DONATED;
      if (buffer != NONE &&
          (buffers->flags[buffer] & kind) == BUFFER_ARGUMENT &&
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
  work->stamps =
      ARENA_ARRAY(work->program->scratch, uint32_t, work->buffers->count);
  for (uint32_t i = 0; i < clock->order_count; i++)
    sum_up(work, clock->order[i]);
  find_outside(work);
  for (uint32_t i = 0; i < clock->order_count; i++)
    find_lower_bound(work, clock->order[i], add_sizes(work, clock->order[i]));
  for (function_id i = 0; i < module->functions.count; i++) {
    if (clock->function_host[i] == NONE || clock->function_host[i] == i)
      continue;
    sum_inlined(work, i);
    add_sizes(work, i);
    /* What of it is its caller's depends on the caller's plan. */
    work->liveness->functions[i].lower_bound_op = NONE;
    work->liveness->functions[i].lower_bound_temp_op = NONE;
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
                      .shares = xla_applies(module),
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
  work.needed = needed_ops(&work);
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
