/* rebuild.c - build the program that the plan says.
 *
 *   sequence %a %b %f %a %c       %a = gelu %x
 *                                 %b = gelu %a
 *                           ==>   %f = ...
 *                                 %a_remat = gelu %x
 *                                 %c = add %b, %a_remat
 *
 * The new module is written from front to back: blocks with a sequence in that
 * order, all others as they are, nested blocks where their op stands, again
 * for each clone of it.  CURRENT says for each value of the input which
 * instance is read at this point.  An operand whose value has no instance yet
 * (blocks need not stand in the order of dominance) is filled in where its
 * region ends.  Names inside of an op that now
 * stands behind what it stood before become new ones, for they may be visible
 * there already.  Copies of computations, for clones of what calls them, stand
 * right behind the computation that they are copies of.
 *
 * It does not check: verify.c does, from the result alone.
 * Cost: O(ops and uses emitted). */
#include "passes/rebuild.h"

#include "passes/callees.h"
#include "passes/fresh.h"
#include "passes/plan.h"

#include <string.h>

struct pending_use {
  uint32_t use; /* of the made module */
  value_id value;
};

struct pending_successor {
  uint32_t successor;
  block_id block;
};

/* What CURRENT said before a block read an instance of its own. */
struct former {
  value_id value, instance;
};

/* The part of the input that is being copied. */
struct place {
  block_id block; /* of the made module */
  bool in_clone;  /* inside of an op that is a clone */
  bool in_backward;
  bool foreign; /* the op is one of another block */
  bool moved;   /* the op stands behind one that it stood before */
  bool renamed; /* inside of an op that has moved: a name in it may now be one
                   that is visible there */
};

struct maker {
  const struct ir_module *base;
  struct ir_module *made;
  const struct plan *plan;
  struct arena *scratch;
  struct fresh *fresh;
  value_id *current;        /* by value of BASE */
  value_id *original;       /* the same, of those that serve no backward op */
  uint32_t *copies;         /* by op of BASE: clones so far */
  bool *stands;             /* by op of BASE: it has an instance */
  uint32_t *sequence;       /* by block of BASE: number + 1 in the plan */
  block_id *block_instance; /* by block of BASE: the newest */
  struct callees *callees;
  function_id *body_of; /* by region of BASE: the computation whose body it
                           is, or NONE */
  struct ir_function *functions; /* of the made module, by number */
  VECTOR(struct pending_use) uses;
  VECTOR(struct pending_successor) successors;
  VECTOR(struct former) formers;
  VECTOR(struct former) passing;
};

static void make_region(struct maker *k, region_id region, op_id around,
                        struct place place);

/* --- values --- */

static value_id
instance_read(const struct maker *k, value_id value, bool backward) {
  op_id op = ir_value_op(k->base, value);
  if (op != NONE && k->plan->selected && !backward &&
      (k->plan->selected[op] & PLAN_SCOPED))
    return k->original[value];
  return k->current[value];
}

static void
make_uses(struct maker *k, op_id from, op_id op, bool backward) {
  for (uint32_t i = 0; i < k->base->op_use_count[from]; i++) {
    value_id value = ir_operand(k->base, from, i);
    value_id instance =
        value == NONE ? NONE : instance_read(k, value, backward);
    if (instance == NONE && value != NONE)
      vector_push(k->scratch, &k->uses,
                  ((struct pending_use){k->made->use_count, value}));
    ir_add_use(k->made, op, instance,
               k->base->use_text[k->base->op_first_use[from] + i]);
  }
}

/* Give the COUNT new values from FIRST what those of the base from FROM have.
 * Values of a group share their name, and so the number of their copy. */
static void
dress_values(struct maker *k, value_id first, value_id from, uint32_t count,
             bool clone) {
  struct ir_module *made = k->made;
  for (uint32_t i = 0; i < count; i++) {
    value_id value = first + i, source = from + i;
    made->value_type[value] = k->base->value_type[source];
    made->value_name[value] = k->base->value_name[source];
    made->value_number[value] = k->base->value_number[source];
    made->value_origin[value] = source;
    if (!clone)
      continue;
    bool shared = i > 0 && made->value_name[value].begin ==
                               made->value_name[value - 1].begin;
    made->value_copy[value] =
        shared ? made->value_copy[value - 1] : fresh_copy(k->fresh, source);
  }
}

static void
make_results(struct maker *k, op_id from, op_id op, struct place place) {
  uint32_t count = k->base->op_result_count[from];
  value_id source = k->base->op_first_result[from];
  value_id first = ir_add_results(k->made, op, count);
  bool clone = k->made->op_copy[op] > 0;
  dress_values(k, first, source, count, clone || place.renamed);
  for (uint32_t i = 0; i < count; i++) {
    if (place.foreign)
      vector_push(k->scratch, &k->formers,
                  ((struct former){source + i, k->current[source + i]}));
    k->current[source + i] = first + i;
    if (k->original && (!clone || !place.in_backward))
      k->original[source + i] = first + i;
  }
}

/* --- what hangs on an op --- */

static void
make_references(struct maker *k, op_id from, op_id op) {
  const struct ir_module *base = k->base;
  uint32_t count = 0;
  const struct ir_call *calls =
      base->calls.count ? ir_op_calls(base, from, &count) : NULL;
  for (uint32_t i = 0; i < count; i++) {
    struct ir_call call = calls[i];
    call.op = op;
    call.callee = callees_next(k->callees, from, call.callee);
    vector_push(k->made->arena, &k->made->calls, call);
  }
  count = 0;
  const struct ir_successor *successors =
      base->successors.count ? ir_op_successors(base, from, &count) : NULL;
  for (uint32_t i = 0; i < count; i++) {
    struct ir_successor successor = successors[i];
    successor.op = op;
    successor.first_use += k->made->op_first_use[op];
    successor.first_use -= base->op_first_use[from];
    vector_push(k->scratch, &k->successors,
                ((struct pending_successor){k->made->successors.count,
                                            successor.block}));
    vector_push(k->made->arena, &k->made->successors, successor);
  }
}

/* The ops that each op must follow.  In a block they are never recomputed, so
 * there is one instance of each; a copy of a computation has its own. */
static void
make_controls(struct maker *k) {
  const struct ir_module *base = k->base, *made = k->made;
  if (!base->controls.count)
    return;
  op_id *newest = ARENA_ARRAY(k->scratch, op_id, base->op_count);
  op_id *original = ARENA_ARRAY(k->scratch, op_id, base->op_count);
  memset(newest, 0xff, base->op_count * sizeof *newest);
  memset(original, 0xff, base->op_count * sizeof *original);
  for (op_id op = 0; op < made->op_count; op++)
    if (!made->op_copy[op] && made->op_origin[op] != NONE)
      original[made->op_origin[op]] = op;
  for (op_id op = 0; op < made->op_count; op++) {
    uint32_t count;
    op_id from = made->op_origin[op];
    if (from == NONE)
      continue;
    newest[from] = op;
    const struct ir_control *controls = ir_op_controls(base, from, &count);
    for (uint32_t i = 0; i < count; i++) {
      op_id before = newest[controls[i].predecessor];
      if (before == NONE || made->op_block[before] != made->op_block[op])
        before = original[controls[i].predecessor];
      struct ir_control control = {op, before, controls[i].text};
      if (before != NONE)
        vector_push(k->made->arena, &k->made->controls, control);
    }
  }
}

/* --- ops, blocks, regions --- */

/* Is the next instance of FROM a clone? */
static bool
is_clone(const struct maker *k, op_id from, bool in_clone) {
  return in_clone || k->stands[from] ||
         (k->plan->selected && (k->plan->selected[from] & PLAN_ERASED));
}

/* Function F of the base, as it is now in the made module: the values that are
 * current are its own. */
static struct ir_function
current_function(const struct maker *k, function_id f) {
  const struct ir_module *base = k->base;
  struct ir_function function = base->functions.data[f];
  function.origin = f;
  function.copy = 0;
  function.arguments =
      ARENA_ARRAY(k->made->arena, value_id, function.argument_count);
  for (uint32_t i = 0; i < function.argument_count; i++) {
    value_id argument = base->functions.data[f].arguments[i];
    function.arguments[i] = argument == NONE ? NONE : k->current[argument];
  }
  if (function.root != NONE && base->op_result_count[function.root])
    function.root =
        ir_value_op(k->made, k->current[ir_result(base, function.root, 0)]);
  return function;
}

/* Computations that are written inside of FROM's text. */
static void
make_bodies_in_place(struct maker *k, op_id from, struct place place) {
  uint32_t count;
  const struct ir_call *calls = ir_op_calls(k->base, from, &count);
  for (uint32_t i = 0; i < count; i++) {
    const struct ir_function *callee =
        &k->base->functions.data[calls[i].callee];
    if (callee->op != NONE || callee->name != NONE || callee->body == NONE)
      continue;
    region_id body = k->made->region_count;
    make_region(k, callee->body, NONE, place);
    k->functions[calls[i].callee] = current_function(k, calls[i].callee);
    k->functions[calls[i].callee].body = body;
  }
}

static void
make_op(struct maker *k, op_id from, struct place place) {
  const struct ir_module *base = k->base;
  struct ir_module *made = k->made;
  bool clone = is_clone(k, from, place.in_clone);
  op_id op = ir_add_op(made, base->op_name[from], place.block);
  made->op_text[op] = base->op_text[from];
  made->op_flags[op] = base->op_flags[from];
  made->op_origin[op] = from;
  made->op_copy[op] = clone ? ++k->copies[from] : 0;
  k->stands[from] = true;
  if (clone && place.in_backward)
    made->op_flags[op] |= OP_BACKWARD;
  make_uses(k, from, op, place.in_backward);
  make_results(k, from, op, place);
  make_references(k, from, op);
  place.in_clone = clone;
  place.renamed |= place.moved;
  if (base->calls.count)
    make_bodies_in_place(k, from, place);
  for (region_id r = base->op_region[from]; r != NONE; r = base->region_next[r])
    make_region(k, r, op, place);
}

/* --- fences --- */

/* Hand on the values of FENCE: what is read from here on are the barrier's
 * results. */
static void
make_fence(struct maker *k, const struct plan_fence *fence, block_id block) {
  struct ir_module *made = k->made;
  value_id *values = ARENA_ARRAY(k->scratch, value_id, fence->count);
  value_id *results = ARENA_ARRAY(k->scratch, value_id, fence->count);
  for (uint32_t i = 0; i < fence->count; i++)
    values[i] = k->current[fence->values[i]];
  value_id first = made->value_count;
  if (!made->format->add_barrier(made, block, values, fence->count, results))
    return;
  for (value_id value = first; value < made->value_count; value++) {
    value_id source = made->value_origin[value];
    made->value_name[value] = k->base->value_name[source];
    made->value_copy[value] = fresh_copy(k->fresh, source);
  }
  for (uint32_t i = 0; i < fence->count; i++)
    k->current[fence->values[i]] = results[i];
}

/* What OP's results are read from now, until the next op that stays is made. */
static void
note_passing(struct maker *k, op_id op) {
  for (uint32_t r = 0; r < k->base->op_result_count[op]; r++) {
    value_id value = ir_result(k->base, op, r);
    vector_push(k->scratch, &k->passing,
                ((struct former){value, k->current[value]}));
  }
}

static void
forget_passing(struct maker *k) {
  while (k->passing.count) {
    struct former former = k->passing.data[--k->passing.count];
    k->current[former.value] = former.instance;
  }
}

static void
make_block(struct maker *k, block_id from, struct place place) {
  const struct ir_module *base = k->base;
  uint32_t mark = k->formers.count;
  const struct plan_block *planned =
      k->sequence[from] ? &k->plan->blocks.data[k->sequence[from] - 1] : NULL;
  uint32_t count = planned ? planned->count : base->block_op_count[from];
  bool backward = place.in_backward;
  uint32_t fence = 0;
  op_id highest = 0;
  for (uint32_t i = 0; i < count; i++) {
    op_id op = planned ? planned->ops[i] : ir_block_op(base, from, i);
    if (planned && planned->backward)
      place.in_backward = backward || planned->backward[i];
    if (planned && fence < planned->fence_count &&
        planned->fences[fence].at == i)
      make_fence(k, &planned->fences[fence++], place.block);
    enum plan_stay stay =
        planned && planned->stays ? planned->stays[i] : PLAN_STAYS;
    if (stay == PLAN_PASSES)
      note_passing(k, op);
    place.foreign = base->op_block[op] != from;
    place.moved = op < highest;
    highest = op > highest && !k->stands[op] ? op : highest;
    make_op(k, op, place);
    if (stay == PLAN_STAYS)
      forget_passing(k);
  }
  while (k->formers.count > mark) {
    struct former former = k->formers.data[--k->formers.count];
    k->current[former.value] = former.instance;
  }
}

static void
make_arguments(struct maker *k, block_id from, struct place place) {
  uint32_t count = k->base->block_argument_count[from];
  value_id source = k->base->block_first_argument[from];
  value_id first = ir_add_arguments(k->made, place.block, count);
  dress_values(k, first, source, count, place.in_clone || place.renamed);
  for (uint32_t i = 0; i < count; i++) {
    value_id shared = ir_shared_argument(k->made, place.block, i);
    if (shared != NONE)
      k->made->value_copy[first + i] = k->made->value_copy[shared];
    k->current[source + i] = first + i;
    if (k->original)
      k->original[source + i] = first + i;
  }
}

/* Forget the instances of REGION's values: another copy of it begins. */
static void
forget_region(struct maker *k, region_id region) {
  const struct ir_module *base = k->base;
  for (block_id b = base->region_block[region]; b != NONE;
       b = base->block_next[b])
    for (uint32_t i = 0; i < base->block_op_count[b]; i++) {
      op_id op = ir_block_op(base, b, i);
      for (uint32_t r = 0; r < base->op_result_count[op]; r++)
        k->current[ir_result(base, op, r)] = NONE;
    }
}

/* Fill in what was read before it was defined, from entry MARK on; what has
 * still no instance stays for the region around. */
static void
fill_uses(struct maker *k, uint32_t mark) {
  uint32_t kept = mark;
  for (uint32_t i = mark; i < k->uses.count; i++) {
    struct pending_use use = k->uses.data[i];
    k->made->use_value[use.use] = k->current[use.value];
    if (k->current[use.value] == NONE)
      k->uses.data[kept++] = use;
  }
  k->uses.count = kept;
}

static void
fill_successors(struct maker *k, uint32_t mark) {
  for (uint32_t i = mark; i < k->successors.count; i++) {
    struct pending_successor pending = k->successors.data[i];
    k->made->successors.data[pending.successor].block =
        k->block_instance[pending.block];
  }
  k->successors.count = mark;
}

/* Copy REGION to the end of AROUND's chain. */
static void
make_region(struct maker *k, region_id region, op_id around,
            struct place place) {
  const struct ir_module *base = k->base;
  struct ir_module *made = k->made;
  uint32_t uses = k->uses.count, successors = k->successors.count;
  region_id copy = ir_add_region(made, around);
  made->region_text[copy] = base->region_text[region];
  made->region_origin[copy] = region;
  if (place.in_clone)
    forget_region(k, region);
  for (block_id b = base->region_block[region]; b != NONE;
       b = base->block_next[b]) {
    place.block = ir_add_block(made, copy);
    made->block_body[place.block] = base->block_body[b];
    made->block_origin[place.block] = b;
    k->block_instance[b] = place.block;
    make_arguments(k, b, place);
    make_block(k, b, place);
  }
  fill_uses(k, uses);
  fill_successors(k, successors);
}

/* --- the module --- */

/* Is REGION the body of a computation that is written inside of an op? */
static bool
is_in_place(const struct maker *k, region_id region) {
  function_id f = k->body_of[region];
  return f != NONE && k->base->functions.data[f].name == NONE;
}

/* REGION, which no op holds: a computation's body, then those of its copies.
 */
static void
make_computation(struct maker *k, region_id region) {
  function_id f = k->body_of[region];
  struct place place = {.block = NONE};
  uint32_t copies = f == NONE ? 0 : k->callees->copies[f];
  for (uint32_t i = 0; i <= copies; i++) {
    place.in_clone = i > 0;
    region_id body = k->made->region_count;
    make_region(k, region, NONE, place);
    if (f == NONE)
      continue;
    function_id number = i == 0 ? f : k->callees->first_copy[f] + i - 1;
    k->functions[number] = current_function(k, f);
    k->functions[number].body = body;
    k->functions[number].entry &= i == 0;
  }
}

/* Functions that are ops, and those without a body. */
static void
make_functions(struct maker *k) {
  const struct ir_module *base = k->base;
  struct ir_module *made = k->made;
  uint32_t count = base->functions.count + k->callees->total;
  for (function_id f = 0; f < base->functions.count; f++) {
    const struct ir_function *function = &base->functions.data[f];
    if (function->op != NONE || function->body == NONE)
      k->functions[f] = current_function(k, f);
  }
  for (function_id f = 0; f < count; f++)
    vector_push(made->arena, &made->functions, k->functions[f]);
  callees_name(k->callees, made);
  for (uint32_t i = 0; i < base->donations.count; i++)
    vector_push(made->arena, &made->donations, base->donations.data[i]);
}

/* Ops and regions of functions that are ops in the made module. */
static void
link_functions(struct maker *k) {
  struct ir_module *made = k->made;
  op_id *op_of = ARENA_ARRAY(k->scratch, op_id, k->base->op_count);
  region_id *region_of =
      ARENA_ARRAY(k->scratch, region_id, k->base->region_count);
  for (op_id op = made->op_count; op-- > 0;)
    if (made->op_origin[op] != NONE)
      op_of[made->op_origin[op]] = op;
  for (region_id r = made->region_count; r-- > 0;)
    region_of[made->region_origin[r]] = r;
  for (function_id f = 0; f < made->functions.count; f++) {
    struct ir_function *function = &made->functions.data[f];
    if (function->op == NONE)
      continue;
    function->op = op_of[function->op];
    if (function->body != NONE)
      function->body = region_of[function->body];
  }
}

/* Make room for what the blocks that have a sequence and all others hold. */
static void
reserve(struct maker *k) {
  const struct ir_module *base = k->base;
  uint64_t ops = base->op_count, uses = base->use_count;
  uint64_t values = base->value_count;
  for (uint32_t i = 0; i < k->plan->blocks.count; i++) {
    const struct plan_block *block = &k->plan->blocks.data[i];
    ops += block->count;
    for (uint32_t at = 0; at < block->count; at++) {
      uses += base->op_use_count[block->ops[at]];
      values += base->op_result_count[block->ops[at]];
    }
  }
  if (uses < UINT32_MAX && values < UINT32_MAX)
    ir_reserve(k->made, (uint32_t)ops, (uint32_t)uses, (uint32_t)values);
}

static struct maker
new_maker(const struct ir_module *base, const struct plan *plan,
          struct arena *arena, struct arena *scratch) {
  struct maker k = {.base = base,
                    .plan = plan,
                    .scratch = scratch,
                    .made = ir_module_made_from(arena, base),
                    .fresh = fresh_new(scratch, base)};
  size_t values = base->value_count * sizeof *k.current;
  k.current = arena_alloc(scratch, values);
  memset(k.current, 0xff, values);
  for (op_id op = 0; plan->selected && op < base->op_count && !k.original; op++)
    if (plan->selected[op] & PLAN_SCOPED) {
      k.original = arena_alloc(scratch, values);
      memset(k.original, 0xff, values);
    }
  k.copies = ARENA_ARRAY(scratch, uint32_t, base->op_count);
  k.stands = ARENA_ARRAY(scratch, bool, base->op_count);
  k.sequence = ARENA_ARRAY(scratch, uint32_t, base->block_count);
  k.block_instance = ARENA_ARRAY(scratch, block_id, base->block_count);
  for (uint32_t i = 0; i < plan->blocks.count; i++)
    k.sequence[plan->blocks.data[i].block] = i + 1;
  k.callees = callees_find(scratch, base, plan);
  k.functions = ARENA_ARRAY(scratch, struct ir_function,
                            (size_t)base->functions.count + k.callees->total);
  k.body_of = ARENA_ARRAY(scratch, function_id, base->region_count);
  memset(k.body_of, 0xff, base->region_count * sizeof *k.body_of);
  for (function_id f = 0; f < base->functions.count; f++)
    if (base->functions.data[f].op == NONE &&
        base->functions.data[f].body != NONE)
      k.body_of[base->functions.data[f].body] = f;
  return k;
}

struct ir_module *
rebuild_module(const struct ir_module *base, const struct plan *plan,
               struct arena *arena, struct arena *scratch) {
  struct maker k = new_maker(base, plan, arena, scratch);
  struct place top = {.block = NONE};
  reserve(&k);
  for (uint32_t i = 0; i < base->top_count; i++)
    make_op(&k, base->order[i], top);
  for (region_id r = 0; r < base->region_count; r++)
    if (base->region_op[r] == NONE && !is_in_place(&k, r))
      make_computation(&k, r);
  make_functions(&k);
  make_controls(&k);
  link_functions(&k);
  ir_finish(k.made);
  return k.made;
}
