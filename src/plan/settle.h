/* settle.h - what closes others comes behind them. */
#ifndef REMAT_PLAN_SETTLE_H
#define REMAT_PLAN_SETTLE_H

#include "plan/problem.h"

/* Put nodes of *SEQUENCE that others do not run behind, and that nothing reads,
 * behind the last of those, into a new sequence in ARENA where that changes
 * anything.  False where some stay in front of one. */
bool plan_settle(const struct plan_problem *problem,
                 struct plan_sequence *sequence, struct arena *arena);

#endif
