/* loop_text.c - see loop_text.h.  Linear in the text that is written. */
#include "passes/loop_text.h"

#include <stdlib.h>
#include <string.h>

/* --- names --- */

void
loop_names_begin(struct loop_names *names, struct arena *arena,
                 const struct ir_module *module) {
  *names = (struct loop_names){.arena = arena, .m = module};
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

/* Give the results of OP new names, into NAMES; the spans of the old ones and
 * what stands there now go to LIST.  Returns how many. */
static uint32_t
name_results(struct loop_text *text, op_id op, const char **names,
             struct replaced *list) {
  const struct ir_module *m = text->names->m;
  const char *group = NULL;
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->op_result_count[op]; i++) {
    value_id value = ir_result(m, op, i);
    uint32_t number = m->value_number[value];
    if (!group || number == NONE || number == 0) {
      group = loop_name(text->names);
      list[count++] = (struct replaced){m->value_name[value], group};
    }
    names[i] = number == NONE
                   ? group
                   : arena_printf(text->names->arena, "%s#%u", group, number);
  }
  return count;
}

/* The text of OP with the COUNT pieces of LIST replaced. */
static void
copy_text(struct loop_text *text, op_id op, struct replaced *list,
          uint32_t count) {
  const struct ir_module *m = text->names->m;
  struct span all = m->op_text[op];
  uint32_t at = all.begin;
  qsort(list, count, sizeof *list, by_place);
  buffer_string(&text->out, "      ");
  for (uint32_t i = 0; i < count; i++) {
    if (list[i].span.begin < at)
      continue;
    buffer_text(&text->out,
                source_text(m->source, (struct span){at, list[i].span.begin}));
    buffer_string(&text->out, list[i].with);
    at = list[i].span.end;
  }
  buffer_text(&text->out, source_text(m->source, (struct span){at, all.end}));
  buffer_string(&text->out, "\n");
}

void
loop_copy(struct loop_text *text, const struct loop *loop,
          const struct flat_op *op, const char **names) {
  const struct ir_module *m = text->names->m;
  struct replaced *list = ARENA_ARRAY(text->names->arena, struct replaced,
                                      op->use_count + op->result_count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < op->use_count; i++) {
    struct flat_use use = loop->uses.data[op->first_use + i];
    list[count++] = (struct replaced){m->use_text[use.use], names[use.value]};
  }
  count += name_results(text, op->op, names + op->first_result, list + count);
  copy_text(text, op->op, list, count);
}

const char *
loop_copy_plain(struct loop_text *text, op_id op, const char *const *operands) {
  const struct ir_module *m = text->names->m;
  uint32_t uses = m->op_use_count[op], results = m->op_result_count[op];
  struct arena *arena = text->names->arena;
  struct replaced *list = ARENA_ARRAY(arena, struct replaced, uses + results);
  const char **names = ARENA_ARRAY(arena, const char *, results);
  for (uint32_t i = 0; i < uses; i++)
    list[i] =
        (struct replaced){m->use_text[m->op_first_use[op] + i], operands[i]};
  uint32_t count = uses + name_results(text, op, names, list + uses);
  copy_text(text, op, list, count);
  return names[0];
}
