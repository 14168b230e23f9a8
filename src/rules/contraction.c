/* contraction.c - extents of matrix products and convolutions.
 *
 * The dimension numbers stand in attributes, in a spelling for each format:
 *
 *   dot          HLO lhs_contracting_dims={1}; pretty contracting_dims =
 *                [1] x [0]; generic #stablehlo.dot<lhs_contracting_...>
 *   convolution  HLO dim_labels=b01f_01io->b01f; pretty and generic
 *                [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]
 *
 * Ops with neither are products of the last dimension of operand 0 with the
 * last but one of operand 1.  Worked out once for each question about an op. */
#include "rules/evaluate.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { MOST_DIMS = 16, MOST_POSITIONS = 1 << 22 };

static const double unknown = NAN;

static const struct type *
operand_type(const struct evaluation *e, uint32_t index) {
  if (e->op == NONE || index >= e->module->op_use_count[e->op])
    return NULL;
  return ir_value_type(e->module, ir_operand(e->module, e->op, index));
}

static double
extent(const struct type *type, int64_t index) {
  if (index < 0 || index >= type->rank ||
      type->dims[index] == DIMENSION_DYNAMIC)
    return unknown;
  return (double)type->dims[index];
}

static double
product(const struct type *type) {
  return type->dynamic ? unknown : (double)type->elements;
}

/* The part of TEXT behind KEY, or nothing. */
static struct text
behind(struct text text, const char *key) {
  size_t size = strlen(key);
  for (uint32_t i = 0; i + size <= text.size; i++)
    if (memcmp(text.data + i, key, size) == 0)
      return (struct text){text.data + i + size,
                           text.size - i - (uint32_t)size};
  return TEXT("");
}

/* The first bracketed list of TEXT, brackets included. */
static struct text
first_list(struct text text) {
  uint32_t from = 0, to;
  while (from < text.size && text.data[from] != '[' && text.data[from] != '{')
    from++;
  to = from;
  while (to < text.size && text.data[to] != ']' && text.data[to] != '}')
    to++;
  return (struct text){text.data + from, to < text.size ? to + 1 - from : 0};
}

/* --- dot --- */

/* How the formats call a list of dimension numbers of one operand; the pretty
 * form has both operands' under one name, the left one's first. */
struct list_names {
  const char *hlo, *pretty, *generic;
  bool right;
};

/* The numbers of a list; -1 where the op has none. */
static int
dimension_numbers(struct evaluation *e, const struct list_names *names,
                  int64_t *numbers) {
  struct text text;
  if (attribute_valued(e, names->hlo, &text))
    return attribute_list(text, numbers, MOST_DIMS);
  if (attribute_valued(e, names->pretty, &text)) {
    struct text list = first_list(text);
    if (names->right) {
      uint32_t past = (uint32_t)(list.data - text.data) + list.size;
      list = first_list((struct text){text.data + past, text.size - past});
    }
    return attribute_list(list, numbers, MOST_DIMS);
  }
  if (attribute_valued(e, "dot_dimension_numbers", &text) ||
      attribute_valued(e, "ragged_dot_dimension_numbers", &text)) {
    text = behind(text, names->generic);
    return text.size ? attribute_list(first_list(text), numbers, MOST_DIMS) : 0;
  }
  return -1;
}

static double
extents(const struct type *type, const int64_t *numbers, int count) {
  double value = 1;
  for (int i = 0; i < count; i++)
    value *= extent(type, numbers[i]);
  return value;
}

/* Rows and columns from what is neither batch nor contracted. */
static void
finish_product(struct contraction *c, const struct type *left,
               const struct type *right) {
  double shared = c->batch * c->contracted;
  c->valid = c->contracted;
  c->rows = shared > 0 ? product(left) / shared : unknown;
  c->columns = shared > 0 && right ? product(right) / shared : unknown;
}

/* What a dimension of an operand is to a product, in the order in which the
 * left operand lies as a stack of matrices. */
enum dimension_role { ROLE_BATCH, ROLE_FREE, ROLE_CONTRACTED };

/* Does an operand of TYPE have to be turned before it is a stack of matrices?
 * ROLES says what each dimension is; those of one element lie anywhere.  A
 * matrix that lies the other way round is none to turn, for a product reads it
 * either way; two dimensions that are one of the matrix's have to be moved
 * together first, be it that one of them has one element. */
static bool
must_turn(const struct type *type, const uint8_t *roles, bool right) {
  uint32_t counts[3] = {0, 0, 0};
  bool ordered = true, leads = true;
  int before = ROLE_BATCH;
  for (uint32_t i = 0; i < type->rank; i++) {
    int role = roles[i];
    counts[role]++;
    if (type->dims[i] == 1)
      continue;
    int place = role == ROLE_BATCH ? 0 : 1 + ((role == ROLE_FREE) == right);
    leads &= role != ROLE_BATCH || before == 0;
    ordered &= place >= before;
    before = place;
  }
  return !ordered &&
         !(leads && counts[ROLE_FREE] <= 1 && counts[ROLE_CONTRACTED] <= 1);
}

/* Bytes of the operand of TYPE if the product has to turn it, else 0. */
static double
turned_bytes(struct evaluation *e, const struct type *type, bool right) {
  static const struct list_names contracting[] = {
      {"lhs_contracting_dims", "contracting_dims", "lhs_contracting_dimensions",
       false},
      {"rhs_contracting_dims", "contracting_dims", "rhs_contracting_dimensions",
       true}};
  static const struct list_names batching[] = {
      {"lhs_batch_dims", "batching_dims", "lhs_batching_dimensions", false},
      {"rhs_batch_dims", "batching_dims", "rhs_batching_dimensions", true}};
  int64_t numbers[MOST_DIMS];
  uint8_t roles[MOST_DIMS];
  if (!type || type->unranked || type->rank > MOST_DIMS)
    return 0;
  memset(roles, ROLE_FREE, sizeof roles);
  for (int batch = 0; batch < 2; batch++) {
    int count = dimension_numbers(
        e, batch ? &batching[right] : &contracting[right], numbers);
    for (int i = 0; i < count; i++)
      if (numbers[i] >= 0 && numbers[i] < type->rank)
        roles[numbers[i]] = batch ? ROLE_BATCH : ROLE_CONTRACTED;
  }
  return must_turn(type, roles, right) ? (double)type->bytes : 0;
}

static bool
find_dot(struct evaluation *e, const struct type *left,
         const struct type *right) {
  static const struct list_names contracting = {
      "lhs_contracting_dims", "contracting_dims", "lhs_contracting_dimensions",
      false};
  static const struct list_names batching = {"lhs_batch_dims", "batching_dims",
                                             "lhs_batching_dimensions", false};
  int64_t numbers[MOST_DIMS];
  struct contraction *c = &e->contraction;
  int count = dimension_numbers(e, &contracting, numbers);
  if (count < 0)
    return false;
  c->contracted = extents(left, numbers, count);
  count = dimension_numbers(e, &batching, numbers);
  c->batch = extents(left, numbers, count);
  c->turned = turned_bytes(e, left, false) + turned_bytes(e, right, true);
  finish_product(c, left, right);
  return true;
}

static void
find_matmul(struct evaluation *e, const struct type *left,
            const struct type *right) {
  struct contraction *c = &e->contraction;
  if (left->unranked || left->rank == 0)
    return;
  c->contracted = extent(left, (int64_t)left->rank - 1);
  c->batch = 1;
  for (uint32_t i = 0; right && right->rank > 2 && i + 2 < left->rank; i++)
    c->batch *= extent(left, i);
  finish_product(c, left, right);
}

/* --- convolution --- */

/* Which dimension has which label ('b', 'f', 'i', 'o', '0', '1', ...). */
struct labels {
  char label[MOST_DIMS];
  uint32_t count;
};

struct convolution {
  struct labels input, kernel, output;
  int64_t stride[MOST_DIMS], low[MOST_DIMS], input_dilation[MOST_DIMS],
      kernel_dilation[MOST_DIMS];
};

/* Read labels up to the next separator; returns what is behind. */
static struct text
read_labels(struct text text, struct labels *labels) {
  uint32_t i = 0;
  labels->count = 0;
  while (i < text.size && !isalnum((unsigned char)text.data[i]))
    i++;
  for (; i < text.size; i++) {
    char c = text.data[i];
    if (c == '_' || c == '-' || c == 'x' || c == ']' || c == '>')
      break;
    if (isalnum((unsigned char)c) && labels->count < MOST_DIMS)
      labels->label[labels->count++] = c;
  }
  while (i < text.size && strchr("]x_->[ ", text.data[i]))
    i++;
  return (struct text){text.data + i, text.size - i};
}

static int
dimension_labelled(const struct labels *labels, char label) {
  for (uint32_t i = 0; i < labels->count; i++)
    if (labels->label[i] == label)
      return (int)i;
  return -1;
}

static bool
find_labels(struct evaluation *e, struct convolution *convolution) {
  struct text text;
  if (!attribute_valued(e, "dim_labels", &text)) {
    if (!attribute_valued(e, "dim_numbers", &text) &&
        !attribute_valued(e, "dimension_numbers", &text))
      return false;
    const char *bracket = memchr(text.data, '[', text.size);
    if (!bracket)
      return false;
    text.size -= (uint32_t)(bracket - text.data);
    text.data = bracket;
  }
  text = read_labels(text, &convolution->input);
  text = read_labels(text, &convolution->kernel);
  read_labels(text, &convolution->output);
  return convolution->input.count && convolution->kernel.count &&
         convolution->output.count;
}

/* A list of the window, one number for each spatial dimension (PAIRS: two, of
 * which the first counts); where it is not given, INITIAL. */
static void
window_list(struct text text, bool pairs, int64_t initial, int64_t *list) {
  int64_t numbers[2 * MOST_DIMS];
  int count = text.size ? attribute_list(text, numbers, 2 * MOST_DIMS) : 0;
  for (int i = 0; i < MOST_DIMS; i++) {
    int at = pairs ? 2 * i : i;
    list[i] = at < count ? numbers[at] : initial;
  }
}

/* The text of one part of the window: up to the blank, or the brackets. */
static struct text
window_part(struct text window, const char *hlo, const char *pretty) {
  struct text text = behind(window, hlo);
  uint32_t size = 0, depth = 0;
  if (text.size) {
    while (size < text.size && text.data[size] != ' ' && text.data[size] != '}')
      size++;
    return (struct text){text.data, size};
  }
  text = behind(window, pretty);
  for (; size < text.size; size++) {
    depth += text.data[size] == '[';
    if (text.data[size] == ']' && --depth == 0)
      return (struct text){text.data, size + 1};
  }
  return TEXT("");
}

static struct text
attribute_or_empty(struct evaluation *e, const char *name) {
  struct text text;
  return attribute_valued(e, name, &text) ? text : TEXT("");
}

static void
find_window(struct evaluation *e, struct convolution *c) {
  struct text window;
  if (attribute_valued(e, "window", &window)) {
    window_list(window_part(window, "stride=", "stride = "), false, 1,
                c->stride);
    window_list(window_part(window, "pad=", "pad = "), true, 0, c->low);
    window_list(window_part(window, "lhs_dilate=", "lhs_dilate = "), false, 1,
                c->input_dilation);
    window_list(window_part(window, "rhs_dilate=", "rhs_dilate = "), false, 1,
                c->kernel_dilation);
    return;
  }
  window_list(attribute_or_empty(e, "window_strides"), false, 1, c->stride);
  window_list(attribute_or_empty(e, "padding"), true, 0, c->low);
  window_list(attribute_or_empty(e, "lhs_dilation"), false, 1,
              c->input_dilation);
  window_list(attribute_or_empty(e, "rhs_dilation"), false, 1,
              c->kernel_dilation);
}

/* How many pairs of output and kernel position of one dimension meet an
 * input element, neither padding nor a hole. */
static double
valid_pairs(const struct convolution *c, uint32_t d, double in, double kernel,
            double out) {
  int64_t dilation = c->input_dilation[d] > 0 ? c->input_dilation[d] : 1;
  double reach = (in - 1) * (double)dilation + 1;
  uint64_t count = 0;
  if (!(out * kernel <= MOST_POSITIONS))
    return out * kernel;
  for (int64_t o = 0; o < (int64_t)out; o++)
    for (int64_t k = 0; k < (int64_t)kernel; k++) {
      int64_t at = o * c->stride[d] + k * c->kernel_dilation[d] - c->low[d];
      count += at >= 0 && (double)at < reach && at % dilation == 0;
    }
  return (double)count;
}

static bool
find_convolution(struct evaluation *e, const struct type *input,
                 const struct type *kernel) {
  struct convolution convolution;
  struct contraction *c = &e->contraction;
  if (!kernel || e->module->op_result_count[e->op] == 0 ||
      !find_labels(e, &convolution))
    return false;
  const struct type *output =
      ir_value_type(e->module, ir_result(e->module, e->op, 0));
  find_window(e, &convolution);
  double window = 1, share = 1;
  for (uint32_t d = 0; d < MOST_DIMS; d++) {
    char label = (char)('0' + d);
    int at = d < 10 ? dimension_labelled(&convolution.kernel, label) : -1;
    if (at < 0)
      break;
    double size = extent(kernel, at);
    double out = extent(output, dimension_labelled(&convolution.output, label));
    double in = extent(input, dimension_labelled(&convolution.input, label));
    window *= size;
    share *= valid_pairs(&convolution, d, in, size, out) / out;
  }
  double channels =
      extent(kernel, dimension_labelled(&convolution.kernel, 'i'));
  c->window = window;
  c->contracted = window * channels;
  c->valid = share * channels;
  c->batch = extent(output, dimension_labelled(&convolution.output, 'b'));
  c->columns = extent(kernel, dimension_labelled(&convolution.kernel, 'o'));
  c->rows = c->columns > 0 ? product(output) / c->columns : unknown;
  return true;
}

/* Positions of a window that is no convolution's. */
static double
window_positions(struct evaluation *e) {
  int64_t numbers[MOST_DIMS];
  struct text text;
  double positions = 1;
  int count = -1;
  if (attribute_valued(e, "window", &text)) {
    struct text part = window_part(text, "size=", "size = ");
    if (part.size)
      count = attribute_list(part, numbers, MOST_DIMS);
  } else if (attribute_valued(e, "window_dimensions", &text) ||
             attribute_valued(e, "kernel", &text) ||
             attribute_valued(e, "kernel_size", &text)) {
    count = attribute_list(text, numbers, MOST_DIMS);
  }
  for (int i = 0; i < count; i++)
    positions *= (double)numbers[i];
  return count < 0 ? unknown : positions;
}

bool
contraction_in_text(struct evaluation *e) {
  static const char *const names[] = {"lhs_contracting_dims",
                                      "contracting_dims",
                                      "lhs_batch_dims",
                                      "batching_dims",
                                      "dot_dimension_numbers",
                                      "ragged_dot_dimension_numbers",
                                      "dim_labels",
                                      "dim_numbers",
                                      "dimension_numbers",
                                      "window",
                                      "window_strides",
                                      "padding",
                                      "lhs_dilation",
                                      "rhs_dilation",
                                      "window_dimensions",
                                      "kernel",
                                      "kernel_size",
                                      "feature_group_count",
                                      "group",
                                      "groups"};
  return attribute_possible(e, names, sizeof names / sizeof *names);
}

void
contraction_find(struct evaluation *e) {
  static const char *const group_names[] = {"feature_group_count", "group",
                                            "groups"};
  struct contraction *c = &e->contraction;
  struct text text;
  double groups;
  if (e->contraction_known)
    return;
  e->contraction_known = true;
  *c = (struct contraction){unknown, unknown, unknown, unknown,
                            unknown, unknown, 1,       0};
  for (uint32_t i = 0; i < sizeof group_names / sizeof *group_names; i++)
    if (attribute_valued(e, group_names[i], &text) &&
        attribute_number(text, &groups))
      c->groups = groups;
  const struct type *left = operand_type(e, 0), *right = operand_type(e, 1);
  if (!left)
    return;
  if (find_convolution(e, left, right))
    return;
  c->window = window_positions(e);
  if (!find_dot(e, left, right))
    find_matmul(e, left, right);
}

/* --- linalg.generic --- */

/* The text of an attribute alias (#map1), from the lines before the module;
 * TEXT itself where it is none. */
static struct text
resolve_alias(const struct evaluation *e, struct text text) {
  const struct source *source = e->module->source;
  const char *at = source->text, *end = at + source->size;
  if (!text.size || text.data[0] != '#')
    return text;
  while (at < end && (*at == '#' || *at == '!' || *at == '\n' || *at == '/')) {
    const char *line_end = memchr(at, '\n', (size_t)(end - at));
    uint32_t size = (uint32_t)((line_end ? line_end : end) - at);
    if (size > text.size + 3 && memcmp(at, text.data, text.size) == 0 &&
        memcmp(at + text.size, " = ", 3) == 0)
      return (struct text){at + text.size + 3, size - text.size - 3};
    at += size + 1;
  }
  return text;
}

/* Note the extents that the results of MAP ("affine_map<(d0, d1) -> (d1)>")
 * give to the dimensions of the iteration space; returns their number. */
static int
read_map(struct text map, const struct type *type, double *space) {
  int dimensions = 0, result = 0;
  const char *arrow = NULL;
  for (uint32_t i = 0; i + 1 < map.size && !arrow; i++) {
    dimensions += map.data[i] == 'd' &&
                  isdigit((unsigned char)map.data[i + 1]) &&
                  (i == 0 || !isalnum((unsigned char)map.data[i - 1]));
    if (map.data[i] == '-' && map.data[i + 1] == '>')
      arrow = map.data + i;
  }
  for (const char *at = arrow; at && at < map.data + map.size; at++) {
    int64_t number;
    if (*at != '(' && *at != ',')
      continue;
    struct text part = {at + 1, (uint32_t)(map.data + map.size - at - 1)};
    while (part.size && part.data[0] == ' ')
      part.data++, part.size--;
    uint32_t size = 1;
    while (size < part.size && isdigit((unsigned char)part.data[size]))
      size++;
    char next = size < part.size ? part.data[size] : ')';
    if (part.size > 1 && part.data[0] == 'd' && (next == ',' || next == ')') &&
        attribute_list((struct text){part.data + 1, size - 1}, &number, 1) ==
            1 &&
        number < MOST_DIMS)
      space[number] = extent(type, result);
    result++;
  }
  return dimensions;
}

double
contraction_iterations(struct evaluation *e) {
  struct text maps;
  double space[MOST_DIMS], iterations = 1;
  int dimensions = 0;
  if (!attribute_valued(e, "indexing_maps", &maps))
    return not_known(e, "the iteration space");
  for (int i = 0; i < MOST_DIMS; i++)
    space[i] = unknown;
  uint32_t operand = 0;
  for (uint32_t i = 0; i < maps.size; i++) {
    char c = maps.data[i];
    if (c != '#' && c != 'a')
      continue;
    uint32_t end = i;
    if (c == '#')
      while (end < maps.size &&
             (maps.data[end] == '#' || maps.data[end] == '_' ||
              isalnum((unsigned char)maps.data[end])))
        end++;
    else
      while (end < maps.size &&
             !(maps.data[end] == '>' && maps.data[end - 1] != '-'))
        end++;
    const struct type *type = operand_type(e, operand++);
    struct text map = {maps.data + i, end - i};
    if (type)
      dimensions = read_map(resolve_alias(e, map), type, space);
    i = end;
  }
  for (int i = 0; i < dimensions && i < MOST_DIMS; i++)
    iterations *= space[i];
  if (dimensions == 0 || dimensions > MOST_DIMS || isnan(iterations))
    return not_known(e, "the iteration space");
  return iterations;
}
