/* printer.h - what the files of the printer share; for print*.c alone. */
#ifndef REMAT_IR_PRINTER_H
#define REMAT_IR_PRINTER_H

#include "ir/print.h"

enum { PRINTER_BYTES = 1 << 20 };

/* What stands in the place of a piece of text. */
enum edit_kind {
  EDIT_NAME,     /* the name of a value, with "#n" where it is one of a group */
  EDIT_DEFINE,   /* the name where the value is defined */
  EDIT_CUT,      /* nothing */
  EDIT_BACKWARD, /* "backward" */
  EDIT_REGION,
  EDIT_FUNCTION, /* a function's attributes */
  EDIT_CALLEE,   /* the name of a copied function */
};

struct edit {
  struct span place;
  enum edit_kind kind;
  uint32_t id;
};

struct printer {
  const struct ir_module *module, *base;
  const struct ir_edits *edits;
  const struct ir_writer *writer;
  struct arena *scratch;
  char *buffer;
  size_t used;
  bool failed;
  bool line_start;    /* the next byte begins a line */
  const char *text;   /* of the source */
  struct text *stems; /* by value of BASE: how its copy 1 is spelled */
  bool *dirty;        /* by op */
  bool *reordered;    /* by block */
  bool *changed;      /* by block: reordered, or an op in it is dirty */
  bool *printed;      /* by op of BASE: an instance was printed */
  op_id *previous;    /* by op of BASE: the op before it in its block */
  function_id *of_op; /* by op: the function whose op it is, where edited */
  VECTOR(struct edit) stack; /* edits of the ops that are being printed */
};

/* The op of the base that OP is an instance of; OP itself in a base. */
static inline op_id
printer_origin(const struct ir_module *module, op_id op) {
  return module->base ? module->op_origin[op] : op;
}

/* Find out which ops differ from their origin's text (print_dirty.c). */
void printer_mark_dirty(struct printer *printer);

/* Push the edits of OP in the order of their places (print_edits.c). */
void printer_gather_edits(struct printer *printer, op_id op);

/* Push the names of the arguments of BLOCK, of a region at REGION, that stand
 * BEFORE the region, in the op's own syntax, or else those inside of it. */
void printer_gather_arguments(struct printer *printer, block_id block,
                              struct span region, bool before);

#endif
