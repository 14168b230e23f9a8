/* number.h - equal expressions have equal numbers, in one program or in two.
 *
 *   before                 after                       number
 *   %0 = dot %x, %w        %a = dot %x, %w             7
 *   %1 = tanh %0           %b = barrier %a             7
 *                          %c = tanh %b                8, as %1
 *                          %d = dot %x, %w             7, a clone of %a
 *
 * An expression is an op with all that its text says, on expressions; what is
 * called only to outline it is looked into, barriers and tuples are looked
 * through.  Expressions are kept whole and compared part by part, never by a
 * hash alone, so equal numbers are a proof: what has effects, or may differ
 * when it runs again, is an expression of its own for each place in the order
 * in which such ops run.  Bodies of loops and other regions are compared as
 * functions of their arguments: two loops are the same where, as long as what
 * they carry is the same, one round makes the same of it.
 *
 * Nothing here knows where a module comes from: names and order of ops that do
 * nothing but make their results mean nothing.  O(ops + uses + text), times
 * how often outlined functions are called. */
#ifndef REMAT_PASSES_NUMBER_H
#define REMAT_PASSES_NUMBER_H

#include "passes/facts.h"

enum node_kind {
  NODE_ARGUMENT, /* plain: depth, region, block, number; head: its type */
  NODE_OP,       /* plain: operands, successors; parts: operands, regions */
  NODE_RESULT,   /* plain: which; part: the op.  Result 0 is the op itself */
  NODE_EFFECT,   /* plain: depth, place in the order; part: the op */
  NODE_REGION,   /* plain: counts; parts: effects, then what is returned */
  NODE_FORWARD,  /* plain: depth, number: a value that is defined later */
};

struct node {
  enum node_kind kind;
  uint32_t head; /* what the op, type or region says; into heads */
  uint32_t first, plain, count; /* into parts: plain numbers, then nodes */
};

/* One program in a numbering. */
struct numbered {
  struct numbering *numbering;
  const struct ir_module *module;
  const struct facts *facts;
  uint32_t side;
  uint32_t *number;  /* by value; NONE before it is known */
  uint32_t *op_node; /* by op: that of its last evaluation, or NONE */
  uint32_t *head;    /* by op of the module or its base: head + 1, or 0 */
  uint32_t *digest;  /* by function: its region node + 1, or 0 */
  bool *opaque;      /* by function: calls of it are matched by its name */
  bool *active;      /* by function: is being evaluated */
  uint64_t work;     /* ops evaluated so far */
  uint64_t unseen;   /* constants whose values the dump leaves out */
};

enum { SIDES = 2 };

struct numbering {
  struct arena *arena;
  bool through; /* look through barriers and into calls */
  struct string_table *heads;
  VECTOR(struct node) nodes;
  VECTOR(uint32_t) parts;
  uint32_t *slots; /* node + 1, 0 is free */
  uint32_t slot_count;
  VECTOR(op_id) first_op[SIDES]; /* by node: an op that is it, or NONE */
  VECTOR(uint32_t)
  instances[SIDES];   /* by node: how many ops are it, where
                         values are stored */
  VECTOR(bool) tuple; /* by node: its parts are its elements */
  struct buffer text;
};

/* What a function comes to. */
struct outcome {
  bool whole;        /* several blocks: RESULTS is one, its region node */
  uint32_t *results; /* nodes of what it returns */
  uint32_t result_count;
  uint32_t *effects; /* nodes of what has to run, in order */
  uint32_t effect_count;
};

/* An empty numbering in ARENA.  THROUGH: look through barriers and into calls;
 * else each barrier makes values of its own and calls are ops. */
struct numbering *numbering_new(struct arena *arena, bool through);

/* Add MODULE, with FACTS, as side SIDE (0 or 1). */
struct numbered *numbering_add(struct numbering *numbering, uint32_t side,
                               const struct ir_module *module,
                               const struct facts *facts);

/* The number of NODE, whose parts are PARTS; made if it is new. */
uint32_t number_node(struct numbering *numbering, struct node node,
                     const uint32_t *parts);

/* Does OP hand its only operand on, though its class does not say so? */
bool number_is_identity(const struct ir_module *module, op_id op);

/* Evaluate FUNCTION, which has a body, on arguments of its own. */
void number_function(struct numbered *numbered, function_id function,
                     struct outcome *outcome);

/* The first place at which nodes A of side 0 and B of side 1, which are not
 * equal, differ: both are set to it.  *AROUND are the ops, one a side, that
 * read it (NONE where there is none). */
void number_difference(const struct numbering *numbering, uint32_t *a,
                       uint32_t *b, op_id around[SIDES]);

/* How NODE is called: the op's name, "argument 3", or "a region"; in ARENA. */
const char *number_name(const struct numbering *numbering, uint32_t node,
                        struct arena *arena);

#endif
