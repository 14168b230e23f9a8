/* denote.c - from ops to terms; see denote.h.
 *
 * A run through a block in program order: each op makes terms of those that it
 * reads.  A function that is called is run through again for every call, with
 * what is passed to it.  O(ops after looking through calls; loops are run
 * through until nothing more is found out about their carries, which takes two
 * or three times). */
#include "passes/denote.h"

#include <string.h>

enum { CALLS_MAX = 64 };

enum action {
  ACTION_PLAIN,
  ACTION_ADD,
  ACTION_BARRIER,
  ACTION_BROADCAST,
  ACTION_BRANCH,
  ACTION_CALL,
  ACTION_CLAMP,
  ACTION_COMPARE,
  ACTION_CONSTANT,
  ACTION_CONVERT,
  ACTION_COPY,
  ACTION_ELEMENT,
  ACTION_LOOP,
  ACTION_MAXIMUM,
  ACTION_MINIMUM,
  ACTION_MULTIPLY,
  ACTION_NEGATE,
  ACTION_PARAMETER,
  ACTION_RESHAPE,
  ACTION_SELECT,
  ACTION_SLICE,
  ACTION_SUBTRACT,
  ACTION_TUPLE,
  ACTION_UPDATE,
};

static const struct {
  const char *name;
  enum action action;
} actions[] = {
    {"add", ACTION_ADD},
    {"broadcast", ACTION_BROADCAST},
    {"broadcast_in_dim", ACTION_BROADCAST},
    {"call", ACTION_CALL},
    {"case", ACTION_BRANCH},
    {"clamp", ACTION_CLAMP},
    {"compare", ACTION_COMPARE},
    {"conditional", ACTION_BRANCH},
    {"constant", ACTION_CONSTANT},
    {"convert", ACTION_CONVERT},
    {"copy", ACTION_COPY},
    {"dynamic-slice", ACTION_SLICE},
    {"dynamic-update-slice", ACTION_UPDATE},
    {"dynamic_slice", ACTION_SLICE},
    {"dynamic_update_slice", ACTION_UPDATE},
    {"get-tuple-element", ACTION_ELEMENT},
    {"get_tuple_element", ACTION_ELEMENT},
    {"if", ACTION_BRANCH},
    {"maximum", ACTION_MAXIMUM},
    {"minimum", ACTION_MINIMUM},
    {"multiply", ACTION_MULTIPLY},
    {"negate", ACTION_NEGATE},
    {"opt-barrier", ACTION_BARRIER},
    {"optimization_barrier", ACTION_BARRIER},
    {"parameter", ACTION_PARAMETER},
    {"reshape", ACTION_RESHAPE},
    {"select", ACTION_SELECT},
    {"subtract", ACTION_SUBTRACT},
    {"tuple", ACTION_TUPLE},
    {"while", ACTION_LOOP},
};

static enum action
action_of(const struct ir_module *m, op_id op) {
  static const char *const dialects[] = {"stablehlo.", "mhlo.", "func."};
  struct text name = ir_op_name(m, op);
  for (uint32_t i = 0; i < sizeof dialects / sizeof *dialects; i++)
    if (text_starts(name, dialects[i])) {
      uint32_t size = (uint32_t)strlen(dialects[i]);
      name = (struct text){name.data + size, name.size - size};
      break;
    }
  for (uint32_t i = 0; i < sizeof actions / sizeof *actions; i++)
    if (text_is(name, actions[i].name))
      return actions[i].action;
  return ACTION_PLAIN;
}

/* --- a module --- */

struct denotation *
denotation_new(struct arena *arena) {
  struct denotation *denotation = ARENA_NEW(arena, struct denotation);
  denotation->arena = arena;
  denotation->terms = terms_new(arena);
  denotation->keys = string_table_new(arena);
  return denotation;
}

struct denoted *
denote(struct denotation *denotation, const struct ir_module *module,
       const bool *repeatable) {
  struct arena *arena = denotation->arena;
  struct denoted *d = ARENA_NEW(arena, struct denoted);
  d->denotation = denotation;
  d->terms = denotation->terms;
  d->arena = arena;
  d->m = module;
  d->repeatable = repeatable;
  d->sizes = ir_op_sizes(module, arena);
  d->forms = ARENA_ARRAY(arena, struct op_form, module->op_count);
  d->function_keys = ARENA_ARRAY(arena, uint32_t, module->functions.count);
  d->local = ARENA_ARRAY(arena, uint32_t, module->value_count);
  d->value = ARENA_ARRAY(arena, term_id, module->value_count);
  memset(d->value, 0xff, module->value_count * sizeof *d->value);
  return d;
}

/* Does OP, of FORM, do nothing but make its results? */
static bool
is_repeatable(struct denoted *d, op_id op, uint32_t key) {
  struct denotation *all = d->denotation;
  while (all->repeatable.count <= key)
    vector_push(all->arena, &all->repeatable, 0);
  uint8_t *known = &all->repeatable.data[key];
  if (d->repeatable && *known != 1)
    *known = d->repeatable[op] ? 2 : 1;
  return *known == 2;
}

/* --- single ops --- */

static term_id
term_of(struct denoted *d, value_id value) {
  if (d->value[value] != TERM_NONE)
    return d->value[value];
  d->fault = "a value is read before it is made";
  return term_linear(d->terms, d->terms->index_shape, TERM_NONE, 0, 0);
}

static term_id
operand_of(struct denoted *d, op_id op, uint32_t index) {
  return term_of(d, ir_operand(d->m, op, index));
}

void
denote_plain(struct denoted *d, op_id op, bool pure) {
  const struct op_form *form = denote_form(d, op);
  struct term term = {.kind = TERM_OP, .key = form->key};
  term_id *in = ARENA_ARRAY(d->arena, term_id, form->count + 1);
  uint32_t count = form->count;
  for (uint32_t i = 0; i < count; i++)
    in[i] = term_of(d, d->reads.data[form->first + i]);
  bool bound = !is_repeatable(d, op, form->key) && !pure;
  if (bound)
    in[count++] = d->state;
  for (uint32_t i = 0; i < d->m->op_result_count[op]; i++) {
    value_id value = ir_result(d->m, op, i);
    term.a = i;
    term.shape = denote_shape(d, value);
    d->value[value] = term_enter(d->terms, &term, in, count);
  }
  if (!bound)
    return;
  term.a = -1;
  term.shape = d->terms->index_shape;
  d->state = term_enter(d->terms, &term, in, count);
}

/* Let OP's result be a term of KIND over all its operands. */
static void
make_result(struct denoted *d, op_id op, enum term_kind kind, int64_t a) {
  uint32_t count = d->m->op_use_count[op];
  value_id value = ir_result(d->m, op, 0);
  const struct term like = {
      .kind = (uint8_t)kind, .shape = denote_shape(d, value), .a = a};
  term_id *in = ARENA_ARRAY(d->arena, term_id, count);
  for (uint32_t i = 0; i < count; i++)
    in[i] = operand_of(d, op, i);
  d->value[value] = term_make(d->terms, &like, in, count);
}

/* SCALE times operand OF of OP plus OFFSET as its result; false where that is
 * not to be said. */
static bool
make_linear(struct denoted *d, op_id op, uint32_t of, int64_t scale,
            int64_t offset) {
  value_id value = ir_result(d->m, op, 0);
  term_id made = term_linear(d->terms, denote_shape(d, value),
                             operand_of(d, op, of), scale, offset);
  if (made != TERM_NONE)
    d->value[value] = made;
  return made != TERM_NONE;
}

/* Operand 0 of OP plus SCALE times operand 1 as its result, where both follow
 * times. */
static bool
make_combined(struct denoted *d, op_id op, int64_t scale) {
  value_id value = ir_result(d->m, op, 0);
  const struct term_part parts[2] = {{operand_of(d, op, 0), 1},
                                     {operand_of(d, op, 1), scale}};
  term_id made = term_combined(d->terms, denote_shape(d, value), parts, 2, 0);
  if (made != TERM_NONE)
    d->value[value] = made;
  return made != TERM_NONE;
}

static bool
make_sum(struct denoted *d, op_id op, enum action action) {
  int64_t a, b;
  bool left = term_constant(d->terms, operand_of(d, op, 0), &a);
  bool right = d->m->op_use_count[op] == 2 &&
               term_constant(d->terms, operand_of(d, op, 1), &b);
  switch (action) {
  case ACTION_ADD:
    return right  ? make_linear(d, op, 0, 1, b)
           : left ? make_linear(d, op, 1, 1, a)
                  : make_combined(d, op, 1);
  case ACTION_SUBTRACT:
    return right  ? make_linear(d, op, 0, 1, -b)
           : left ? make_linear(d, op, 1, -1, a)
                  : make_combined(d, op, -1);
  case ACTION_MULTIPLY:
    return right ? make_linear(d, op, 0, b, 0)
                 : left && make_linear(d, op, 1, a, 0);
  default:
    return make_linear(d, op, 0, -1, 0);
  }
}

static bool
order_of(const struct ir_module *m, op_id op, int64_t *order) {
  static const char *const names[] = {"LT", "LE", "GT", "GE", "EQ", "NE"};
  struct text text = source_text(m->source, m->op_text[op]), value;
  if (ir_attribute(m, op, "direction", &value) ||
      ir_attribute(m, op, "comparison_direction", &value)) {
    text = value;
  } else {
    const char *at = text_find(text, "compare");
    const char *end = text.data + text.size;
    const char *comma = at ? memchr(at, ',', (size_t)(end - at)) : NULL;
    if (!comma)
      return false;
    text = (struct text){at, (uint32_t)(comma - at)};
  }
  for (uint32_t i = 0; i < 6; i++)
    if (text_find(text, names[i])) {
      *order = i;
      return true;
    }
  return false;
}

/* The number that a constant of one element holds. */
static bool
make_constant(struct denoted *d, op_id op) {
  value_id value = ir_result(d->m, op, 0);
  shape_id shape = denote_shape(d, value);
  const struct shape *s = &d->terms->shapes.data[shape];
  struct text text = source_text(d->m->source, d->m->op_text[op]);
  int64_t number;
  if (!s->known || s->rank != 0 ||
      (!shape_is_whole(d->terms, shape) &&
       dtype_infos[s->dtype].class != DTYPE_CLASS_BOOLEAN))
    return false;
  const char *at = text_find(text, "dense<"), *end = text.data + text.size;
  at = at ? at + 6 : text_find(text, "constant(");
  if (!at)
    return false;
  if (*at == 'c')
    at += strlen("constant(");
  const char *close = at;
  while (close < end && *close != '>' && *close != ')')
    close++;
  if (!ir_parse_integer((struct text){at, (uint32_t)(close - at)}, &number))
    return false;
  term_id made = term_linear(d->terms, shape, TERM_NONE, 0, number);
  if (made != TERM_NONE)
    d->value[value] = made;
  return made != TERM_NONE;
}

/* Are the numbers in the brackets behind KEY in OP's text ascending? */
static bool
is_ascending(const struct ir_module *m, op_id op) {
  static const char *const keys[] = {"dims", "dimensions"};
  struct text text = source_text(m->source, m->op_text[op]);
  const char *at = NULL, *end = text.data + text.size;
  for (uint32_t i = 0; i < 2 && !at; i++)
    at = text_find(text, keys[i]);
  while (at && at < end && !strchr("[{<", *at))
    at++;
  int64_t last = -1;
  for (; at && at < end && !strchr("]}>", *at); at++) {
    if (*at == ':')
      last = -1; /* "array<i64: ..." */
    if (*at < '0' || *at > '9')
      continue;
    int64_t number = 0;
    for (; at < end && *at >= '0' && *at <= '9' && number < 1000; at++)
      number = number * 10 + *at - '0';
    at--;
    if (number <= last)
      return false;
    last = number;
  }
  return at != NULL;
}

/* Is the broadcast OP one that repeats nothing? */
static bool
is_view(struct denoted *d, op_id op) {
  const struct shape *shapes = d->terms->shapes.data;
  shape_id to = denote_shape(d, ir_result(d->m, op, 0));
  shape_id from = denote_shape(d, ir_operand(d->m, op, 0));
  shapes = d->terms->shapes.data;
  return shapes[to].known && shapes[from].known &&
         shapes[to].elements == shapes[from].elements && is_ascending(d->m, op);
}

/* --- calls and branches --- */

block_id
denote_only_block(const struct ir_module *m, region_id region) {
  block_id block = region == NONE ? NONE : m->region_block[region];
  return block != NONE && m->block_next[block] == NONE &&
                 m->block_op_count[block] > 0
             ? block
             : NONE;
}

/* Run through FUNCTION with ARGUMENTS; false where it cannot be. */
static bool
run_function(struct denoted *d, function_id function, const term_id *arguments,
             uint32_t count, term_id *results) {
  const struct ir_function *f = &d->m->functions.data[function];
  block_id block = denote_only_block(d->m, f->body);
  if (block == NONE || d->calls == CALLS_MAX || f->argument_count != count)
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (f->arguments[i] != NONE)
      d->value[f->arguments[i]] = arguments[i];
  d->calls++;
  denote_block(d, block, f->root, results);
  d->calls--;
  return true;
}

static void
set_results(struct denoted *d, op_id op, const term_id *results) {
  for (uint32_t i = 0; i < d->m->op_result_count[op]; i++)
    d->value[ir_result(d->m, op, i)] = results[i];
}

static void
run_call(struct denoted *d, op_id op) {
  uint32_t count, uses = d->m->op_use_count[op];
  const struct ir_call *call = ir_op_calls(d->m, op, &count);
  term_id *in = ARENA_ARRAY(d->arena, term_id, uses);
  term_id *results = ARENA_ARRAY(d->arena, term_id, d->m->op_result_count[op]);
  for (uint32_t i = 0; i < uses; i++)
    in[i] = operand_of(d, op, i);
  if (count == 1 && run_function(d, call->callee, in, uses, results))
    set_results(d, op, results);
  else
    denote_plain(d, op, false);
}

/* Branch NUMBER of OP, into RESULTS; false where it cannot be looked at. */
static bool
run_branch(struct denoted *d, op_id op, uint32_t number, term_id *results) {
  const struct ir_module *m = d->m;
  uint32_t count;
  const struct ir_call *calls = ir_op_calls(m, op, &count);
  if (m->op_region[op] == NONE) {
    if (number + 1 >= m->op_use_count[op])
      return false;
    term_id argument = operand_of(d, op, number + 1);
    return run_function(d, calls[number].callee, &argument, 1, results);
  }
  region_id region = m->op_region[op];
  for (uint32_t i = 0; i < number; i++)
    region = m->region_next[region];
  block_id block = denote_only_block(m, region);
  if (block == NONE || m->block_argument_count[block])
    return false;
  denote_block(d, block, NONE, results);
  return true;
}

static uint32_t
branch_count(const struct ir_module *m, op_id op) {
  uint32_t count = 0;
  if (m->op_region[op] == NONE) {
    ir_op_calls(m, op, &count);
    return count;
  }
  for (region_id r = m->op_region[op]; r != NONE; r = m->region_next[r])
    count++;
  return count;
}

/* Results are chosen by operand 0 among those of the branches; so is the state
 * that is left. */
static void
run_branches(struct denoted *d, op_id op) {
  uint32_t results = d->m->op_result_count[op];
  uint32_t branches = branch_count(d->m, op);
  term_id before = d->state, after = before;
  term_id *ends =
      ARENA_ARRAY(d->arena, term_id, (size_t)(results + 1) * (branches + 1));
  term_id *in = ARENA_ARRAY(d->arena, term_id, branches + 1);
  for (uint32_t b = 0; b < branches; b++) {
    d->state = before;
    if (!run_branch(d, op, b, &ends[b * (results + 1)])) {
      d->state = before;
      denote_plain(d, op, false);
      return;
    }
    ends[b * (results + 1) + results] = d->state;
    after = d->state != before ? d->state : after;
  }
  struct term chosen = {
      .kind = TERM_OP,
      .key = string_intern(d->denotation->keys, ir_op_name(d->m, op))};
  in[0] = operand_of(d, op, 0);
  for (uint32_t r = 0; r <= results; r++) {
    for (uint32_t b = 0; b < branches; b++)
      in[b + 1] = ends[b * (results + 1) + r];
    chosen.shape = term_get(d->terms, in[1])->shape;
    term_id made = term_enter(d->terms, &chosen, in, branches + 1);
    if (r < results)
      d->value[ir_result(d->m, op, r)] = made;
    else
      d->state = after == before ? before : made;
  }
}

/* --- any op --- */

/* Is operand 0 of OP, and its result too if it is arithmetic, one whole
 * number? */
static bool
is_whole(struct denoted *d, op_id op) {
  return shape_is_whole(d->terms, denote_shape(d, ir_operand(d->m, op, 0)));
}

/* OP gives what it is given, one by one. */
static bool
hand_on(struct denoted *d, op_id op) {
  uint32_t count = d->m->op_result_count[op];
  if (count != d->m->op_use_count[op])
    return false;
  for (uint32_t i = 0; i < count; i++)
    d->value[ir_result(d->m, op, i)] = operand_of(d, op, i);
  return true;
}

/* Let OP have a term by what it means; false where only its text says it. */
static bool
interpret(struct denoted *d, op_id op, enum action action) {
  int64_t number;
  switch (action) {
  case ACTION_ADD:
  case ACTION_SUBTRACT:
  case ACTION_MULTIPLY:
  case ACTION_NEGATE:
    return is_whole(d, op) && make_sum(d, op, action);
  case ACTION_BARRIER:
    return hand_on(d, op);
  case ACTION_BROADCAST:
    if (!is_view(d, op))
      return false;
    make_result(d, op, TERM_RESHAPE, 0);
    return true;
  case ACTION_CLAMP:
  case ACTION_MAXIMUM:
  case ACTION_MINIMUM:
    if (!is_whole(d, op))
      return false;
    make_result(d, op,
                action == ACTION_CLAMP     ? TERM_CLAMP
                : action == ACTION_MAXIMUM ? TERM_MAXIMUM
                                           : TERM_MINIMUM,
                0);
    return true;
  case ACTION_COMPARE:
    if (!is_whole(d, op) || !order_of(d->m, op, &number))
      return false;
    make_result(d, op, TERM_COMPARE, number);
    return true;
  case ACTION_CONSTANT:
    return make_constant(d, op);
  case ACTION_CONVERT:
    make_result(d, op, TERM_CONVERT, 0);
    return true;
  case ACTION_COPY:
    return hand_on(d, op);
  case ACTION_ELEMENT:
    if (!ir_attribute_integer(d->m, op, "index", &number))
      return false;
    make_result(d, op, TERM_ELEMENT, number);
    return true;
  case ACTION_RESHAPE:
    make_result(d, op, TERM_RESHAPE, 0);
    return true;
  case ACTION_SELECT:
    make_result(d, op, TERM_SELECT, 0);
    return true;
  case ACTION_SLICE:
    make_result(d, op, TERM_SLICE, 0);
    return true;
  case ACTION_TUPLE:
    make_result(d, op, TERM_TUPLE, 0);
    return true;
  case ACTION_UPDATE:
    make_result(d, op, TERM_UPDATE, 0);
    return true;
  default:
    return false;
  }
}

static void
run_op(struct denoted *d, op_id op) {
  enum action action = action_of(d->m, op);
  switch (action) {
  case ACTION_PLAIN:
    denote_plain(d, op, false);
    break;
  case ACTION_PARAMETER:
    break; /* it has what was passed */
  case ACTION_CALL:
    run_call(d, op);
    break;
  case ACTION_BRANCH:
    run_branches(d, op);
    break;
  case ACTION_LOOP:
    if (!denote_loop(d, op))
      denote_plain(d, op, false);
    break;
  default:
    if (d->m->op_result_count[op] != 1 || !interpret(d, op, action))
      denote_plain(d, op, true);
    break;
  }
}

void
denote_block(struct denoted *d, block_id block, op_id root, term_id *results) {
  const struct ir_module *m = d->m;
  uint32_t count = m->block_op_count[block];
  for (uint32_t i = 0; i < count && !d->fault; i++) {
    op_id op = ir_block_op(m, block, i);
    if (!(m->op_flags[op] & OP_TERMINATOR))
      run_op(d, op);
  }
  if (!results || d->fault)
    return;
  if (root != NONE) {
    results[0] = term_of(d, ir_result(m, root, 0));
    return;
  }
  op_id end = ir_block_op(m, block, count - 1);
  for (uint32_t i = 0; i < m->op_use_count[end]; i++)
    results[i] = operand_of(d, end, i);
}

const char *
denote_function(struct denoted *d, function_id function, term_id *results) {
  const struct ir_function *f = &d->m->functions.data[function];
  struct term argument = {
      .kind = TERM_ARGUMENT, .shape = d->terms->index_shape, .a = -1};
  term_id *in = ARENA_ARRAY(d->arena, term_id, f->argument_count);
  d->state = term_enter(d->terms, &argument, NULL, 0);
  for (uint32_t i = 0; i < f->argument_count; i++) {
    argument.a = i;
    argument.shape = f->arguments[i] == NONE ? d->terms->index_shape
                                             : denote_shape(d, f->arguments[i]);
    in[i] = term_enter(d->terms, &argument, NULL, 0);
  }
  d->fault = NULL;
  if (!run_function(d, function, in, f->argument_count, results))
    return "its body is not one block";
  results[f->root != NONE ? 1 : f->result_count] = d->state;
  return d->fault;
}
