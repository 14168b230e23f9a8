/* mlir_names.c - which value a name means.
 *
 * Every distinct name has a number for the whole text, and with it what it
 * means at this point.  Leaving a region undoes what was bound in it, so a
 * look-up is one probe of a hash table at any depth.  An isolated region
 * raises `floor`: bindings below it are not seen.
 *
 * Names that differ in their last digit only have one entry, of a cache line,
 * because %v1000 is mostly followed by %v1001: a million names cost few cache
 * misses.  What they share is compared as one number where it has up to eight
 * characters; of more the number is a hash.  O(1) for each name. */
#include "readers/mlir.h"

#include <endian.h>
#include <string.h>

enum { FEWEST_SLOTS = 1 << 10, PLACE_OF_STEM = 10, NAMES_OF_STEM };

void
mlir_names_start(struct mlir *r) {
  r->slot_count = FEWEST_SLOTS;
  r->slots = ARENA_ARRAY(&r->scratch, uint32_t, r->slot_count);
}

#define IS_HASH ((uint64_t)1 << 63) /* no character of a name has the bit */

static inline uint64_t
mix(uint64_t hash) {
  hash *= 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

/* The stem from BEGIN to END as a number. */
static inline uint64_t
key_of(const struct mlir *r, const char *begin, const char *end) {
  size_t size = (size_t)(end - begin);
  uint64_t key = 0;
  if (size > sizeof key) {
    while (begin < end)
      key = mix(key + (unsigned char)*begin++);
    return IS_HASH | key;
  }
  if (end - r->text >= (ptrdiff_t)sizeof key) {
    memcpy(&key, end - sizeof key, sizeof key);
    return be64toh(key) & UINT64_MAX >> 8 * (sizeof key - size);
  }
  while (begin < end)
    key = key << 8 | (unsigned char)*begin++;
  return key;
}

static void
rehash(struct mlir *r) {
  r->slot_count *= 2;
  r->slots = ARENA_ARRAY(&r->scratch, uint32_t, r->slot_count);
  uint32_t mask = r->slot_count - 1;
  for (uint32_t stem = 0; stem < r->stems.count; stem++) {
    uint32_t slot = (uint32_t)mix(r->stems.data[stem].key) & mask;
    while (r->slots[slot])
      slot = (slot + 1) & mask;
    r->slots[slot] = stem + 1;
  }
}

/* The number of the stem from BEGIN to END, made if it is new. */
static uint32_t
find_stem(struct mlir *r, const char *begin, const char *end) {
  uint64_t key = key_of(r, begin, end);
  uint32_t mask = r->slot_count - 1, slot = (uint32_t)mix(key) & mask;
  size_t size = (size_t)(end - begin);
  for (; r->slots[slot]; slot = (slot + 1) & mask) {
    const struct mlir_stem *stem = &r->stems.data[r->slots[slot] - 1];
    if (stem->key == key &&
        (!(key & IS_HASH) || (stem->size == size &&
                              memcmp(r->text + stem->begin, begin, size) == 0)))
      return r->slots[slot] - 1;
  }
  struct mlir_stem *stem = vector_add(&r->scratch, &r->stems);
  stem->key = key;
  stem->begin = mlir_offset(r, begin);
  stem->size = (uint32_t)size;
  r->slots[slot] = r->stems.count;
  if (r->stems.count * 2 > r->slot_count)
    rehash(r);
  return r->stems.count - 1;
}

uint32_t
mlir_name(struct mlir *r, const char *begin, const char *end) {
  uint32_t place = PLACE_OF_STEM;
  if (mlir_is(end[-1], CHAR_DIGIT))
    place = (uint32_t)(*--end - '0');
  return find_stem(r, begin, end) * NAMES_OF_STEM + place;
}

/* What NAME means: number of a binding + 1, or 0. */
static inline uint32_t *
meaning_of(const struct mlir *r, uint32_t name) {
  return &r->stems.data[name / NAMES_OF_STEM].meanings[name % NAMES_OF_STEM];
}

const struct mlir_binding *
mlir_lookup(const struct mlir *r, uint32_t name) {
  uint32_t binding = *meaning_of(r, name);
  return binding > r->floor ? &r->bindings.data[binding - 1] : NULL;
}

bool
mlir_bind(struct mlir *r, struct span span, uint32_t value, uint32_t count) {
  const char *begin = r->text + span.begin, *end = r->text + span.end;
  uint32_t name = mlir_name(r, begin, end);
  const struct mlir_binding *old = mlir_lookup(r, name);
  const struct mlir_scope *scope = &r->scopes.data[r->scopes.count - 1];
  if (old && ((!scope->shadows && *begin != '^') ||
              (uint32_t)(old - r->bindings.data) >= scope->bindings)) {
    mlir_error(r, begin, end, "'%.*s' is defined twice", (int)(end - begin),
               begin);
    mlir_note(r, r->text + old->begin, r->text + old->begin + (end - begin),
              "it was defined here");
    return false;
  }
  struct mlir_binding binding = {name, *meaning_of(r, name), value, count,
                                 span.begin};
  vector_push(&r->scratch, &r->bindings, binding);
  *meaning_of(r, name) = r->bindings.count;
  return true;
}

void
mlir_scope_open(struct mlir *r, unsigned kind) {
  struct mlir_scope scope = {r->bindings.count,
                             r->pendings.count,
                             r->edges.count,
                             r->floor,
                             (kind & (KIND_SHADOWS | KIND_ISOLATED)) != 0,
                             (kind & KIND_MODULE) != 0,
                             (kind & KIND_ISOLATED) != 0};
  vector_push(&r->scratch, &r->scopes, scope);
  if (kind & KIND_ISOLATED)
    r->floor = r->bindings.count;
}

/* A use that no definition of this region or of those around it can be for:
 * say what is wrong. */
static bool
undefined(struct mlir *r, const struct mlir_pending *pending) {
  const char *begin = r->text + pending->text.begin;
  const char *end = r->text + pending->text.end;
  return mlir_error(r, begin, end, "'%.*s' is not defined", (int)(end - begin),
                    begin);
}

/* The value that the use at TEXT ("%x#1") means, which is one of BINDING; NONE
 * after an error. */
static value_id
numbered(struct mlir *r, const struct mlir_binding *binding, struct span text) {
  const char *begin = r->text + text.begin, *end = r->text + text.end;
  const char *hash = memchr(begin, '#', (size_t)(end - begin));
  if (!hash)
    return binding->value;
  uint64_t number = 0;
  for (const char *p = hash + 1; p < end; p++)
    if (number <= UINT32_MAX)
      number = number * 10 + (uint64_t)(*p - '0');
  if (number < binding->count)
    return binding->value + (uint32_t)number;
  mlir_error(r, begin, end,
             "'%.*s' has %u result%s, so there is no number "
             "%.*s",
             (int)(hash - begin), begin, binding->count,
             binding->count == 1 ? "" : "s", (int)(end - hash - 1), hash + 1);
  mlir_note(r, r->text + binding->begin,
            r->text + binding->begin + (hash - begin), "it is defined here");
  return NONE;
}

/* Resolve PENDING in the region that ends.  *KEPT: it may be defined by one
 * around it. */
static bool
resolve(struct mlir *r, const struct mlir_pending *pending, bool ordered,
        bool *kept) {
  const struct mlir_binding *binding = mlir_lookup(r, pending->name);
  const struct mlir_scope *scope = &r->scopes.data[r->scopes.count - 1];
  *kept = false;
  if (binding && (uint32_t)(binding - r->bindings.data) >= scope->bindings) {
    if (ordered) {
      const char *begin = r->text + pending->text.begin;
      const char *end = r->text + pending->text.end;
      mlir_error(r, begin, end, "'%.*s' is used before it is defined",
                 (int)(end - begin), begin);
      mlir_note(r, r->text + binding->begin, r->text + binding->begin + 1,
                "it is defined here");
      return false;
    }
    value_id value = numbered(r, binding, pending->text);
    r->module->use_value[pending->use] = value;
    return value != NONE;
  }
  if (r->scopes.count == 1 || scope->isolated)
    return undefined(r, pending);
  *kept = true;
  return true;
}

bool
mlir_scope_close(struct mlir *r, region_id region) {
  struct mlir_scope scope = r->scopes.data[r->scopes.count - 1];
  const struct ir_module *m = r->module;
  bool several =
      region != NONE && m->region_block[region] != m->region_last[region];
  bool ordered = !scope.graph && !several && region != NONE;
  uint32_t kept = scope.pendings;
  for (uint32_t i = scope.pendings; i < r->pendings.count; i++) {
    bool keep;
    if (!resolve(r, &r->pendings.data[i], ordered, &keep))
      return false;
    if (keep)
      r->pendings.data[kept++] = r->pendings.data[i];
  }
  r->pendings.count = kept;
  while (r->bindings.count > scope.bindings) {
    struct mlir_binding *last = &r->bindings.data[--r->bindings.count];
    *meaning_of(r, last->name) = last->previous;
  }
  r->floor = scope.floor;
  r->scopes.count--;
  return true;
}

bool
mlir_use_name(struct mlir *r, uint32_t name, const char *end) {
  struct mlir_use use = {NONE, name, {0, 0}};
  const struct mlir_binding *binding = mlir_lookup(r, name);
  const char *begin = r->p;
  if (end == begin + 1)
    return mlir_error(r, begin, end, "a name is expected behind '%%'");
  bool plain = *end != '#' || !mlir_is(end[1], CHAR_DIGIT);
  if (!plain)
    for (end++; mlir_is(*end, CHAR_DIGIT);)
      end++;
  use.text = mlir_span(r, begin, end);
  if (binding)
    use.value = plain ? binding->value : numbered(r, binding, use.text);
  if (binding && use.value == NONE)
    return false;
  vector_push(&r->scratch, &r->uses, use);
  mlir_advance(r, end);
  return true;
}

bool
mlir_use(struct mlir *r) {
  const char *end = mlir_skip_name(r->p);
  return mlir_use_name(r, mlir_name(r, r->p, end), end);
}

void
mlir_uses_flush(struct mlir *r, op_id op, uint32_t mark) {
  for (uint32_t i = mark; i < r->uses.count; i++) {
    const struct mlir_use *use = &r->uses.data[i];
    if (use->value == NONE) {
      struct mlir_pending pending = {use->name, r->module->use_count,
                                     use->text};
      vector_push(&r->scratch, &r->pendings, pending);
    }
    ir_add_use(r->module, op, use->value, use->text);
  }
  r->uses.count = mark;
}
