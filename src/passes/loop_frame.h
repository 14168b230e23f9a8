/* loop_frame.h - one loop on its way to new text: what writers and readers of
 * stacks share.  Inside of loop_*.c only. */
#ifndef REMAT_PASSES_LOOP_FRAME_H
#define REMAT_PASSES_LOOP_FRAME_H

#include "passes/loop_rewrite.h"
#include "passes/loop_text.h"

struct edit {
  struct span span;
  struct text with;
};

/* What the name of a loop ends with whose stacks were chosen. */
#define LOOP_CHOSEN "_chosen"

/* A loop that is written anew. */
struct rewritten {
  const struct loop *loop;
  const char *name;
  uint32_t count;  /* carries that it has now */
  uint32_t *carry; /* by old carry: the new one, or NONE */
};

/* A stack as readers see it, by store of a plan. */
struct visible {
  const char *outer, *type; /* its name behind the writer */
  const char *slice_type;   /* of one slot */
  const uint64_t *sizes;
  uint32_t rank, dimension;
  struct affine slot;
  const char *sharding;           /* or NULL */
  const char *index, *index_type; /* of the slot in one reader; or NULL: SLOT */
};

/* How what is called NAME before a loop is spread over devices. */
struct placed {
  const char *name, *sharding;
};

struct rewriter {
  struct arena *arena;
  const struct ir_module *m;
  const struct loops *loops;
  const struct facts *facts;
  struct loop_names names;
  VECTOR(struct edit) edits;
  VECTOR(struct rewritten) rewritten;
  const uint32_t *sizes; /* by op: with those inside */
  bool *gone;            /* by op: its text is not there any more */
  bool *named;           /* by value: new text names it */
  VECTOR(struct placed) placed;
  struct buffer beside; /* HLO: computations, before the function */
};

/* One loop on its way to text. */
struct writing {
  struct rewriter *r;
  const struct loop *loop;
  const char **names; /* by flat value */
  bool *needed;       /* by flat op */
  uint32_t *gone; /* by flat op: a read of this stack + 1, which is dropped */
  struct loop_text text;
  VECTOR(struct new_carry) carries;
  VECTOR(struct new_result) results;
  VECTOR(struct new_result)
  roots; /* that stay where they are, for a ROOT
            stands before them */
  VECTOR(op_id) root_ops;
  const char **shardings; /* by old carry; NULL where nothing is said */
  struct rewritten now;
};

/* The new form of the loop OP, or NULL. */
const struct rewritten *frame_rewritten(const struct rewriter *r, op_id op);

/* How VALUE, of the module, is called in the new text; USER is the
 * rewriter. */
const char *frame_outer_name(void *user, value_id value);

/* The spelling of VALUE's type. */
const char *frame_type(const struct writing *w, flat_id value);

/* Let VALUE, of FROM, have a name in NAMES where it comes from outside. */
void frame_bring_in(struct writing *w, const struct loop *from, flat_id value,
                    const char **names);

/* OP of FROM once more, in terms of NAMES. */
void frame_copy(struct writing *w, const struct loop *from,
                const struct flat_op *op, const char **names);

/* Which slot the read O, of a stack that is gone, asks for. */
flat_id frame_read_index(const struct writing *w, uint32_t o);

/* Let the op that makes VALUE be written. */
void frame_need(struct writing *w, flat_id value);

/* LOOP with nothing written yet. */
struct writing frame_begin(struct rewriter *r, const struct loop *loop);

/* Let the new loop's name say that its stacks were chosen. */
void frame_mark_chosen(struct writing *w);

/* Go on carrying old carry NUMBER, which changes. */
void frame_carry_on(struct writing *w, uint32_t number);

/* Find out what W has to compute; returns the text of its condition. */
struct text frame_begin_body(struct writing *w);

/* Let all be needed that is needed by what is, and what has effects. */
void frame_close_needed(struct writing *w);

/* What is handed on, and what came in from outside as carries. */
void frame_close_carries(struct writing *w);

/* HLO: elements of the state have names of their own; what is still there is
 * taken out of the new one. */
void frame_name_results(struct writing *w);

/* Put the new loop, with BEFORE before it, where the old one stands. */
void frame_finish(struct writing *w, struct text before, struct text condition);

/* How carry CARRY of the new loop, whose carries are all known, is called
 * behind it. */
const char *frame_result(struct writing *w, uint32_t carry);

/* VALUE, of the type spelled FROM, as one of the type TO. */
const char *frame_reshape(struct loop_text *text, const char *value,
                          const char *from, const char *to);

/* Let WITH stand in the place of SPAN. */
void frame_edit(struct rewriter *r, struct span span, struct text with);

/* Let WITH stand in the place of OP. */
void frame_replace(struct rewriter *r, op_id op, struct text with);

/* Take OP out, with the line that it has to itself. */
void frame_erase(struct rewriter *r, op_id op);

/* --- loop_sharding.c --- */

/* What LOOP says of its carries, each by itself; NULL where it says nothing.
 * Noted by the names that they have before the loop. */
const char **frame_shardings(struct rewriter *r, const struct loop *loop);
void frame_note_sharding(struct rewriter *r, const char *name,
                         const char *sharding);

/* That of what is called NAME before a loop, or NULL. */
const char *frame_sharding_of(const struct rewriter *r, const char *name);

/* That of a new stack of VALUE, of W's loop, or NULL. */
const char *frame_stack_sharding(struct writing *w, flat_id value);

/* --- loop_unused.c --- */

/* Take out what was of use before all those edits, and is not now: ops that do
 * nothing but make their results, functions that only the module can call. */
void frame_erase_unused(struct rewriter *r);

/* --- loop_rewrite.c: writers --- */

/* A stack of WRITER, whose slots new ones have too. */
const struct loop_stack *writer_reference(const struct loops *loops,
                                          uint32_t writer);

/* The value that says which slot STACK of LOOP is written in. */
flat_id writer_slot_index(const struct loop *loop,
                          const struct loop_stack *stack);

/* How the stack behind STORE of W, a writer, is seen, with SLOTS if it is a new
 * one; OUTER comes later. */
struct visible writer_see_store(const struct writing *w,
                                const struct loop_store *store,
                                const struct loop_stack *like, uint64_t slots);

/* Carry a new stack for STORE, which V describes, zeros to begin with, and
 * write its slot at the end of the body. */
void writer_write_stack(struct writing *w, const struct loop_store *store,
                        const struct loop_stack *like, const struct visible *v,
                        struct loop_text *before);

/* Does PLAN drop the stack that CARRY of its writer is? */
bool writer_drops(const struct rewriter *r, const struct loop_plan *plan,
                  uint32_t carry);

/* --- loop_read.c --- */

/* The writer's ops once more, for one iteration of it. */
struct restore {
  struct affine iteration; /* in terms of the reader's */
  flat_id base;            /* of the reader: what it is computed from */
  const char **names;      /* by flat value of the writer */
};

struct reading {
  struct writing w;
  const struct loop_plan *plan;
  const struct loop *writer;
  const struct visible *visible; /* by store */
  VECTOR(struct restore) restores;
  bool *wanted; /* by flat op of the writer */
  VECTOR(flat_id) list;
};

/* A loop LOOP that reads what PLAN keeps, nothing written yet. */
struct reading read_begin(struct rewriter *r, const struct loop_plan *plan,
                          const struct visible *visible,
                          const struct loop *loop);

/* Note which reads of loop NUMBER, which G is about, are gone. */
void read_find_gone(struct reading *g, uint32_t number);

/* The iteration of the writer in which it wrote, of STACK, what SLOT is. */
struct affine read_iteration(const struct loop *writer,
                             const struct loop *reader,
                             const struct loop_stack *stack,
                             struct affine slot);

/* The writer's ITERATION in G, computed from BASE. */
struct restore *read_restore(struct reading *g, struct affine iteration,
                             flat_id base);

/* What VALUE of the writer was in RESTORE's iteration. */
const char *read_value(struct reading *g, struct restore *restore,
                       flat_id value);

/* The ops of G's body, and what they need of the writer's. */
void read_body(struct reading *g);

/* Write loop NUMBER, which reads stacks that PLAN drops, anew; VISIBLE is what
 * it can read instead, by store. */
void frame_write_reader(struct rewriter *r, const struct loop_plan *plan,
                        const struct visible *visible, uint32_t number);

/* --- loop_nest.c --- */

/* The same of PLAN's writer and reader NUMBER, where carries are stacked only
 * when a segment begins. */
void nest_write_writer(struct rewriter *r, const struct loop_plan *plan,
                       struct visible *visible);
void nest_write_reader(struct rewriter *r, const struct loop_plan *plan,
                       const struct visible *visible, uint32_t number);

#endif
