/* denote_loop.c - a loop as terms.
 *
 *   i from 0, c from c0, w from w0      i at time t is t, w is w0,
 *   while i < 5:                  ==>   c is the sequence from c0 by f (c, w0),
 *     i, c, w = i + 1, f (c, w), w      and the loop leaves it at time 5
 *
 * The body is run through with a leaf for each carry.  What it hands on tells
 * which carries never change and which grow by a constant; then it is run
 * through again, knowing that, until nothing new is found out.  Each step is
 * proved by those before it.  A loop that runs once or not at all is no loop.
 * One whose trips cannot be counted ends when its condition says so. */
#include "passes/denote.h"

#include <string.h>

enum { ROUNDS_MAX = 12 };

struct looking {
  struct denoted *d;
  op_id op;
  block_id condition, body;
  function_id condition_function, body_function; /* HLO */
  bool tuple;                                    /* its state is one */
  uint32_t count; /* carries; behind them the state of the world */
  term_id *begin; /* by carry */
  term_id *leaf;  /* what is known of it in iteration t */
  term_id *next;
  term_id test; /* its condition */
  int64_t trips;
};

/* --- its form --- */

static bool
find_bodies(struct looking *l) {
  const struct ir_module *m = l->d->m;
  region_id region = m->op_region[l->op];
  l->condition_function = l->body_function = l->condition = l->body = NONE;
  if (region != NONE) {
    l->condition = denote_only_block(m, region);
    if (m->region_next[region] != NONE)
      l->body = denote_only_block(m, m->region_next[region]);
    return l->condition != NONE && l->body != NONE;
  }
  uint32_t count;
  const struct ir_call *calls = ir_op_calls(m, l->op, &count);
  for (uint32_t i = 0; i < count; i++) {
    struct text role = string_text(m->names, calls[i].attribute);
    region_id body = m->functions.data[calls[i].callee].body;
    if (text_is(role, "condition")) {
      l->condition_function = calls[i].callee;
      l->condition = denote_only_block(m, body);
    } else if (text_is(role, "body")) {
      l->body_function = calls[i].callee;
      l->body = denote_only_block(m, body);
    }
  }
  return l->condition != NONE && l->body != NONE && m->op_use_count[l->op] == 1;
}

static term_id
element_of(struct denoted *d, term_id tuple, const struct type *type,
           uint32_t index) {
  const struct term element = {
      .kind = TERM_ELEMENT,
      .shape = terms_shape(d->terms, type_get(d->m->types, type->parts[index])),
      .a = index};
  return term_make(d->terms, &element, &tuple, 1);
}

/* The type of the state, where it is a tuple; else NULL. */
static const struct type *
state_type(const struct looking *l) {
  const struct ir_module *m = l->d->m;
  const struct type *type = ir_value_type(m, ir_operand(m, l->op, 0));
  return l->body_function != NONE && type->kind == TYPE_TUPLE ? type : NULL;
}

/* Where all carries begin. */
static void
find_begins(struct looking *l) {
  struct denoted *d = l->d;
  const struct type *type = state_type(l);
  l->tuple = type != NULL;
  l->count = type ? type->part_count : d->m->op_use_count[l->op];
  l->begin = ARENA_ARRAY(d->arena, term_id, l->count + 1);
  l->leaf = ARENA_ARRAY(d->arena, term_id, l->count + 1);
  l->next = ARENA_ARRAY(d->arena, term_id, l->count + 1);
  for (uint32_t i = 0; i < l->count; i++) {
    term_id value = d->value[ir_operand(d->m, l->op, type ? 0 : i)];
    l->begin[i] = type ? element_of(d, value, type, i) : value;
  }
  l->begin[l->count] = d->state;
}

/* --- running through it --- */

/* The carries as one tuple. */
static term_id
tuple_of(const struct looking *l, const term_id *parts) {
  struct denoted *d = l->d;
  const struct term tuple = {
      .kind = TERM_TUPLE, .shape = denote_shape(d, ir_operand(d->m, l->op, 0))};
  return term_make(d->terms, &tuple, parts, l->count);
}

/* Run through BLOCK, of FUNCTION in HLO, with carries LEAF, into RESULTS. */
static void
run_body(struct looking *l, block_id block, function_id function,
         term_id *results) {
  struct denoted *d = l->d;
  const struct ir_module *m = d->m;
  if (function == NONE) {
    for (uint32_t i = 0; i < m->block_argument_count[block]; i++)
      d->value[m->block_first_argument[block] + i] = l->leaf[i];
    denote_block(d, block, NONE, results);
    return;
  }
  const struct ir_function *f = &m->functions.data[function];
  for (uint32_t i = 0; i < f->argument_count; i++)
    if (f->arguments[i] != NONE)
      d->value[f->arguments[i]] = l->tuple ? tuple_of(l, l->leaf) : l->leaf[0];
  denote_block(d, block, f->root, results);
}

/* What is tested.  False where that has effects. */
static bool
run_condition(struct looking *l) {
  struct denoted *d = l->d;
  d->state = l->leaf[l->count];
  run_body(l, l->condition, l->condition_function, &l->test);
  return !d->fault && d->state == l->leaf[l->count];
}

static bool
run_iteration(struct looking *l) {
  struct denoted *d = l->d;
  term_id whole;
  d->state = l->leaf[l->count];
  run_body(l, l->body, l->body_function, l->tuple ? &whole : l->next);
  if (d->fault)
    return false;
  for (uint32_t i = 0; i < l->count && l->tuple; i++)
    l->next[i] = element_of(d, whole, state_type(l), i);
  l->next[l->count] = d->state;
  return true;
}

/* --- trips --- */

static int64_t
quotient_up(int64_t a, int64_t b) {
  return a / b + (a % b != 0 && (a < 0) == (b < 0));
}

/* After how many times SCALE t + OFFSET does not stand in ORDER to 0; unknown
 * where that is never, or not by steps towards it. */
static int64_t
steps(int64_t order, int64_t scale, int64_t offset) {
  switch ((enum term_order)order) {
  case GREATER:
  case GREATER_EQUAL:
    return steps(order == GREATER ? LESS : LESS_EQUAL, -scale, -offset);
  case LESS_EQUAL:
    return steps(LESS, scale, offset - 1);
  case LESS:
    if (offset >= 0)
      return 0;
    return scale > 0 ? quotient_up(-offset, scale) : TERM_TRIPS_UNKNOWN;
  case NOT_EQUAL:
    if (offset == 0)
      return 0;
    return scale && offset % scale == 0 && -offset / scale > 0
               ? -offset / scale
               : TERM_TRIPS_UNKNOWN;
  case EQUAL:
    return offset != 0 ? 0 : scale != 0 ? 1 : TERM_TRIPS_UNKNOWN;
  }
  return TERM_TRIPS_UNKNOWN;
}

/* How often the body runs, where the condition compares what is linear with a
 * constant and nothing wraps until it fails. */
static int64_t
count_trips(struct looking *l) {
  struct terms *terms = l->d->terms;
  struct term test = *term_get(terms, l->test);
  int64_t side[2][2] = {{0}}, number, trips = TERM_TRIPS_UNKNOWN;
  if (term_constant(terms, l->test, &number))
    return number ? TERM_TRIPS_UNKNOWN : 0;
  if (test.kind != TERM_COMPARE)
    return trips;
  for (uint32_t i = 0; i < 2; i++) {
    const struct term *term = term_get(terms, term_operand(terms, l->test, i));
    if (term->kind != TERM_LINEAR)
      return trips;
    if (term->count) {
      const struct term *time = term_get(
          terms, term_operand(terms, term_operand(terms, l->test, i), 0));
      if (time->kind != TERM_TIME || time->depth != l->d->depth - 1)
        return trips;
    }
    side[i][0] = term->a;
    side[i][1] = term->b;
  }
  trips = steps(test.a, side[0][0] - side[1][0], side[0][1] - side[1][1]);
  if (trips < 0 || trips >= INT32_MAX)
    return TERM_TRIPS_UNKNOWN;
  /* The last test is made at time TRIPS. */
  int64_t *known = &terms->trips[l->d->depth - 1], least, most;
  *known = trips + 1;
  for (uint32_t i = 0; i < 2; i++)
    if (!term_range(terms, term_operand(terms, l->test, i), &least, &most))
      trips = TERM_TRIPS_UNKNOWN;
  *known = TERM_TRIPS_UNKNOWN;
  return trips;
}

/* --- what carries are --- */

static term_id
carry_leaf(struct looking *l, uint32_t carry) {
  const struct term leaf = {.kind = TERM_CARRY,
                            .depth = (uint8_t)(l->d->depth - 1),
                            .shape =
                                term_get(l->d->terms, l->begin[carry])->shape,
                            .a = carry};
  return term_enter(l->d->terms, &leaf, NULL, 0);
}

/* By how much CARRY grows in each iteration, where that is one number. */
static bool
step_of(struct looking *l, uint32_t carry, int64_t *step) {
  struct terms *terms = l->d->terms;
  const struct term *next = term_get(terms, l->next[carry]);
  int64_t begin;
  if (next->kind != TERM_LINEAR || !next->count || next->a != 1 ||
      term_operand(terms, l->next[carry], 0) != l->leaf[carry] ||
      !term_constant(terms, l->begin[carry], &begin))
    return false;
  *step = next->b;
  return true;
}

/* Learn of carries from what is handed on; true where there was something. */
static bool
learn(struct looking *l) {
  struct terms *terms = l->d->terms;
  bool learned = false;
  for (uint32_t i = 0; i <= l->count; i++) {
    int64_t step, begin;
    term_id known = TERM_NONE;
    if (l->leaf[i] != carry_leaf(l, i))
      continue;
    if (l->next[i] == l->leaf[i])
      known = l->begin[i];
    else if (step_of(l, i, &step) && term_constant(terms, l->begin[i], &begin))
      known = term_linear(terms, term_get(terms, l->begin[i])->shape,
                          term_time(terms, l->d->depth - 1), step, begin);
    if (known == TERM_NONE)
      continue;
    l->leaf[i] = known;
    learned = true;
  }
  return learned;
}

/* Run through the loop until nothing more is learned.  False where it has
 * something that cannot be looked at. */
static bool
look(struct looking *l) {
  struct terms *terms = l->d->terms;
  int64_t *trips = &terms->trips[l->d->depth - 1];
  l->trips = TERM_TRIPS_UNKNOWN;
  for (uint32_t i = 0; i <= l->count; i++)
    l->leaf[i] = carry_leaf(l, i);
  for (uint32_t round = 0; round < ROUNDS_MAX; round++) {
    *trips = TERM_TRIPS_UNKNOWN;
    if (!run_condition(l))
      return false;
    int64_t counted = count_trips(l);
    bool learned = counted != l->trips;
    *trips = l->trips = counted;
    if (counted == 0 || counted == 1)
      break;
    if (!run_iteration(l))
      return false;
    learned |= learn(l);
    if (!learned)
      break;
  }
  return true;
}

/* --- what it leaves --- */

/* CARRY as the loop leaves it. */
static term_id
left(struct looking *l, const struct recurrence *all, uint32_t carry) {
  struct terms *terms = l->d->terms;
  if (l->leaf[carry] == l->begin[carry])
    return l->begin[carry];
  if (l->trips < 0)
    return term_sequence(terms, all, carry, l->test);
  term_id when = term_linear(terms, terms->index_shape, TERM_NONE, 0, l->trips);
  struct term leaf = *term_get(terms, l->leaf[carry]);
  if (leaf.kind == TERM_LINEAR)
    return term_linear(terms, leaf.shape, TERM_NONE, 0,
                       leaf.a * l->trips + leaf.b);
  term_id pair[2] = {term_sequence(terms, all, carry, TERM_NONE), when};
  const struct term at = {.kind = TERM_AT, .shape = leaf.shape};
  return term_make(terms, &at, pair, 2);
}

/* A loop that is counted to run once, or not at all: its only iteration. */
static bool
run_once(struct looking *l, term_id *ends) {
  memcpy(l->leaf, l->begin, (l->count + 1) * sizeof *l->leaf);
  memcpy(l->next, l->begin, (l->count + 1) * sizeof *l->next);
  if (l->trips == 1 && !run_iteration(l))
    return false;
  memcpy(ends, l->next, (l->count + 1) * sizeof *ends);
  return true;
}

/* What all carries are in the end, into ENDS. */
static bool
find_ends(struct looking *l, term_id *ends) {
  struct denoted *d = l->d;
  if (l->trips == 0 || l->trips == 1)
    return run_once(l, ends);
  for (uint32_t i = 0; i <= l->count; i++) {
    struct term leaf = *term_get(d->terms, l->leaf[i]);
    /* Nothing mentions a carry that counts; where trips are not known, it is
     * a member still. */
    if (leaf.kind == TERM_LINEAR && leaf.count)
      l->next[i] =
          term_linear(d->terms, leaf.shape, carry_leaf(l, i), 1, leaf.a);
    else if (l->leaf[i] == l->begin[i])
      l->next[i] = carry_leaf(l, i);
  }
  const struct recurrence all = {TERM_CARRY,   d->depth - 1, l->trips,
                                 l->count + 1, l->begin,     l->next};
  for (uint32_t i = 0; i <= l->count; i++)
    ends[i] = left(l, &all, i);
  return true;
}

bool
denote_loop(struct denoted *d, op_id op) {
  struct looking l = {.d = d, .op = op};
  term_id before = d->state;
  if (d->depth == TERM_DEPTHS || !find_bodies(&l))
    return false;
  find_begins(&l);
  term_id *ends = ARENA_ARRAY(d->arena, term_id, l.count + 1);
  d->depth++;
  bool good = look(&l) && find_ends(&l, ends);
  d->terms->trips[d->depth - 1] = TERM_TRIPS_UNKNOWN;
  d->depth--;
  d->state = good ? ends[l.count] : before;
  if (!good)
    return false;
  if (l.body_function != NONE) {
    d->value[ir_result(d->m, op, 0)] = l.tuple ? tuple_of(&l, ends) : ends[0];
    return true;
  }
  for (uint32_t i = 0; i < l.count; i++)
    d->value[ir_result(d->m, op, i)] = ends[i];
  return true;
}
