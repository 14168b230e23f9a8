/* terms.c - see terms.h: terms kept once, mapped, closed. */
#include "passes/terms.h"

#include "support/buffer.h"

#include <stdlib.h>
#include <string.h>

struct terms *
terms_new(struct arena *arena) {
  struct terms *terms = ARENA_NEW(arena, struct terms);
  terms->arena = arena;
  terms->spellings = string_table_new(arena);
  terms->slot_count = 1 << 12;
  terms->slots = ARENA_ARRAY(arena, uint32_t, terms->slot_count);
  for (uint32_t d = 0; d < TERM_DEPTHS; d++)
    terms->trips[d] = TERM_TRIPS_UNKNOWN;
  const struct type index = {.kind = TYPE_TENSOR, .dtype = DTYPE_I64};
  terms->index_shape = terms_shape(terms, &index);
  return terms;
}

/* --- shapes --- */

shape_id
terms_shape(struct terms *terms, const struct type *type) {
  struct buffer out = {.arena = terms->arena};
  bool known = (type->kind == TYPE_TENSOR || type->kind == TYPE_SCALAR) &&
               !type->dynamic && type->dtype != DTYPE_NONE;
  if (known) {
    buffer_printf(&out, "%u", (unsigned)type->dtype);
    for (uint32_t d = 0; d < type->rank; d++)
      buffer_printf(&out, "x%llu", (unsigned long long)type->dims[d]);
  } else {
    buffer_text(&out, type->spelling);
  }
  struct text text = {buffer_finish(&out), (uint32_t)out.size};
  shape_id id = string_intern(terms->spellings, text);
  if (id < terms->shapes.count)
    return id;
  struct shape shape = {.dtype = type->dtype, .known = known, .elements = 1};
  if (known) {
    uint64_t *dims = ARENA_ARRAY(terms->arena, uint64_t, type->rank);
    shape.rank = type->rank;
    shape.dims = dims;
    for (uint32_t d = 0; d < type->rank; d++) {
      dims[d] = type->dims[d];
      shape.elements *= dims[d];
    }
  }
  vector_push(terms->arena, &terms->shapes, shape);
  return id;
}

bool
shape_is_whole(const struct terms *terms, shape_id shape) {
  const struct shape *s = &terms->shapes.data[shape];
  enum dtype_class class = dtype_infos[s->dtype].class;
  return s->known && s->elements == 1 &&
         (class == DTYPE_CLASS_INTEGER || class == DTYPE_CLASS_UNSIGNED);
}

/* --- terms --- */

static uint32_t
hash_of(const struct term *term, const term_id *operands) {
  uint64_t hash = term->kind * 31u + term->depth;
  const uint64_t parts[] = {term->shape, term->key, (uint64_t)term->a,
                            (uint64_t)term->b, term->count};
  for (uint32_t i = 0; i < 5; i++)
    hash = (hash ^ parts[i]) * UINT64_C(0x9e3779b97f4a7c15);
  for (uint32_t i = 0; i < term->count; i++)
    hash = (hash ^ (hash >> 29) ^ operands[i]) * UINT64_C(0xbf58476d1ce4e5b9);
  return (uint32_t)(hash ^ (hash >> 32));
}

static bool
is_same(const struct terms *terms, const struct term *a, const struct term *b,
        const term_id *operands) {
  return a->kind == b->kind && a->depth == b->depth && a->shape == b->shape &&
         a->key == b->key && a->a == b->a && a->b == b->b &&
         a->count == b->count &&
         (a->count == 0 || memcmp(&terms->operands.data[a->first], operands,
                                  a->count * sizeof *operands) == 0);
}

static void
enlarge(struct terms *terms) {
  terms->slot_count *= 2;
  terms->slots = ARENA_ARRAY(terms->arena, uint32_t, terms->slot_count);
  for (term_id id = 0; id < terms->list.count; id++) {
    const struct term *term = term_get(terms, id);
    const term_id *operands = terms->operands.data + term->first;
    uint32_t at = hash_of(term, operands) & (terms->slot_count - 1);
    while (terms->slots[at])
      at = (at + 1) & (terms->slot_count - 1);
    terms->slots[at] = id + 1;
  }
}

/* Which depths TERM mentions, and which it closes. */
static void
note_depths(const struct terms *terms, struct term *term,
            const term_id *operands) {
  uint32_t own = 1u << term->depth;
  bool leaf = term->kind == TERM_TIME || term->kind == TERM_CARRY ||
              term->kind == TERM_BOUND;
  term->free = leaf ? own : 0;
  term->binders = 0;
  for (uint32_t i = 0; i < term->count; i++) {
    term->free |= term_get(terms, operands[i])->free;
    term->binders |= term_get(terms, operands[i])->binders;
  }
  if (term->kind == TERM_SEQUENCE || term->kind == TERM_STOP) {
    term->free &= ~own;
    term->binders |= own;
  }
}

term_id
term_enter(struct terms *terms, const struct term *like,
           const term_id *operands, uint32_t count) {
  struct term term = *like;
  term.count = count;
  uint32_t at = hash_of(&term, operands) & (terms->slot_count - 1);
  for (; terms->slots[at]; at = (at + 1) & (terms->slot_count - 1)) {
    term_id id = terms->slots[at] - 1;
    if (is_same(terms, term_get(terms, id), &term, operands))
      return id;
  }
  note_depths(terms, &term, operands);
  term.first = terms->operands.count;
  vector_reserve(terms->arena, &terms->operands, count);
  for (uint32_t i = 0; i < count; i++)
    terms->operands.data[terms->operands.count++] = operands[i];
  vector_push(terms->arena, &terms->list, term);
  terms->slots[at] = terms->list.count;
  if (terms->list.count > terms->slot_count / 2)
    enlarge(terms);
  return terms->list.count - 1;
}

/* --- sets and maps of terms --- */

/* From terms to numbers; what is not there is TERM_NONE. */
struct table {
  struct arena arena;
  term_id *keys; /* + 1 */
  uint32_t *values;
  uint32_t count, capacity;
};

static uint32_t
table_place(const struct table *table, term_id key) {
  uint32_t at = (key * 0x9e3779b1u) & (table->capacity - 1);
  while (table->keys[at] && table->keys[at] != key + 1)
    at = (at + 1) & (table->capacity - 1);
  return at;
}

static uint32_t
table_find(const struct table *table, term_id key) {
  if (!table->capacity)
    return TERM_NONE;
  uint32_t at = table_place(table, key);
  return table->keys[at] ? table->values[at] : TERM_NONE;
}

static void
table_set(struct table *table, term_id key, uint32_t value) {
  if (table->count * 2 >= table->capacity) {
    struct table old = *table;
    table->capacity = old.capacity ? old.capacity * 4 : 64;
    table->keys = ARENA_ARRAY(&table->arena, term_id, table->capacity);
    table->values = ARENA_ARRAY(&table->arena, uint32_t, table->capacity);
    for (uint32_t i = 0; i < old.capacity; i++)
      if (old.keys[i]) {
        uint32_t at = table_place(table, old.keys[i] - 1);
        table->keys[at] = old.keys[i];
        table->values[at] = old.values[i];
      }
  }
  uint32_t at = table_place(table, key);
  table->count += table->keys[at] == 0;
  table->keys[at] = key + 1;
  table->values[at] = value;
}

static int
by_number(const void *a, const void *b) {
  term_id x = *(const term_id *)a, y = *(const term_id *)b;
  return (x > y) - (x < y);
}

typedef VECTOR(term_id) term_list;

/* All terms that ID is made of and that mention DEPTH, in ascending order:
 * operands before what is made of them. */
static void
collect(const struct terms *terms, struct table *seen, uint32_t depth,
        term_id id, term_list *list) {
  uint32_t bit = 1u << depth;
  if (!(term_get(terms, id)->free & bit))
    return;
  table_set(seen, id, id);
  vector_push(&seen->arena, list, id);
  for (uint32_t i = 0; i < list->count; i++) {
    const struct term *term = term_get(terms, list->data[i]);
    for (uint32_t o = 0; o < term->count; o++) {
      term_id operand = terms->operands.data[term->first + o];
      if (!(term_get(terms, operand)->free & bit) ||
          table_find(seen, operand) != TERM_NONE)
        continue;
      table_set(seen, operand, operand);
      vector_push(&seen->arena, list, operand);
    }
  }
  qsort(list->data, list->count, sizeof *list->data, by_number);
}

/* What ID, whose operands are mapped, becomes. */
static term_id
map_one(struct terms *terms, const struct term_map *map,
        const struct table *made, term_id id) {
  struct term term = *term_get(terms, id);
  if (term.kind == map->leaf && term.depth == map->depth)
    return map->leaves[term.a];
  if (term.kind == TERM_TIME && term.depth == map->depth)
    return map->time == TERM_NONE ? id : map->time;
  term_id few[16];
  term_id *operands =
      term.count <= 16 ? few : ARENA_ARRAY(terms->arena, term_id, term.count);
  for (uint32_t i = 0; i < term.count; i++) {
    term_id operand = term_operand(terms, id, i);
    term_id now = table_find(made, operand);
    operands[i] = now == TERM_NONE ? operand : now;
  }
  return term_make(terms, &term, operands, term.count);
}

bool
term_hides(const struct terms *terms, term_id value, uint32_t depth,
           uint32_t depths) {
  struct table seen = {0};
  term_list todo = {0};
  bool found = false;
  vector_push(&seen.arena, &todo, value);
  while (todo.count && !found) {
    term_id id = todo.data[--todo.count];
    const struct term *term = term_get(terms, id);
    if (!(term->binders & depths) || !(term->free >> depth & 1) ||
        table_find(&seen, id) != TERM_NONE)
      continue;
    table_set(&seen, id, id);
    found = (term->kind == TERM_SEQUENCE || term->kind == TERM_STOP) &&
            depths >> term->depth & 1;
    for (uint32_t o = 0; o < term->count; o++)
      vector_push(&seen.arena, &todo, terms->operands.data[term->first + o]);
  }
  arena_empty(&seen.arena);
  return found;
}

/* What is mapped inside of a sequence speaks of another loop than the one of
 * its depth that is looked at: no trips are known of it. */
static void
forget_trips(struct terms *terms, term_id id, uint32_t depth) {
  uint32_t binders = term_get(terms, id)->binders;
  for (uint32_t d = 0; d < TERM_DEPTHS; d++)
    if (d != depth && binders >> d & 1 && term_hides(terms, id, depth, 1u << d))
      terms->trips[d] = TERM_TRIPS_UNKNOWN;
}

term_id
term_mapped(struct terms *terms, const struct term_map *map, term_id id) {
  struct table made = {0}, seen = {0};
  term_list list = {0};
  int64_t trips[TERM_DEPTHS];
  memcpy(trips, terms->trips, sizeof trips);
  forget_trips(terms, id, map->depth);
  collect(terms, &seen, map->depth, id, &list);
  for (uint32_t i = 0; i < list.count; i++)
    table_set(&made, list.data[i], map_one(terms, map, &made, list.data[i]));
  memcpy(terms->trips, trips, sizeof trips);
  term_id now = table_find(&made, id);
  arena_empty(&made.arena);
  arena_empty(&seen.arena);
  return now == TERM_NONE ? id : now;
}

void
term_leaves(struct terms *terms, const struct term *leaf, term_id id,
            bool *seen, uint32_t *list, uint32_t *count) {
  struct table visited = {0};
  term_list todo = {0};
  vector_push(&visited.arena, &todo, id);
  while (todo.count) {
    id = todo.data[--todo.count];
    const struct term *term = term_get(terms, id);
    if (!(term->free & (1u << leaf->depth)) ||
        table_find(&visited, id) != TERM_NONE)
      continue;
    table_set(&visited, id, id);
    if (term->kind == leaf->kind && term->depth == leaf->depth &&
        !seen[term->a]) {
      seen[term->a] = true;
      list[(*count)++] = (uint32_t)term->a;
    }
    for (uint32_t o = term->count; o-- > 0;)
      vector_push(&visited.arena, &todo, terms->operands.data[term->first + o]);
  }
  arena_empty(&visited.arena);
}

/* --- sequences --- */

term_id
term_sequence(struct terms *terms, const struct recurrence *r, uint32_t root,
              term_id condition) {
  struct arena arena = {0};
  const struct term leaf = {.kind = (uint8_t)r->leaf,
                            .depth = (uint8_t)r->depth};
  bool *seen = ARENA_ARRAY(&arena, bool, r->count);
  uint32_t *list = ARENA_ARRAY(&arena, uint32_t, r->count);
  term_id *leaves = ARENA_ARRAY(&arena, term_id, r->count);
  uint32_t count = 1, before = condition != TERM_NONE;
  list[0] = root;
  seen[root] = true;
  if (before)
    term_leaves(terms, &leaf, condition, seen, list, &count);
  for (uint32_t i = 0; i < count; i++)
    term_leaves(terms, &leaf, r->next[list[i]], seen, list, &count);
  for (uint32_t i = 0; i < count; i++) {
    const struct term bound = {.kind = TERM_BOUND,
                               .depth = (uint8_t)r->depth,
                               .shape =
                                   term_get(terms, r->begin[list[i]])->shape,
                               .a = i};
    leaves[list[i]] = term_enter(terms, &bound, NULL, 0);
  }
  const struct term_map map = {r->leaf, r->depth, leaves, TERM_NONE};
  term_id *operands = ARENA_ARRAY(&arena, term_id, (size_t)count * 2 + 1);
  if (before)
    operands[0] = term_mapped(terms, &map, condition);
  for (uint32_t i = 0; i < count; i++) {
    operands[before + 2 * i] = r->begin[list[i]];
    operands[before + 2 * i + 1] = term_mapped(terms, &map, r->next[list[i]]);
  }
  const struct term sequence = {.kind = before ? TERM_STOP : TERM_SEQUENCE,
                                .depth = (uint8_t)r->depth,
                                .shape = term_get(terms, r->begin[root])->shape,
                                .a = r->trips};
  term_id made = term_enter(terms, &sequence, operands, before + 2 * count);
  arena_empty(&arena);
  return made;
}
