/* mlir_generic.c - the generic form of an op.
 *
 *   "dialect.op"(%x, %y)[^bb1]<{...}>({...}, {...}) {...} : (t, t) -> t
 *
 * It says all that there is: what goes to which successor stands in segments,
 * an attribute; operands and their types must be as many.  Linear. */
#include "readers/mlir.h"

#include <string.h>

/* "(%a, %b)" is next. */
static bool
read_operands(struct mlir *r) {
  if (!mlir_expect(r, '(', "before the operands") || mlir_accept(r, ')'))
    return !r->failed;
  do {
    if (mlir_peek(r) != '%')
      return mlir_error_at(r, r->p, "an operand is expected here");
    if (!mlir_use(r))
      return false;
  } while (mlir_accept(r, ','));
  return mlir_expect(r, ')', "behind the operands");
}

/* "[^bb1, ^bb2]" is next.  Which operands go along is said elsewhere. */
static bool
read_successors(struct mlir *r, op_id op) {
  mlir_advance(r, r->p + 1);
  do {
    if (mlir_peek(r) != '^')
      return mlir_error_at(r, r->p, "a successor is expected here");
    if (!mlir_successor(r, op, 0))
      return false;
  } while (mlir_accept(r, ','));
  return mlir_expect(r, ']', "behind the successors");
}

/* "({...}, {...})" is next. */
static bool
read_regions(struct mlir *r, op_id op, unsigned kind) {
  mlir_advance(r, r->p + 1);
  do {
    if (mlir_peek(r) != '{')
      return mlir_error_at(r, r->p, "a region is expected here");
    if (!mlir_region(r, op, kind, r->arguments.count))
      return false;
  } while (mlir_accept(r, ','));
  return mlir_expect(r, ')', "behind the regions");
}

/* A dictionary is next, in "{" or in "<{". */
static bool
read_dictionary(struct mlir *r, op_id op) {
  const char *begin = r->p;
  if (!mlir_group(r))
    return false;
  bool properties = *begin == '<';
  if (properties)
    mlir_mark(r, op, begin + 1, r->token_end - 1);
  else
    mlir_mark(r, op, begin, r->token_end);
  return true;
}

/* What stands between operands and types. */
static bool
read_generic_parts(struct mlir *r, op_id op, unsigned kind) {
  for (;;) {
    bool good = true;
    switch (mlir_peek(r)) {
    case '[':
      good = read_successors(r, op);
      break;
    case '(':
      good = read_regions(r, op, kind);
      break;
    case '{':
    case '<':
      good = read_dictionary(r, op);
      break;
    default:
      return true;
    }
    if (!good)
      return false;
  }
}

/* Numbers "array<i32: 1, 2>" or "dense<[1, 2]>" at VALUE; their number. */
static uint32_t
read_segments(struct text value, uint32_t *sizes, uint32_t most) {
  uint32_t count = 0;
  const char *p = memchr(value.data, ':', value.size);
  const char *end = value.data + value.size;
  if (text_starts(value, "dense"))
    p = memchr(value.data, '[', value.size);
  for (p = p ? p + 1 : end; p < end && *p != ']' && *p != '>' && count < most;
       p++) {
    if (!mlir_is(*p, CHAR_DIGIT))
      continue;
    uint32_t size = 0;
    for (; p < end && mlir_is(*p, CHAR_DIGIT); p++)
      size = size * 10 + (uint32_t)(*p - '0');
    sizes[count++] = size;
    p--;
  }
  return count;
}

/* Say which operands of OP, whose successors begin with number FIRST, go to
 * which: by segments, or all to the only one. */
static void
divide_operands(struct mlir *r, op_id op, uint32_t first) {
  struct ir_module *m = r->module;
  struct text value;
  uint32_t count = 0;
  while (first + count < m->successors.count &&
         m->successors.data[first + count].op == op)
    count++;
  if (count == 0)
    return;
  uint32_t *sizes = ARENA_ARRAY(&r->scratch, uint32_t, count + 64);
  uint32_t segments = 0, uses = m->op_use_count[op];
  if (ir_attribute(m, op, "operandSegmentSizes", &value) ||
      ir_attribute(m, op, "operand_segment_sizes", &value))
    segments = read_segments(value, sizes, count + 64);
  if (segments < count && count == 1)
    sizes[segments++] = uses;
  if (segments < count)
    return;
  uint32_t end = uses;
  for (uint32_t i = count; i-- > 0;) {
    uint32_t size = sizes[--segments];
    size = size < end ? size : end;
    end -= size;
    m->successors.data[first + i].first_use = end;
    m->successors.data[first + i].use_count = size;
  }
}

/* ": (t, t) -> t" is next: operands are counted, results made. */
static bool
read_function_type(struct mlir *r, op_id op, uint32_t results) {
  if (!mlir_expect(r, ':', "before the types of an op in generic form"))
    return false;
  const char *begin = r->p;
  uint32_t mark = r->types.count, count, uses = r->module->op_use_count[op];
  if (mlir_peek(r) != '(')
    return mlir_error_at(r, r->p,
                         "the types of the operands are expected, "
                         "in parentheses");
  if (!mlir_type_list_skip(r, &count))
    return false;
  if (count != uses)
    return mlir_error(r, begin, r->token_end,
                      "the op has %u operand%s but types for %u", uses,
                      uses == 1 ? "" : "s", count);
  if (mlir_peek(r) != '-' || r->p[1] != '>')
    return mlir_error_at(r, r->p,
                         "'->' and the types of the results are "
                         "expected here");
  mlir_advance(r, r->p + 2);
  if (!mlir_type_list(r, &count))
    return false;
  bool good = mlir_results_typed(r, op, results, mark);
  r->types.count = mark;
  return good;
}

bool
mlir_generic(struct mlir *r, op_id op, unsigned kind, uint32_t results) {
  uint32_t mark = r->uses.count, successors = r->module->successors.count;
  r->module->op_flags[op] |= OP_GENERIC;
  if (!read_operands(r) || !read_generic_parts(r, op, kind))
    return false;
  mlir_uses_flush(r, op, mark);
  if (!read_function_type(r, op, results) || !mlir_location(r))
    return false;
  r->module->op_text[op].end = mlir_offset(r, r->token_end);
  divide_operands(r, op, successors);
  return !(kind & KIND_FUNCTION) || mlir_function_generic(r, op);
}
