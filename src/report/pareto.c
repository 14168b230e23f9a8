/* pareto.c - the points of --pareto as a table. */
#include "passes/pareto.h"
#include "report/report.h"

/* BYTES in a column that is right-aligned. */
static void
column(struct buffer *out, struct arena *scratch, uint64_t bytes) {
  struct buffer size = {.arena = scratch};
  human_bytes(&size, bytes);
  buffer_printf(out, "%12s", buffer_finish(&size));
}

static void
write_point(struct buffer *out, struct arena *scratch,
            const struct pareto_point *point,
            const struct pareto_point *first) {
  buffer_printf(out, "  %5.1f %%  ", (double)point->share_ppm / 10000);
  column(out, scratch, point->budget_bytes);
  if (!point->fits) {
    buffer_string(out, point->proved_infeasible ? "  no plan needs so little\n"
                                                : "  no plan was found\n");
    return;
  }
  column(out, scratch, point->peak_bytes);
  double more = first->cost_ns
                    ? 100.0 *
                          ((double)point->cost_ns - (double)first->cost_ns) /
                          (double)first->cost_ns
                    : 0;
  buffer_printf(out, "  %+9.2f %%  %9u  %s%s\n", more, point->ops,
                point->strategy ? point->strategy : "none",
                point->knee ? "  <- knee" : "");
}

void
report_pareto(struct program *program, struct buffer *out) {
  const struct pareto *pareto = program->pareto;
  const struct ir_module *m = program->input;
  const struct pareto_point *first = NULL;
  for (uint32_t i = 0; pareto && i < pareto->points.count; i++) {
    const struct pareto_point *point = &pareto->points.data[i];
    if (!first || first->function != point->function) {
      first = point;
      buffer_text(
          out,
          source_text(m->source, m->functions.data[point->function].name_text));
      buffer_string(out, ": cost ");
      human_time(out, point->cost_ns);
      buffer_string(out, "\n    asked         bytes        peak   extra cost"
                         "        ops  planner\n");
    }
    write_point(out, program->scratch, point, first);
  }
}
