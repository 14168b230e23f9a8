/* print.h - a module back to text: the text that was read, with edits.
 *
 * What is not understood (attributes, custom assembly, locations, blobs,
 * comments) passes through byte for byte.  A module that was read prints as it
 * was; one that a pass made prints each op from the text of its origin, with
 * the names of its results, operands and block arguments replaced where they
 * are copies'.  A comment above or behind an op stays with it. */
#ifndef REMAT_IR_PRINT_H
#define REMAT_IR_PRINT_H

#include "ir/ir.h"

/* Where the text goes, in large pieces.  False: it could not be taken, and
 * nothing more is sent. */
struct ir_writer {
  bool (*write)(void *user, const char *data, size_t size);
  void *user;
};

/* What is changed besides names and order. */
struct ir_edits {
  const char *const *dropped; /* attributes that ops with OP_HAS_MARKS lose,
                                 ends with NULL; may be NULL */
  const char *phase;          /* the attribute that says which phase an op is
                                 of; clones with OP_BACKWARD get "backward" */
  const struct ir_annotation *annotations; /* by function of the module that
                                              was read, then by key */
  uint32_t annotation_count;
};

/* Print MODULE, which was read or made, to WRITER; EDITS may be NULL.  SCRATCH
 * holds what is needed on the way.  False where WRITER gave up. */
bool ir_print(const struct ir_module *module, const struct ir_edits *edits,
              const struct ir_writer *writer, struct arena *scratch);

/* Append the name that VALUE has in MODULE, without the number of its place in
 * a group. */
void ir_spell_value(struct buffer *out, const struct ir_module *module,
                    value_id value);

#endif
