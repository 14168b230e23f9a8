/* portfolio.h - all decoders on one order of a problem; inside src/plan. */
#ifndef REMAT_PLAN_PORTFOLIO_H
#define REMAT_PLAN_PORTFOLIO_H

#include "plan/planner.h"

/* KEEP WITH the tables in portfolio.c: gap settings first, then the walk's,
 * then the chain planner. */
enum {
  PLAN_CAREFUL_DECODER = 4, /* from here on careful gap settings */
  PLAN_GAP_DECODERS = 6,
  PLAN_WALK_DECODERS = 5,
  PLAN_CHAIN_DECODER = PLAN_GAP_DECODERS + PLAN_WALK_DECODERS,
  PLAN_DECODER_COUNT,
};

/* "gap-count", "walk-far", ... */
extern const char *const plan_decoder_names[PLAN_DECODER_COUNT];

/* The decoders that STRATEGY runs on a problem of NODES nodes, as bits. */
uint32_t plan_decoders_of(const struct plan_settings *settings, uint32_t nodes);

/* Run decoder DECODER (an index) towards GOAL, with elimination after it.
 * True where *SEQUENCE, in ARENA, fits the goal. */
bool plan_decode(const struct plan_problem *problem,
                 const struct plan_goal *goal,
                 const struct plan_settings *settings, uint32_t decoder,
                 struct plan_sequence *sequence, struct arena *arena);

/* Bring *SEQUENCE, which is over the budget, under it by walking the graph of
 * its instances.  False, and nothing changed, where that does not fit. */
bool plan_repair(const struct plan_problem *problem,
                 const struct plan_goal *goal,
                 const struct plan_simulate_settings *settings,
                 struct plan_sequence *sequence, struct arena *arena);

/* Is A, which fits, to be preferred to B, which does too: cheaper, then
 * shorter? */
bool plan_better(const struct plan_figures *a, const struct plan_figures *b);

#endif
