/* trips.c - see trips.h. */
#include "passes/trips.h"
#include "passes/loops.h"

const uint64_t *
trips_find(struct arena *arena, const struct ir_module *module,
           const struct facts *facts) {
  struct arena scratch = {0};
  struct flattener *flattener = NULL;
  uint64_t *trips = NULL;
  for (op_id op = 0; op < module->op_count; op++) {
    if (facts_of(facts, op)->body != BODY_LOOP ||
        flat_action(module, op) != ACTION_WHILE)
      continue;
    if (!flattener) {
      flattener = flattener_new(&scratch, module);
      trips = ARENA_ARRAY(arena, uint64_t, module->op_count);
    }
    struct loop *loop = loop_flatten(flattener, op);
    loop_count(&scratch, module, loop);
    if (!loop->refused)
      trips[op] = loop->trips;
  }
  arena_empty(&scratch);
  return trips;
}
