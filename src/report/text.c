/* text.c - the report that a person reads.
 *
 *   step.mlir: @main, 177 ops, the entry
 *     peak          14.2 MiB   line 66: stablehlo.dot_general, model.py:41
 *     ...
 *     live at the peak         share  lines     what
 *         2.00 MiB    14.1 %   8-120  %4 tensor<1024x512xf32> tanh model.py:9
 *
 * One section a function, then what the whole module has unknown.  Rows that
 * matter little are summed up in one. */
#include "report/report.h"
#include "report/spaces.h"
#include "report/stacks.h"
#include "report/stored.h"
#include "report/text_plan.h"

#include "passes/options.h"

#include <stdlib.h>
#include <string.h>

enum {
  ROWS_SHOWN = 12,
  GROUPS_SHOWN = 8,
  TYPE_SHOWN = 40,
  CHART_WIDTH = 64,
  CHART_HEIGHT = 8,
  SPACES_SHOWN = 8,
  SMALL = 50 /* functions whose peak is smaller by this get one line */
};

struct work {
  struct arena *arena;
  const struct program *program;
  struct where_table *where;
  struct figure_counts counts;
  struct buffer *out;
};

/* SIZE padded on the left to a column of its own. */
static void
put_size(struct work *work, uint64_t bytes) {
  struct buffer size = {.arena = work->arena};
  human_bytes(&size, bytes);
  buffer_printf(work->out, "%12s", buffer_finish(&size));
}

static void
put_share(struct work *work, uint64_t part, uint64_t all) {
  double share = all ? 100 * (double)part / (double)all : 0;
  buffer_printf(work->out, "  %5.1f %%", share);
}

static void
put_where(struct work *work, op_id op) {
  struct where where = where_of(work->where, op);
  if (where.file.size)
    buffer_printf(work->out, "  %.*s:%u", (int)where.file.size, where.file.data,
                  where.line);
  if (where.name.size)
    buffer_printf(work->out, "  %.*s", (int)where.name.size, where.name.data);
}

/* "line 66: stablehlo.dot_general  model.py:41" */
static void
put_op(struct work *work, op_id op) {
  struct text name;
  if (op == NONE)
    return;
  name = ir_op_name(work->program->input, op);
  buffer_printf(work->out, "line %u: %.*s",
                ir_op_line(work->program->input, op), (int)name.size,
                name.data);
  put_where(work, op);
}

static void
put_value(struct work *work, value_id value) {
  const struct ir_module *module = work->program->input;
  struct text name = source_text(module->source, module->value_name[value]);
  buffer_text(work->out, name.size ? name : TEXT("(unnamed)"));
  if (module->value_number[value] != NONE)
    buffer_printf(work->out, "#%u", module->value_number[value]);
  if (module->value_type[value] == TYPE_NONE)
    return;
  struct text type = ir_value_type(module, value)->spelling;
  bool long_ = type.size > TYPE_SHOWN;
  buffer_printf(work->out, "  %.*s%s", long_ ? TYPE_SHOWN - 3 : (int)type.size,
                type.data, long_ ? "..." : "");
}

/* "8-120": the lines of the dump between which a row is needed. */
static void
put_lines(struct work *work, const struct peak_row *row) {
  const char *from = "start", *to = "end";
  if (row->first != NONE)
    from = arena_printf(work->arena, "%u",
                        ir_op_line(work->program->input, row->first));
  else if (row->op != NONE)
    from = arena_printf(work->arena, "%u",
                        ir_op_line(work->program->input, row->op));
  if (row->last != NONE)
    to = arena_printf(work->arena, "%u",
                      ir_op_line(work->program->input, row->last));
  buffer_printf(work->out, "  %13s  ",
                arena_printf(work->arena, "%s-%s", from, to));
}

static void
put_row(struct work *work, const struct peak *peak,
        const struct peak_row *row) {
  uint8_t flags = work->program->liveness->buffers->flags[row->buffer];
  buffer_string(work->out, "    ");
  put_size(work, row->bytes);
  put_share(work, row->bytes, peak->bytes);
  put_lines(work, row);
  put_value(work, row->value);
  if (flags & BUFFER_ARGUMENT)
    buffer_string(work->out, flags & BUFFER_DONATED ? "  argument, donated"
                                                    : "  argument");
  else if (row->op == NONE)
    buffer_string(work->out, "  block argument");
  else {
    struct text name = ir_op_name(work->program->input, row->op);
    buffer_printf(work->out, "  %.*s", (int)name.size, name.data);
    put_where(work, row->op);
  }
  if (flags & BUFFER_RESULT)
    buffer_string(work->out, "  returned");
  buffer_string(work->out, "\n");
}

/* The rows behind the first SHOWN as one. */
static void
put_rest(struct work *work, const struct peak *peak, uint32_t shown) {
  uint64_t bytes = 0;
  uint32_t count = peak->rows.count - shown;
  for (uint32_t i = shown; i < peak->rows.count; i++)
    bytes = saturating_add(bytes, peak->rows.data[i].bytes);
  if (count == 0)
    return;
  buffer_string(work->out, "    ");
  put_size(work, bytes);
  put_share(work, bytes, peak->bytes);
  buffer_printf(work->out, "                 %u other%s\n", count,
                count == 1 ? "" : "s");
}

static void
put_rows(struct work *work, const struct peak *peak) {
  uint32_t shown = peak->rows.count;
  if (shown > ROWS_SHOWN + 1)
    shown = ROWS_SHOWN;
  buffer_string(work->out, "\n    live at the peak    share          lines  "
                           "value\n");
  for (uint32_t i = 0; i < shown; i++)
    put_row(work, peak, &peak->rows.data[i]);
  put_rest(work, peak, shown);
  if (peak->called_bytes) {
    buffer_string(work->out, "    ");
    put_size(work, peak->called_bytes);
    put_share(work, peak->called_bytes, peak->bytes);
    buffer_string(work->out, "                 inside of what it calls\n");
  }
  if (peak->workspace_bytes) {
    buffer_string(work->out, "    ");
    put_size(work, peak->workspace_bytes);
    put_share(work, peak->workspace_bytes, peak->bytes);
    buffer_string(work->out, "                 workspace of the op\n");
  }
}

static void
put_groups(struct work *work, const struct peak *peak, const char *title,
           const struct peak_group *groups, uint32_t count) {
  if (count < 2)
    return;
  buffer_printf(work->out, "\n    %s\n", title);
  for (uint32_t i = 0; i < count && i < GROUPS_SHOWN; i++) {
    buffer_string(work->out, "    ");
    put_size(work, groups[i].bytes);
    put_share(work, groups[i].bytes, peak->bytes);
    buffer_printf(work->out, "  %5u x  %.*s\n", groups[i].rows,
                  (int)groups[i].name.size, groups[i].name.data);
  }
  if (count > GROUPS_SHOWN)
    buffer_printf(work->out, "    %31s  %u others\n", "", count - GROUPS_SHOWN);
}

/* Memory over the run, the largest of each stretch, in rows of '#'. */
static void
put_chart(struct work *work, function_id function) {
  const struct clock *clock = work->program->buffers->clock;
  const struct liveness *liveness = work->program->liveness;
  uint32_t begin = clock->function_begin[function];
  uint32_t ticks = clock->function_end[function] - begin + 1;
  uint32_t width = ticks < CHART_WIDTH ? ticks : CHART_WIDTH;
  uint64_t peak = liveness->functions[function].peak_bytes;
  uint64_t column[CHART_WIDTH] = {0};
  if (ticks < 8 || !peak || peak == UINT64_MAX)
    return;
  for (uint32_t i = 0; i < ticks; i++) {
    uint32_t at = (uint32_t)((uint64_t)i * width / ticks);
    if (column[at] < liveness->live[begin + i])
      column[at] = liveness->live[begin + i];
  }
  buffer_string(work->out, "\n    memory over the run\n");
  for (int row = CHART_HEIGHT; row > 0; row--) {
    buffer_string(work->out, "    ");
    if (row == CHART_HEIGHT)
      put_size(work, peak);
    else
      buffer_printf(work->out, "%12s", "");
    buffer_string(work->out, " |");
    uint32_t last = 0;
    for (uint32_t i = 0; i < width; i++)
      if ((double)column[i] * CHART_HEIGHT > (double)peak * (row - 1))
        last = i + 1;
    for (uint32_t i = 0; i < last; i++)
      buffer_string(work->out,
                    (double)column[i] * CHART_HEIGHT > (double)peak * (row - 1)
                        ? "#"
                        : " ");
    buffer_string(work->out, "\n");
  }
}

static void
put_figure(struct work *work, const char *label, uint64_t bytes, op_id op) {
  buffer_printf(work->out, "  %-14s", label);
  put_size(work, bytes);
  if (op != NONE) {
    buffer_string(work->out, "   ");
    put_op(work, op);
  }
  buffer_string(work->out, "\n");
}

static void
put_head(struct work *work, function_id function,
         const struct figures *figures) {
  const struct source *source = work->program->input->source;
  buffer_printf(work->out, "%s: ", source->name);
  if (figures->name.size)
    buffer_printf(work->out, "@%.*s, ", (int)figures->name.size,
                  figures->name.data);
  buffer_printf(work->out, "%llu op%s%s\n", (unsigned long long)figures->ops_in,
                figures->ops_in == 1 ? "" : "s",
                figures->entry ? ", the entry" : "");
  if (figures->recomputed_in)
    buffer_printf(work->out, "  %llu of them compute again what was there\n",
                  (unsigned long long)figures->recomputed_in);
  if (work->program->buffers->clock->recursive[function])
    buffer_string(work->out, "  calls itself: what the inner calls need is "
                             "not counted\n");
}

/* What is held in memories that are not the device's own. */
static void
put_spaces(struct work *work, function_id function) {
  struct space_peak peaks[SPACES_SHOWN];
  uint32_t count = spaces_peaks(work->program, function, peaks, SPACES_SHOWN);
  for (uint32_t i = 0; i < count; i++) {
    char *label = arena_printf(work->arena, "in %.*s S(%u)",
                               (int)strcspn(peaks[i].domain, "."),
                               peaks[i].domain, peaks[i].space);
    put_figure(work, label, peaks[i].bytes, NONE);
  }
}

/* Is FUNCTION a part of another's run? */
static bool
runs_inside(const struct clock *clock, function_id function) {
  function_id host = clock->function_host[function];
  return host != NONE && host != function;
}

/* Does FUNCTION run, and did the user ask for it? */
static bool
is_wanted(const struct work *work, function_id function) {
  const struct ir_module *module = work->program->input;
  const char *only = work->program->options->function;
  name_id name = module->functions.data[function].name;
  return work->program->liveness->functions[function].runs &&
         !runs_inside(work->program->buffers->clock, function) &&
         (!only ||
          (name != NONE && text_is(string_text(module->names, name), only)));
}

static void
put_function(struct work *work, function_id function, uint64_t small) {
  const struct program *program = work->program;
  const struct liveness_function *live =
      &program->liveness->functions[function];
  const struct clock *clock = program->buffers->clock;
  struct figures figures;
  figures_of(program, &work->counts, function, &figures);
  put_head(work, function, &figures);
  if (!figures.entry && live->peak_bytes < small) {
    put_figure(work, "peak", live->peak_bytes,
               liveness_op_at(clock, live->peak_tick));
    return;
  }
  put_figure(work, "peak", live->peak_bytes,
             liveness_op_at(clock, live->peak_tick));
  put_figure(work, "arguments", live->argument_bytes, NONE);
  put_figure(work, "results", live->result_bytes, NONE);
  put_figure(work, "temporaries", live->peak_temp_bytes,
             liveness_op_at(clock, live->peak_temp_tick));
  if (!work->counts.planned &&
      !(figures.absent >> FIGURE_fused_peak_before_temp_bytes & 1))
    put_figure(work, "when fused", figures.fused_peak_before_temp_bytes, NONE);
  put_figure(work, "no plan below", live->lower_bound_bytes,
             live->lower_bound_op);
  put_spaces(work, function);
  if (work->counts.planned)
    text_put_plan(program, function, &figures, work->out);
  if (live->peak_bytes == 0 || live->peak_bytes == UINT64_MAX) {
    buffer_string(work->out, "\n");
    return;
  }
  struct peak *peak =
      peak_at(work->arena, program, work->where, function, live->peak_tick);
  put_rows(work, peak);
  put_groups(work, peak, "by class of op", peak->classes.data,
             peak->classes.count);
  put_groups(work, peak, "by source line", peak->sources.data,
             peak->sources.count);
  if (fused_is_model(program))
    stored_text(program, function, work->out);
  put_chart(work, function);
  buffer_string(work->out, "\n");
}

/* --- what is not known --- */

struct unknown {
  name_id name;
  uint32_t count;
  op_id first;
};

static int
compare_unknown(const void *a, const void *b) {
  const struct unknown *x = a, *y = b;
  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  return x->first < y->first ? -1 : x->first > y->first;
}

static void
put_unknown_ops(struct work *work) {
  const struct ir_module *module = work->program->input;
  const struct facts *facts = work->program->facts;
  struct unknown *rows =
      ARENA_ARRAY(work->arena, struct unknown, module->names->count);
  uint32_t count = 0, total = 0;
  for (op_id op = 0; op < module->op_count; op++) {
    if (facts_of(facts, op)->class_id != 0)
      continue;
    struct unknown *row = &rows[module->op_name[op]];
    if (row->count++ == 0)
      *row = (struct unknown){module->op_name[op], 1, op};
    total++;
  }
  if (total == 0)
    return;
  for (name_id i = 0; i < module->names->count; i++)
    if (rows[i].count)
      rows[count++] = rows[i];
  qsort(rows, count, sizeof *rows, compare_unknown);
  buffer_printf(work->out,
                "%u op%s that no rules file knows (kept, sized from "
                "their types):\n",
                total, total == 1 ? "" : "s");
  for (uint32_t i = 0; i < count; i++) {
    struct text name = string_text(module->names, rows[i].name);
    buffer_printf(work->out, "  %6u x  %.*s, first at line %u\n", rows[i].count,
                  (int)name.size, name.data,
                  ir_op_line(work->program->input, rows[i].first));
  }
}

static void
put_unknown_sizes(struct work *work) {
  const struct ir_module *module = work->program->input;
  uint32_t unknown = 0, assumed = 0;
  value_id first = NONE;
  for (value_id value = 0; value < module->value_count; value++) {
    uint8_t known = work->program->facts->value_known[value];
    assumed += known == KNOWN_ASSUMED;
    unknown += known == KNOWN_NOT;
    if (known == KNOWN_NOT && first == NONE)
      first = value;
  }
  if (unknown) {
    buffer_printf(work->out,
                  "%u value%s of unknown size, counted as zero; the "
                  "first is ",
                  unknown, unknown == 1 ? "" : "s");
    put_value(work, first);
    buffer_string(work->out, "\n");
  }
  if (assumed)
    buffer_printf(work->out,
                  "%u value%s of dynamic size, counted as the rules "
                  "assume\n",
                  assumed, assumed == 1 ? "" : "s");
}

static void
put_unstored(struct work *work) {
  const struct ir_module *module = work->program->input;
  const struct clock *clock = work->program->buffers->clock;
  uint32_t unstored = 0, declared = 0, hosted = 0;
  for (function_id i = 0; i < module->functions.count; i++) {
    hosted += runs_inside(clock, i);
    if (module->functions.data[i].body == NONE)
      declared++;
    else if (!work->program->facts->function_stored[i])
      unstored++;
  }
  if (hosted)
    buffer_printf(work->out,
                  "%u function%s called from one place: they are shown as "
                  "part of their callers\n",
                  hosted, hosted == 1 ? " is" : "s are");
  if (unstored)
    buffer_printf(work->out,
                  "%u function%s fused or applied to elements: "
                  "nothing of them is stored\n",
                  unstored, unstored == 1 ? " is" : "s are");
  if (declared)
    buffer_printf(work->out,
                  "%u function%s declared only: what they need is "
                  "not known\n",
                  declared, declared == 1 ? " is" : "s are");
}

static void
put_sharding(struct work *work) {
  const struct facts *facts = work->program->facts;
  uint32_t partitions = work->program->input->partitions;
  if (facts->global_shapes)
    buffer_printf(work->out,
                  "%u partitions, not yet partitioned: %u value%s sized by an "
                  "annotation, as one device holds them; %u without one, as a "
                  "whole\n",
                  partitions, facts->sharded_values,
                  facts->sharded_values == 1 ? "" : "s", facts->global_values);
  else if (partitions > 1)
    buffer_printf(work->out, "%u partitions: sizes are those of one device\n",
                  partitions);
}

void
report_text(struct program *program, struct buffer *out) {
  const struct ir_module *module = program->input;
  struct work work = {.arena = program->scratch,
                      .program = program,
                      .where = where_table_new(program->scratch, module),
                      .out = out};
  figures_count(work.arena, program, &work.counts);
  uint64_t largest = 0;
  for (function_id i = 0; i < module->functions.count; i++)
    if (is_wanted(&work, i) &&
        program->liveness->functions[i].peak_bytes > largest)
      largest = program->liveness->functions[i].peak_bytes;
  for (int entry = 1; entry >= 0; entry--)
    for (function_id i = 0; i < module->functions.count; i++)
      if (is_wanted(&work, i) && module->functions.data[i].entry == entry)
        put_function(&work, i, largest / SMALL);
  if (program->options->analyze)
    stacks_text(work.arena, program, out);
  put_sharding(&work);
  put_unstored(&work);
  put_unknown_ops(&work);
  put_unknown_sizes(&work);
}
