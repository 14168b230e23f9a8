/* dump.h - what the analyses leave, readable and stable enough to test. */
#ifndef REMAT_PASSES_DUMP_H
#define REMAT_PASSES_DUMP_H

#include "passes/pass.h"

/* One line an op: class, flags, bytes of its results, cost. */
void dump_facts(const struct program *program, struct buffer *out);

/* One line a buffer: bytes, ticks, kind, the values in it. */
void dump_buffers(const struct program *program, struct buffer *out);

/* The peaks of each function, and what is live at each tick. */
void dump_liveness(const struct program *program, struct buffer *out);

#endif
