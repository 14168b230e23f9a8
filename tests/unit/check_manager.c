/* check_manager.c - passes of no substance that write down when they ran. */
#include "passes/manager.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

/* What the passes below wrote, one letter each. */
static char trace[64];

static bool
note(struct program *program, char letter) {
  (void)program;
  size_t end = strlen(trace);
  trace[end] = letter;
  trace[end + 1] = '\0';
  return true;
}

#define TRACER(letter)                                                         \
  static bool trace_##letter(struct program *program) {                        \
    return note(program, #letter[0]);                                          \
  }
TRACER(a)
TRACER(b)
TRACER(c)

static bool
never(const struct program *program) {
  (void)program;
  return false;
}

static bool
fail_silently(struct program *program) {
  (void)program;
  return false;
}

static const char *
find_fault(const struct program *program) {
  (void)program;
  return "left nothing";
}

static void
dump_word(const struct program *program, struct buffer *out) {
  (void)program;
  buffer_string(out, "word\n");
}

static const struct parameter parameters[] = {
    {"depth", "how deep", 3, 0, 10},
    {NULL, NULL, 0, 0, 0},
};

/* A program, its pipeline and what came out. */
struct fixture {
  struct arena arena, scratch;
  struct diagnostics diagnostics;
  struct options options;
  struct program program;
  struct pipeline pipeline;
  char message[256];
  char dumped[64];
  uint32_t timed;
};

static void
keep_message(void *user, const struct diagnostic *diagnostic) {
  struct fixture *fixture = user;
  snprintf(fixture->message, sizeof fixture->message, "%s",
           diagnostic->message);
}

static bool
keep_dump(void *user, const struct pass_request *request, struct text text) {
  struct fixture *fixture = user;
  snprintf(fixture->dumped, sizeof fixture->dumped, "%s to %s: %.*s",
           request->pass, request->file ? request->file : "-", (int)text.size,
           text.data);
  return true;
}

static void
count_timed(void *user, const struct pass *pass, uint64_t ns) {
  struct fixture *fixture = user;
  (void)pass;
  (void)ns;
  fixture->timed++;
}

static void
set_up(struct fixture *fixture) {
  memset(fixture, 0, sizeof *fixture);
  trace[0] = '\0';
  fixture->diagnostics.sink = keep_message;
  fixture->diagnostics.user = fixture;
  options_default(&fixture->options, &fixture->arena);
  fixture->program.arena = &fixture->arena;
  fixture->program.scratch = &fixture->scratch;
  fixture->program.diagnostics = &fixture->diagnostics;
  fixture->program.options = &fixture->options;
}

static void
add_pass(struct fixture *fixture, const struct pass *pass) {
  vector_push(&fixture->arena, &fixture->pipeline.passes, pass);
}

static bool
run(struct fixture *fixture) {
  const struct manager_callbacks callbacks = {fixture, keep_dump, count_timed};
  return manager_run(&fixture->program, &fixture->pipeline, &callbacks);
}

static void
tear_down(struct fixture *fixture) {
  arena_empty(&fixture->arena);
  arena_empty(&fixture->scratch);
}

static const struct pass gives_facts = {
    .name = "gives", .execute = trace_a, .provides = PROP_FACTS};
static const struct pass needs_facts = {
    .name = "needs",
    .execute = trace_b,
    .requires_ = PROP_FACTS,
    .provides = PROP_BUFFERS,
    .dump = dump_word,
    .parameters = parameters,
};
static const struct pass spoils_facts = {
    .name = "spoils", .execute = trace_c, .destroys = PROP_FACTS};

START_TEST(in_order) {
  struct fixture f;
  set_up(&f);
  add_pass(&f, &gives_facts);
  add_pass(&f, &needs_facts);
  ck_assert(run(&f));
  ck_assert_str_eq(trace, "ab");
  ck_assert_uint_eq(f.program.properties, PROP_FACTS | PROP_BUFFERS);
  ck_assert_uint_eq(f.timed, 2);
  tear_down(&f);
}
END_TEST

/* A provider that stands later runs when it is needed, and only once. */
START_TEST(established) {
  struct fixture f;
  set_up(&f);
  add_pass(&f, &needs_facts);
  add_pass(&f, &gives_facts);
  ck_assert(run(&f));
  ck_assert_str_eq(trace, "ab");
  tear_down(&f);
}
END_TEST

START_TEST(established_again) {
  struct fixture f;
  static const struct pass again = {
      .name = "again", .execute = trace_b, .requires_ = PROP_FACTS};
  set_up(&f);
  add_pass(&f, &gives_facts);
  add_pass(&f, &spoils_facts);
  add_pass(&f, &again);
  ck_assert(run(&f));
  ck_assert_str_eq(trace, "acab");
  tear_down(&f);
}
END_TEST

START_TEST(no_provider) {
  struct fixture f;
  set_up(&f);
  add_pass(&f, &needs_facts);
  ck_assert(!run(&f));
  ck_assert_str_eq(f.message,
                   "pass 'needs': needs facts, which no pass provides");
  ck_assert_str_eq(trace, "");
  tear_down(&f);
}
END_TEST

/* Who needs what was left out is left out too. */
START_TEST(left_out) {
  struct fixture f;
  static const struct pass gated = {.name = "gated",
                                    .gate = never,
                                    .execute = trace_a,
                                    .provides = PROP_FACTS};
  set_up(&f);
  add_pass(&f, &gated);
  add_pass(&f, &needs_facts);
  ck_assert(run(&f));
  ck_assert_str_eq(trace, "");
  tear_down(&f);

  set_up(&f);
  add_pass(&f, &gives_facts);
  add_pass(&f, &needs_facts);
  ck_assert(option_set_flag(&f.options, &f.diagnostics, "disable-gives"));
  ck_assert(run(&f));
  ck_assert_str_eq(trace, "");
  tear_down(&f);
}
END_TEST

START_TEST(silent_failure) {
  struct fixture f;
  static const struct pass silent = {.name = "silent",
                                     .execute = fail_silently};
  set_up(&f);
  add_pass(&f, &silent);
  add_pass(&f, &gives_facts);
  ck_assert(!run(&f));
  ck_assert_str_eq(f.message, "pass 'silent': failed without saying why");
  ck_assert_str_eq(trace, "");
  tear_down(&f);
}
END_TEST

/* Checks run where -fverify-each asks for them. */
START_TEST(verify_each) {
  struct fixture f;
  static const struct pass faulty = {
      .name = "faulty", .execute = trace_a, .check = find_fault};
  set_up(&f);
  add_pass(&f, &faulty);
  ck_assert(run(&f));
  ck_assert(option_set_flag(&f.options, &f.diagnostics, "verify-each"));
  ck_assert(!run(&f));
  ck_assert_str_eq(f.message, "pass 'faulty': left nothing");
  tear_down(&f);
}
END_TEST

START_TEST(dump) {
  struct fixture f;
  set_up(&f);
  add_pass(&f, &gives_facts);
  add_pass(&f, &needs_facts);
  ck_assert(option_set_flag(&f.options, &f.diagnostics, "dump-needs=x.txt"));
  ck_assert(run(&f));
  ck_assert_str_eq(f.dumped, "needs to x.txt: word\n");
  tear_down(&f);
}
END_TEST

START_TEST(scratch_is_emptied) {
  struct fixture f;
  set_up(&f);
  add_pass(&f, &gives_facts);
  arena_alloc(&f.scratch, 100);
  ck_assert(run(&f));
  ck_assert_uint_eq(f.scratch.total, 0);
  tear_down(&f);
}
END_TEST

START_TEST(inserted) {
  struct fixture f;
  set_up(&f);
  add_pass(&f, &gives_facts);
  add_pass(&f, &needs_facts);
  ck_assert(
      pipeline_insert(&f.pipeline, &f.arena, &spoils_facts, "gives", false));
  ck_assert(
      !pipeline_insert(&f.pipeline, &f.arena, &spoils_facts, "none", true));
  ck_assert(run(&f));
  ck_assert_str_eq(trace, "cab");
  tear_down(&f);
}
END_TEST

START_TEST(parameter) {
  struct fixture f;
  set_up(&f);
  add_pass(&f, &needs_facts);
  ck_assert(pass_parameter(&f.program, &needs_facts, "depth") == 3);
  ck_assert(option_set(&f.options, &f.diagnostics, TEXT("param"), "depth=7"));
  ck_assert(pipeline_check_options(&f.pipeline, &f.options, &f.diagnostics));
  ck_assert(pass_parameter(&f.program, &needs_facts, "depth") == 7);
  ck_assert(option_set(&f.options, &f.diagnostics, TEXT("param"), "depth=11"));
  ck_assert(!pipeline_check_options(&f.pipeline, &f.options, &f.diagnostics));
  ck_assert_str_eq(f.message, "parameter 'depth' must be from 0 to 10, not 11");
  tear_down(&f);
}
END_TEST

/* Every name that does not exist is an error with the nearest that does. */
START_TEST(unknown_names) {
  struct fixture f;
  set_up(&f);
  add_pass(&f, &needs_facts);
  option_set_flag(&f.options, &f.diagnostics, "disable-need");
  ck_assert(!pipeline_check_options(&f.pipeline, &f.options, &f.diagnostics));
  ck_assert_str_eq(f.message, "unknown pass 'need'; did you mean 'needs'?");
  tear_down(&f);

  set_up(&f);
  add_pass(&f, &needs_facts);
  option_set(&f.options, &f.diagnostics, TEXT("param"), "dept=1");
  ck_assert(!pipeline_check_options(&f.pipeline, &f.options, &f.diagnostics));
  ck_assert_str_eq(f.message, "unknown parameter 'dept'; did you mean "
                              "'depth'?; --help=params lists them");
  tear_down(&f);
}
END_TEST

START_TEST(essential) {
  struct fixture f;
  static const struct pass proof = {
      .name = "proof", .execute = trace_a, .essential = true};
  set_up(&f);
  add_pass(&f, &proof);
  option_set_flag(&f.options, &f.diagnostics, "disable-proof");
  ck_assert(!pipeline_check_options(&f.pipeline, &f.options, &f.diagnostics));
  ck_assert_str_eq(f.message, "pass 'proof' cannot be disabled: what is "
                              "printed rests on it");
  tear_down(&f);
}
END_TEST

UNIT_MAIN("manager", in_order, established, established_again, no_provider,
          left_out, silent_failure, verify_each, dump, scratch_is_emptied,
          inserted, parameter, unknown_names, essential)
