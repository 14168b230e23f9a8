/* mlir_results.c - how many results an op has, and of which types.
 *
 * The count is that of the names before '='; an op without names has those
 * that "->" names.  The types are, in this order: those behind "->", "to" or
 * "into"; what the facts of the op imply (rules/ops); those behind the last
 * colon, of which the last one counts where there is but one result.  A type
 * that is not printed and not implied is unknown; a number that does not fit is
 * an error. */
#include "readers/mlir.h"
#include "rules/rules.h"

/* What is known of an op's name. */
enum implied_state {
  STATE_NEW,
  STATE_PRINTED, /* no fact: its result types are printed */
  STATE_IMPLIED,
};

static type_id
parse_type(void *user, struct text spelling) {
  return mlir_type_of(user, spelling);
}

/* The types of OP's operands, one by one. */
static void
collect_operands(struct mlir *r, op_id op) {
  const struct ir_module *m = r->module;
  r->operands.count = 0;
  for (uint32_t i = 0; i < m->op_use_count[op]; i++) {
    value_id value = ir_operand(m, op, i);
    type_id type = value == NONE ? TYPE_NONE : m->value_type[value];
    vector_push(&r->scratch, &r->operands, type);
  }
}

/* --- results --- */

/* Make COUNT results of OP, named from RESULTS on; types are set later. */
static bool
add_results(struct mlir *r, op_id op, uint32_t results, uint32_t count) {
  struct ir_module *m = r->module;
  value_id value = ir_add_results(m, op, count);
  for (uint32_t i = results; i < r->results.count; i++) {
    const struct mlir_result *result = &r->results.data[i];
    for (uint32_t k = 0; k < result->count; k++) {
      m->value_name[value + k] = result->name;
      if (result->grouped)
        m->value_number[value + k] = k;
    }
    if (!mlir_bind(r, result->name, value, result->count))
      return false;
    value += result->count;
  }
  return true;
}

/* How many results the names from RESULTS on are for. */
static uint32_t
named_count(const struct mlir *r, uint32_t results) {
  uint64_t count = 0;
  for (uint32_t i = results; i < r->results.count; i++)
    count += r->results.data[i].count;
  return count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
}

/* OP has NAMED names for results but TYPES types. */
static bool
wrong_count(struct mlir *r, uint32_t results, uint32_t named, uint32_t types) {
  struct span first = r->results.data[results].name;
  return mlir_error(r, r->text + first.begin, r->text + first.end,
                    "%u result%s named here, but the op has types for %u",
                    named, named == 1 ? " is" : "s are", types);
}

bool
mlir_results_typed(struct mlir *r, op_id op, uint32_t results, uint32_t mark) {
  uint32_t count = r->types.count - mark;
  uint32_t named = named_count(r, results);
  if (named != count && r->results.count != results)
    return wrong_count(r, results, named, count);
  if (!add_results(r, op, results, count))
    return false;
  struct ir_module *m = r->module;
  for (uint32_t i = 0; i < count; i++)
    m->value_type[m->op_first_result[op] + i] = r->types.data[mark + i];
  return true;
}

/* Give the COUNT results of OP the types that facts imply.  False: they imply
 * none, or the types are printed behind an arrow. */
static bool
imply(struct mlir *r, op_id op, uint32_t count,
      const struct mlir_printed *printed) {
  struct ir_module *m = r->module;
  name_id name = m->op_name[op];
  while (r->implied.count <= name)
    vector_push(&r->scratch, &r->implied, STATE_NEW);
  if (r->implied.data[name] == STATE_PRINTED || printed->arrow_count)
    return false;
  collect_operands(r, op);
  type_id *types = m->value_type + m->op_first_result[op];
  const struct rules_implied_input input = {
      .operands = r->operands.data,
      .printed = r->types.data + printed->mark,
      .operand_count = r->operands.count,
      .printed_count = printed->colon_count,
      .parse = parse_type,
      .user = r};
  int made = rules_implied_types(
      r->rules, m->types, string_text(m->names, name), &input, types, count);
  if (made == IMPLIED_NOTHING && printed->colon_count == 0)
    return false;
  r->implied.data[name] =
      made == IMPLIED_NOTHING ? STATE_PRINTED : STATE_IMPLIED;
  for (uint32_t i = 0; made == IMPLIED_UNKNOWN && i < count; i++)
    types[i] = mlir_type_unknown(r);
  return made != IMPLIED_NOTHING;
}

/* Which of the printed types are those of COUNT results: the first of them in
 * *FIRST.  *TYPES is how many there are where they do not fit. */
static bool
choose_printed(const struct mlir_printed *printed, uint32_t count,
               uint32_t *first, uint32_t *types) {
  *types = printed->has_arrow ? printed->arrow_count : printed->colon_count;
  *first = printed->has_arrow ? printed->arrow : printed->mark;
  if (*types == count)
    return true;
  if (count != 1 || *types == 0)
    return false;
  /* Behind an arrow more than one type is rare, and the first is the result's
   * ("-> !llvm.ptr, f32"); behind a colon the last one is ("i1, tensor"). */
  if (!printed->has_arrow)
    *first += *types - 1;
  return true;
}

/* OP prints the types from *FIRST on and no type of a token that it has: put
 * it in.  False where OP has none. */
static bool
add_token(struct mlir *r, op_id op, uint32_t *first) {
  unsigned kind = mlir_kind(r, r->module->op_name[op]);
  uint32_t printed = r->types.count - *first, mark = r->types.count;
  struct text token =
      kind & KIND_TOKEN_FIRST ? TEXT("!async.token") : TEXT("!gpu.async.token");
  if (!(kind & (KIND_TOKEN_FIRST | KIND_TOKEN_LAST)))
    return false;
  vector_reserve(&r->scratch, &r->types, printed + 1);
  if (kind & KIND_TOKEN_FIRST)
    r->types.data[r->types.count++] = mlir_type_of(r, token);
  for (uint32_t i = 0; i < printed; i++)
    r->types.data[r->types.count++] = r->types.data[*first + i];
  if (kind & KIND_TOKEN_LAST)
    r->types.data[r->types.count++] = mlir_type_of(r, token);
  *first = mark;
  return true;
}

bool
mlir_results(struct mlir *r, op_id op, uint32_t results,
             const struct mlir_printed *printed) {
  struct ir_module *m = r->module;
  uint32_t count = named_count(r, results), first, types;
  if (r->results.count == results) {
    bool silent = mlir_kind(r, m->op_name[op]) & KIND_SILENT;
    count = printed->named && !silent ? printed->arrow_count : 0;
  }
  if (!add_results(r, op, results, count))
    return false;
  if (count == 0 || imply(r, op, count, printed))
    return true;
  bool found = choose_printed(printed, count, &first, &types);
  if (!found && types && types + 1 == count)
    found = add_token(r, op, &first);
  if (!found && types)
    return wrong_count(r, results, count, types);
  for (uint32_t i = 0; i < count; i++)
    m->value_type[m->op_first_result[op] + i] =
        found ? r->types.data[first + i] : mlir_type_unknown(r);
  return true;
}
