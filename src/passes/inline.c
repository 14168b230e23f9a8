/* inline.c - see inline.h: what a compiler does with calls, done before.
 *
 * A compiler that fuses puts the bodies of functions in the place of their
 * calls before anything else, so what it stores can only be said, and planned,
 * of the program without them.  The program is written without calls
 * (inline_text.c), read again, and takes the place of the input: the pipeline
 * begins anew.  Where then nothing is planned, what is printed is the program
 * as it was given; else functions that only those calls named are gone.  That
 * the two are the same is proved when all is done (verify_calls.c).
 *
 * Calls stay where the callee is not one block, calls itself, has attributes,
 * or ops with an order of their own (HLO's control predecessors); where the
 * call has attributes; and all of them where the program would become too
 * large, or a plan is given or to be saved, which is one of the input as it is.
 *
 * O(ops that come to be). */
#include "passes/inline.h"

#include "passes/facts.h"
#include "passes/manager.h"
#include "passes/options.h"
#include "passes/pass.h"

extern const struct pass pass_inline;

/* By function: what its body is to a call. */
struct bodies {
  struct inlining *i;
  const struct facts *facts;
  const function_id *of; /* by op */
  bool *simple;          /* by function: can take the place of a call */
  uint8_t *state;        /* by function: of the walk over calls */
  uint64_t *ops;         /* by function, with what is put into it */
};

enum { STATE_NEW, STATE_BUSY, STATE_DONE };

/* --- functions --- */

/* Do FUNCTION's arguments or results say anything beside their types? */
static bool
has_attributes(const struct ir_function *f) {
  for (uint32_t i = 0; f->argument_attributes && i < f->argument_count; i++)
    if (f->argument_attributes[i].begin < f->argument_attributes[i].end)
      return true;
  for (uint32_t i = 0; f->result_attributes && i < f->result_count; i++)
    if (f->result_attributes[i].begin < f->result_attributes[i].end)
      return true;
  return f->attributes.begin < f->attributes.end;
}

/* Is FUNCTION's body one block whose end hands on what it returns? */
static bool
is_simple(const struct ir_module *m, function_id function) {
  const struct ir_function *f = &m->functions.data[function];
  block_id block = f->body == NONE ? NONE : m->region_block[f->body];
  if (block == NONE || m->block_next[block] != NONE ||
      !m->block_op_count[block] || f->name == NONE || has_attributes(f))
    return false;
  if (f->root != NONE) {
    for (uint32_t i = 0; i < f->argument_count; i++)
      if (f->arguments[i] == ir_result(m, f->root, 0))
        return false;
    return true;
  }
  op_id last = ir_block_op(m, block, m->block_op_count[block] - 1);
  return m->op_flags[last] & OP_TERMINATOR &&
         m->op_use_count[last] == f->result_count;
}

/* How often the canonical text of OP, a call, says "=": once for the callee,
 * where that has a name there. */
static bool
says_more(const struct ir_module *m, op_id op, struct arena *arena) {
  struct buffer text = {.arena = arena};
  uint32_t count = 0, usual = m->op_flags[op] & OP_GENERIC ||
                              m->functions.data[0].op == NONE;
  m->format->canonical(&text, m, op);
  for (size_t i = 0; i < text.size; i++)
    count += text.data[i] == '=';
  return count != usual;
}

/* The function whose body can take OP's place, or NONE. */
static function_id
callee_of(const struct bodies *b, op_id op) {
  const struct ir_module *m = b->i->module;
  uint32_t count;
  if (facts_of(b->facts, op)->body != BODY_CALL ||
      m->op_flags[op] & OP_HAS_MARKS)
    return NONE;
  const struct ir_call *call = ir_op_calls(m, op, &count);
  struct text name = ir_op_name(m, op);
  if (count != 1 || call->role != CALL_FLOW || call->callee == NONE ||
      !b->simple[call->callee] || b->of[op] == NONE ||
      !(text_is(name, "func.call") || text_is(name, "call")))
    return NONE;
  const struct ir_function *callee = &m->functions.data[call->callee];
  const struct ir_function *caller = &m->functions.data[b->of[op]];
  bool apart = callee->op != NONE && caller->op != NONE &&
               m->op_block[callee->op] != m->op_block[caller->op];
  if (apart || callee->argument_count != m->op_use_count[op] ||
      (callee->op != NONE && callee->result_count != m->op_result_count[op]) ||
      says_more(m, op, b->i->arena))
    return NONE;
  return call->callee;
}

/* --- which calls --- */

/* Find what is put in the place of FUNCTION's calls, callees first, and how
 * large that makes it.  Recursion is as deep as calls are. */
static void
find_callees(struct bodies *b, function_id function, const op_id *first) {
  const struct ir_module *m = b->i->module;
  if (b->state[function] != STATE_NEW)
    return;
  b->state[function] = STATE_BUSY;
  for (op_id op = first[function]; op < m->op_count && b->of[op] == function;
       op++) {
    function_id callee = callee_of(b, op);
    b->ops[function] = saturating_add(b->ops[function], 1);
    if (callee == NONE)
      continue;
    find_callees(b, callee, first);
    if (b->state[callee] == STATE_BUSY)
      continue; /* it calls itself */
    b->i->callee[op] = callee;
    b->ops[function] = saturating_add(b->ops[function], b->ops[callee]);
  }
  b->state[function] = STATE_DONE;
}

/* FUNCTION is called by what stays: so it stays.  Then what its ops, and those
 * of the bodies that are put into it, name. */
static void
keep(struct bodies *b, function_id function, const op_id *first,
     uint8_t *walked, bool stays) {
  const struct ir_module *m = b->i->module;
  b->i->kept[function] |= stays;
  if (walked[function])
    return;
  walked[function] = true;
  for (op_id op = first[function]; op < m->op_count && b->of[op] == function;
       op++) {
    uint32_t count;
    const struct ir_call *calls = ir_op_calls(m, op, &count);
    for (uint32_t i = 0; i < count; i++)
      if (calls[i].callee != NONE)
        keep(b, calls[i].callee, first, walked, b->i->callee[op] == NONE);
  }
}

/* By function: its first op, that of all numbers where it has none. */
static op_id *
first_ops(const struct bodies *b) {
  const struct ir_module *m = b->i->module;
  op_id *first = ARENA_ARRAY(b->i->arena, op_id, m->functions.count);
  for (function_id f = 0; f < m->functions.count; f++)
    first[f] = m->op_count;
  for (op_id op = m->op_count; op-- > 0;)
    if (b->of[op] != NONE)
      first[b->of[op]] = op;
  return first;
}

/* Has every function that has a name one of its own? */
static bool
are_named_apart(const struct bodies *b) {
  const struct ir_module *m = b->i->module;
  bool *seen = ARENA_ARRAY(b->i->arena, bool, m->names->count);
  for (function_id f = 0; f < m->functions.count; f++) {
    name_id name = m->functions.data[f].name;
    if (name == NONE)
      continue;
    if (seen[name])
      return false;
    seen[name] = true;
  }
  return true;
}

/* Find what becomes of the calls; how many go. */
static uint32_t
find_calls(struct bodies *b, uint64_t *ops) {
  struct inlining *i = b->i;
  const struct ir_module *m = i->module;
  const bool *called = ir_called_functions(m, i->arena);
  const op_id *first = first_ops(b);
  uint8_t *walked = ARENA_ARRAY(i->arena, uint8_t, m->functions.count);
  uint32_t count = 0;
  for (function_id f = 0; f < m->functions.count; f++) {
    b->simple[f] = is_simple(m, f);
    if (m->functions.data[f].fixed)
      return 0;
  }
  if (!are_named_apart(b))
    return 0;
  for (uint32_t c = 0; c < m->controls.count; c++)
    if (b->of[m->controls.data[c].op] != NONE)
      b->simple[b->of[m->controls.data[c].op]] = false;
  for (function_id f = 0; f < m->functions.count; f++)
    find_callees(b, f, first);
  for (uint32_t c = 0; c < m->controls.count; c++)
    i->callee[m->controls.data[c].op] =
        i->callee[m->controls.data[c].predecessor] = NONE;
  for (function_id f = 0; f < m->functions.count; f++)
    if (m->functions.data[f].entry || !called[f] || !ir_is_private(m, f))
      keep(b, f, first, walked, true);
  for (function_id f = 0; f < m->functions.count; f++)
    *ops = i->kept[f] ? saturating_add(*ops, b->ops[f]) : *ops;
  for (op_id op = 0; op < m->op_count; op++)
    count += i->callee[op] != NONE;
  return count;
}

/* Find what makes tuples and what takes them apart, and whose are used
 * whole. */
static void
find_tuples(struct inlining *i, const struct facts *facts) {
  const struct ir_module *m = i->module;
  for (op_id op = 0; op < m->op_count; op++) {
    int64_t element = -1;
    i->tuple[op] = facts_has(facts, op, FACT_TUPLE);
    if (facts_has(facts, op, FACT_ELEMENT) && m->op_use_count[op] == 1 &&
        !(m->op_flags[op] & (OP_ROOT | OP_HAS_MARKS)))
      ir_attribute_integer(m, op, "index", &element);
    if (element >= 0 && element < UINT32_MAX - 1)
      i->element[op] = (uint32_t)element + 1;
    i->whole[op] |= (m->op_flags[op] & OP_ROOT) != 0;
    for (uint32_t u = 0; u < m->op_use_count[op] && !i->element[op]; u++) {
      op_id from = ir_value_op(m, ir_operand(m, op, u));
      if (from != NONE)
        i->whole[from] = true;
    }
  }
}

/* --- the pass --- */

static bool
gate_inline(const struct program *program) {
  const struct options *options = program->options;
  return program->is_fused && !program->given && !program->before &&
         program->reread && program->input->calls.count &&
         program->input->format->spelling && !program->input->scheduled &&
         !options->plan && !options->plan_saved && !options->function;
}

/* Put MODULE in the place of the input. */
static void
replace_input(struct program *program, const struct ir_module *module) {
  struct program before = *program;
  *program = (struct program){.arena = before.arena,
                              .scratch = before.scratch,
                              .diagnostics = before.diagnostics,
                              .options = before.options,
                              .rules = before.rules,
                              .device = before.device,
                              .input = module,
                              .given = before.input,
                              .given_facts = before.facts,
                              .is_fused = before.is_fused,
                              .reread = before.reread,
                              .reread_user = before.reread_user};
}

static bool
execute_inline(struct program *program) {
  const struct ir_module *m = program->input;
  struct arena *arena = program->arena;
  struct inlining i = {arena,
                       m,
                       ARENA_ARRAY(arena, function_id, m->op_count),
                       ARENA_ARRAY(arena, bool, m->functions.count),
                       ARENA_ARRAY(arena, uint32_t, m->op_count),
                       ARENA_ARRAY(arena, bool, m->op_count),
                       ARENA_ARRAY(arena, bool, m->op_count)};
  struct bodies b = {&i,
                     program->facts,
                     ir_functions_of_ops(m, arena),
                     ARENA_ARRAY(arena, bool, m->functions.count),
                     ARENA_ARRAY(arena, uint8_t, m->functions.count),
                     ARENA_ARRAY(arena, uint64_t, m->functions.count)};
  uint64_t ops = 0, least = (uint64_t)pass_parameter(program, &pass_inline,
                                                     "inline-ops");
  double growth = pass_parameter(program, &pass_inline, "inline-growth");
  for (op_id op = 0; op < m->op_count; op++)
    i.callee[op] = NONE;
  uint32_t count = find_calls(&b, &ops);
  if (!count)
    return true;
  if (ops > least && (double)ops > growth * m->op_count) {
    diagnose(program->diagnostics, DIAGNOSTIC_MISSED, NO_LOCATION,
             "calls stay: with the bodies in their place the program would "
             "have %llu ops",
             (unsigned long long)ops);
    return true;
  }
  find_tuples(&i, program->facts);
  struct source_pieces pieces;
  struct text text = inline_text(&i, &pieces);
  const struct ir_module *module =
      text.size ? program->reread(program->reread_user, arena, text, &pieces)
                : NULL;
  if (module)
    replace_input(program, module);
  return true;
}

static void
dump_inline(const struct program *program, struct buffer *out) {
  if (program->given)
    buffer_printf(out, "%u ops in %u functions, %u in %u without calls\n",
                  program->given->op_count, program->given->functions.count,
                  program->input->op_count, program->input->functions.count);
}

static const struct parameter inline_parameters[] = {
    {"inline-ops", "ops that a program may have without its calls at least",
     200000, 0, 1e9},
    {"inline-growth",
     "times the ops it had that a program may have without "
     "its calls",
     4, 0, 1000},
    {NULL, NULL, 0, 0, 0},
};

const struct pass pass_inline = {
    .name = "inline",
    .help = "put the bodies of functions in the place of their calls",
    .requires_ = PROP_FACTS,
    .parameters = inline_parameters,
    .gate = gate_inline,
    .execute = execute_inline,
    .dump = dump_inline,
};
