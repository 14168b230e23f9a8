/* human.h - quantities as a person reads them. */
#ifndef REMAT_SUPPORT_HUMAN_H
#define REMAT_SUPPORT_HUMAN_H

#include "support/buffer.h"

/* Append BYTES: "14.2 MiB", "512 B". */
void human_bytes(struct buffer *out, uint64_t bytes);

/* Append NS nanoseconds: "31.0 us". */
void human_time(struct buffer *out, uint64_t ns);

#endif
