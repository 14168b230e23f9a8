/* dump.c - see dump.h. */
#include "passes/dump.h"

#include "passes/liveness.h"

static void
put_op(struct buffer *out, const struct ir_module *module, op_id op) {
  buffer_printf(out, "line %u ", ir_op_line(module, op));
  buffer_text(out, ir_op_name(module, op));
}

static void
put_value(struct buffer *out, const struct ir_module *module, value_id value) {
  buffer_text(out, source_text(module->source, module->value_name[value]));
  if (module->value_number[value] != NONE)
    buffer_printf(out, "#%u", module->value_number[value]);
}

static const char *const flag_words[] = {
#define FACT_FLAG(id, word, meaning) word,
#include "rules/facts.def"
#undef FACT_FLAG
};

static const char *const policy_words[] = {"", " free", " never", " unknown"};

void
dump_facts(const struct program *program, struct buffer *out) {
  const struct ir_module *module = program->input;
  const struct facts *facts = program->facts;
  for (op_id op = 0; op < module->op_count; op++) {
    const struct op_facts *f = facts_of(facts, op);
    put_op(out, module, op);
    buffer_printf(out, ": %s", rules_class_name(program->rules, f->class_id));
    for (uint32_t bit = 0; bit < FACT_FLAG_COUNT; bit++)
      if (f->flags >> bit & 1)
        buffer_printf(out, " %s", flag_words[bit]);
    if (facts->op_repeatable[op])
      buffer_string(out, " repeatable");
    for (uint32_t i = 0; i < module->op_result_count[op]; i++)
      buffer_printf(out, ", %llu B",
                    (unsigned long long)facts_value_bytes(
                        facts, ir_result(module, op, i)));
    buffer_printf(out, ", %llu ns%s\n",
                  (unsigned long long)facts->op_cost_ns[op],
                  policy_words[facts->op_policy[op]]);
  }
}

/* The values of each buffer, by counting: their numbers, and where those of
 * each buffer begin. */
struct members {
  value_id *values;
  uint32_t *first; /* by buffer and one more */
};

static struct members
members_of(const struct program *program, struct arena *arena) {
  const struct buffers *buffers = program->buffers;
  const struct facts *facts = program->facts;
  uint32_t values = program->input->value_count;
  struct members members = {
      ARENA_ARRAY(arena, value_id, facts->leaf_count),
      ARENA_ARRAY(arena, uint32_t, (size_t)buffers->count + 2)};
  for (uint32_t leaf = 0; leaf < facts->leaf_count; leaf++)
    if (buffers->leaf_buffer[leaf] != NONE)
      members.first[buffers->leaf_buffer[leaf] + 2]++;
  for (uint32_t i = 2; i <= buffers->count; i++)
    members.first[i] += members.first[i - 1];
  for (value_id value = 0; value < values; value++) {
    uint32_t end = facts_first_leaf(facts, value + 1);
    for (uint32_t leaf = facts_first_leaf(facts, value); leaf < end; leaf++)
      if (buffers->leaf_buffer[leaf] != NONE)
        members.values[members.first[buffers->leaf_buffer[leaf] + 1]++] = value;
  }
  return members;
}

void
dump_buffers(const struct program *program, struct buffer *out) {
  static const struct {
    enum buffer_flag flag;
    const char *word;
  } words[] = {{BUFFER_ARGUMENT, " argument"},
               {BUFFER_RESULT, " result"},
               {BUFFER_CONSTANT, " constant"},
               {BUFFER_DONATED, " donated"},
               {BUFFER_SEGMENTED, " segmented"}};
  const struct buffers *buffers = program->buffers;
  struct arena arena = {0};
  struct members members = members_of(program, &arena);
  for (uint32_t i = 0; i < buffers->count; i++) {
    buffer_printf(out, "buffer %u: %llu B, %u-%u", i,
                  (unsigned long long)buffers->bytes[i], buffers->begin[i],
                  buffers->end[i]);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
      if (buffers->flags[i] & words[k].flag)
        buffer_string(out, words[k].word);
    for (uint32_t k = members.first[i]; k < members.first[i + 1]; k++) {
      buffer_string(out, k == members.first[i] ? ": " : ", ");
      put_value(out, program->input, members.values[k]);
    }
    buffer_string(out, "\n");
  }
  arena_empty(&arena);
}

static void
dump_function(const struct program *program, function_id function,
              struct buffer *out) {
  const struct ir_module *module = program->input;
  const struct liveness *liveness = program->liveness;
  const struct liveness_function *f = &liveness->functions[function];
  const struct clock *clock = liveness->buffers->clock;
  buffer_text(out, source_text(module->source,
                               module->functions.data[function].name_text));
  buffer_printf(out,
                ": peak %llu at %u, temporaries %llu at %u, no less than "
                "%llu\n",
                (unsigned long long)f->peak_bytes, f->peak_tick,
                (unsigned long long)f->peak_temp_bytes, f->peak_temp_tick,
                (unsigned long long)f->lower_bound_bytes);
  if (clock->function_host[function] != function)
    return;
  for (uint32_t tick = clock->function_begin[function];
       tick <= clock->function_end[function]; tick++) {
    op_id op = clock->tick_op[tick];
    buffer_printf(out, "  %u: %llu, %llu, ", tick,
                  (unsigned long long)liveness->live[tick],
                  (unsigned long long)liveness->temp[tick]);
    if (op == NONE)
      buffer_string(out, "a block begins");
    else
      put_op(out, module, op);
    if (op != NONE && clock->op_begin[op] != clock->op_end[op])
      buffer_string(out, clock->op_begin[op] == tick ? " begins" : " ends");
    buffer_string(out, "\n");
  }
}

void
dump_liveness(const struct program *program, struct buffer *out) {
  for (function_id i = 0; i < program->input->functions.count; i++)
    if (program->liveness->functions[i].runs)
      dump_function(program, i, out);
}
