/* facts.c - what is known of each op and value.
 *
 *   %1 = "stablehlo.dot_general"(%0, %w) : (...) -> tensor<8x4xf32>
 *     kind      contraction; pure, same bits
 *     cost      what the target's rules say, in ns
 *     leaf      128 bytes
 *
 * Op by op what the rules say, which is asked once for all that are like one
 * model; ops that they describe alike share a kind.
 * Then which bodies are stored at all (those of fusions and reducers are
 * not), what each value occupies, and what may run twice: an op only if all
 * inside of it, and all that it calls, may.  O(ops + values + calls). */
#include "passes/facts.h"
#include "passes/dump.h"
#include "passes/options.h"
#include "passes/shard.h"
#include "passes/trips.h"

#include <string.h>

struct work {
  struct program *program;
  const struct ir_module *module;
  struct facts *facts;
  uint32_t *first_kind;       /* by name: the first kind of its chain, plus 1 */
  VECTOR(uint32_t) next_kind; /* by kind: the next of the same name, plus 1 */
  uint32_t kind_capacity;
  op_id *model;            /* by op: one that is like it, or itself */
  struct shards *shards;   /* NULL: shapes are per device */
  struct op_facts current; /* of the op that is looked at */
};

static uint32_t
new_kind(struct work *work) {
  struct facts *facts = work->facts;
  if (facts->kind_count == work->kind_capacity) {
    size_t old = work->kind_capacity, new = old ? 2 * old : 64;
    facts->kinds =
        arena_grow(work->program->arena, facts->kinds,
                   old * sizeof *facts->kinds, new * sizeof *facts->kinds);
    work->kind_capacity = (uint32_t)new;
  }
  facts->kinds[facts->kind_count] = work->current;
  return facts->kind_count++;
}

/* The kind of ops called NAME that holds WORK's current facts. */
static uint32_t
kind_of(struct work *work, name_id name) {
  uint32_t *link = &work->first_kind[name];
  for (; *link; link = &work->next_kind.data[*link - 1])
    if (memcmp(&work->facts->kinds[*link - 1], &work->current,
               sizeof work->current) == 0)
      return *link - 1;
  uint32_t kind = new_kind(work);
  *link = kind + 1;
  vector_push(work->program->scratch, &work->next_kind, 0);
  return kind;
}

static void
look_at_ops(struct work *work) {
  const struct ir_module *module = work->module;
  struct facts *facts = work->facts;
  for (op_id op = 0; op < module->op_count; op++) {
    op_id model = work->model[op] = rules_model(facts->binding, op);
    if (model != op) {
      facts->op_kind[op] = facts->op_kind[model];
      continue;
    }
    memset(&work->current, 0, sizeof work->current);
    rules_facts(facts->binding, op, &work->current);
    facts->op_kind[op] = kind_of(work, module->op_name[op]);
  }
}

static bool
is_stored(const struct work *work, block_id block) {
  return block == NONE || work->facts->block_stored[block];
}

/* Of what stands in BLOCK, only what is stored is sized and priced.  The model
 * of OP, which is stored, if that one is too and may stand for it; else OP. */
static op_id
sized_model(const struct work *work, op_id op) {
  op_id model = work->model[op];
  return !work->shards && is_stored(work, work->module->op_block[model]) ? model
                                                                         : op;
}

/* Bodies of fusions and reducers, and what stands in them, are not stored.
 * A function is stored unless it is only applied, never run. */
static void
find_stored(struct work *work) {
  const struct ir_module *module = work->module;
  struct facts *facts = work->facts;
  for (function_id i = 0; i < module->functions.count; i++)
    facts->function_stored[i] = true;
  for (uint32_t i = 0; i < module->calls.count; i++)
    if (module->calls.data[i].role == CALL_APPLY)
      facts->function_stored[module->calls.data[i].callee] = false;
  for (uint32_t i = 0; i < module->calls.count; i++)
    if (module->calls.data[i].role == CALL_FLOW)
      facts->function_stored[module->calls.data[i].callee] = true;
  for (block_id block = 0; block < module->block_count; block++)
    facts->block_stored[block] = true;
  for (function_id i = 0; i < module->functions.count; i++) {
    region_id body = module->functions.data[i].body;
    for (block_id block = body == NONE ? NONE : module->region_block[body];
         block != NONE; block = module->block_next[block])
      facts->block_stored[block] = facts->function_stored[i];
  }
  /* Blocks have higher numbers than those that they stand in. */
  for (block_id block = 0; block < module->block_count; block++) {
    op_id op = module->region_op[module->block_region[block]];
    if (op == NONE || module->op_flags[op] & (OP_FUNCTION | OP_MODULE))
      continue;
    enum fact_body body = facts_of(facts, op)->body;
    block_id outer = module->op_block[op];
    if (body == BODY_FUSED || body == BODY_REDUCER ||
        (outer != NONE && !facts->block_stored[outer]))
      facts->block_stored[block] = false;
  }
}

static void
number_leaves(struct work *work) {
  const struct ir_module *module = work->module;
  struct facts *facts = work->facts;
  const struct type_table *types = module->types;
  bool tuples = false;
  for (type_id id = 0; id < types->count; id++)
    tuples |= type_get(types, id)->kind == TYPE_TUPLE;
  facts->leaf_count = module->value_count;
  if (!tuples)
    return;
  facts->value_first_leaf = ARENA_ARRAY(work->program->arena, uint32_t,
                                        (size_t)module->value_count + 1);
  uint32_t count = 0;
  for (value_id value = 0; value < module->value_count; value++) {
    facts->value_first_leaf[value] = count;
    type_id type = module->value_type[value];
    count += type == TYPE_NONE ? 1 : type_get(types, type)->leaves;
  }
  facts->value_first_leaf[module->value_count] = count;
  facts->leaf_count = count;
}

/* Is VALUE in a memory that is not the device's own, and so takes nothing of
 * it?  XLA's spaces S(n) are, whatever the target knows of them: pools of
 * their own, with S(5) the host's. */
static bool
is_elsewhere(const struct work *work, type_id type) {
  const struct ir_module *module = work->module;
  uint32_t space = type_get(module->types, type)->memory_space;
  return space && (strcmp(module->format->name, "hlo") == 0 ||
                   rules_memory_domain(work->program->rules,
                                       work->program->device, space));
}

/* Size the leaves of a tuple TYPE of OP's result RESULT, the first of which
 * is LEAF; the next one. */
static uint32_t
size_leaves(struct work *work, op_id op, type_id id, uint32_t leaf) {
  const struct type *type = type_get(work->module->types, id);
  if (type->kind == TYPE_TUPLE) {
    for (uint32_t i = 0; i < type->part_count; i++)
      leaf = size_leaves(work, op, type->parts[i], leaf);
    return leaf;
  }
  if (!is_elsewhere(work, id))
    work->facts->leaf_bytes[leaf] =
        rules_type_bytes(work->facts->binding, op, 0, id).bytes;
  return leaf + 1;
}

/* The rules say that OP's results are storage of operand ALIAS, where the
 * facts did not: they get a kind that does. */
static void
alias_by_rule(struct work *work, op_id op, int32_t alias) {
  const struct op_facts *facts = facts_of(work->facts, op);
  if (alias < 0 || facts->alias != OPERAND_NONE)
    return;
  memcpy(&work->current, facts, sizeof work->current);
  work->current.alias = alias;
  work->facts->op_kind[op] = kind_of(work, work->module->op_name[op]);
}

/* VALUE, whose leaf is LEAF, in a module that is not yet partitioned.  What an
 * op only annotates is divided as the op says, too. */
static void
size_shard(struct work *work, value_id value, uint32_t leaf) {
  struct facts *facts = work->facts;
  const struct ir_module *module = work->module;
  op_id op = ir_value_op(module, value);
  type_id type = shards_type(work->shards, value);
  if (type == TYPE_NONE) {
    facts->global_values += facts->leaf_bytes[leaf] != 0;
    return;
  }
  facts->sharded_values++;
  if (type == module->value_type[value])
    return;
  facts->leaf_bytes[leaf] = rules_type_bytes(facts->binding, op, 0, type).bytes;
  if (op == NONE || module->op_use_count[op] == 0)
    return;
  bool same =
      facts_of(facts, op)->alias == 0 || facts_has(facts, op, FACT_FORWARDS);
  value_id operand = ir_operand(module, op, 0);
  uint32_t annotated = facts_first_leaf(facts, operand);
  if (!same || module->value_type[operand] != module->value_type[value])
    return;
  if (facts->leaf_bytes[annotated] > facts->leaf_bytes[leaf])
    facts->leaf_bytes[annotated] = facts->leaf_bytes[leaf];
}

static void
size_value(struct work *work, op_id op, value_id value) {
  struct facts *facts = work->facts;
  type_id type = work->module->value_type[value];
  uint32_t leaf = facts_first_leaf(facts, value);
  struct rules_size size = rules_value_bytes(facts->binding, value);
  facts->value_known[value] = (uint8_t)size.known;
  if (type_get(work->module->types, type)->kind == TYPE_TUPLE) {
    size_leaves(work, op, type, leaf);
    return;
  }
  if (!is_elsewhere(work, type))
    facts->leaf_bytes[leaf] = size.bytes;
  if (work->shards)
    size_shard(work, value, leaf);
  if (op != NONE)
    alias_by_rule(work, op, size.alias);
}

/* VALUE, a result of OP, has the size of the one in the same place of MODEL. */
static void
size_like(struct work *work, op_id op, value_id value, op_id model) {
  struct facts *facts = work->facts;
  const struct ir_module *module = work->module;
  value_id from = ir_result(module, model, value - module->op_first_result[op]);
  uint32_t leaf = facts_first_leaf(facts, value);
  uint32_t count = facts_first_leaf(facts, value + 1) - leaf;
  memcpy(facts->leaf_bytes + leaf,
         facts->leaf_bytes + facts_first_leaf(facts, from),
         count * sizeof *facts->leaf_bytes);
  facts->value_known[value] = facts->value_known[from];
  facts->op_kind[op] = facts->op_kind[model];
}

static void
size_values(struct work *work) {
  const struct ir_module *module = work->module;
  struct facts *facts = work->facts;
  number_leaves(work);
  facts->leaf_bytes =
      ARENA_ARRAY(work->program->arena, uint64_t, facts->leaf_count);
  for (value_id value = 0; value < module->value_count; value++) {
    op_id op = ir_value_op(module, value);
    block_id block =
        op == NONE ? ir_value_block(module, value) : module->op_block[op];
    if (module->value_type[value] == TYPE_NONE || !is_stored(work, block))
      continue;
    op_id model = op == NONE ? NONE : sized_model(work, op);
    if (model == op)
      size_value(work, op, value);
    else
      size_like(work, op, value, model);
  }
}

static void
keep_workspace(struct work *work, op_id op, uint64_t workspace) {
  struct facts *facts = work->facts;
  if (!workspace)
    return;
  if (!facts->op_workspace)
    facts->op_workspace =
        ARENA_ARRAY(work->program->arena, uint64_t, work->module->op_count);
  facts->op_workspace[op] = workspace;
}

static void
keep_folded(struct work *work, op_id op, bool folded) {
  struct facts *facts = work->facts;
  if (folded && !facts->op_folded)
    facts->op_folded =
        ARENA_ARRAY(work->program->arena, bool, work->module->op_count);
  if (folded)
    facts->op_folded[op] = true;
}

/* What running OP costs, and its scratch while it runs; what it leaves for the
 * backward pass is part of its first result. */
static void
price_op(struct work *work, op_id op) {
  struct facts *facts = work->facts;
  struct rules_cost cost = rules_op_cost(facts->binding, op);
  uint64_t workspace, carried;
  facts->op_cost_ns[op] = cost.ns;
  facts->op_policy[op] = (uint8_t)cost.policy;
  rules_workspace(facts->binding, op, &workspace, &carried);
  keep_workspace(work, op, workspace);
  keep_folded(work, op, rules_is_folded(facts->binding, op));
  if (carried && work->module->op_result_count[op]) {
    uint32_t leaf = facts_first_leaf(facts, ir_result(work->module, op, 0));
    facts->leaf_bytes[leaf] = saturating_add(facts->leaf_bytes[leaf], carried);
  }
}

/* The same, as it was found for MODEL. */
static void
price_like(struct work *work, op_id op, op_id model) {
  struct facts *facts = work->facts;
  facts->op_cost_ns[op] = facts->op_cost_ns[model];
  facts->op_policy[op] = facts->op_policy[model];
  if (facts->op_workspace)
    keep_workspace(work, op, facts->op_workspace[model]);
  keep_folded(work, op, facts->op_folded && facts->op_folded[model]);
  if (work->module->op_result_count[op])
    size_like(work, op, ir_result(work->module, op, 0), model);
}

static void
price_ops(struct work *work) {
  const struct ir_module *module = work->module;
  for (op_id op = 0; op < module->op_count; op++) {
    if (!is_stored(work, module->op_block[op]))
      continue;
    op_id model = sized_model(work, op);
    if (model == op)
      price_op(work, op);
    else
      price_like(work, op, model);
  }
}

/* Whoever calls a function that may not run twice may not do so either. */
static void
spread_over_calls(struct work *work, bool *function_repeatable) {
  const struct ir_module *module = work->module;
  bool changed = true;
  while (changed) {
    changed = false;
    for (uint32_t i = module->calls.count; i-- > 0;) {
      const struct ir_call *call = &module->calls.data[i];
      if (function_repeatable[call->callee])
        continue;
      for (op_id op = call->op; op != NONE && work->facts->op_repeatable[op];
           op = ir_parent_op(module, op))
        work->facts->op_repeatable[op] = false;
      function_id caller = ir_op_function(module, call->op);
      if (caller != NONE && function_repeatable[caller]) {
        function_repeatable[caller] = false;
        changed = true;
      }
    }
  }
}

/* Does the dump say that OP is pure, and no fact the contrary? */
static bool
is_said_pure(const struct work *work, op_id op) {
  const struct ir_module *module = work->module;
  uint32_t flags = facts_of(work->facts, op)->flags;
  struct text value;
  if (!(module->op_flags[op] & OP_HAS_MARKS) ||
      (flags & (FACT_EFFECT | FACT_RANDOM | FACT_COLLECTIVE)))
    return false;
  return (ir_attribute(module, op, "tessera.effect", &value) ||
          ir_attribute(module, op, "remat.effect", &value)) &&
         text_is(value, "\"pure\"");
}

/* Ops have higher numbers than those that they stand in. */
static void
find_repeatable(struct work *work) {
  const struct ir_module *module = work->module;
  struct facts *facts = work->facts;
  bool *functions =
      ARENA_ARRAY(work->program->scratch, bool, module->functions.count);
  memset(functions, true, module->functions.count);
  for (op_id op = 0; op < module->op_count; op++)
    facts->op_repeatable[op] = facts_recomputable(facts_of(facts, op)) ||
                               facts_has(facts, op, FACT_TERMINATOR) ||
                               is_said_pure(work, op);
  for (op_id op = module->op_count; op-- > 0;) {
    if (facts->op_repeatable[op] || facts_has(facts, op, FACT_ARGUMENT))
      continue;
    op_id outer = ir_parent_op(module, op);
    if (outer != NONE && !(module->op_flags[op] & OP_FUNCTION))
      facts->op_repeatable[outer] = false;
  }
  for (function_id i = 0; i < module->functions.count; i++) {
    region_id body = module->functions.data[i].body;
    for (block_id block = body == NONE ? NONE : module->region_block[body];
         block != NONE; block = module->block_next[block])
      for (uint32_t k = 0; k < module->block_op_count[block]; k++) {
        op_id op = ir_block_op(module, block, k);
        functions[i] &=
            facts->op_repeatable[op] || facts_has(facts, op, FACT_ARGUMENT);
      }
    functions[i] &= body != NONE;
  }
  spread_over_calls(work, functions);
  for (op_id op = 0; op < module->op_count; op++)
    if (facts_has(facts, op, FACT_TERMINATOR))
      facts->op_repeatable[op] = false;
  /* What has to run before or after another op has its place. */
  for (uint32_t i = 0; i < module->controls.count; i++) {
    facts->op_repeatable[module->controls.data[i].op] = false;
    facts->op_repeatable[module->controls.data[i].predecessor] = false;
  }
}

/* One warning for the ops that nobody knows, one for sizes that are not known,
 * one for those that are not of one device. */
static void
warn_of_unknown(struct work *work) {
  const struct ir_module *module = work->module;
  struct diagnostics *diagnostics = work->program->diagnostics;
  uint32_t ops = 0, sizes = 0;
  op_id first = NONE;
  value_id unsized = NONE;
  for (op_id op = module->op_count; op-- > 0;) {
    if (facts_of(work->facts, op)->class_id == 0) {
      ops++;
      first = op;
    }
  }
  for (value_id value = module->value_count; value-- > 0;) {
    if (work->facts->value_known[value] == KNOWN_NOT) {
      sizes++;
      unsized = value;
    }
  }
  if (ops) {
    struct text name = ir_op_name(module, first);
    diagnose(diagnostics, DIAGNOSTIC_UNKNOWN_OPS, ir_op_location(module, first),
             "no rules file knows '%.*s' (%u op%s unknown in all): kept, and "
             "sized from %s types",
             (int)name.size, name.data, ops, ops > 1 ? "s" : "",
             ops > 1 ? "their" : "its");
  }
  if (work->facts->global_shapes && work->facts->global_values)
    diagnose(diagnostics, DIAGNOSTIC_GLOBAL_SHAPES,
             (struct location){module->source, UINT32_MAX, UINT32_MAX},
             "the module is for %u partitions and not yet partitioned: %u "
             "values without a sharding annotation are sized as a whole",
             module->partitions, work->facts->global_values);
  if (sizes)
    diagnose(diagnostics, DIAGNOSTIC_UNKNOWN_SIZE,
             location_at(module->source, module->value_name[unsized]),
             "%u value%s of unknown size count%s as zero", sizes,
             sizes > 1 ? "s" : "", sizes > 1 ? "" : "s");
}

static struct facts *
facts_new(struct arena *arena, const struct ir_module *module) {
  struct facts *facts = ARENA_NEW(arena, struct facts);
  facts->op_kind = ARENA_ARRAY(arena, uint32_t, module->op_count);
  facts->op_cost_ns = ARENA_ARRAY(arena, uint64_t, module->op_count);
  facts->op_policy = ARENA_ARRAY(arena, uint8_t, module->op_count);
  facts->op_repeatable = ARENA_ARRAY(arena, bool, module->op_count);
  facts->value_known = ARENA_ARRAY(arena, uint8_t, module->value_count);
  facts->block_stored = ARENA_ARRAY(arena, bool, module->block_count);
  facts->function_stored = ARENA_ARRAY(arena, bool, module->functions.count);
  return facts;
}

static bool
execute_facts(struct program *program) {
  const struct ir_module *module = program->input;
  struct work work = {.program = program,
                      .module = module,
                      .facts = facts_new(program->arena, module)};
  uint32_t errors = program->diagnostics->errors;
  program->facts = work.facts;
  work.facts->binding = rules_bind(program->arena, program->diagnostics,
                                   program->rules, program->device, module);
  work.first_kind =
      ARENA_ARRAY(program->scratch, uint32_t, module->names->count);
  work.model = ARENA_ARRAY(program->scratch, op_id, module->op_count);
  work.shards = shards_new(program->scratch, module);
  work.facts->global_shapes = work.shards != NULL;
  look_at_ops(&work);
  rules_tell_trips(work.facts->binding,
                   trips_find(program->arena, module, work.facts));
  find_stored(&work);
  size_values(&work);
  price_ops(&work);
  find_repeatable(&work);
  if (!program->options->analyze)
    warn_of_unknown(&work);
  return program->diagnostics->errors == errors;
}

const struct pass pass_facts = {
    .name = "facts",
    .help = "what the rules say of each op: class, bytes, cost, effects",
    .execute = execute_facts,
    .dump = dump_facts,
    .provides = PROP_FACTS,
    .essential = true,
};
