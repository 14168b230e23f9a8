/* materialize.h - the pass that builds what is emitted. */
#ifndef REMAT_PASSES_MATERIALIZE_H
#define REMAT_PASSES_MATERIALIZE_H

#include "passes/manager.h"

extern const struct pass pass_materialize;

#endif
