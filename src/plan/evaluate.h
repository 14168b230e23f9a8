/* evaluate.h - what a sequence costs, and how much is live when.
 *
 * This is the model that every planner is held to (problem.h says it in
 * words); the claimed peak of a plan is the one found here. */
#ifndef REMAT_PLAN_EVALUATE_H
#define REMAT_PLAN_EVALUATE_H

#include "plan/problem.h"

/* The life of every value of a sequence.  A slot is one value of one
 * instance: the results of the instance at position P are the slots
 * slot_begin[P] up to slot_begin[P + 1]. */
struct plan_timeline {
  const struct plan_problem *problem;
  const uint32_t *nodes;
  uint32_t count, slot_count;
  uint32_t *slot_begin;         /* by position */
  uint32_t *read_begin, *reads; /* slots, in the order of the operands */
  uint32_t *owner;              /* by slot: position of its instance */
  uint32_t *last;   /* by slot: last position that reads it, its own where
                       none does, `count` where it is returned */
  int64_t *profile; /* by position: bytes live */
  int64_t peak_bytes;
  uint32_t peak_position;
};

struct plan_figures {
  uint64_t peak_bytes, cost_ns;
  uint32_t peak_position;
  uint32_t clones; /* executions beyond the first of their node */
  uint32_t erased; /* nodes that do not run at all */
};

/* The timeline of SEQUENCE, in ARENA.  False where an operand has no instance
 * before its reader, or a returned value none at all. */
bool plan_timeline_build(struct plan_timeline *timeline,
                         const struct plan_problem *problem,
                         struct plan_sequence sequence, struct arena *arena);

/* Bytes that position P saves because results take over the storage of SLOT,
 * which dies there; 0 where none does. */
int64_t plan_takeover(const struct plan_timeline *timeline, uint32_t position,
                      uint32_t slot);

/* The value that SLOT holds an instance of. */
static inline uint32_t
plan_slot_value(const struct plan_timeline *timeline, uint32_t slot) {
  uint32_t position = timeline->owner[slot];
  return timeline->problem->result_begin[timeline->nodes[position]] + slot -
         timeline->slot_begin[position];
}

/* Evaluate SEQUENCE in one pass: O(instances and their operands).  False
 * where it does not run. */
bool plan_evaluate(const struct plan_problem *problem,
                   struct plan_sequence sequence, struct plan_figures *figures);

/* Is SEQUENCE a plan: does it run, does each node that runs once do so, are
 * all edges obeyed? */
bool plan_valid(const struct plan_problem *problem,
                struct plan_sequence sequence);

/* Drop the instances that nothing reads, in place and in one backward sweep.
 * Returns how many went. */
uint32_t plan_drop_dead(const struct plan_problem *problem,
                        struct plan_sequence *sequence);

#endif
