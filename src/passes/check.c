/* check.c - see check.h: each in a way of its own, slower than the pass. */
#include "passes/check.h"

#include "passes/liveness.h"

/* Is every leaf that an op reads in a buffer that is needed then? */
static const char *
check_op(const struct program *program, op_id op) {
  const struct ir_module *module = program->input;
  const struct buffers *buffers = program->buffers;
  uint32_t tick = buffers->clock->op_begin[op];
  for (uint32_t i = 0; i < module->op_use_count[op]; i++) {
    value_id value = ir_operand(module, op, i);
    uint32_t first = facts_first_leaf(program->facts, value);
    uint32_t end = facts_first_leaf(program->facts, value + 1);
    /* A tuple's element is read alone, and an empty one has none. */
    if (end != first + 1)
      continue;
    uint32_t buffer = buffers->leaf_buffer[first];
    if (buffer != NONE && !buffers_live(buffers, buffer, tick))
      return "an op reads a buffer that is not needed then";
  }
  return NULL;
}

const char *
check_buffers(const struct program *program) {
  const struct ir_module *module = program->input;
  const struct buffers *buffers = program->buffers;
  for (uint32_t i = 0; i < buffers->count; i++)
    if (buffers->begin[i] > buffers->end[i] ||
        buffers->end[i] >= buffers->clock->tick_count)
      return "a buffer ends before it begins";
  for (op_id op = 0; op < module->op_count; op++) {
    if (buffers->clock->op_begin[op] == NONE)
      continue;
    const char *fault = check_op(program, op);
    if (fault)
      return fault;
  }
  return NULL;
}

/* Bytes of all buffers that are needed at TICK, one by one. */
static uint64_t
live_at(const struct program *program, uint32_t tick) {
  const struct buffers *buffers = program->liveness->buffers;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < buffers->count; i++)
    if (buffers_live(buffers, i, tick))
      bytes = saturating_add(bytes, buffers->bytes[i]);
  return bytes;
}

const char *
check_liveness(const struct program *program) {
  const struct ir_module *module = program->input;
  const struct clock *clock = program->liveness->buffers->clock;
  for (function_id i = 0; i < module->functions.count; i++) {
    const struct liveness_function *f = &program->liveness->functions[i];
    if (!f->runs || clock->function_host[i] != i || clock->recursive[i])
      continue;
    op_id op = clock->tick_op[f->peak_tick];
    uint64_t bytes = live_at(program, f->peak_tick);
    if (op != NONE && clock->op_end[op] == f->peak_tick &&
        program->facts->op_workspace)
      bytes = saturating_add(bytes, program->facts->op_workspace[op]);
    if (op != NONE && clock->op_begin[op] == f->peak_tick &&
        clock->op_end[op] != f->peak_tick)
      bytes = saturating_add(
          bytes, liveness_called_bytes(program->liveness, module, op));
    if (bytes != f->peak_bytes && f->peak_bytes != UINT64_MAX)
      return "a peak is not the sum of what is live there";
    if (f->peak_temp_bytes > f->peak_bytes)
      return "temporaries need more than everything";
    if (f->lower_bound_bytes > f->peak_bytes)
      return "a lower bound is above the peak";
  }
  return NULL;
}
