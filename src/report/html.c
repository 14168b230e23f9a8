/* html.c - the report as one page that needs nothing else.
 *
 * For each function memory over time as inline SVG, before and, where a plan
 * was made, after; the figures; who is live at the peak. */
#include "report/report.h"

enum { CHART_WIDTH = 960, CHART_HEIGHT = 240, POINTS = 480, ROWS_SHOWN = 40 };

struct work {
  struct arena *arena;
  const struct program *program;
  struct where_table *where;
  struct figure_counts counts;
  struct buffer *out;
};

static const char style[] =
    "<!doctype html>\n<meta charset=\"utf-8\">\n<title>remat</title>\n<style>\n"
    "body{font:14px/1.5 system-ui,sans-serif;max-width:1000px;margin:2em auto;"
    "padding:0 1em;color:#222}\n"
    "table{border-collapse:collapse;margin:1em 0}\n"
    "td,th{padding:.15em .8em;text-align:left;border-bottom:1px solid #ddd}\n"
    "td.n{text-align:right;font-variant-numeric:tabular-nums}\n"
    "code{font-size:90%}\n"
    "svg{width:100%;height:auto;background:#fafafa;border:1px solid #ddd}\n"
    ".before{fill:#9db7d5}.after{fill:#d98b4a;fill-opacity:.75}"
    ".budget{stroke:#b00;stroke-dasharray:6 4}\n"
    "</style>\n";

/* TEXT with what HTML would take for its own escaped. */
static void
put_text(struct buffer *out, struct text text) {
  for (uint32_t i = 0; i < text.size; i++) {
    switch (text.data[i]) {
    case '<':
      buffer_string(out, "&lt;");
      break;
    case '>':
      buffer_string(out, "&gt;");
      break;
    case '&':
      buffer_string(out, "&amp;");
      break;
    case '"':
      buffer_string(out, "&quot;");
      break;
    default:
      buffer_add(out, text.data + i, 1);
    }
  }
}

/* The COUNT ticks of LIVE as an area of class NAME, PEAK its full height. */
static void
put_area(struct buffer *out, const char *name, const uint64_t *live,
         uint32_t count, uint64_t peak) {
  uint32_t points = count < POINTS ? count : POINTS;
  buffer_printf(out, "<path class=\"%s\" d=\"M0 %d", name, CHART_HEIGHT);
  for (uint32_t p = 0; p < points; p++) {
    uint64_t most = 0;
    uint32_t begin = (uint32_t)((uint64_t)p * count / points);
    uint32_t end = (uint32_t)((uint64_t)(p + 1) * count / points);
    for (uint32_t i = begin; i < end; i++)
      most = live[i] > most ? live[i] : most;
    double y = CHART_HEIGHT * (1 - (double)most / (double)peak);
    buffer_printf(out, "L%.1f %.1fL%.1f %.1f", (double)p * CHART_WIDTH / points,
                  y, (double)(p + 1) * CHART_WIDTH / points, y);
  }
  buffer_printf(out, "L%d %dZ\"/>", CHART_WIDTH, CHART_HEIGHT);
}

/* The copy of FUNCTION in the module that was made, or NONE. */
static function_id
made_function(const struct program *program, function_id function) {
  const struct ir_module *made = program->made;
  for (function_id i = 0; made && i < made->functions.count; i++)
    if (made->functions.data[i].origin == function &&
        made->functions.data[i].copy == 0)
      return i;
  return NONE;
}

static void
put_chart(struct work *work, function_id function) {
  const struct program *program = work->program;
  const struct clock *clock = program->buffers->clock;
  uint64_t peak = program->liveness->functions[function].peak_bytes;
  uint32_t begin = clock->function_begin[function];
  function_id made = made_function(program, function);
  if (!peak || peak == UINT64_MAX)
    return;
  buffer_printf(work->out,
                "<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\">",
                CHART_WIDTH, CHART_HEIGHT);
  put_area(work->out, "before", program->liveness->live + begin,
           clock->function_end[function] - begin + 1, peak);
  if (made != NONE && program->made_liveness &&
      program->made_liveness->functions[made].peak_bytes <= peak) {
    const struct clock *after = program->made_buffers->clock;
    uint32_t first = after->function_begin[made];
    put_area(work->out, "after", program->made_liveness->live + first,
             after->function_end[made] - first + 1, peak);
  }
  buffer_string(work->out, "</svg>\n");
}

static void
put_size_cell(struct work *work, uint64_t bytes) {
  buffer_string(work->out, "<td class=\"n\">");
  human_bytes(work->out, bytes);
  buffer_string(work->out, "</td>");
}

static void
put_rows(struct work *work, function_id function) {
  const struct ir_module *module = work->program->input;
  const struct liveness_function *live =
      &work->program->liveness->functions[function];
  struct peak *peak = peak_at(work->arena, work->program, work->where, function,
                              live->peak_tick);
  buffer_string(work->out, "<table><tr><th>live at the peak<th>value<th>type"
                           "<th>made by<th>source\n");
  for (uint32_t i = 0; i < peak->rows.count && i < ROWS_SHOWN; i++) {
    const struct peak_row *row = &peak->rows.data[i];
    buffer_string(work->out, "<tr>");
    put_size_cell(work, row->bytes);
    buffer_string(work->out, "<td><code>");
    put_text(work->out,
             source_text(module->source, module->value_name[row->value]));
    buffer_string(work->out, "</code><td><code>");
    if (module->value_type[row->value] != TYPE_NONE)
      put_text(work->out, ir_value_type(module, row->value)->spelling);
    buffer_string(work->out, "</code><td>");
    if (row->op != NONE)
      put_text(work->out, ir_op_name(module, row->op));
    buffer_string(work->out, "<td>");
    struct where where = {{NULL, 0}, 0, {NULL, 0}};
    if (row->op != NONE)
      where = where_of(work->where, row->op);
    put_text(work->out, where.file);
    if (where.file.size)
      buffer_printf(work->out, ":%u", where.line);
    buffer_string(work->out, "\n");
  }
  if (peak->rows.count > ROWS_SHOWN)
    buffer_printf(work->out, "<tr><td class=\"n\"><td>%u others\n",
                  peak->rows.count - ROWS_SHOWN);
  buffer_string(work->out, "</table>\n");
}

/* Every figure that this run has, with its meaning. */
static void
put_figures(struct work *work, const struct figures *figures) {
  buffer_string(work->out, "<table>\n");
  for (uint32_t i = 0; i < figure_count; i++) {
    if (figure_infos[i].planned && !work->counts.planned)
      continue;
    struct buffer value = {.arena = work->arena};
    figures_json(figures, i, &value);
    buffer_printf(work->out, "<tr><td><code>%s</code><td class=\"n\">",
                  figure_infos[i].key);
    put_text(work->out,
             (struct text){buffer_finish(&value), (uint32_t)value.size});
    buffer_printf(work->out, "<td>%s\n", figure_infos[i].meaning);
  }
  buffer_string(work->out, "</table>\n");
}

static void
put_function(struct work *work, function_id function) {
  struct figures figures;
  figures_of(work->program, &work->counts, function, &figures);
  buffer_string(work->out, "<h2>@");
  put_text(work->out, figures.name);
  buffer_string(work->out, "</h2>\n<p>Peak ");
  human_bytes(work->out, figures.peak_before_bytes);
  buffer_string(work->out, "; no plan needs less than ");
  human_bytes(work->out, figures.lower_bound_bytes);
  buffer_string(work->out, ".</p>\n");
  put_chart(work, function);
  put_figures(work, &figures);
  put_rows(work, function);
}

void
report_html(struct program *program, struct buffer *out) {
  const struct ir_module *module = program->input;
  struct work work = {.arena = program->scratch,
                      .program = program,
                      .where = where_table_new(program->scratch, module),
                      .out = out};
  figures_count(work.arena, program, &work.counts);
  buffer_string(out, style);
  buffer_string(out, "<h1>");
  put_text(out, text_of(module->source->name));
  buffer_string(out, "</h1>\n");
  for (function_id i = 0; i < module->functions.count; i++)
    if (program->liveness->functions[i].runs)
      put_function(&work, i);
}
