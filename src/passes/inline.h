/* inline.h - a program without its calls, as text.
 *
 *   func @main(%a) {                 func @main(%a) {
 *     %0:2 = call @f(%a)               %inlined1_0 = tanh %a
 *     %1 = add %0#1, %a         ==>    %inlined1_1 = negate %inlined1_0
 *     ...                              %1 = add %inlined1_1, %a
 *
 * An element that is taken out of a call's tuple is what that was made of:
 * neither of the two is written.
 *
 * Which calls go is found by inline.c; inline_text.c writes. */
#ifndef REMAT_PASSES_INLINE_H
#define REMAT_PASSES_INLINE_H

#include "ir/ir.h"

/* What becomes of the calls of MODULE. */
struct inlining {
  struct arena *arena;
  const struct ir_module *module;
  function_id *callee; /* by op: the function whose body takes its place, or
                          NONE */
  bool *kept;          /* by function: it stays in the text */
  uint32_t *element;   /* by op: which element of a tuple it takes out, + 1; 0:
                          none */
  bool *tuple;         /* by op: does it make a tuple? */
  bool *whole;         /* by op, a call: is all of what it returns used? */
};

/* The text of the module with the bodies in the place of the calls.  *PIECES
 * say where it comes from.  No text where a value is used before the call that
 * makes it. */
struct text inline_text(const struct inlining *inlining,
                        struct source_pieces *pieces);

#endif
