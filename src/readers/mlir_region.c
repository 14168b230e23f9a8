/* mlir_region.c - regions, their blocks, arguments and edges.
 *
 * A region's first block may have no label; its arguments then stand in the
 * header of the op ("arguments"), or there are none.  Labels are names like
 * those of values, in the same table, so an edge to a block that is still to
 * come is patched when the region ends. */
#include "readers/mlir.h"

bool
mlir_argument(struct mlir *r) {
  const char *begin = r->p, *end = mlir_skip_name(begin);
  if (*begin != '%' || end == begin + 1)
    return mlir_error_at(r, begin, "an argument's name is expected here");
  struct mlir_argument argument = {mlir_span(r, begin, end), TYPE_NONE, {0, 0}};
  mlir_advance(r, end);
  if (!mlir_expect(r, ':', "between an argument and its type"))
    return false;
  argument.type = mlir_type(r);
  if (argument.type == TYPE_NONE)
    return false;
  if (mlir_peek(r) == '{') {
    begin = r->p;
    if (!mlir_group(r))
      return false;
    argument.attributes = mlir_span(r, begin + 1, r->token_end - 1);
  }
  vector_push(&r->scratch, &r->arguments, argument);
  return mlir_location(r);
}

/* A new block of REGION with the arguments from MARK on. */
static bool
start_block(struct mlir *r, region_id region, uint32_t mark, block_id *block) {
  struct ir_module *m = r->module;
  uint32_t count = r->arguments.count - mark;
  *block = ir_add_block(m, region);
  value_id value = ir_add_arguments(m, *block, count);
  for (uint32_t i = 0; i < count; i++, value++) {
    const struct mlir_argument *argument = &r->arguments.data[mark + i];
    m->value_name[value] = argument->name;
    m->value_type[value] = argument->type != TYPE_NONE
                               ? argument->type
                               : mlir_type_of(r, TEXT("index"));
    if (!mlir_bind(r, argument->name, value, 1))
      return false;
  }
  return true;
}

/* "^bb1(%a: t):" is next: its name is SPAN, its arguments are pushed. */
static bool
read_label(struct mlir *r, struct span *span) {
  const char *begin = r->p, *end = mlir_skip_name(begin);
  if (end == begin + 1)
    return mlir_error_at(r, begin, "a block's name is expected behind '^'");
  *span = mlir_span(r, begin, end);
  mlir_advance(r, end);
  if (mlir_accept(r, '(') && !mlir_accept(r, ')')) {
    do {
      if (!mlir_argument(r))
        return false;
    } while (mlir_accept(r, ','));
    if (!mlir_expect(r, ')', "behind the arguments of a block"))
      return false;
  }
  return mlir_expect(r, ':', "behind a block's label");
}

/* A block is next, up to the label of the next or the end of REGION.  The
 * arguments from MARK on are those of its header, before those of a label. */
static bool
read_block(struct mlir *r, region_id region, uint32_t mark) {
  struct span label = {0, 0};
  uint32_t own = r->arguments.count;
  block_id block;
  const char *body = r->token_end;
  if (mlir_peek(r) == '^') {
    if (!read_label(r, &label))
      return false;
    body = r->token_end;
  }
  if (!start_block(r, region, mark, &block) ||
      (label.end && !mlir_bind(r, label, block, 1)))
    return false;
  r->arguments.count = own;
  r->module->block_body[block].begin = mlir_offset(r, body);
  if (!mlir_ops(r, block))
    return false;
  r->module->block_body[block].end = mlir_offset(r, r->p);
  return true;
}

/* Give the edges of this region their blocks. */
static bool
resolve_edges(struct mlir *r) {
  const struct mlir_scope *scope = &r->scopes.data[r->scopes.count - 1];
  for (uint32_t i = scope->edges; i < r->edges.count; i++) {
    const struct mlir_edge *edge = &r->edges.data[i];
    const struct mlir_binding *binding = mlir_lookup(r, edge->label);
    const char *begin = r->text + edge->text.begin;
    const char *end = r->text + edge->text.end;
    if (!binding || (uint32_t)(binding - r->bindings.data) < scope->bindings)
      return mlir_error(r, begin, end, "there is no block '%.*s' here",
                        (int)(end - begin), begin);
    r->module->successors.data[edge->successor].block = binding->value;
  }
  r->edges.count = scope->edges;
  return true;
}

bool
mlir_successor(struct mlir *r, op_id op, uint32_t first_use) {
  const char *begin = r->p, *end = mlir_skip_name(begin);
  if (end == begin + 1)
    return mlir_error_at(r, begin, "a block's name is expected behind '^'");
  struct mlir_edge edge = {mlir_name(r, begin, end),
                           r->module->successors.count,
                           mlir_span(r, begin, end)};
  struct ir_successor successor = {op, NONE, first_use, 0};
  vector_push(&r->scratch, &r->edges, edge);
  vector_push(r->arena, &r->module->successors, successor);
  mlir_advance(r, end);
  return true;
}

/* The end of the text was reached in a region that began at OPEN. */
static bool
unclosed(struct mlir *r, const char *open) {
  mlir_error(r, r->end, r->end, "the text ends inside of a region");
  mlir_note(r, open, open + 1, "which begins here");
  return false;
}

bool
mlir_region(struct mlir *r, op_id op, unsigned kind, uint32_t mark) {
  const char *open = r->p;
  region_id region = ir_add_region(r->module, op);
  mlir_scope_open(r, kind);
  mlir_advance(r, open + 1);
  bool empty = mlir_peek(r) == '}' && mark == r->arguments.count;
  for (uint32_t blocks = 0; !empty && (!blocks || mlir_peek(r) == '^');
       blocks++) {
    if (!read_block(r, region, blocks ? r->arguments.count : mark))
      return false;
    r->multi_block |= blocks > 0;
  }
  if (mlir_peek(r) == '\0')
    return unclosed(r, open);
  if (!resolve_edges(r) || !mlir_scope_close(r, region))
    return false;
  mlir_advance(r, r->p + 1);
  r->module->region_text[region] = mlir_span(r, open, r->token_end);
  return true;
}
