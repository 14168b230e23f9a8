/* spaces.c - see spaces.h.  One difference array for each memory that occurs;
 * O(buffers + ticks) for each. */
#include "report/spaces.h"

#include "passes/pass.h"

/* The memory that BUFFER is in, 0 for the device's own. */
static uint32_t
space_of(const struct program *program, uint32_t buffer) {
  const struct ir_module *module = program->input;
  value_id value = program->liveness->buffers->value[buffer];
  type_id type = module->value_type[value];
  return type == TYPE_NONE ? 0 : type_get(module->types, type)->memory_space;
}

static bool
is_of(const struct buffers *buffers, uint32_t buffer, function_id function) {
  const struct clock *clock = buffers->clock;
  return buffers->begin[buffer] >= clock->function_begin[function] &&
         buffers->end[buffer] <= clock->function_end[function];
}

static uint64_t
peak_in(const struct program *program, function_id function, uint32_t space) {
  const struct buffers *buffers = program->liveness->buffers;
  const struct clock *clock = buffers->clock;
  const struct ir_module *module = program->input;
  struct arena arena = {0};
  uint32_t begin = clock->function_begin[function];
  uint32_t ticks = clock->function_end[function] - begin + 2;
  uint64_t *change = ARENA_ARRAY(&arena, uint64_t, ticks);
  uint64_t live = 0, peak = 0;
  for (uint32_t i = 0; i < buffers->count; i++) {
    if (space_of(program, i) != space || !is_of(buffers, i, function))
      continue;
    value_id value = buffers->value[i];
    uint64_t bytes =
        rules_type_bytes(program->facts->binding, ir_value_op(module, value), 0,
                         module->value_type[value])
            .bytes;
    change[buffers->begin[i] - begin] += bytes;
    change[buffers->end[i] - begin + 1] -= bytes;
  }
  for (uint32_t i = 0; i < ticks; i++) {
    live += change[i];
    peak = live > peak ? live : peak;
  }
  arena_empty(&arena);
  return peak;
}

uint32_t
spaces_peaks(const struct program *program, function_id function,
             struct space_peak *peaks, uint32_t capacity) {
  const struct buffers *buffers = program->liveness->buffers;
  uint32_t count = 0, last = 0;
  while (count < capacity) {
    /* The lowest memory beyond the last one that something is in. */
    uint32_t next = UINT32_MAX;
    for (uint32_t i = 0; i < buffers->count; i++) {
      uint32_t space = space_of(program, i);
      if (space > last && space < next && is_of(buffers, i, function))
        next = space;
    }
    if (next == UINT32_MAX)
      return count;
    last = next;
    const char *domain =
        rules_memory_domain(program->rules, program->device, next);
    if (domain)
      peaks[count++] =
          (struct space_peak){next, domain, peak_in(program, function, next)};
  }
  return count;
}
