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

/* Reads what was rewritten, with each FROM in it made TO; both are as long. */
struct damage {
  struct session *session;
  const char *from, *to;
  struct source sources[64];
  uint32_t count;
};

static const struct ir_module *
reread(void *user, struct arena *arena, struct text text) {
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

/* Plan the program above, with FROM made TO in all that is rewritten. */
static void
run(const char *from, const char *to, bool *rewritten, bool *unproved) {
  struct session session;
  struct said said = {false};
  struct damage damage = {.session = &session, .from = from, .to = to};
  session_open(&session, listen, &said);
  session.diagnostics.remarks = true;
  session.options.target = "x86";
  ck_assert(option_parse_budget(text_of("600"), &session.options.budget));
  ck_assert(session_choose_target(&session));
  ck_assert(session_read_text(&session, "text", program_text,
                              sizeof program_text - 1));
  session.program = (struct program){.arena = &session.module,
                                     .scratch = &session.scratch,
                                     .diagnostics = &session.diagnostics,
                                     .options = &session.options,
                                     .rules = session.rules,
                                     .device = session.device,
                                     .input = session.input,
                                     .reread = reread,
                                     .reread_user = &damage};
  const struct manager_callbacks none = {0};
  ck_assert(manager_run(&session.program, &session.pipeline, &none));
  ck_assert_uint_eq(session.diagnostics.errors, 0);
  ck_assert_uint_gt(damage.count, 0);
  *rewritten = session.program.before != NULL;
  *unproved = said.unproved;
  for (uint32_t i = 0; i < damage.count; i++)
    source_close(&damage.sources[i]);
  session_close(&session);
}

/* The control: the same text, as it was written, is taken. */
START_TEST(good_text_is_taken) {
  bool rewritten, unproved;
  run("exponential", "exponential", &rewritten, &unproved);
  ck_assert(rewritten);
  ck_assert(!unproved);
}
END_TEST

START_TEST(other_op_is_left_out) {
  bool rewritten, unproved;
  run("stablehlo.tanh", "stablehlo.sine", &rewritten, &unproved);
  ck_assert(!rewritten);
  ck_assert(unproved);
}
END_TEST

START_TEST(unreadable_text_is_left_out) {
  bool rewritten, unproved;
  run("stablehlo.while(", "stablehlo.while)", &rewritten, &unproved);
  ck_assert(!rewritten);
  ck_assert(unproved);
}
END_TEST

UNIT_MAIN("loops", good_text_is_taken, other_op_is_left_out,
          unreadable_text_is_left_out)
