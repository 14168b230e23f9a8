/* fence.h - cutting a plan so that no scheduler can undo it.
 *
 *   segment   fence   segment   fence   segment
 *
 * A fence is a barrier over all that one segment hands to later ones, and over
 * all that the next one reads: no op of the next can run before it, none of
 * the one before after it.  A segment is cut where what is live when it begins
 * and all that it makes, together with its largest workspace, would pass the
 * limit: then no order of its ops can pass it.
 *
 * For files fence*.c and fused_expand.c. */
#ifndef REMAT_PASSES_FENCE_H
#define REMAT_PASSES_FENCE_H

#include "passes/fused.h"
#include "passes/plan.h"
#include "plan/planner.h"

/* A plan of a block with the places where it is cut. */
struct fence_cuts {
  const struct fused_block *block;
  struct plan_timeline timeline;
  int64_t *taken;   /* by slot: bytes of it that a result of the instance that
                       reads it last takes over, if no fence is between */
  uint32_t *starts; /* positions at which segments begin, the first is 0 */
  uint32_t count;
  uint64_t bound_bytes; /* no order inside of segments needs more */
  uint32_t operandless; /* nodes that no fence holds, for they read nothing */
  uint64_t loose_bytes; /* what they make */
};

/* Values that may be better kept in memory, though their readers would compute
 * them: much smaller than what they are made of, or read late. */
enum { HELD_COMPACT = 1, HELD_LATE = 2, HELD_SETS = 3 };

/* By value of the module of STORED: is it of one of KINDS?  In ARENA, NULL
 * where there are not values of each. */
bool *fence_held(const struct stored *stored, uint32_t kinds,
                 struct arena *arena);

/* How many segments are wanted. */
enum fence_fineness { FENCE_NONE, FENCE_FEWEST, FENCE_MOST };

/* Cut SEQUENCE of BLOCK for LIMIT bytes, in ARENA.  False where it does not
 * run. */
bool fence_cut(struct fence_cuts *cuts, const struct fused_block *block,
               struct plan_sequence sequence, uint64_t limit,
               enum fence_fineness fineness, struct arena *arena);

/* The workspace of the instance at P, where it is needed only while that
 * runs. */
uint64_t fence_own_workspace(const struct fence_cuts *cuts, uint32_t p);

/* What the instance at P makes, with workspace that others may run beside. */
uint64_t fence_made_bytes(const struct fence_cuts *cuts, uint32_t p);

/* Does the instance at P take over the place of SLOT, though a fence may hand
 * that on? */
bool fence_always_in_place(const struct fence_cuts *cuts, uint32_t p,
                           uint32_t slot);

/* Bytes of SLOT that results of the instance at P take over. */
int64_t fence_takeover(const struct fence_cuts *cuts, uint32_t p,
                       uint32_t slot);

/* Is SLOT the token of a reader of an argument, so that what reads SLOT writes
 * over that?  Only a fence keeps the reader in front. */
bool fence_waits(const struct fence_cuts *cuts, uint32_t slot);

/* In END[start], for each place of CUTS to start at, where the longest segment
 * ends that may begin there: with LIVE_IN[start] it stays within LIMIT whatever
 * its order, or is one instance. */
void fence_reach(const struct fence_cuts *cuts, const uint64_t *live_in,
                 uint64_t limit, uint32_t *end);

/* Planning under way. */
struct fencing {
  struct program *program;
  struct fused *fused;     /* of the input; blocks that are planned count with
                              what their plan needs */
  struct fused *unordered; /* the same, where ops may run in any order that
                              fences leave */
  struct fused *held[HELD_SETS]; /* by kinds - 1: the same as the first, where
                                    what is of one is kept; NULL: nothing is */
  struct plan_settings settings;
  bool fences;
  uint64_t *block_goal; /* by block: the least that a plan of it was to need,
                           UINT64_MAX where there is none */
  uint32_t depth;       /* of bodies in bodies */
  uint64_t work;        /* of the planners so far */
  uint64_t measured;    /* instances of plans of this block so far */
  VECTOR(struct plan_block) blocks; /* plans so far */
};

/* A plan of one block. */
struct fence_plan {
  struct plan_block block;
  struct plan_result result;
  struct fence_cuts cuts;
  uint64_t measured_bytes; /* in any order that its fences leave; bodies of its
                              ops in their order */
  uint64_t least_bytes;    /* that planners reach, 0 where they met the goal */
  uint64_t packed_bytes;   /* what an allocator makes of it, in its order */
  bool made;
};

/* BLOCK needs BYTES from now on, in whatever order its fences leave. */
void fence_set_peak(struct fencing *fencing, block_id block, uint64_t bytes);

/* The best plan of BLOCK for LIMIT bytes, bodies of its ops left as they are.
 */
struct fence_plan fence_find(struct fencing *fencing, block_id block,
                             uint64_t limit);

/* Plan BLOCK for LIMIT bytes, and the bodies of its ops with what it leaves to
 * them; plans that are kept go to FENCING's blocks.  Returns what all of it
 * needs then; the plan of the block itself in *PLAN. */
uint64_t fence_plan_block(struct fencing *fencing, block_id block,
                          uint64_t limit, struct fence_plan *plan);

/* The program of all plans so far, with PLAN (may be NULL) for its block, as a
 * fusing compiler runs it, in ARENA; bodies in any order if UNORDERED. */
struct fused *fence_made(struct fencing *fencing, const struct plan_block *plan,
                         bool unordered, struct arena *arena);

/* Bytes that BLOCK of the input needs, with PLAN of it (NULL: as it is) and
 * all plans so far: bodies of its ops in any order if UNORDERED, else in
 * theirs.  In *PACKED (may be NULL) what an allocator makes of it. */
uint64_t fence_measure(struct fencing *fencing, block_id block,
                       const struct plan_block *plan, bool unordered,
                       uint64_t *packed);

/* The ops that CUTS stands for: virtual ops beside the nodes that read through
 * them, in each segment again; fences between; the terminator last. */
struct plan_block fused_expand(struct fence_cuts *cuts, struct arena *arena);

#endif
