/* mlir_op.c - an op: its results, its name, and where one begins.
 *
 *   %a:2, %b = dialect.op ...
 *
 * What follows the name is read by its form: mlir_generic.c, mlir_pretty.c,
 * mlir_function.c.  That a pretty form ended is known when what follows a line
 * end begins another op, or ends the block. */
#include "readers/mlir.h"

#include <string.h>

enum { REGIONS_DEEPEST = 500 };

/* --- what is known by an op's name --- */

static unsigned
find_kind(struct text name) {
  static const struct {
    const char *name;
    unsigned kind;
  } ops[] = {
#define MLIR_OP(name, kinds) {name, kinds},
#include "readers/mlir_ops.def"
#undef MLIR_OP
  };
  /* Dialects none of whose ops are isolated unless the table says so. */
  static const char *const plain[] = {
      "stablehlo.", "mhlo.", "chlo.",   "scf.",  "affine.", "linalg.",
      "tensor.",    "tosa.", "memref.", "vhlo.", "arith.",  "math.",
  };
  for (uint32_t i = 0; i < sizeof ops / sizeof *ops; i++)
    if (text_glob(text_of(ops[i].name), name))
      return ops[i].kind | KIND_KNOWN;
  for (uint32_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (text_starts(name, plain[i]))
      return KIND_KNOWN;
  return KIND_KNOWN | KIND_SHADOWS;
}

unsigned
mlir_kind(struct mlir *r, name_id name) {
  while (r->kinds.count <= name)
    vector_push(&r->scratch, &r->kinds, 0);
  if (r->kinds.data[name] == 0)
    r->kinds.data[name] =
        (uint16_t)find_kind(string_text(r->module->names, name));
  return r->kinds.data[name];
}

/* --- where an op begins --- */

bool
mlir_at_item(const struct mlir *r) {
  char c = mlir_peek(r);
  return c == '#' || c == '!' || (c == '{' && strncmp(r->p, "{-#", 3) == 0) ||
         (c == '-' && strncmp(r->p, "-----", 5) == 0);
}

bool
mlir_results_follow(const struct mlir *r, const char *p) {
  bool newline;
  while (*p == '%') {
    p = mlir_skip_space(mlir_skip_name(p), r->end, &newline);
    if (*p == ':') {
      p = mlir_skip_space(p + 1, r->end, &newline);
      if (!mlir_is(*p, CHAR_DIGIT))
        return false;
      while (mlir_is(*p, CHAR_DIGIT))
        p++;
      p = mlir_skip_space(p, r->end, &newline);
    }
    if (p >= r->end)
      return false;
    if (*p == '=')
      return p[1] != '=';
    if (*p != ',')
      return false;
    p = mlir_skip_space(p + 1, r->end, &newline);
  }
  return false;
}

/* Words without a dot that go on with an op on another line. */
static bool
continues(struct text word) {
  static const char *const words[] = {
      "cond",    "do",     "reducer",    "else",   "ins",       "outs",
      "to",      "into",   "attributes", "step",   "iter_args", "init",
      "case",    "across", "dimensions", "in",     "threads",   "args",
      "default", "blocks", "workgroup",  "kernel", "applies",   "private",
      "loc",     "from",   "with",       "at",     "as",        "on",
  };
  for (uint32_t i = 0; i < sizeof words / sizeof *words; i++)
    if (text_is(word, words[i]))
      return true;
  return false;
}

/* Does the word at the next token, first on its line, begin an op?  TYPED: the
 * op before has printed its types, so that hardly anything can follow. */
static bool
word_begins_op(struct mlir *r, bool typed) {
  const char *end = mlir_skip_word(r->p);
  struct text word = mlir_text(r->p, end);
  bool newline, dotted = memchr(word.data, '.', word.size);
  const char *next = mlir_skip_space(end, r->end, &newline);
  if (next < r->end && *next == '=' && next[1] != '=')
    return false;
  if (dotted)
    return true;
  if (continues(word))
    return false;
  name_id name = string_find(r->module->names, word);
  unsigned kind = name == STRING_NONE ? find_kind(word) : mlir_kind(r, name);
  if (kind & KIND_BARE || !typed)
    return kind & KIND_BARE;
  mlir_error(r, word.data, end,
             "it cannot be told whether '%.*s' begins an op or goes on with "
             "the one before",
             (int)word.size, word.data);
  return true;
}

bool
mlir_op_begins(struct mlir *r, bool typed) {
  bool newline;
  const char *p = r->p;
  switch (mlir_peek(r)) {
  case '\0':
  case '}':
  case '^':
    return true;
  case '%':
    return mlir_results_follow(r, p);
  case '"':
    p = mlir_skip_string(p, r->end, NULL);
    return p && p < r->end && *mlir_skip_space(p, r->end, &newline) == '(';
  case '#':
  case '!':
    p = mlir_skip_space(mlir_skip_name(p), r->end, &newline);
    return *p == '=' && p[1] != '=';
  case '{':
  case '-':
    return mlir_at_item(r);
  default:
    return mlir_is(*p, CHAR_ALPHA) && word_begins_op(r, typed);
  }
}

/* --- attributes that have flags --- */

static bool
is_sharding(struct text key) {
  return text_is(key, "mhlo.sharding") || text_is(key, "sdy.sharding") ||
         text_is(key, "xla.sdy.sharding");
}

void
mlir_mark(struct mlir *r, op_id op, const char *begin, const char *end) {
  struct mlir_entry entry;
  for (const char *p = begin + 1; mlir_next_entry(&p, end - 1, &entry);) {
    if (text_starts(entry.key, "remat.") || text_starts(entry.key, "tessera."))
      r->module->op_flags[op] |= OP_HAS_MARKS;
    if (is_sharding(entry.key))
      r->module->op_flags[op] |= OP_SHARDED;
  }
}

/* --- results --- */

/* "%a:2, %b =" is next: push it on `results`. */
static bool
read_results(struct mlir *r) {
  do {
    if (mlir_peek(r) != '%')
      return mlir_error_at(r, r->p, "a result's name is expected here");
    const char *begin = r->p, *end = mlir_skip_name(begin);
    if (end == begin + 1)
      return mlir_error_at(r, end, "a name is expected behind '%%'");
    struct mlir_result result = {mlir_span(r, begin, end), 1, false};
    mlir_advance(r, end);
    if (mlir_accept(r, ':')) {
      uint32_t count = 0;
      const char *digits = r->p;
      for (end = digits; mlir_is(*end, CHAR_DIGIT); end++)
        count = count < 1u << 24 ? count * 10 + (uint32_t)(*end - '0') : count;
      if (count == 0 || count >= 1u << 24)
        return mlir_error_at(r, digits, "a number of results is expected here");
      mlir_advance(r, end);
      result.count = count;
      result.grouped = true;
    }
    vector_push(&r->scratch, &r->results, result);
  } while (mlir_accept(r, ','));
  return mlir_expect(r, '=', "behind the names of results");
}

/* --- any op --- */

static void
set_flags(struct mlir *r, op_id op, unsigned kind) {
  unsigned flags = 0;
  if (kind & KIND_MODULE)
    flags |= OP_MODULE;
  if (kind & (KIND_MODULE | KIND_FUNCTION | KIND_ISOLATED))
    flags |= OP_ISOLATED;
  r->module->op_flags[op] |= (uint16_t)flags;
}

/* A "quoted" or bare op name is next. */
static bool
read_op_name(struct mlir *r, name_id *name, bool *generic) {
  const char *begin = r->p;
  *generic = *begin == '"';
  if (*generic) {
    const char *end = mlir_skip_word(begin + 1);
    if (*end == '"')
      mlir_advance(r, end + 1);
    else if (!mlir_string(r))
      return false;
    *name =
        string_intern(r->module->names, mlir_text(begin + 1, r->token_end - 1));
    return true;
  }
  if (*begin == ')' || *begin == ']' || *begin == '}' || *begin == '>')
    return mlir_error_at(r, begin, "'%c' closes nothing", *begin);
  if (!mlir_is(*begin, CHAR_ALPHA))
    return mlir_error_at(r, begin, "an op is expected here");
  const char *end = mlir_skip_word(begin);
  *name = string_intern(r->module->names, mlir_text(begin, end));
  mlir_advance(r, end);
  return true;
}

static bool
read_op(struct mlir *r, block_id block, op_id *op) {
  const char *begin = r->p;
  uint32_t results = r->results.count;
  name_id name = 0;
  bool generic = false;
  if (mlir_peek(r) == '%' && !read_results(r))
    return false;
  if (mlir_peek(r) == '\0')
    return mlir_error_at(r, r->p, "an op is expected here");
  if (!read_op_name(r, &name, &generic))
    return false;
  unsigned kind = mlir_kind(r, name);
  *op = ir_add_op(r->module, name, block);
  r->module->op_text[*op].begin = mlir_offset(r, begin);
  set_flags(r, *op, kind);
  bool good;
  if (generic)
    good = mlir_generic(r, *op, kind, results);
  else if (kind & KIND_FUNCTION && mlir_signature_follows(r))
    good = mlir_function(r, *op, kind);
  else
    good = mlir_pretty(r, *op, kind, results);
  r->results.count = results;
  r->module->op_text[*op].end = mlir_offset(r, r->token_end);
  if (good)
    mlir_references(r, *op, kind);
  return good;
}

/* OP is the last of its block: is it a terminator? */
static void
mark_last(struct mlir *r, op_id op) {
  struct ir_module *m = r->module;
  uint32_t count = m->successors.count;
  bool branches = count && m->successors.data[count - 1].op == op;
  if (branches || mlir_kind(r, m->op_name[op]) & KIND_STOP)
    m->op_flags[op] |= OP_TERMINATOR;
}

bool
mlir_op(struct mlir *r) {
  op_id op;
  return read_op(r, NONE, &op);
}

bool
mlir_ops(struct mlir *r, block_id block) {
  op_id last = NONE;
  if (r->depth >= REGIONS_DEEPEST)
    return mlir_error_at(r, r->p, "regions are nested too deeply here");
  r->depth++;
  for (char c = mlir_peek(r); c != '\0' && c != '}' && c != '^';
       c = mlir_peek(r))
    if (!read_op(r, block, &last))
      return false;
  r->depth--;
  if (last != NONE)
    mark_last(r, last);
  return true;
}
