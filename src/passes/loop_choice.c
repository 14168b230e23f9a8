/* loop_choice.c - see loop_choice.h.
 *
 * In one iteration: value v is NEEDED (by a reader, or by what runs again);
 * then it is kept, at the price of its bytes, or its op runs again, at its
 * cost, and needs its operands.  With a price L for a byte the best choice is
 * a minimal cut:
 *
 *   source -> needed(v)                 endless, for what readers read
 *   needed(v) -> again(op of v)         L * bytes(v): cut where v is kept
 *   again(op) -> sink                   cost(op)
 *   again(op) -> needed(operands)       endless
 *   needed(carry) -> sink               L * bytes: it can only be kept
 *
 * Choosing value by value is not enough: several values may have to be kept
 * together before any of them saves an op.  Prices from low to high give the
 * plans from much memory to little; sizes that are off by some percent give
 * those between, which no price does.  Views of a value are kept as that value;
 * what a stack that stays holds anyway costs nothing.
 *
 * O(prices * flow over ops + uses of the body). */
#include "passes/loop_choice.h"
#include "ir/spell.h"
#include "plan/max_flow.h"

#include <string.h>

enum { SOURCE, SINK, FIRST };
#define FRACTION 16.0

/* Edges that one cut may look at. */
#define EFFORT (UINT64_C(1) << 26)

struct loop_chooser {
  struct arena *arena;
  const struct loops *loops;
  uint32_t writer;
  const struct loop *loop;
  const struct loop_costs *costs;
  flat_id *home;      /* by flat value */
  bool *demanded;     /* by flat value: readers need it */
  uint32_t *holder;   /* by flat value: a stack that holds it + 1 */
  bool *free_of_cost; /* by flat value: that stack stays anyway */
  bool *reached;      /* by flat value: some plan may need it */
  uint64_t *cost;     /* by flat op: ns */
  double best_rate;   /* of an op of the body that does not fuse */
  uint64_t slots;
  uint32_t copies; /* of what runs again: by reader and index */
};

bool
loop_droppable(const struct loops *loops, const struct loop_stack *stack) {
  const struct loop *writer = loops->list.data[stack->writer];
  if (stack->kept || writer->refused || writer->used_whole)
    return false;
  for (uint32_t i = 0; i < stack->reads.count; i++) {
    const struct loop *reader = loops->list.data[stack->reads.data[i].loop];
    if (reader->refused || reader->used_whole)
      return false;
  }
  return stack->reads.count > 0;
}

/* May the flat op O run again? */
static bool
runs_again(const struct loop_chooser *c, const struct flat_op *op) {
  return c->costs->facts->op_repeatable[op->op] ||
         flat_action(c->loops->module, op->op) == ACTION_TUPLE;
}

/* --- what things cost --- */

bool
loop_stackable(const struct loop_chooser *c, flat_id value) {
  const struct ir_module *m = c->loops->module;
  const struct type *type =
      type_get(m->types, c->loop->values.data[value].type);
  const struct dtype_info *info = &dtype_infos[type->dtype];
  bool mlir = m->format->spelling->result != NULL;
  return type->kind == TYPE_TENSOR && !type->dynamic && !type->unranked &&
         (mlir ? info->name : info->hlo) != NULL &&
         (!mlir || type->layout.size == 0) && !type->packed_bits &&
         !type->memory_space && type->element_bits >= 8;
}

static uint64_t
slot_bytes(const struct loop_chooser *c, flat_id value) {
  return type_get(c->loops->module->types, c->loop->values.data[value].type)
      ->bytes;
}

/* Floating-point operations of OP in a nanosecond, 0 where not known. */
static double
rate_of(const struct loop_chooser *c, const struct flat_op *op) {
  const struct facts *facts = c->costs->facts;
  double flops = rules_op_flops(facts->binding, op->op);
  double cost = (double)facts->op_cost_ns[op->op];
  return flops > 0 && cost > 0 ? flops / cost : 0;
}

/* What running OP again takes.  Where a compiler fuses: nothing where it is
 * computed in its readers anyway; without moving its bytes where it fuses; and
 * for a contraction its operations at the best rate that one of the body
 * reaches, because what is small stays in caches. */
static uint64_t
op_cost(const struct loop_chooser *c, const struct flat_op *op) {
  const struct facts *facts = c->costs->facts;
  double cost = (double)facts->op_cost_ns[op->op], bytes = 0;
  uint32_t flags = facts_of(facts, op->op)->flags;
  if (flags & FACT_CONSTANT ||
      (c->costs->fused && flags & (FACT_VIRTUAL | FACT_FREE)))
    return 0;
  if (c->costs->fused && flags & FACT_FUSES) {
    for (uint32_t i = 0; i < op->operand_count; i++)
      bytes += (double)slot_bytes(c, flat_operand(c->loop, op, i));
    for (uint32_t i = 0; i < op->result_count; i++)
      bytes += (double)slot_bytes(c, op->first_result + i);
    cost -= c->costs->bytes_per_ns > 0 ? bytes / c->costs->bytes_per_ns : cost;
  } else if (c->costs->fused) {
    double rate = rate_of(c, op);
    if (rate * 8 > c->best_rate)
      cost *= rate / c->best_rate;
  }
  return cost < 1 ? 1 : (uint64_t)cost;
}

static int64_t
amount(double value) {
  double scaled = value * FRACTION;
  return scaled < 1e14 ? (int64_t)scaled : (int64_t)1e14;
}

/* --- setting up --- */

static void
find_holders(struct loop_chooser *c) {
  const struct loops *loops = c->loops;
  for (uint32_t pass = 0; pass < 2; pass++)
    for (uint32_t s = 0; s < loops->stacks.count; s++) {
      const struct loop_stack *stack = &loops->stacks.data[s];
      bool stays = !loop_droppable(loops, stack);
      if (stack->writer != c->writer || stays != (pass == 0))
        continue;
      flat_id home = c->home[stack->stored];
      if (!c->holder[home]) {
        c->holder[home] = s + 1;
        c->free_of_cost[home] = stays;
      }
      c->demanded[stack->stored] |= !stays;
      if (!c->slots)
        c->slots = stack->slots;
    }
}

/* Readers and indices: each has copies of its own. */
static void
count_copies(struct loop_chooser *c) {
  VECTOR(struct loop_read) seen = {0};
  for (uint32_t s = 0; s < c->loops->stacks.count; s++) {
    const struct loop_stack *stack = &c->loops->stacks.data[s];
    if (stack->writer != c->writer || !loop_droppable(c->loops, stack))
      continue;
    for (uint32_t i = 0; i < stack->reads.count; i++) {
      struct loop_read read = stack->reads.data[i];
      read.slot.offset =
          stack->slot.scale * (read.slot.offset - stack->slot.offset);
      read.slot.scale *= stack->slot.scale;
      uint32_t k = 0;
      while (k < seen.count && (seen.data[k].loop != read.loop ||
                                seen.data[k].slot.scale != read.slot.scale ||
                                seen.data[k].slot.offset != read.slot.offset))
        k++;
      if (k == seen.count)
        vector_push(c->arena, &seen, read);
    }
  }
  c->copies = seen.count;
}

/* Which values any plan may need: what is demanded is made of. */
static void
find_reached(struct loop_chooser *c) {
  const struct loop *loop = c->loop;
  memcpy(c->reached, c->demanded, loop->values.count * sizeof *c->reached);
  for (uint32_t o = 0; o < loop->ops.count; o++) {
    double rate = rate_of(c, &loop->ops.data[o]);
    if (rate > c->best_rate &&
        !facts_has(c->costs->facts, loop->ops.data[o].op, FACT_FUSES))
      c->best_rate = rate;
  }
  for (uint32_t o = loop->ops.count; o-- > 0;) {
    const struct flat_op *op = &loop->ops.data[o];
    bool any = false;
    for (uint32_t i = 0; i < op->result_count; i++)
      any |= c->reached[op->first_result + i];
    if (any)
      for (uint32_t i = 0; i < op->use_count; i++)
        c->reached[flat_operand(loop, op, i)] = true;
    c->cost[o] = op_cost(c, op);
  }
}

/* --- one price --- */

static uint32_t
value_vertex(flat_id value) {
  return FIRST + value;
}

static uint32_t
op_vertex(const struct loop_chooser *c, uint32_t op) {
  return FIRST + c->loop->values.count + op;
}

/* By how much VALUE's bytes are off for SEED: from 15 to 80 %, either way. */
static double
size_error(flat_id value, uint32_t seed) {
  static const double most[] = {0.15, 0.4, 0.8};
  uint64_t hash = (value + 1) * UINT64_C(0x9e3779b97f4a7c15) ^
                  seed * UINT64_C(0xbf58476d1ce4e5b9);
  if (!seed)
    return 1;
  hash = (hash ^ hash >> 29) * UINT64_C(0x94d049bb133111eb);
  double unit = (double)(hash >> 40) / (double)(1 << 23) - 1;
  return 1 + most[seed % 3] * unit;
}

static int64_t
keep_price(const struct loop_chooser *c, flat_id value,
           const struct loop_query *query) {
  if (value == query->without[0] || value == query->without[1])
    return MAX_FLOW_ENDLESS;
  if (c->home[value] != value)
    return MAX_FLOW_ENDLESS;
  if (!c->holder[value] && !loop_stackable(c, value))
    return MAX_FLOW_ENDLESS;
  /* A stack that is there already is a shade better than a new one. */
  double more = c->holder[value] ? 1 : 1.001;
  more *= query->price * size_error(value, query->seed);
  return amount(more * (double)slot_bytes(c, value)) + 1;
}

static void
add_value(const struct loop_chooser *c, struct flow_network *network,
          flat_id value, const struct loop_query *query) {
  const struct flat_value *v = &c->loop->values.data[value];
  if (c->demanded[value])
    flow_edge(network, SOURCE, value_vertex(value), MAX_FLOW_ENDLESS);
  if (v->kind == FLAT_OUTSIDE || c->free_of_cost[value])
    return;
  if (v->kind == FLAT_RESULT)
    flow_edge(network, value_vertex(value), op_vertex(c, v->number),
              keep_price(c, value, query));
  else if (!c->loop->affine[value].known)
    flow_edge(network, value_vertex(value), SINK, keep_price(c, value, query));
}

static void
add_op(const struct loop_chooser *c, struct flow_network *network, uint32_t o) {
  const struct flat_op *op = &c->loop->ops.data[o];
  bool again = runs_again(c, op);
  flow_edge(network, op_vertex(c, o), SINK,
            again ? amount((double)c->cost[o] * c->copies) : MAX_FLOW_ENDLESS);
  for (uint32_t i = 0; again && i < op->use_count; i++)
    flow_edge(network, op_vertex(c, o),
              value_vertex(flat_operand(c->loop, op, i)), MAX_FLOW_ENDLESS);
}

/* Keep VALUE in PLAN. */
static void
add_store(const struct loop_chooser *c, struct loop_point *point,
          flat_id value) {
  struct loop_plan *plan = &point->plan;
  uint32_t holder = c->holder[value];
  struct loop_store store = {value, holder ? holder - 1 : NONE};
  vector_push(c->arena, &plan->stores, store);
  plan->store_of[value] = plan->stores.count;
  if (holder)
    plan->dropped[holder - 1] = false;
  if (!c->free_of_cost[value])
    point->bytes = saturating_add(
        point->bytes, saturating_multiply(c->slots, slot_bytes(c, value)));
}

/* The plan that the cut of NETWORK is. */
static struct loop_point
read_cut(const struct loop_chooser *c, const struct flow_network *network) {
  const struct loops *loops = c->loops;
  const struct loop *loop = c->loop;
  struct loop_point point = {.plan = {.writer = c->writer}};
  uint64_t cost = 0;
  point.plan.store_of = ARENA_ARRAY(c->arena, uint32_t, loop->values.count);
  point.plan.dropped = ARENA_ARRAY(c->arena, bool, loops->stacks.count);
  for (uint32_t s = 0; s < loops->stacks.count; s++)
    point.plan.dropped[s] = loops->stacks.data[s].writer == c->writer &&
                            loop_droppable(loops, &loops->stacks.data[s]);
  for (flat_id v = 0; v < loop->values.count; v++) {
    const struct flat_value *value = &loop->values.data[v];
    if (network->level[value_vertex(v)] == UINT32_MAX ||
        value->kind == FLAT_OUTSIDE ||
        (value->kind == FLAT_CARRY && loop->affine[v].known))
      continue;
    if (value->kind == FLAT_CARRY || c->free_of_cost[v] ||
        network->level[op_vertex(c, value->number)] == UINT32_MAX)
      add_store(c, &point, v);
  }
  for (uint32_t o = 0; o < loop->ops.count; o++)
    if (network->level[op_vertex(c, o)] != UINT32_MAX)
      cost = saturating_add(cost, c->cost[o]);
  point.cost_ns =
      saturating_multiply(saturating_multiply(cost, c->copies), loop->trips);
  return point;
}

/* Mark what VALUE of C's loop is made of, itself too. */
static void
mark_slice(const struct loop_chooser *c, flat_id value, bool *marked) {
  const struct loop *loop = c->loop;
  memset(marked, 0, loop->values.count * sizeof *marked);
  marked[value] = true;
  for (uint32_t o = loop->ops.count; o-- > 0;) {
    const struct flat_op *op = &loop->ops.data[o];
    bool any = false;
    for (uint32_t i = 0; i < op->result_count; i++)
      any |= marked[op->first_result + i];
    for (uint32_t i = 0; any && i < op->use_count; i++)
      marked[flat_operand(loop, op, i)] = true;
  }
}

const char *
loop_fixed(const struct loop_chooser *c, const struct loop_stack *stack,
           op_id *op) {
  const struct loop *loop = c->loop;
  bool *marked = ARENA_ARRAY(c->arena, bool, loop->values.count);
  flat_id home = c->home[stack->stored];
  *op = NONE;
  if (loop->values.data[home].kind == FLAT_CARRY)
    return "it is what the loop hands from one iteration to the next, and all "
           "else is made of it";
  mark_slice(c, home, marked);
  for (uint32_t o = loop->ops.count; o-- > 0;)
    for (uint32_t i = 0; i < loop->ops.data[o].result_count; i++)
      if (marked[loop->ops.data[o].first_result + i] &&
          !runs_again(c, &loop->ops.data[o])) {
        *op = loop->ops.data[o].op;
        return "it is made of what may not be computed twice";
      }
  return NULL;
}

struct loop_point
loop_choose(const struct loop_chooser *c, const struct loop_query *query) {
  struct arena scratch = {0};
  struct flow_network network = {.arena = &scratch, .effort = EFFORT};
  flow_begin(&network, FIRST + c->loop->values.count + c->loop->ops.count);
  for (flat_id v = 0; v < c->loop->values.count; v++)
    if (c->reached[v])
      add_value(c, &network, v, query);
  for (uint32_t o = 0; o < c->loop->ops.count; o++)
    if (c->reached[c->loop->ops.data[o].first_result] ||
        c->loop->ops.data[o].result_count > 1)
      add_op(c, &network, o);
  bool possible = flow_most(&network, SOURCE, SINK) < MAX_FLOW_ENDLESS &&
                  network.effort > 0;
  struct loop_point point = read_cut(c, &network);
  point.possible = possible;
  arena_empty(&scratch);
  return point;
}

struct loop_chooser *
loop_chooser_new(struct arena *arena, const struct loops *loops,
                 uint32_t writer, const struct loop_costs *costs) {
  const struct loop *loop = loops->list.data[writer];
  struct loop_chooser *c = ARENA_NEW(arena, struct loop_chooser);
  struct loop_costs *own = ARENA_NEW(arena, struct loop_costs);
  *own = *costs;
  uint32_t count = loop->values.count;
  *c = (struct loop_chooser){.arena = arena,
                             .loops = loops,
                             .writer = writer,
                             .loop = loop,
                             .costs = own};
  c->home = ARENA_ARRAY(arena, flat_id, count);
  c->demanded = ARENA_ARRAY(arena, bool, count);
  c->holder = ARENA_ARRAY(arena, uint32_t, count);
  c->free_of_cost = ARENA_ARRAY(arena, bool, count);
  c->reached = ARENA_ARRAY(arena, bool, count);
  c->cost = ARENA_ARRAY(arena, uint64_t, loop->ops.count);
  for (flat_id v = 0; v < count; v++)
    c->home[v] = flat_home(loops->module, loop, v);
  find_holders(c);
  count_copies(c);
  find_reached(c);
  return c;
}

struct loop_body
loop_chooser_body(const struct loop_chooser *c) {
  return (struct loop_body){c->arena, c->loops, c->costs->facts, c->cost,
                            c->slots};
}
