/* Interned names, globs, and "did you mean". */
#include "support/strings.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

START_TEST(a_name_has_one_number) {
  struct arena arena = {0};
  struct string_table *table = string_table_new(&arena);
  for (uint32_t i = 0; i < 5000; i++) {
    char *name = arena_printf(&arena, "op.%u", i);
    ck_assert_uint_eq(string_intern(table, text_of(name)), i);
  }
  for (uint32_t i = 0; i < 5000; i++) {
    char name[16];
    snprintf(name, sizeof name, "op.%u", i);
    ck_assert_uint_eq(string_find(table, text_of(name)), i);
    ck_assert(text_is(string_text(table, i), name));
  }
  ck_assert_uint_eq(string_find(table, TEXT("op.5000")), STRING_NONE);
  ck_assert_uint_eq(string_intern(table, TEXT("")), 5000);
  arena_empty(&arena);
}
END_TEST

START_TEST(globs_match_whole_names) {
  ck_assert(text_glob(TEXT("tessera.*"), TEXT("tessera.gelu")));
  ck_assert(text_glob(TEXT("*"), TEXT("")));
  ck_assert(text_glob(TEXT("a*b*c"), TEXT("a-b-b-c")));
  ck_assert(!text_glob(TEXT("a*b*c"), TEXT("a-b-b-d")));
  ck_assert(!text_glob(TEXT("tessera.*"), TEXT("x.tessera.gelu")));
  ck_assert(!text_glob(TEXT("add"), TEXT("adds")));
}
END_TEST

START_TEST(the_nearest_name_is_suggested) {
  const char *const classes[] = {"elementwise", "contraction", "view"};
  ck_assert_str_eq(text_nearest(TEXT("elementwize"), classes, 3),
                   "elementwise");
  ck_assert_str_eq(text_nearest(TEXT("vew"), classes, 3), "view");
  ck_assert_ptr_null(text_nearest(TEXT("zzzzzz"), classes, 3));
}
END_TEST

/* At every place of texts of every length around that of a block. */
START_TEST(a_word_is_found_wherever_it_stands) {
  char text[200];
  for (uint32_t size = 4; size < sizeof text; size++) {
    memset(text, 'w', sizeof text);
    ck_assert_ptr_null(text_find((struct text){text, size}, "word"));
    for (uint32_t at = size - 4 + 1; at-- > 0;) {
      memcpy(text + at, "word", 4);
      ck_assert_ptr_eq(text_find((struct text){text, size}, "word"), text + at);
    }
  }
  memcpy(text, "w..dword", 8);
  ck_assert_ptr_eq(text_find((struct text){text, sizeof text}, "word"),
                   text + 4);
  ck_assert_ptr_null(text_find(TEXT("wor"), "word"));
  ck_assert_ptr_null(text_find((struct text){NULL, 0}, "word"));
}
END_TEST

UNIT_MAIN("strings", a_name_has_one_number, globs_match_whole_names,
          the_nearest_name_is_suggested, a_word_is_found_wherever_it_stands)
