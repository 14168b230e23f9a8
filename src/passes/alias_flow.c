/* alias_flow.c - what control flow hands on.
 *
 *   %r = while (%a = %init) { ... return %next }
 *
 * %init moves into %a, %next into the %a of the next turn, the last into %r:
 * each ends where the other begins, so none shares with another.  A leaf that
 * no turn changes is one storage throughout, and so is all that bodies which
 * run once are given and hand on.  In a scheduled module the copies that keep
 * the rest apart are in the text already, so there all of it is one. */
#include "passes/alias.h"
#include "passes/flow.h"

enum { BODIES = 64 };

/* Are A and B the same storage already, in every leaf? */
static bool
same_leaf(struct alias *alias, value_id a, value_id b, uint32_t leaf) {
  return storage_find(&alias->storage,
                      facts_first_leaf(alias->facts, a) + leaf) ==
         storage_find(&alias->storage,
                      facts_first_leaf(alias->facts, b) + leaf);
}

/* The loop OP carries INITIAL in as ARGUMENT, YIELD to the next turn and out
 * as RESULT: each leaf that no turn changes is one storage throughout. */
static void
carry(struct alias *alias, value_id initial, value_id argument, value_id yield,
      value_id result) {
  uint32_t first[4], counts[4];
  const value_id values[4] = {initial, argument, yield, result};
  for (int i = 0; i < 4; i++)
    counts[i] = alias_leaves(alias, values[i], &first[i]);
  for (uint32_t leaf = 0; leaf < counts[0]; leaf++) {
    if (leaf >= counts[1] || leaf >= counts[2] || leaf >= counts[3])
      return;
    if (!alias->module->scheduled && !same_leaf(alias, argument, yield, leaf))
      continue;
    for (int i = 1; i < 4; i++)
      storage_unite(&alias->storage, first[0] + leaf, first[i] + leaf);
  }
}

/* BODY's argument HERE is the loop's ARGUMENT too.  A condition keeps it to
 * its end: the body, or at last what comes behind the loop, gets it. */
static void
hand_through(struct alias *alias, value_id argument, value_id here,
             const struct flow_body *body) {
  const struct ir_module *module = alias->module;
  if (here == NONE)
    return;
  alias_unite(alias, argument, here);
  if (!body->condition)
    return;
  uint32_t end = NONE;
  if (body->function != NONE)
    end = alias->clock->function_end[body->function];
  for (block_id block =
           body->region == NONE ? NONE : module->region_block[body->region];
       block != NONE; block = module->block_next[block])
    end = alias->clock->block_end[block];
  if (end != NONE)
    alias_flag(alias, here, 0, end);
}

static void
join_loop(struct alias *alias, op_id op, const struct flow_body *bodies,
          uint32_t count) {
  const struct ir_module *module = alias->module;
  const struct op_facts *facts = facts_of(alias->facts, op);
  const struct flow_body *body = &bodies[count - 1];
  if (facts->carries_operand < 0)
    return;
  uint32_t from = (uint32_t)facts->carries_operand;
  uint32_t to = (uint32_t)facts->carries_argument;
  for (uint32_t k = 0; k < count; k++)
    if (!bodies[k].condition)
      body = &bodies[k];
  /* A condition that forwards values of its own hands them on by moving. */
  for (uint32_t k = 0; k < count; k++)
    if (bodies[k].condition && bodies[k].yield_count > 1)
      return;
  for (uint32_t i = 0; i < module->op_result_count[op]; i++) {
    value_id argument = flow_argument(module, body, to + i);
    value_id yield = flow_yield(module, alias->facts, body, i);
    if (argument == NONE || yield == NONE ||
        from + i >= module->op_use_count[op])
      continue;
    for (uint32_t k = 0; k < count; k++)
      hand_through(alias, argument, flow_argument(module, &bodies[k], to + i),
                   &bodies[k]);
    carry(alias, ir_operand(module, op, from + i), argument, yield,
          ir_result(module, op, i));
  }
}

/* One of several bodies runs: in a scheduled module all make their results in
 * one place.  HLO's branches are handed operand 1 and so on. */
static void
join_branches(struct alias *alias, op_id op, const struct flow_body *bodies,
              uint32_t count) {
  const struct ir_module *module = alias->module;
  for (uint32_t k = 0; k < count; k++) {
    value_id argument = flow_argument(module, &bodies[k], 0);
    if (bodies[k].function != NONE && argument != NONE &&
        k + 1 < module->op_use_count[op])
      alias_share(alias, ir_operand(module, op, k + 1), 0, argument);
    for (uint32_t i = 0; module->scheduled && i < module->op_result_count[op];
         i++) {
      value_id yield = flow_yield(module, alias->facts, &bodies[k], i);
      if (yield != NONE)
        alias_unite(alias, ir_result(module, op, i), yield);
    }
  }
}

/* A body that runs once, where its op stands: it gets the operands and hands
 * on the results. */
static void
join_plain(struct alias *alias, op_id op, const struct flow_body *body) {
  const struct ir_module *module = alias->module;
  bool called = body->function != NONE;
  const struct op_facts *facts = facts_of(alias->facts, op);
  for (uint32_t i = 0;
       i < body->argument_count && (called || facts->carries_operand == 0); i++)
    if (i < module->op_use_count[op])
      alias_share(alias, ir_operand(module, op, i), 0,
                  flow_argument(module, body, i));
  for (uint32_t i = 0; i < module->op_result_count[op]; i++) {
    value_id yield = flow_yield(module, alias->facts, body, i);
    if (yield != NONE)
      alias_share(alias, yield, 0, ir_result(module, op, i));
  }
}

/* Inner ones first, for what they do to a value decides what an outer one
 * does. */
void
alias_join_bodies(struct alias *alias) {
  const struct ir_module *module = alias->module;
  const struct clock *clock = alias->clock;
  for (uint32_t tick = 0; tick < clock->tick_count; tick++) {
    op_id op = clock->tick_op[tick];
    if (op == NONE || clock->op_end[op] != tick || clock->op_begin[op] == tick)
      continue;
    struct flow_body bodies[BODIES];
    uint32_t count =
        flow_bodies(module, alias->facts, alias->clock, op, bodies, BODIES);
    if (count > BODIES)
      count = BODIES;
    if (count == 0)
      continue;
    enum fact_body kind = facts_of(alias->facts, op)->body;
    if (kind == BODY_LOOP)
      join_loop(alias, op, bodies, count);
    else if (kind == BODY_BRANCH)
      join_branches(alias, op, bodies, count);
    else if (count == 1)
      join_plain(alias, op, &bodies[0]);
  }
}
