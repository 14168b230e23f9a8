/* search.h - anytime search for a cheaper plan. */
#ifndef REMAT_PLAN_SEARCH_H
#define REMAT_PLAN_SEARCH_H

#include "plan/portfolio.h"

/* Improve *SEQUENCE, a plan within BUDGET_BYTES, for as much work as
 * settings->search_seconds stands for.  It never becomes worse by cost, then
 * length.  Returns whether it changed; the sequence lives in ARENA. */
bool plan_search(const struct plan_problem *problem, uint64_t budget_bytes,
                 const struct plan_settings *settings,
                 struct plan_sequence *sequence, struct arena *arena);

#endif
