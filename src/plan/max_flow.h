/* max_flow.h - the most that flows from a source to a sink. */
#ifndef REMAT_PLAN_MAX_FLOW_H
#define REMAT_PLAN_MAX_FLOW_H

#include "support/vector.h"

/* More than any capacity that counts. */
#define MAX_FLOW_ENDLESS ((int64_t)1 << 61)

struct flow_edge {
  uint32_t to, next; /* the next edge from the same vertex */
  int64_t left;      /* of its capacity */
};

/* Zeroed but for `arena` and `effort`; edges come in pairs, each the way back
 * of the other. */
struct flow_network {
  struct arena *arena;
  uint64_t effort; /* edges that may still be looked at */
  uint32_t vertices;
  uint32_t *first; /* edge by vertex */
  uint32_t *level, *current, *queue;
  VECTOR(struct flow_edge) edges;
};

/* Make NETWORK have VERTICES vertices and no edges. */
void flow_begin(struct flow_network *network, uint32_t vertices);

/* Let CAPACITY flow from FROM to TO. */
void flow_edge(struct flow_network *network, uint32_t from, uint32_t to,
               int64_t capacity);

/* The maximal flow from SOURCE to SINK; edges keep what is left of them.
 * Where the effort ends before, it is 0 then, and the flow is less than the
 * most.  O(V^2 E), far less on the networks of this tool. */
int64_t flow_most(struct flow_network *network, uint32_t source, uint32_t sink);

#endif
