/* spaces.h - what is held in memories that are not the device's own. */
#ifndef REMAT_REPORT_SPACES_H
#define REMAT_REPORT_SPACES_H

#include "passes/liveness.h"

struct space_peak {
  uint32_t space;     /* HLO's S(n) */
  const char *domain; /* what the rules call it, perhaps with ".space" */
  uint64_t bytes;     /* most that is there at once */
};

/* The most that FUNCTION of PROGRAM's input holds in each memory that the
 * rules give the device beside its own: up to CAPACITY into PEAKS, by number
 * of the memory; how many there are. */
uint32_t spaces_peaks(const struct program *program, function_id function,
                      struct space_peak *peaks, uint32_t capacity);

#endif
