/* number_program.c - the expressions of a program; see number.h.
 *
 * Block by block in program order.  A scope is a function or a region that is
 * evaluated; an outlined function is evaluated in the scope of its caller, once
 * for each call.  A value that is read before it is defined (in a graph region,
 * or in a block that stands behind) is a NODE_FORWARD, and what it turns out to
 * be belongs to what the scope comes to.  Functions that call themselves are
 * matched by their names, which holds as long as they are themselves compared.
 */
#include "passes/number.h"

#include <string.h>

enum { CALLS_DEEPEST = 200 };

/* More evaluated ops than this share of the module, and calls are not looked
 * into any more but compared as functions. */
enum { WORK_SHARE = 64, WORK_LEAST = 1 << 22 };

/* A value that was read before it was defined. */
struct pending {
  value_id value;
  uint32_t node;
};

struct scope {
  struct numbered *numbered;
  struct arena *arena;
  uint32_t depth;
  bool quiet; /* its values are never stored: instances do not count */
  uint32_t calls, forwards;
  VECTOR(uint32_t) effects;
  VECTOR(struct pending) pendings;
};

typedef VECTOR(uint32_t) numbers;

static uint32_t region_digest(struct scope *outer, region_id region,
                              uint32_t index);
static uint32_t function_digest(struct numbered *n, function_id function);
static void number_op(struct scope *scope, op_id op);

static uint32_t
intern(struct numbered *n, enum node_kind kind, uint32_t head, uint32_t plain,
       const numbers *parts) {
  struct node node = {kind, head, 0, plain, parts->count};
  return number_node(n->numbering, node, parts->data);
}

/* A node of plain numbers, and PART where it is not NONE. */
static uint32_t
small_node(struct numbered *n, enum node_kind kind, struct node small,
           const uint32_t parts[5]) {
  small.kind = kind;
  return number_node(n->numbering, small, parts);
}

/* --- heads --- */

/* TEXT as a head; kept where it is new. */
static uint32_t
intern_head(struct numbering *numbering, struct text text) {
  uint32_t id = string_find(numbering->heads, text);
  if (id != STRING_NONE)
    return id;
  struct text kept = {arena_copy(numbering->arena, text.data, text.size),
                      text.size};
  return string_intern(numbering->heads, kept);
}

/* Does the text of a constant leave its value out? */
static bool
is_left_out(struct text head) {
  return text_find(head, "__elided__") || text_find(head, "({...})") ||
         text_find(head, "constant;{...}");
}

/* What OP says: its name, and behind it its text. */
static uint32_t
head_of(struct numbered *n, op_id op) {
  const struct ir_module *m = n->module;
  op_id from = m->base ? m->op_origin[op] : op;
  struct buffer *text = &n->numbering->text;
  if (from != NONE && n->head[from])
    return n->head[from] - 1;
  text->size = 0;
  buffer_text(text, ir_op_name(m, op));
  buffer_string(text, "\n");
  int64_t index;
  if (from != NONE)
    m->format->canonical(text, m->base ? m->base : m, from);
  else if (ir_attribute_integer(m, op, "index", &index))
    buffer_number(text, (uint64_t)index);
  else if (!facts_has(n->facts, op, FACT_TUPLE))
    buffer_printf(text, "added %u", op); /* what it says is not known here */
  struct text said = {text->data, (uint32_t)text->size};
  uint32_t head = intern_head(n->numbering, said);
  n->unseen += is_left_out(said);
  if (from != NONE)
    n->head[from] = head + 1;
  return head;
}

/* TYPE as a head: element type and shape where it has one. */
static uint32_t
type_head(struct numbered *n, type_id id) {
  struct buffer *text = &n->numbering->text;
  text->size = 0;
  if (id == TYPE_NONE)
    return intern_head(n->numbering, TEXT("?"));
  const struct type *type = type_get(n->module->types, id);
  if (type->kind == TYPE_TENSOR && type->dtype != DTYPE_NONE &&
      dtype_infos[type->dtype].name && !type->unranked) {
    buffer_string(text, dtype_infos[type->dtype].name);
    for (uint32_t i = 0; i < type->rank; i++) {
      buffer_string(text, "x");
      buffer_number(text, type->dims[i]);
    }
  } else {
    buffer_text(text, type->spelling);
  }
  return intern_head(n->numbering,
                     (struct text){text->data, (uint32_t)text->size});
}

/* --- values --- */

static uint32_t
argument_node(struct scope *scope, value_id value, uint32_t region,
              const uint32_t place[2]) {
  struct numbered *n = scope->numbered;
  const uint32_t parts[5] = {scope->depth, region, place[0], place[1]};
  struct node node = {.head = type_head(n, n->module->value_type[value]),
                      .plain = 4,
                      .count = 4};
  return small_node(n, NODE_ARGUMENT, node, parts);
}

/* What VALUE, an operand, is. */
static uint32_t
number_use(struct scope *scope, value_id value) {
  struct numbered *n = scope->numbered;
  if (value < n->module->value_count && n->number[value] != NONE)
    return n->number[value];
  for (uint32_t i = 0; i < scope->pendings.count; i++)
    if (scope->pendings.data[i].value == value)
      return scope->pendings.data[i].node;
  const uint32_t parts[5] = {scope->depth, scope->forwards++};
  struct node node = {.plain = 2, .count = 2};
  struct pending pending = {value, small_node(n, NODE_FORWARD, node, parts)};
  vector_push(scope->arena, &scope->pendings, pending);
  return pending.node;
}

/* Result INDEX of NODE. */
static uint32_t
result_node(struct numbered *n, uint32_t node, uint32_t index) {
  const uint32_t parts[5] = {index, node};
  struct node result = {.plain = 1, .count = 2};
  return index ? small_node(n, NODE_RESULT, result, parts) : node;
}

/* NODE runs next of what SCOPE has to run: an expression of its own. */
static uint32_t
effect_node(struct scope *scope, uint32_t node) {
  const uint32_t parts[5] = {scope->depth, scope->effects.count, node};
  struct node effect = {.plain = 2, .count = 3};
  uint32_t made = small_node(scope->numbered, NODE_EFFECT, effect, parts);
  vector_push(scope->arena, &scope->effects, made);
  return made;
}

/* OP is an instance of NODE. */
static void
note_instance(struct scope *scope, uint32_t node, op_id op) {
  struct numbered *n = scope->numbered;
  op_id *first = &n->numbering->first_op[n->side].data[node];
  n->op_node[op] = node;
  if (*first == NONE)
    *first = op;
  uint32_t shows = n->numbering->through ? FACT_TUPLE | FACT_ELEMENT : 0;
  if (!scope->quiet && !(facts_of(n->facts, op)->flags & shows))
    n->numbering->instances[n->side].data[node]++;
}

/* --- blocks --- */

/* Values of REGION's blocks are not known yet; its arguments are those of
 * region number INDEX at SCOPE's depth. */
static void
begin_region(struct scope *scope, region_id region, uint32_t index) {
  struct numbered *n = scope->numbered;
  const struct ir_module *m = n->module;
  uint32_t place[2] = {0, 0};
  for (block_id b = m->region_block[region]; b != NONE; b = m->block_next[b]) {
    for (uint32_t i = 0; i < m->block_argument_count[b]; i++) {
      value_id value = m->block_first_argument[b] + i;
      place[1] = i;
      n->number[value] = argument_node(scope, value, index, place);
    }
    for (uint32_t i = 0; i < m->block_op_count[b]; i++) {
      op_id op = ir_block_op(m, b, i);
      for (uint32_t r = 0; r < m->op_result_count[op]; r++)
        n->number[ir_result(m, op, r)] = NONE;
    }
    place[0]++;
  }
}

/* The arguments of an HLO computation are results of its parameter ops. */
static void
begin_parameters(struct scope *scope, const struct ir_function *function) {
  struct numbered *n = scope->numbered;
  for (uint32_t i = 0; i < function->argument_count; i++) {
    value_id value = function->arguments[i];
    const uint32_t place[2] = {0, i};
    if (value != NONE && ir_value_op(n->module, value) != NONE)
      n->number[value] = argument_node(scope, value, 0, place);
  }
}

static bool
is_terminator(const struct numbered *n, op_id op) {
  return (n->module->op_flags[op] & OP_TERMINATOR) ||
         facts_has(n->facts, op, FACT_TERMINATOR);
}

static void
number_block(struct scope *scope, block_id block) {
  const struct ir_module *m = scope->numbered->module;
  for (uint32_t i = 0; i < m->block_op_count[block]; i++)
    number_op(scope, ir_block_op(m, block, i));
}

/* The last op of BLOCK if it ends it, or NONE. */
static op_id
terminator_of(const struct numbered *n, block_id block) {
  const struct ir_module *m = n->module;
  uint32_t count = m->block_op_count[block];
  op_id last = count ? ir_block_op(m, block, count - 1) : NONE;
  return last != NONE && is_terminator(n, last) ? last : NONE;
}

/* What SCOPE, whose blocks are evaluated, has to run and what stands behind. */
static void
end_scope(struct scope *scope, numbers *parts) {
  for (uint32_t i = 0; i < scope->effects.count; i++)
    vector_push(scope->arena, parts, scope->effects.data[i]);
  for (uint32_t i = 0; i < scope->pendings.count; i++) {
    value_id value = scope->pendings.data[i].value;
    uint32_t number = scope->numbered->number[value];
    vector_push(scope->arena, parts, scope->pendings.data[i].node);
    vector_push(scope->arena, parts,
                number == NONE ? scope->pendings.data[i].node : number);
  }
}

/* The node of REGION, which SCOPE evaluated, RESULTS being what an HLO
 * computation returns. */
static uint32_t
close_region(struct scope *scope, region_id region, value_id result) {
  struct numbered *n = scope->numbered;
  const struct ir_module *m = n->module;
  numbers parts = {0};
  vector_push(scope->arena, &parts, scope->effects.count);
  vector_push(scope->arena, &parts, scope->pendings.count);
  uint32_t plain = parts.count;
  end_scope(scope, &parts);
  for (block_id b = m->region_block[region]; b != NONE; b = m->block_next[b]) {
    op_id last = terminator_of(n, b);
    if (last != NONE)
      vector_push(scope->arena, &parts, n->op_node[last]);
  }
  if (result != NONE)
    vector_push(scope->arena, &parts, number_use(scope, result));
  uint32_t head = intern_head(n->numbering, TEXT("body"));
  return intern(n, NODE_REGION, head, plain, &parts);
}

static uint32_t
region_digest(struct scope *outer, region_id region, uint32_t index) {
  struct numbered *n = outer->numbered;
  const struct ir_module *m = n->module;
  struct arena arena = {0};
  block_id first = m->region_block[region];
  struct scope scope = {.numbered = n,
                        .arena = &arena,
                        .depth = outer->depth + 1,
                        .calls = outer->calls,
                        .quiet =
                            outer->quiet ||
                            (first != NONE && !n->facts->block_stored[first])};
  begin_region(&scope, region, index);
  for (block_id b = first; b != NONE; b = m->block_next[b])
    number_block(&scope, b);
  uint32_t node = close_region(&scope, region, NONE);
  arena_empty(&arena);
  return node;
}

/* --- functions --- */

/* The value that FUNCTION, an HLO computation, returns; or NONE. */
static value_id
root_value(const struct ir_module *m, const struct ir_function *function) {
  return function->root == NONE ? NONE : ir_result(m, function->root, 0);
}

static uint32_t
function_digest(struct numbered *n, function_id id) {
  const struct ir_module *m = n->module;
  const struct ir_function *function = &m->functions.data[id];
  struct arena arena = {0};
  struct scope scope = {.numbered = n,
                        .arena = &arena,
                        .depth = 1,
                        .quiet = !n->facts->function_stored[id]};
  if (n->digest[id])
    return n->digest[id] - 1;
  uint32_t node;
  if (n->opaque[id] || function->body == NONE) {
    numbers none = {0};
    struct text name = string_text(m->names, function->name);
    node = intern(n, NODE_REGION, intern_head(n->numbering, name), 0, &none);
  } else {
    begin_region(&scope, function->body, 0);
    begin_parameters(&scope, function);
    for (block_id b = m->region_block[function->body]; b != NONE;
         b = m->block_next[b])
      number_block(&scope, b);
    node = close_region(&scope, function->body, root_value(m, function));
  }
  arena_empty(&arena);
  n->digest[id] = node + 1;
  return node;
}

/* The function that OP does nothing but call with its operands, where it is to
 * be looked into; else NONE. */
static function_id
outlined(const struct scope *scope, op_id op) {
  struct numbered *n = scope->numbered;
  const struct ir_module *m = n->module;
  uint32_t count;
  const struct ir_call *calls = ir_op_calls(m, op, &count);
  enum fact_body body = facts_of(n->facts, op)->body;
  if (!n->numbering->through || count != 1 || m->op_region[op] != NONE ||
      (body != BODY_CALL && body != BODY_FUSED) || calls->callee == NONE ||
      scope->calls == CALLS_DEEPEST ||
      n->work > (uint64_t)WORK_SHARE * m->op_count + WORK_LEAST)
    return NONE;
  const struct ir_function *function = &m->functions.data[calls->callee];
  block_id block =
      function->body == NONE ? NONE : m->region_block[function->body];
  if (block == NONE || m->block_next[block] != NONE ||
      n->opaque[calls->callee] || n->active[calls->callee] ||
      function->argument_count != m->op_use_count[op])
    return NONE;
  op_id last = terminator_of(n, block);
  bool returns =
      function->root != NONE
          ? m->op_result_count[op] == 1
          : last != NONE && m->op_use_count[last] == m->op_result_count[op];
  return returns ? calls->callee : NONE;
}

/* OP's results are what CALLEE makes of its operands. */
static void
number_call(struct scope *scope, op_id op, function_id callee) {
  struct numbered *n = scope->numbered;
  const struct ir_module *m = n->module;
  const struct ir_function *function = &m->functions.data[callee];
  block_id block = m->region_block[function->body];
  numbers operands = {0};
  for (uint32_t i = 0; i < m->op_use_count[op]; i++)
    vector_push(scope->arena, &operands,
                number_use(scope, ir_operand(m, op, i)));
  begin_region(scope, function->body, 0);
  for (uint32_t i = 0; i < operands.count; i++)
    if (function->arguments[i] != NONE)
      n->number[function->arguments[i]] = operands.data[i];
  n->active[callee] = true;
  scope->calls++;
  number_block(scope, block);
  scope->calls--;
  n->active[callee] = false;
  op_id last = terminator_of(n, block);
  for (uint32_t i = 0; i < m->op_result_count[op]; i++)
    n->number[ir_result(m, op, i)] =
        number_use(scope, function->root != NONE ? root_value(m, function)
                                                 : ir_operand(m, last, i));
}

/* --- ops --- */

/* Give OP's results the numbers of what it hands on.  False where it makes
 * something. */
static bool
number_handed_on(struct scope *scope, op_id op) {
  struct numbered *n = scope->numbered;
  const struct ir_module *m = n->module;
  uint32_t flags = facts_of(n->facts, op)->flags;
  int64_t index;
  if ((flags & FACT_ARGUMENT) && m->op_result_count[op] == 1 &&
      n->number[ir_result(m, op, 0)] != NONE)
    return true;
  if (!n->numbering->through)
    return false;
  if (((flags & FACT_FORWARDS) &&
       m->op_use_count[op] == m->op_result_count[op]) ||
      number_is_identity(m, op)) {
    for (uint32_t i = 0; i < m->op_use_count[op]; i++)
      n->number[ir_result(m, op, i)] = number_use(scope, ir_operand(m, op, i));
    return true;
  }
  if (!(flags & FACT_ELEMENT) || m->op_use_count[op] != 1 ||
      m->op_result_count[op] != 1 ||
      !ir_attribute_integer(m, op, "index", &index))
    return false;
  uint32_t from = number_use(scope, ir_operand(m, op, 0));
  const struct node *node = &n->numbering->nodes.data[from];
  if (!n->numbering->tuple.data[from] || index < 0 ||
      index >= node->count - node->plain)
    return false;
  n->number[ir_result(m, op, 0)] =
      n->numbering->parts.data[node->first + node->plain + index];
  return true;
}

/* The number of SUCCESSOR among the blocks of its region. */
static uint32_t
block_number(const struct ir_module *m, block_id successor) {
  uint32_t number = 0;
  for (block_id b = m->region_block[m->block_region[successor]];
       b != successor && b != NONE; b = m->block_next[b])
    number++;
  return number;
}

/* The node of OP by what it says and reads. */
static uint32_t
op_node(struct scope *scope, op_id op) {
  struct numbered *n = scope->numbered;
  const struct ir_module *m = n->module;
  numbers parts = {0};
  uint32_t count, index = 0;
  struct arena arena = {0};
  vector_push(&arena, &parts, m->op_use_count[op]);
  const struct ir_successor *successors = ir_op_successors(m, op, &count);
  for (uint32_t i = 0; i < count; i++) {
    vector_push(&arena, &parts, block_number(m, successors[i].block));
    vector_push(&arena, &parts, successors[i].use_count);
  }
  uint32_t plain = parts.count;
  for (uint32_t i = 0; i < m->op_use_count[op]; i++)
    vector_push(&arena, &parts, number_use(scope, ir_operand(m, op, i)));
  for (region_id r = m->op_region[op]; r != NONE; r = m->region_next[r])
    vector_push(&arena, &parts, region_digest(scope, r, index++));
  const struct ir_call *calls = ir_op_calls(m, op, &count);
  for (uint32_t i = 0; i < count; i++)
    if (calls[i].callee != NONE)
      vector_push(&arena, &parts, function_digest(n, calls[i].callee));
  uint32_t node = intern(n, NODE_OP, head_of(n, op), plain, &parts);
  arena_empty(&arena);
  return node;
}

/* Has OP to run just where it stands, and once? */
static bool
is_bound(const struct numbered *n, op_id op) {
  if (!n->numbering->through && facts_has(n->facts, op, FACT_BARRIER))
    return true;
  return !n->facts->op_repeatable[op] && !is_terminator(n, op);
}

static void
number_op(struct scope *scope, op_id op) {
  struct numbered *n = scope->numbered;
  const struct ir_module *m = n->module;
  n->work++;
  if (number_handed_on(scope, op))
    return;
  function_id callee = outlined(scope, op);
  if (callee != NONE) {
    number_call(scope, op, callee);
    return;
  }
  uint32_t node = op_node(scope, op);
  if (facts_has(n->facts, op, FACT_TUPLE) && m->op_result_count[op] == 1 &&
      m->op_region[op] == NONE)
    n->numbering->tuple.data[node] = true;
  if (is_terminator(n, op)) {
    n->op_node[op] = node;
    if (n->numbering->first_op[n->side].data[node] == NONE)
      n->numbering->first_op[n->side].data[node] = op;
    return;
  }
  note_instance(scope, node, op);
  if (is_bound(n, op)) {
    node = effect_node(scope, node);
    if (n->numbering->first_op[n->side].data[node] == NONE)
      n->numbering->first_op[n->side].data[node] = op;
  }
  for (uint32_t i = 0; i < m->op_result_count[op]; i++)
    n->number[ir_result(m, op, i)] = result_node(n, node, i);
}

/* --- programs --- */

/* By function: does it reach itself by calls, or too many of them in a row?
 * Functions that call only settled ones are settled, over and over. */
static void
find_opaque(struct numbered *n) {
  const struct ir_module *m = n->module;
  struct arena arena = {0};
  uint32_t count = m->functions.count;
  const function_id *of = ir_functions_of_ops(m, &arena);
  uint32_t *waits = ARENA_ARRAY(&arena, uint32_t, count);
  uint32_t *level = ARENA_ARRAY(&arena, uint32_t, count);
  uint32_t *first = ARENA_ARRAY(&arena, uint32_t, (size_t)count + 1);
  function_id *caller = ARENA_ARRAY(&arena, function_id, m->calls.count);
  function_id *queue = ARENA_ARRAY(&arena, function_id, count);
  for (uint32_t i = 0; i < m->calls.count; i++) {
    const struct ir_call *call = &m->calls.data[i];
    if (call->callee == NONE || of[call->op] == NONE)
      continue;
    waits[of[call->op]]++;
    first[call->callee + 1]++;
  }
  for (uint32_t i = 0; i < count; i++)
    first[i + 1] += first[i];
  uint32_t *fill = ARENA_ARRAY(&arena, uint32_t, count);
  for (uint32_t i = 0; i < m->calls.count; i++) {
    const struct ir_call *call = &m->calls.data[i];
    if (call->callee != NONE && of[call->op] != NONE)
      caller[first[call->callee] + fill[call->callee]++] = of[call->op];
  }
  uint32_t ready = 0;
  for (function_id f = 0; f < count; f++) {
    n->opaque[f] = true;
    if (!waits[f])
      queue[ready++] = f;
  }
  for (uint32_t at = 0; at < ready; at++) {
    function_id f = queue[at];
    n->opaque[f] = level[f] > CALLS_DEEPEST;
    for (uint32_t i = first[f]; i < first[f + 1]; i++) {
      uint32_t *above = &level[caller[i]];
      *above = level[f] + 1 > *above ? level[f] + 1 : *above;
      if (--waits[caller[i]] == 0)
        queue[ready++] = caller[i];
    }
  }
  arena_empty(&arena);
}

struct numbered *
numbering_add(struct numbering *numbering, uint32_t side,
              const struct ir_module *module, const struct facts *facts) {
  struct arena *arena = numbering->arena;
  struct numbered *n = ARENA_NEW(arena, struct numbered);
  const struct ir_module *text = module->base ? module->base : module;
  *n = (struct numbered){
      .numbering = numbering,
      .module = module,
      .facts = facts,
      .side = side,
      .number = ARENA_ARRAY(arena, uint32_t, module->value_count),
      .op_node = ARENA_ARRAY(arena, uint32_t, module->op_count),
      .head = ARENA_ARRAY(arena, uint32_t, text->op_count),
      .digest = ARENA_ARRAY(arena, uint32_t, module->functions.count),
      .opaque = ARENA_ARRAY(arena, bool, module->functions.count),
      .active = ARENA_ARRAY(arena, bool, module->functions.count),
  };
  if (module->value_count)
    memset(n->number, 0xff, module->value_count * sizeof *n->number);
  if (module->op_count)
    memset(n->op_node, 0xff, module->op_count * sizeof *n->op_node);
  find_opaque(n);
  return n;
}

/* What a function of one block returns, into OUTCOME. */
static void
take_results(struct scope *scope, const struct ir_function *function,
             struct outcome *outcome) {
  struct numbered *n = scope->numbered;
  const struct ir_module *m = n->module;
  numbers results = {0};
  if (function->root != NONE) {
    uint32_t root = number_use(scope, root_value(m, function));
    const struct node *node = &n->numbering->nodes.data[root];
    if (n->numbering->tuple.data[root])
      for (uint32_t i = node->plain; i < node->count; i++)
        vector_push(n->numbering->arena, &results,
                    n->numbering->parts.data[node->first + i]);
    else
      vector_push(n->numbering->arena, &results, root);
  } else {
    op_id last = terminator_of(n, m->region_block[function->body]);
    for (uint32_t i = 0; last != NONE && i < m->op_use_count[last]; i++)
      vector_push(n->numbering->arena, &results,
                  number_use(scope, ir_operand(m, last, i)));
  }
  outcome->results = results.data;
  outcome->result_count = results.count;
}

void
number_function(struct numbered *n, function_id id, struct outcome *outcome) {
  const struct ir_module *m = n->module;
  const struct ir_function *function = &m->functions.data[id];
  struct scope scope = {.numbered = n, .arena = n->numbering->arena};
  block_id first = m->region_block[function->body];
  *outcome = (struct outcome){0};
  begin_region(&scope, function->body, 0);
  begin_parameters(&scope, function);
  n->active[id] = true;
  for (block_id b = first; b != NONE; b = m->block_next[b])
    number_block(&scope, b);
  n->active[id] = false;
  /* What is read before it is defined has to be looked at as a whole. */
  outcome->whole = first == NONE || m->block_next[first] != NONE ||
                   scope.pendings.count != 0;
  if (outcome->whole) {
    outcome->results = ARENA_NEW(scope.arena, uint32_t);
    *outcome->results =
        close_region(&scope, function->body, root_value(m, function));
    outcome->result_count = 1;
    return;
  }
  take_results(&scope, function, outcome);
  outcome->effects = scope.effects.data;
  outcome->effect_count = scope.effects.count;
}
