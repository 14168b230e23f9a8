/* problem.h - what a planner is asked: a program without its text.
 *
 * Nodes are op executions in program order, values are what they leave behind.
 * A node has any number of results; it costs time, and a workspace while it
 * runs.  Function arguments are outside: an operand that is an argument is not
 * listed and its bytes are the caller's to subtract from the budget.  (An
 * argument that may die is a node of its own: PLAN_FIXED, no cost, no
 * operands.)  The terminator is no node either: what it reads is `returned`.
 *
 * A plan is a sequence of nodes, some of them several times.  An execution is
 * an instance; an operand reads the latest instance of its producer before it.
 * A value lives from its instance to the last instance that reads it; a
 * returned one lives to the end; an unread one only while its node runs.  All
 * operands and results of a node, and its workspace, are live together, except
 * that a result that is made in place of an operand takes over that operand's
 * storage where the operand dies there. */
#ifndef REMAT_PLAN_PROBLEM_H
#define REMAT_PLAN_PROBLEM_H

#include "support/vector.h"

#define PLAN_NONE UINT32_MAX

/* Bytes of all values and workspaces together that a problem may have; sums
 * of live bytes then fit an int64_t whatever a plan does. */
#define PLAN_BYTES_MAX ((uint64_t)1 << 61)

enum plan_node_flag {
  PLAN_ONCE = 1,  /* runs exactly once: never cloned, never dropped */
  PLAN_FIXED = 2, /* the same, and all of these keep their mutual order */
};

struct plan_problem {
  uint32_t node_count, value_count;
  uint64_t base_cost_ns; /* of one execution of each */
  bool several_results;  /* some node has more than one */
  bool has_in_place;     /* some result is made in place */
  bool has_once;         /* some node runs exactly once */
  bool has_closed;       /* some node does not run behind another one */

  /* By node.  The results of node N are the values result_begin[N] up to
   * result_begin[N + 1]; its operands are distinct. */
  uint64_t *cost_ns, *workspace_bytes;
  bool *once;
  bool *fixed;
  uint32_t *result_begin;
  uint32_t *operand_begin, *operands; /* values */
  uint32_t *edge_begin, *edges;       /* nodes that have to run before */
  uint32_t *closed_begin, *closed;    /* nodes that do not run behind it */
  uint32_t *closer; /* the first that it does not run behind, or PLAN_NONE */

  /* By value. */
  uint64_t *bytes;
  bool *returned;
  uint32_t *producer;
  uint32_t *in_place;   /* the operand, or PLAN_NONE */
  uint32_t *taker;      /* the first result in place of it, or PLAN_NONE */
  uint32_t *next_taker; /* by such a result: the next one, or PLAN_NONE */
  uint32_t *reader_begin, *readers; /* nodes, ascending */
};

/* A problem that is being written down, node by node. */
struct plan_builder {
  struct arena *arena; /* where the problem will live */
  VECTOR(uint64_t) cost_ns;
  VECTOR(uint64_t) workspace_bytes;
  VECTOR(uint8_t) flags;
  VECTOR(uint32_t) result_begin;
  VECTOR(uint32_t) operand_begin;
  VECTOR(uint32_t) edge_begin;
  VECTOR(uint32_t) operands;
  VECTOR(uint32_t) edges;
  VECTOR(uint32_t) closed_begin;
  VECTOR(uint32_t) closed;
  VECTOR(uint64_t) bytes;
  VECTOR(bool) returned;
  VECTOR(uint32_t) in_place;
};

/* Begin the next node in program order; FLAGS are of enum plan_node_flag.
 * Returns its number; what is added next belongs to it. */
uint32_t plan_add_node(struct plan_builder *builder, uint64_t cost_ns,
                       uint64_t workspace_bytes, unsigned flags);

/* A further result of the newest node.  Returns the number of the value. */
uint32_t plan_add_result(struct plan_builder *builder, uint64_t bytes,
                         bool returned);

/* The newest node reads VALUE, of an earlier node.  Repeats are dropped. */
void plan_add_operand(struct plan_builder *builder, uint32_t value);

/* NODE has to run before the newest node.  Both then run exactly once. */
void plan_add_edge(struct plan_builder *builder, uint32_t node);

/* NODE, which the newest node reads, does not run behind the newest node, which
 * runs exactly once. */
void plan_add_closed(struct plan_builder *builder, uint32_t node);

/* RESULT, of the newest node, is made in place of the operand VALUE. */
void plan_set_in_place(struct plan_builder *builder, uint32_t result,
                       uint32_t value);

/* The first result of NODE that is made in place of VALUE, or PLAN_NONE.  Looks
 * at those of other nodes too, never at all of NODE's: a barrier has many. */
uint32_t plan_taker(const struct plan_problem *problem, uint32_t node,
                    uint32_t value);

/* The problem, in the builder's arena, or NULL where its bytes are more than
 * PLAN_BYTES_MAX together. */
struct plan_problem *plan_finish(struct plan_builder *builder);

/* The same problem with its nodes in the order ORDER (a permutation that
 * respects operands and edges): node I of the result is ORDER[I]. */
struct plan_problem *plan_permute(const struct plan_problem *problem,
                                  const uint32_t *order, struct arena *arena);

/* Node executions in order. */
struct plan_sequence {
  uint32_t *nodes;
  uint32_t count;
};

static inline uint32_t
plan_result_count(const struct plan_problem *problem, uint32_t node) {
  return problem->result_begin[node + 1] - problem->result_begin[node];
}

/* Every node once, in program order. */
struct plan_sequence plan_program_order(const struct plan_problem *problem,
                                        struct arena *arena);

/* A copy in ARENA. */
struct plan_sequence plan_copy(struct plan_sequence sequence,
                               struct arena *arena);

#endif
