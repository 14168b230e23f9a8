/* pack.c - see pack.h.
 *
 * First fit by decreasing size: for each buffer, those already placed that
 * live at the same time, by their place; the first gap that is large enough.
 * O(n * k log k) for k buffers alive at once, given up beyond a bound. */
#include "report/pack.h"

#include "passes/pass.h"

#include <stdlib.h>
#include <string.h>

/* More looks at placed buffers than this take too long. */
static const uint64_t most_looks = UINT64_C(100000000);

struct block {
  uint64_t bytes, place;
  uint32_t begin, end;
  uint32_t number; /* ties go to the lower */
};

struct packing {
  VECTOR(struct block) blocks;
  uint32_t *by_place; /* placed ones, by place */
  uint32_t placed;
  uint64_t looks;
};

static int
compare_blocks(const void *a, const void *b) {
  const struct block *x = a, *y = b;
  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* Place BLOCK in the lowest gap among those that live with it; they are kept
 * in the order of their places. */
static void
place(struct packing *packing, uint32_t number) {
  struct block *block = &packing->blocks.data[number];
  uint64_t at = 0;
  for (uint32_t i = 0; i < packing->placed; i++) {
    const struct block *other = &packing->blocks.data[packing->by_place[i]];
    if (other->place >= saturating_add(at, block->bytes))
      break;
    if (other->end < block->begin || other->begin > block->end)
      continue;
    uint64_t end = saturating_add(other->place, other->bytes);
    at = end > at ? end : at;
  }
  block->place = at;
  uint32_t to = packing->placed++;
  for (; to > 0 && packing->blocks.data[packing->by_place[to - 1]].place > at;
       to--)
    packing->by_place[to] = packing->by_place[to - 1];
  packing->by_place[to] = number;
  packing->looks += packing->placed;
}

/* Where the last of PACKING's blocks ends; false beyond the bound. */
static bool
pack(struct packing *packing, struct arena *arena, uint64_t *bytes) {
  uint32_t count = packing->blocks.count;
  *bytes = 0;
  packing->placed = 0;
  if (count == 0)
    return true;
  packing->by_place = ARENA_ARRAY(arena, uint32_t, count);
  qsort(packing->blocks.data, count, sizeof *packing->blocks.data,
        compare_blocks);
  for (uint32_t i = 0; i < count; i++) {
    place(packing, i);
    const struct block *block = &packing->blocks.data[i];
    uint64_t end = saturating_add(block->place, block->bytes);
    *bytes = end > *bytes ? end : *bytes;
    if (packing->looks > most_looks)
      return false;
  }
  return true;
}

static void
add_block(struct packing *packing, struct arena *arena, uint64_t bytes,
          uint32_t begin, uint32_t end) {
  struct block block = {bytes, 0, begin, end, packing->blocks.count};
  if (bytes)
    vector_push(arena, &packing->blocks, block);
}

/* The blocks of FUNCTION: buffers, workspaces, and what is called. */
static void
collect(struct packing *packing, struct arena *arena,
        const struct ir_module *module, const struct facts *facts,
        const struct liveness *liveness, function_id function) {
  const struct buffers *buffers = liveness->buffers;
  const struct clock *clock = buffers->clock;
  uint32_t begin = clock->function_begin[function];
  uint32_t end = clock->function_end[function];
  packing->blocks.count = 0;
  for (uint32_t i = 0; i < buffers->count; i++)
    if (buffers->begin[i] >= begin && buffers->end[i] <= end)
      add_block(packing, arena, buffers->bytes[i], buffers->begin[i],
                buffers->end[i]);
  for (uint32_t tick = begin; tick <= end; tick++) {
    op_id op = clock->tick_op[tick];
    if (op == NONE)
      continue;
    if (facts->op_workspace && clock->op_end[op] == tick)
      add_block(packing, arena, facts->op_workspace[op], tick, tick);
    if (module->calls.count && clock->op_begin[op] == tick)
      add_block(packing, arena, liveness_called_bytes(liveness, module, op),
                tick, tick);
  }
}

uint64_t *
pack_functions(struct arena *arena, const struct program *program) {
  const struct ir_module *input = program->input;
  const struct ir_module *module = program->made ? program->made : input;
  const struct facts *facts =
      program->made ? program->made_facts : program->facts;
  const struct liveness *liveness =
      program->made ? program->made_liveness : program->liveness;
  struct arena scratch = {0};
  struct packing packing = {0};
  uint64_t *packed = ARENA_ARRAY(arena, uint64_t, input->functions.count);
  bool good = true;
  for (function_id i = 0; i < module->functions.count && good; i++) {
    const struct ir_function *f = &module->functions.data[i];
    uint64_t bytes;
    if (!liveness->functions[i].runs || (program->made && f->copy))
      continue;
    collect(&packing, &scratch, module, facts, liveness, i);
    good = pack(&packing, &scratch, &bytes);
    packed[program->made ? f->origin : i] = bytes;
  }
  arena_empty(&scratch);
  return good ? packed : NULL;
}
