/* rules_same.c - the tables in the binary against the same rules read from
 * their files at run time.
 *
 * usage: rules_same ROOT DUMP...
 *
 * For every built-in target, ROOT/rules/NAME.rules is compiled.  The two must
 * be the same table, written as C, and give the same answers for every op of
 * every DUMP that a reader takes.  A line for each target counts the ops;
 * ends with 1 at the first difference. */
#include "readers/reader.h"
#include "rules/emit.h"

#include <stdio.h>
#include <string.h>

static void
print_diagnostic(void *user, const struct diagnostic *diagnostic) {
  struct arena arena = {0};
  if (user && diagnostic->severity >= SEVERITY_WARNING)
    fputs(diagnostic_render(&arena, diagnostic, DIAGNOSTIC_PLAIN), stdout);
  arena_empty(&arena);
}

static bool
same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

static bool
same_place(struct rule_place a, struct rule_place b) {
  return a.line == b.line && same_text(a.file, b.file);
}

static bool
same_facts(const struct op_facts *a, const struct op_facts *b) {
  return a->class_id == b->class_id && a->flags == b->flags &&
         same_text(a->reason, b->reason) && a->alias == b->alias &&
         a->inplace == b->inplace && a->reuses == b->reuses &&
         a->body == b->body && a->async == b->async &&
         a->carries_operand == b->carries_operand &&
         a->carries_argument == b->carries_argument && a->yields == b->yields &&
         a->counts == b->counts && a->refused == b->refused &&
         same_place(a->place, b->place) &&
         same_place(a->safety_place, b->safety_place);
}

static bool
same_cost(const struct rules_cost *a, const struct rules_cost *b) {
  return a->ns == b->ns && a->policy == b->policy &&
         a->evidence == b->evidence && same_place(a->place, b->place) &&
         same_text(a->reason, b->reason);
}

static bool
same_size(const struct rules_size *a, const struct rules_size *b) {
  return a->bytes == b->bytes && a->known == b->known &&
         a->evidence == b->evidence && same_place(a->place, b->place) &&
         a->alias == b->alias;
}

static bool
same_op(struct rules_binding *a, struct rules_binding *b,
        const struct ir_module *module, op_id op) {
  struct op_facts facts[2];
  uint64_t extra[4];
  rules_facts(a, op, &facts[0]);
  rules_facts(b, op, &facts[1]);
  struct rules_cost costs[2] = {rules_op_cost(a, op), rules_op_cost(b, op)};
  rules_workspace(a, op, &extra[0], &extra[1]);
  rules_workspace(b, op, &extra[2], &extra[3]);
  bool same = same_facts(&facts[0], &facts[1]) &&
              same_cost(&costs[0], &costs[1]) && extra[0] == extra[2] &&
              extra[1] == extra[3];
  for (uint32_t i = 0; i < module->op_result_count[op] && same; i++) {
    value_id value = ir_result(module, op, i);
    struct rules_size sizes[2] = {rules_value_bytes(a, value),
                                  rules_value_bytes(b, value)};
    same = same_size(&sizes[0], &sizes[1]);
  }
  return same;
}

/* The tables of one target, twice. */
struct pair {
  const struct rules *built_in, *read;
  uint32_t ops;
};

static bool
same_module(struct pair *pair, struct arena *arena,
            struct diagnostics *diagnostics, const struct ir_module *module) {
  uint32_t device = rules_device_find(pair->built_in, NULL);
  struct rules_binding *a =
      rules_bind(arena, diagnostics, pair->built_in, device, module);
  struct rules_binding *b =
      rules_bind(arena, diagnostics, pair->read, device, module);
  for (op_id op = 0; op < module->op_count; op++) {
    if (!same_op(a, b, module, op)) {
      struct text name = ir_op_name(module, op);
      printf("%s: %.*s (op %u) differs\n", rules_name(pair->read),
             (int)name.size, name.data, op);
      return false;
    }
  }
  pair->ops += module->op_count;
  return true;
}

static bool
same_dump(struct pair *pairs, uint32_t count, const char *path) {
  struct arena arena = {0};
  struct diagnostics diagnostics = {.sink = print_diagnostic};
  struct reader_options options = {.storage = STORAGE_PACKED};
  struct source source;
  bool same = true;
  if (source_open(&source, path) != SOURCE_OK) {
    printf("cannot open %s\n", path);
    return false;
  }
  const struct ir_module *module =
      reader_read(&arena, &source, &options, &diagnostics);
  for (uint32_t i = 0; module && i < count && same; i++)
    same = same_module(&pairs[i], &arena, &diagnostics, module);
  if (!same)
    printf("in %s\n", path);
  arena_empty(&arena);
  source_close(&source);
  return same;
}

static bool
same_tables(struct pair *pair, struct arena *arena, const char *root) {
  struct diagnostics diagnostics = {.sink = print_diagnostic,
                                    .user = &diagnostics};
  const char *name = rules_name(pair->built_in);
  pair->read = rules_compile_file(
      arena, &diagnostics, arena_printf(arena, "%s/rules/%s.rules", root, name),
      NULL);
  if (!pair->read)
    return false;
  struct buffer a = {.arena = arena}, b = {.arena = arena};
  rules_emit(pair->built_in, &a);
  rules_emit(pair->read, &b);
  if (a.size == b.size && memcmp(a.data, b.data, a.size) == 0)
    return true;
  printf("%s: the tables differ\n", name);
  return false;
}

int
main(int argc, char **argv) {
  struct arena arena = {0};
  struct pair pairs[64];
  uint32_t count = rules_builtin_count();
  bool same = argc > 1 && count > 0 && count <= 64;
  for (uint32_t i = 0; same && i < count; i++) {
    pairs[i] = (struct pair){.built_in = rules_builtin_at(i)};
    same = same_tables(&pairs[i], &arena, argv[1]);
  }
  for (int i = 2; same && i < argc; i++)
    same = same_dump(pairs, count, argv[i]);
  for (uint32_t i = 0; same && i < count; i++)
    printf("%s: same table, %u ops alike\n", rules_name(pairs[i].built_in),
           pairs[i].ops);
  arena_empty(&arena);
  return same ? 0 : 1;
}
