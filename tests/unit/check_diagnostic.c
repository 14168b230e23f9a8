/* What a message looks like, and which are shown. */
#include "support/diagnostic.h"
#include "unit.h"

#include <string.h>

struct log {
  struct arena arena;
  char text[4096];
  enum diagnostic_style style;
};

static void
record(void *user, const struct diagnostic *diagnostic) {
  struct log *log = user;
  strcat(log->text, diagnostic_render(&log->arena, diagnostic, log->style));
}

static const char program[] = "func @f {\n  %0 = \xc3\xa9 %x\n\tret\n}\n";

START_TEST(an_error_has_place_line_and_caret) {
  struct source source;
  struct log log = {0};
  struct diagnostics d = {.sink = record, .user = &log};
  source_from_text(&source, "a.mlir", program, sizeof program - 1);
  /* "%x" is bytes 20 and 21: line 2 holds two spaces, "%0 = ", a two-byte
     letter and a space before it, so byte 11, column 11, caret under 10. */
  diagnose(&d, DIAGNOSTIC_INPUT, (struct location){&source, 20, 22},
           "use of undefined value '%s'", "%x");
  diagnose_note(&d, (struct location){&source, 0, 4}, "in this function");
  ck_assert_str_eq(log.text, "a.mlir:2:11: error: use of undefined value '%x' "
                             "[REMAT_INPUT]\n"
                             "     2 |   %0 = \xc3\xa9 %x\n"
                             "       |          ^~\n"
                             "a.mlir:1:1: note: in this function\n"
                             "     1 | func @f {\n"
                             "       | ^~~~\n");
  ck_assert_uint_eq(d.errors, 1);
  source_close(&source);
  arena_empty(&log.arena);
}
END_TEST

START_TEST(warnings_obey_their_flags) {
  struct log log = {0};
  struct diagnostics d = {.sink = record, .user = &log};
  enum diagnostic_code code = diagnostic_by_flag("clone-bound");
  ck_assert_int_eq(code, DIAGNOSTIC_PLAN_CLONE_BOUND);
  diagnose(&d, code, NO_LOCATION, "one");
  d.off[code] = true;
  diagnose(&d, code, NO_LOCATION, "two");
  diagnose_note(&d, NO_LOCATION, "of two");
  d.off[code] = false;
  d.as_error[code] = true;
  diagnose(&d, code, NO_LOCATION, "three");
  ck_assert_str_eq(log.text, "remat: warning: one [REMAT_PLAN_CLONE_BOUND, "
                             "-Wclone-bound]\n"
                             "remat: error: three [REMAT_PLAN_CLONE_BOUND, "
                             "-Werror=clone-bound]\n");
  ck_assert_uint_eq(d.errors, 1);
  ck_assert_uint_eq(d.warnings, 1);
  arena_empty(&log.arena);
}
END_TEST

START_TEST(errors_past_the_limit_are_counted_only) {
  struct log log = {0};
  struct diagnostics d = {.sink = record, .user = &log, .max_errors = 2};
  for (int i = 0; i < 5; i++)
    diagnose(&d, DIAGNOSTIC_INPUT, NO_LOCATION, "%d", i);
  ck_assert_uint_eq(d.errors, 5);
  ck_assert_ptr_null(strstr(log.text, "error: 2"));
  arena_empty(&log.arena);
}
END_TEST

START_TEST(long_lines_are_cut_around_the_caret) {
  static char text[100001];
  struct source source;
  struct log log = {0};
  struct diagnostics d = {.sink = record, .user = &log};
  memset(text, 'a', 100000);
  text[50000] = 'b';
  source_from_text(&source, "long", text, 100000);
  diagnose(&d, DIAGNOSTIC_INPUT, (struct location){&source, 50000, 50001},
           "here");
  ck_assert_uint_lt(strlen(log.text), 400);
  const char *shown = strstr(log.text, "...");
  const char *caret = strrchr(log.text, '^');
  const char *line = strchr(log.text, '\n') + 1;
  const char *below = strchr(line, '\n') + 1;
  ck_assert_ptr_nonnull(shown);
  ck_assert_int_eq(line[caret - below], 'b');
  source_close(&source);
  arena_empty(&log.arena);
}
END_TEST

START_TEST(json_is_one_object_a_line) {
  struct source source;
  struct log log = {.style = DIAGNOSTIC_JSON};
  struct diagnostics d = {.sink = record, .user = &log};
  source_from_text(&source, "a\"b", program, sizeof program - 1);
  diagnose(&d, DIAGNOSTIC_INPUT, (struct location){&source, 20, 22}, "x\ny");
  ck_assert_str_eq(log.text,
                   "{\"severity\": \"error\", \"code\": \"REMAT_INPUT\", "
                   "\"file\": \"a\\\"b\", \"line\": 2, \"column\": 11, "
                   "\"length\": 2, \"message\": \"x\\ny\"}\n");
  source_close(&source);
  arena_empty(&log.arena);
}
END_TEST

UNIT_MAIN("diagnostic", an_error_has_place_line_and_caret,
          warnings_obey_their_flags, errors_past_the_limit_are_counted_only,
          long_lines_are_cut_around_the_caret, json_is_one_object_a_line)
