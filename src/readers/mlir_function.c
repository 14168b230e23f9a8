/* mlir_function.c - functions: signatures, and the generic form.
 *
 *   func.func private @f(%a: t {attributes}, %b: t) -> (t {attributes})
 *       attributes {...} {body}
 *
 * Other dialects' functions differ in words around this ("kernel", linkage,
 * "workgroup(%m : t)"), which are passed over or add arguments. */
#include "readers/mlir.h"

#include <string.h>

bool
mlir_signature_follows(const struct mlir *r) {
  const char *p = r->p;
  bool newline;
  while (p < r->end && mlir_is(*p, CHAR_ALPHA))
    p = mlir_skip_space(mlir_skip_word(p), r->end, &newline);
  if (p >= r->end || *p != '@')
    return false;
  p = mlir_skip_symbol(p, r->end, NULL);
  return p && *mlir_skip_space(p, r->end, &newline) == '(';
}

static bool
at_arrow(const struct mlir *r) {
  return mlir_peek(r) == '-' && r->p[1] == '>';
}

/* "@f" is next; FUNCTION is called so. */
static bool
read_function_name(struct mlir *r, struct ir_function *function) {
  const char *begin = r->p;
  if (!mlir_symbol_name(r))
    return false;
  function->name_text = mlir_span(r, begin, r->token_end);
  bool quoted = begin[1] == '"';
  function->name = string_intern(
      r->module->names,
      mlir_text(begin + 1 + quoted, r->token_end - (quoted ? 1 : 0)));
  return true;
}

/* One argument of a declaration, or a result: a type, and LISTED ones may have
 * attributes. */
static bool
read_bare_argument(struct mlir *r, bool listed) {
  struct mlir_argument argument = {{0, 0}, TYPE_NONE, {0, 0}};
  argument.type = mlir_type(r);
  if (argument.type == TYPE_NONE)
    return false;
  if (!listed) {
    vector_push(&r->scratch, &r->arguments, argument);
    return true;
  }
  if (mlir_peek(r) == '{') {
    const char *begin = r->p;
    if (!mlir_group(r))
      return false;
    argument.attributes = mlir_span(r, begin + 1, r->token_end - 1);
  }
  vector_push(&r->scratch, &r->arguments, argument);
  return mlir_location(r);
}

/* "(...)" is next: push the arguments. */
static bool
read_arguments(struct mlir *r) {
  mlir_advance(r, r->p + 1);
  if (mlir_accept(r, ')'))
    return true;
  do {
    if (strncmp(r->p, "...", 3) == 0) {
      mlir_advance(r, r->p + 3);
      continue;
    }
    if (mlir_peek(r) == '%' ? !mlir_argument(r) : !read_bare_argument(r, true))
      return false;
  } while (mlir_accept(r, ','));
  return mlir_expect(r, ')', "behind the arguments of a function");
}

/* "{...}" is next and is FUNCTION's dictionary. */
static bool
read_function_attributes(struct mlir *r, op_id op,
                         struct ir_function *function) {
  const char *begin = r->p;
  if (!mlir_group(r))
    return false;
  function->has_attributes = true;
  function->attributes = mlir_span(r, begin + 1, r->token_end - 1);
  mlir_mark(r, op, begin, r->token_end);
  return true;
}

/* What stands between the signature and the body: words, strings, more
 * arguments, the dictionary.  Ends before the body or the end of OP. */
static bool
read_tail(struct mlir *r, op_id op, unsigned kind,
          struct ir_function *function) {
  function->attributes =
      (struct span){mlir_offset(r, r->token_end), mlir_offset(r, r->token_end)};
  for (bool asked = false;;) {
    char c = mlir_peek(r);
    bool good = true;
    if (c == '{' && !asked && mlir_opens_region(r, r->p, kind))
      return true;
    if (c == '{') {
      good = read_function_attributes(r, op, function);
      asked = false;
    } else if (c == '(') {
      good = read_arguments(r);
    } else if (c == '"') {
      good = mlir_string(r);
    } else if (c == '<') {
      good = mlir_group(r);
    } else if (mlir_at_word(r, "loc")) {
      return true;
    } else if (mlir_is(c, CHAR_ALPHA) &&
               !(r->newline && mlir_op_begins(r, false))) {
      asked = mlir_at_word(r, "attributes");
      mlir_advance(r, mlir_skip_word(r->p));
    } else {
      return true;
    }
    if (!good)
      return false;
  }
}

/* Make room for the COUNT results of FUNCTION. */
static void
add_function_results(struct mlir *r, struct ir_function *function,
                     uint32_t count) {
  function->result_count = count;
  function->result_types = ARENA_ARRAY(r->arena, type_id, count);
  function->result_attributes = ARENA_ARRAY(r->arena, struct span, count);
}

/* "(t {attributes}, t)" or "t" is next, the results of FUNCTION. */
static bool
read_function_results(struct mlir *r, struct ir_function *function) {
  uint32_t mark = r->arguments.count;
  bool listed = mlir_accept(r, '(');
  if (!listed || !mlir_accept(r, ')')) {
    do {
      if (!read_bare_argument(r, listed))
        return false;
    } while (listed && mlir_accept(r, ','));
    if (listed && !mlir_expect(r, ')', "to end the list of types"))
      return false;
  }
  add_function_results(r, function, r->arguments.count - mark);
  for (uint32_t i = 0; i < function->result_count; i++) {
    function->result_types[i] = r->arguments.data[mark + i].type;
    function->result_attributes[i] = r->arguments.data[mark + i].attributes;
  }
  r->arguments.count = mark;
  return true;
}

/* Copy what stands from MARK on in `arguments`. */
static void
fill_signature(struct mlir *r, struct ir_function *function, uint32_t mark) {
  function->argument_count = r->arguments.count - mark;
  function->argument_attributes =
      ARENA_ARRAY(r->arena, struct span, function->argument_count);
  for (uint32_t i = 0; i < function->argument_count; i++)
    function->argument_attributes[i] = r->arguments.data[mark + i].attributes;
}

/* The body is read: whose values the arguments are.  A body without a block,
 * as the generic form has it, is that of a declaration. */
static bool
fill_arguments(struct mlir *r, struct ir_function *function) {
  const struct ir_module *m = r->module;
  region_id body = m->op_region[function->op];
  block_id block = body == NONE ? NONE : m->region_block[body];
  uint32_t count = function->argument_count;
  function->body = block == NONE ? NONE : body;
  function->arguments = ARENA_ARRAY(r->arena, value_id, count);
  if (block != NONE && m->block_argument_count[block] < count)
    return mlir_error(r, r->text + function->name_text.begin,
                      r->text + function->name_text.end,
                      "the function has %u argument%s, its first block %u",
                      count, count == 1 ? "" : "s",
                      m->block_argument_count[block]);
  for (uint32_t i = 0; i < count; i++)
    function->arguments[i] =
        block == NONE ? NONE : m->block_first_argument[block] + i;
  return true;
}

/* OP holds the functions around FUNCTION. */
static void
mark_parent(struct mlir *r, op_id op) {
  op_id parent = ir_parent_op(r->module, op);
  if (parent != NONE)
    r->module->op_flags[parent] |= OP_MODULE;
}

/* A function that OP is, with a place in textual order. */
static function_id
add_function(struct mlir *r, op_id op) {
  struct ir_function function = {
      .name = NONE, .op = op, .body = NONE, .root = NONE, .origin = NONE};
  vector_push(r->arena, &r->module->functions, function);
  r->module->op_flags[op] |= OP_FUNCTION;
  mark_parent(r, op);
  return r->module->functions.count - 1;
}

/* From the name to the body: fills FUNCTION. */
static bool
read_signature(struct mlir *r, op_id op, unsigned kind,
               struct ir_function *function) {
  while (mlir_peek(r) != '@')
    mlir_advance(r, mlir_skip_word(r->p));
  if (!read_function_name(r, function) || !read_arguments(r))
    return false;
  if (at_arrow(r)) {
    mlir_advance(r, r->p + 2);
    if (!read_function_results(r, function))
      return false;
  }
  return read_tail(r, op, kind, function);
}

/* Attribute KEY of OP; false where it has none. */
static bool
generic_attribute(const struct mlir *r, op_id op, const char *key,
                  struct span *value) {
  struct text text;
  if (!ir_attribute(r->module, op, key, &text))
    return false;
  *value = mlir_span(r, text.data, text.data + text.size);
  return true;
}

/* Attribute KEY of OP, dictionaries "[{...}, {...}]": the insides of COUNT of
 * them to ATTRIBUTES. */
static void
read_dictionaries(struct mlir *r, op_id op, const char *key,
                  struct span *attributes, uint32_t count) {
  struct span value;
  if (!generic_attribute(r, op, key, &value))
    return;
  const char *p = r->text + value.begin + 1, *end = r->text + value.end;
  for (uint32_t i = 0; p < end && i < count;) {
    if (*p == '{') {
      const char *behind = mlir_skip_group(p, end, NULL);
      if (!behind)
        return;
      attributes[i++] = mlir_span(r, p + 1, behind - 1);
      p = behind;
    } else {
      p++;
    }
  }
}

/* "{arg_attrs = ...}" behind the body of OP, as vhlo prints it, if it is next.
 */
static bool
read_behind_body(struct mlir *r, op_id op, struct ir_function *function) {
  if (mlir_peek(r) != '{' || r->newline)
    return true;
  if (!read_function_attributes(r, op, function))
    return false;
  r->module->op_text[op].end = mlir_offset(r, r->token_end);
  read_dictionaries(r, op, "arg_attrs", function->argument_attributes,
                    function->argument_count);
  return true;
}

bool
mlir_function(struct mlir *r, op_id op, unsigned kind) {
  uint32_t mark = r->arguments.count;
  function_id id = add_function(r, op);
  struct ir_function function = r->module->functions.data[id];
  if (!read_signature(r, op, kind, &function))
    return false;
  fill_signature(r, &function, mark);
  mlir_symbol(r, op, source_text(r->source, function.name_text), id);
  if (mlir_peek(r) == '{' && !mlir_region(r, op, kind, mark))
    return false;
  r->arguments.count = mark;
  if (!read_behind_body(r, op, &function) || !mlir_location(r))
    return false;
  function.text =
      (struct span){r->module->op_text[op].begin, mlir_offset(r, r->token_end)};
  bool good = fill_arguments(r, &function);
  r->module->functions.data[id] = function;
  return good;
}

/* --- the generic form --- */

/* Types of "(t, t) -> t" at VALUE, pushed: how many are arguments'. */
static bool
read_function_type(struct mlir *r, struct span value, uint32_t *arguments) {
  const char *p = r->p, *end = r->end, *token_end = r->token_end;
  const char *from = r->text + value.begin;
  uint32_t results = 0;
  /* vhlo wraps it: #vhlo.type_v1<!vhlo.func_v1<(t) -> t>> */
  while (from < r->text + value.end && *from != '(')
    from++;
  r->p = from;
  r->end = r->text + value.end;
  bool good = mlir_peek(r) == '(' && mlir_type_list(r, arguments);
  if (good && at_arrow(r)) {
    mlir_advance(r, r->p + 2);
    good = mlir_type_list(r, &results);
  }
  r->p = p;
  r->end = end;
  r->token_end = token_end;
  return good;
}

/* Where "{...}" goes in the text of OP that has no dictionary: behind its
 * regions. */
static void
find_dictionary(struct mlir *r, op_id op, struct ir_function *function) {
  const struct ir_module *m = r->module;
  uint32_t from = m->op_text[op].begin;
  for (region_id region = m->op_region[op]; region != NONE;
       region = m->region_next[region])
    from = m->region_text[region].end;
  bool newline;
  const char *p = mlir_skip_space(r->text + from, r->end, &newline);
  if (m->op_region[op] != NONE && *p == ')')
    p++;
  const char *next = mlir_skip_space(p, r->end, &newline);
  function->attributes = mlir_span(r, p, p);
  if (*next != '{')
    return;
  const char *end = mlir_skip_group(next, r->end, NULL);
  function->has_attributes = true;
  function->attributes = mlir_span(r, next + 1, end ? end - 1 : next + 1);
}

bool
mlir_function_generic(struct mlir *r, op_id op) {
  struct span name, value;
  uint32_t types = r->types.count, arguments = 0;
  if (!generic_attribute(r, op, "sym_name", &name))
    return true;
  function_id id = r->module->functions.count;
  for (function_id i = 0; i < r->module->functions.count; i++)
    if (r->module->functions.data[i].op == op)
      id = i;
  if (id == r->module->functions.count)
    id = add_function(r, op);
  struct ir_function function = r->module->functions.data[id];
  struct text text = source_text(r->source, name);
  const char *quote = memchr(text.data, '"', text.size);
  const char *end =
      quote ? mlir_skip_string(quote, text.data + text.size, NULL) : NULL;
  if (end) {
    text = mlir_text(quote + 1, end - 1);
    function.name_text = mlir_span(r, quote, end);
  }
  function.name = string_intern(r->module->names, text);
  if ((generic_attribute(r, op, "function_type", &value) ||
       generic_attribute(r, op, "type", &value)) &&
      !read_function_type(r, value, &arguments))
    return !r->failed;
  function.argument_count = arguments;
  function.argument_attributes = ARENA_ARRAY(r->arena, struct span, arguments);
  add_function_results(r, &function, r->types.count - types - arguments);
  for (uint32_t i = 0; i < function.result_count; i++)
    function.result_types[i] = r->types.data[types + arguments + i];
  r->types.count = types;
  read_dictionaries(r, op, "arg_attrs", function.argument_attributes,
                    arguments);
  read_dictionaries(r, op, "res_attrs", function.result_attributes,
                    function.result_count);
  find_dictionary(r, op, &function);
  function.text = r->module->op_text[op];
  bool good = fill_arguments(r, &function);
  mlir_symbol(r, op, text, id);
  r->module->functions.data[id] = function;
  return good;
}
