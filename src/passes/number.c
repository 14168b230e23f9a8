/* number.c - the table of expressions; see number.h.
 *
 * A node is interned by its kind, head and parts, all compared, so equal
 * numbers mean equal expressions whatever the hash does. */
#include "passes/number.h"

#include <string.h>

enum { FIRST_SLOTS = 1024 };

struct numbering *
numbering_new(struct arena *arena, bool through) {
  struct numbering *numbering = ARENA_NEW(arena, struct numbering);
  numbering->arena = arena;
  numbering->through = through;
  numbering->heads = string_table_new(arena);
  numbering->slot_count = FIRST_SLOTS;
  numbering->slots = ARENA_ARRAY(arena, uint32_t, FIRST_SLOTS);
  numbering->text.arena = arena;
  return numbering;
}

static uint32_t
hash_node(const struct numbering *n, const struct node *node) {
  uint32_t hash = 2166136261u;
  hash = (hash ^ node->kind) * 16777619u;
  hash = (hash ^ node->head) * 16777619u;
  hash = (hash ^ node->plain) * 16777619u;
  for (uint32_t i = 0; i < node->count; i++) {
    hash = (hash ^ n->parts.data[node->first + i]) * 2654435761u;
    hash ^= hash >> 15;
  }
  return hash ^ hash >> 16;
}

static bool
equal_nodes(const struct numbering *n, const struct node *a,
            const struct node *b) {
  return a->kind == b->kind && a->head == b->head && a->plain == b->plain &&
         a->count == b->count &&
         (!a->count ||
          memcmp(n->parts.data + a->first, n->parts.data + b->first,
                 a->count * sizeof *n->parts.data) == 0);
}

static void
enlarge_slots(struct numbering *n) {
  n->slot_count *= 2;
  n->slots = ARENA_ARRAY(n->arena, uint32_t, n->slot_count);
  for (uint32_t i = 0; i < n->nodes.count; i++) {
    uint32_t slot = hash_node(n, &n->nodes.data[i]) & (n->slot_count - 1);
    while (n->slots[slot])
      slot = (slot + 1) & (n->slot_count - 1);
    n->slots[slot] = i + 1;
  }
}

uint32_t
number_node(struct numbering *n, struct node node, const uint32_t *parts) {
  node.first = n->parts.count;
  for (uint32_t i = 0; i < node.count; i++)
    vector_push(n->arena, &n->parts, parts[i]);
  uint32_t slot = hash_node(n, &node) & (n->slot_count - 1);
  for (; n->slots[slot]; slot = (slot + 1) & (n->slot_count - 1))
    if (equal_nodes(n, &n->nodes.data[n->slots[slot] - 1], &node)) {
      n->parts.count = node.first;
      return n->slots[slot] - 1;
    }
  n->slots[slot] = n->nodes.count + 1;
  vector_push(n->arena, &n->nodes, node);
  vector_push(n->arena, &n->tuple, false);
  for (int side = 0; side < SIDES; side++) {
    vector_push(n->arena, &n->first_op[side], NONE);
    vector_push(n->arena, &n->instances[side], 0);
  }
  if (n->nodes.count > n->slot_count / 2)
    enlarge_slots(n);
  return n->nodes.count - 1;
}

void
number_difference(const struct numbering *n, uint32_t *a, uint32_t *b,
                  op_id around[SIDES]) {
  around[0] = around[1] = NONE;
  for (;;) {
    const struct node *x = &n->nodes.data[*a], *y = &n->nodes.data[*b];
    if (n->first_op[0].data[*a] != NONE && n->first_op[1].data[*b] != NONE) {
      around[0] = n->first_op[0].data[*a];
      around[1] = n->first_op[1].data[*b];
    }
    if (x->kind != y->kind || x->head != y->head || x->plain != y->plain ||
        x->count != y->count)
      return;
    uint32_t i = 0;
    while (i < x->count &&
           n->parts.data[x->first + i] == n->parts.data[y->first + i])
      i++;
    if (i == x->count || i < x->plain)
      return;
    *a = n->parts.data[x->first + i];
    *b = n->parts.data[y->first + i];
  }
}

const char *
number_name(const struct numbering *n, uint32_t number, struct arena *arena) {
  const struct node *node = &n->nodes.data[number];
  const uint32_t *parts = n->parts.data + node->first;
  struct text head = string_text(n->heads, node->head);
  const char *end = memchr(head.data, '\n', head.size);
  switch (node->kind) {
  case NODE_OP:
    return arena_printf(arena, "'%.*s'",
                        end ? (int)(end - head.data) : (int)head.size,
                        head.data);
  case NODE_RESULT:
    return arena_printf(arena, "result %u of %s", parts[0],
                        number_name(n, parts[1], arena));
  case NODE_EFFECT:
    return number_name(n, parts[2], arena);
  case NODE_ARGUMENT:
    return arena_printf(arena, "argument %u%s", parts[3],
                        parts[0] ? " of a body" : "");
  case NODE_REGION:
    return "a body";
  case NODE_FORWARD:
    return "a value that is defined behind";
  }
  return "";
}
