/* vector.c - see vector.h. */
#include "support/vector.h"

#include <assert.h>

void *
vector_enlarge(struct arena *arena, void *data, size_t size, uint32_t *capacity,
               size_t need) {
  assert(need <= UINT32_MAX);
  size_t wanted = *capacity ? (size_t)*capacity * 2 : 8;
  if (wanted < need)
    wanted = need;
  if (wanted > UINT32_MAX)
    wanted = UINT32_MAX;
  data = arena_grow(arena, data, *capacity * size, wanted * size);
  *capacity = (uint32_t)wanted;
  return data;
}
