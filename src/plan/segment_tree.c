/* segment_tree.c - see segment_tree.h.
 *
 * Walked from the leaves up, additions are never pushed down: the maximum of
 * a node is that of its children plus its own addition. */
#include "plan/segment_tree.h"

#define LEAST (INT64_MIN / 2)

static int64_t
larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

static void
pull(struct segment_node *nodes, uint32_t i) {
  nodes[i].max = larger(nodes[2 * i].max, nodes[2 * i + 1].max) + nodes[i].add;
}

void
segment_tree_build(struct segment_tree *tree, const int64_t *values,
                   uint32_t count, struct arena *arena) {
  uint32_t size = 2;
  while (size < count + 2)
    size *= 2;
  tree->size = size;
  tree->nodes = ARENA_ARRAY(arena, struct segment_node, (size_t)size * 2);
  for (uint32_t i = 0; i < size; i++)
    tree->nodes[size + i].max = LEAST;
  for (uint32_t i = 0; i < count; i++)
    tree->nodes[size + i + 1].max = values[i];
  for (uint32_t i = size; i-- > 1;)
    pull(tree->nodes, i);
}

static void
raise_node(struct segment_node *node, int64_t bytes) {
  node->max += bytes;
  node->add += bytes;
}

void
segment_tree_add(struct segment_tree *tree, uint32_t first, uint32_t last,
                 int64_t bytes) {
  if (first > last)
    return;
  struct segment_node *nodes = tree->nodes;
  uint32_t left = tree->size + first, right = tree->size + last + 2;
  while ((left ^ right) != 1) {
    if (!(left & 1))
      raise_node(&nodes[left + 1], bytes);
    if (right & 1)
      raise_node(&nodes[right - 1], bytes);
    pull(nodes, left /= 2);
    pull(nodes, right /= 2);
  }
  while (left > 1)
    pull(nodes, left /= 2);
}

int64_t
segment_tree_max(const struct segment_tree *tree, uint32_t first,
                 uint32_t last) {
  if (first > last)
    return LEAST;
  const struct segment_node *nodes = tree->nodes;
  uint32_t left = tree->size + first, right = tree->size + last + 2;
  int64_t below_left = LEAST, below_right = LEAST;
  while ((left ^ right) != 1) {
    if (!(left & 1))
      below_left = larger(below_left, nodes[left + 1].max);
    if (right & 1)
      below_right = larger(below_right, nodes[right - 1].max);
    below_left += nodes[left /= 2].add;
    below_right += nodes[right /= 2].add;
  }
  int64_t max = larger(below_left, below_right);
  while (left > 1)
    max += nodes[left /= 2].add;
  return max;
}
