/* declare.c - what names there are: lets, classes, devices, the target.
 *
 * Own definitions come before included ones.  A name that is defined twice is
 * an error that shows both places, unless the outer file says `override`. */
#include "rules/compile.h"

#include <string.h>

/* Say that STATEMENT defines again what FIRST defined. */
static void
complain_twice(struct compilation *c, const char *what,
               const struct statement *first,
               const struct statement *statement) {
  complain(c, statement->where, "%s '%.*s' is defined twice", what,
           (int)statement->name.text.size, statement->name.text.data);
  diagnose_note(c->diagnostics, first->where, "here before");
}

static bool
from_same_file(const struct statement *a, const struct statement *b) {
  return a->where.source == b->where.source;
}

struct let *
find_let(struct compilation *c, struct text name) {
  for (uint32_t i = 0; i < c->lets.count; i++)
    if (text_equal(c->lets.data[i].statement->name.text, name))
      return &c->lets.data[i];
  return NULL;
}

static void
declare_let(struct compilation *c, const struct rules_file *file,
            const struct statement *statement) {
  struct text name = statement->name.text;
  struct let *before = find_let(c, name);
  if (find_quantity(name) >= 0) {
    complain(c, statement->where, "'%.*s' is a quantity of the language",
             (int)name.size, name.data);
    return;
  }
  if (!before) {
    struct let let = {.statement = statement, .file = file};
    vector_push(c->arena, &c->lets, let);
    return;
  }
  if (from_same_file(before->statement, statement)) {
    complain_twice(c, "let", before->statement, statement);
  } else if (!before->statement->overrides) {
    complain(c, before->statement->where,
             "let '%.*s' replaces an included one; say 'override let'",
             (int)name.size, name.data);
    diagnose_note(c->diagnostics, statement->where, "the included one");
  }
}

/* `override` where there is nothing to override is a mistake. */
static void
check_overrides(struct compilation *c) {
  for (uint32_t i = 0; i < c->lets.count; i++) {
    const struct statement *let = c->lets.data[i].statement;
    bool others = false;
    if (!let->overrides)
      continue;
    for (uint32_t f = 0; f < c->files.count; f++)
      for (const struct statement *s = c->files.data[f]->statements; s;
           s = s->next)
        others |= s->kind == STATEMENT_LET && s != let &&
                  text_equal(s->name.text, let->name.text);
    if (!others)
      complain(c, let->where, "no included file defines let '%.*s'",
               (int)let->name.text.size, let->name.text.data);
  }
}

void
check_lets(struct compilation *c) {
  for (uint32_t i = 0; i < c->lets.count; i++)
    let_type(c, &c->lets.data[i], c->lets.data[i].statement->expression);
}

static uint32_t
find_class(const struct compilation *c, struct text name) {
  for (uint32_t i = 0; i < c->classes.count; i++)
    if (text_is(name, c->strings.data[c->classes.data[i].name]))
      return i;
  return NONE;
}

uint32_t
class_named(struct compilation *c, struct word word) {
  uint32_t class_id = find_class(c, word.text);
  if (class_id != NONE)
    return class_id;
  const char **names =
      ARENA_ARRAY(c->arena, const char *, c->classes.count + 1);
  for (uint32_t i = 0; i < c->classes.count; i++)
    names[i] = c->strings.data[c->classes.data[i].name];
  complain(c, word.where, "unknown class '%.*s'%s", (int)word.text.size,
           word.text.data, suggestion(c, word.text, names, c->classes.count));
  return NONE;
}

static void
declare_class(struct compilation *c, const struct statement *statement) {
  uint32_t before = find_class(c, statement->name.text);
  if (before != NONE) {
    if (c->class_statements.data[before])
      complain_twice(c, "class", c->class_statements.data[before], statement);
    else
      complain(c, statement->where, "class 'unknown' is built in");
    return;
  }
  struct class_row row = {.name = intern(c, statement->name.text),
                          .meaning = intern(c, statement->string.text),
                          .place = place_of(c, statement->where)};
  vector_push(c->arena, &c->classes, row);
  vector_push(c->arena, &c->class_statements, statement);
}

static void
declare_unknown(struct compilation *c) {
  struct class_row row = {.name = intern_string(c, "unknown"),
                          .meaning =
                              intern_string(c, "nobody says what it is")};
  vector_push(c->arena, &c->classes, row);
  vector_push(c->arena, &c->class_statements, NULL);
}

static uint32_t
find_device(const struct compilation *c, struct text name) {
  for (uint32_t i = 0; i < c->devices.count; i++)
    if (text_equal(c->devices.data[i].statement->name.text, name))
      return i;
  return NONE;
}

uint32_t
device_named(struct compilation *c, struct word word) {
  uint32_t device = find_device(c, word.text);
  if (device != NONE)
    return device;
  const char **names =
      ARENA_ARRAY(c->arena, const char *, c->devices.count + 1);
  for (uint32_t i = 0; i < c->devices.count; i++) {
    struct text name = c->devices.data[i].statement->name.text;
    names[i] = arena_copy(c->arena, name.data, name.size);
  }
  complain(c, word.where, "unknown device '%.*s'%s", (int)word.text.size,
           word.text.data, suggestion(c, word.text, names, c->devices.count));
  return NONE;
}

static void
declare_device(struct compilation *c, const struct rules_file *file,
               const struct statement *statement) {
  uint32_t before = find_device(c, statement->name.text);
  if (before != NONE) {
    complain_twice(c, "device", c->devices.data[before].statement, statement);
    return;
  }
  struct device device = {statement, file, NONE};
  vector_push(c->arena, &c->devices, device);
}

/* TARGET and DEFAULT DEVICE are said once; the outer file's counts. */
static void
declare_single(struct compilation *c, const struct statement **single,
               const struct statement *statement, const char *what) {
  if (!*single)
    *single = statement;
  else if (from_same_file(*single, statement))
    complain_twice(c, what, *single, statement);
}

static void
declare_statement(struct compilation *c, const struct rules_file *file,
                  const struct statement *statement) {
  switch (statement->kind) {
  case STATEMENT_LET:
    declare_let(c, file, statement);
    break;
  case STATEMENT_CLASS:
    declare_class(c, statement);
    break;
  case STATEMENT_DEVICE:
    declare_device(c, file, statement);
    break;
  case STATEMENT_TARGET:
    declare_single(c, &c->target, statement, "target");
    break;
  case STATEMENT_DEFAULT_DEVICE:
    declare_single(c, &c->default_device, statement, "default device");
    break;
  default:
    break;
  }
}

void
declare(struct compilation *c) {
  declare_unknown(c);
  for (uint32_t f = 0; f < c->files.count; f++)
    for (const struct statement *s = c->files.data[f]->statements; s;
         s = s->next)
      declare_statement(c, c->files.data[f], s);
  check_overrides(c);
  if (c->target) {
    struct text name = c->target->name.text, text = c->target->string.text;
    c->tables_so_far.name = arena_copy(c->arena, name.data, name.size);
    c->tables_so_far.description = arena_copy(c->arena, text.data, text.size);
  }
}
