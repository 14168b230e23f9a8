/* The proofs see what is wrong: a program that was planned and proved is
 * damaged in one place at a time, and each proof must name the fault.  A proof
 * that nothing can fail proves nothing. */
#include "passes/verify.h"
#include "readers/reader.h"
#include "session/session.h"
#include "unit.h"

#include <string.h>

static const char program_text[] =
    "func.func @f(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {\n"
    "  %a = \"tessera.gelu\"(%x) {remat.recompute} : (tensor<4xf32>) -> "
    "tensor<4xf32>\n"
    "  %b = \"tessera.gelu\"(%a) {remat.recompute} : (tensor<4xf32>) -> "
    "tensor<4xf32>\n"
    "  %a_remat7 = \"test.effect\"(%x) {n = 1 : i32} : (tensor<4xf32>) -> "
    "tensor<4xf32>\n"
    "  %f = \"test.effect\"(%a_remat7) {n = 2 : i32} : (tensor<4xf32>) -> "
    "tensor<4xf32>\n"
    "  %d = \"tessera.add\"(%b, %f) : (tensor<4xf32>, tensor<4xf32>) -> "
    "tensor<4xf32>\n"
    "  %e = \"tessera.add\"(%d, %a) : (tensor<4xf32>, tensor<4xf32>) -> "
    "tensor<4xf32>\n"
    "  cf.cond_br %c, ^left(%e : tensor<4xf32>), ^right\n"
    "^right:\n"
    "  %g = \"tessera.add\"(%e, %b) : (tensor<4xf32>, tensor<4xf32>) -> "
    "tensor<4xf32>\n"
    "  cf.br ^left(%g : tensor<4xf32>)\n"
    "^left(%v: tensor<4xf32>):\n"
    "  %h = \"tessera.add\"(%v, %a) : (tensor<4xf32>, tensor<4xf32>) -> "
    "tensor<4xf32>\n"
    "  return %h : tensor<4xf32>\n"
    "}\n";

static void
ignore(void *user, const struct diagnostic *diagnostic) {
  (void)user;
  (void)diagnostic;
}

/* A session in which the program above was planned. */
static void
plan(struct session *session) {
  session_open(session, ignore, NULL);
  session->options.strategy = STRATEGY_GREEDY;
  session->options.no_annotate = true;
  session->options.target = "generic";
  ck_assert(session_choose_target(session));
  ck_assert(session_read_text(session, "text", program_text,
                              sizeof program_text - 1));
  ck_assert_int_eq(session_run(session), SESSION_DONE);
  ck_assert_ptr_nonnull(session->program.made);
}

/* What the three proofs say of the module as it is now. */
static bool
is_proved(const struct session *session, bool *same, bool *order, bool *names) {
  struct arena arena = {0};
  const struct ir_module *made = session->program.made;
  *same = !verify_same(made, session->program.facts, &arena);
  *order = !verify_order(made, &arena);
  *names = !verify_names(made, &arena);
  arena_empty(&arena);
  return *same && *order && *names;
}

START_TEST(every_wrong_operand_is_seen) {
  struct session session;
  bool same, order, names;
  uint32_t wrong = 0, late = 0;
  plan(&session);
  struct ir_module *made = session.program.made;
  ck_assert(is_proved(&session, &same, &order, &names));
  for (uint32_t use = 0; use < made->use_count; use++)
    for (value_id value = 0; value < made->value_count; value++) {
      value_id meant = made->use_value[use];
      if (value == meant)
        continue;
      made->use_value[use] = value;
      is_proved(&session, &same, &order, &names);
      bool alike = made->value_origin[value] == made->value_origin[meant];
      ck_assert(same == alike);
      wrong += !same;
      late += !order;
      made->use_value[use] = meant;
    }
  ck_assert(wrong > 100 && late > 50);
  session_close(&session);
}
END_TEST

START_TEST(a_clone_that_is_read_before_it_stands_is_seen) {
  struct session session;
  bool same, order, names;
  uint32_t seen = 0;
  plan(&session);
  struct ir_module *made = session.program.made;
  for (op_id op = 0; op < made->op_count; op++)
    for (uint32_t i = 0; i < made->op_use_count[op]; i++) {
      value_id *use = &made->use_value[made->op_first_use[op] + i];
      value_id meant = *use;
      for (value_id value = meant + 1; value < made->value_count; value++) {
        op_id definition = ir_value_op(made, value);
        if (made->value_origin[value] != made->value_origin[meant] ||
            definition == NONE || definition < op ||
            made->op_block[definition] != made->op_block[op])
          continue;
        *use = value;
        is_proved(&session, &same, &order, &names);
        ck_assert(same && !order);
        seen++;
      }
      *use = meant;
    }
  ck_assert_uint_gt(seen, 0);
  session_close(&session);
}
END_TEST

/* The first op of MADE called NAME. */
static op_id
find_op(const struct ir_module *made, const char *name) {
  op_id op = 0;
  while (!text_is(ir_op_name(made, op), name))
    op++;
  return op;
}

START_TEST(effects_in_another_order_or_twice_are_seen) {
  struct session session;
  bool same, order, names;
  plan(&session);
  struct ir_module *made = session.program.made;
  op_id first = find_op(made, "test.effect");
  uint32_t at = made->block_first_op[made->op_block[first]];
  while (made->order[at] != first)
    at++;
  op_id second = made->order[at + 1];
  made->order[at] = second;
  made->order[at + 1] = first;
  is_proved(&session, &same, &order, &names);
  ck_assert(!same);
  made->order[at] = first;
  made->order[at + 1] = second;
  ck_assert(is_proved(&session, &same, &order, &names));
  made->op_copy[first] = 1;
  is_proved(&session, &same, &order, &names);
  ck_assert(!same);
  session_close(&session);
}
END_TEST

START_TEST(another_op_type_or_block_is_seen) {
  struct session session;
  bool same, order, names;
  plan(&session);
  struct ir_module *made = session.program.made;
  for (op_id op = 0; op < made->op_count; op++) {
    op_id origin = made->op_origin[op];
    made->op_origin[op] = (origin + 1) % made->base->op_count;
    is_proved(&session, &same, &order, &names);
    ck_assert(!same);
    made->op_origin[op] = origin;
  }
  for (value_id value = 0; value < made->value_count; value++) {
    type_id type = made->value_type[value];
    if (ir_value_op(made, value) == NONE)
      continue;
    made->value_type[value] = type + 1;
    is_proved(&session, &same, &order, &names);
    ck_assert(!same);
    made->value_type[value] = type;
  }
  for (uint32_t i = 0; i < made->successors.count; i++) {
    block_id block = made->successors.data[i].block;
    made->successors.data[i].block =
        block + 1 < made->block_count ? block + 1 : block - 1;
    is_proved(&session, &same, &order, &names);
    ck_assert(!same);
    made->successors.data[i].block = block;
  }
  ck_assert(is_proved(&session, &same, &order, &names));
  session_close(&session);
}
END_TEST

START_TEST(names_that_meet_are_seen) {
  struct session session;
  bool same, order, names;
  uint32_t copies = 0;
  plan(&session);
  struct ir_module *made = session.program.made;
  for (value_id value = 0; value < made->value_count; value++) {
    uint32_t copy = made->value_copy[value];
    struct text name = source_text(made->source, made->value_name[value]);
    if (copy < 2 || !text_is(name, "%a"))
      continue;
    /* That of another clone, then one that the text has: %a_remat7. */
    made->value_copy[value] = copy - 1;
    is_proved(&session, &same, &order, &names);
    ck_assert(!names);
    made->value_copy[value] = 7;
    is_proved(&session, &same, &order, &names);
    ck_assert(!names);
    made->value_copy[value] = copy;
    copies++;
  }
  ck_assert(copies > 0 && is_proved(&session, &same, &order, &names));
  session_close(&session);
}
END_TEST

/* --- the printed text --- */

static bool
into_buffer(void *user, const char *data, size_t size) {
  buffer_add(user, data, size);
  return true;
}

/* What is wrong with TEXT as a printout of SESSION's program, or NULL. */
static const char *
read_again(const struct session *session, const char *text,
           struct arena *arena) {
  struct diagnostics silent = {0};
  struct source source = {0};
  const struct reader_options how = {.format = "mlir"};
  source_from_text(&source, "again", text, (uint32_t)strlen(text));
  const struct ir_module *again = reader_read(arena, &source, &how, &silent);
  const char *fault =
      again ? verify_text(session->program.made, again, arena) : "unreadable";
  source_close(&source);
  return fault;
}

/* TEXT with the first OLD behind MARK made NEW, of the same length. */
static char *
changed(struct arena *arena, const char *text, const char *mark,
        const char *old, const char *new) {
  char *copy = arena_copy(arena, text, strlen(text));
  char *at = strstr(copy, mark);
  ck_assert_ptr_nonnull(at);
  at = strstr(at, old);
  ck_assert_ptr_nonnull(at);
  ck_assert_uint_eq(strlen(old), strlen(new));
  memcpy(at, new, strlen(new));
  return copy;
}

START_TEST(text_that_says_something_else_is_seen) {
  static const char *const damages[][3] = {
      {"%d =", "%b_remat", "%a_remat"}, /* another operand */
      {"%b_remat =", "gelu", "silu"},   /* another op */
      {"%f =", "n = 2", "n = 3"},       /* another attribute */
      {"%d =", "%d", "%D"},             /* another name */
      {"%d =", "4xf32", "5xf32"},       /* another type */
      {"cond_br", "^left", "^righ"},    /* no such block */
  };
  struct session session;
  struct arena arena = {0};
  struct buffer text = {.arena = &arena};
  const struct ir_writer writer = {into_buffer, &text};
  plan(&session);
  ck_assert(session_print(&session, &writer));
  const char *printed = buffer_finish(&text);
  ck_assert_ptr_null(read_again(&session, printed, &arena));
  for (size_t i = 0; i < sizeof damages / sizeof *damages; i++)
    ck_assert_ptr_nonnull(read_again(
        &session,
        changed(&arena, printed, damages[i][0], damages[i][1], damages[i][2]),
        &arena));
  arena_empty(&arena);
  session_close(&session);
}
END_TEST

UNIT_MAIN("verify", every_wrong_operand_is_seen,
          a_clone_that_is_read_before_it_stands_is_seen,
          effects_in_another_order_or_twice_are_seen,
          another_op_type_or_block_is_seen, names_that_meet_are_seen,
          text_that_says_something_else_is_seen)
