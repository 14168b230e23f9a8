/* stored_shared.h - cheap values that are worth storing; for stored.c. */
#ifndef REMAT_PASSES_STORED_SHARED_H
#define REMAT_PASSES_STORED_SHARED_H

#include "passes/stored.h"

/* By value, in SCRATCH: it is cheap, has several readers, is made of at least
 * two values of its own rank that are not spread out, which weigh more than it
 * does, and some reader also depends on it by way of a stored value, or is the
 * caller.  What is known of STORED is which ops fuse, bases and readers. */
bool *stored_shared(const struct stored *stored, struct arena *scratch);

#endif
