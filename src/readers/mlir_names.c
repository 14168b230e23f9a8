/* mlir_names.c - which value a name means.
 *
 * Every distinct name has a number for the whole text, and with it what it
 * means at this point.  Leaving a region undoes what was bound in it, so a
 * look-up is one probe of a hash table at any depth.  An isolated region
 * raises `floor`: bindings below it are not seen.
 *
 * A name of up to eight characters is a number, and so compared at once; of
 * a longer one the number is a hash.  Names that differ in their last
 * character only stand side by side in the table, sixteen to a group, because
 * %v1000 is mostly followed by %v1001: a million names cost few cache misses.
 * A name whose slot is taken tries the same place in the next groups.  O(1)
 * for each name. */
#include "readers/mlir.h"

#include <endian.h>
#include <string.h>

enum {
  GROUP = 16,
  FEWEST_SLOTS = 1 << 10,
  TEXT_PER_SLOT = 64, /* about a line of text for each name */
};

void
mlir_names_start(struct mlir *r) {
  r->slot_count = FEWEST_SLOTS;
  while (r->slot_count < r->source->size / TEXT_PER_SLOT)
    r->slot_count *= 2;
  r->slots = ARENA_ARRAY(&r->scratch, uint32_t, r->slot_count);
}

#define IS_HASH ((uint64_t)1 << 63) /* no character of a name has the bit */

static uint64_t
mix(uint64_t hash) {
  hash *= 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

/* The name from BEGIN to END as a number, its last character lowest. */
static inline uint64_t
key_of(const struct mlir *r, const char *begin, const char *end) {
  size_t size = (size_t)(end - begin);
  uint64_t key = 0;
  if (size > sizeof key) {
    for (const char *p = begin; p < end - 1; p++)
      key = mix(key + (unsigned char)*p);
    return IS_HASH | key << 8 | (unsigned char)end[-1];
  }
  if (end - r->text >= (ptrdiff_t)sizeof key) {
    memcpy(&key, end - sizeof key, sizeof key);
    return be64toh(key) & UINT64_MAX >> 8 * (sizeof key - size);
  }
  while (begin < end)
    key = key << 8 | (unsigned char)*begin++;
  return key;
}

/* All but the last character chooses the group, which chooses with that the
 * place in it. */
static inline uint32_t
slot_of(uint64_t key) {
  uint64_t hash = mix(key >> 8);
  return (uint32_t)hash * GROUP + (uint32_t)(key + (hash >> 40)) % GROUP;
}

/* Is NAME, whose key is that of the text from BEGIN to END, spelled so? */
static inline bool
is_spelled(const struct mlir *r, const struct mlir_name *name,
           const char *begin, const char *end) {
  const char *spelling = r->text + name->begin;
  return !(name->key & IS_HASH) ||
         (mlir_skip_name(spelling) - spelling == end - begin &&
          memcmp(spelling, begin, (size_t)(end - begin)) == 0);
}

/* The slot to try after SLOT, which is taken; *START is where this place in
 * the groups was tried first. */
static inline uint32_t
next_slot(uint32_t slot, uint32_t mask, uint32_t *start) {
  slot = (slot + GROUP) & mask;
  if (slot == *start)
    *start = slot = (slot + 1) & mask;
  return slot;
}

static void
rehash(struct mlir *r) {
  r->slot_count *= 2;
  r->slots = ARENA_ARRAY(&r->scratch, uint32_t, r->slot_count);
  uint32_t mask = r->slot_count - 1;
  for (uint32_t name = 0; name < r->names.count; name++) {
    uint32_t slot = slot_of(r->names.data[name].key) & mask;
    uint32_t start = slot;
    while (r->slots[slot])
      slot = next_slot(slot, mask, &start);
    r->slots[slot] = name + 1;
  }
}

uint32_t
mlir_name(struct mlir *r, const char *begin, const char *end) {
  uint64_t key = key_of(r, begin, end);
  uint32_t mask = r->slot_count - 1, slot = slot_of(key) & mask, start = slot;
  for (; r->slots[slot]; slot = next_slot(slot, mask, &start)) {
    const struct mlir_name *name = &r->names.data[r->slots[slot] - 1];
    if (name->key == key && is_spelled(r, name, begin, end))
      return r->slots[slot] - 1;
  }
  uint32_t number = r->names.count;
  struct mlir_name name = {key, mlir_offset(r, begin), 0};
  vector_push(&r->scratch, &r->names, name);
  r->slots[slot] = number + 1;
  if (r->names.count * 2 > r->slot_count)
    rehash(r);
  return number;
}

const struct mlir_binding *
mlir_lookup(const struct mlir *r, uint32_t name) {
  uint32_t binding = r->names.data[name].binding;
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
  struct mlir_binding binding = {name, r->names.data[name].binding, value,
                                 count, span.begin};
  vector_push(&r->scratch, &r->bindings, binding);
  r->names.data[name].binding = r->bindings.count;
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
    r->names.data[last->name].binding = last->previous;
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
