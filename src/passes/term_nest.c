/* term_nest.c - sequences in sequences, and sequences that go on.
 *
 * A NEST: each member of an outer sequence is, after one of its G steps, what
 * an inner sequence that begins with the members is after S steps; then it is
 * one sequence of G S steps.
 *
 *   c(U+1) = inner(U) at S            c(t+1) = f(c(t), t)
 *   inner(U): begins with c(U),  ==>
 *     next f(x, S U + u)              at U: now at S U
 *
 * Times of both have to go together as S U + u.
 *
 * One that GOES ON: it begins where another one is at time A, and makes the
 * same steps as that one does from then on.
 *
 *   d begins with c at A, next f(d(t), A + t)   ==>   d at t is c at A + t
 *
 * By induction: the steps are compared with d(t) taken for c at A + t.  Terms
 * are folded with the times at which a loop runs in mind, so both sequences
 * have to run then.
 *
 * A nest of n members: O(n times their terms). */
#include "passes/terms.h"

#include <string.h>

/* --- a sequence's parts --- */

struct parts {
  struct term sequence;
  uint32_t count;
  term_id *begin, *next;
};

static struct parts
parts_of(struct terms *terms, struct arena *arena, term_id id) {
  struct parts p = {.sequence = *term_get(terms, id)};
  p.count = p.sequence.count / 2;
  p.begin = ARENA_ARRAY(arena, term_id, p.count);
  p.next = ARENA_ARRAY(arena, term_id, p.count);
  for (uint32_t i = 0; i < p.count; i++) {
    p.begin[i] = term_operand(terms, id, 2 * i);
    p.next[i] = term_operand(terms, id, 2 * i + 1);
  }
  return p;
}

/* Member INDEX of P, as a sequence of its own. */
static term_id
member(struct terms *terms, const struct parts *p, uint32_t index) {
  const struct recurrence all = {TERM_BOUND, p->sequence.depth, p->sequence.a,
                                 p->count,   p->begin,          p->next};
  return term_sequence(terms, &all, index, TERM_NONE);
}

/* SEQUENCE at time WHEN. */
static term_id
at_time(struct terms *terms, term_id sequence, term_id when) {
  term_id pair[2] = {sequence, when};
  const struct term at = {.kind = TERM_AT,
                          .shape = term_get(terms, sequence)->shape};
  return term_make(terms, &at, pair, 2);
}

term_id
term_value_at(struct terms *terms, term_id sequence_id, term_id value,
              term_id when) {
  struct arena arena = {0};
  struct parts p = parts_of(terms, &arena, sequence_id);
  uint32_t depth = p.sequence.depth, count = 0;
  term_id *leaves = ARENA_ARRAY(&arena, term_id, p.count);
  bool *seen = ARENA_ARRAY(&arena, bool, p.count);
  uint32_t *list = ARENA_ARRAY(&arena, uint32_t, p.count);
  const struct term leaf = {.kind = TERM_BOUND, .depth = (uint8_t)depth};
  term_id made = TERM_NONE;
  if (!term_hides(terms, value, depth,
                  term_get(terms, when)->free & ~(1u << depth))) {
    term_leaves(terms, &leaf, value, seen, list, &count);
    for (uint32_t i = 0; i < count; i++)
      leaves[list[i]] = at_time(terms, member(terms, &p, list[i]), when);
    const struct term_map map = {TERM_BOUND, depth, leaves, when};
    made = term_mapped(terms, &map, value);
  }
  arena_empty(&arena);
  return made;
}

/* --- nests --- */

struct nest {
  struct terms *terms;
  struct arena arena;
  struct parts outer;
  int64_t steps;  /* of the inner ones */
  uint32_t depth; /* of the outer one */
  term_id *next;  /* by member: of the one sequence, at the inner depth */
};

/* The inner sequence that member INDEX of N is handed on from, or TERM_NONE. */
static term_id
inner_of(const struct nest *n, uint32_t index) {
  const struct terms *terms = n->terms;
  const struct term *at = term_get(terms, n->outer.next[index]);
  int64_t when;
  if (at->kind != TERM_AT)
    return TERM_NONE;
  term_id id = term_operand(terms, n->outer.next[index], 0);
  const struct term *inner = term_get(terms, id);
  if (inner->kind != TERM_SEQUENCE || inner->depth != n->depth + 1 ||
      inner->a < 1 || inner->count < 2 ||
      !term_constant(terms, term_operand(terms, n->outer.next[index], 1),
                     &when) ||
      when != inner->a)
    return TERM_NONE;
  return id;
}

/* The next of an inner member, VALUE, in terms of the outer members that MEMBER
 * says and of one time, at the inner depth.  TERM_NONE where that cannot be. */
static term_id
unnest(struct nest *n, const struct parts *inner, const uint32_t *members,
       term_id value) {
  struct terms *terms = n->terms;
  uint32_t own = n->depth + 1;
  term_id *leaves = ARENA_ARRAY(&n->arena, term_id, inner->count);
  for (uint32_t i = 0; i < inner->count; i++) {
    const struct term leaf = {.kind = TERM_CARRY,
                              .depth = (uint8_t)own,
                              .shape = term_get(terms, inner->begin[i])->shape,
                              .a = members[i]};
    leaves[i] = term_enter(terms, &leaf, NULL, 0);
  }
  const struct term_part both[2] = {{term_time(terms, own), 1},
                                    {term_time(terms, n->depth), -n->steps}};
  const struct term_map map = {
      TERM_BOUND, own, leaves,
      term_combined(terms, terms->index_shape, both, 2, 0)};
  uint32_t depths = 1u << n->depth | 1u << own;
  if (map.time == TERM_NONE || term_hides(terms, value, own, depths))
    return TERM_NONE;
  term_id made = term_mapped(terms, &map, value);
  return term_get(terms, made)->free >> n->depth & 1 ||
                 term_hides(terms, made, own, 1u << n->depth)
             ? TERM_NONE
             : made;
}

/* Which outer members INNER's ones begin with, into MEMBERS; the first is
 * INDEX. */
static bool
match_members(const struct nest *n, const struct parts *inner, uint32_t index,
              uint32_t *members) {
  for (uint32_t i = 0; i < inner->count; i++) {
    const struct term *begin = term_get(n->terms, inner->begin[i]);
    if (begin->kind != TERM_BOUND || begin->depth != n->depth)
      return false;
    members[i] = (uint32_t)begin->a;
  }
  return members[0] == index;
}

/* The steps of N's members; with CHECK, all inner sequences must make the same
 * ones. */
static bool
find_steps(struct nest *n, bool check) {
  for (uint32_t m = 0; m < n->outer.count; m++) {
    struct parts inner = parts_of(n->terms, &n->arena, inner_of(n, m));
    uint32_t *members = ARENA_ARRAY(&n->arena, uint32_t, inner.count);
    if (inner.sequence.a != n->steps || !match_members(n, &inner, m, members))
      return false;
    for (uint32_t i = 0; i < (check ? inner.count : 1); i++) {
      term_id next = unnest(n, &inner, members, inner.next[i]);
      if (next == TERM_NONE || (check && next != n->next[members[i]]))
        return false;
      n->next[members[i]] = next;
    }
  }
  return true;
}

/* The one sequence that N is, back at the outer depth. */
static term_id
one_sequence(struct nest *n) {
  struct terms *terms = n->terms;
  const struct parts *outer = &n->outer;
  term_id *leaves = ARENA_ARRAY(&n->arena, term_id, outer->count);
  for (uint32_t m = 0; m < outer->count; m++) {
    const struct term leaf = {.kind = TERM_CARRY,
                              .depth = (uint8_t)n->depth,
                              .shape = term_get(terms, outer->begin[m])->shape,
                              .a = m};
    leaves[m] = term_enter(terms, &leaf, NULL, 0);
  }
  const struct term_map map = {TERM_CARRY, n->depth + 1, leaves,
                               term_time(terms, n->depth)};
  for (uint32_t m = 0; m < outer->count; m++)
    n->next[m] = term_mapped(terms, &map, n->next[m]);
  const struct recurrence all = {
      TERM_CARRY,   n->depth,     outer->sequence.a * n->steps,
      outer->count, outer->begin, n->next};
  return term_sequence(terms, &all, 0, TERM_NONE);
}

/* The nest SEQUENCE at time WHEN as one sequence's, or TERM_NONE. */
static term_id
fold_nest(struct terms *terms, term_id sequence, term_id when) {
  struct nest n = {.terms = terms, .depth = term_get(terms, sequence)->depth};
  int64_t trips[TERM_DEPTHS], rounds = term_get(terms, sequence)->a;
  term_id made = TERM_NONE;
  n.outer = parts_of(terms, &n.arena, sequence);
  bool good = rounds > 0 && n.depth + 1 < TERM_DEPTHS;
  for (uint32_t m = 0; good && m < n.outer.count; m++)
    good = inner_of(&n, m) != TERM_NONE;
  if (good) {
    memcpy(trips, terms->trips, sizeof trips);
    n.steps = term_get(terms, inner_of(&n, 0))->a;
    n.next = ARENA_ARRAY(&n.arena, term_id, n.outer.count);
    good = !__builtin_mul_overflow(n.steps, rounds, &terms->trips[n.depth + 1]);
    terms->trips[n.depth] = rounds;
    good = good && find_steps(&n, false) && find_steps(&n, true);
    terms->trips[n.depth] = terms->trips[n.depth + 1];
    term_id flat = good ? one_sequence(&n) : TERM_NONE;
    memcpy(terms->trips, trips, sizeof trips);
    term_id time =
        good ? term_linear(terms, terms->index_shape, when, n.steps, 0)
             : TERM_NONE;
    if (time != TERM_NONE)
      made = at_time(terms, flat, time);
  }
  arena_empty(&n.arena);
  return made;
}

/* --- going on --- */

struct going_on {
  struct terms *terms;
  struct arena arena;
  struct parts own, other;
  term_id other_id, since; /* the other sequence, and when it is gone on from */
  term_id now;             /* since + t */
  uint32_t *own_of;        /* by member of the other one */
  term_id *other_of;       /* by member of its own: the other one's member */
};

/* Find the other sequence's members among those that G's own begin with. */
static bool
match_begins(struct going_on *g) {
  struct terms *terms = g->terms;
  for (uint32_t m = 0; m < g->other.count; m++) {
    term_id rooted = member(terms, &g->other, m);
    g->own_of[m] = TERM_NONE;
    for (uint32_t i = 0; i < g->own.count; i++) {
      const struct term *begin = term_get(terms, g->own.begin[i]);
      if (begin->kind != TERM_AT ||
          term_operand(terms, g->own.begin[i], 0) != rooted ||
          term_operand(terms, g->own.begin[i], 1) != g->since)
        continue;
      g->own_of[m] = i;
      g->other_of[i] = rooted;
    }
  }
  for (uint32_t i = 0; i < g->own.count; i++)
    if (g->other_of[i] == TERM_NONE)
      return false;
  return true;
}

/* Does each member make the other's step, if it is the other's before? */
static bool
match_steps(struct going_on *g) {
  struct terms *terms = g->terms;
  uint32_t depth = g->own.sequence.depth;
  uint32_t outside = term_get(terms, g->since)->free;
  term_id *leaves = ARENA_ARRAY(&g->arena, term_id, g->own.count);
  for (uint32_t i = 0; i < g->own.count; i++)
    leaves[i] = at_time(terms, g->other_of[i], g->now);
  const struct term_map map = {TERM_BOUND, depth, leaves, TERM_NONE};
  for (uint32_t m = 0; m < g->other.count; m++) {
    uint32_t i = g->own_of[m];
    if (i == TERM_NONE)
      continue;
    if (term_hides(terms, g->own.next[i], depth, outside))
      return false;
    term_id step = term_value_at(terms, g->other_id, g->other.next[m], g->now);
    if (step == TERM_NONE || step != term_mapped(terms, &map, g->own.next[i]))
      return false;
  }
  return true;
}

/* Do both sequences run at all times before WHEN, from SINCE on? */
static bool
runs(const struct going_on *g, term_id when) {
  const struct terms *terms = g->terms;
  const struct term_part both[2] = {{g->since, 1}, {when, 1}};
  int64_t least, most;
  term_id end = term_combined(g->terms, terms->index_shape, both, 2, 0);
  return term_range(terms, when, &least, &most) && least >= 0 &&
         most <= g->own.sequence.a &&
         term_range(terms, g->since, &least, &most) && least >= 0 &&
         end != TERM_NONE && term_range(terms, end, &least, &most) &&
         most <= g->other.sequence.a;
}

/* SEQUENCE, which begins where another one is at some time, at time WHEN as
 * that one's; or TERM_NONE. */
static term_id
fold_going_on(struct terms *terms, term_id sequence, term_id when) {
  struct going_on g = {.terms = terms};
  term_id begin = term_operand(terms, sequence, 0), made = TERM_NONE;
  if (term_get(terms, begin)->kind != TERM_AT)
    return TERM_NONE;
  g.other_id = term_operand(terms, begin, 0);
  g.since = term_operand(terms, begin, 1);
  if (term_get(terms, g.other_id)->kind != TERM_SEQUENCE)
    return TERM_NONE;
  g.own = parts_of(terms, &g.arena, sequence);
  g.other = parts_of(terms, &g.arena, g.other_id);
  g.own_of = ARENA_ARRAY(&g.arena, uint32_t, g.other.count);
  g.other_of = ARENA_ARRAY(&g.arena, term_id, g.own.count);
  memset(g.other_of, 0xff, g.own.count * sizeof *g.other_of);
  uint32_t depth = g.own.sequence.depth;
  int64_t known = terms->trips[depth];
  const struct term_part later[2] = {{g.since, 1},
                                     {term_time(terms, depth), 1}};
  bool outside = !(term_get(terms, g.since)->free >> depth & 1);
  if (outside && runs(&g, when) && match_begins(&g)) {
    terms->trips[depth] = g.own.sequence.a;
    g.now = term_combined(terms, terms->index_shape, later, 2, 0);
    bool good = g.now != TERM_NONE && match_steps(&g);
    terms->trips[depth] = known;
    const struct term_part end[2] = {{g.since, 1}, {when, 1}};
    if (good)
      made = at_time(terms, g.other_of[0],
                     term_combined(terms, terms->index_shape, end, 2, 0));
  }
  arena_empty(&g.arena);
  return made;
}

term_id
term_fold_at(struct terms *terms, const term_id *in) {
  int64_t number;
  if (term_constant(terms, in[1], &number) && number == 0)
    return term_operand(terms, in[0], 0);
  if (term_get(terms, in[0])->kind != TERM_SEQUENCE)
    return TERM_NONE;
  term_id made = fold_nest(terms, in[0], in[1]);
  return made != TERM_NONE ? made : fold_going_on(terms, in[0], in[1]);
}
