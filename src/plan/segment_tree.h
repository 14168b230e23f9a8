/* segment_tree.h - add to a range, ask for the largest of a range.
 *
 * Over the profile of a sequence: positions are 0 up to the count given.  A
 * range runs from FIRST to LAST, both in it; FIRST > LAST is empty. */
#ifndef REMAT_PLAN_SEGMENT_TREE_H
#define REMAT_PLAN_SEGMENT_TREE_H

#include "support/arena.h"

struct segment_node {
  int64_t max; /* of the leaves below, with the additions from here down */
  int64_t add; /* to all leaves below */
};

struct segment_tree {
  uint32_t size; /* leaves: a power of two, one spare at either end */
  struct segment_node *nodes;
};

/* A tree over VALUES[COUNT], in ARENA: O(COUNT). */
void segment_tree_build(struct segment_tree *tree, const int64_t *values,
                        uint32_t count, struct arena *arena);

/* Add BYTES to positions FIRST..LAST: O(log count). */
void segment_tree_add(struct segment_tree *tree, uint32_t first, uint32_t last,
                      int64_t bytes);

/* The largest of FIRST..LAST, INT64_MIN / 2 where that is empty. */
int64_t segment_tree_max(const struct segment_tree *tree, uint32_t first,
                         uint32_t last);

/* The largest of all. */
static inline int64_t
segment_tree_top(const struct segment_tree *tree) {
  return tree->nodes[1].max;
}

#endif
