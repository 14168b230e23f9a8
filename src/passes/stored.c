/* stored.c - see stored.h.
 *
 * Three sweeps over the ops.  The first finds what shows what (bases) and
 * which ops fuse, the second who reads what, the third decides in program
 * order and gathers roots.
 *
 * Stored for all readers are: what ops that do not fuse make, and reductions;
 * a dear value that several ops read, unless all that it is made of are
 * scalars; a value under which as many virtual ops are stacked as the target
 * allows; and a cheap value that several ops read, where computing it in each
 * would read more than it weighs (stored_shared.c).  A value that is virtual,
 * but read by an op that does not fuse, is stored for that op alone. */
#include "passes/stored.h"

#include "passes/stored_shared.h"

#include <string.h>

enum { SMALL_SHARE = 16 };

const char *
stored_words(enum stored_how how) {
  static const char *const words[] = {
#define STORED(id, kept, text) text,
#include "passes/stored.def"
#undef STORED
  };
  return words[how];
}

bool
stored_for_all(const struct stored *stored, value_id value) {
  static const bool kept[] = {
#define STORED(id, is_kept, text) is_kept,
#include "passes/stored.def"
#undef STORED
  };
  return kept[stored->how[value]];
}

/* --- what an op is to a fuser --- */

/* Which element OP takes out of its tuple, or -1 where that is not known. */
static int64_t
element_index(const struct ir_module *m, op_id op) {
  int64_t element;
  if (!ir_attribute_integer(m, op, "index", &element) || element < 0 ||
      (uint64_t)element >= ir_value_type(m, ir_operand(m, op, 0))->part_count)
    return -1;
  return element;
}

bool
stored_is_bundle(const struct facts *facts, const struct ir_module *module,
                 op_id op) {
  uint32_t leaves = 0;
  if (!facts_has(facts, op, FACT_TUPLE) || module->op_use_count[op] == 0)
    return false;
  for (uint32_t i = 0; i < module->op_use_count[op]; i++) {
    value_id value = ir_operand(module, op, i);
    leaves +=
        facts_first_leaf(facts, value + 1) - facts_first_leaf(facts, value);
  }
  value_id result = module->op_first_result[op];
  return leaves !=
         facts_first_leaf(facts, result + 1) - facts_first_leaf(facts, result);
}

/* A view that has to be looked through must show one thing: of several
 * operands, a shape that is computed among them, all have to be there. */
bool
stored_is_view(const struct facts *facts, const struct ir_module *module,
               op_id op) {
  const struct op_facts *f = facts_of(facts, op);
  if (f->flags & FACT_TERMINATOR || module->op_region[op] != NONE ||
      module->op_use_count[op] == 0)
    return false;
  if (f->flags & (FACT_BARRIER | FACT_EFFECT | FACT_RANDOM | FACT_COLLECTIVE))
    return false; /* it has its place in the order */
  if (f->flags & FACT_ELEMENT)
    return element_index(module, op) >= 0;
  if (stored_is_bundle(facts, module, op))
    return false;
  uint32_t operands = module->op_use_count[op];
  if (f->flags & FACT_FORWARDS)
    return operands == module->op_result_count[op];
  return f->flags & FACT_TUPLE || (f->alias >= 0 && operands == 1);
}

/* The largest of what FUNCTION returns, in bytes. */
static uint64_t
largest_result(const struct stored *s, const struct ir_function *f) {
  uint64_t most = 0;
  for (uint32_t i = 0; i < f->result_count; i++) {
    uint64_t bytes = type_get(s->module->types, f->result_types[i])->bytes;
    most = bytes > most ? bytes : most;
  }
  return most;
}

/* Is all that OP makes small beside BYTES? */
static bool
is_small(const struct stored *s, op_id op, uint64_t bytes) {
  uint64_t made = 0;
  for (uint32_t r = 0; r < s->module->op_result_count[op]; r++)
    made = saturating_add(
        made, facts_value_bytes(s->facts, ir_result(s->module, op, r)));
  return s->facts->op_repeatable[op] && made <= bytes / SMALL_SHARE;
}

/* Does a call of FUNCTION fuse: is its body one block of ops that do, or that
 * make little beside what it returns? */
static bool
body_fuses(const struct stored *s, function_id function) {
  const struct ir_module *m = s->module;
  const struct ir_function *f = &m->functions.data[function];
  if (f->body == NONE || m->region_block[f->body] == NONE ||
      m->block_next[m->region_block[f->body]] != NONE)
    return false;
  block_id block = m->region_block[f->body];
  uint64_t most = largest_result(s, f);
  for (uint32_t i = 0; i < m->block_op_count[block]; i++) {
    op_id op = ir_block_op(m, block, i);
    uint32_t calm =
        FACT_VIRTUAL | FACT_CONSTANT | FACT_ARGUMENT | FACT_TERMINATOR;
    if (!(facts_of(s->facts, op)->flags & calm) && !s->fuses[op] &&
        !s->view[op] && !is_small(s, op, most))
      return false;
  }
  return true;
}

static bool
op_fuses(const struct stored *s, op_id op) {
  const struct op_facts *f = facts_of(s->facts, op);
  if (f->refused || s->module->op_result_count[op] == 0)
    return false;
  if (f->body == BODY_CALL) {
    uint32_t count;
    const struct ir_call *calls = ir_op_calls(s->module, op, &count);
    return count == 1 && s->call_fuses[calls[0].callee];
  }
  return (f->flags & (FACT_FUSES | FACT_VIRTUAL | FACT_CONSTANT)) != 0;
}

/* Which ops fuse.  Whether a call does depends on what its body calls, so it
 * is asked again until nothing changes: as often as calls are nested. */
static void
find_fusing(struct stored *s) {
  const struct ir_module *m = s->module;
  for (bool changed = true; changed;) {
    changed = false;
    for (op_id op = 0; op < m->op_count; op++)
      s->fuses[op] = op_fuses(s, op);
    for (function_id f = 0; m->calls.count && f < m->functions.count; f++)
      if (!s->call_fuses[f] && body_fuses(s, f))
        s->call_fuses[f] = changed = true;
  }
}

/* Does OP make one element of more elements of operand INDEX than the target
 * reduces at once? */
static bool
is_long(const struct stored *s, op_id op, uint32_t index) {
  const struct ir_module *m = s->module;
  value_id operand = ir_operand(m, op, index);
  value_id result = m->op_first_result[op];
  if (m->value_type[operand] == TYPE_NONE || m->value_type[result] == TYPE_NONE)
    return false;
  const struct type *type = ir_value_type(m, result);
  uint64_t made = type->kind == TYPE_TUPLE && type->part_count
                      ? type_get(m->types, type->parts[0])->elements
                      : type->elements;
  return ir_value_type(m, operand)->elements / s->limits->reduce_length > made;
}

bool
stored_reads_whole(const struct stored *s, op_id op, uint32_t index) {
  const struct op_facts *f = facts_of(s->facts, op);
  if (s->fuses[op] || s->view[op])
    return false;
  if (!(f->flags & FACT_ROOT) || f->inplace == (int32_t)index)
    return true;
  return is_long(s, op, index);
}

/* --- bases --- */

static uint32_t
first_leaf(const struct stored *s, value_id value) {
  return facts_first_leaf(s->facts, value);
}

/* The leaf of OP's operands that leaf OFFSET of result INDEX shows, or
 * NONE. */
static uint32_t
shown_leaf(const struct stored *s, op_id op, uint32_t index, uint32_t offset) {
  const struct op_facts *f = facts_of(s->facts, op);
  value_id value = ir_operand(s->module, op, 0);
  if (f->flags & FACT_TUPLE) {
    for (uint32_t i = 0; i < s->module->op_use_count[op]; i++) {
      value = ir_operand(s->module, op, i);
      uint32_t count = first_leaf(s, value + 1) - first_leaf(s, value);
      if (offset < count)
        return first_leaf(s, value) + offset;
      offset -= count;
    }
    return NONE;
  }
  if (f->flags & FACT_ELEMENT) {
    const struct type *type = ir_value_type(s->module, value);
    int64_t element = element_index(s->module, op);
    for (int64_t i = 0; i < element; i++)
      offset += type_get(s->module->types, type->parts[i])->leaves;
  } else if (f->flags & FACT_FORWARDS) {
    if (index >= s->module->op_use_count[op])
      return NONE;
    value = ir_operand(s->module, op, index);
  }
  uint32_t leaf = first_leaf(s, value) + offset;
  return leaf < first_leaf(s, value + 1) ? leaf : NONE;
}

static void
find_bases(struct stored *s) {
  const struct ir_module *m = s->module;
  for (value_id value = 0; value < m->value_count; value++)
    for (uint32_t l = first_leaf(s, value); l < first_leaf(s, value + 1); l++) {
      s->base[l] = l;
      s->leaf_value[l] = value;
    }
  for (op_id op = 0; op < m->op_count; op++) {
    if (!s->view[op])
      continue;
    for (uint32_t r = 0; r < m->op_result_count[op]; r++) {
      value_id value = ir_result(m, op, r);
      uint32_t first = first_leaf(s, value), end = first_leaf(s, value + 1);
      for (uint32_t leaf = first; leaf < end; leaf++) {
        uint32_t shown = shown_leaf(s, op, r, leaf - first);
        if (shown != NONE)
          s->base[leaf] = s->base[shown];
      }
    }
  }
}

/* --- who reads what --- */

static block_id
block_of(const struct ir_module *m, value_id value) {
  op_id op = ir_value_op(m, value);
  return op == NONE ? ir_value_block(m, value) : m->op_block[op];
}

/* OP reads the leaf BASE by operand INDEX. */
static void
note_reader(struct stored *s, op_id op, uint32_t index, uint32_t base,
            uint32_t *seen) {
  value_id value = s->leaf_value[base];
  if (seen[value] != op + 1)
    s->readers[value]++;
  seen[value] = op + 1;
  if (facts_has(s->facts, op, FACT_TERMINATOR))
    s->leaf_returned[base] = true;
  if (stored_reads_whole(s, op, index) ||
      block_of(s->module, value) != s->module->op_block[op])
    s->whole[value] = true;
}

/* What a barrier hands on is returned where its result is. */
static void
return_through_barriers(struct stored *s) {
  const struct ir_module *m = s->module;
  for (op_id op = m->op_count; op-- > 0;) {
    if (!facts_has(s->facts, op, FACT_BARRIER))
      continue;
    uint32_t from[2] = {0, 0};
    for (uint32_t r = 0; r < m->op_result_count[op]; r++) {
      value_id result = ir_result(m, op, r);
      uint32_t index = r < m->op_use_count[op] ? r : 0;
      from[0] = first_leaf(s, ir_operand(m, op, index));
      from[1] = first_leaf(s, result);
      for (uint32_t l = from[1]; l < first_leaf(s, result + 1); l++)
        if (s->leaf_returned[l])
          s->leaf_returned[s->base[from[0] + l - from[1]]] = true;
    }
  }
}

static void
find_readers(struct stored *s, struct arena *scratch) {
  const struct ir_module *m = s->module;
  uint32_t *seen = ARENA_ARRAY(scratch, uint32_t, m->value_count);
  for (op_id op = 0; op < m->op_count; op++) {
    if (s->view[op])
      continue;
    for (uint32_t i = 0; i < m->op_use_count[op]; i++) {
      value_id value = ir_operand(m, op, i);
      for (uint32_t l = first_leaf(s, value); l < first_leaf(s, value + 1); l++)
        note_reader(s, op, i, s->base[l], seen);
    }
  }
  for (function_id f = 0; f < m->functions.count; f++) {
    op_id root = m->functions.data[f].root;
    value_id value = root == NONE ? NONE : ir_result(m, root, 0);
    for (uint32_t l = root == NONE ? 1 : first_leaf(s, value);
         root != NONE && l < first_leaf(s, value + 1); l++) {
      value_id base = s->leaf_value[s->base[l]];
      s->leaf_returned[s->base[l]] = s->whole[base] = true;
      s->readers[base]++;
    }
  }
  return_through_barriers(s);
}

/* --- deciding --- */

struct deciding {
  struct stored *s;
  uint32_t *depth; /* by leaf: virtual ops stacked under it */
  uint32_t *stamp; /* by leaf */
  uint32_t mark;
  const bool *shared; /* by value: several ops read it on different ways */
};

/* Add the roots of LEAF to LIST, each once. */
static void
add_roots(struct deciding *d, struct stored_roots *list, uint32_t leaf,
          struct arena *arena) {
  struct stored *s = d->s;
  struct stored_roots from = s->leaf[s->base[leaf]];
  for (uint32_t i = 0; i < from.count; i++) {
    uint32_t root = s->roots.data[from.first + i];
    if (d->stamp[root] == d->mark)
      continue;
    d->stamp[root] = d->mark;
    vector_push(arena, &s->roots, root);
    list->count++;
  }
}

/* Are all of LIST single elements? */
static bool
all_scalars(const struct stored *s, struct stored_roots list) {
  for (uint32_t i = 0; i < list.count; i++) {
    value_id value = s->leaf_value[s->roots.data[list.first + i]];
    if (s->module->value_type[value] == TYPE_NONE ||
        ir_value_type(s->module, value)->elements > 1)
      return false;
  }
  return true;
}

static uint64_t
roots_bytes(const struct stored *s, struct stored_roots list) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < list.count; i++)
    bytes = saturating_add(bytes,
                           s->facts->leaf_bytes[s->roots.data[list.first + i]]);
  return bytes;
}

/* Where the result VALUE of OP, which fuses, goes. */
static enum stored_how
decide(struct deciding *d, op_id op, value_id value, struct stored_roots list,
       uint32_t depth) {
  const struct stored *s = d->s;
  uint32_t flags = facts_of(s->facts, op)->flags;
  if (flags & (FACT_CONSTANT | FACT_TUPLE)) /* of nothing, else it is a view */
    return STORED_LITERAL;
  if (flags & FACT_VIRTUAL)
    return STORED_SPREAD;
  if (depth >= d->s->limits->depth)
    return STORED_DEPTH;
  if (s->held && s->held[value])
    return STORED_HELD;
  if (s->readers[value] < 2)
    return STORED_FUSED;
  if (flags & FACT_EXPENSIVE)
    return all_scalars(s, list) ? STORED_FUSED : STORED_EXPENSIVE;
  double weight = (double)s->facts->leaf_bytes[first_leaf(s, value)];
  if (d->shared[value] &&
      (double)roots_bytes(s, list) > d->s->limits->slack * weight)
    return STORED_SHARED;
  return STORED_FUSED;
}

static void
set_roots(struct deciding *d, value_id value, struct stored_roots list) {
  struct stored *s = d->s;
  for (uint32_t l = first_leaf(s, value); l < first_leaf(s, value + 1); l++)
    s->leaf[l] = list;
}

/* VALUE is stored: each leaf is its own root. */
static void
set_stored(struct deciding *d, value_id value, enum stored_how how,
           struct arena *arena) {
  struct stored *s = d->s;
  s->how[value] = how;
  for (uint32_t l = first_leaf(s, value); l < first_leaf(s, value + 1); l++) {
    if (s->base[l] != l) {
      s->leaf[l] = s->leaf[s->base[l]];
      continue;
    }
    s->leaf[l] = (struct stored_roots){s->roots.count, 1};
    vector_push(arena, &s->roots, l);
    d->depth[l] = 0;
  }
}

/* Roots of what OP reads, and how many virtual ops are stacked there. */
static struct stored_roots
operand_roots(struct deciding *d, op_id op, uint32_t *depth,
              struct arena *arena) {
  const struct stored *s = d->s;
  struct stored_roots list = {s->roots.count, 0};
  d->mark++;
  *depth = 0;
  for (uint32_t i = 0; i < s->module->op_use_count[op]; i++) {
    value_id value = ir_operand(s->module, op, i);
    for (uint32_t l = first_leaf(s, value); l < first_leaf(s, value + 1); l++) {
      add_roots(d, &list, l, arena);
      uint32_t under = d->depth[s->base[l]];
      *depth = under > *depth ? under : *depth;
    }
  }
  return list;
}

static void
decide_op(struct deciding *d, op_id op, struct arena *arena) {
  struct stored *s = d->s;
  const struct ir_module *m = s->module;
  bool view = s->view[op];
  uint32_t depth = 0;
  struct stored_roots list = {0, 0};
  if (s->fuses[op] && !view)
    list = operand_roots(d, op, &depth, arena);
  for (uint32_t r = 0; r < m->op_result_count[op]; r++) {
    value_id value = ir_result(m, op, r);
    if (facts_has(s->facts, op, FACT_ARGUMENT))
      set_stored(d, value, STORED_ARGUMENT, arena);
    else if (view) {
      set_stored(d, value, STORED_VIEW, arena);
    } else if (!s->fuses[op])
      set_stored(d, value,
                 facts_has(s->facts, op, FACT_ROOT) ? STORED_REDUCED
                                                    : STORED_OP,
                 arena);
    else {
      enum stored_how how = decide(d, op, value, list, depth);
      if (how > STORED_FUSED)
        set_stored(d, value, how, arena);
      else {
        s->how[value] = (uint8_t)how;
        set_roots(d, value, list);
        bool free = facts_of(s->facts, op)->flags & (FACT_FREE | FACT_VIRTUAL);
        for (uint32_t l = first_leaf(s, value); l < first_leaf(s, value + 1);
             l++)
          d->depth[l] = depth + !free;
      }
    }
  }
}

static void
decide_all(struct stored *s, const bool *shared, struct program *program) {
  const struct ir_module *m = s->module;
  struct arena *scratch = program->scratch;
  struct deciding d = {
      .s = s,
      .shared = shared,
      .depth = ARENA_ARRAY(scratch, uint32_t, s->facts->leaf_count),
      .stamp = ARENA_ARRAY(scratch, uint32_t, s->facts->leaf_count)};
  for (block_id b = 0; b < m->block_count; b++)
    for (uint32_t i = 0; i < m->block_argument_count[b]; i++)
      set_stored(&d, m->block_first_argument[b] + i, STORED_ARGUMENT,
                 program->arena);
  for (op_id op = 0; op < m->op_count; op++) {
    block_id block = m->op_block[op];
    if (block != NONE && s->facts->block_stored[block])
      decide_op(&d, op, program->arena);
  }
}

struct stored *
stored_find(struct program *program, const struct ir_module *m,
            const struct facts *facts) {
  return stored_find_held(program, m, facts, NULL);
}

struct stored *
stored_find_held(struct program *program, const struct ir_module *m,
                 const struct facts *facts, const bool *held) {
  struct arena *arena = program->arena;
  struct stored *s = ARENA_NEW(arena, struct stored);
  s->module = m;
  s->facts = facts;
  s->held = held;
  s->limits = rules_fusion(program->rules);
  s->how = ARENA_ARRAY(arena, uint8_t, m->value_count);
  s->whole = ARENA_ARRAY(arena, bool, m->value_count);
  s->leaf_returned = ARENA_ARRAY(arena, bool, facts->leaf_count);
  s->leaf_carried = ARENA_ARRAY(arena, bool, facts->leaf_count);
  s->view = ARENA_ARRAY(arena, bool, m->op_count);
  for (op_id op = 0; op < m->op_count; op++)
    s->view[op] = stored_is_view(facts, m, op);
  s->fuses = ARENA_ARRAY(arena, bool, m->op_count);
  s->call_fuses = ARENA_ARRAY(arena, bool, m->functions.count);
  s->readers = ARENA_ARRAY(arena, uint32_t, m->value_count);
  s->base = ARENA_ARRAY(arena, uint32_t, facts->leaf_count);
  s->leaf_value = ARENA_ARRAY(arena, value_id, facts->leaf_count);
  s->leaf = ARENA_ARRAY(arena, struct stored_roots, facts->leaf_count);
  find_fusing(s);
  find_bases(s);
  stored_find_carried(s);
  find_readers(s, program->scratch);
  bool *shared = stored_shared(s, program->scratch);
  decide_all(s, shared, program);
  return s;
}
