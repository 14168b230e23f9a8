/* loops.h - counted loops, the stacks that they write and those that they read.
 *
 *   A: while i < T                      B: while j < T
 *     v = f(carry, xs[i])                 w = stack[T-1-j]
 *     stack[i] = v                        ... g(w)
 *
 * One shape for both formats: StableHLO's loops carry values and have regions,
 * those of HLO carry one tuple and call computations.  A loop's condition and
 * body are made FLAT: calls that only outline are looked through, tuples and
 * their elements are seen as the values themselves, and what the loop hands on
 * unchanged is the value from outside.  So a flat value is one of
 *
 *   outside   computed before the loop, the same in every iteration
 *   carry     of the loop, as an iteration begins
 *   result    of a flat op
 *
 * A STACK is a carry that is written one slot an iteration, each slot once,
 * and not read in the loop that writes it.  It is found by what the ops do;
 * nothing is assumed about names.  O(ops after inlining). */
#ifndef REMAT_PASSES_LOOPS_H
#define REMAT_PASSES_LOOPS_H

#include "ir/ir.h"

typedef uint32_t flat_id; /* a value of a loop's flat body */

enum flat_kind { FLAT_OUTSIDE, FLAT_CARRY, FLAT_STATE, FLAT_RESULT };

struct flat_value {
  enum flat_kind kind;
  uint32_t number; /* carry: which; result: of which flat op */
  uint32_t index;  /* result: which one of its op */
  value_id value;  /* of the module: for its name; the outside value itself */
  type_id type;
};

/* An operand, of the op itself or of an op inside of its regions. */
struct flat_use {
  uint32_t use; /* of the module */
  flat_id value;
};

struct flat_op {
  op_id op;
  uint32_t first_use, operand_count, use_count; /* operands first, then what
                                                   its regions capture */
  flat_id first_result;
  uint32_t result_count;
  uint32_t size; /* ops in all: itself and those inside of its regions */
};

/* What is known to be scale * i + offset in iteration i, from 0. */
struct affine {
  bool known;
  int64_t scale, offset;
};

struct loop_carry {
  value_id init; /* outside */
  flat_id argument, yield;
  struct affine affine; /* of the argument */
  bool invariant;       /* handed on as it came */
  bool used;            /* what it is in the end is of use to someone */
};

struct loop {
  op_id op;
  block_id block;
  const char *refused; /* why nothing is known of it, or NULL */
  bool used_whole;     /* its results are used as one tuple */
  VECTOR(struct flat_value) values;
  VECTOR(struct flat_op) ops; /* those of the condition first */
  VECTOR(struct flat_use) uses;
  VECTOR(struct flat_use) passed; /* operands of calls that were inlined */
  uint32_t condition_ops;
  flat_id condition; /* what it tests */
  uint32_t carry_count;
  struct loop_carry *carries;
  uint64_t trips;
  struct affine *affine; /* by flat value */
};

/* A slot of a stack that a loop reads. */
struct loop_read {
  uint32_t loop; /* into loops */
  uint32_t op;   /* flat op of it, the dynamic slice */
  struct affine slot;
};

struct loop_stack {
  uint32_t writer; /* into loops */
  uint32_t carry;  /* of it */
  uint32_t update; /* flat op of it, the dynamic update */
  flat_id stored;  /* what is written: one slot, [1, ...] */
  uint32_t dimension;
  struct affine slot;
  uint64_t slots, bytes; /* of all of it */
  VECTOR(struct loop_read) reads;
  const char *kept; /* why it has to stay, or NULL */
  op_id keeper;     /* the op that is why, or NONE */
};

/* Something that looks like a stack and is none. */
struct loop_refusal {
  op_id op;
  const char *why;
};

struct loops {
  const struct ir_module *module;
  VECTOR(struct loop *) list; /* in program order */
  VECTOR(struct loop_stack) stacks;
  VECTOR(struct loop_refusal) refusals;
};

/* All loops of MODULE and their stacks, in ARENA. */
struct loops *loops_find(struct arena *arena, const struct ir_module *module);

/* --- loop_flatten.c --- */

/* What flattening needs to know of the whole module, for all its loops. */
struct flattener;
struct flattener *flattener_new(struct arena *arena,
                                const struct ir_module *module);

/* The loop at OP, flat; `refused` where it cannot be.  Its carries have no
 * affine forms yet. */
struct loop *loop_flatten(struct flattener *flattener, op_id op);

/* Result CARRY of the loop at *OP that VALUE is: true, and *OP, *CARRY. */
bool loop_result(const struct ir_module *module, value_id value, op_id *op,
                 uint32_t *carry);

/* What VALUE of LOOP is only another view of: the same elements in the same
 * order, with dimensions of size 1 more or less. */
flat_id flat_home(const struct ir_module *module, const struct loop *loop,
                  flat_id value);

/* What an op does, for as much as matters here. */
enum flat_action {
  ACTION_OTHER,
  ACTION_ADD,
  ACTION_CALL,
  ACTION_CLAMP,
  ACTION_COMPARE,
  ACTION_CONSTANT,
  ACTION_CONVERT,
  ACTION_ELEMENT, /* of a tuple */
  ACTION_MAXIMUM,
  ACTION_MINIMUM,
  ACTION_MULTIPLY,
  ACTION_NEGATE,
  ACTION_RESHAPE, /* broadcasts of the same size too */
  ACTION_SELECT,
  ACTION_SLICE,
  ACTION_SUBTRACT,
  ACTION_TUPLE,
  ACTION_UPDATE,
  ACTION_WHILE,
};
enum flat_action flat_action(const struct ir_module *module, op_id op);

/* The same, of all ops called NAME. */
enum flat_action flat_action_named(const struct ir_module *module,
                                   name_id name);

static inline flat_id
flat_operand(const struct loop *loop, const struct flat_op *op,
             uint32_t index) {
  return loop->uses.data[op->first_use + index].value;
}

/* --- loop_affine.c --- */

/* Find LOOP's counter, trip count and everything affine; sets `refused` where
 * it is not counted. */
void loop_count(struct arena *arena, const struct ir_module *module,
                struct loop *loop);

/* The one integer that the constant OP holds. */
bool flat_constant(const struct ir_module *module, op_id op, int64_t *number);

#endif
