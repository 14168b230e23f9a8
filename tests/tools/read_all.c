/* read_all.c - read dumps and hold what a reader must leave against the text.
 *
 * usage: read_all [-v|-n|-t] FILE...
 *
 * For each file one line: "ok NAME functions ops values microseconds", or the
 * reader's errors and "refused NAME".  With -v the graph instead, without
 * times; with -n a line for each op, in textual order: name, results, operands,
 * successors, regions, depth; with -t the types of the results too.
 * Ends with 1 when a graph breaks one of the rules that ir.h gives: that is a
 * fault of the reader, not of the file. */
#include "readers/reader.h"
#include "support/buffer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void
print_diagnostic(void *user, const struct diagnostic *diagnostic) {
  struct arena arena;
  (void)user;
  memset(&arena, 0, sizeof arena);
  fputs(diagnostic_render(&arena, diagnostic, DIAGNOSTIC_PLAIN), stdout);
  arena_empty(&arena);
}

/* Is the text at SPAN, a name, the same as that at OTHER? */
static bool
same_name(const struct ir_module *m, struct span span, struct span other) {
  struct text a = source_text(m->source, span);
  struct text b = source_text(m->source, other);
  if (a.size && a.data[0] == '%')
    a = (struct text){a.data + 1, a.size - 1};
  if (b.size && b.data[0] == '%')
    b = (struct text){b.data + 1, b.size - 1};
  return a.size >= b.size && memcmp(a.data, b.data, b.size) == 0;
}

static const char *
check_op(const struct ir_module *m, op_id op) {
  struct span text = m->op_text[op];
  if (text.begin >= text.end || text.end > m->source->size)
    return "an op without text";
  for (uint32_t i = 0; i < m->op_use_count[op]; i++) {
    uint32_t use = m->op_first_use[op] + i;
    struct span span = m->use_text[use];
    if (span.begin < text.begin || span.end > text.end)
      return "an operand outside of its op";
    if (m->use_value[use] >= m->value_count)
      return "an operand without value";
    struct span name = m->value_name[m->use_value[use]];
    if (name.begin < name.end && !same_name(m, span, name))
      return "an operand spelt differently from its value";
  }
  struct text value_text;
  if (ir_attribute(m, op, "no.such.key", &value_text))
    return "an attribute that is not there";
  for (uint32_t i = 0; i < m->op_result_count[op]; i++) {
    value_id value = ir_result(m, op, i);
    if (ir_value_op(m, value) != op || ir_value_index(m, value) != i)
      return "a result that is not its op's";
    if (m->value_type[value] >= m->types->count)
      return "a value without type";
  }
  return NULL;
}

/* Ops of a block in the order of their numbers, their texts apart or one
 * inside of a later one that reads it. */
static const char *
check_block(const struct ir_module *m, block_id block) {
  struct span last = {0, 0};
  for (uint32_t i = 0; i < m->block_op_count[block]; i++) {
    op_id op = ir_block_op(m, block, i);
    if (m->op_block[op] != block)
      return "an op in two blocks";
    struct span text = m->op_text[op];
    if (text.begin < last.end && text.begin > last.begin)
      return "ops that overlap";
    last = text;
  }
  return NULL;
}

static bool
inside(struct span inner, struct span outer) {
  return inner.begin >= outer.begin && inner.end <= outer.end;
}

/* Text of a region inside of its op's, of its ops inside of it. */
static const char *
check_region(const struct ir_module *m, region_id region) {
  op_id op = m->region_op[region];
  if (op == NONE)
    return NULL;
  if (!inside(m->region_text[region], m->op_text[op]))
    return "a region outside of its op";
  for (block_id block = m->region_block[region]; block != NONE;
       block = m->block_next[block]) {
    if (m->block_region[block] != region)
      return "a block in two regions";
    if (!inside(m->block_body[block], m->region_text[region]))
      return "a block outside of its region";
    for (uint32_t i = 0; i < m->block_op_count[block]; i++)
      if (!inside(m->op_text[ir_block_op(m, block, i)], m->block_body[block]))
        return "an op outside of its block";
  }
  return NULL;
}

static const char *
check_value(const struct ir_module *m, value_id value) {
  if (m->value_type[value] >= m->types->count)
    return "a value without type";
  op_id op = ir_value_op(m, value);
  block_id block = ir_value_block(m, value);
  if (op == NONE ? block >= m->block_count : op >= m->op_count)
    return "a value that nothing defines";
  return NULL;
}

static const char *
check_function(const struct ir_module *m, const struct ir_function *f) {
  if (f->text.begin > f->text.end || f->text.end > m->source->size)
    return "a function outside of the text";
  if (f->body == NONE)
    return NULL;
  for (uint32_t i = 0; i < f->argument_count; i++)
    if (f->arguments[i] >= m->value_count)
      return "an argument without value";
  for (uint32_t i = 0; i < f->result_count; i++)
    if (f->result_types[i] >= m->types->count)
      return "a result without type";
  if (f->op == NONE && (f->root == NONE || !(m->op_flags[f->root] & OP_ROOT)))
    return "a computation without root";
  return NULL;
}

static const char *
check_calls(const struct ir_module *m) {
  for (uint32_t i = 0; i < m->calls.count; i++)
    if (m->calls.data[i].callee != NONE &&
        m->calls.data[i].callee >= m->functions.count)
      return "a call of nothing";
  for (uint32_t i = 0; i < m->controls.count; i++)
    if (m->controls.data[i].predecessor >= m->controls.data[i].op)
      return "a control predecessor that comes later";
  return NULL;
}

static const char *
check_module(const struct ir_module *m) {
  const char *wrong = check_calls(m);
  for (op_id op = 0; !wrong && op < m->op_count; op++)
    wrong = check_op(m, op);
  for (block_id block = 0; !wrong && block < m->block_count; block++)
    wrong = check_block(m, block);
  for (region_id region = 0; !wrong && region < m->region_count; region++)
    wrong = check_region(m, region);
  for (value_id value = 0; !wrong && value < m->value_count; value++)
    wrong = check_value(m, value);
  for (uint32_t i = 0; !wrong && i < m->successors.count; i++)
    if (m->successors.data[i].block >= m->block_count)
      wrong = "an edge to nowhere";
  for (function_id f = 0; !wrong && f < m->functions.count; f++)
    wrong = check_function(m, &m->functions.data[f]);
  return wrong;
}

static void
print_span(const struct ir_module *m, struct span span) {
  printf("%.*s", (int)(span.end - span.begin), m->source->text + span.begin);
}

/* "  3 add 1 2 : f32[4] <- 2 calls=f": operands by their ops. */
static void
print_op(const struct ir_module *m, op_id op) {
  uint32_t count;
  struct text name = ir_op_name(m, op);
  printf("  %u %.*s", op, (int)name.size, name.data);
  for (uint32_t i = 0; i < m->op_use_count[op]; i++)
    printf(" %u", ir_value_op(m, ir_operand(m, op, i)));
  for (uint32_t i = 0; i < m->op_result_count[op]; i++) {
    const struct type *type = ir_value_type(m, ir_result(m, op, i));
    printf(" : %.*s %" PRIu64 " bytes", (int)type->spelling.size,
           type->spelling.data, type->bytes);
    if (type->memory_space)
      printf(" in space %u", type->memory_space);
  }
  const struct ir_control *controls = ir_op_controls(m, op, &count);
  for (uint32_t i = 0; i < count; i++)
    printf(" after %u", controls[i].predecessor);
  const struct ir_call *calls = ir_op_calls(m, op, &count);
  for (uint32_t i = 0; i < count; i++) {
    struct text key = string_text(m->names, calls[i].attribute);
    printf(" %s %.*s=", calls[i].role == CALL_FLOW ? "runs" : "applies",
           (int)key.size, key.data);
    print_span(m, m->functions.data[calls[i].callee].name_text);
  }
  printf("%s\n", m->op_flags[op] & OP_ROOT ? " root" : "");
}

static void
print_module(const struct ir_module *m) {
  printf("scheduled %d partitions %u\n", m->scheduled, m->partitions);
  for (function_id id = 0; id < m->functions.count; id++) {
    const struct ir_function *f = &m->functions.data[id];
    printf("%s ", f->entry ? "entry" : "function");
    print_span(m, f->name_text);
    printf(" %u arguments%s\n", f->argument_count, f->fixed ? " fixed" : "");
    if (f->body == NONE)
      continue;
    block_id block = m->region_block[f->body];
    for (uint32_t i = 0; i < m->block_op_count[block]; i++)
      print_op(m, ir_block_op(m, block, i));
  }
  for (uint32_t i = 0; i < m->donations.count; i++) {
    const struct ir_donation *donation = &m->donations.data[i];
    printf("donates %u%.*s", donation->argument,
           (int)donation->argument_path.size, donation->argument_path.data);
    if (donation->result != NONE)
      printf(" to %u%.*s", donation->result, (int)donation->result_path.size,
             donation->result_path.data);
    printf("\n");
  }
}

static void
print_ops(const struct ir_module *m, bool types) {
  for (op_id op = 0; op < m->op_count; op++) {
    struct text name = ir_op_name(m, op);
    uint32_t successors, regions = 0, depth = 0;
    ir_op_successors(m, op, &successors);
    for (region_id region = m->op_region[op]; region != NONE;
         region = m->region_next[region])
      regions++;
    for (op_id parent = ir_parent_op(m, op); parent != NONE;
         parent = ir_parent_op(m, parent))
      depth++;
    printf("%.*s %u %u %u %u %u", (int)name.size, name.data,
           m->op_result_count[op], m->op_use_count[op], successors, regions,
           depth);
    for (uint32_t i = 0; types && i < m->op_result_count[op]; i++) {
      struct text type = ir_value_type(m, ir_result(m, op, i))->spelling;
      printf("%s%.*s", i ? ", " : " ", (int)type.size, type.data);
    }
    printf("\n");
  }
}

/* Read FILE; false where the graph is wrong.  HOW is 'v', 'n', 't' or 0. */
static bool
read_file(const char *file, char how) {
  struct source source;
  struct arena arena;
  struct diagnostics diagnostics;
  struct reader_options options = {.storage = STORAGE_PACKED};
  struct timespec before, after;
  memset(&arena, 0, sizeof arena);
  memset(&diagnostics, 0, sizeof diagnostics);
  diagnostics.sink = print_diagnostic;
  enum source_status status = source_open(&source, file);
  if (status != SOURCE_OK) {
    printf("unreadable %s: %s\n", file, reader_open_error(status));
    return false;
  }
  clock_gettime(CLOCK_MONOTONIC, &before);
  struct ir_module *m = reader_read(&arena, &source, &options, &diagnostics);
  clock_gettime(CLOCK_MONOTONIC, &after);
  const char *wrong = m ? check_module(m) : NULL;
  if (wrong)
    printf("WRONG %s: %s\n", file, wrong);
  else if (!m)
    printf("refused %s\n", file);
  else if (how == 'v')
    print_module(m);
  else if (how == 'n' || how == 't')
    print_ops(m, how == 't');
  else
    printf("ok %s %u %u %u %ld\n", file, m->functions.count, m->op_count,
           m->value_count,
           (after.tv_sec - before.tv_sec) * 1000000 +
               (after.tv_nsec - before.tv_nsec) / 1000);
  arena_empty(&arena);
  source_close(&source);
  return !wrong && (m || diagnostics.errors);
}

int
main(int count, char **files) {
  bool sound = true;
  bool option = count > 1 && files[1][0] == '-';
  char how = option ? files[1][1] : '\0';
  for (int i = 1 + option; i < count; i++)
    sound &= read_file(files[i], how);
  return sound ? 0 : 1;
}
