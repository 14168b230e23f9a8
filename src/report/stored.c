/* stored.c - see stored.h.
 *
 *   when fused, live at the peak
 *       2.00 MiB  %4  its op does not fuse with its readers
 *
 *   when fused, all values
 *      12 x      24.0 MiB  is computed inside of its readers
 *
 * O(values). */
#include "report/stored.h"

#include "support/human.h"

enum { LIVE_SHOWN = 12 };

struct writing {
  const struct program *program;
  const struct ir_module *m;
  const struct stored *stored;
  struct arena *arena;
  struct buffer *out;
  bool first; /* of a list */
  uint32_t counts[STORED_COUNT];
  uint64_t bytes[STORED_COUNT];
};

static struct writing
begin(const struct program *program, struct buffer *out) {
  return (struct writing){.program = program,
                          .m = program->input,
                          .stored = program->fused->stored,
                          .arena = program->scratch,
                          .out = out,
                          .first = true};
}

/* Find the peak of the first block of FUNCTION. */
static bool
find_peak(const struct program *program, function_id function,
          struct fused_peak *peak) {
  region_id body = program->input->functions.data[function].body;
  if (body == NONE || program->input->region_block[body] == NONE ||
      !program->liveness->functions[function].runs)
    return false;
  return fused_find_peak(program->fused, program->input->region_block[body],
                         peak, program->scratch);
}

/* Is VALUE in memory for those of its readers alone that do not fuse? */
static bool
is_for_some(const struct writing *w, value_id value) {
  return w->stored->whole[value] && !stored_for_all(w->stored, value) &&
         w->stored->how[value] != STORED_LITERAL &&
         w->stored->how[value] != STORED_VIEW;
}

static struct text
name_of(const struct writing *w, value_id value) {
  struct text name = source_text(w->m->source, w->m->value_name[value]);
  uint32_t number = w->m->value_number[value];
  const char *spelled =
      arena_printf(w->arena, "%.*s", (int)name.size, name.data);
  if (number != NONE)
    spelled = arena_printf(w->arena, "%s#%u", spelled, number);
  return text_of(spelled);
}

/* The reason why VALUE is where it is. */
static const char *
why(const struct writing *w, value_id value) {
  const char *words = stored_words(w->stored->how[value]);
  return is_for_some(w, value)
             ? arena_printf(w->arena, "%s; stored for readers that do not fuse",
                            words)
             : words;
}

/* Call PUT for each value that an op of FUNCTION makes, nested ones too. */
static void
for_each(struct writing *w, function_id function,
         void (*put)(struct writing *w, value_id value)) {
  const struct ir_module *m = w->m;
  region_id body = m->functions.data[function].body;
  for (block_id b = m->region_block[body]; b != NONE; b = m->block_next[b])
    for (uint32_t i = 0; i < m->block_op_count[b]; i++) {
      op_id op = ir_block_op(m, b, i), end = w->program->fused->op_end[op];
      for (; op < end; op++)
        for (uint32_t r = 0; r < m->op_result_count[op]; r++)
          put(w, ir_result(m, op, r));
    }
}

/* --- for a person --- */

static void
put_bytes(struct writing *w, uint64_t bytes) {
  struct buffer size = {.arena = w->arena};
  human_bytes(&size, bytes);
  buffer_printf(w->out, "%12s", buffer_finish(&size));
}

static void
put_live(struct writing *w, const struct fused_peak *peak) {
  buffer_string(w->out, "\n    when fused, live at the peak\n");
  for (uint32_t i = 0; i < peak->count && i < LIVE_SHOWN; i++) {
    value_id value = w->stored->leaf_value[peak->leaves[i]];
    buffer_string(w->out, "    ");
    put_bytes(w, w->stored->facts->leaf_bytes[peak->leaves[i]]);
    buffer_string(w->out, "  ");
    buffer_text(w->out, name_of(w, value));
    buffer_printf(w->out, "  %s\n", why(w, value));
  }
  if (peak->count > LIVE_SHOWN)
    buffer_printf(w->out, "                  %u others\n",
                  peak->count - LIVE_SHOWN);
  if (!peak->workspace_bytes)
    return;
  buffer_string(w->out, "    ");
  put_bytes(w, peak->workspace_bytes);
  buffer_string(w->out, "  workspace of the op, and inside of it\n");
}

static void
add_value(struct writing *w, value_id value) {
  uint8_t how = w->stored->how[value];
  w->counts[how]++;
  w->bytes[how] =
      saturating_add(w->bytes[how], facts_value_bytes(w->stored->facts, value));
}

static void
put_sums(struct writing *w, function_id function) {
  for_each(w, function, add_value);
  buffer_string(w->out, "\n    when fused, all values\n");
  for (uint32_t how = 0; how < STORED_COUNT; how++) {
    if (!w->counts[how])
      continue;
    buffer_printf(w->out, "    %6u x", w->counts[how]);
    put_bytes(w, w->bytes[how]);
    buffer_printf(w->out, "  %s\n", stored_words(how));
  }
}

void
stored_text(const struct program *program, function_id function,
            struct buffer *out) {
  struct fused_peak peak;
  if (!program->fused || !find_peak(program, function, &peak) || !peak.count)
    return;
  struct writing w = begin(program, out);
  put_live(&w, &peak);
  put_sums(&w, function);
}

/* --- for programs --- */

static void
put_entry(struct writing *w, value_id value, uint64_t bytes) {
  const char *stored = stored_for_all(w->stored, value) ? "all"
                       : is_for_some(w, value)          ? "some"
                                                        : "none";
  buffer_string(w->out, w->first ? "\n       " : ",\n       ");
  w->first = false;
  buffer_string(w->out, "{\"value\": ");
  buffer_json(w->out, name_of(w, value));
  buffer_printf(w->out, ", \"bytes\": %llu, \"stored_for\": \"%s\", \"why\": ",
                (unsigned long long)bytes, stored);
  buffer_json(w->out, text_of(why(w, value)));
  buffer_string(w->out, "}");
}

static void
put_value(struct writing *w, value_id value) {
  put_entry(w, value, facts_value_bytes(w->stored->facts, value));
}

static void
put_each(struct writing *w, function_id function) {
  buffer_string(w->out, ",\n     \"values\": [");
  w->first = true;
  for_each(w, function, put_value);
  buffer_string(w->out, "]");
}

void
stored_json(const struct program *program, function_id function, bool each,
            struct buffer *out) {
  struct fused_peak peak;
  if (!program->fused || !find_peak(program, function, &peak))
    return;
  struct writing w = begin(program, out);
  buffer_string(out, ",\n     \"fused_live_at_peak\": [");
  for (uint32_t i = 0; i < peak.count; i++)
    put_entry(&w, w.stored->leaf_value[peak.leaves[i]],
              w.stored->facts->leaf_bytes[peak.leaves[i]]);
  buffer_string(out, "]");
  if (each)
    put_each(&w, function);
}
