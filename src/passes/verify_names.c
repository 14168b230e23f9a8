/* verify_names.c - names stay apart.
 *
 * A copy's name is a stem and a number.  Stems are interned and end in a
 * letter, so two copies are named alike only if stem and number are equal, and
 * a copy is named as the text names something only if that name's stem and
 * number are those of a copy.  Both are looked up in one bit set for each
 * stem.  Names that were there before can only meet where ops changed places;
 * then all names are followed through their scopes.
 *
 * O(values), and look-ups by name for stems alone unless ops moved. */
#include "passes/verify.h"

#include "support/buffer.h"

#include <string.h>

/* The copies with one stem, in one function or in all. */
struct group {
  uint32_t most; /* the largest number */
  size_t bits;   /* where its set begins */
};

struct names {
  const struct ir_module *m, *base;
  struct arena *arena;
  struct string_table *stems;   /* all spellings of first copies */
  struct string_table *keys;    /* "function:stem" */
  const function_id *functions; /* by op of the base */
  uint32_t *stem, *key;         /* by value of the base: number + 1 */
  VECTOR(struct group) by_stem;
  VECTOR(struct group) by_key;
  uint64_t *stem_bits, *key_bits;
};

/* Is VALUE named together with the one before it, or written where an argument
 * of another region of its op is? */
static bool
shares_name(const struct ir_module *m, value_id value) {
  block_id block = ir_value_block(m, value);
  if (block != NONE) {
    uint32_t index = ir_value_index(m, value);
    value_id other = ir_shared_argument(m, block, index);
    return other != NONE && m->value_copy[other] == m->value_copy[value];
  }
  return value > 0 && m->value_number[value] != NONE &&
         m->value_number[value] > 0 &&
         m->value_def[value] == m->value_def[value - 1];
}

static function_id
function_of(const struct names *n, value_id source) {
  const struct ir_module *base = n->base;
  op_id op = ir_value_op(base, source);
  if (op == NONE) {
    region_id region = base->block_region[ir_value_block(base, source)];
    op = base->region_op[region];
    for (function_id f = 0; f < base->functions.count; f++)
      if (base->functions.data[f].body == region)
        return f;
  }
  return op == NONE ? NONE : n->functions[op];
}

/* Enter the stem of SOURCE, a value of the base; false where copies of
 * different stems could be spelled alike. */
static bool
enter_stem(struct names *n, value_id source) {
  const struct ir_module *base = n->base;
  struct buffer out = {.arena = n->arena};
  buffer_number(&out, function_of(n, source));
  buffer_string(&out, ":");
  size_t prefix = out.size;
  base->format->spell_copy(
      &out, source_text(base->source, base->value_name[source]), 1);
  char last = out.size > prefix ? out.data[out.size - 1] : '0';
  struct text key = {out.data, (uint32_t)out.size};
  struct text stem = {out.data + prefix, (uint32_t)(out.size - prefix)};
  uint32_t key_id = string_intern(n->keys, key);
  uint32_t stem_id = string_intern(n->stems, ir_plain_name(stem));
  if (key_id == n->by_key.count)
    vector_push(n->arena, &n->by_key, (struct group){0});
  if (stem_id == n->by_stem.count)
    vector_push(n->arena, &n->by_stem, (struct group){0});
  n->key[source] = key_id + 1;
  n->stem[source] = stem_id + 1;
  return last < '0' || last > '9';
}

static uint64_t *
lay_out(struct arena *arena, struct group *groups, uint32_t count) {
  size_t bits = 0;
  for (uint32_t i = 0; i < count; i++) {
    groups[i].bits = bits;
    bits += (size_t)groups[i].most + 1;
  }
  return ARENA_ARRAY(arena, uint64_t, bits / 64 + 1);
}

static bool
has_bit(const uint64_t *bits, size_t bit) {
  return bits[bit / 64] >> bit % 64 & 1;
}

static const char *
fault_of(const struct names *n, value_id value) {
  struct text name = source_text(n->m->source, n->m->value_name[value]);
  return arena_printf(n->arena, "copy %u of %.*s has a name that is taken",
                      n->m->value_copy[value], (int)name.size, name.data);
}

static const char *
enter_copies(struct names *n) {
  const struct ir_module *m = n->m;
  for (value_id value = 0; value < m->value_count; value++) {
    uint32_t copy = m->value_copy[value];
    if (!copy || shares_name(m, value))
      continue;
    value_id source = n->m->value_origin[value];
    if (!n->key[source] && !enter_stem(n, source))
      return "the spelling of a copy ends in a digit";
    struct group *key = &n->by_key.data[n->key[source] - 1];
    struct group *stem = &n->by_stem.data[n->stem[source] - 1];
    key->most = copy > key->most ? copy : key->most;
    stem->most = copy > stem->most ? copy : stem->most;
  }
  n->key_bits = lay_out(n->arena, n->by_key.data, n->by_key.count);
  n->stem_bits = lay_out(n->arena, n->by_stem.data, n->by_stem.count);
  for (value_id value = 0; value < m->value_count; value++) {
    uint32_t copy = m->value_copy[value];
    if (!copy || shares_name(m, value))
      continue;
    value_id source = n->m->value_origin[value];
    size_t bit = n->by_key.data[n->key[source] - 1].bits + copy;
    if (has_bit(n->key_bits, bit))
      return fault_of(n, value);
    n->key_bits[bit / 64] |= UINT64_C(1) << bit % 64;
    bit = n->by_stem.data[n->stem[source] - 1].bits + copy;
    n->stem_bits[bit / 64] |= UINT64_C(1) << bit % 64;
  }
  return NULL;
}

/* Is NAME, which the text has, that of a copy? */
static bool
names_copy(const struct names *n, struct text name) {
  uint32_t size = name.size;
  uint64_t number = 0, scale = 1;
  while (size && name.data[size - 1] >= '0' && name.data[size - 1] <= '9' &&
         scale < UINT32_MAX) {
    number += (uint64_t)(name.data[--size] - '0') * scale;
    scale *= 10;
  }
  uint32_t id = string_find(n->stems, (struct text){name.data, size});
  if (id == STRING_NONE || number == 1)
    return false;
  const struct group *group = &n->by_stem.data[id];
  number = size == name.size ? 1 : number;
  return number <= group->most &&
         has_bit(n->stem_bits, group->bits + (size_t)number);
}

/* --- names that were there before --- */

/* Do originals stand in BLOCK in another order than in the base? */
static bool
has_moved(const struct ir_module *m, block_id block) {
  op_id before = 0;
  for (uint32_t i = 0; i < m->block_op_count[block]; i++) {
    op_id op = ir_block_op(m, block, i);
    if (m->op_copy[op] || m->op_origin[op] == NONE)
      continue;
    if (m->op_origin[op] < before)
      return true;
    before = m->op_origin[op];
  }
  return false;
}

struct scopes {
  struct names *n;
  struct string_table *seen; /* "function:name" */
  VECTOR(bool) visible;      /* by number in SEEN */
  VECTOR(uint32_t) defined;  /* numbers that are visible, innermost last */
  VECTOR(region_id) regions; /* those that are open */
  VECTOR(uint32_t) marks;    /* what was defined when each was opened */
};

static bool
define(struct scopes *s, value_id value) {
  const struct ir_module *m = s->n->m;
  if (shares_name(m, value) || !m->value_name[value].end)
    return true;
  struct buffer out = {.arena = s->n->arena};
  buffer_number(&out, function_of(s->n, s->n->m->value_origin[value]));
  buffer_string(&out, ":");
  struct text name = source_text(m->source, m->value_name[value]);
  if (m->value_copy[value])
    m->format->spell_copy(&out, name, m->value_copy[value]);
  else
    buffer_text(&out, name);
  struct text key = {out.data, (uint32_t)out.size};
  uint32_t id = string_intern(s->seen, key);
  if (id == s->visible.count)
    vector_push(s->n->arena, &s->visible, false);
  if (s->visible.data[id])
    return false;
  s->visible.data[id] = true;
  vector_push(s->n->arena, &s->defined, id);
  return true;
}

static bool
open_region(struct scopes *s, region_id region) {
  const struct ir_module *m = s->n->m;
  vector_push(s->n->arena, &s->regions, region);
  vector_push(s->n->arena, &s->marks, s->defined.count);
  for (block_id b = m->region_block[region]; b != NONE; b = m->block_next[b])
    for (uint32_t i = 0; i < m->block_argument_count[b]; i++)
      if (!define(s, m->block_first_argument[b] + i))
        return false;
  return true;
}

static void
close_region(struct scopes *s) {
  uint32_t mark = s->marks.data[--s->marks.count];
  s->regions.count--;
  while (s->defined.count > mark)
    s->visible.data[s->defined.data[--s->defined.count]] = false;
}

/* Is the region that was opened last REGION or around it? */
static bool
is_around(const struct ir_module *m, region_id outer, region_id region) {
  while (region != NONE && region != outer) {
    op_id op = m->region_op[region];
    block_id block = op == NONE ? NONE : m->op_block[op];
    region = block == NONE ? NONE : m->block_region[block];
  }
  return region == outer;
}

static const char *
follow_scopes(struct names *n) {
  const struct ir_module *m = n->m;
  struct scopes s = {.n = n, .seen = string_table_new(n->arena)};
  for (op_id op = 0; op < m->op_count; op++) {
    block_id block = m->op_block[op];
    region_id region = block == NONE ? NONE : m->block_region[block];
    while (s.regions.count &&
           !is_around(m, s.regions.data[s.regions.count - 1], region))
      close_region(&s);
    bool opened =
        region == NONE ||
        (s.regions.count && s.regions.data[s.regions.count - 1] == region);
    bool good = opened || open_region(&s, region);
    for (uint32_t i = 0; good && i < m->op_result_count[op]; i++)
      good = define(&s, ir_result(m, op, i));
    if (!good)
      return arena_printf(n->arena,
                          "a name of op %u of the input is visible twice",
                          m->op_origin[op]);
  }
  return NULL;
}

const char *
verify_names(const struct ir_module *made, struct arena *arena) {
  const struct ir_module *base = made->base;
  struct names n = {.m = made,
                    .base = base,
                    .arena = arena,
                    .stems = string_table_new(arena),
                    .keys = string_table_new(arena),
                    .functions = ir_functions_of_ops(base, arena),
                    .stem = ARENA_ARRAY(arena, uint32_t, base->value_count),
                    .key = ARENA_ARRAY(arena, uint32_t, base->value_count)};
  const char *fault = enter_copies(&n);
  for (uint32_t i = 0; base->taken && !fault && i < base->taken->count; i++)
    if (names_copy(&n, string_text(base->taken, i)))
      fault = arena_printf(arena, "a copy has a name that the text has");
  bool moved = false;
  for (block_id block = 0; block < made->block_count && !moved; block++)
    moved = has_moved(made, block);
  return !fault && moved ? follow_scopes(&n) : fault;
}
