/* compare.c - two dumps of one program, side by side.  (--compare)
 *
 *   @main: the same program (74 results)
 *                              before       after
 *     ops                        3744        5077
 *     peak                   1.52 GiB     412 MiB    0.26
 *     cost                    31.2 ms     36.9 ms    1.18
 *     computed again: 1212 ops, 5.71 ms: 204 stablehlo.multiply, ...
 *     live at the peak after, not at that before: ...
 *
 * Functions that nothing calls are paired: those of one name, then those that
 * are left, in order.  Both are evaluated in one numbering (number.h), so what
 * they return is equal where its numbers are, whoever made the dumps; where
 * they are not, the first op that differs is shown in both.  What the
 * difference costs or saves is told either way.  O(both programs). */
#include "report/compare.h"

#include "passes/denote.h"
#include "passes/plan.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN_DIFFERENCES = 5, SHOWN_OPS = 8, SHOWN_ROWS = 6 };

/* --- which functions belong together --- */

static struct text
function_name(const struct ir_module *m, function_id f) {
  name_id name = m->functions.data[f].name;
  return name == NONE ? TEXT("") : string_text(m->names, name);
}

static void
find_roots(struct compare *c, int side) {
  const struct ir_module *m = c->program[side]->input;
  const bool *called = ir_called_functions(m, c->arena);
  for (function_id f = 0; f < m->functions.count; f++) {
    const struct ir_function *function = &m->functions.data[f];
    bool root = function->entry || !called[f]
                    ? function->entry || !ir_is_private(m, f)
                    : c->numbered[side]->opaque[f];
    if (root && function->body != NONE &&
        m->region_block[function->body] != NONE)
      vector_push(c->arena, &c->roots[side], f);
  }
}

/* Tell a difference at one place, WHERE. */
static void
tell(struct compare *c, struct location where, const char *text) {
  struct difference difference = {{NONE, NONE}, text, {NO_LOCATION, where}};
  vector_push(c->arena, &c->told, difference);
  c->same = false;
  diagnose(c->program[0]->diagnostics, DIAGNOSTIC_DIFFERENT, where, "%s", text);
}

static void
miss_function(struct compare *c, int side, function_id f) {
  const struct ir_module *m = c->program[side]->input;
  struct text name = function_name(m, f);
  const char *other = c->program[!side]->input->source->name;
  tell(c, location_at(m->source, m->functions.data[f].name_text),
       arena_printf(c->arena, "function '%.*s' is not in '%s'", (int)name.size,
                    name.data, other));
}

/* Pair the function number INDEX of BEFORE's roots with the one of its name.
 */
static bool
pair_by_name(struct compare *c, uint32_t index, bool *taken) {
  const struct ir_module *m = c->program[0]->input, *n = c->program[1]->input;
  function_id f = c->roots[0].data[index];
  for (uint32_t i = 0; i < c->roots[1].count; i++) {
    function_id g = c->roots[1].data[i];
    if (!taken[i] && text_equal(function_name(m, f), function_name(n, g))) {
      struct pair pair = {.function = {f, g}};
      taken[i] = true;
      vector_push(c->arena, &c->pairs, pair);
      return true;
    }
  }
  return false;
}

/* Those that are left, in order, if they are as many. */
static void
pair_rest(struct compare *c, const bool *paired, const bool *taken) {
  VECTOR(function_id) rest[SIDES] = {{0}, {0}};
  for (uint32_t i = 0; i < c->roots[0].count; i++)
    if (!paired[i])
      vector_push(c->arena, &rest[0], c->roots[0].data[i]);
  for (uint32_t i = 0; i < c->roots[1].count; i++)
    if (!taken[i])
      vector_push(c->arena, &rest[1], c->roots[1].data[i]);
  if (rest[0].count == rest[1].count) {
    for (uint32_t i = 0; i < rest[0].count; i++) {
      struct pair pair = {.function = {rest[0].data[i], rest[1].data[i]}};
      vector_push(c->arena, &c->pairs, pair);
    }
    return;
  }
  for (int side = 0; side < SIDES; side++)
    for (uint32_t i = 0; i < rest[side].count; i++)
      miss_function(c, side, rest[side].data[i]);
}

static void
pair_functions(struct compare *c) {
  bool *paired = ARENA_ARRAY(c->arena, bool, (size_t)c->roots[0].count + 1);
  bool *taken = ARENA_ARRAY(c->arena, bool, (size_t)c->roots[1].count + 1);
  for (uint32_t i = 0; i < c->roots[0].count; i++)
    paired[i] = pair_by_name(c, i, taken);
  pair_rest(c, paired, taken);
}

/* --- where they differ --- */

/* Are A and B one op, once in the generic and once in its own form? */
static bool
other_form(const struct compare *c, uint32_t a, uint32_t b) {
  const struct ir_module *m = c->program[0]->input, *n = c->program[1]->input;
  op_id x = c->numbering->first_op[0].data[a];
  op_id y = c->numbering->first_op[1].data[b];
  return x != NONE && y != NONE &&
         (m->op_flags[x] & OP_GENERIC) != (n->op_flags[y] & OP_GENERIC);
}

/* What the nodes A and B, of which neither is part of the other's reason, have
 * to say of each other. */
static const char *
explain(const struct compare *c, uint32_t a, uint32_t b) {
  const struct node *x = &c->numbering->nodes.data[a];
  const struct node *y = &c->numbering->nodes.data[b];
  const char *here = number_name(c->numbering, b, c->arena);
  const char *there = number_name(c->numbering, a, c->arena);
  if (x->kind != y->kind || strcmp(here, there) != 0)
    return arena_printf(c->arena, "%s here is %s in '%s'", here, there,
                        c->program[0]->input->source->name);
  if (x->head != y->head && other_form(c, a, b))
    return arena_printf(c->arena,
                        "%s is in generic form in one dump and in pretty form "
                        "in the other, which cannot be compared",
                        here);
  if (x->head != y->head)
    return arena_printf(c->arena, "%s has other attributes or types", here);
  if (x->kind == NODE_EFFECT)
    return arena_printf(c->arena,
                        "%s runs at another place among what has "
                        "effects",
                        here);
  if (x->kind == NODE_REGION)
    return "a body does something else";
  return arena_printf(c->arena, "%s has other operands or bodies", here);
}

/* Where NODE stands: an op that is it, else one AROUND it, else the function
 * that is compared. */
static struct location
place_of(const struct compare *c, int side, uint32_t node, op_id around) {
  const struct ir_module *m = c->program[side]->input;
  op_id op = c->numbering->first_op[side].data[node];
  op = op != NONE ? op : around;
  if (op != NONE)
    return ir_op_location(m, op);
  return location_at(m->source,
                     m->functions.data[c->at.function[side]].name_text);
}

/* Tell that A of BEFORE and B of AFTER differ, where this was not yet told.
 * WHAT depends on it. */
static void
tell_difference(struct compare *c, uint32_t a, uint32_t b, const char *what) {
  struct diagnostics *diagnostics = c->program[0]->diagnostics;
  op_id around[SIDES];
  number_difference(c->numbering, &a, &b, around);
  c->same = false;
  for (uint32_t i = 0; i < c->told.count; i++)
    if (c->told.data[i].node[0] == a && c->told.data[i].node[1] == b)
      return;
  struct difference difference = {
      {a, b},
      arena_printf(c->arena, "%s; %s depends on it", explain(c, a, b), what),
      {place_of(c, 0, a, around[0]), place_of(c, 1, b, around[1])}};
  vector_push(c->arena, &c->told, difference);
  if (c->told.count > SHOWN_DIFFERENCES)
    return;
  diagnose(diagnostics, DIAGNOSTIC_DIFFERENT, difference.where[1], "%s",
           difference.text);
  diagnose_note(diagnostics, difference.where[0], "in '%s' here",
                c->program[0]->input->source->name);
}

/* How many of the COUNT nodes differ; the differences are told. */
static uint32_t
compare_nodes(struct compare *c, const uint32_t *a, const uint32_t *b,
              const struct outcome *like, bool effects) {
  uint32_t count = effects ? like->effect_count : like->result_count;
  uint32_t different = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (a[i] == b[i])
      continue;
    different++;
    const char *what =
        effects       ? arena_printf(c->arena, "op %u of those with effects", i)
        : like->whole ? "what is returned"
                      : arena_printf(c->arena, "result %u", i);
    tell_difference(c, a[i], b[i], what);
  }
  return different;
}

/* How many arguments of the two functions are not of one type. */
static bool
same_arguments(const struct compare *c, const struct pair *pair) {
  const struct ir_module *m = c->program[0]->input, *n = c->program[1]->input;
  return m->functions.data[pair->function[0]].argument_count ==
         n->functions.data[pair->function[1]].argument_count;
}

static void
tell_counts(struct compare *c, const struct pair *pair, const char *what,
            uint32_t before, uint32_t after) {
  const struct ir_module *m = c->program[1]->input;
  const struct ir_function *f = &m->functions.data[pair->function[1]];
  tell(c, location_at(m->source, f->name_text),
       arena_printf(c->arena, "%u %s here, %u in '%s'", after, what, before,
                    c->program[0]->input->source->name));
}

/* Tell where the outcomes A and B differ.  Returns how many results do. */
static uint32_t
tell_pair(struct compare *c, const struct pair *pair, const struct outcome *a,
          const struct outcome *b) {
  uint32_t different = 0;
  if (!same_arguments(c, pair))
    tell_counts(
        c, pair, "arguments",
        c->program[0]->input->functions.data[pair->function[0]].argument_count,
        c->program[1]->input->functions.data[pair->function[1]].argument_count);
  if (a->result_count != b->result_count)
    tell_counts(c, pair, "results", a->result_count, b->result_count);
  else
    different = compare_nodes(c, a->results, b->results, b, false);
  if (a->effect_count != b->effect_count)
    tell_counts(c, pair, "ops with effects", a->effect_count, b->effect_count);
  else
    compare_nodes(c, a->effects, b->effects, b, true);
  return different;
}

static bool
same_list(const uint32_t *a, const uint32_t *b, uint32_t count) {
  return !count || !memcmp(a, b, count * sizeof *a);
}

/* Are A and B the same without looking into loops? */
static bool
same_numbers(const struct compare *c, const struct pair *pair,
             const struct outcome *a, const struct outcome *b) {
  return same_arguments(c, pair) && a->result_count == b->result_count &&
         a->effect_count == b->effect_count &&
         same_list(a->results, b->results, a->result_count) &&
         same_list(a->effects, b->effects, a->effect_count);
}

/* Are they where loops count by what they come to: one may carry or stack what
 * the other computes again? */
static bool
same_terms(struct compare *c, const struct pair *pair) {
  struct denotation *denotation = denotation_new(c->arena);
  const struct ir_function *f[SIDES];
  term_id *terms[SIDES];
  uint32_t count[SIDES];
  for (int side = 0; side < SIDES; side++) {
    const struct ir_module *m = c->program[side]->input;
    f[side] = &m->functions.data[pair->function[side]];
    count[side] = f[side]->root != NONE ? 1 : f[side]->result_count;
    terms[side] = ARENA_ARRAY(c->arena, term_id, (size_t)count[side] + 1);
    struct denoted *denoted =
        denote(denotation, m, c->program[side]->facts->op_repeatable);
    if (denote_function(denoted, pair->function[side], terms[side]))
      return false;
  }
  return same_arguments(c, pair) && count[0] == count[1] &&
         (f[0]->root == NONE) == (f[1]->root == NONE) &&
         !memcmp(terms[0], terms[1], (count[0] + 1) * sizeof *terms[0]);
}

/* Evaluate both functions of PAIR and say whether they are the same. */
static void
compare_pair(struct compare *c, struct pair *pair) {
  struct outcome outcome[SIDES];
  bool before = c->same;
  c->at = *pair;
  struct text name = function_name(c->program[1]->input, pair->function[1]);
  c->same = true;
  for (int side = 0; side < SIDES; side++)
    number_function(c->numbered[side], pair->function[side], &outcome[side]);
  const struct outcome *a = &outcome[0], *b = &outcome[1];
  bool numbers = same_numbers(c, pair, a, b);
  if (!numbers && !same_terms(c, pair))
    pair->different = tell_pair(c, pair, a, b);
  pair->same = c->same;
  pair->results = b->result_count;
  pair->effects = b->effect_count;
  buffer_printf(c->out, "%.*s: ", (int)name.size, name.data);
  if (c->same)
    buffer_printf(c->out,
                  "the same program (%u result%s, %u op%s with "
                  "effects)%s\n",
                  b->result_count, b->result_count == 1 ? "" : "s",
                  b->effect_count, b->effect_count == 1 ? "" : "s",
                  numbers ? "" : ": its loops come to the same");
  else
    buffer_printf(c->out, "not the same program (%u of %u results differ)\n",
                  pair->different, b->result_count);
  c->same &= before;
}

/* --- figures --- */

static void
put_row(struct compare *c, const char *name, const uint64_t value[SIDES],
        void (*human)(struct buffer *out, uint64_t value)) {
  buffer_printf(c->out, "  %-22s", name);
  for (int side = 0; side < SIDES; side++) {
    struct buffer text = {.arena = c->arena};
    human(&text, value[side]);
    buffer_printf(c->out, "%14s", buffer_finish(&text));
  }
  if (value[0])
    buffer_printf(c->out, "%10.3f", (double)value[1] / (double)value[0]);
  buffer_string(c->out, "\n");
}

struct pair_figures
compare_figures(const struct compare *c, const struct pair *pair) {
  struct pair_figures figures;
  for (int side = 0; side < SIDES; side++) {
    function_id f = pair->function[side];
    const struct liveness_function *live =
        &c->program[side]->liveness->functions[f];
    figures.ops[side] = c->counts[side].ops[f];
    figures.peak[side] = live->peak_bytes;
    figures.temp[side] = live->peak_temp_bytes;
    figures.fused[side] = live->fused_temp_bytes;
    figures.cost[side] =
        plan_function_cost(c->program[side]->input, c->program[side]->facts, f);
  }
  return figures;
}

static void
put_figures(struct compare *c, const struct pair *pair) {
  struct pair_figures figures = compare_figures(c, pair);
  buffer_printf(c->out, "  %-22s%14s%14s\n", "", "before", "after");
  put_row(c, "ops", figures.ops, buffer_number);
  put_row(c, "peak", figures.peak, human_bytes);
  put_row(c, "of temporaries", figures.temp, human_bytes);
  if (figures.fused[0] || figures.fused[1])
    put_row(c, "of these, fused", figures.fused, human_bytes);
  put_row(c, "cost", figures.cost, human_time);
}

/* --- what is computed again, or only in one --- */

static int
compare_tallies(const void *a, const void *b) {
  const struct tally *x = a, *y = b;
  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  return text_order(x->name, y->name);
}

/* How many ops more or fewer of AFTER are NODE, and what that is. */
static uint64_t
change_of(const struct compare *c, uint32_t node, enum change *change) {
  uint64_t before = c->numbering->instances[0].data[node];
  uint64_t after = c->numbering->instances[1].data[node];
  *change = before == 0      ? NEW
            : after == 0     ? GONE
            : after > before ? AGAIN
                             : FEWER;
  return after > before ? after - before : before - after;
}

static void
add_change(struct compare *c, struct changes *changes, uint32_t node,
           uint64_t count) {
  const struct numbering *n = c->numbering;
  struct text head = string_text(n->heads, n->nodes.data[node].head);
  const char *end = memchr(head.data, '\n', head.size);
  struct text name = {head.data, end ? (uint32_t)(end - head.data) : head.size};
  int side = n->first_op[1].data[node] != NONE;
  uint64_t ns =
      c->program[side]->facts->op_cost_ns[n->first_op[side].data[node]];
  uint32_t id = string_intern(changes->names, name);
  if (id == changes->tallies.count) {
    struct tally tally = {name, 0};
    vector_push(c->arena, &changes->tallies, tally);
  }
  changes->tallies.data[id].count += count;
  changes->count += count;
  changes->cost_ns =
      saturating_add(changes->cost_ns, saturating_multiply(ns, count));
}

static void
put_changes(struct compare *c, const char *what, struct changes *changes) {
  struct buffer cost = {.arena = c->arena};
  if (!changes->count)
    return;
  qsort(changes->tallies.data, changes->tallies.count,
        sizeof *changes->tallies.data, compare_tallies);
  human_time(&cost, changes->cost_ns);
  buffer_printf(c->out, "%s: %llu op%s, %s:", what,
                (unsigned long long)changes->count,
                changes->count == 1 ? "" : "s", buffer_finish(&cost));
  for (uint32_t i = 0; i < changes->tallies.count; i++) {
    const struct tally *tally = &changes->tallies.data[i];
    if (i == SHOWN_OPS) {
      buffer_printf(c->out, ", %u more kinds", changes->tallies.count - i);
      break;
    }
    buffer_printf(c->out, "%s %llu %.*s", i ? "," : "",
                  (unsigned long long)tally->count, (int)tally->name.size,
                  tally->name.data);
  }
  buffer_string(c->out, "\n");
}

static void
put_all_changes(struct compare *c) {
  static const char *const words[CHANGES] = {
      "computed again", "computed fewer times", "only after", "only before"};
  for (int i = 0; i < CHANGES; i++)
    c->changes[i].names = string_table_new(c->arena);
  for (uint32_t node = 0; node < c->numbering->nodes.count; node++) {
    enum change change;
    uint64_t count = change_of(c, node, &change);
    if (count)
      add_change(c, &c->changes[change], node, count);
  }
  for (int i = 0; i < CHANGES; i++)
    put_changes(c, words[i], &c->changes[i]);
}

/* --- what the peak after is made of --- */

static struct peak *
peak_of(struct compare *c, int side, function_id function) {
  struct program *program = c->program[side];
  uint32_t tick = program->liveness->functions[function].peak_tick;
  return peak_at(c->arena, program, where_table_new(c->arena, program->input),
                 function, tick);
}

static void
put_peak_row(struct compare *c, const struct peak_row *row, uint32_t node) {
  const struct ir_module *m = c->program[1]->input;
  struct buffer bytes = {.arena = c->arena};
  struct text name = source_text(m->source, m->value_name[row->value]);
  human_bytes(&bytes, row->bytes);
  buffer_printf(c->out, "    %12s  ", buffer_finish(&bytes));
  if (row->op != NONE)
    buffer_printf(c->out, "line %u: ", ir_op_line(m, row->op));
  buffer_text(c->out, name);
  if (row->op != NONE)
    buffer_printf(c->out, "  %.*s", (int)ir_op_name(m, row->op).size,
                  ir_op_name(m, row->op).data);
  if (node != NONE && c->numbering->first_op[0].data[node] == NONE)
    buffer_string(c->out, ", which is not there before");
  buffer_string(c->out, "\n");
}

/* Where AFTER's peak is the higher one, the largest buffers that are live there
 * and not at BEFORE's. */
static void
put_growth(struct compare *c, const struct pair *pair) {
  if (c->program[1]->liveness->functions[pair->function[1]].peak_bytes <=
      c->program[0]->liveness->functions[pair->function[0]].peak_bytes)
    return;
  struct peak *peak[SIDES];
  bool *live =
      ARENA_ARRAY(c->arena, bool, (size_t)c->numbering->nodes.count + 1);
  uint32_t shown = 0, left = 0;
  for (int side = 0; side < SIDES; side++)
    peak[side] = peak_of(c, side, pair->function[side]);
  for (uint32_t i = 0; i < peak[0]->rows.count; i++) {
    uint32_t node = c->numbered[0]->number[peak[0]->rows.data[i].value];
    if (node != NONE)
      live[node] = true;
  }
  for (uint32_t i = 0; i < peak[1]->rows.count; i++) {
    const struct peak_row *row = &peak[1]->rows.data[i];
    uint32_t node = c->numbered[1]->number[row->value];
    if (node != NONE && live[node])
      continue;
    if (shown == SHOWN_ROWS) {
      left++;
      continue;
    }
    if (!shown++)
      buffer_printf(
          c->out,
          "  live at the peak after (line %u), not at that "
          "before (line %u):\n",
          peak[1]->op == NONE ? 0
                              : ir_op_line(c->program[1]->input, peak[1]->op),
          peak[0]->op == NONE ? 0
                              : ir_op_line(c->program[0]->input, peak[0]->op));
    put_peak_row(c, row, node);
  }
  if (left)
    buffer_printf(c->out, "    %12s  %u more\n", "", left);
}

/* --- both programs --- */

static void
warn_left_out(const struct compare *c, int side) {
  uint64_t unseen = c->numbered[side]->unseen;
  if (unseen)
    diagnose(c->program[0]->diagnostics, DIAGNOSTIC_LEFT_OUT, NO_LOCATION,
             "'%s' leaves the values of %llu constant%s out; they are taken to "
             "be equal where their types are",
             c->program[side]->input->source->name, (unsigned long long)unseen,
             unseen == 1 ? "" : "s");
}

bool
report_compare(struct program *before, struct program *after,
               struct buffer *out, struct buffer *json) {
  struct arena arena = {0};
  struct compare c = {.arena = &arena,
                      .program = {before, after},
                      .numbering = numbering_new(&arena, true),
                      .out = out,
                      .same = true};
  buffer_printf(out, "before: %s\nafter:  %s\n", before->input->source->name,
                after->input->source->name);
  for (int side = 0; side < SIDES; side++) {
    c.numbered[side] =
        numbering_add(c.numbering, (uint32_t)side, c.program[side]->input,
                      c.program[side]->facts);
    figures_count(&arena, c.program[side], &c.counts[side]);
    find_roots(&c, side);
  }
  pair_functions(&c);
  for (uint32_t i = 0; i < c.pairs.count; i++) {
    compare_pair(&c, &c.pairs.data[i]);
    put_figures(&c, &c.pairs.data[i]);
    put_growth(&c, &c.pairs.data[i]);
  }
  put_all_changes(&c);
  for (int side = 0; side < SIDES; side++)
    warn_left_out(&c, side);
  if (c.told.count > SHOWN_DIFFERENCES)
    diagnose(before->diagnostics, DIAGNOSTIC_DIFFERENT, NO_LOCATION,
             "%u more ops differ", c.told.count - SHOWN_DIFFERENCES);
  if (json)
    compare_json(&c, json);
  arena_empty(&arena);
  return c.same;
}
