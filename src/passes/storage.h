/* storage.h - sets of leaves that share storage, while they are being found.
 *
 * Union-find over the leaves of facts.h.  What is known of a set is kept at
 * its root, which is its lowest leaf. */
#ifndef REMAT_PASSES_STORAGE_H
#define REMAT_PASSES_STORAGE_H

#include "passes/buffers.h"

/* Beside the flags of buffers.h. */
enum storage_flag {
  STORAGE_HELD = 32,    /* the caller's: never to be written over */
  STORAGE_CROSSES = 64, /* made in one block, used in another of its region */
};

struct storage {
  uint32_t *parent;      /* by leaf */
  uint32_t *begin, *end; /* by root: ticks; NONE for what never runs */
  uint64_t *bytes;       /* by root: a view adds none of its own */
  uint8_t *flags;        /* by root */
};

/* The root of LEAF's set. */
static inline uint32_t
storage_find(struct storage *storage, uint32_t leaf) {
  while (storage->parent[leaf] != leaf) {
    storage->parent[leaf] = storage->parent[storage->parent[leaf]];
    leaf = storage->parent[leaf];
  }
  return leaf;
}

/* Make one set of A's and B's; bytes are those of the larger. */
void storage_unite(struct storage *storage, uint32_t a, uint32_t b);

/* LEAF is needed at TICK. */
static inline void
storage_use(struct storage *storage, uint32_t leaf, uint32_t tick) {
  uint32_t root = storage_find(storage, leaf);
  if (storage->end[root] < tick)
    storage->end[root] = tick;
}

#endif
