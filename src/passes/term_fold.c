/* term_fold.c - terms in their simplest form.
 *
 *   2 (3 t + 1) - 1             ==>   6 t + 1
 *   t < 12, t from 0 to 11      ==>   true
 *   reshape (reshape x)         ==>   reshape x, or x
 *   slice (update (s, v, i), i) ==>   v
 *
 * and, for a sequence s that is updated at slot t + 1 with v(t), t from 0:
 *
 *   slice (at (s, 12), 11 - u)  ==>   v(10 - u)
 *
 * if 11 - u is a slot that was written, whatever u is: what v mentions of that
 * loop's carries is then meant at time 10 - u.  Slices and updates clamp, so
 * every slot has to be inside of the bounds.
 *
 * Each step is an equation that holds for all values; whole numbers wrap, and
 * what needs that they do not (comparisons, slots, other widths) looks at
 * their range first. */
#include "passes/terms.h"

#include <string.h>

#define LIMIT (INT64_C(1) << 40)

/* --- whole numbers --- */

/* The numbers that values of DTYPE are. */
static bool
bounds_of(enum dtype dtype, int64_t *least, int64_t *most) {
  const struct dtype_info *info = &dtype_infos[dtype];
  uint32_t bits = info->bits > 41 ? 41 : info->bits;
  switch (info->class) {
  case DTYPE_CLASS_BOOLEAN:
    *least = 0;
    *most = 1;
    return true;
  case DTYPE_CLASS_UNSIGNED:
    *least = 0;
    *most = (INT64_C(1) << bits) - 1;
    return bits > 0;
  case DTYPE_CLASS_INTEGER:
    *most = (INT64_C(1) << (bits - 1)) - 1;
    *least = -*most - 1;
    return bits > 1;
  default:
    return false;
  }
}

static const struct shape *
shape_of(const struct terms *terms, term_id id) {
  return &terms->shapes.data[term_get(terms, id)->shape];
}

bool
term_range(const struct terms *terms, term_id id, int64_t *least,
           int64_t *most) {
  const struct shape *shape = shape_of(terms, id);
  struct term_form form;
  int64_t from, to;
  return shape->known && shape->elements == 1 &&
         bounds_of(shape->dtype, &from, &to) &&
         term_form_of(terms, id, &form) &&
         term_form_range(terms, &form, least, most) && *least >= from &&
         *most <= to;
}

bool
term_constant(const struct terms *terms, term_id id, int64_t *number) {
  int64_t most;
  return term_get(terms, id)->kind == TERM_LINEAR &&
         term_get(terms, id)->count == 0 &&
         term_range(terms, id, number, &most);
}

/* A * B + C, if that is small enough. */
static bool
combine(int64_t a, int64_t b, int64_t c, int64_t *sum) {
  return !__builtin_mul_overflow(a, b, sum) &&
         !__builtin_add_overflow(*sum, c, sum) && *sum >= -LIMIT &&
         *sum <= LIMIT;
}

term_id
term_linear(struct terms *terms, shape_id shape, term_id base, int64_t scale,
            int64_t offset) {
  int64_t least, most;
  if (base != TERM_NONE && term_get(terms, base)->kind == TERM_SUM) {
    const struct term_part part = {base, scale};
    return term_combined(terms, shape, &part, 1, offset);
  }
  if (base != TERM_NONE && term_get(terms, base)->kind == TERM_LINEAR) {
    struct term inner = *term_get(terms, base);
    /* Both wrap alike, or the inner one does not. */
    if (inner.shape != shape && !term_range(terms, base, &least, &most))
      return TERM_NONE;
    if (!combine(scale, inner.b, offset, &offset) ||
        !combine(scale, inner.a, 0, &scale))
      return TERM_NONE;
    base = inner.count ? term_operand(terms, base, 0) : TERM_NONE;
  }
  if (scale < -LIMIT || scale > LIMIT || offset < -LIMIT || offset > LIMIT)
    return TERM_NONE;
  if (base == TERM_NONE || scale == 0) {
    base = TERM_NONE;
    scale = 0;
  } else if (scale == 1 && offset == 0 &&
             term_get(terms, base)->kind != TERM_TIME) {
    return base;
  }
  const struct term linear = {
      .kind = TERM_LINEAR, .shape = shape, .a = scale, .b = offset};
  return term_enter(terms, &linear, &base, base != TERM_NONE);
}

term_id
term_time(struct terms *terms, uint32_t depth) {
  const struct term time = {
      .kind = TERM_TIME, .depth = (uint8_t)depth, .shape = terms->index_shape};
  return term_enter(terms, &time, NULL, 0);
}

/* A - B as a number of bounds *LEAST and *MOST. */
static bool
difference(struct terms *terms, term_id a, term_id b, int64_t *least,
           int64_t *most) {
  struct term_form x, y;
  if (!term_range(terms, a, least, most) || !term_range(terms, b, least, most))
    return false;
  term_form_of(terms, a, &x);
  term_form_of(terms, b, &y);
  for (uint32_t d = 0; d < TERM_DEPTHS; d++)
    x.scale[d] -= y.scale[d];
  x.offset -= y.offset;
  return term_form_range(terms, &x, least, most);
}

/* The truth value NUMBER of SHAPE. */
static term_id
truth(struct terms *terms, shape_id shape, bool number) {
  return term_linear(terms, shape, TERM_NONE, 0, number);
}

static term_id
fold_compare(struct terms *terms, const struct term *like, const term_id *in) {
  int64_t least, most;
  if (!difference(terms, in[0], in[1], &least, &most))
    return TERM_NONE;
  switch ((enum term_order)like->a) {
  case LESS:
  case GREATER_EQUAL:
    if (most < 0 || least >= 0)
      return truth(terms, like->shape, (most < 0) == (like->a == LESS));
    break;
  case GREATER:
  case LESS_EQUAL:
    if (least > 0 || most <= 0)
      return truth(terms, like->shape, (least > 0) == (like->a == GREATER));
    break;
  case EQUAL:
  case NOT_EQUAL:
    if (least > 0 || most < 0)
      return truth(terms, like->shape, like->a == NOT_EQUAL);
    if (least == 0 && most == 0)
      return truth(terms, like->shape, like->a == EQUAL);
    break;
  }
  return TERM_NONE;
}

/* The smaller of A and B, or with LARGER the larger, where one always is. */
static term_id
fold_extreme(struct terms *terms, term_id a, term_id b, bool larger) {
  int64_t least, most;
  if (!difference(terms, a, b, &least, &most))
    return TERM_NONE;
  if (least >= 0)
    return larger ? a : b;
  return most <= 0 ? (larger ? b : a) : TERM_NONE;
}

static term_id
fold_clamp(struct terms *terms, const term_id *in) {
  term_id raised = fold_extreme(terms, in[0], in[1], true);
  return raised == TERM_NONE ? TERM_NONE
                             : fold_extreme(terms, raised, in[2], false);
}

/* The number ID as one of SHAPE, where both hold it. */
static term_id
fold_convert(struct terms *terms, shape_id shape, term_id id) {
  int64_t least, most, from, to;
  if (term_get(terms, id)->shape == shape)
    return id;
  if (!shape_is_whole(terms, shape) || !term_range(terms, id, &least, &most) ||
      !bounds_of(terms->shapes.data[shape].dtype, &from, &to) || least < from ||
      most > to)
    return TERM_NONE;
  return term_linear(terms, shape, id, 1, 0);
}

/* ID as the place of a slot: always of one width, where that is the same. */
static term_id
as_index(struct terms *terms, term_id id) {
  term_id index = fold_convert(terms, terms->index_shape, id);
  return index == TERM_NONE ? id : index;
}

/* --- views --- */

static term_id
fold_reshape(struct terms *terms, const struct term *like, term_id id) {
  const struct term *term = term_get(terms, id);
  if (term->kind == TERM_RESHAPE) {
    id = term_operand(terms, id, 0);
    term = term_get(terms, id);
  }
  if (term->shape == like->shape)
    return id;
  if (term->kind == TERM_LINEAR || term->kind == TERM_SUM) {
    struct term linear = *term;
    term_id *in = ARENA_ARRAY(terms->arena, term_id, linear.count);
    for (uint32_t i = 0; i < linear.count; i++)
      in[i] = term_operand(terms, id, i);
    linear.shape = like->shape;
    return term_enter(terms, &linear, in, linear.count);
  }
  return term_enter(terms, like, &id, 1);
}

/* --- slots of a sequence of updates --- */

/* A read of a stack. */
struct slot_read {
  struct term sequence, update;
  term_id sequence_id, update_id;
  const term_id *indices; /* of the read, by dimension */
  int64_t times;          /* how often it was updated */
};

/* Does ID mention what is LIKE? */
static bool
mentions(struct terms *terms, const struct term *like, term_id id) {
  bool *seen = ARENA_ARRAY(terms->arena, bool, like->b);
  uint32_t *list = ARENA_ARRAY(terms->arena, uint32_t, like->b), count = 0;
  term_leaves(terms, like, id, seen, list, &count);
  return seen[like->a];
}

/* Is the sequence that R reads one of updates of itself, which it does not look
 * at?  Then what is written, and the dimension of its slots. */
static bool
is_stack(struct terms *terms, struct slot_read *r, shape_id slice,
         uint32_t *dimension) {
  const struct shape *whole = &terms->shapes.data[r->sequence.shape];
  struct term own = {.kind = TERM_BOUND,
                     .depth = r->sequence.depth,
                     .b = r->sequence.count / 2};
  r->update_id = term_operand(terms, r->sequence_id, 1);
  r->update = *term_get(terms, r->update_id);
  if (r->update.kind != TERM_UPDATE || r->update.count != 2 + whole->rank)
    return false;
  const struct term *buffer =
      term_get(terms, term_operand(terms, r->update_id, 0));
  if (buffer->kind != TERM_BOUND || buffer->depth != r->sequence.depth ||
      buffer->a != 0)
    return false;
  for (uint32_t i = 1; i < r->update.count; i++)
    if (mentions(terms, &own, term_operand(terms, r->update_id, i)))
      return false;
  const struct shape *stored =
      shape_of(terms, term_operand(terms, r->update_id, 1));
  if (!whole->known || !stored->known || stored->rank != whole->rank ||
      term_get(terms, term_operand(terms, r->update_id, 1))->shape != slice)
    return false;
  *dimension = TERM_NONE;
  for (uint32_t d = 0; d < whole->rank; d++)
    if (stored->dims[d] != whole->dims[d]) {
      if (*dimension != TERM_NONE || stored->dims[d] != 1)
        return false;
      *dimension = d;
    }
  return *dimension != TERM_NONE;
}

/* (ID - OFFSET) / SCALE, where ID has a form that SCALE divides. */
static term_id
quotient(struct terms *terms, term_id id, int64_t offset, int64_t scale) {
  struct term_part parts[TERM_DEPTHS];
  struct term_form form;
  uint32_t count = 0;
  if (!term_form_of(terms, id, &form) || (form.offset - offset) % scale != 0)
    return TERM_NONE;
  for (uint32_t d = 0; d < TERM_DEPTHS; d++) {
    if (form.scale[d] % scale != 0)
      return TERM_NONE;
    if (form.scale[d])
      parts[count++] =
          (struct term_part){term_time(terms, d), form.scale[d] / scale};
  }
  return term_combined(terms, terms->index_shape, parts, count,
                       (form.offset - offset) / scale);
}

/* When the slot that R reads was written: the time, or TERM_NONE where that is
 * not always one time. */
static term_id
time_of(struct terms *terms, const struct slot_read *r, uint32_t dimension) {
  int64_t slots =
      (int64_t)terms->shapes.data[r->sequence.shape].dims[dimension];
  const struct term *w =
      term_get(terms, term_operand(terms, r->update_id, 2 + dimension));
  int64_t scale = w->a, offset = w->b, least, most;
  if (w->kind != TERM_LINEAR || w->shape != terms->index_shape || !w->count ||
      scale == 0)
    return TERM_NONE;
  const struct term *time = term_get(
      terms,
      term_operand(terms, term_operand(terms, r->update_id, 2 + dimension), 0));
  int64_t last = offset + scale * (r->times - 1);
  if (time->kind != TERM_TIME || time->depth != r->sequence.depth ||
      offset < 0 || offset >= slots || last < 0 || last >= slots)
    return TERM_NONE;
  term_id index = as_index(terms, r->indices[dimension]);
  if (!term_range(terms, index, &least, &most) || least < 0 || most >= slots)
    return TERM_NONE;
  term_id written = quotient(terms, index, offset, scale);
  if (written == TERM_NONE || !term_range(terms, written, &least, &most) ||
      least < 0 || most >= r->times)
    return TERM_NONE;
  return written;
}

/* What the slice of SHAPE of IN[0], a sequence at its end, at the others is;
 * TERM_NONE where that is not known. */
static term_id
fold_stack(struct terms *terms, shape_id shape, const term_id *in) {
  struct slot_read r = {.indices = in + 1};
  uint32_t dimension;
  if (!term_constant(terms, term_operand(terms, in[0], 1), &r.times))
    return TERM_NONE;
  r.sequence_id = term_operand(terms, in[0], 0);
  r.sequence = *term_get(terms, r.sequence_id);
  if (r.sequence.a < r.times || !is_stack(terms, &r, shape, &dimension))
    return TERM_NONE;
  term_id when = time_of(terms, &r, dimension);
  term_id value = term_operand(terms, r.update_id, 1);
  return when == TERM_NONE ? TERM_NONE
                           : term_value_at(terms, r.sequence_id, value, when);
}

static term_id
fold_slice(struct terms *terms, const struct term *like, const term_id *in,
           uint32_t count) {
  struct term whole = *term_get(terms, in[0]);
  if (whole.shape == like->shape)
    return in[0];
  if (whole.kind == TERM_AT)
    return fold_stack(terms, like->shape, in);
  if (whole.kind != TERM_UPDATE || whole.count != count + 1 ||
      term_get(terms, term_operand(terms, in[0], 1))->shape != like->shape)
    return TERM_NONE;
  for (uint32_t i = 1; i < count; i++)
    if (term_operand(terms, in[0], i + 1) != in[i])
      return TERM_NONE;
  return term_operand(terms, in[0], 1);
}

/* --- all of them --- */

static term_id
fold_sum(struct terms *terms, const struct term *like, const term_id *in,
         uint32_t count) {
  struct term_part parts[TERM_DEPTHS];
  int64_t number;
  for (uint32_t i = 0; i < count; i += 2) {
    if (!term_constant(terms, in[i + 1], &number))
      return TERM_NONE;
    parts[i / 2] = (struct term_part){in[i], number};
  }
  return term_combined(terms, like->shape, parts, count / 2, like->b);
}

/* The simpler form of LIKE over IN, or TERM_NONE where there is none. */
static term_id
fold(struct terms *terms, const struct term *like, const term_id *in,
     uint32_t count) {
  int64_t number;
  switch ((enum term_kind)like->kind) {
  case TERM_LINEAR:
    return term_linear(terms, like->shape, count ? in[0] : TERM_NONE, like->a,
                       like->b);
  case TERM_SUM:
    return fold_sum(terms, like, in, count);
  case TERM_ELEMENT:
    return term_get(terms, in[0])->kind == TERM_TUPLE &&
                   like->a < term_get(terms, in[0])->count
               ? term_operand(terms, in[0], (uint32_t)like->a)
               : TERM_NONE;
  case TERM_COMPARE:
    return fold_compare(terms, like, in);
  case TERM_SELECT:
    return term_constant(terms, in[0], &number) ? in[number ? 1 : 2]
                                                : TERM_NONE;
  case TERM_MINIMUM:
  case TERM_MAXIMUM:
    return fold_extreme(terms, in[0], in[1], like->kind == TERM_MAXIMUM);
  case TERM_CLAMP:
    return fold_clamp(terms, in);
  case TERM_CONVERT:
    return fold_convert(terms, like->shape, in[0]);
  case TERM_RESHAPE:
    return fold_reshape(terms, like, in[0]);
  case TERM_SLICE:
    return fold_slice(terms, like, in, count);
  case TERM_UPDATE:
    return term_get(terms, in[1])->shape == like->shape ? in[1] : TERM_NONE;
  case TERM_AT:
    return term_fold_at(terms, in);
  default:
    return TERM_NONE;
  }
}

term_id
term_make(struct terms *terms, const struct term *like, const term_id *operands,
          uint32_t count) {
  term_id few[16];
  if (like->kind == TERM_SLICE || like->kind == TERM_UPDATE) {
    term_id *all =
        count <= 16 ? few : ARENA_ARRAY(terms->arena, term_id, count);
    uint32_t first = like->kind == TERM_SLICE ? 1 : 2;
    for (uint32_t i = 0; i < count; i++)
      all[i] = i < first ? operands[i] : as_index(terms, operands[i]);
    operands = all;
  }
  term_id folded = fold(terms, like, operands, count);
  return folded != TERM_NONE ? folded
                             : term_enter(terms, like, operands, count);
}
