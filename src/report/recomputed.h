/* recomputed.h - what the dump's producer recomputes already. */
#ifndef REMAT_REPORT_RECOMPUTED_H
#define REMAT_REPORT_RECOMPUTED_H

#include "ir/ir.h"

/* By function of MODULE, in ARENA: how many of its ops are there again.
 * jax.checkpoint names those `rematted_computation`, XLA's own pass calls its
 * clones x.remat, ours are called so too.  O(ops). */
uint64_t *recomputed_count(struct arena *arena, const struct ir_module *module);

#endif
