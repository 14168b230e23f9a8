/* fresh.c - see fresh.h.
 *
 * A family is what shares a count: one spelling of first copies in one
 * function.  It is looked up once for each value that is copied; a number then
 * costs an increment, and a look-up only where the input holds names of ours.
 * Spellings of different families differ, because what stands before the
 * number ends in a letter. */
#include "passes/fresh.h"

#include "support/buffer.h"

struct family {
  struct text stem;
  uint32_t next;
};

struct fresh {
  struct arena *arena;
  const struct ir_module *base;
  const function_id *functions; /* by op */
  uint32_t *family;             /* by value: its number + 1, or 0 */
  struct string_table *keys;    /* id = number of the family */
  VECTOR(struct family) families;
};

struct fresh *
fresh_new(struct arena *arena, const struct ir_module *base) {
  struct fresh *fresh = ARENA_NEW(arena, struct fresh);
  fresh->arena = arena;
  fresh->base = base;
  fresh->functions = ir_functions_of_ops(base, arena);
  fresh->family = ARENA_ARRAY(arena, uint32_t, base->value_count);
  fresh->keys = string_table_new(arena);
  return fresh;
}

/* The function in which VALUE is defined. */
static function_id
function_of(const struct fresh *fresh, value_id value) {
  const struct ir_module *m = fresh->base;
  op_id op = ir_value_op(m, value);
  if (op == NONE)
    op = m->region_op[m->block_region[ir_value_block(m, value)]];
  return op == NONE ? NONE : fresh->functions[op];
}

static struct family *
family_of(struct fresh *fresh, value_id value) {
  if (!fresh->family[value]) {
    const struct ir_module *m = fresh->base;
    struct buffer key = {.arena = fresh->arena};
    buffer_number(&key, function_of(fresh, value));
    buffer_string(&key, ":");
    size_t prefix = key.size;
    m->format->spell_copy(&key, source_text(m->source, m->value_name[value]),
                          1);
    struct text text = {key.data, (uint32_t)key.size};
    uint32_t id = string_intern(fresh->keys, text);
    if (id == fresh->families.count) {
      struct text stem = {key.data + prefix, (uint32_t)(key.size - prefix)};
      vector_push(fresh->arena, &fresh->families, ((struct family){stem, 1}));
    }
    fresh->family[value] = id + 1;
  }
  return &fresh->families.data[fresh->family[value] - 1];
}

static bool
is_taken(const struct fresh *fresh, const struct family *family,
         uint32_t number) {
  if (!fresh->base->taken)
    return false;
  struct buffer name = {.arena = fresh->arena};
  buffer_text(&name, family->stem);
  if (number > 1)
    buffer_number(&name, number);
  struct text text = {name.data, (uint32_t)name.size};
  return ir_name_taken(fresh->base, text);
}

uint32_t
fresh_copy(struct fresh *fresh, value_id value) {
  struct family *family = family_of(fresh, value);
  while (is_taken(fresh, family, family->next))
    family->next++;
  return family->next++;
}
