/* term_sum.c - whole numbers that follow the times of several loops.
 *
 *   5 U + u + 2,  U and u the times of two loops
 *
 * A FORM is such a number as one factor for each depth and what is added.  The
 * term of a form with two factors or more is a sum, with one it is linear, with
 * none a constant: so equal forms of one shape have equal terms.  Arithmetic
 * wraps; what needs that it does not asks for the range.  O(depths). */
#include "passes/terms.h"

#define LIMIT (INT64_C(1) << 40)

static bool
is_small(int64_t number) {
  return number >= -LIMIT && number <= LIMIT;
}

/* Add SCALE times what ID, a time, is to FORM. */
static bool
add_time(const struct terms *terms, struct term_form *form, term_id id,
         int64_t scale) {
  const struct term *time = term_get(terms, id);
  if (time->kind != TERM_TIME)
    return false;
  form->scale[time->depth] += scale;
  return true;
}

bool
term_form_of(const struct terms *terms, term_id id, struct term_form *form) {
  const struct term *term = term_get(terms, id);
  *form = (struct term_form){.offset = term->b};
  if (term->kind == TERM_TIME)
    return add_time(terms, form, id, 1);
  if (term->kind == TERM_LINEAR)
    return term->count == 0 ||
           add_time(terms, form, term_operand(terms, id, 0), term->a);
  if (term->kind != TERM_SUM)
    return false;
  for (uint32_t i = 0; i < term->count; i += 2)
    if (!add_time(terms, form, term_operand(terms, id, i),
                  term_get(terms, term_operand(terms, id, i + 1))->b))
      return false;
  return true;
}

/* The term of SHAPE that FORM is, or TERM_NONE where a number is too large. */
static term_id
term_of(struct terms *terms, shape_id shape, const struct term_form *form) {
  term_id operands[2 * TERM_DEPTHS];
  uint32_t count = 0, only = 0;
  if (!is_small(form->offset))
    return TERM_NONE;
  for (uint32_t d = 0; d < TERM_DEPTHS; d++) {
    if (!is_small(form->scale[d]))
      return TERM_NONE;
    if (!form->scale[d])
      continue;
    only = d;
    operands[count++] = term_time(terms, d);
    operands[count++] =
        term_linear(terms, terms->index_shape, TERM_NONE, 0, form->scale[d]);
  }
  if (count <= 2)
    return term_linear(terms, shape, count ? operands[0] : TERM_NONE,
                       form->scale[only], form->offset);
  const struct term sum = {.kind = TERM_SUM, .shape = shape, .b = form->offset};
  return term_enter(terms, &sum, operands, count);
}

term_id
term_combined(struct terms *terms, shape_id shape,
              const struct term_part *parts, uint32_t count, int64_t offset) {
  struct term_form sum = {.offset = offset}, form;
  for (uint32_t i = 0; i < count; i++) {
    int64_t least, most, scaled;
    /* All wrap alike, or they do not. */
    if (!term_form_of(terms, parts[i].term, &form) ||
        (term_get(terms, parts[i].term)->shape != shape &&
         term_get(terms, parts[i].term)->kind != TERM_TIME &&
         !term_range(terms, parts[i].term, &least, &most)))
      return TERM_NONE;
    for (uint32_t d = 0; d < TERM_DEPTHS; d++) {
      if (__builtin_mul_overflow(form.scale[d], parts[i].scale, &scaled))
        return TERM_NONE;
      sum.scale[d] += scaled;
      if (!is_small(sum.scale[d]))
        return TERM_NONE;
    }
    if (__builtin_mul_overflow(form.offset, parts[i].scale, &scaled) ||
        __builtin_add_overflow(sum.offset, scaled, &sum.offset))
      return TERM_NONE;
  }
  return term_of(terms, shape, &sum);
}

bool
term_form_range(const struct terms *terms, const struct term_form *form,
                int64_t *least, int64_t *most) {
  *least = *most = form->offset;
  for (uint32_t d = 0; d < TERM_DEPTHS; d++) {
    int64_t scale = form->scale[d], last;
    if (!scale)
      continue;
    if (terms->trips[d] < 1 ||
        __builtin_mul_overflow(scale, terms->trips[d] - 1, &last) ||
        __builtin_add_overflow(last < 0 ? *least : *most, last,
                               last < 0 ? least : most))
      return false;
  }
  return true;
}
