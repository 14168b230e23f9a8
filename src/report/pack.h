/* pack.h - what an allocator needs for buffers whose lives are known. */
#ifndef REMAT_REPORT_PACK_H
#define REMAT_REPORT_PACK_H

#include "passes/liveness.h"

/* By function of PROGRAM's input, for what is emitted of it: the end of the
 * last of its buffers, when they are placed by decreasing size, each at the
 * lowest place that is free while it lives.  NULL where that would take too
 * long. */
uint64_t *pack_functions(struct arena *arena, const struct program *program);

#endif
