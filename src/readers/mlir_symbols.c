/* mlir_symbols.c - which function a symbol names, and what modules say.
 *
 * A symbol is looked up in the op around, and so on outward; "@a::@b" is b in
 * the op that defines a.  Calls are resolved when all is read because a
 * function may stand behind its callers.  O(symbols log symbols). */
#include "readers/mlir.h"

#include <stdlib.h>
#include <string.h>

/* NAME without '@' and quotes. */
static struct text
bare(struct text name) {
  if (name.size && *name.data == '@')
    name = (struct text){name.data + 1, name.size - 1};
  if (name.size >= 2 && *name.data == '"')
    name = (struct text){name.data + 1, name.size - 2};
  return name;
}

void
mlir_symbol(struct mlir *r, op_id op, struct text name, function_id function) {
  struct mlir_symbol symbol = {op, ir_parent_op(r->module, op), bare(name),
                               function};
  vector_push(&r->scratch, &r->symbols, symbol);
}

void
mlir_refer(struct mlir *r, const struct mlir_reference *reference) {
  vector_push(&r->scratch, &r->references, *reference);
}

/* Note every symbol in the value of OP's attribute KEY. */
static void
refer_by(struct mlir *r, op_id op, const char *key, enum call_role role) {
  struct text value;
  if (!ir_attribute(r->module, op, key, &value))
    return;
  const char *p = value.data, *end = p + value.size;
  while ((p = memchr(p, '@', (size_t)(end - p)))) {
    const char *behind = mlir_skip_symbol(p, end, NULL);
    if (!behind)
      return;
    const struct mlir_reference reference = {op, role, key,
                                             mlir_span(r, p, behind)};
    mlir_refer(r, &reference);
    p = behind;
  }
}

void
mlir_references(struct mlir *r, op_id op, unsigned kind) {
  bool generic = r->module->op_flags[op] & OP_GENERIC;
  struct text value;
  if (kind & KIND_CALL && generic)
    refer_by(r, op, "callee", CALL_FLOW);
  if (kind & KIND_COMPOSITE)
    refer_by(r, op, "decomposition", CALL_FLOW);
  if (kind & KIND_CALLED)
    refer_by(r, op, "called_computations", CALL_APPLY);
  if (kind & KIND_MODULE && generic &&
      ir_attribute(r->module, op, "sym_name", &value))
    mlir_symbol(r, op, value, NONE);
}

/* --- looking up --- */

static int
compare_symbols(const void *a, const void *b) {
  const struct mlir_symbol *x = a, *y = b;
  if (x->table != y->table)
    return x->table < y->table ? -1 : 1;
  int order = text_order(x->name, y->name);
  return order ? order : x->op < y->op ? -1 : x->op > y->op;
}

/* The first symbol NAME of TABLE, or NULL. */
static const struct mlir_symbol *
find_symbol(const struct mlir *r, op_id table, struct text name) {
  struct mlir_symbol key = {0, table, name, NONE};
  uint32_t low = 0, high = r->symbols.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (compare_symbols(&r->symbols.data[middle], &key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == r->symbols.count || r->symbols.data[low].table != table ||
      !text_equal(r->symbols.data[low].name, name))
    return NULL;
  return &r->symbols.data[low];
}

/* The symbol at SPAN, "@a::@b", as it is seen from OP; or NULL. */
static const struct mlir_symbol *
resolve(const struct mlir *r, op_id op, struct span span) {
  const char *p = r->text + span.begin, *end = r->text + span.end;
  const struct mlir_symbol *symbol = NULL;
  op_id table = op;
  bool first = true;
  while (p < end && (first || symbol)) {
    const char *behind =
        p[1] == '"' ? mlir_skip_string(p + 1, end, NULL) : mlir_skip_name(p);
    behind = behind ? behind : end;
    struct text name = bare(mlir_text(p, behind));
    if (first) {
      do {
        table = ir_parent_op(r->module, table);
        symbol = find_symbol(r, table, name);
      } while (!symbol && table != NONE);
    } else {
      symbol = find_symbol(r, symbol->op, name);
    }
    first = false;
    p = behind + 2 < end ? behind + 2 : end;
  }
  return symbol;
}

static void
resolve_references(struct mlir *r) {
  if (r->symbols.count)
    qsort(r->symbols.data, r->symbols.count, sizeof *r->symbols.data,
          compare_symbols);
  for (uint32_t i = 0; i < r->references.count; i++) {
    const struct mlir_reference *reference = &r->references.data[i];
    const struct mlir_symbol *symbol =
        resolve(r, reference->op, reference->text);
    if (!symbol || symbol->function == NONE)
      continue;
    struct ir_call call = {
        reference->op, symbol->function, reference->role,
        string_intern(r->module->names, text_of(reference->attribute)),
        reference->text};
    vector_push(r->arena, &r->module->calls, call);
  }
}

/* --- entries --- */

/* The op at the top of the file that holds OP. */
static op_id
top_of(const struct ir_module *m, op_id op) {
  for (op_id parent = op; parent != NONE; parent = ir_parent_op(m, op))
    op = parent;
  return op;
}

/* How well FUNCTION does as an entry: 0 not at all. */
static int
entry_rank(const struct mlir *r, struct ir_function *function) {
  const char *p = r->text + r->module->op_text[function->op].begin;
  const char *end = r->text + function->name_text.begin;
  struct text value;
  function->hidden =
      memmem(p, (size_t)(end > p ? end - p : 0), "private", 7) ||
      (r->module->op_flags[function->op] & OP_GENERIC &&
       ir_attribute(r->module, function->op, "sym_visibility", &value) &&
       text_is(value, "\"private\""));
  if (function->body == NONE)
    return 0;
  if (function->name != NONE &&
      text_is(string_text(r->module->names, function->name), "main"))
    return 3;
  return function->hidden ? 1 : 2;
}

/* In each op at the top of the file: the function called main, else the first
 * that others can call, else the first with a body. */
static void
find_entries(struct mlir *r, function_id i) {
  struct ir_module *m = r->module;
  while (i < m->functions.count) {
    op_id top = top_of(m, m->functions.data[i].op);
    bool alone = top == m->functions.data[i].op;
    int best = 0;
    function_id entry = NONE;
    for (; i < m->functions.count; i++) {
      op_id here = top_of(m, m->functions.data[i].op);
      if (here != top && !(alone && here == m->functions.data[i].op))
        break;
      int rank = entry_rank(r, &m->functions.data[i]);
      if (rank > best) {
        best = rank;
        entry = i;
      }
    }
    if (entry != NONE)
      m->functions.data[entry].entry = true;
  }
}

/* --- partitions --- */

/* The number of partitions that OP, a module, is for. */
static void
find_partitions(struct mlir *r, op_id op) {
  int64_t partitions;
  if (ir_attribute_integer(r->module, op, "mhlo.num_partitions", &partitions) &&
      partitions > r->module->partitions && partitions < UINT32_MAX)
    r->module->partitions = (uint32_t)partitions;
}

void
mlir_symbols_finish(struct mlir *r, function_id first) {
  struct ir_module *m = r->module;
  resolve_references(r);
  r->symbols.count = r->references.count = 0;
  find_entries(r, first);
  for (function_id i = first; i < m->functions.count; i++) {
    mlir_donations(r, i);
    op_id top = top_of(m, m->functions.data[i].op);
    if (m->functions.data[i].entry && top != m->functions.data[i].op)
      find_partitions(r, top);
  }
}
