/* loop_text.c - see loop_text.h.  Linear in the text that is written. */
#include "passes/loop_text.h"

#include <stdlib.h>
#include <string.h>

/* --- names --- */

void
loop_names_begin(struct loop_names *names, struct arena *arena,
                 const struct ir_module *module) {
  *names = (struct loop_names){
      .arena = arena,
      .m = module,
      .called = ARENA_ARRAY(arena, bool, module->functions.count + 1)};
  struct text all = source_text(module->source, module->text);
  const char *sigil = "%";
  for (value_id v = 0; v < module->value_count; v++)
    if (module->value_name[v].end > module->value_name[v].begin) {
      sigil =
          all.data && module->source->text[module->value_name[v].begin] == '%'
              ? "%"
              : "";
      break;
    }
  for (uint32_t i = 1; !names->prefix; i++) {
    char *word = i == 1 ? arena_printf(arena, "stacked_")
                        : arena_printf(arena, "stacked%u_", i);
    if (!memmem(all.data, all.size, word, strlen(word)))
      names->prefix = arena_printf(arena, "%s%s", sigil, word);
  }
}

const char *
loop_name(struct loop_names *names) {
  return arena_printf(names->arena, "%s%u", names->prefix, names->next++);
}

struct loop_text
loop_text_new(struct loop_names *names) {
  return (struct loop_text){.names = names,
                            .spelling = names->m->format->spelling,
                            .out = {.arena = names->arena}};
}

const char *
loop_type(const struct loop_names *names, type_id type) {
  struct text text = type_get(names->m->types, type)->spelling;
  return arena_copy(names->arena, text.data, text.size);
}

const char *
loop_capture(struct loop_text *text, const char *outer, const char *type) {
  for (uint32_t i = 0; i < text->captures.count; i++)
    if (strcmp(text->captures.data[i].outer, outer) == 0)
      return text->captures.data[i].inner;
  struct loop_capture capture = {outer, loop_name(text->names), type};
  vector_push(text->names->arena, &text->captures, capture);
  return capture.inner;
}

/* --- new ops --- */

const char *
loop_op(struct loop_text *text, struct new_op op) {
  op.result = loop_name(text->names);
  text->spelling->op(&text->out, &op);
  return op.result;
}

const char *
loop_binary(struct loop_text *text, enum new_kind kind, const char *a,
            const char *b, const char *type) {
  const char *operands[] = {a, b}, *types[] = {type, type};
  return loop_op(text, (struct new_op){.kind = kind,
                                       .type = type,
                                       .operands = operands,
                                       .types = types,
                                       .count = 2});
}

const char *
loop_number(struct loop_text *text, int64_t number, const char *type) {
  return loop_op(
      text,
      (struct new_op){.kind = NEW_CONSTANT, .type = type, .number = number});
}

const char *
loop_convert(struct loop_text *text, const char *value, const char *from,
             const char *to) {
  if (strcmp(from, to) == 0)
    return value;
  return loop_op(text, (struct new_op){.kind = NEW_CONVERT,
                                       .type = to,
                                       .operands = &value,
                                       .types = &from,
                                       .count = 1});
}

const char *
loop_affine(struct loop_text *text, const char *base, struct affine form,
            struct affine target, const char *type) {
  if (target.scale == 0)
    return loop_number(text, target.offset, type);
  int64_t scale = target.scale / form.scale;
  int64_t offset = target.offset - scale * form.offset;
  if (scale == -1)
    return loop_binary(text, NEW_SUBTRACT, loop_number(text, offset, type),
                       base, type);
  if (scale != 1)
    base = loop_binary(text, NEW_MULTIPLY, base, loop_number(text, scale, type),
                       type);
  if (offset)
    base =
        loop_binary(text, NEW_ADD, base, loop_number(text, offset, type), type);
  return base;
}

/* Indices of SLOT behind the COUNT operands that are there: INDEX in its
 * dimension, 0 in the others. */
static uint32_t
add_indices(struct loop_text *text, const struct loop_slot *slot,
            const char **operands, const char **types, uint32_t count) {
  if (slot->rank > 1 &&
      (!text->zero || strcmp(text->zero_type, slot->index_type) != 0)) {
    text->zero = loop_number(text, 0, slot->index_type);
    text->zero_type = slot->index_type;
  }
  for (uint32_t d = 0; d < slot->rank; d++) {
    operands[count] = d == slot->dimension ? slot->index : text->zero;
    types[count++] = slot->index_type;
  }
  return count;
}

const char *
loop_slice(struct loop_text *text, const struct loop_slot *slot) {
  struct arena *arena = text->names->arena;
  const char **operands = ARENA_ARRAY(arena, const char *, slot->rank + 2);
  const char **types = ARENA_ARRAY(arena, const char *, slot->rank + 2);
  operands[0] = slot->name;
  types[0] = slot->whole_type;
  uint32_t count = add_indices(text, slot, operands, types, 1);
  return loop_op(text, (struct new_op){.kind = NEW_SLICE,
                                       .type = slot->slice_type,
                                       .operands = operands,
                                       .types = types,
                                       .count = count,
                                       .sizes = slot->sizes,
                                       .rank = slot->rank});
}

const char *
loop_update(struct loop_text *text, const struct loop_slot *slot,
            const char *value) {
  struct arena *arena = text->names->arena;
  const char **operands = ARENA_ARRAY(arena, const char *, slot->rank + 2);
  const char **types = ARENA_ARRAY(arena, const char *, slot->rank + 2);
  operands[0] = slot->name;
  types[0] = slot->whole_type;
  operands[1] = value;
  types[1] = slot->slice_type;
  uint32_t count = add_indices(text, slot, operands, types, 2);
  return loop_op(text, (struct new_op){.kind = NEW_UPDATE,
                                       .type = slot->whole_type,
                                       .operands = operands,
                                       .types = types,
                                       .count = count});
}

/* --- copies --- */

struct replaced {
  struct span span;
  const char *with;
};

static int
by_place(const void *a, const void *b) {
  const struct replaced *x = a, *y = b;
  return (x->span.begin > y->span.begin) - (x->span.begin < y->span.begin);
}

/* Pieces of one op's text and what stands there now. */
struct pieces {
  struct arena *arena;
  VECTOR(struct replaced) list;
};

static void
add_piece(struct pieces *pieces, struct span span, const char *with) {
  struct replaced piece = {span, with};
  vector_push(pieces->arena, &pieces->list, piece);
}

/* New names for the COUNT values from FIRST, which are one op's or block's,
 * into NAMES. */
static void
rename_values(struct loop_text *text, value_id first, uint32_t count,
              const char **names, struct pieces *pieces) {
  const struct ir_module *m = text->names->m;
  const char *group = NULL;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t number = m->value_number[first + i];
    if (!group || number == NONE || number == 0) {
      group = loop_name(text->names);
      add_piece(pieces, m->value_name[first + i], group);
    }
    names[i] = number == NONE
                   ? group
                   : arena_printf(text->names->arena, "%s#%u", group, number);
  }
}

/* Names inside of OP's regions, whose ops are up to END: another function may
 * have the same ones. */
struct inner_names {
  value_id first, end; /* values that are defined inside */
  const char **names;  /* from FIRST on */
};

static void
widen(struct inner_names *inner, value_id first, uint32_t count) {
  if (!count)
    return;
  inner->first = first < inner->first ? first : inner->first;
  inner->end = first + count > inner->end ? first + count : inner->end;
}

static void
rename_block(struct loop_text *text, block_id block, struct inner_names *inner,
             struct pieces *pieces) {
  const struct ir_module *m = text->names->m;
  uint32_t count = m->block_argument_count[block];
  value_id first = m->block_first_argument[block];
  for (uint32_t i = 0; i < count; i++) {
    value_id shared = ir_shared_argument(m, block, i);
    const char **name = &inner->names[first + i - inner->first];
    if (shared != NONE)
      *name = inner->names[shared - inner->first];
    else
      rename_values(text, first + i, 1, name, pieces);
  }
}

/* Call WALK's blocks of OP: its arguments widen INNER, or get names. */
static void
each_block(struct loop_text *text, op_id op, struct inner_names *inner,
           struct pieces *pieces) {
  const struct ir_module *m = text->names->m;
  for (region_id r = m->op_region[op]; r != NONE; r = m->region_next[r])
    for (block_id b = m->region_block[r]; b != NONE; b = m->block_next[b])
      if (pieces)
        rename_block(text, b, inner, pieces);
      else
        widen(inner, m->block_first_argument[b], m->block_argument_count[b]);
}

/* Give all that is defined inside of OP, SIZE ops with itself, new names. */
static void
rename_inside(struct loop_text *text, op_id op, uint32_t size,
              struct pieces *pieces) {
  const struct ir_module *m = text->names->m;
  struct inner_names inner = {UINT32_MAX, 0, NULL};
  for (op_id o = op; o < op + size; o++) {
    each_block(text, o, &inner, NULL);
    if (o != op)
      widen(&inner, m->op_first_result[o], m->op_result_count[o]);
  }
  if (inner.first >= inner.end)
    return;
  inner.names =
      ARENA_ARRAY(text->names->arena, const char *, inner.end - inner.first);
  for (op_id o = op; o < op + size; o++) {
    each_block(text, o, &inner, pieces);
    if (o != op)
      rename_values(text, m->op_first_result[o], m->op_result_count[o],
                    inner.names + (m->op_first_result[o] - inner.first),
                    pieces);
  }
  for (op_id o = op + 1; o < op + size; o++)
    for (uint32_t i = 0; i < m->op_use_count[o]; i++) {
      uint32_t use = m->op_first_use[o] + i;
      value_id value = m->use_value[use];
      if (value >= inner.first && value < inner.end &&
          inner.names[value - inner.first])
        add_piece(pieces, m->use_text[use], inner.names[value - inner.first]);
    }
}

/* Note what OP calls, and what ops inside of it do, SIZE in all. */
static void
note_calls(struct loop_text *text, op_id op, uint32_t size) {
  const struct ir_module *m = text->names->m;
  for (op_id inner = op; m->calls.count && inner < op + size; inner++) {
    uint32_t count;
    const struct ir_call *calls = ir_op_calls(m, inner, &count);
    for (uint32_t i = 0; i < count; i++)
      text->names->called[calls[i].callee] = true;
  }
}

/* The text of OP, of SIZE ops, with PIECES replaced. */
static void
copy_text(struct loop_text *text, op_id op, uint32_t size,
          struct pieces *pieces) {
  const struct ir_module *m = text->names->m;
  const struct replaced *list = pieces->list.data;
  struct span all = m->op_text[op];
  uint32_t at = all.begin;
  if (pieces->list.count)
    qsort(pieces->list.data, pieces->list.count, sizeof *list, by_place);
  buffer_string(&text->out, "      ");
  for (uint32_t i = 0; i < pieces->list.count; i++) {
    if (list[i].span.begin < at)
      continue;
    buffer_text(&text->out,
                source_text(m->source, (struct span){at, list[i].span.begin}));
    buffer_string(&text->out, list[i].with);
    at = list[i].span.end;
  }
  buffer_text(&text->out, source_text(m->source, (struct span){at, all.end}));
  buffer_string(&text->out, "\n");
  note_calls(text, op, size);
}

void
loop_copy(struct loop_text *text, const struct loop *loop,
          const struct flat_op *op, const char **names) {
  const struct ir_module *m = text->names->m;
  struct pieces pieces = {.arena = text->names->arena};
  for (uint32_t i = 0; i < op->use_count; i++) {
    struct flat_use use = loop->uses.data[op->first_use + i];
    add_piece(&pieces, m->use_text[use.use], names[use.value]);
  }
  if (op->size > 1)
    rename_inside(text, op->op, op->size, &pieces);
  rename_values(text, m->op_first_result[op->op], op->result_count,
                names + op->first_result, &pieces);
  copy_text(text, op->op, op->size, &pieces);
}

const char *
loop_copy_plain(struct loop_text *text, op_id op, const char *const *operands) {
  const struct ir_module *m = text->names->m;
  struct pieces pieces = {.arena = text->names->arena};
  const char *name = NULL;
  for (uint32_t i = 0; i < m->op_use_count[op]; i++)
    add_piece(&pieces, m->use_text[m->op_first_use[op] + i], operands[i]);
  rename_values(text, m->op_first_result[op], 1, &name, &pieces);
  copy_text(text, op, 1, &pieces);
  return name;
}
