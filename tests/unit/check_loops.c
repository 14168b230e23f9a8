/* A rewritten program that is not the one that was given is left out: the text
 * that the pass has read again is damaged on its way, and what is planned must
 * then be the input, with a remark and without an error. */
#include "passes/manager.h"
#include "readers/reader.h"
#include "session/session.h"
#include "unit.h"

#include <string.h>

#define SCALAR "tensor<i32>"
#define ROW "tensor<16xf32>"
#define ONE_ROW "tensor<1x16xf32>"
#define STACK "tensor<8x16xf32>"
#define UNTIL(i)                                                               \
  "  cond {\n"                                                                 \
  "    %n = stablehlo.constant dense<8> : " SCALAR "\n"                        \
  "    %p = stablehlo.compare LT, %" i ", %n, SIGNED : (" SCALAR ", " SCALAR   \
  ") -> tensor<i1>\n"                                                          \
  "    stablehlo.return %p : tensor<i1>\n"                                     \
  "  } do {\n"                                                                 \
  "    %k = stablehlo.constant dense<0> : " SCALAR "\n"                        \
  "    %one = stablehlo.constant dense<1> : " SCALAR "\n"
#define PUSH(value, stack)                                                     \
  "    %" value "1 = stablehlo.reshape %" value " : (" ROW ") -> " ONE_ROW     \
  "\n    %" stack "1 = stablehlo.dynamic_update_slice %" stack ", %" value     \
  "1, %i, %k : (" STACK ", " ONE_ROW ", " SCALAR ", " SCALAR ") -> " STACK     \
  "\n"
#define PULL(value, number)                                                    \
  "    %" value "1 = stablehlo.dynamic_slice %a#" number                       \
  ", %m, %k, sizes = [1, 16] : (" STACK ", " SCALAR ", " SCALAR                \
  ") -> " ONE_ROW "\n    %" value " = stablehlo.reshape %" value               \
  "1 : (" ONE_ROW ") -> " ROW "\n"

/* Stacks v and exp (v); the second loop reads both, from the last on. */
static const char program_text[] =
    "func.func @main(%c: " ROW ", %g: " ROW ") -> " ROW " {\n"
    "  %zero = stablehlo.constant dense<0> : " SCALAR "\n"
    "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %z0 = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<f32>) -> " STACK
    "\n"
    "  %z1 = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<f32>) -> " STACK
    "\n"
    "  %a:4 = stablehlo.while(%i = %zero, %h = %c, %s = %z0, %t = %z1) "
    ": " SCALAR ", " ROW ", " STACK ", " STACK "\n" UNTIL(
        "i") "    %v = stablehlo.tanh %h : " ROW "\n"
             "    %e = stablehlo.exponential %v : " ROW
             "\n" PUSH("v", "s") PUSH(
                 "e",
                 "t") "    %i1 = stablehlo.add %i, %one : " SCALAR "\n"
                      "    stablehlo.return %i1, %e, %s1, %t1 : " SCALAR
                      ", " ROW ", " STACK ", " STACK "\n"
                      "  }\n"
                      "  %b:2 = stablehlo.while(%j = %zero, %d = %g) : " SCALAR
                      ", " ROW "\n" UNTIL(
                          "j") "    %last = stablehlo.constant dense<7> "
                               ": " SCALAR "\n"
                               "    %m = stablehlo.subtract %last, %j : " SCALAR
                               "\n" PULL("w", "2") PULL(
                                   "u",
                                   "3") "    %dw = stablehlo.multiply %d, %w "
                                        ": " ROW "\n"
                                        "    %du = stablehlo.add %dw, %u : " ROW
                                        "\n"
                                        "    %j1 = stablehlo.add %j, %one "
                                        ": " SCALAR "\n"
                                        "    stablehlo.return %j1, %du "
                                        ": " SCALAR ", " ROW "\n"
                                        "  }\n"
                                        "  return %b#1 : " ROW "\n"
                                        "}\n";

/* Around those loops, a product that is of use before them and after: where it
 * does not fit between, it is made again, with a fence before it. */
#define PRODUCT "tensor<8x16xf32>"
static const char head_text[] =
    "func.func @main(%c0: " ROW ", %g: " ROW ", %x: tensor<8x4xf32>, "
    "%y: tensor<4x16xf32>) -> (" ROW ", tensor<8x8xf32>) {\n"
    "  %first = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : "
    "(tensor<8x4xf32>, tensor<4x16xf32>) -> " PRODUCT "\n"
    "  %front = stablehlo.slice %first [0:1, 0:16] : (" PRODUCT ") -> " ONE_ROW
    "\n"
    "  %flat = stablehlo.reshape %front : (" ONE_ROW ") -> " ROW "\n"
    "  %c = stablehlo.add %c0, %flat : " ROW "\n";
static const char tail_text[] =
    "  %last = stablehlo.dot_general %first, %first, contracting_dims = [1] x "
    "[1] : (" PRODUCT ", " PRODUCT ") -> tensor<8x8xf32>\n"
    "  return %b#1, %last : " ROW ", tensor<8x8xf32>\n}\n";

/* Those loops and what is around them, in ARENA. */
static const char *
text_around(struct arena *arena) {
  const char *begin = strchr(program_text, '\n') + 1;
  const char *end = strstr(program_text, "  return %b#1");
  return arena_printf(arena, "%s%.*s%s", head_text, (int)(end - begin), begin,
                      tail_text);
}

/* Reads what was rewritten, with each FROM in it made TO; both are as long. */
struct damage {
  struct session *session;
  const char *from, *to;
  struct source sources[64];
  uint32_t count;
};

static const struct ir_module *
reread(void *user, struct arena *arena, struct text text,
       const struct source_pieces *pieces) {
  (void)pieces;
  struct damage *damage = user;
  struct session *session = damage->session;
  const struct reader_options how = {.format = session->input->format->name,
                                     .rules = session->rules};
  struct diagnostics silent = {0};
  ck_assert_uint_lt(damage->count, 64);
  struct source *source = &damage->sources[damage->count++];
  char *copy = arena_copy(&session->module, text.data, text.size);
  for (char *at = copy; (at = strstr(at, damage->from)) != NULL; at++)
    memcpy(at, damage->to, strlen(damage->to));
  source_from_text(source, "rewritten", copy, text.size);
  return reader_read(arena, source, &how, &silent);
}

/* What came of a run. */
struct outcome {
  bool rewritten, unproved;
};

/* What was said. */
struct said {
  bool unproved;
};

static void
listen(void *user, const struct diagnostic *diagnostic) {
  struct said *said = user;
  said->unproved |= strstr(diagnostic->message, "is not proved") &&
                    diagnostic->where.source && diagnostic->where.begin;
}

/* Plan the loops, or, AROUND, all of it, with FROM made TO in all that is read
 * again. */
static void
run(bool around, const char *from, const char *to, struct outcome *out) {
  struct arena arena = {0};
  struct session session;
  struct said said = {false};
  struct damage damage = {.session = &session, .from = from, .to = to};
  session_open(&session, listen, &said);
  session.diagnostics.remarks = true;
  session.options.target = "x86";
  const char *budget = around ? "800temp" : "600";
  ck_assert(option_parse_budget(text_of(budget), &session.options.budget));
  ck_assert(session_choose_target(&session));
  const char *text = around ? text_around(&arena) : program_text;
  ck_assert(session_read_text(&session, "text", text, (uint32_t)strlen(text)));
  session.program = (struct program){.arena = &session.module,
                                     .scratch = &session.scratch,
                                     .diagnostics = &session.diagnostics,
                                     .options = &session.options,
                                     .rules = session.rules,
                                     .device = session.device,
                                     .input = session.input,
                                     .is_fused = around,
                                     .reread = reread,
                                     .reread_user = &damage};
  const struct manager_callbacks none = {0};
  ck_assert(manager_run(&session.program, &session.pipeline, &none));
  ck_assert_uint_eq(session.diagnostics.errors, 0);
  ck_assert_uint_gt(damage.count, 0);
  out->rewritten = session.program.before != NULL;
  out->unproved = said.unproved;
  for (uint32_t i = 0; i < damage.count; i++)
    source_close(&damage.sources[i]);
  session_close(&session);
  arena_empty(&arena);
}

/* The control: the same text, as it was written, is taken. */
START_TEST(good_text_is_taken) {
  struct outcome out;
  run(false, "exponential", "exponential", &out);
  ck_assert(out.rewritten);
  ck_assert(!out.unproved);
}
END_TEST

START_TEST(other_op_is_left_out) {
  struct outcome out;
  run(false, "stablehlo.tanh", "stablehlo.sine", &out);
  ck_assert(!out.rewritten);
  ck_assert(out.unproved);
}
END_TEST

START_TEST(unreadable_text_is_left_out) {
  struct outcome out;
  run(false, "stablehlo.while(", "stablehlo.while)", &out);
  ck_assert(!out.rewritten);
  ck_assert(out.unproved);
}
END_TEST

/* What is printed, fences and all, is read again, too. */
START_TEST(wrong_fence_is_left_out) {
  struct outcome out;
  run(true, "optimization_barrier", "optimization_barrier", &out);
  ck_assert(out.rewritten);
  ck_assert(!out.unproved);
  run(true, "optimization_barrier", "optimization_carrier", &out);
  ck_assert(!out.rewritten);
  ck_assert(out.unproved);
}
END_TEST

UNIT_MAIN("loops", wrong_fence_is_left_out, good_text_is_taken,
          other_op_is_left_out, unreadable_text_is_left_out)
