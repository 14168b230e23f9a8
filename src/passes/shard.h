/* shard.h - what of a value one device holds, in a module that is not yet
 * partitioned.
 *
 * Such a module has global shapes.  Where a sharding annotation stands beside
 * a value (mhlo.sharding, sdy.sharding, HLO's sharding=), or beside the result
 * of a function that it is returned as, its dims are divided by it; where none
 * does, nobody can tell. */
#ifndef REMAT_PASSES_SHARD_H
#define REMAT_PASSES_SHARD_H

#include "passes/pass.h"

struct shards;

/* Ready to answer for MODULE, in ARENA; NULL where its shapes are per device
 * anyway: one partition, or scheduled, which is past partitioning. */
struct shards *shards_new(struct arena *arena, const struct ir_module *module);

/* The type of VALUE, which is a result of op or an argument, as one device
 * holds it, entered into the module's types; its own type where an annotation
 * says that it is not divided; TYPE_NONE where there is no annotation. */
type_id shards_type(struct shards *shards, value_id value);

#endif
