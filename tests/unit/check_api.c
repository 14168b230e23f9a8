/* check_api.c - a host that embeds remat, through the public header alone. */
#include "remat/remat.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

/* Two operands and a result of 4 KiB each: a peak of 12 KiB at the add, of
 * which the argument's 4 are the caller's. */
static const char program[] =
    "func.func @f(%a: tensor<1024xf32>) -> tensor<1024xf32> {\n"
    "  %0 = stablehlo.tanh %a : tensor<1024xf32>\n"
    "  %1 = stablehlo.add %0, %a : tensor<1024xf32>\n"
    "  return %1 : tensor<1024xf32>\n"
    "}\n";

struct text_out {
  char text[4096];
  size_t size;
};

static bool
collect(void *user, const char *data, size_t size) {
  struct text_out *out = user;
  if (size > sizeof out->text - 1 - out->size)
    return false;
  memcpy(out->text + out->size, data, size);
  out->size += size;
  return true;
}

static bool
refuse(void *user, const char *data, size_t size) {
  (void)user;
  (void)data;
  (void)size;
  return false;
}

struct messages {
  uint32_t count;
  remat_message last;
  char text[256];
};

static void
keep(void *user, const remat_message *message) {
  struct messages *messages = user;
  messages->count++;
  messages->last = *message;
  snprintf(messages->text, sizeof messages->text, "%s", message->text);
}

static bool
read_program(remat_session *session) {
  return remat_read_text(session, "f.mlir", program, sizeof program - 1);
}

START_TEST(figures) {
  remat_session *session = remat_open();
  int64_t value;
  ck_assert(remat_set(session, "target", "generic"));
  ck_assert(remat_set(session, "analyze", NULL));
  ck_assert(read_program(session));
  ck_assert(!remat_figure(session, 0, "peak_before_bytes", &value));
  ck_assert_int_eq(remat_run(session), REMAT_DONE);
  ck_assert_uint_eq(remat_function_count(session), 1);
  ck_assert_str_eq(remat_function_name(session, 0), "f");
  ck_assert_ptr_null(remat_function_name(session, 1));
  ck_assert(remat_figure(session, 0, "ops_in", &value));
  ck_assert_int_eq(value, 3);
  ck_assert(remat_figure(session, 0, "peak_before_bytes", &value));
  ck_assert_int_eq(value, 3 * 4096);
  ck_assert(remat_figure(session, 0, "peak_before_temp_bytes", &value));
  ck_assert_int_eq(value, 4096);
  ck_assert(!remat_figure(session, 0, "peak_after_bytes", &value));
  ck_assert(!remat_figure(session, 0, "name", &value));
  ck_assert(!remat_figure(session, 0, "nonsense", &value));
  ck_assert(!remat_figure(session, 1, "ops_in", &value));
  remat_close(session);
}
END_TEST

START_TEST(unchanged) {
  remat_session *session = remat_open();
  struct text_out out = {.size = 0};
  ck_assert(remat_set(session, "strategy", "none"));
  ck_assert(read_program(session));
  ck_assert(!remat_print(session, collect, &out));
  ck_assert_int_eq(remat_run(session), REMAT_DONE);
  ck_assert(remat_print(session, collect, &out));
  ck_assert_str_eq(out.text, program);
  ck_assert(!remat_print(session, refuse, NULL));
  remat_close(session);
}
END_TEST

START_TEST(reports) {
  remat_session *session = remat_open();
  ck_assert(remat_set(session, "analyze", NULL));
  ck_assert_ptr_null(remat_report(session, "json"));
  ck_assert(read_program(session));
  ck_assert_int_eq(remat_run(session), REMAT_DONE);
  ck_assert_ptr_null(remat_report(session, "xml"));
  ck_assert_ptr_nonnull(
      strstr(remat_report(session, "json"), "\"peak_before_bytes\": 12288"));
  ck_assert_ptr_nonnull(strstr(remat_report(session, "text"), "12.0 KiB"));
  ck_assert_ptr_nonnull(strstr(remat_report(session, "html"), "<svg "));
  remat_close(session);
}
END_TEST

/* A mistake is a message with its place, and the session can be used again. */
START_TEST(mistakes) {
  remat_session *session = remat_open();
  struct messages messages = {.count = 0};
  remat_on_message(session, keep, &messages);
  ck_assert(!remat_set(session, "budgett", "1"));
  ck_assert_str_eq(messages.text,
                   "unknown option '--budgett'; did you mean '--budget'?");
  ck_assert_str_eq(messages.last.code, "REMAT_USAGE");
  ck_assert_ptr_null(messages.last.file);
  ck_assert_int_eq(remat_run(session), REMAT_BAD_INPUT);
  ck_assert_str_eq(messages.text, "nothing was read");
  static const char bad[] =
      "func.func @f() {\n  \"a.b\"(%x) : (f32) -> ()\n}\n";
  ck_assert(!remat_read_text(session, "bad.mlir", bad, sizeof bad - 1));
  ck_assert_int_eq(messages.last.severity, REMAT_ERROR);
  ck_assert_uint_eq(messages.last.line, 2);
  ck_assert_uint_eq(messages.last.column, 9);
  ck_assert_str_eq(messages.last.code, "REMAT_INPUT");
  ck_assert(!remat_read_file(session, "/nonexistent/step.mlir"));
  ck_assert(read_program(session));
  ck_assert_int_eq(remat_run(session), REMAT_DONE);
  remat_close(session);
}
END_TEST

/* What one session is told is nothing to another. */
START_TEST(two_sessions) {
  remat_session *one = remat_open(), *other = remat_open();
  int64_t value;
  ck_assert(remat_set(one, "arguments", "dead"));
  ck_assert(remat_set(one, "analyze", NULL));
  ck_assert(remat_set(other, "analyze", NULL));
  ck_assert(read_program(one) && read_program(other));
  ck_assert_int_eq(remat_run(one), REMAT_DONE);
  ck_assert_int_eq(remat_run(other), REMAT_DONE);
  ck_assert(remat_figure(one, 0, "lower_bound_bytes", &value));
  ck_assert(remat_figure(other, 0, "lower_bound_bytes", &value));
  ck_assert_int_eq(value, 12288);
  remat_close(one);
  remat_close(other);
  remat_close(NULL);
}
END_TEST

UNIT_MAIN("api", figures, unchanged, reports, mistakes, two_sessions)
