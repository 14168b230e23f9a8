/* vector.h - growing arrays inside an arena.
 *
 * VECTOR (type) declares one; zeroed is empty.  Element pointers are good
 * until the next push. */
#ifndef REMAT_SUPPORT_VECTOR_H
#define REMAT_SUPPORT_VECTOR_H

#include "support/arena.h"

#define VECTOR(type)                                                           \
  struct {                                                                     \
    type *data;                                                                \
    uint32_t count;                                                            \
    uint32_t capacity;                                                         \
  }

/* Make room for MORE further elements. */
#define vector_reserve(arena, vector, more)                                    \
  ((vector)->count + (size_t)(more) <= (vector)->capacity                      \
       ? (void)0                                                               \
       : (void)((vector)->data = vector_enlarge(                               \
                    (arena), (vector)->data, sizeof *(vector)->data,           \
                    &(vector)->capacity, (vector)->count + (size_t)(more))))

#define vector_push(arena, vector, element)                                    \
  (vector_reserve((arena), (vector), 1),                                       \
   (void)((vector)->data[(vector)->count++] = (element)))

/* The address of a new zeroed element at the end. */
#define vector_add(arena, vector)                                              \
  (vector_reserve((arena), (vector), 1), &(vector)->data[(vector)->count++])

/* KEEP WITH vector_reserve: at least NEED elements of SIZE bytes each. */
void *vector_enlarge(struct arena *arena, void *data, size_t size,
                     uint32_t *capacity, size_t need);

#endif
