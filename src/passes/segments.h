/* segments.h - where buffers are needed among blocks that jump. */
#ifndef REMAT_PASSES_SEGMENTS_H
#define REMAT_PASSES_SEGMENTS_H

#include "passes/storage.h"

/* Give BUFFERS the segments of all that are flagged BUFFER_SEGMENTED.  SCRATCH
 * is used up. */
void segments_find(struct arena *arena, struct arena *scratch,
                   const struct ir_module *module, const struct facts *facts,
                   struct buffers *buffers);

#endif
