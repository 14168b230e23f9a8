/* layout.c - do operand 0 and result 0 lie in memory in the same order?
 *
 * Dimensions of size one may move anywhere; layouts of HLO ("{0,1:T(8,128)}",
 * minor first) count.  Takes time in the rank. */
#include "rules/evaluate.h"

#include <math.h>
#include <string.h>

static const double unknown = NAN;

bool
same_type(const struct type *a, const struct type *b) {
  if (a->dtype != b->dtype || a->rank != b->rank || a->kind != b->kind ||
      a->unranked != b->unranked)
    return false;
  for (uint32_t i = 0; i < a->rank; i++)
    if (a->dims[i] != b->dims[i])
      return false;
  return a->kind != TYPE_UNKNOWN || text_equal(a->spelling, b->spelling);
}

enum { MOST_RANK = 32 };

/* Dimensions of TYPE from minor to major into ORDER. */
static void
physical_order(const struct type *type, int64_t *order) {
  struct text layout = type->layout;
  const char *colon =
      layout.size ? memchr(layout.data, ':', layout.size) : NULL;
  if (colon)
    layout.size = (uint32_t)(colon - layout.data);
  if (attribute_list(layout, order, MOST_RANK) == (int)type->rank)
    return;
  for (uint32_t i = 0; i < type->rank; i++)
    order[i] = type->rank - 1 - i;
}

/* The permutation of the op, result dimension to operand dimension. */
static bool
permutation_of(struct evaluation *e, uint32_t rank, int64_t *permutation) {
  static const char *const names[] = {"permutation", "dims", "dimensions",
                                      "perms", "perm"};
  struct text text;
  for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
    if (attribute_valued(e, names[i], &text) &&
        attribute_list(text, permutation, MOST_RANK) == (int)rank) {
      for (uint32_t k = 0; k < rank; k++)
        if (permutation[k] < 0 || permutation[k] >= rank)
          return false;
      return true;
    }
  for (uint32_t i = 0; i < rank; i++)
    permutation[i] = i;
  return false;
}

/* Does TYPE lie row by row, dimensions of size one aside? */
static bool
is_row_major(const struct type *type) {
  int64_t order[MOST_RANK], last = INT64_MAX;
  physical_order(type, order);
  for (uint32_t i = 0; i < type->rank; i++) {
    if (order[i] < 0 || order[i] >= type->rank)
      return false;
    if (type->dims[order[i]] == 1)
      continue;
    if (order[i] > last)
      return false;
    last = order[i];
  }
  return true;
}

/* Do the extents alone tell that A and B have their dimensions in the same
 * order: those above one are all different, and come in one order? */
static bool
extents_tell(const struct type *a, const struct type *b) {
  uint32_t i = 0, k = 0;
  for (;; i++, k++) {
    while (i < a->rank && a->dims[i] == 1)
      i++;
    while (k < b->rank && b->dims[k] == 1)
      k++;
    if (i == a->rank || k == b->rank)
      return i == a->rank && k == b->rank;
    if (a->dims[i] != b->dims[k])
      return false;
    for (uint32_t before = 0; before < i; before++)
      if (a->dims[before] == a->dims[i])
        return false;
  }
}

/* Do operand 0 and result 0 lie in memory in the same order?  Where no
 * attribute tells the permutation, only if the extents do. */
double
keeps_order(struct evaluation *e) {
  const struct type *from = type_named(e, VALUE_OPERAND, 0);
  const struct type *to = type_named(e, VALUE_RESULT, 0);
  int64_t permutation[MOST_RANK], in[MOST_RANK], out[MOST_RANK];
  if (!from || !to)
    return unknown;
  if (from->rank > MOST_RANK || to->rank > MOST_RANK || from->unranked ||
      to->unranked)
    return not_known(e, "the order of the dimensions");
  if (from->rank != to->rank)
    return is_row_major(from) && is_row_major(to);
  bool permutes = permutation_of(e, to->rank, permutation);
  if (!permutes && !(is_row_major(from) && is_row_major(to)))
    return not_known(e, "the permutation");
  if (!permutes)
    return extents_tell(from, to);
  physical_order(from, in);
  physical_order(to, out);
  uint32_t i = 0, k = 0;
  for (;; i++, k++) {
    while (i < from->rank && from->dims[in[i]] == 1)
      i++;
    while (k < to->rank && to->dims[out[k]] == 1)
      k++;
    if (i == from->rank || k == to->rank)
      return i == from->rank && k == to->rank;
    if (in[i] != permutation[out[k]])
      return 0;
  }
}
