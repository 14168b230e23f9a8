/* loop_find.c - see loops.h: which loops write stacks, and who reads them.
 *
 * A carry is a stack of its loop where the only use of its argument is to be
 * operand 0 of one dynamic update of one slot, whose only use is to be handed
 * on in the same place; the slot is plus or minus the iteration plus a
 * constant, and inside of the bounds.  A loop reads it where it takes the
 * result as it is, does not give it back for use, and only slices one slot at
 * a time out of it that the writer has written.
 *
 * Whoever else uses the result keeps the stack: it stays where it is, but may
 * be read.  O(flat ops + uses of the module). */
#include "passes/loops.h"

struct finder {
  struct arena *arena;
  const struct ir_module *m;
  struct loops *loops;
  uint32_t *use_counts;     /* by value of the module */
  uint32_t *stack_of_value; /* its number + 1, or 0 */
  bool *accounted; /* by use: known to be a read or on the way to one */
};

/* Who uses the flat values of one loop. */
struct users {
  uint32_t *count; /* by value: uses by ops and places where it is handed on */
  uint32_t *op;    /* the last op that uses it, or NONE */
  uint32_t *operand;
};

static struct users
users_of(struct arena *arena, const struct loop *loop) {
  uint32_t count = loop->values.count;
  struct users users = {ARENA_ARRAY(arena, uint32_t, count),
                        ARENA_ARRAY(arena, uint32_t, count),
                        ARENA_ARRAY(arena, uint32_t, count)};
  for (uint32_t v = 0; v < count; v++)
    users.op[v] = NONE;
  for (uint32_t o = 0; o < loop->ops.count; o++) {
    const struct flat_op *op = &loop->ops.data[o];
    for (uint32_t i = 0; i < op->use_count; i++) {
      flat_id value = flat_operand(loop, op, i);
      users.count[value]++;
      users.op[value] = o;
      users.operand[value] = i;
    }
  }
  users.count[loop->condition]++;
  for (uint32_t i = 0; i < loop->carry_count; i++)
    users.count[loop->carries[i].yield]++;
  return users;
}

static void
refuse(struct finder *f, op_id op, const char *why) {
  struct loop_refusal refusal = {op, why};
  vector_push(f->arena, &f->loops->refusals, refusal);
}

/* --- stacks --- */

/* The dimension in which SLICE is one slot of WHOLE, or NONE. */
static uint32_t
slot_dimension(const struct type *whole, const struct type *slice) {
  uint32_t found = NONE;
  if (whole->kind == TYPE_TUPLE || whole->rank == 0 || whole->dynamic ||
      slice->rank != whole->rank || slice->dynamic)
    return NONE;
  for (uint32_t d = 0; d < whole->rank; d++) {
    if (slice->dims[d] == whole->dims[d])
      continue;
    if (found != NONE || slice->dims[d] != 1)
      return NONE;
    found = d;
  }
  if (found == NONE && whole->dims[0] == 1)
    return 0;
  return found;
}

/* Is SLOT plus or minus the iteration plus a constant, between LEAST and MOST
 * in all TRIPS of them? */
static bool
walks_slots(struct affine slot, uint64_t trips, int64_t least, int64_t most) {
  if (!slot.known || (trips > 1 && slot.scale != 1 && slot.scale != -1))
    return false;
  int64_t end = slot.offset + slot.scale * (int64_t)(trips - 1);
  return slot.offset >= least && slot.offset <= most && end >= least &&
         end <= most;
}

static const struct type *
flat_type(const struct finder *f, const struct loop *loop, flat_id value) {
  return type_get(f->m->types, loop->values.data[value].type);
}

/* The update that CARRY of LOOP is handed on from, or NULL. */
static const struct flat_op *
update_of(const struct finder *f, const struct loop *loop,
          const struct loop_carry *carry) {
  const struct flat_value *yield = &loop->values.data[carry->yield];
  if (yield->kind != FLAT_RESULT)
    return NULL;
  const struct flat_op *op = &loop->ops.data[yield->number];
  return flat_action(f->m, op->op) == ACTION_UPDATE ? op : NULL;
}

/* Why CARRY, handed on from UPDATE, is no stack; NULL where it is STACK. */
static const char *
examine(const struct finder *f, const struct loop *loop,
        const struct users *users, struct loop_stack *stack) {
  const struct loop_carry *carry = &loop->carries[stack->carry];
  const struct flat_op *update = &loop->ops.data[stack->update];
  flat_id argument = carry->argument;
  if (flat_operand(loop, update, 0) != argument)
    return "several slots are written in one iteration";
  if (users->count[argument] != 1)
    return "the loop that writes it reads it too";
  if (users->count[carry->yield] != 1)
    return "what is written is used whole in the loop";
  stack->stored = flat_operand(loop, update, 1);
  const struct type *whole = flat_type(f, loop, argument);
  stack->dimension = slot_dimension(whole, flat_type(f, loop, stack->stored));
  if (stack->dimension == NONE)
    return "what is written is not one slot of one dimension";
  if (update->operand_count != 2 + whole->rank)
    return "its indices are not written out";
  stack->slot = loop->affine[flat_operand(loop, update, 2 + stack->dimension)];
  stack->slots = whole->dims[stack->dimension];
  stack->bytes = whole->bytes;
  if (!walks_slots(stack->slot, loop->trips, 0, (int64_t)stack->slots - 1))
    return "its slot is not the iteration, plus or minus a constant";
  return NULL;
}

static void
find_stacks(struct finder *f, uint32_t number) {
  const struct loop *loop = f->loops->list.data[number];
  struct users users;
  bool counted = false;
  if (!loop->carry_count || !loop->affine ||
      loop->carries[loop->carry_count - 1].yield == NONE)
    return;
  for (uint32_t i = 0; i < loop->carry_count; i++) {
    const struct flat_op *update = update_of(f, loop, &loop->carries[i]);
    if (!update)
      continue;
    if (loop->refused) {
      refuse(f, loop->op, loop->refused);
      return;
    }
    if (!counted)
      users = users_of(f->arena, loop);
    counted = true;
    struct loop_stack stack = {.writer = number, .carry = i, .keeper = NONE};
    stack.update = (uint32_t)(update - loop->ops.data);
    const char *why = examine(f, loop, &users, &stack);
    if (why)
      refuse(f, update->op, why);
    else
      vector_push(f->arena, &f->loops->stacks, stack);
  }
}

/* --- readers --- */

static void
keep(struct loop_stack *stack, op_id keeper, const char *why) {
  if (stack->kept)
    return;
  stack->kept = why;
  stack->keeper = keeper;
}

/* One read of STACK by flat op O of loop NUMBER; why it is none, or NULL. */
static const char *
examine_read(struct finder *f, uint32_t number, uint32_t o,
             struct loop_stack *stack) {
  const struct loop *loop = f->loops->list.data[number];
  const struct flat_op *op = &loop->ops.data[o];
  const struct loop *writer = f->loops->list.data[stack->writer];
  if (flat_action(f->m, op->op) != ACTION_SLICE)
    return "a loop reads it whole";
  const struct type *whole = flat_type(f, loop, flat_operand(loop, op, 0));
  const struct type *slice = flat_type(f, loop, op->first_result);
  struct loop_read read = {.loop = number, .op = o};
  if (slot_dimension(whole, slice) != stack->dimension ||
      op->operand_count != 1 + whole->rank)
    return "a loop reads more than one slot at a time";
  read.slot = loop->affine[flat_operand(loop, op, 1 + stack->dimension)];
  int64_t first = stack->slot.offset;
  int64_t last = first + stack->slot.scale * (int64_t)(writer->trips - 1);
  if (!walks_slots(read.slot, loop->trips, first < last ? first : last,
                   first < last ? last : first))
    return "a loop reads slots that may not be those that were written";
  vector_push(f->arena, &stack->reads, read);
  return NULL;
}

/* The stack that flat VALUE of LOOP is, or NULL. */
static struct loop_stack *
stack_of(const struct finder *f, const struct loop *loop, flat_id value) {
  const struct flat_value *v = &loop->values.data[value];
  uint32_t number = v->kind == FLAT_OUTSIDE ? f->stack_of_value[v->value] : 0;
  return number ? &f->loops->stacks.data[number - 1] : NULL;
}

static void
find_reads(struct finder *f, uint32_t number) {
  const struct loop *loop = f->loops->list.data[number];
  for (uint32_t o = 0; o < loop->ops.count; o++) {
    const struct flat_op *op = &loop->ops.data[o];
    for (uint32_t i = 0; i < op->use_count; i++) {
      struct flat_use use = loop->uses.data[op->first_use + i];
      struct loop_stack *stack = stack_of(f, loop, use.value);
      if (!stack)
        continue;
      const struct loop *writer = f->loops->list.data[stack->writer];
      const char *why = loop->refused ? loop->refused
                        : writer->block != loop->block
                            ? "it is read in another block"
                        : i != 0 ? "a loop reads it whole"
                                 : examine_read(f, number, o, stack);
      if (why)
        keep(stack, op->op, why);
      f->accounted[use.use] = true;
    }
  }
  for (uint32_t i = 0; i < loop->passed.count; i++)
    if (stack_of(f, loop, loop->passed.data[i].value))
      f->accounted[loop->passed.data[i].use] = true;
}

/* A loop takes stacks as they are where it does not give them back. */
static void
account_inits(struct finder *f, const struct loop *loop) {
  const struct ir_module *m = f->m;
  op_id from = loop->op;
  if (loop->carry_count && m->op_use_count[from] == 1 &&
      m->op_region[from] == NONE) {
    value_id state = ir_operand(m, from, 0);
    from = ir_value_op(m, state);
    if (from == NONE || f->use_counts[state] != 1)
      return;
  }
  for (uint32_t i = 0; i < loop->carry_count && !loop->refused; i++)
    if (loop->carries[i].invariant &&
        f->stack_of_value[loop->carries[i].init] && !loop->carries[i].used &&
        !loop->used_whole)
      f->accounted[m->op_first_use[from] + i] = true;
}

/* Which op uses use number USE?  Uses of one op stand together. */
static op_id *
ops_of_uses(const struct finder *f) {
  op_id *ops = ARENA_ARRAY(f->arena, op_id, f->m->use_count);
  for (op_id op = 0; op < f->m->op_count; op++)
    for (uint32_t i = 0; i < f->m->op_use_count[op]; i++)
      ops[f->m->op_first_use[op] + i] = op;
  return ops;
}

/* Whoever else uses a stack keeps it. */
static void
find_keepers(struct finder *f) {
  const op_id *ops = ops_of_uses(f);
  for (uint32_t u = 0; u < f->m->use_count; u++) {
    uint32_t number = f->stack_of_value[f->m->use_value[u]];
    if (number && !f->accounted[u])
      keep(&f->loops->stacks.data[number - 1], ops[u],
           "it is used outside of loops that only read slots");
  }
}

/* Note which results of loops are of use. */
static void
find_used(struct finder *f) {
  const struct ir_module *m = f->m;
  struct loop **loop_of = ARENA_ARRAY(f->arena, struct loop *, m->op_count);
  op_id op;
  uint32_t carry;
  for (uint32_t i = 0; i < f->loops->list.count; i++)
    loop_of[f->loops->list.data[i]->op] = f->loops->list.data[i];
  for (op_id user = 0; user < m->op_count; user++) {
    bool element = flat_action(m, user) == ACTION_ELEMENT;
    for (uint32_t i = 0; i < m->op_use_count[user]; i++) {
      value_id value = ir_operand(m, user, i);
      if (!loop_result(m, value, &op, &carry) || !loop_of[op])
        continue;
      struct loop *loop = loop_of[op];
      bool whole = ir_value_op(m, value) == op && m->op_region[op] == NONE;
      loop->used_whole |= whole && !element;
      if (!whole && carry < loop->carry_count)
        loop->carries[carry].used = true;
    }
  }
}

/* Note which values of the module are stacks. */
static void
name_stacks(struct finder *f) {
  const struct ir_module *m = f->m;
  op_id op;
  uint32_t carry;
  uint32_t *first = ARENA_ARRAY(f->arena, uint32_t, m->op_count);
  for (uint32_t s = f->loops->stacks.count; s-- > 0;)
    first[f->loops->list.data[f->loops->stacks.data[s].writer]->op] = s + 1;
  for (value_id value = 0; value < m->value_count; value++) {
    if (!loop_result(m, value, &op, &carry) || !first[op])
      continue;
    for (uint32_t s = first[op] - 1; s < f->loops->stacks.count; s++) {
      const struct loop_stack *stack = &f->loops->stacks.data[s];
      if (f->loops->list.data[stack->writer]->op != op)
        break;
      if (stack->carry == carry && ir_value_type(m, value)->kind != TYPE_TUPLE)
        f->stack_of_value[value] = s + 1;
    }
  }
}

struct loops *
loops_find(struct arena *arena, const struct ir_module *module) {
  struct loops *loops = ARENA_NEW(arena, struct loops);
  struct flattener *flattener = NULL;
  loops->module = module;
  bool *repeats = ARENA_ARRAY(arena, bool, module->names->count); /* by name */
  for (name_id name = 0; name < module->names->count; name++)
    repeats[name] = flat_action_named(module, name) == ACTION_WHILE;
  for (op_id op = 0; op < module->op_count; op++) {
    if (!repeats[module->op_name[op]])
      continue;
    if (!flattener)
      flattener = flattener_new(arena, module);
    struct loop *loop = loop_flatten(flattener, op);
    loop_count(arena, module, loop);
    if (!loop->refused && text_starts(ir_op_name(module, op), "mhlo."))
      loop->refused = "new ops are spelled in StableHLO and HLO, not in mhlo";
    vector_push(arena, &loops->list, loop);
  }
  struct finder f = {.arena = arena, .m = module, .loops = loops};
  for (uint32_t i = 0; i < loops->list.count; i++)
    find_stacks(&f, i);
  if (!loops->stacks.count)
    return loops;
  f.use_counts = ARENA_ARRAY(arena, uint32_t, module->value_count);
  f.stack_of_value = ARENA_ARRAY(arena, uint32_t, module->value_count);
  f.accounted = ARENA_ARRAY(arena, bool, module->use_count);
  for (uint32_t u = 0; u < module->use_count; u++)
    f.use_counts[module->use_value[u]]++;
  name_stacks(&f);
  find_used(&f);
  for (uint32_t i = 0; i < loops->list.count; i++) {
    find_reads(&f, i);
    account_inits(&f, loops->list.data[i]);
  }
  find_keepers(&f);
  for (uint32_t s = 0; s < loops->stacks.count; s++) {
    const struct loop *writer = loops->list.data[loops->stacks.data[s].writer];
    if (writer->used_whole)
      keep(&loops->stacks.data[s], writer->op,
           "the loop's results are used as a whole");
  }
  return loops;
}
