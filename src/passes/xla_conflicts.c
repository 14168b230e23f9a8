/* xla_conflicts.c - who reads what was written over.
 *
 * Values that must share a buffer (xla_groups.c) may never be needed at once:
 * in the module that XLA scheduled its own copies see to that, and nothing adds
 * copies any more.  An op that moved, or a clone, can read a value when its
 * buffer already holds the next one.
 *
 *   %b = dynamic-update-slice(%a, ...)    in %a's buffer
 *   %c.remat = negate(%a)                 reads %b's bytes
 *
 * What a loop hands on unchanged is the same content before, in and behind it,
 * and may be read at any time.
 *
 * O(values * log values), and the readers of what is found. */
#include "passes/xla.h"

#include <stdlib.h>
#include <string.h>

struct member {
  uint32_t group, value, begin;
};

struct search {
  struct xla *xla;
  struct arena *arena;
  struct xla_conflicts *found;
  uint32_t *content; /* by leaf: union-find of values that are equal */
};

static int
compare_members(const void *a, const void *b) {
  const struct member *x = a, *y = b;
  if (x->group != y->group)
    return x->group < y->group ? -1 : 1;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  return x->value < y->value ? -1 : x->value > y->value;
}

static uint32_t
content_of(struct search *search, uint32_t leaf) {
  uint32_t value = search->xla->source[leaf];
  while (search->content[value] != value)
    value = search->content[value];
  return value;
}

static bool
equate(struct search *search, uint32_t a, uint32_t b) {
  a = content_of(search, a);
  b = content_of(search, b);
  search->content[a > b ? a : b] = a > b ? b : a;
  return a != b;
}

/* Equate what the loop OP hands on unchanged; true where that was news. */
static bool
equate_loop(struct search *search, op_id op) {
  struct xla *xla = search->xla;
  const struct ir_module *m = xla->module;
  uint32_t count;
  bool news = false;
  const struct ir_call *calls = ir_op_calls(m, op, &count);
  value_id result = ir_result(m, op, 0), parameter = NONE, root = NONE;
  for (uint32_t i = 0; i < count; i++) {
    const struct ir_function *body = &m->functions.data[calls[i].callee];
    if (text_is(string_text(m->names, calls[i].attribute), "body") &&
        body->argument_count && body->root != NONE) {
      parameter = body->arguments[0];
      root = ir_result(m, body->root, 0);
    }
  }
  uint32_t leaves = xla_leaves(xla, result);
  if (parameter == NONE || m->op_use_count[op] == 0 ||
      xla_leaves(xla, parameter) != leaves || xla_leaves(xla, root) != leaves)
    return false;
  for (uint32_t k = 0; k < leaves; k++) {
    uint32_t inside = xla_leaf(xla, parameter, k);
    if (content_of(search, inside) !=
        content_of(search, xla_leaf(xla, root, k)))
      continue;
    news |= equate(search, inside, xla_leaf(xla, result, k));
    news |= equate(search, inside, xla_leaf(xla, ir_operand(m, op, 0), k));
    for (uint32_t i = 0; i < count; i++)
      news |= equate(
          search, inside,
          xla_leaf(xla, m->functions.data[calls[i].callee].arguments[0], k));
  }
  return news;
}

/* Inner loops may tell of outer ones: until nothing is new. */
static void
find_contents(struct search *search) {
  struct xla *xla = search->xla;
  bool news = true;
  search->content = ARENA_ARRAY(xla->scratch, uint32_t, xla->leaf_count);
  for (uint32_t leaf = 0; leaf < xla->leaf_count; leaf++)
    search->content[leaf] = leaf;
  while (news) {
    news = false;
    for (op_id op = 0; op < xla->module->op_count; op++)
      if (facts_of(xla->facts, op)->body == BODY_LOOP &&
          xla->clock->op_end[op] != NONE)
        news |= equate_loop(search, op);
  }
}

/* The op of BLOCK that runs, or whose bodies run, at TICK; NONE where there is
 * none. */
static op_id
op_of_block_at(const struct xla *xla, block_id block, uint32_t tick) {
  const struct ir_module *m = xla->module;
  for (uint32_t i = 0; i < m->block_op_count[block]; i++) {
    op_id op = ir_block_op(m, block, i);
    if (xla->clock->op_begin[op] <= tick && tick <= xla->clock->op_end[op])
      return op;
  }
  return NONE;
}

/* READER reads what was written over at TICK. */
static void
add_conflict(struct search *search, op_id reader, uint32_t tick) {
  const struct ir_module *m = search->xla->module;
  op_id writer = op_of_block_at(search->xla, m->op_block[reader], tick);
  if (writer == reader)
    return; /* a loop takes its own initial value over */
  struct xla_conflict conflict = {reader, writer};
  vector_push(search->arena, search->found, conflict);
}

/* Find the ops that read VALUE behind TICK. */
static void
find_readers(struct search *search, uint32_t value, uint32_t tick) {
  struct xla *xla = search->xla;
  const struct ir_module *m = xla->module;
  for (op_id op = 0; op < m->op_count; op++) {
    if (xla->clock->op_end[op] == NONE || xla->clock->op_end[op] <= tick ||
        xla_only_hands_on(xla, op))
      continue;
    for (uint32_t i = 0; i < m->op_use_count[op]; i++) {
      value_id operand = ir_operand(m, op, i);
      bool reads = false;
      for (uint32_t k = 0; k < xla_leaves(xla, operand); k++)
        reads |= xla->source[xla_leaf(xla, operand, k)] == value;
      if (!reads)
        continue;
      add_conflict(search, op, tick);
      break;
    }
  }
}

void
xla_find_conflicts(struct xla *xla, struct xla_conflicts *found,
                   struct arena *arena) {
  VECTOR(struct member) members = {NULL, 0, 0};
  struct search search = {.xla = xla, .arena = arena, .found = found};
  for (uint32_t leaf = 0; leaf < xla->leaf_count; leaf++) {
    struct member member = {xla_group(xla, leaf), leaf, xla->begin[leaf]};
    if (xla->source[leaf] == leaf && xla->begin[leaf] != NONE)
      vector_push(xla->scratch, &members, member);
  }
  if (members.count)
    qsort(members.data, members.count, sizeof *members.data, compare_members);
  find_contents(&search);
  for (uint32_t i = 0; i < members.count; i++) {
    const struct member *one = &members.data[i], *next = one + 1;
    uint32_t end = xla->end[one->value];
    const struct member *last = members.data + members.count;
    while (next < last && next->group == one->group && next->begin < end &&
           content_of(&search, next->value) == content_of(&search, one->value))
      next++;
    if (next < last && next->group == one->group && next->begin < end &&
        end != xla->clock->tick_count)
      find_readers(&search, one->value, next->begin);
  }
}
