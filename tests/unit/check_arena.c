/* Arenas and vectors: memory is zeroed, aligned, stable, and grows. */
#include "support/arena.h"
#include "support/vector.h"
#include "unit.h"

#include <setjmp.h>
#include <stdalign.h>
#include <string.h>

START_TEST(small_requests_do_not_move) {
  struct arena arena = {0};
  unsigned char *first = arena_alloc(&arena, 3);
  first[0] = 7;
  for (int i = 0; i < 100000; i++) {
    unsigned char *next = arena_alloc(&arena, 40);
    ck_assert_uint_eq((uintptr_t)next % alignof(max_align_t), 0);
    ck_assert_uint_eq(next[39], 0);
    memset(next, 0xff, 40);
  }
  ck_assert_uint_eq(first[0], 7);
  arena_empty(&arena);
  ck_assert_uint_eq(arena.total, 0);
}
END_TEST

START_TEST(growing_keeps_contents_and_zeroes_the_rest) {
  struct arena arena = {0};
  size_t bytes = 16;
  unsigned char *data = arena_alloc(&arena, bytes);
  memset(data, 1, bytes);
  while (bytes < (1u << 22)) {
    data = arena_grow(&arena, data, bytes, bytes * 2);
    for (size_t i = 0; i < bytes; i += bytes / 16)
      ck_assert_uint_eq(data[i], 1);
    for (size_t i = bytes; i < bytes * 2; i += bytes / 16)
      ck_assert_uint_eq(data[i], 0);
    memset(data, 1, bytes * 2);
    bytes *= 2;
    arena_alloc(&arena, ARENA_LARGE); /* a neighbour in the list of blocks */
  }
  arena_empty(&arena);
}
END_TEST

START_TEST(vectors_push_a_million) {
  struct arena arena = {0};
  VECTOR(uint32_t) vector = {0};
  for (uint32_t i = 0; i < 1000000; i++)
    vector_push(&arena, &vector, i * 3);
  ck_assert_uint_eq(vector.count, 1000000);
  for (uint32_t i = 0; i < vector.count; i++)
    ck_assert_uint_eq(vector.data[i], i * 3);
  *vector_add(&arena, &vector) = 5;
  ck_assert_uint_eq(vector.data[1000000], 5);
  arena_empty(&arena);
}
END_TEST

static jmp_buf out_of_memory;

static void
catch_oom(size_t bytes) {
  longjmp(out_of_memory, bytes == SIZE_MAX ? 2 : 1);
}

START_TEST(an_impossible_request_calls_the_handler) {
  struct arena arena = {0};
  arena_oom_handler former = arena_set_oom_handler(catch_oom);
  if (setjmp(out_of_memory) == 0) {
    arena_array(&arena, SIZE_MAX / 2, 4);
    ck_abort_msg("an overflowing size was handed out");
  }
  ck_assert(arena_set_oom_handler(former) == catch_oom);
  arena_empty(&arena);
}
END_TEST

START_TEST(printf_and_copy_end_in_nul) {
  struct arena arena = {0};
  ck_assert_str_eq(arena_printf(&arena, "%d-%s", 42, "x"), "42-x");
  ck_assert_str_eq(arena_copy(&arena, "abcdef", 3), "abc");
  arena_empty(&arena);
}
END_TEST

UNIT_MAIN("arena", small_requests_do_not_move,
          growing_keeps_contents_and_zeroes_the_rest, vectors_push_a_million,
          an_impossible_request_calls_the_handler, printf_and_copy_end_in_nul)
