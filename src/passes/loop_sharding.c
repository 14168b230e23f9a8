/* loop_sharding.c - how the carries of a new loop are spread over devices.
 *
 *   while(...), sharding={{devices=[2,1]<=[2]}, {replicated}, ...}
 *
 * HLO says it of a loop for all of its state.  A carry that goes on keeps its
 * own; what is passed through has that of the old carry of the same name, or of
 * the stack that it is; a new stack has that of the value in it, with one piece
 * in the new dimension.  What is not known is on every device, which is never
 * wrong.  Loops that say nothing say nothing anew.  Linear in the carries, for
 * each carry that is passed through. */
#include "passes/loop_frame.h"

#include <string.h>

/* The sharding that OP is annotated with; false where it is not. */
static bool
annotation(const struct rewriter *r, op_id op, struct text *text) {
  return op != NONE && r->m->op_flags[op] & OP_SHARDED &&
         ir_attribute(r->m, op, "sharding", text);
}

/* The first part of LIST, up to a comma that no bracket holds; LIST keeps the
 * rest. */
static struct text
take_part(struct text *list) {
  uint32_t depth = 0, i = 0;
  while (list->size && *list->data == ' ') {
    list->data++;
    list->size--;
  }
  for (; i < list->size && (depth || list->data[i] != ','); i++) {
    depth += list->data[i] == '{' || list->data[i] == '[';
    depth -= list->data[i] == '}' || list->data[i] == ']';
  }
  struct text part = {list->data, i};
  uint32_t skip = i < list->size ? i + 1 : i;
  *list = (struct text){list->data + skip, list->size - skip};
  return part;
}

const char **
frame_shardings(struct rewriter *r, const struct loop *loop) {
  struct text text;
  if (r->m->format->spelling->result || !annotation(r, loop->op, &text) ||
      text.size < 4 || text.data[1] != '{')
    return NULL;
  const char **parts =
      ARENA_ARRAY(r->arena, const char *, loop->carry_count + 1);
  struct text list = {text.data + 1, text.size - 2};
  for (uint32_t i = 0; i < loop->carry_count; i++) {
    struct text part = take_part(&list);
    parts[i] = arena_copy(r->arena, part.data, part.size);
    frame_note_sharding(r, frame_outer_name(r, loop->carries[i].init),
                        parts[i]);
  }
  return list.size ? NULL : parts;
}

void
frame_note_sharding(struct rewriter *r, const char *name,
                    const char *sharding) {
  struct placed placed = {name, sharding};
  if (sharding)
    vector_push(r->arena, &r->placed, placed);
}

const char *
frame_sharding_of(const struct rewriter *r, const char *name) {
  for (uint32_t i = r->placed.count; i-- > 0;)
    if (strcmp(r->placed.data[i].name, name) == 0)
      return r->placed.data[i].sharding;
  return NULL;
}

const char *
frame_stack_sharding(struct writing *w, flat_id value) {
  static const char word[] = "devices=[";
  const struct flat_value *v = &w->loop->values.data[value];
  struct text text;
  if (!w->shardings)
    return NULL;
  const char *own = v->kind == FLAT_CARRY ? w->shardings[v->number] : NULL;
  if (own)
    text = text_of(own);
  else if (!annotation(w->r, ir_value_op(w->r->m, v->value), &text))
    return NULL;
  const char *devices = memmem(text.data, text.size, word, sizeof word - 1);
  if (!devices)
    return arena_copy(w->r->arena, text.data, text.size);
  uint32_t front = (uint32_t)(devices - text.data) + sizeof word - 1;
  return arena_printf(w->r->arena, "%.*s1,%.*s", (int)front, text.data,
                      (int)(text.size - front), text.data + front);
}
