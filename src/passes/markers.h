/* markers.h - the attributes by which a dump gives orders. */
#ifndef REMAT_PASSES_MARKERS_H
#define REMAT_PASSES_MARKERS_H

/* Orders that are carried out, and so do not stay in the output; up to NULL. */
extern const char *const marker_dropped[];

/* What says which phase an op is of; up to NULL. */
extern const char *const marker_phases[];

#endif
