/* sort.h - merge sort of any element, typed where it is used.
 *
 * PLAN_SORT (name, type, before) defines name_sort over an array of TYPE, where
 * BEFORE (const type *, const type *) says which of two comes first.  Planners
 * sort small elements all the time: with the comparison inlined that takes a
 * third of what qsort takes.  Stable.  O(count log count), O(count) where the
 * order is right already. */
#ifndef REMAT_PLAN_SORT_H
#define REMAT_PLAN_SORT_H

#include "support/arena.h"

#include <stdint.h>
#include <string.h>

enum { PLAN_SORT_RUN = 8 };

#define PLAN_SORT(name, type, before)                                          \
  /* Sort the COUNT at ITEMS by insertion. */                                  \
  static void name##_insert(type *items, uint32_t count) {                     \
    for (uint32_t i = 1; i < count; i++) {                                     \
      type item = items[i];                                                    \
      uint32_t k = i;                                                          \
      for (; k && before(&item, &items[k - 1]); k--)                           \
        items[k] = items[k - 1];                                               \
      items[k] = item;                                                         \
    }                                                                          \
  }                                                                            \
  /* Merge ITEMS up to MIDDLE, and from there up to COUNT, into TO. */         \
  static void name##_merge(const type *items, uint32_t middle, uint32_t count, \
                           type *to) {                                         \
    uint32_t i = 0, k = middle;                                                \
    if (middle == count || !before(&items[middle], &items[middle - 1])) {      \
      memcpy(to, items, count * sizeof *items);                                \
      return;                                                                  \
    }                                                                          \
    while (i < middle && k < count)                                            \
      *to++ = before(&items[k], &items[i]) ? items[k++] : items[i++];          \
    memcpy(to, items + i, (middle - i) * sizeof *items);                       \
    memcpy(to + (middle - i), items + k, (count - k) * sizeof *items);         \
  }                                                                            \
  /* Sort the COUNT at ITEMS; ARENA is for what that needs meanwhile. */       \
  static void name##_sort(type *items, uint32_t count, struct arena *arena) {  \
    uint32_t run = PLAN_SORT_RUN;                                              \
    for (uint32_t i = 0; i < count; i += run)                                  \
      name##_insert(items + i, count - i < run ? count - i : run);             \
    if (count <= run)                                                          \
      return;                                                                  \
    type *from = items, *to = arena_array(arena, count, sizeof *to);           \
    for (; run < count; run *= 2) {                                            \
      for (uint32_t i = 0; i < count; i += 2 * run) {                          \
        uint32_t both = count - i < 2 * run ? count - i : 2 * run;             \
        name##_merge(from + i, both < run ? both : run, both, to + i);         \
      }                                                                        \
      type *swapped = from;                                                    \
      from = to;                                                               \
      to = swapped;                                                            \
    }                                                                          \
    if (from != items)                                                         \
      memcpy(items, from, count * sizeof *items);                              \
  }

#endif
