/* mlir_results.c - how many results an op has, and of which types.
 *
 * The count is that of the names before '='; an op without names has those
 * that "->" names.  The types are, in this order: what implied_types.def says;
 * those behind "->", "to" or "into"; those behind the last colon, of which the
 * last one counts where there is but one result.  A type that is not printed
 * and not implied is unknown; a number that does not fit is an error. */
#include "readers/mlir.h"
#include "support/buffer.h"

enum implied_from {
  IMPLIED_PRINTED,
  IMPLIED_SILENT,
  IMPLIED_FIXED,
  IMPLIED_OUTS,
  IMPLIED_UNKNOWN,
};

enum implied_made {
  MADE_SAME,
  MADE_ELEMENT,
  MADE_I1,
  MADE_REAL,
  MADE_TENSOR,
};

struct implied {
  const char *name;
  enum implied_from from;
  uint32_t index;
  enum implied_made made;
  const char *spelling;
};

static const struct implied implied_table[] = {
#define IMPLIED(name, from, index, made, spelling)                             \
  {name, IMPLIED_##from, index, MADE_##made, spelling},
#include "readers/implied_types.def"
#undef IMPLIED
};

enum { IMPLIED_COUNT = sizeof implied_table / sizeof *implied_table };

/* The row for ops called NAME, or NULL. */
static const struct implied *
find_implied(struct mlir *r, name_id name) {
  while (r->implied.count <= name)
    vector_push(&r->scratch, &r->implied, 0);
  int16_t *row = &r->implied.data[name];
  if (*row == 0) {
    *row = -1;
    struct text text = string_text(r->module->names, name);
    for (int i = 0; i < IMPLIED_COUNT && *row < 0; i++)
      if (text_glob(text_of(implied_table[i].name), text))
        *row = (int16_t)(i + 1);
  }
  return *row > 0 ? &implied_table[*row - 1] : NULL;
}

/* --- making one type of another --- */

/* TYPE with the elements of ELEMENT, spelled as KIND. */
static type_id
make_shaped(struct mlir *r, const struct type *type, const char *kind,
            const char *element) {
  struct buffer spelling = {.arena = r->arena};
  buffer_printf(&spelling, "%s<", kind);
  if (type->unranked)
    buffer_string(&spelling, "*x");
  for (uint32_t i = 0; i < type->rank; i++) {
    if (type->dims[i] == DIMENSION_DYNAMIC)
      buffer_string(&spelling, "?x");
    else
      buffer_printf(&spelling, "%llux", (unsigned long long)type->dims[i]);
  }
  buffer_printf(&spelling, "%s>", element);
  return mlir_type_of(r, text_of(buffer_finish(&spelling)));
}

static const char *
element_name(const struct type *type) {
  return dtype_infos[type->dtype].name;
}

static const char *
real_name(const struct type *type) {
  return type->dtype == DTYPE_C64    ? "f32"
         : type->dtype == DTYPE_C128 ? "f64"
                                     : NULL;
}

static const char *
kind_name(const struct type *type) {
  return type->kind == TYPE_TENSOR   ? "tensor"
         : type->kind == TYPE_VECTOR ? "vector"
                                     : NULL;
}

/* A type MADE of BASE; an unknown one where that cannot be. */
static type_id
make_type(struct mlir *r, type_id base, enum implied_made made) {
  const struct type *type = type_get(r->module->types, base);
  const char *element = made == MADE_I1     ? "i1"
                        : made == MADE_REAL ? real_name(type)
                                            : element_name(type);
  if (made == MADE_SAME)
    return base;
  if (!element)
    return mlir_type_unknown(r);
  if (made == MADE_ELEMENT || type->kind == TYPE_SCALAR)
    return mlir_type_of(r, text_of(element));
  if (made == MADE_TENSOR)
    return type->kind == TYPE_MEMREF ? make_shaped(r, type, "tensor", element)
                                     : base;
  return kind_name(type) ? make_shaped(r, type, kind_name(type), element)
                         : mlir_type_unknown(r);
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
mlir_results_typed(struct mlir *r, op_id op, uint32_t results, uint32_t mark,
                   uint32_t count) {
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

/* Give the COUNT results of OP the types that ROW implies.  False: the row
 * says nothing here. */
static bool
imply(struct mlir *r, op_id op, const struct implied *row, uint32_t count,
      const struct mlir_printed *printed) {
  struct ir_module *m = r->module;
  type_id type = mlir_type_unknown(r);
  uint32_t uses = m->op_use_count[op];
  bool silent = printed->colon_count == 0 && printed->arrow_count == 0;
  if ((row->from == IMPLIED_SILENT && !silent) ||
      (row->from == IMPLIED_PRINTED && printed->arrow_count) ||
      (row->from == IMPLIED_PRINTED && row->index >= printed->colon_count) ||
      (row->from == IMPLIED_OUTS && uses < count))
    return false;
  if (row->from == IMPLIED_PRINTED)
    type = make_type(r, r->types.data[printed->mark + row->index], row->made);
  else if (row->from == IMPLIED_FIXED || row->from == IMPLIED_SILENT)
    type = mlir_type_of(r, text_of(row->spelling));
  for (uint32_t i = 0; i < count; i++) {
    type_id of = type;
    if (row->from == IMPLIED_OUTS) {
      value_id value = ir_operand(m, op, uses - count + i);
      of = value != NONE ? m->value_type[value] : type;
    }
    m->value_type[m->op_first_result[op] + i] = of;
  }
  return true;
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

bool
mlir_results(struct mlir *r, op_id op, uint32_t results,
             const struct mlir_printed *printed) {
  struct ir_module *m = r->module;
  uint32_t count = named_count(r, results), first, types;
  if (r->results.count == results) {
    bool silent = mlir_kind(r, m->op_name[op]) & KIND_SILENT;
    count = printed->has_arrow && !silent ? printed->arrow_count : 0;
  }
  if (!add_results(r, op, results, count))
    return false;
  const struct implied *row = count ? find_implied(r, m->op_name[op]) : NULL;
  if (count == 0 || (row && imply(r, op, row, count, printed)))
    return true;
  bool found = choose_printed(printed, count, &first, &types);
  if (!found && types)
    return wrong_count(r, results, count, types);
  for (uint32_t i = 0; i < count; i++)
    m->value_type[m->op_first_result[op] + i] =
        found ? r->types.data[first + i] : mlir_type_unknown(r);
  return true;
}
