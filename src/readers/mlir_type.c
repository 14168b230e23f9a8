/* mlir_type.c - a spelling to a type.
 *
 * The reader passes over a type's text once and looks the spelling up; only
 * one that was not seen before is parsed here.  Aliases stand for what they
 * were defined as, wherever in the text that is.  A type that no rule here
 * knows is TYPE_UNKNOWN: its values are sized by rules or by attributes. */
#include "readers/mlir.h"

#include <string.h>

enum { TYPES_DEEPEST = 64 };

bool
mlir_type_begins(const char *p) {
  if (*p == '!')
    return mlir_is(p[1], CHAR_NAME);
  if (!mlir_is(*p, CHAR_ALPHA))
    return false;
  const char *end = mlir_skip_word(p);
  if (*end == '<')
    return true;
  struct text word = mlir_text(p, end);
  enum dtype dtype;
  uint32_t bits;
  return text_is(word, "none") || dtype_parse_mlir(word, &dtype, &bits);
}

bool
mlir_type_skip(struct mlir *r) {
  if (mlir_peek(r) == '(') {
    if (!mlir_group(r))
      return false;
    if (mlir_peek(r) != '-' || r->p[1] != '>')
      return true;
    mlir_advance(r, r->p + 2);
    return mlir_type_skip(r);
  }
  const char *end;
  if (mlir_peek(r) == '!')
    end = mlir_skip_name(r->p);
  else if (mlir_is(mlir_peek(r), CHAR_ALPHA))
    end = mlir_skip_word(r->p);
  else
    return mlir_error_at(r, r->p, "a type is expected here");
  struct mlir_fault fault;
  if (*end == '<') {
    end = mlir_skip_group(end, r->end, &fault);
    if (!end)
      return mlir_report(r, &fault);
  }
  mlir_advance(r, end);
  return true;
}

/* Where a type that is spelled as at P would have been kept.  Most differ
 * behind "tensor<". */
static struct mlir_recent *
recent_of(struct mlir *r, const char *p) {
  uint64_t word = 0;
  if (r->end - p >= 16)
    memcpy(&word, p + 8, sizeof word);
  return &r->recent[word * 0x9e3779b97f4a7c15u >> 32 & (RECENT_TYPES - 1)];
}

/* If the type RECENT is next, pass over it. */
static bool
accept_recent(struct mlir *r, const struct mlir_recent *recent) {
  uint32_t size = recent->spelling.size;
  if (size == 0 || (size_t)(r->end - r->p) < size ||
      memcmp(r->p, recent->spelling.data, size) != 0)
    return false;
  mlir_advance(r, r->p + size);
  return true;
}

type_id
mlir_type(struct mlir *r) {
  const char *begin = r->p;
  struct mlir_recent *recent = recent_of(r, begin);
  if (accept_recent(r, recent))
    return recent->type;
  if (!mlir_type_skip(r))
    return TYPE_NONE;
  struct text spelling = mlir_text(begin, r->token_end);
  bool closed = spelling.data[spelling.size - 1] == '>';
  type_id type = mlir_type_of(r, spelling);
  if (!r->failed && type_get(r->module->types, type)->kind == TYPE_UNKNOWN &&
      mlir_is(*begin, CHAR_ALPHA) && !closed)
    mlir_error(r, begin, r->token_end, "a type is expected here");
  if (r->failed)
    return TYPE_NONE;
  if (closed && *begin != '(' && !mlir_has_alias(spelling))
    *recent = (struct mlir_recent){spelling, type};
  return type;
}

/* "{...}" and "loc(...)" behind a type in a list. */
static bool
skip_decorations(struct mlir *r) {
  if (mlir_peek(r) == '{' && !mlir_group(r))
    return false;
  return mlir_location(r);
}

/* A list of types, which are pushed where KEPT. */
static bool
type_list(struct mlir *r, bool kept, uint32_t *count) {
  *count = 0;
  bool parentheses = mlir_accept(r, '(');
  if (parentheses && mlir_accept(r, ')'))
    return true;
  do {
    type_id type = TYPE_NONE;
    if (kept ? (type = mlir_type(r)) == TYPE_NONE
             : !accept_recent(r, recent_of(r, r->p)) && !mlir_type_skip(r))
      return false;
    if (kept)
      vector_push(&r->scratch, &r->types, type);
    ++*count;
    if (parentheses && !skip_decorations(r))
      return false;
  } while (parentheses && mlir_accept(r, ','));
  return !parentheses || mlir_expect(r, ')', "to end the list of types");
}

bool
mlir_type_list(struct mlir *r, uint32_t *count) {
  return type_list(r, true, count);
}

bool
mlir_type_list_skip(struct mlir *r, uint32_t *count) {
  return type_list(r, false, count);
}

/* --- parsing a spelling that is new --- */

static type_id parse(struct mlir *r, struct text spelling, uint32_t depth);

/* What is left to parse. */
struct cursor {
  const char *p, *end;
};

static void
blanks(struct cursor *c) {
  bool newline;
  c->p = mlir_skip_space(c->p, c->end, &newline);
}

/* The next part up to a comma outside of brackets, trimmed. */
static struct text
next_part(struct cursor *c) {
  blanks(c);
  const char *begin = c->p;
  const char *end = mlir_skip_value(begin, c->end, NULL);
  end = end ? end : c->end;
  c->p = end < c->end ? end + 1 : end;
  while (end > begin && (mlir_is(end[-1], CHAR_BLANK) || end[-1] == '\n'))
    end--;
  return mlir_text(begin, end);
}

/* The dims "4x?x" that are next.  DIMS has room for all.  True for "*x". */
static bool
parse_dims(struct cursor *c, uint64_t *dims, uint32_t *rank) {
  *rank = 0;
  blanks(c);
  if (c->p + 1 < c->end && c->p[0] == '*' && c->p[1] == 'x') {
    c->p += 2;
    return true;
  }
  for (;;) {
    const char *p = c->p;
    uint64_t dim = 0;
    bool scalable = p < c->end && *p == '[';
    p += scalable;
    if (p < c->end && *p == '?') {
      dim = DIMENSION_DYNAMIC;
      p++;
    } else {
      const char *digits = p;
      for (; p < c->end && mlir_is(*p, CHAR_DIGIT); p++)
        dim = dim > UINT64_MAX / 10 - 1 ? UINT64_MAX / 10 - 1
                                        : dim * 10 + (uint64_t)(*p - '0');
      if (p == digits)
        return false;
    }
    p += scalable && *p == ']';
    if (p >= c->end || *p != 'x')
      return false;
    dims[(*rank)++] = scalable ? DIMENSION_DYNAMIC : dim;
    c->p = p + 1;
  }
}

/* Take dtype, bits and whether they are known from the type of an element. */
static bool
take_element(struct type *type, const struct type *element) {
  type->dtype = element->dtype;
  type->element_bits = element->element_bits;
  if (element->kind == TYPE_SCALAR)
    return element->dtype != DTYPE_NONE;
  type->dtype = DTYPE_OTHER;
  type->packed_bits = (uint32_t)(element->bytes * 8);
  return element->kind != TYPE_UNKNOWN && !element->dynamic &&
         element->bytes < UINT32_MAX / 8;
}

/* The space of a memref: "1", "1 : i32" or an attribute that we know. */
static bool
memory_space(struct text part, uint32_t *space) {
  static const struct {
    const char *name;
    uint32_t space;
  } known[] = {{"#gpu.address_space<global>", 0},
               {"#gpu.address_space<workgroup>", 3},
               {"#gpu.address_space<private>", 5}};
  int64_t number;
  if (ir_parse_integer(part, &number) && number >= 0 && number < UINT32_MAX) {
    *space = (uint32_t)number;
    return true;
  }
  for (uint32_t i = 0; i < sizeof known / sizeof *known; i++)
    if (text_is(part, known[i].name)) {
      *space = known[i].space;
      return true;
    }
  return false;
}

/* Bounds of dynamic dimensions in an encoding, "#stablehlo.bounds<8, ?>" or
 * "#mhlo.type_extensions<bounds = [8, ?]>": what is allocated, so what counts,
 * as in HLO. */
static void
take_bounds(struct text encoding, uint64_t *dims, uint32_t rank) {
  static const char word[] = "bounds";
  const char *end = encoding.data + encoding.size;
  const char *at = encoding.size ? memmem(encoding.data, encoding.size, word,
                                          sizeof word - 1)
                                 : NULL;
  while (at && at < end && *at != '<' && *at != '[')
    at++;
  if (!at || at == end)
    return;
  struct cursor list = {at + 1, end};
  while (list.p < list.end && *list.p != '>' && *list.p != ']')
    list.p++;
  list = (struct cursor){at + 1, list.p};
  for (uint32_t i = 0; i < rank && list.p < list.end; i++) {
    int64_t bound;
    if (ir_parse_integer(next_part(&list), &bound) && bound >= 0 &&
        dims[i] == DIMENSION_DYNAMIC)
      dims[i] = (uint64_t)bound;
  }
}

/* "4x?xf32, encoding" of a tensor, vector or memref. */
static void
parse_shaped(struct mlir *r, struct cursor c, struct type *type,
             uint32_t depth) {
  uint64_t *dims =
      ARENA_ARRAY(r->arena, uint64_t, (size_t)(c.end - c.p) / 2 + 1);
  type->unranked = parse_dims(&c, dims, &type->rank);
  type->dims = dims;
  type_id element = parse(r, next_part(&c), depth + 1);
  if (!take_element(type, type_get(r->module->types, element)))
    type->kind = TYPE_UNKNOWN;
  if (c.p >= c.end)
    return;
  blanks(&c);
  type->layout = mlir_text(c.p, c.end);
  if (type->kind == TYPE_TENSOR)
    take_bounds(type->layout, dims, type->rank);
  while (type->kind == TYPE_MEMREF && c.p < c.end)
    memory_space(next_part(&c), &type->memory_space);
}

/* "[4,17],f32" or "*,f32" of a torch tensor; nothing: unknown. */
static void
parse_torch_tensor(struct mlir *r, struct cursor c, struct type *type,
                   uint32_t depth) {
  type->kind = TYPE_TENSOR;
  type->unranked = true;
  struct text shape = next_part(&c), element = next_part(&c);
  if (shape.size && shape.data[0] == '[') {
    struct cursor list = {shape.data + 1, shape.data + shape.size - 1};
    uint64_t *dims = ARENA_ARRAY(r->arena, uint64_t, shape.size / 2 + 1);
    type->unranked = false;
    type->dims = dims;
    while (list.p < list.end) {
      struct text dim = next_part(&list);
      int64_t number;
      dims[type->rank++] = ir_parse_integer(dim, &number) && number >= 0
                               ? (uint64_t)number
                               : DIMENSION_DYNAMIC;
    }
  }
  type_id id = parse(r, element, depth + 1);
  if (!take_element(type, type_get(r->module->types, id)))
    type->kind = TYPE_UNKNOWN;
}

static void
parse_tuple(struct mlir *r, struct cursor c, struct type *type,
            uint32_t depth) {
  VECTOR(type_id) parts = {0};
  blanks(&c);
  while (c.p < c.end) {
    type_id part = parse(r, next_part(&c), depth + 1);
    vector_push(r->arena, &parts, part);
  }
  type->kind = TYPE_TUPLE;
  type->parts = parts.data;
  type->part_count = parts.count;
}

static void
parse_complex(struct mlir *r, struct cursor c, struct type *type,
              uint32_t depth) {
  type_id id = parse(r, next_part(&c), depth + 1);
  const struct type *part = type_get(r->module->types, id);
  type->kind = part->kind == TYPE_SCALAR ? TYPE_SCALAR : TYPE_UNKNOWN;
  type->dtype = part->dtype == DTYPE_F32   ? DTYPE_C64
                : part->dtype == DTYPE_F64 ? DTYPE_C128
                                           : DTYPE_OTHER;
  type->element_bits = 2 * part->element_bits;
}

/* "i8<-128:127>:f32, 0.5": stored as the type before the colon. */
static void
parse_quantized(struct mlir *r, struct cursor c, struct type *type,
                uint32_t depth) {
  const char *end = *c.p == '!' ? mlir_skip_name(c.p) : mlir_skip_word(c.p);
  type_id id = parse(r, mlir_text(c.p, end), depth + 1);
  const struct type *storage = type_get(r->module->types, id);
  type->kind = storage->kind == TYPE_SCALAR ? TYPE_SCALAR : TYPE_UNKNOWN;
  type->dtype = DTYPE_QUANTIZED;
  type->element_bits = storage->element_bits;
}

/* "32x32, bf16": a tile as an element. */
static void
parse_tile(struct mlir *r, struct cursor c, struct type *type, uint32_t depth) {
  uint64_t rows = 0, columns = 0;
  while (c.p < c.end && mlir_is(*c.p, CHAR_DIGIT) && rows < 1 << 16)
    rows = rows * 10 + (uint64_t)(*c.p++ - '0');
  c.p += c.p < c.end;
  while (c.p < c.end && mlir_is(*c.p, CHAR_DIGIT) && columns < 1 << 16)
    columns = columns * 10 + (uint64_t)(*c.p++ - '0');
  c.p += c.p < c.end;
  type_id id = parse(r, next_part(&c), depth + 1);
  const struct type *element = type_get(r->module->types, id);
  uint64_t bits = rows * columns * element->element_bits;
  if (element->kind != TYPE_SCALAR || bits == 0 || bits > UINT32_MAX)
    return;
  type->kind = TYPE_SCALAR;
  type->dtype = DTYPE_OTHER;
  type->element_bits = (uint32_t)bits;
}

/* A scalar by its name; false where NAME is none. */
static bool
parse_scalar(struct text name, struct type *type) {
  if (!dtype_parse_mlir(name, &type->dtype, &type->element_bits))
    return false;
  type->kind = TYPE_SCALAR;
  return true;
}

/* "vhlo.bf16_v1": the builtin name within. */
static bool
parse_vhlo_scalar(struct text name, struct type *type) {
  const char *p = name.data + sizeof "vhlo." - 1, *end = name.data + name.size;
  const char *version = memmem(p, (size_t)(end - p), "_v", 2);
  struct text inner = mlir_text(p, version ? version : end);
  return parse_scalar(text_is(inner, "bool") ? TEXT("i1") : inner, type);
}

/* Types without parameters that are more than a name to us. */
static bool
parse_plain_dialect(struct text name, struct type *type) {
  static const struct {
    const char *name;
    enum type_kind kind;
    enum dtype dtype;
  } known[] = {
      {"torch.int", TYPE_SCALAR, DTYPE_I64},
      {"torch.float", TYPE_SCALAR, DTYPE_F64},
      {"torch.bool", TYPE_SCALAR, DTYPE_I1},
      {"torch.none", TYPE_TOKEN, DTYPE_NONE},
      {"torch.str", TYPE_TOKEN, DTYPE_NONE},
      {"torch.Device", TYPE_TOKEN, DTYPE_NONE},
      {"shape.witness", TYPE_TOKEN, DTYPE_NONE},
      {"vhlo.token_v1", TYPE_TOKEN, DTYPE_NONE},
      {"vhlo.none_v1", TYPE_TOKEN, DTYPE_NONE},
      {"llvm.ptr", TYPE_SCALAR, DTYPE_I64},
      {"transform.any_op", TYPE_TOKEN, DTYPE_NONE},
  };
  for (uint32_t i = 0; i < sizeof known / sizeof *known; i++)
    if (text_is(name, known[i].name)) {
      type->kind = known[i].kind;
      type->dtype = known[i].dtype;
      type->element_bits = dtype_infos[known[i].dtype].bits;
      return true;
    }
  if (text_ends(name, ".token")) {
    type->kind = TYPE_TOKEN;
    return true;
  }
  return text_starts(name, "vhlo.") && parse_vhlo_scalar(name, type);
}

/* A type of any dialect with PARAMETERS, which begin behind the '<' that ends
 * its name.  One that is not known stays TYPE_UNKNOWN. */
static void
parse_parameterized(struct mlir *r, struct cursor parameters, struct type *type,
                    uint32_t depth) {
  static const struct {
    const char *name;
    enum type_kind kind; /* of those with a shape */
    void (*parse)(struct mlir *, struct cursor, struct type *, uint32_t);
  } known[] = {
      {"tensor", TYPE_TENSOR, parse_shaped},
      {"memref", TYPE_MEMREF, parse_shaped},
      {"vector", TYPE_VECTOR, parse_shaped},
      {"complex", TYPE_SCALAR, parse_complex},
      {"tuple", TYPE_TUPLE, parse_tuple},
      {"vhlo.tensor_v1", TYPE_TENSOR, parse_shaped},
      {"vhlo.complex_v1", TYPE_SCALAR, parse_complex},
      {"vhlo.tuple_v1", TYPE_TUPLE, parse_tuple},
      {"vhlo.quant_v1", TYPE_SCALAR, parse_quantized},
      {"quant.uniform", TYPE_SCALAR, parse_quantized},
      {"quant.any", TYPE_SCALAR, parse_quantized},
      {"quant.calibrated", TYPE_SCALAR, parse_quantized},
      {"torch.vtensor", TYPE_TENSOR, parse_torch_tensor},
      {"torch.tensor", TYPE_TENSOR, parse_torch_tensor},
      {"ttcore.tile", TYPE_SCALAR, parse_tile},
      {"tt.tile", TYPE_SCALAR, parse_tile},
  };
  const char *begin = type->spelling.data;
  struct text name = mlir_text(begin + (*begin == '!'), parameters.p - 1);
  for (uint32_t i = 0; i < sizeof known / sizeof *known; i++)
    if (text_is(name, known[i].name)) {
      type->kind = known[i].kind;
      known[i].parse(r, parameters, type, depth);
      return;
    }
}

/* A type that begins with '!'. */
static void
parse_dialect(struct mlir *r, struct type *type, uint32_t depth) {
  struct text spelling = type->spelling;
  const char *end = mlir_skip_name(spelling.data);
  struct text name = mlir_text(spelling.data + 1, end);
  if (end < spelling.data + spelling.size && *end == '<') {
    struct cursor c = {end + 1, spelling.data + spelling.size - 1};
    parse_parameterized(r, c, type, depth);
  } else if (text_is(name, "torch.vtensor") || text_is(name, "torch.tensor")) {
    type->kind = TYPE_TENSOR;
    type->dtype = DTYPE_OTHER;
    type->unranked = true;
  } else {
    parse_plain_dialect(name, type);
  }
}

/* Parse SPELLING and enter it. */
static type_id
parse(struct mlir *r, struct text spelling, uint32_t depth) {
  type_id known = type_find(r->module->types, spelling);
  if (known != TYPE_NONE)
    return known;
  struct type type = {.kind = TYPE_UNKNOWN, .spelling = spelling};
  const char *p = spelling.data, *end = p + spelling.size;
  const char *word = mlir_skip_word(p);
  word = word < end ? word : end;
  if (!spelling.size || depth >= TYPES_DEEPEST) {
    type.kind = TYPE_UNKNOWN;
  } else if (*p == '!') {
    parse_dialect(r, &type, depth);
  } else if (*p == '(') {
    type.kind = TYPE_FUNCTION;
  } else if (word < end && *word == '<' && end[-1] == '>') {
    struct cursor c = {word + 1, end - 1};
    parse_parameterized(r, c, &type, depth);
  } else if (text_is(spelling, "none")) {
    type.kind = TYPE_TOKEN;
  } else {
    parse_scalar(spelling, &type);
  }
  return type_enter(r->module->types, &type);
}

type_id
mlir_type_of(struct mlir *r, struct text spelling) {
  type_id known = type_find(r->module->types, spelling);
  if (known != TYPE_NONE)
    return known;
  return mlir_has_alias(spelling) ? mlir_aliased_type(r, spelling)
                                  : parse(r, spelling, 0);
}

type_id
mlir_type_unknown(struct mlir *r) {
  return parse(r, TEXT(""), 0);
}
