/* pass.h - what a pass is, and what passes work on.
 *
 * A pass is one C file whose only exported symbol is a `struct pass`, and one
 * line in passes.def.  Passes read and write the `struct program`; what one
 * leaves for another is a property.  The manager (manager.c) alone gates,
 * establishes properties, times, dumps and verifies. */
#ifndef REMAT_PASSES_PASS_H
#define REMAT_PASSES_PASS_H

#include "ir/ir.h"
#include "support/buffer.h"

struct rules;
struct facts;
struct buffers;
struct liveness;
struct fused;
struct budget;
struct plan;
struct pareto;
struct options;
struct program;
struct ir_edits;

/* What a pass can need or leave. */
enum property {
  PROP_FACTS = 1,       /* program->facts: class, bytes, cost of everything */
  PROP_BUFFERS = 2,     /* program->buffers: which values share storage */
  PROP_LIVENESS = 4,    /* program->liveness: what is live when, peaks */
  PROP_BUDGET = 8,      /* program->budget, per function */
  PROP_PLAN = 16,       /* program->plan: what to recompute, where */
  PROP_PROJECTION = 32, /* the plan knows how many clones it makes */
  PROP_MADE = 64,       /* program->made and its own facts, buffers, liveness */
  PROP_PROOF = 128,     /* program->made was proved against program->input */
  PROP_MARKS = 256,     /* the plan holds what markers in the dump say */
  PROP_FUSED = 512,     /* what a fusing compiler stores, and its peaks */
};

/* A number that the user sets with --param NAME=VALUE. */
struct parameter {
  const char *name;
  const char *help;
  double initial, least, most;
};

struct pass {
  const char *name;   /* in -fdump-NAME, -fdisable-NAME, -ftime-report */
  const char *help;   /* one line */
  uint32_t requires_; /* enum property bits; the manager checks them */
  uint32_t provides;
  uint32_t destroys;
  bool essential; /* what is printed rests on it: -fdisable is refused */
  const struct parameter *parameters; /* ends with a NULL name; may be NULL */
  /* Should it run?  NULL: always. */
  bool (*gate)(const struct program *program);
  /* Do it.  False after an error was diagnosed: the run ends. */
  bool (*execute)(struct program *program);
  /* Write what it decided, readable and stable, for -fdump-NAME.  May be
   * NULL. */
  void (*dump)(const struct program *program, struct buffer *out);
  /* Check what it provides (debug builds, -fverify-each): NULL where all is
   * well, else what is wrong.  May be NULL. */
  const char *(*check)(const struct program *program);
};

/* Everything that is known of one module on its way through the pipeline.
 * The ARENA lives as long as the program, SCRATCH until the pass returns. */
struct program {
  struct arena *arena;
  struct arena *scratch;
  struct diagnostics *diagnostics;
  const struct options *options;
  const struct rules *rules;
  uint32_t device; /* of RULES */
  const struct ir_module *input;
  const struct ir_module *given; /* the input as the user gave it, where INPUT
                                    is that without its calls; else NULL */
  const struct facts *given_facts;
  bool is_fused; /* memory is counted, and planned, as a fusing compiler stores
                    (fused.h) */
  uint32_t properties;

  /* of the input */
  struct facts *facts;
  struct buffers *buffers;
  struct liveness *liveness;
  struct fused *fused;   /* NULL where no fusing compiler is asked about */
  struct budget *budget; /* by function */
  struct plan *plan;
  const struct source *plan_source; /* the text of --plan, or NULL */
  struct pareto *pareto;            /* of --pareto, or NULL */

  /* of the program that is emitted; NULL where nothing changes */
  struct ir_module *made;
  struct facts *made_facts;
  struct buffers *made_buffers;
  struct liveness *made_liveness;
  const struct ir_edits *edits; /* what printing changes besides; or NULL */

  /* A pass may put another program in the place of the input, as text: this
   * reads it, into ARENA; NULL where it is no program.  NULL: nobody can.
   * PIECES, which may be NULL, say where the text comes from. */
  const struct ir_module *(*reread)(void *user, struct arena *arena,
                                    struct text text,
                                    const struct source_pieces *pieces);
  void *reread_user;
  /* What was known before that, the input as the user gave it included; NULL
   * where the input is that.  The pipeline has then begun again. */
  const struct program *before;
  const char *loop_report; /* what `loop-residuals` tried, as text, or NULL */
  uint64_t loops_ns;       /* what the loops of the input do again */
  uint32_t loop_rounds; /* with BEFORE: how often they may be rewritten still */
  bool tried;           /* its loops are not looked at: it is a trial */
};

#endif
