/* move.h - a better order without any clone. */
#ifndef REMAT_PLAN_MOVE_H
#define REMAT_PLAN_MOVE_H

#include "plan/evaluate.h"
#include "plan/random.h"

/* Look for an order of the needed nodes whose peak is within BUDGET_BYTES,
 * with about WORK instances handled after the plain orders.  Into *SEQUENCE,
 * in ARENA: the first that fits, else the one with the lowest peak; *NAME
 * says where it came from.  Returns whether it fits. */
bool plan_move(const struct plan_problem *problem, uint64_t budget_bytes,
               uint64_t work, struct plan_sequence *sequence, const char **name,
               struct arena *arena);

/* Move one instance of SEQUENCE at random to another place between what it
 * reads and what reads it; later by preference. */
void plan_move_one(const struct plan_problem *problem,
                   struct plan_random *random, struct plan_sequence *sequence);

#endif
