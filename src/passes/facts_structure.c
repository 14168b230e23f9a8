/* facts_structure.c - facts from an op's name and form, without rules. */
#include "passes/facts_structure.h"

static const struct {
  const char *name;
  struct op_facts facts;
} known[] = {
    {"func.func", {.body = BODY_FUNCTION}},
    {"func", {.body = BODY_FUNCTION}},
    {"builtin.module", {.body = BODY_MODULE}},
    {"module", {.body = BODY_MODULE}},
    {"scf.for",
     {.body = BODY_LOOP, .carries_operand = 3, .carries_argument = 1}},
    {"scf.while", {.body = BODY_LOOP, .carries_operand = 0}},
    {"stablehlo.while", {.body = BODY_LOOP, .carries_operand = 0}},
    {"mhlo.while", {.body = BODY_LOOP, .carries_operand = 0}},
    {"while", {.body = BODY_LOOP, .carries_operand = 0}},
    {"scf.if", {.body = BODY_BRANCH, .carries_operand = OPERAND_NONE}},
    {"stablehlo.if", {.body = BODY_BRANCH, .carries_operand = OPERAND_NONE}},
    {"stablehlo.case", {.body = BODY_BRANCH, .carries_operand = OPERAND_NONE}},
    {"func.call", {.body = BODY_CALL, .carries_operand = OPERAND_NONE}},
    {"call", {.body = BODY_CALL, .carries_operand = OPERAND_NONE}},
    {"stablehlo.dynamic_update_slice",
     {.flags = 3, .inplace = -9, .carries_operand = OPERAND_NONE}},
    {"stablehlo.reshape",
     {.flags = 3, .alias = -9, .carries_operand = OPERAND_NONE}},
    {"stablehlo.optimization_barrier",
     {.flags = 3 | 1u << FACT_BIT_FORWARDS, .carries_operand = OPERAND_NONE}},
    {"linalg.generic",
     {.body = BODY_FUSED,
      .flags = 3,
      .inplace = OPERAND_DESTINATION,
      .carries_operand = OPERAND_NONE}},
    {"scf.condition",
     {.flags = 1u << FACT_BIT_TERMINATOR,
      .yields = 1,
      .carries_operand = OPERAND_NONE}},
};

void
structure_facts(const struct ir_module *module, op_id op,
                struct op_facts *facts) {
  struct text name = ir_op_name(module, op);
  *facts = (struct op_facts){.class_id = 1,
                             .alias = OPERAND_NONE,
                             .inplace = OPERAND_NONE,
                             .reuses = OPERAND_NONE,
                             .carries_operand = OPERAND_NONE,
                             .counts = UINT32_MAX};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (!text_is(name, known[i].name))
      continue;
    *facts = known[i].facts;
    facts->class_id = 1;
    facts->reuses = OPERAND_NONE;
    facts->alias = facts->alias == -9 ? 0 : OPERAND_NONE;
    if (facts->inplace == 0)
      facts->inplace = OPERAND_NONE;
    if (facts->inplace == -9)
      facts->inplace = 0;
    facts->counts = UINT32_MAX;
    return;
  }
  if (module->op_flags[op] & OP_TERMINATOR)
    facts->flags = FACT_TERMINATOR;
  else if (text_ends(name, "constant"))
    facts->flags = FACT_PURE | FACT_SAME_BITS | FACT_CONSTANT;
  else if (text_is(name, "parameter"))
    facts->flags = FACT_ARGUMENT;
  else if (module->op_result_count[op] == 0 ||
           (ir_op_name(module, op).size > 7 && text_starts(name, "memref.")))
    facts->flags = FACT_EFFECT;
  else
    facts->flags = FACT_PURE | FACT_SAME_BITS;
  if (text_ends(name, ".reduce") || text_is(name, "reduce"))
    facts->body = BODY_REDUCER;
  else if (module->op_region[op] != NONE)
    facts->body = BODY_PLAIN;
}
