/* trips.h - how often loops run whose condition counts.
 *
 * A `while` says only when it goes on.  Where that compares a counter that
 * begins at a constant and takes constant steps with a constant, the number of
 * its iterations is known (loops.h). */
#ifndef REMAT_PASSES_TRIPS_H
#define REMAT_PASSES_TRIPS_H

#include "passes/facts.h"

/* By op of MODULE, in ARENA: how often it runs its body, 0 where that is not
 * known; NULL where no op is such a loop.  O(ops of the loops' bodies), again
 * for each loop that an op is inside of. */
const uint64_t *trips_find(struct arena *arena, const struct ir_module *module,
                           const struct facts *facts);

#endif
