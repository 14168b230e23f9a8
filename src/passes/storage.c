/* storage.c - see storage.h. */
#include "passes/storage.h"

void
storage_unite(struct storage *storage, uint32_t a, uint32_t b) {
  a = storage_find(storage, a);
  b = storage_find(storage, b);
  if (a == b)
    return;
  uint32_t root = a < b ? a : b, other = a < b ? b : a;
  storage->parent[other] = root;
  if (storage->begin[other] < storage->begin[root])
    storage->begin[root] = storage->begin[other];
  if (storage->end[other] > storage->end[root])
    storage->end[root] = storage->end[other];
  if (storage->bytes[other] > storage->bytes[root])
    storage->bytes[root] = storage->bytes[other];
  storage->flags[root] |= storage->flags[other];
}
