/* check.h - is what the analyses leave consistent?  For -fverify-each. */
#ifndef REMAT_PASSES_CHECK_H
#define REMAT_PASSES_CHECK_H

#include "passes/pass.h"

/* NULL where all is well, else what is wrong. */
const char *check_buffers(const struct program *program);
const char *check_liveness(const struct program *program);

#endif
