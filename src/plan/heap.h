/* heap.h - binary heaps of any element, typed where they are used.
 *
 * PLAN_HEAP (name, type, before) defines name_push and name_pop over a
 * VECTOR (type), where BEFORE (const type *, const type *) says which of two
 * comes out first.  It must order all elements strictly, so that what comes
 * out does not depend on how the heap was filled.  O(log count) each. */
#ifndef REMAT_PLAN_HEAP_H
#define REMAT_PLAN_HEAP_H

#include "support/vector.h"

#define PLAN_HEAP(name, type, before)                                          \
  /* ENTRY, the last of the COUNT at HEAP, to its place. */                    \
  static void name##_rise(type *heap, uint32_t count) {                        \
    type entry = heap[count - 1];                                              \
    uint32_t i = count - 1;                                                    \
    for (; i && before(&entry, &heap[(i - 1) / 2]); i = (i - 1) / 2)           \
      heap[i] = heap[(i - 1) / 2];                                             \
    heap[i] = entry;                                                           \
  }                                                                            \
  /* The first of the COUNT at HEAP, of which one less is then left. */        \
  static type name##_take(type *heap, uint32_t count) {                        \
    type top = heap[0], moved = heap[--count];                                 \
    uint32_t i = 0;                                                            \
    for (uint32_t child = 1; child < count; child = 2 * i + 1) {               \
      if (child + 1 < count && before(&heap[child + 1], &heap[child]))         \
        child++;                                                               \
      if (!before(&heap[child], &moved))                                       \
        break;                                                                 \
      heap[i] = heap[child];                                                   \
      i = child;                                                               \
    }                                                                          \
    if (count)                                                                 \
      heap[i] = moved;                                                         \
    return top;                                                                \
  }

/* Enter ELEMENT into VECTOR, a heap by PLAN_HEAP (NAME, ...). */
#define plan_heap_push(name, arena, vector, element)                           \
  (vector_push((arena), (vector), (element)),                                  \
   name##_rise((vector)->data, (vector)->count))

/* Take the first out of VECTOR, which is not empty. */
#define plan_heap_pop(name, vector)                                            \
  name##_take((vector)->data, (vector)->count--)

#endif
