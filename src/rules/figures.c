/* figures.c - which figures there are, who gives them, and their dimensions.
 *
 * A figure is plain, by element type, or a curve, the same on all devices.  Its
 * dimension is the language's where that knows the name, else that of its
 * first definition. */
#include "rules/compile.h"

#include <string.h>

/* Figures whose dimension the language knows.  The part behind the last dot
 * counts: host.memory is a memory. */
static const struct known_figure {
  const char *name;
  enum figure_kind kind;
  struct dimension dimension;
} known_figures[] = {
    {"memory", FIGURE_SCALAR, {1, 0, 0}},
    {"usable", FIGURE_SCALAR, {1, 0, 0}},
    {"align", FIGURE_SCALAR, {1, 0, 0}},
    {"page", FIGURE_SCALAR, {1, 0, 0}},
    {"cache", FIGURE_SCALAR, {1, 0, 0}},
    {"bandwidth", FIGURE_SCALAR, {1, -1, 0}},
    {"link", FIGURE_SCALAR, {1, -1, 0}},
    {"launch", FIGURE_SCALAR, {0, 1, 0}},
    {"peak", FIGURE_TABLE, {0, -1, 1}},
    {"vector_peak", FIGURE_TABLE, {0, -1, 1}},
    {"stream", FIGURE_SCALAR, {0, 0, 0}},
    {"matrix", FIGURE_SCALAR, {0, 0, 0}},
    {"vector", FIGURE_SCALAR, {0, 0, 0}},
    {"cores", FIGURE_SCALAR, {0, 0, 0}},
    {"dies", FIGURE_SCALAR, {0, 0, 0}},
    {"space", FIGURE_SCALAR, {0, 0, 0}},
    {"clock", FIGURE_SCALAR, {0, -1, 0}},
};

static const struct known_figure *
find_known(const char *name) {
  const char *dot = strrchr(name, '.');
  const char *last = dot ? dot + 1 : name;
  for (size_t i = 0; i < sizeof known_figures / sizeof *known_figures; i++)
    if (strcmp(known_figures[i].name, last) == 0)
      return &known_figures[i];
  return NULL;
}

struct figure *
find_figure(struct compilation *c, struct text name) {
  for (uint32_t i = 0; i < c->figures.count; i++)
    if (text_is(name, c->figures.data[i].name))
      return &c->figures.data[i];
  return NULL;
}

/* --- which figures there are --- */

enum figure_kind
kind_of(const struct statement *statement) {
  if (statement->kind == STATEMENT_CURVE)
    return FIGURE_CURVE;
  return statement->words || statement->fallback ? FIGURE_TABLE : FIGURE_SCALAR;
}

static uint32_t
number_figure(struct compilation *c, enum figure_kind kind, const char *name) {
  uint32_t string = intern_string(c, name);
  struct figure_row row = {.name = string};
  switch (kind) {
  case FIGURE_SCALAR:
    vector_push(c->arena, &c->figure_rows, row);
    return c->figure_rows.count - 1;
  case FIGURE_TABLE:
    vector_push(c->arena, &c->tables, string);
    return c->tables.count - 1;
  default:
    vector_push(c->arena, &c->curves, string);
    return c->curves.count - 1;
  }
}

static bool
new_figure(struct compilation *c, const char *name,
           const struct statement *statement,
           const struct known_figure *known) {
  struct text text = text_of(name);
  if (find_quantity(text) >= 0 || find_let(c, text) ||
      dtype_by_mlir(text) != DTYPE_NONE) {
    complain(c, statement->where, "'%s' already means something else", name);
    return false;
  }
  struct figure figure = {
      .name = name, .kind = kind_of(statement), .first = statement};
  figure.number = number_figure(c, figure.kind, name);
  if (known) {
    figure.dimension = known->dimension;
    figure.state = FIGURE_READY;
  }
  vector_push(c->arena, &c->figures, figure);
  return true;
}

/* Note that there is a figure NAME.  False after a message: it has another
 * kind already, or its name another meaning. */
static bool
declare_figure(struct compilation *c, const char *name,
               const struct statement *statement) {
  static const char *const kinds[] = {"a plain figure",
                                      "a figure by element type", "a curve"};
  struct figure *before = find_figure(c, text_of(name));
  const struct known_figure *known = find_known(name);
  enum figure_kind kind = kind_of(statement);
  if (before || (known && known->kind != kind)) {
    enum figure_kind wanted = before ? before->kind : known->kind;
    if (wanted == kind)
      return true;
    complain(c, statement->where, "'%s' is %s, but here it is given as %s",
             name, kinds[wanted], kinds[kind]);
    if (before)
      diagnose_note(c->diagnostics, before->first->where, "here before");
    return false;
  }
  return new_figure(c, name, statement, known);
}

/* Does STATEMENT give the same figure, for the same element type, as OTHER? */
static bool
gives_same(const struct statement *statement, const struct statement *other) {
  if (kind_of(statement) != FIGURE_TABLE)
    return true;
  if (statement->fallback || other->fallback)
    return statement->fallback && other->fallback;
  for (const struct words *a = statement->words; a; a = a->next)
    for (const struct words *b = other->words; b; b = b->next)
      if (text_equal(a->word.text, b->word.text))
        return true;
  return false;
}

static void
add_definition(struct compilation *c, uint32_t device, const char *name,
               const struct statement *statement) {
  if (!declare_figure(c, name, statement))
    return;
  for (uint32_t i = c->definitions.count; i-- > 0;) {
    const struct definition *other = &c->definitions.data[i];
    if (other->device != device)
      break;
    if (strcmp(other->name, name) == 0 &&
        gives_same(statement, other->statement)) {
      complain(c, statement->where, "'%s' is given twice", name);
      diagnose_note(c->diagnostics, other->statement->where, "here before");
      return;
    }
  }
  struct definition definition = {device, name, statement, false, false};
  vector_push(c->arena, &c->definitions, definition);
}

static void
add_features(struct compilation *c, const struct statement *statement) {
  for (const struct words *w = statement->words; w; w = w->next) {
    uint32_t name = intern(c, w->word.text), i = 0;
    while (i < c->features.count && c->features.data[i] != name)
      i++;
    if (i == c->features.count)
      vector_push(c->arena, &c->features, name);
  }
}

/* The statements of a device, or of one of its domains (PREFIX "host."). */
void
collect_figures(struct compilation *c, uint32_t device, const char *prefix,
                const struct statement *body) {
  uint32_t unsourced = c->definitions.count;
  for (const struct statement *s = body; s; s = s->next) {
    const char *name =
        arena_printf(c->arena, "%s%.*s", prefix, (int)s->name.text.size,
                     s->name.text.data ? s->name.text.data : "");
    if (s->kind == STATEMENT_FIGURE || s->kind == STATEMENT_CURVE) {
      add_definition(c, device, name, s);
    } else if (s->kind == STATEMENT_FEATURES) {
      add_features(c, s);
    } else if (s->kind == STATEMENT_DOMAIN) {
      uint32_t before = unsourced, first = c->definitions.count;
      collect_figures(c, device, arena_printf(c->arena, "%s.", name), s->body);
      unsourced = before == first ? c->definitions.count : before;
    } else if (s->kind == STATEMENT_SOURCE) {
      for (; unsourced < c->definitions.count; unsourced++)
        c->definitions.data[unsourced].sourced = true;
    }
  }
}

void
warn_unsourced(struct compilation *c) {
  for (uint32_t i = 0; c->options->pedantic && i < c->definitions.count; i++) {
    const struct definition *definition = &c->definitions.data[i];
    if (!definition->sourced)
      diagnose(c->diagnostics, DIAGNOSTIC_RULES_WARNING,
               definition->statement->where, "'%s' has no source",
               definition->name);
  }
}

/* --- likeness --- */

void
resolve_likeness(struct compilation *c) {
  for (uint32_t i = 0; i < c->devices.count; i++) {
    const struct statement *statement = c->devices.data[i].statement;
    if (statement->like.text.size)
      c->devices.data[i].like = device_named(c, statement->like);
  }
  for (uint32_t i = 0; i < c->devices.count; i++) {
    uint32_t steps = 0, at = i;
    while (at != NONE && steps++ <= c->devices.count)
      at = c->devices.data[at].like;
    if (at == NONE)
      continue;
    const struct statement *statement = c->devices.data[i].statement;
    complain(c, statement->where, "device '%.*s' is like itself",
             (int)statement->name.text.size, statement->name.text.data);
    c->devices.data[i].like = NONE;
  }
}

/* Does STATEMENT give a value for column COLUMN (a dtype, or the fallback)? */
static bool
gives_column(const struct statement *statement, uint32_t column) {
  if (column == DTYPE_COUNT)
    return statement->fallback;
  for (const struct words *w = statement->words; w; w = w->next)
    if (dtype_by_mlir(w->word.text) == (enum dtype)column ||
        dtype_by_hlo(w->word.text) == (enum dtype)column)
      return true;
  return false;
}

/* The definition of FIGURE that counts for DEVICE, or NULL. */
struct definition *
definition_of(const struct compilation *c, const struct figure *figure,
              uint32_t device, uint32_t column) {
  for (; device != NONE; device = c->devices.data[device].like)
    for (uint32_t i = 0; i < c->definitions.count; i++) {
      struct definition *definition = &c->definitions.data[i];
      if (definition->device == device && !definition->bad &&
          strcmp(definition->name, figure->name) == 0 &&
          (figure->kind != FIGURE_TABLE ||
           gives_column(definition->statement, column)))
        return definition;
    }
  return NULL;
}

/* Families give none, and need not be whole. */
bool
has_memory(struct compilation *c, uint32_t device) {
  struct figure *memory = find_figure(c, TEXT("memory"));
  return memory && definition_of(c, memory, device, 0);
}

/* --- types --- */

/* The dimension of a figure is that of its first definition; of a curve,
 * those of the first point. */
static void
find_type(struct compilation *c, uint32_t index) {
  struct figure *figure = &c->figures.data[index];
  struct node *node = figure->first->expression;
  bool curve = figure->kind == FIGURE_CURVE;
  struct typed x = type_of(c, node, IN_DEVICE);
  struct typed y = curve ? type_of(c, node->next, IN_DEVICE) : x;
  figure = &c->figures.data[index];
  figure->argument = x.dimension;
  figure->dimension = y.dimension;
  figure->bad |= x.type == VALUE_ERROR || y.type == VALUE_ERROR;
}

struct typed
figure_type(struct compilation *c, struct figure *figure) {
  if (figure->state == FIGURE_BUSY) {
    complain(c, figure->first->where, "'%s' is defined by itself",
             figure->name);
    figure->bad = true;
  } else if (figure->state == FIGURE_NEW) {
    uint32_t index = (uint32_t)(figure - c->figures.data);
    figure->state = FIGURE_BUSY;
    find_type(c, index);
    figure = &c->figures.data[index];
    figure->state = FIGURE_READY;
  }
  return figure->bad ? wrong() : number_of(figure->dimension);
}

/* Every formula has the figure's dimension, said once for all devices that
 * share it. */
void
check_types(struct compilation *c) {
  for (uint32_t i = 0; i < c->definitions.count; i++) {
    struct definition *definition = &c->definitions.data[i];
    struct figure *figure = find_figure(c, text_of(definition->name));
    struct code code;
    if (!figure || figure->kind != kind_of(definition->statement) ||
        figure->kind == FIGURE_CURVE) {
      definition->bad = !figure || figure->kind != FIGURE_CURVE;
      continue;
    }
    struct expected expected = {figure_type(c, figure).dimension, false,
                                figure->name};
    definition->bad = !compile_number(c, definition->statement->expression,
                                      IN_DEVICE, &expected, &code);
    c->code.count = code.first;
  }
}

/* Element types that no table knows must be told where they are written. */
void
check_columns(struct compilation *c) {
  for (uint32_t i = 0; i < c->definitions.count; i++)
    for (const struct words *w = c->definitions.data[i].statement->words; w;
         w = w->next)
      dtype_named(c, w->word);
}
