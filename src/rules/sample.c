/* sample.c - one op without a dump, for expect lines and --price.
 *
 * A module with a function of one block: its arguments are the operands, its
 * one op is asked about.  The op's text is the place of its attributes in the
 * rules file, and the format here knows how those are written. */
#include "rules/compile.h"

#include <ctype.h>
#include <string.h>

/* --- types --- */

/* Digits of TEXT from *AT as a dimension. */
static bool
read_dimension(struct text text, uint32_t *at, uint64_t *dimension) {
  uint64_t value = 0;
  uint32_t begin = *at;
  if (*at < text.size && text.data[*at] == '?') {
    ++*at;
    *dimension = DIMENSION_DYNAMIC;
    return true;
  }
  for (; *at < text.size && isdigit((unsigned char)text.data[*at]); ++*at) {
    if (value > UINT64_MAX / 16)
      return false;
    value = value * 10 + (uint64_t)(text.data[*at] - '0');
  }
  *dimension = value;
  return *at > begin;
}

enum { MOST_RANK = 32 };

static type_id
enter(struct type_table *table, struct type *type, uint64_t *dims) {
  uint64_t *kept = ARENA_ARRAY(table->arena, uint64_t, type->rank + 1);
  memcpy(kept, dims, type->rank * sizeof *dims);
  type->dims = kept;
  type->spelling.data =
      arena_copy(table->arena, type->spelling.data, type->spelling.size);
  return type_enter(table, type);
}

/* "4x?xf32" behind "tensor<". */
static type_id
shaped_type(struct type_table *table, struct text text, uint32_t at,
            enum type_kind kind) {
  struct type type = {.kind = kind, .spelling = text};
  uint64_t dims[MOST_RANK];
  if (at < text.size && text.data[at] == '*') {
    type.unranked = true;
    at++;
    at += at < text.size && text.data[at] == 'x';
  }
  for (;;) {
    uint32_t before = at;
    if (type.rank == MOST_RANK)
      return TYPE_NONE;
    if (!read_dimension(text, &at, &dims[type.rank]) || at >= text.size ||
        text.data[at] != 'x') {
      at = before;
      break;
    }
    at++;
    type.rank++;
  }
  uint32_t end = at, depth = 0;
  while (end < text.size &&
         (depth || (text.data[end] != '>' && text.data[end] != ','))) {
    depth += text.data[end] == '<';
    depth -= text.data[end] == '>';
    end++;
  }
  struct text element = {text.data + at, end - at};
  if (!dtype_parse_mlir(element, &type.dtype, &type.element_bits)) {
    if (!text_starts(element, "!"))
      return TYPE_NONE;
    type.dtype =
        text_starts(element, "!quant.") ? DTYPE_QUANTIZED : DTYPE_OTHER;
  }
  return enter(table, &type, dims);
}

/* "f32[4,8]{1,0}". */
static type_id
hlo_type(struct type_table *table, struct text text, uint32_t bracket) {
  struct type type = {.kind = TYPE_TENSOR, .spelling = text};
  uint64_t dims[MOST_RANK];
  struct text element = {text.data, bracket};
  uint32_t at = bracket + 1;
  if (text_is(element, "token"))
    type.kind = TYPE_TOKEN;
  else if ((type.dtype = dtype_by_hlo(element)) == DTYPE_NONE)
    return TYPE_NONE;
  while (at < text.size && text.data[at] != ']') {
    if (text.data[at] == '<' || text.data[at] == '=' || text.data[at] == ',') {
      at++;
      continue;
    }
    if (type.rank == MOST_RANK || !read_dimension(text, &at, &dims[type.rank]))
      return TYPE_NONE;
    type.rank++;
  }
  if (at + 2 < text.size)
    type.layout = (struct text){text.data + at + 2, text.size - at - 3};
  return enter(table, &type, dims);
}

type_id
sample_type(struct type_table *table, struct text text) {
  static const struct {
    const char *prefix;
    enum type_kind kind;
  } shaped[] = {{"tensor<", TYPE_TENSOR},
                {"memref<", TYPE_MEMREF},
                {"vector<", TYPE_VECTOR}};
  type_id known = type_find(table, text);
  if (known != TYPE_NONE && known != STRING_NONE)
    return known;
  for (size_t i = 0; i < sizeof shaped / sizeof *shaped; i++)
    if (text_starts(text, shaped[i].prefix))
      return shaped_type(table, text, 7, shaped[i].kind);
  const char *bracket = memchr(text.data, '[', text.size);
  if (bracket)
    return hlo_type(table, text, (uint32_t)(bracket - text.data));
  struct type type = {.kind = TYPE_SCALAR, .spelling = text};
  uint64_t none[1] = {0};
  if (text_is(text, "token") || text_is(text, "none"))
    type.kind = TYPE_TOKEN;
  else if (!dtype_parse_mlir(text, &type.dtype, &type.element_bits))
    return TYPE_NONE;
  return enter(table, &type, none);
}

/* --- attributes --- */

/* Behind the value that begins at AT: at the ',' or '}' that ends it. */
static uint32_t
value_end(const char *text, uint32_t at, uint32_t end) {
  uint32_t depth = 0;
  bool quoted = false;
  for (; at < end; at++) {
    char c = text[at];
    if (quoted) {
      at += c == '\\';
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '(' || c == '{') {
      depth++;
    } else if (depth == 0 && (c == ',' || c == '}')) {
      break;
    } else if (c == ']' || c == ')' || c == '}') {
      depth--;
    }
  }
  return at < end ? at : end;
}

/* `{name = value, "other" = [1, 2]}` */
static bool
sample_attribute(const struct ir_module *module, struct span scope,
                 struct text key, struct span *value) {
  const char *text = module->source->text;
  uint32_t at = scope.begin;
  while (at < scope.end) {
    while (at < scope.end && strchr("{, \t\r\n\"", text[at]))
      at++;
    uint32_t name = at;
    while (at < scope.end && !strchr(" =\"\t\r\n}", text[at]))
      at++;
    struct text found = {text + name, at - name};
    while (at < scope.end && strchr(" =\"\t\r\n", text[at]) && text[at] != '=')
      at++;
    if (at >= scope.end || text[at] != '=')
      return false;
    at++;
    while (at < scope.end && strchr(" \t\r\n", text[at]))
      at++;
    uint32_t end = value_end(text, at, scope.end);
    if (text_equal(found, key)) {
      while (end > at && strchr(" \t\r\n", text[end - 1]))
        end--;
      *value = (struct span){at, end};
      return true;
    }
    at = end + 1;
  }
  return false;
}

static void
sample_copy(struct buffer *out, struct text name, uint32_t copy) {
  (void)copy;
  buffer_text(out, name);
}

static const struct ir_format mlir_sample = {
    .name = "mlir", .attribute = sample_attribute, .spell_copy = sample_copy};
static const struct ir_format hlo_sample = {
    .name = "hlo", .attribute = sample_attribute, .spell_copy = sample_copy};

/* --- the module --- */

/* Does any attribute's name at ATTRIBUTES begin as markers do? */
static bool
has_marks(struct location attributes) {
  const char *text = attributes.source ? attributes.source->text : "";
  for (uint32_t i = attributes.begin; i + 8 < attributes.end; i++)
    if (memcmp(text + i, "tessera.", 8) == 0 ||
        memcmp(text + i, "remat.", 6) == 0)
      return true;
  return false;
}

/* The types of LIST into VALUES from FIRST on. */
static bool
set_types(struct diagnostics *diagnostics, struct ir_module *module,
          const struct type_text *list, value_id first) {
  for (; list; list = list->next) {
    type_id type = sample_type(module->types, list->word.text);
    if (type == TYPE_NONE) {
      diagnose(diagnostics, DIAGNOSTIC_RULES, list->word.where,
               "'%.*s' is no type that can be read", (int)list->word.text.size,
               list->word.text.data);
      return false;
    }
    module->value_type[first++] = type;
  }
  return true;
}

static uint32_t
count_types(const struct type_text *list) {
  uint32_t count = 0;
  for (; list; list = list->next)
    count++;
  return count;
}

bool
sample_make(struct arena *arena, struct diagnostics *diagnostics,
            struct text name, enum item_format format,
            const struct signature *signature, struct location attributes,
            struct sample *sample) {
  struct ir_module *module = ir_module_new(
      arena, attributes.source,
      format == FORMAT_HLO ? &hlo_sample : &mlir_sample, STORAGE_PADDED);
  uint32_t operands = count_types(signature->operands);
  uint32_t results = count_types(signature->results);
  region_id region = ir_add_region(module, NONE);
  block_id block = ir_add_block(module, region);
  value_id first = ir_add_arguments(module, block, operands);
  bool fine = set_types(diagnostics, module, signature->operands, first);
  op_id op = ir_add_op(module, string_intern(module->names, name), block);
  for (uint32_t i = 0; i < operands; i++)
    ir_add_use(module, op, first + i, (struct span){0, 0});
  value_id result = ir_add_results(module, op, results);
  fine = set_types(diagnostics, module, signature->results, result) && fine;
  module->op_text[op] = (struct span){attributes.begin, attributes.end};
  if (has_marks(attributes))
    module->op_flags[op] |= OP_HAS_MARKS;
  ir_finish(module);
  *sample = (struct sample){module, op};
  return fine;
}

/* TEXT as an expect line. */
static const char *
as_expectation(struct arena *arena, const char *text) {
  bool hlo = strncmp(text, "hlo ", 4) == 0;
  text += hlo ? 4 : 0;
  while (*text == ' ')
    text++;
  size_t size = strcspn(text, " (\"");
  return arena_printf(arena, "rules 1; expect op %s\"%.*s\" %s: free;",
                      hlo ? "hlo " : "", (int)size, text, text + size);
}

const struct ir_module *
rules_sample(struct arena *arena, struct diagnostics *diagnostics,
             const char *text, op_id *op) {
  struct source *source = ARENA_NEW(arena, struct source);
  uint32_t errors = diagnostics->errors;
  const char *line = as_expectation(arena, text);
  source_from_text(source, "--price", line, (uint32_t)strlen(line));
  const struct statement *s = rules_parse(arena, diagnostics, source);
  struct sample sample;
  while (s && s->kind != STATEMENT_EXPECT)
    s = s->next;
  if (!s || diagnostics->errors != errors ||
      !sample_make(arena, diagnostics, s->name.text, s->format, &s->signature,
                   s->attributes, &sample))
    return NULL;
  *op = sample.op;
  return sample.module;
}
