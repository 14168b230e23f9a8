/* shard.c - see shard.h.
 *
 *   mhlo.sharding = "{devices=[2,1]<=[2]}"            dim 0 in two
 *   sdy.sharding = #sdy.sharding<@mesh, [{}, {"m"}]>  dim 1 by the axis m
 *   sdy.mesh @mesh = <["d"=4, "m"=2]>                 which is 2 long
 *
 * A dim that is not a multiple is rounded up: the largest shard counts. */
#include "passes/shard.h"

#include <string.h>

enum { MOST_DIMS = 64 };

struct axis {
  struct text mesh, name;
  uint64_t size;
};

struct shards {
  struct arena *arena;
  const struct ir_module *module;
  VECTOR(struct axis) axes;
  function_id *region_function; /* by region: whose body, or NONE */
  struct text *returned; /* by value: the annotation of the result that it
                            is returned as, or empty */
};

static struct text
rest(struct text text, uint32_t from) {
  from = from < text.size ? from : text.size;
  return (struct text){text.data + from, text.size - from};
}

/* What stands behind the first WORD in TEXT; empty where it is not there. */
static struct text
behind(struct text text, const char *word) {
  size_t size = strlen(word);
  const char *at = text.size ? memmem(text.data, text.size, word, size) : NULL;
  if (!at)
    return (struct text){"", 0};
  return rest(text, (uint32_t)(at - text.data) + (uint32_t)size);
}

static uint64_t
take_number(struct text *text) {
  uint64_t number = 0;
  uint32_t i = 0;
  for (; i < text->size && text->data[i] >= '0' && text->data[i] <= '9'; i++)
    number = number < UINT64_C(1) << 32
                 ? number * 10 + (uint64_t)(text->data[i] - '0')
                 : number;
  *text = rest(*text, i);
  return number;
}

/* The text up to the first of STOPS. */
static struct text
up_to(struct text text, const char *stops) {
  uint32_t i = 0;
  while (i < text.size && !strchr(stops, text.data[i]))
    i++;
  return (struct text){text.data, i};
}

/* The axes of a mesh: behind its name `<["d"=4, "m"=2]>`. */
static void
add_mesh(struct shards *shards, struct text name, struct text text) {
  text = up_to(behind(text, "["), "]");
  for (struct text at = behind(text, "\""); at.size; at = behind(at, "\"")) {
    struct axis axis = {name, up_to(at, "\""), 1};
    at = behind(at, "=");
    axis.size = take_number(&at);
    if (axis.size)
      vector_push(shards->arena, &shards->axes, axis);
  }
}

static void
find_meshes(struct shards *shards) {
  const struct ir_module *module = shards->module;
  for (op_id op = 0; op < module->op_count; op++) {
    if (!text_is(ir_op_name(module, op), "sdy.mesh"))
      continue;
    struct text text = source_text(module->source, ir_op_span(module, op));
    struct text name = up_to(behind(text, "@"), " =<\n(");
    struct text mesh;
    if (!name.size && ir_attribute(module, op, "sym_name", &name))
      name = up_to(rest(name, 1), "\"");
    if (ir_attribute(module, op, "mesh", &mesh))
      text = mesh;
    add_mesh(shards, name, text);
  }
}

/* The op that ends BLOCK by returning COUNT values, or NONE. */
static op_id
return_of(const struct ir_module *module, block_id block, uint32_t count) {
  uint32_t ops = module->block_op_count[block], successors;
  op_id last = ops ? ir_block_op(module, block, ops - 1) : NONE;
  if (last == NONE || !(module->op_flags[last] & OP_TERMINATOR) ||
      module->op_use_count[last] != count)
    return NONE;
  ir_op_successors(module, last, &successors);
  return successors ? NONE : last;
}

/* What FUNCTION returns as result INDEX has the annotation TEXT. */
static void
note_returned(struct shards *shards, const struct ir_function *function,
              uint32_t index, struct text text) {
  const struct ir_module *module = shards->module;
  for (block_id block = module->region_block[function->body]; block != NONE;
       block = module->block_next[block]) {
    op_id end = return_of(module, block, function->result_count);
    if (end != NONE)
      shards->returned[ir_operand(module, end, index)] = text;
  }
}

static void
find_returned(struct shards *shards) {
  const struct ir_module *module = shards->module;
  struct text text;
  shards->returned =
      ARENA_ARRAY(shards->arena, struct text, module->value_count);
  for (function_id f = 0; f < module->functions.count; f++) {
    const struct ir_function *function = &module->functions.data[f];
    for (uint32_t i = 0; i < function->result_count; i++)
      if (function->body != NONE &&
          (ir_result_attribute(module, f, i, "mhlo.sharding", &text) ||
           ir_result_attribute(module, f, i, "sdy.sharding", &text)))
        note_returned(shards, function, i, text);
  }
}

struct shards *
shards_new(struct arena *arena, const struct ir_module *module) {
  if (module->partitions <= 1 || module->scheduled)
    return NULL;
  struct shards *shards = ARENA_NEW(arena, struct shards);
  shards->arena = arena;
  shards->module = module;
  shards->region_function =
      ARENA_ARRAY(arena, function_id, module->region_count);
  memset(shards->region_function, 0xff,
         module->region_count * sizeof *shards->region_function);
  for (function_id i = 0; i < module->functions.count; i++)
    if (module->functions.data[i].body != NONE)
      shards->region_function[module->functions.data[i].body] = i;
  find_meshes(shards);
  find_returned(shards);
  return shards;
}

/* --- annotations --- */

/* "{devices=[2,1]<=[2]}": the parts of each dim into PARTS. */
static void
read_devices(struct text text, uint64_t *parts, uint32_t rank) {
  text = behind(text, "devices=[");
  for (uint32_t i = 0; i < rank && text.size; i++) {
    uint64_t number = take_number(&text);
    if (!number)
      return;
    parts[i] = number;
    if (!text.size || *text.data != ',')
      return;
    text = rest(text, 1);
  }
}

/* How long the axis `"m"`, or the part `"m":(2)4` of it, is. */
static uint64_t
axis_size(const struct shards *shards, struct text mesh, struct text name,
          struct text after) {
  if (after.size && *after.data == ':') {
    after = behind(after, ")");
    uint64_t size = take_number(&after);
    return size ? size : 1;
  }
  for (uint32_t i = 0; i < shards->axes.count; i++)
    if (text_equal(shards->axes.data[i].mesh, mesh) &&
        text_equal(shards->axes.data[i].name, name))
      return shards->axes.data[i].size;
  return 1;
}

/* "<@mesh, [{}, {"m"}]>": likewise. */
static void
read_axes(const struct shards *shards, struct text text, uint64_t *parts,
          uint32_t rank) {
  text = behind(text, "@");
  struct text mesh = up_to(text, ",> ");
  text = behind(text, "[");
  for (uint32_t i = 0; i < rank; i++) {
    struct text dim = behind(text, "{");
    if (!dim.size)
      return;
    text = rest(dim, up_to(dim, "}").size);
    dim = up_to(dim, "}");
    while ((dim = behind(dim, "\"")).size) {
      struct text name = up_to(dim, "\"");
      dim = rest(dim, name.size + 1);
      parts[i] *= axis_size(shards, mesh, name, dim);
    }
  }
}

/* Part INDEX of a list of annotations that begins at WORD, for results of one
 * op; TEXT itself where it is no list. */
static struct text
nth(struct text text, const char *word, uint32_t index) {
  for (uint32_t i = 0; i <= index; i++) {
    struct text next = behind(text, word);
    if (!next.size)
      return text;
    text = next;
  }
  return (struct text){text.data - strlen(word),
                       text.size + (uint32_t)strlen(word)};
}

/* TYPE with its dims divided by PARTS. */
static type_id
divided(struct shards *shards, type_id id, const uint64_t *parts) {
  struct type type = *type_get(shards->module->types, id);
  uint64_t *dims = ARENA_ARRAY(shards->arena, uint64_t, type.rank);
  bool whole = true;
  struct buffer spelling = {.arena = shards->arena};
  buffer_text(&spelling, type.spelling);
  buffer_string(&spelling, " /");
  for (uint32_t i = 0; i < type.rank; i++) {
    bool dynamic = type.dims[i] == DIMENSION_DYNAMIC;
    dims[i] = dynamic
                  ? type.dims[i]
                  : type.dims[i] / parts[i] + (type.dims[i] % parts[i] != 0);
    whole &= parts[i] == 1;
    buffer_printf(&spelling, "%s%llu", i ? "x" : " ",
                  (unsigned long long)parts[i]);
  }
  if (whole)
    return id;
  type.dims = dims;
  type.per_shard = true;
  type.spelling = text_of(buffer_finish(&spelling));
  return type_enter(shards->module->types, &type);
}

/* What TEXT, an annotation for result INDEX, makes of type ID. */
static type_id
apply(struct shards *shards, struct text text, uint32_t index, type_id id) {
  const struct type *type = type_get(shards->module->types, id);
  uint64_t parts[MOST_DIMS];
  if (type->rank > MOST_DIMS || type->kind != TYPE_TENSOR)
    return id;
  for (uint32_t i = 0; i < type->rank; i++)
    parts[i] = 1;
  if (text.size && memmem(text.data, text.size, "<@", 2))
    read_axes(shards, nth(text, "<@", index), parts, type->rank);
  else if (text.size > 1 && text.data[1] == '{')
    read_devices(nth(rest(text, 1), "{", index), parts, type->rank);
  else
    read_devices(text, parts, type->rank);
  return divided(shards, id, parts);
}

static bool
annotation_of_op(const struct ir_module *module, op_id op,
                 struct text *annotation) {
  static const char *const keys[] = {"mhlo.sharding", "sdy.sharding",
                                     "sdy.sharding_per_value", "sharding"};
  if (text_is(ir_op_name(module, op), "sdy.sharding_constraint")) {
    *annotation = source_text(module->source, ir_op_span(module, op));
    return memmem(annotation->data, annotation->size, "<@", 2) != NULL;
  }
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (ir_attribute(module, op, keys[i], annotation))
      return true;
  return false;
}

static bool
annotation_of_argument(const struct shards *shards, value_id value,
                       struct text *annotation) {
  const struct ir_module *module = shards->module;
  region_id region = module->block_region[ir_value_block(module, value)];
  function_id function = shards->region_function[region];
  uint32_t index = ir_value_index(module, value);
  return function != NONE &&
         (ir_argument_attribute(module, function, index, "mhlo.sharding",
                                annotation) ||
          ir_argument_attribute(module, function, index, "sdy.sharding",
                                annotation));
}

type_id
shards_type(struct shards *shards, value_id value) {
  const struct ir_module *module = shards->module;
  op_id op = ir_value_op(module, value);
  struct text annotation;
  uint32_t index = op == NONE ? 0 : ir_value_index(module, value);
  bool found = op == NONE ? annotation_of_argument(shards, value, &annotation)
                          : annotation_of_op(module, op, &annotation);
  if (!found) {
    annotation = shards->returned[value];
    if (!annotation.size)
      return TYPE_NONE;
    index = 0;
  }
  return apply(shards, annotation, index, module->value_type[value]);
}
