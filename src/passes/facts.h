/* facts.h - what is known of each op and value before anything is planned.
 *
 * Left by the pass `facts` (PROP_FACTS).  Ops that the rules describe alike
 * share one KIND.  A value of a tuple type has several LEAVES, any other has
 * one; bytes are kept by leaf. */
#ifndef REMAT_PASSES_FACTS_H
#define REMAT_PASSES_FACTS_H

#include "passes/pass.h"
#include "rules/rules.h"
#include "support/checked.h"

struct facts {
  struct rules_binding *binding; /* of the input; NULL for a made module */
  struct op_facts *kinds;
  uint32_t kind_count;

  uint32_t *op_kind;      /* by op, into kinds */
  uint64_t *op_cost_ns;   /* by op: of running it once; 0 where not known */
  uint8_t *op_policy;     /* by op: enum rules_policy */
  bool *op_repeatable;    /* by op: the facts let it run twice, and all that
                             stands inside of it or that it calls */
  uint64_t *op_workspace; /* by op: bytes while it runs; NULL where none */
  bool *op_folded; /* by op: rules_is_folded; NULL where none of them is */

  uint32_t *value_first_leaf; /* by value and one more: where leaves begin;
                                 NULL: leaf numbers are value numbers */
  uint32_t leaf_count;
  uint64_t *leaf_bytes; /* by leaf: what it occupies if it has its storage to
                           itself; 0 in a memory of its own (host) */
  uint8_t *value_known; /* by value: enum rules_known */

  bool global_shapes;      /* the module is not yet partitioned */
  uint32_t sharded_values; /* then: sized by an annotation */
  uint32_t global_values;  /* then: without one, sized as a whole */

  bool *block_stored;    /* by block: its values are stored; not so inside of
                            fusions and reducers */
  bool *function_stored; /* by function: likewise its body */
};

static inline const struct op_facts *
facts_of(const struct facts *facts, op_id op) {
  return &facts->kinds[facts->op_kind[op]];
}

/* Has OP all FACT_ bits of FLAGS? */
static inline bool
facts_has(const struct facts *facts, op_id op, uint32_t flags) {
  return (facts_of(facts, op)->flags & flags) == flags;
}

/* May a plan run OP twice?  Facts and the target's policy both allow it. */
static inline bool
facts_can_recompute(const struct facts *facts, op_id op) {
  return facts->op_repeatable[op] && facts->op_policy[op] <= POLICY_FREE;
}

/* Where VALUE's leaves begin; VALUE may be the number of values. */
static inline uint32_t
facts_first_leaf(const struct facts *facts, value_id value) {
  return facts->value_first_leaf ? facts->value_first_leaf[value] : value;
}

/* Bytes of all leaves of VALUE. */
static inline uint64_t
facts_value_bytes(const struct facts *facts, value_id value) {
  uint64_t bytes = 0;
  uint32_t end = facts_first_leaf(facts, value + 1);
  for (uint32_t leaf = facts_first_leaf(facts, value); leaf < end; leaf++)
    bytes = saturating_add(bytes, facts->leaf_bytes[leaf]);
  return bytes;
}

/* The facts of MADE, whose ops are those of PROGRAM's input: every column
 * carried over from the origins.  In the program's arena, O(ops). */
struct facts *facts_of_made(struct program *program,
                            const struct ir_module *made);

#endif
