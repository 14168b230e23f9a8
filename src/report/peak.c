/* peak.c - see peak.h.  One scan over the buffers, one sort. */
#include "report/peak.h"

#include <stdlib.h>
#include <string.h>

struct work {
  struct arena *arena;
  const struct program *program;
  struct where_table *where;
  struct peak *peak;
};

static int
compare_rows(const void *a, const void *b) {
  const struct peak_row *x = a, *y = b;
  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  return x->buffer < y->buffer ? -1 : x->buffer > y->buffer;
}

/* Largest first; rows were added in one order, so equal ones keep it. */
static int
compare_groups(const void *a, const void *b) {
  const struct peak_group *x = a, *y = b;
  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  return text_order(x->name, y->name);
}

static void
collect_rows(struct work *work, function_id function) {
  const struct program *program = work->program;
  const struct ir_module *module = program->input;
  const struct buffers *buffers = program->liveness->buffers;
  const struct clock *clock = buffers->clock;
  for (uint32_t i = 0; i < buffers->count; i++) {
    if (!buffers->bytes[i] || !buffers_live(buffers, i, work->peak->tick))
      continue;
    value_id value = buffers->value[i];
    struct peak_row row = {i,
                           value,
                           ir_value_op(module, value),
                           buffers->bytes[i],
                           clock->tick_op[buffers->begin[i]],
                           clock->tick_op[buffers->end[i]]};
    if (buffers->end[i] == clock->function_end[function])
      row.last = NONE;
    vector_push(work->arena, &work->peak->rows, row);
  }
  /* Often all are of one size, and nothing is to be done. */
  bool sorted = true;
  for (uint32_t i = 1; i < work->peak->rows.count; i++)
    sorted &= compare_rows(&work->peak->rows.data[i - 1],
                           &work->peak->rows.data[i]) <= 0;
  if (!sorted)
    qsort(work->peak->rows.data, work->peak->rows.count,
          sizeof *work->peak->rows.data, compare_rows);
}

/* What a class is called, for the row's op. */
static struct text
class_name(const struct work *work, const struct peak_row *row) {
  const struct program *program = work->program;
  uint8_t flags = program->liveness->buffers->flags[row->buffer];
  if (flags & BUFFER_ARGUMENT)
    return TEXT("argument");
  if (row->op == NONE)
    return TEXT("block argument");
  return text_of(rules_class_name(program->rules,
                                  facts_of(program->facts, row->op)->class_id));
}

/* "file:line" of the row's op; else the name that the dump gives it. */
static struct text
source_name(const struct work *work, const struct peak_row *row) {
  if (row->op == NONE)
    return TEXT("");
  struct where where = where_of(work->where, row->op);
  if (!where.file.size)
    return where.name;
  char *name = arena_printf(work->arena, "%.*s:%u", (int)where.file.size,
                            where.file.data, where.line);
  return text_of(name);
}

struct sum {
  struct string_table *names;
  VECTOR(struct peak_group) groups;
};

static void
add_to(struct work *work, struct sum *sum, struct text name, uint64_t bytes) {
  if (!name.size)
    return;
  uint32_t id = string_intern(sum->names, name);
  if (id == sum->groups.count) {
    struct peak_group group = {name, 0, 0};
    vector_push(work->arena, &sum->groups, group);
  }
  sum->groups.data[id].rows++;
  sum->groups.data[id].bytes =
      saturating_add(sum->groups.data[id].bytes, bytes);
}

static void
collect_groups(struct work *work) {
  struct peak *peak = work->peak;
  struct sum classes = {.names = string_table_new(work->arena)};
  struct sum sources = {.names = string_table_new(work->arena)};
  for (uint32_t i = 0; i < peak->rows.count; i++) {
    const struct peak_row *row = &peak->rows.data[i];
    add_to(work, &classes, class_name(work, row), row->bytes);
    add_to(work, &sources, source_name(work, row), row->bytes);
  }
  if (classes.groups.count)
    qsort(classes.groups.data, classes.groups.count,
          sizeof *classes.groups.data, compare_groups);
  if (sources.groups.count)
    qsort(sources.groups.data, sources.groups.count,
          sizeof *sources.groups.data, compare_groups);
  memcpy(&peak->classes, &classes.groups, sizeof peak->classes);
  memcpy(&peak->sources, &sources.groups, sizeof peak->sources);
}

struct peak *
peak_at(struct arena *arena, const struct program *program,
        struct where_table *where, function_id function, uint32_t tick) {
  struct peak *peak = ARENA_NEW(arena, struct peak);
  struct work work = {arena, program, where, peak};
  const struct clock *clock = program->buffers->clock;
  peak->tick = tick;
  peak->op = liveness_op_at(clock, tick);
  peak->bytes = program->liveness->live[tick];
  if (program->facts->op_workspace && peak->op != NONE &&
      clock->op_end[peak->op] == tick)
    peak->workspace_bytes = program->facts->op_workspace[peak->op];
  collect_rows(&work, function);
  uint64_t seen = peak->workspace_bytes;
  for (uint32_t i = 0; i < peak->rows.count; i++)
    seen = saturating_add(seen, peak->rows.data[i].bytes);
  peak->called_bytes = saturating_subtract(peak->bytes, seen);
  collect_groups(&work);
  return peak;
}
