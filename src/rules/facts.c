/* facts.c - classes and dialects to rows of facts.
 *
 * For each op name the statements are sorted by who wins: an exact name
 * before a glob, a dialect's own before what it is `like`, guarded before
 * unguarded, then as they stand.  Saying the same thing twice, without a
 * guard, is an error that shows both places. */
#include "rules/compile.h"

#include <stdlib.h>
#include <string.h>

/* A statement of a dialect for one op name. */
struct entry {
  const char *name; /* with its dialect */
  enum item_format format;
  bool glob;
  uint32_t level; /* 0 own, 1 of what the dialect is like, ... */
  uint32_t order;
  bool guarded;
  uint32_t statement; /* row */
};

struct entries {
  VECTOR(struct entry) list;
};

/* --- one fact --- */

static int
flag_named(struct text word) {
  static const char *const words[] = {
#define FACT_FLAG(id, word, meaning) word,
#include "rules/facts.def"
#undef FACT_FLAG
  };
  for (int i = 0; i < FACT_FLAG_COUNT; i++)
    if (text_is(word, words[i]))
      return i;
  return 0;
}

/* The place of WORD among COUNT NAMES, 0 after a message. */
static uint8_t
choice(struct compilation *c, struct word word, const char *const *names,
       uint32_t count, const char *what) {
  for (uint32_t i = 1; i < count; i++)
    if (text_is(word.text, names[i]))
      return (uint8_t)i;
  complain(c, word.where, "unknown %s '%.*s'%s", what, (int)word.text.size,
           word.text.data, suggestion(c, word.text, names + 1, count - 1));
  return 0;
}

static uint8_t
body_named(struct compilation *c, struct word word) {
  static const char *const names[] = {"",        "plain",    "fused",
                                      "reducer", "loop",     "branch",
                                      "call",    "function", "module"};
  return choice(c, word, names, sizeof names / sizeof *names, "kind of body");
}

static uint8_t
async_named(struct compilation *c, struct word word) {
  static const char *const names[] = {"", "start", "update", "done"};
  return choice(c, word, names, sizeof names / sizeof *names,
                "part of an asynchronous op");
}

/* The bits of `counts result 0 and 2`. */
static uint32_t
counted_mask(struct compilation *c, const struct node *numbers) {
  uint32_t mask = 0;
  for (const struct node *n = numbers; n; n = n->next) {
    if (n->kind == NODE_ERROR)
      continue;
    if (n->number > 30 || n->number != (double)(int)n->number)
      complain(c, n->where, "must be the number of a result, at most 30");
    else
      mask |= UINT32_C(1) << (int)n->number;
  }
  return mask;
}

static void
add_types(struct compilation *c, const struct fact *fact,
          struct fact_row *row) {
  row->first_type = c->types.count;
  for (const struct result_type *t = fact->types; t; t = t->next) {
    struct type_row type = {.base = (uint8_t)t->base,
                            .element = t->element,
                            .real = t->real,
                            .complex = t->complex,
                            .tensor = t->tensor,
                            .silent = t->silent,
                            .index = (int16_t)t->index,
                            .spelling = NONE};
    if (t->base == BASE_SPELLED)
      type.spelling = intern(c, t->dtype.text);
    else if (t->dtype.text.size)
      type.dtype = (uint8_t)dtype_named(c, t->dtype);
    if (type.dtype == DTYPE_QUANTIZED)
      complain(c, t->dtype.where, "'quantized' spells no type");
    vector_push(c->arena, &c->types, type);
    row->type_count++;
  }
}

static void
add_formula(struct compilation *c, const struct fact *fact,
            struct fact_row *row) {
  static const struct expected flops = {{0, 0, 1}, true, "flops"};
  static const struct expected moved = {{1, 0, 0}, false, "moved"};
  static const struct expected trip = {{0, 0, 0}, false, "trip"};
  if (fact->key == KEY_FLOPS)
    compile_number(c, fact->expression, IN_FLOPS, &flops, &row->code);
  else if (fact->key == KEY_MOVED)
    compile_number(c, fact->expression, IN_MOVED, &moved, &row->code);
  else
    compile_number(c, fact->expression, IN_TRIP, &trip, &row->code);
}

static void
add_fact(struct compilation *c, const struct fact *fact) {
  struct fact_row row = {
      .key = (uint8_t)fact->key,
      .negated = fact->negated,
      .first = (int16_t)fact->first,
      .second = (int16_t)fact->second,
      .reason = fact->reason.text.data ? intern(c, fact->reason.text) : NONE,
      .place = place_of(c, fact->where)};
  switch (fact->key) {
  case KEY_FLAG:
    row.value = (uint8_t)flag_named(fact->word.text);
    break;
  case KEY_BODY:
    row.value = body_named(c, fact->word);
    break;
  case KEY_ASYNC:
    row.value = async_named(c, fact->word);
    break;
  case KEY_COUNTS:
    row.mask = counted_mask(c, fact->expression);
    break;
  case KEY_RESULT_TYPE:
    add_types(c, fact, &row);
    break;
  case KEY_FLOPS:
  case KEY_MOVED:
  case KEY_TRIP:
    add_formula(c, fact, &row);
    break;
  default:
    break;
  }
  vector_push(c->arena, &c->facts, row);
}

/* Do A and B say the same kind of thing? */
static bool
same_subject(const struct fact *a, const struct fact *b) {
  return a->key == b->key &&
         (a->key != KEY_FLAG || text_equal(a->word.text, b->word.text));
}

/* A list of facts says each thing once. */
static void
check_list(struct compilation *c, const struct fact *facts) {
  for (const struct fact *a = facts; a; a = a->next)
    for (const struct fact *b = facts; b != a; b = b->next)
      if (same_subject(a, b)) {
        complain(c, a->where, "'%.*s' is said twice", (int)a->word.text.size,
                 a->word.text.data);
        diagnose_note(c->diagnostics, b->where, "here before");
        break;
      }
}

/* --- classes --- */

/* Facts of the class of STATEMENT, those of what it is like first. */
static void
add_class_facts(struct compilation *c, const struct statement *statement,
                uint32_t depth) {
  if (statement->like.text.size && depth < c->classes.count) {
    uint32_t like = class_named(c, statement->like);
    if (like != NONE && c->class_statements.data[like])
      add_class_facts(c, c->class_statements.data[like], depth + 1);
  } else if (statement->like.text.size) {
    complain(c, statement->where, "class '%.*s' is like itself",
             (int)statement->name.text.size, statement->name.text.data);
  }
  for (const struct fact *f = statement->facts; f; f = f->next)
    add_fact(c, f);
}

static void
compile_classes(struct compilation *c) {
  for (uint32_t i = 1; i < c->classes.count; i++) {
    const struct statement *statement = c->class_statements.data[i];
    uint32_t first = c->facts.count;
    check_list(c, statement->facts);
    add_class_facts(c, statement, 0);
    c->classes.data[i].first_fact = first;
    c->classes.data[i].fact_count = c->facts.count - first;
  }
}

/* --- dialects --- */

static uint32_t
add_statement(struct compilation *c, const struct statement *statement) {
  struct statement_row row = {.class_id = NONE,
                              .first_fact = c->facts.count,
                              .place = place_of(c, statement->where)};
  if (statement->kind == STATEMENT_CLASS_OPS)
    row.class_id = class_named(c, statement->name);
  compile_condition(c, statement->expression, IN_GUARD, &row.guard);
  check_list(c, statement->facts);
  for (const struct fact *f = statement->facts; f; f = f->next)
    add_fact(c, f);
  row.fact_count = c->facts.count - row.first_fact;
  vector_push(c->arena, &c->statements, row);
  vector_push(c->arena, &c->row_statements, statement);
  return c->statements.count - 1;
}

/* The row of STATEMENT, made when it is first met. */
static uint32_t
statement_row(struct compilation *c, const struct statement *statement) {
  for (uint32_t i = c->row_statements.count; i-- > 0;)
    if (c->row_statements.data[i] == statement)
      return i;
  return add_statement(c, statement);
}

/* Enter the statements of BODY under the dialect PREFIX. */
static void
enter_body(struct compilation *c, struct entries *entries, const char *prefix,
           const char *suffix, uint32_t level,
           const struct statement *dialect) {
  bool hlo = strcmp(prefix, "hlo") == 0;
  const char *dot = hlo || !*prefix ? "" : ".";
  for (const struct statement *s = dialect->body; s; s = s->next) {
    uint32_t row = statement_row(c, s);
    for (const struct words *w = s->words; w; w = w->next) {
      struct entry entry = {.name = arena_printf(c->arena, "%s%s%.*s%s",
                                                 hlo ? "" : prefix, dot,
                                                 (int)w->word.text.size,
                                                 w->word.text.data, suffix),
                            .format = hlo ? FORMAT_HLO : FORMAT_MLIR,
                            .level = level,
                            .order = entries->list.count,
                            .guarded = s->expression != NULL,
                            .statement = row};
      entry.glob = strchr(entry.name, '*') != NULL;
      vector_push(c->arena, &entries->list, entry);
    }
  }
}

static bool
names_dialect(const struct statement *statement, struct text name) {
  if (statement->kind != STATEMENT_DIALECT)
    return false;
  for (const struct words *w = statement->words; w; w = w->next)
    if (text_equal(w->word.text, name))
      return true;
  return false;
}

/* Enter all that dialect NAME has, under PREFIX. */
static void
enter_dialect(struct compilation *c, struct entries *entries,
              const char *prefix, const char *suffix, uint32_t level,
              struct word name) {
  enum { MOST_LEVELS = 8 };
  bool found = false;
  for (uint32_t f = 0; f < c->files.count; f++)
    for (const struct statement *s = c->files.data[f]->statements; s;
         s = s->next) {
      if (!names_dialect(s, name.text))
        continue;
      found = true;
      enter_body(c, entries, prefix, suffix, level, s);
      if (!s->like.text.size)
        continue;
      if (level == MOST_LEVELS)
        complain(c, s->where, "dialect '%.*s' is like itself",
                 (int)name.text.size, name.text.data);
      else
        enter_dialect(
            c, entries, prefix,
            s->string.text.size
                ? arena_printf(c->arena, "%s%s", s->string.text.data, suffix)
                : suffix,
            level + 1, s->like);
    }
  if (!found)
    complain(c, name.where, "unknown dialect '%.*s'", (int)name.text.size,
             name.text.data);
}

/* The first block of dialect NAME. */
static const struct statement *
first_block(const struct compilation *c, struct text name) {
  for (uint32_t f = 0; f < c->files.count; f++)
    for (const struct statement *s = c->files.data[f]->statements; s;
         s = s->next)
      if (names_dialect(s, name))
        return s;
  return NULL;
}

/* Enter STATEMENT's dialects, each with all its blocks, at its first. */
static void
enter_first(struct compilation *c, struct entries *entries,
            const struct statement *statement) {
  for (const struct words *w = statement->words; w; w = w->next) {
    struct text name = w->word.text;
    if (first_block(c, name) == statement)
      enter_dialect(c, entries, arena_copy(c->arena, name.data, name.size), "",
                    0, w->word);
  }
}

/* --- order --- */

static int
by_precedence(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  if (a->glob != b->glob)
    return a->glob ? 1 : -1;
  if (!a->glob && a->format != b->format)
    return a->format < b->format ? -1 : 1;
  int order = a->glob ? 0 : strcmp(a->name, b->name);
  if (order)
    return order;
  if (a->level != b->level)
    return a->level < b->level ? -1 : 1;
  if (a->guarded != b->guarded)
    return a->guarded ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

/* Complain where B says again, of the same op, what A said, or what A says
 * wherever the condition of B holds. */
static void
check_pair(struct compilation *c, const struct entry *a,
           const struct entry *b) {
  const struct statement *first = c->row_statements.data[a->statement];
  const struct statement *second = c->row_statements.data[b->statement];
  const char *where = b->guarded ? " where this condition holds" : "";
  if (a->guarded != b->guarded || a->level != b->level ||
      !condition_implies(second->expression, first->expression))
    return;
  if (first->kind == STATEMENT_CLASS_OPS &&
      second->kind == STATEMENT_CLASS_OPS) {
    complain(c, second->where, "'%s' has a class already%s", b->name, where);
    diagnose_note(c->diagnostics, first->where, "here");
    return;
  }
  for (const struct fact *f = second->facts; f; f = f->next)
    for (const struct fact *g = first->facts; g; g = g->next)
      if (same_subject(f, g)) {
        complain(c, f->where, "'%.*s' of '%s' is said twice%s",
                 (int)f->word.text.size, f->word.text.data, b->name, where);
        diagnose_note(c->diagnostics, g->where, "here before");
        return;
      }
}

static void
add_name(struct compilation *c, const struct entry *entry) {
  struct name_row *last =
      c->names.count ? &c->names.data[c->names.count - 1] : NULL;
  if (!last || last->format != entry->format ||
      strcmp(c->strings.data[last->name], entry->name) != 0) {
    struct name_row row = {intern_string(c, entry->name),
                           (uint8_t)entry->format, c->name_statements.count, 0};
    vector_push(c->arena, &c->names, row);
    last = &c->names.data[c->names.count - 1];
  }
  vector_push(c->arena, &c->name_statements, entry->statement);
  last->count++;
}

static void
add_entries(struct compilation *c, const struct entries *entries) {
  for (uint32_t i = 0; i < entries->list.count; i++) {
    const struct entry *entry = &entries->list.data[i];
    for (uint32_t k = i; k-- > 0;) {
      const struct entry *before = &entries->list.data[k];
      if (before->glob != entry->glob || before->format != entry->format ||
          (!entry->glob && strcmp(before->name, entry->name) != 0))
        break;
      if (strcmp(before->name, entry->name) == 0)
        check_pair(c, before, entry);
    }
    if (entry->glob) {
      struct glob_row row = {intern_string(c, entry->name),
                             (uint8_t)entry->format, entry->statement};
      vector_push(c->arena, &c->globs, row);
    } else {
      add_name(c, entry);
    }
  }
}

void
compile_facts(struct compilation *c) {
  struct entries entries = {{NULL, 0, 0}};
  compile_classes(c);
  for (uint32_t f = 0; f < c->files.count; f++)
    for (const struct statement *s = c->files.data[f]->statements; s;
         s = s->next)
      if (s->kind == STATEMENT_DIALECT)
        enter_first(c, &entries, s);
  if (entries.list.count)
    qsort(entries.list.data, entries.list.count, sizeof *entries.list.data,
          by_precedence);
  add_entries(c, &entries);
}

uint32_t
class_of_name(const struct compilation *c, struct text name,
              enum item_format format) {
  uint32_t class_id = NONE;
  for (uint32_t i = 0; i < c->names.count; i++) {
    const struct name_row *row = &c->names.data[i];
    if ((format != ANY_FORMAT && row->format != (uint8_t)format) ||
        !text_is(name, c->strings.data[row->name]))
      continue;
    for (uint32_t k = 0; k < row->count; k++) {
      const struct statement_row *statement =
          &c->statements.data[c->name_statements.data[row->first + k]];
      if (statement->class_id == NONE)
        continue;
      if (statement->guard.count ||
          (class_id != NONE && class_id != statement->class_id))
        return NONE;
      class_id = statement->class_id;
      break;
    }
  }
  return class_id;
}
