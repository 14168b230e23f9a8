/* print_edits.c - what of an op's text is replaced, and where. */
#include "ir/printer.h"

static void
add_edit(struct printer *p, struct span place, enum edit_kind kind,
         uint32_t id) {
  vector_push(p->scratch, &p->stack, ((struct edit){place, kind, id}));
}

/* Nearly sorted when they are gathered, so insertion is enough. */
static void
sort_edits(struct edit *edits, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    struct edit moving = edits[i];
    uint32_t to = i;
    for (; to > 0 && edits[to - 1].place.begin > moving.place.begin; to--)
      edits[to] = edits[to - 1];
    edits[to] = moving;
  }
}

static void
add_names(struct printer *p, op_id op) {
  const struct ir_module *m = p->module;
  uint32_t last = NONE;
  for (uint32_t i = 0; i < m->op_result_count[op]; i++) {
    value_id value = ir_result(m, op, i);
    struct span place = m->value_name[value];
    if (m->value_copy[value] && place.begin != last)
      add_edit(p, place, EDIT_DEFINE, value);
    last = place.begin;
  }
  for (uint32_t i = 0; i < m->op_use_count[op]; i++)
    if (m->value_copy[ir_operand(m, op, i)])
      add_edit(p, m->use_text[m->op_first_use[op] + i], EDIT_NAME,
               ir_operand(m, op, i));
}

void
printer_gather_arguments(struct printer *p, block_id block, struct span region,
                         bool before) {
  const struct ir_module *m = p->module;
  if (block == NONE || !m->base)
    return;
  for (uint32_t i = 0; i < m->block_argument_count[block]; i++) {
    value_id value = m->block_first_argument[block] + i;
    struct span place = m->value_name[value];
    if (m->value_copy[value] && (place.begin < region.begin) == before &&
        ir_shared_argument(m, block, i) == NONE)
      add_edit(p, place, EDIT_DEFINE, value);
  }
}

/* Do braces that begin at AT belong to a word before them ("attrs = {...}")? */
static bool
is_wanted(const char *text, struct span scope, uint32_t at) {
  while (at > scope.begin && (text[at - 1] == ' ' || text[at - 1] == '\n'))
    at--;
  return at > scope.begin && (text[at - 1] == '=');
}

/* Make one of cuts, from entry FIRST on, that touch, and take the braces
 * around them along where nothing else is left in these. */
static void
join_cuts(struct printer *p, uint32_t first, struct span scope) {
  const char *text = p->text;
  struct edit *cuts = p->stack.data;
  uint32_t kept = first;
  sort_edits(cuts + first, p->stack.count - first);
  for (uint32_t i = first; i < p->stack.count; i++)
    if (i > first && cuts[i].place.begin <= cuts[kept - 1].place.end)
      cuts[kept - 1].place.end = cuts[i].place.end;
    else
      cuts[kept++] = cuts[i];
  p->stack.count = kept;
  for (uint32_t i = first; i < kept; i++) {
    struct span *cut = &cuts[i].place;
    if (cut->begin == scope.begin || text[cut->begin - 1] != '{' ||
        cut->end == scope.end || text[cut->end] != '}' ||
        is_wanted(text, scope, cut->begin - 1))
      continue;
    cut->begin--;
    cut->end++;
    while (cut->begin > scope.begin && text[cut->begin - 1] == ' ')
      cut->begin--;
  }
}

/* The attributes of OP that change and stand in SCOPE. */
static void
add_attributes_in(struct printer *p, op_id op, struct span scope) {
  const struct ir_module *m = p->module;
  const struct ir_edits *edits = p->edits;
  struct span place;
  uint32_t first = p->stack.count;
  if (scope.begin >= scope.end)
    return;
  for (uint32_t i = 0; edits->dropped && edits->dropped[i]; i++)
    if (m->format->cut &&
        m->format->cut(m, scope, text_of(edits->dropped[i]), &place))
      add_edit(p, place, EDIT_CUT, 0);
  join_cuts(p, first, scope);
  if ((m->op_flags[op] & OP_BACKWARD) && edits->phase &&
      m->format->attribute(m, scope, text_of(edits->phase), &place) &&
      place.begin < place.end)
    add_edit(p, place, EDIT_BACKWARD, 0);
}

/* The same for all of OP outside of its regions. */
static void
add_attributes(struct printer *p, op_id op) {
  const struct ir_module *m = p->module;
  struct span scope = ir_op_span(m, op);
  if (!p->edits || !(m->op_flags[op] & (OP_HAS_MARKS | OP_BACKWARD)))
    return;
  for (region_id r = m->op_region[op]; r != NONE; r = m->region_next[r]) {
    add_attributes_in(p, op,
                      (struct span){scope.begin, m->region_text[r].begin});
    scope.begin = m->region_text[r].end;
  }
  add_attributes_in(p, op, scope);
}

static void
add_references(struct printer *p, op_id op) {
  const struct ir_module *m = p->module;
  uint32_t count = 0;
  const struct ir_call *calls =
      m->calls.count ? ir_op_calls(m, op, &count) : NULL;
  for (uint32_t i = 0; i < count; i++)
    if (m->functions.data[calls[i].callee].copy)
      add_edit(p, calls[i].text, EDIT_CALLEE, calls[i].callee);
  count = 0;
  const struct ir_control *controls =
      m->controls.count ? ir_op_controls(m, op, &count) : NULL;
  for (uint32_t i = 0; i < count; i++)
    if (m->op_copy[controls[i].predecessor])
      add_edit(p, controls[i].text, EDIT_NAME,
               m->op_first_result[controls[i].predecessor]);
}

void
printer_gather_edits(struct printer *p, op_id op) {
  const struct ir_module *m = p->module;
  uint32_t first = p->stack.count;
  if (m->base) {
    add_names(p, op);
    add_references(p, op);
  }
  add_attributes(p, op);
  if (p->of_op && p->of_op[op] != NONE)
    add_edit(p, m->functions.data[p->of_op[op]].attributes, EDIT_FUNCTION,
             p->of_op[op]);
  for (region_id r = m->op_region[op]; r != NONE; r = m->region_next[r]) {
    printer_gather_arguments(p, m->region_block[r], m->region_text[r], true);
    add_edit(p, m->region_text[r], EDIT_REGION, r);
  }
  sort_edits(p->stack.data + first, p->stack.count - first);
}
