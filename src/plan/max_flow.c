/* max_flow.c - see max_flow.h.
 *
 * Dinic's algorithm: levels by breadth-first search from the source, then
 * paths that go down a level with every edge, found by a walk that backs up
 * from dead ends and never tries an edge twice in a phase.  Without
 * recursion: paths are as long as programs. */
#include "plan/max_flow.h"

#include <string.h>

#define NONE_LEFT UINT32_MAX

void
flow_begin(struct flow_network *network, uint32_t vertices) {
  struct arena *arena = network->arena;
  *network = (struct flow_network){
      .arena = arena, .effort = network->effort, .vertices = vertices};
  network->first = ARENA_ARRAY(arena, uint32_t, vertices);
  network->level = ARENA_ARRAY(arena, uint32_t, vertices);
  network->current = ARENA_ARRAY(arena, uint32_t, vertices);
  network->queue = ARENA_ARRAY(arena, uint32_t, vertices);
  memset(network->first, 0xff, vertices * sizeof *network->first);
}

/* Look at COUNT edges.  False where there is no effort left for that. */
static bool
spend(struct flow_network *network, uint32_t count) {
  bool enough = network->effort > count;
  network->effort = enough ? network->effort - count : 0;
  return enough;
}

static void
add_edge(struct flow_network *network, uint32_t from, uint32_t to,
         int64_t capacity) {
  struct flow_edge edge = {to, network->first[from], capacity};
  network->first[from] = network->edges.count;
  vector_push(network->arena, &network->edges, edge);
}

void
flow_edge(struct flow_network *network, uint32_t from, uint32_t to,
          int64_t capacity) {
  add_edge(network, from, to, capacity);
  add_edge(network, to, from, 0);
}

/* Distances from SOURCE over edges with something left.  False where SINK
 * cannot be reached, or not with the effort that is left. */
static bool
set_levels(struct flow_network *network, uint32_t source, uint32_t sink) {
  uint32_t head = 0, tail = 0;
  memset(network->level, 0xff, network->vertices * sizeof *network->level);
  network->level[source] = 0;
  network->queue[tail++] = source;
  while (head < tail) {
    uint32_t vertex = network->queue[head++];
    if (!spend(network, 1))
      return false;
    for (uint32_t e = network->first[vertex]; e != NONE_LEFT;
         e = network->edges.data[e].next) {
      const struct flow_edge *edge = &network->edges.data[e];
      if (!edge->left || network->level[edge->to] != NONE_LEFT)
        continue;
      network->level[edge->to] = network->level[vertex] + 1;
      network->queue[tail++] = edge->to;
    }
  }
  return network->level[sink] != NONE_LEFT;
}

/* Send what the path of DEPTH edges PATH carries; returns it, and the place
 * of the first edge that is full in *FULL. */
static int64_t
send(struct flow_network *network, const uint32_t *path, uint32_t depth,
     uint32_t *full) {
  int64_t least = MAX_FLOW_ENDLESS;
  for (uint32_t i = 0; i < depth; i++)
    if (network->edges.data[path[i]].left < least) {
      least = network->edges.data[path[i]].left;
      *full = i;
    }
  for (uint32_t i = 0; i < depth; i++) {
    network->edges.data[path[i]].left -= least;
    network->edges.data[path[i] ^ 1].left += least;
  }
  return least;
}

/* All that flows along the levels.  PATH is the edges from the source to the
 * vertex that the walk is at. */
static int64_t
block_flow(struct flow_network *network, uint32_t source, uint32_t sink,
           uint32_t *path) {
  int64_t sum = 0;
  uint32_t depth = 0, vertex = source;
  memcpy(network->current, network->first,
         network->vertices * sizeof *network->first);
  for (;;) {
    if (vertex == sink) {
      uint32_t full = 0;
      sum += send(network, path, depth, &full);
      spend(network, depth);
      depth = full;
      vertex = network->edges.data[path[depth] ^ 1].to;
    }
    uint32_t e = network->current[vertex];
    if (!spend(network, 1))
      return sum;
    if (e == NONE_LEFT) {
      if (!depth)
        return sum;
      /* A dead end: back, and not that way again. */
      vertex = network->edges.data[path[--depth] ^ 1].to;
      network->current[vertex] =
          network->edges.data[network->current[vertex]].next;
      continue;
    }
    const struct flow_edge *edge = &network->edges.data[e];
    if (edge->left && network->level[edge->to] == network->level[vertex] + 1) {
      path[depth++] = e;
      vertex = edge->to;
    } else {
      network->current[vertex] = edge->next;
    }
  }
}

int64_t
flow_most(struct flow_network *network, uint32_t source, uint32_t sink) {
  uint32_t *path = ARENA_ARRAY(network->arena, uint32_t, network->vertices);
  int64_t sum = 0;
  while (set_levels(network, source, sink))
    sum += block_flow(network, source, sink, path);
  return sum;
}
