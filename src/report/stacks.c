/* stacks.c - see stacks.h.
 *
 *   stacked by loops, 12.0 MiB
 *       6 x 1.00 MiB = 6.00 MiB  line 9: stablehlo.tanh, read in line 30
 *   line 4: 6 iterations carry 1.00 MiB; of that alone, kept at 3 of them, 4
 *   more iterations are run: ...
 *
 * What loops_find finds, in the order of bytes.  With S slots for what is
 * carried and R runs of each iteration at most, C(S + R, S) iterations can be
 * taken back; so for T of them R is the least with C(S + R, S) >= T, and
 * R T - C(S + R, S + 1) iterations are run beside those that are recorded
 * (Griewank and Walther's count). */
#include "report/stacks.h"

#include "passes/loops.h"
#include "report/where.h"
#include "support/human.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_SHOWN = 24 };

/* --- what there is --- */

static int
by_bytes(const void *a, const void *b) {
  const struct stack_row *x = a, *y = b;
  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  if (x->writer != y->writer)
    return x->writer < y->writer ? -1 : 1;
  return (x->value > y->value) - (x->value < y->value);
}

static void
find_readers(struct arena *arena, const struct loops *loops,
             const struct loop_stack *stack, struct stack_row *row) {
  op_id *readers = ARENA_ARRAY(arena, op_id, stack->reads.count);
  for (uint32_t i = 0; i < stack->reads.count; i++) {
    op_id op = loops->list.data[stack->reads.data[i].loop]->op;
    if (row->reader_count == 0 || readers[row->reader_count - 1] != op)
      readers[row->reader_count++] = op;
  }
  row->readers = readers;
}

static struct stack_row
row_of(struct arena *arena, const struct loops *loops,
       const struct loop_stack *stack) {
  const struct loop *writer = loops->list.data[stack->writer];
  flat_id home = flat_home(loops->module, writer, stack->stored);
  const struct flat_value *value = &writer->values.data[home];
  struct stack_row row = {.value = value->value,
                          .made_by =
                              value->kind == FLAT_RESULT
                                  ? ir_value_op(loops->module, value->value)
                                  : NONE,
                          .writer = writer->op,
                          .slots = stack->slots,
                          .bytes = stack->bytes,
                          .kept = stack->kept,
                          .keeper = stack->keeper};
  if (value->kind != FLAT_RESULT)
    row.value = NONE;
  find_readers(arena, loops, stack, &row);
  return row;
}

/* Is carry NUMBER of the loop WRITER one of its stacks? */
static bool
is_stack(const struct loops *loops, uint32_t writer, uint32_t number) {
  for (uint32_t s = 0; s < loops->stacks.count; s++)
    if (loops->stacks.data[s].writer == writer &&
        loops->stacks.data[s].carry == number)
      return true;
  return false;
}

static struct stack_loop
loop_of(const struct loops *loops, uint32_t number) {
  const struct loop *loop = loops->list.data[number];
  struct stack_loop row = {.op = loop->op, .trips = loop->trips};
  for (uint32_t i = 0; i < loop->carry_count; i++) {
    const struct loop_carry *carry = &loop->carries[i];
    if (!carry->invariant && !carry->affine.known &&
        !is_stack(loops, number, i))
      row.carried_bytes += type_get(loops->module->types,
                                    loop->values.data[carry->argument].type)
                               ->bytes;
  }
  return row;
}

struct stacks *
stacks_of(struct arena *arena, const struct program *program) {
  struct stacks *stacks = ARENA_NEW(arena, struct stacks);
  const struct loops *loops = loops_find(arena, program->input);
  uint32_t last = NONE;
  for (uint32_t s = 0; s < loops->stacks.count; s++) {
    const struct loop_stack *stack = &loops->stacks.data[s];
    if (!stack->reads.count && !stack->kept)
      continue;
    vector_push(arena, &stacks->rows, row_of(arena, loops, stack));
    stacks->bytes += stack->bytes;
    if (stack->writer != last)
      vector_push(arena, &stacks->loops, loop_of(loops, stack->writer));
    last = stack->writer;
  }
  for (uint32_t i = 0; i < loops->refusals.count; i++) {
    struct stack_row row = {.value = NONE,
                            .made_by = loops->refusals.data[i].op,
                            .kept = loops->refusals.data[i].why};
    vector_push(arena, &stacks->refused, row);
  }
  if (stacks->rows.count)
    qsort(stacks->rows.data, stacks->rows.count, sizeof *stacks->rows.data,
          by_bytes);
  return stacks;
}

/* C(N, K), saturating. */
static uint64_t
choose(uint64_t n, uint64_t k) {
  uint64_t result = 1;
  for (uint64_t i = 1; i <= k; i++) {
    if (result > UINT64_MAX / (n - k + i))
      return UINT64_MAX;
    result = result * (n - k + i) / i;
  }
  return result;
}

uint64_t
stacks_extra_steps(uint64_t trips, uint64_t slots) {
  uint64_t runs = 0;
  while (choose(slots + runs, runs) < trips)
    runs++;
  return runs ? runs * trips - choose(slots + runs, runs - 1) : 0;
}

/* --- as text --- */

struct work {
  const struct ir_module *m;
  struct where_table *where;
  struct buffer *out;
};

static void
put_line(const struct work *w, op_id op) {
  struct text name = ir_op_name(w->m, op);
  struct where where = where_of(w->where, op);
  buffer_printf(w->out, "line %u: %.*s", ir_op_line(w->m, op), (int)name.size,
                name.data);
  if (where.file.size)
    buffer_printf(w->out, "  %.*s:%u", (int)where.file.size, where.file.data,
                  where.line);
}

static void
put_row(const struct work *w, const struct stack_row *row) {
  buffer_printf(w->out, "    %6llu x ", (unsigned long long)row->slots);
  human_bytes(w->out, row->slots ? row->bytes / row->slots : row->bytes);
  buffer_string(w->out, " = ");
  human_bytes(w->out, row->bytes);
  buffer_string(w->out, "  ");
  if (row->made_by != NONE)
    put_line(w, row->made_by);
  else
    buffer_string(w->out, "what is carried");
  buffer_printf(w->out, ", by the loop at line %u",
                ir_op_line(w->m, row->writer));
  for (uint32_t i = 0; i < row->reader_count; i++)
    buffer_printf(w->out, "%s%u", i ? ", " : ", read by that at line ",
                  ir_op_line(w->m, row->readers[i]));
  if (row->kept)
    buffer_printf(w->out, "; stays: %s", row->kept);
  if (row->kept && row->keeper != NONE)
    buffer_printf(w->out, " (line %u)", ir_op_line(w->m, row->keeper));
  buffer_string(w->out, "\n");
}

/* What it costs to keep only some of what LOOP carries. */
static void
put_loop(const struct work *w, const struct stack_loop *loop) {
  const char *before = "";
  if (loop->trips < 3 || !loop->carried_bytes)
    return;
  buffer_printf(w->out, "  line %u: %llu iterations carry ",
                ir_op_line(w->m, loop->op), (unsigned long long)loop->trips);
  human_bytes(w->out, loop->carried_bytes);
  buffer_string(w->out, "; kept at");
  for (uint64_t slots = 4; slots < loop->trips && slots <= 16; slots *= 2) {
    buffer_printf(w->out, "%s %llu of them (", before,
                  (unsigned long long)slots);
    human_bytes(w->out, slots * loop->carried_bytes);
    buffer_printf(w->out, "), %llu run again",
                  (unsigned long long)stacks_extra_steps(loop->trips, slots));
    before = "; at";
  }
  buffer_printf(w->out, "%s all, %llu\n", before,
                (unsigned long long)loop->trips - 1);
}

static void
put_refusal(const struct work *w, const struct stack_row *row) {
  buffer_string(w->out, "  ");
  put_line(w, row->made_by);
  buffer_printf(w->out, ": not a stack, %s\n", row->kept);
}

void
stacks_text(struct arena *arena, const struct program *program,
            struct buffer *out) {
  const struct stacks *stacks = stacks_of(arena, program);
  const struct work w = {program->input, where_table_new(arena, program->input),
                         out};
  if (stacks->rows.count) {
    buffer_string(out, "stacked by loops: ");
    human_bytes(out, stacks->bytes);
    buffer_string(out, "\n");
  }
  for (uint32_t i = 0; i < stacks->rows.count && i < ROWS_SHOWN; i++)
    put_row(&w, &stacks->rows.data[i]);
  if (stacks->rows.count > ROWS_SHOWN)
    buffer_printf(out, "    %u others\n", stacks->rows.count - ROWS_SHOWN);
  for (uint32_t i = 0; i < stacks->loops.count; i++)
    put_loop(&w, &stacks->loops.data[i]);
  for (uint32_t i = 0; i < stacks->refused.count; i++)
    put_refusal(&w, &stacks->refused.data[i]);
}
