/* mlir_alias.c - names that stand for types.
 *
 *   !pair = tuple<!element, !element>
 *
 * An alias is looked for when it is first used, in all of the text, because
 * printers put some before the module and some behind it.  A type is spelled
 * out before it is looked up, so that the same name may mean something else in
 * the next file.  What nests into more than EXPANDED_MOST bytes is refused. */
#include "readers/mlir.h"
#include "support/buffer.h"

#include <string.h>

enum { ALIASES_DEEPEST = 64, EXPANDED_MOST = 1 << 20 };

/* The first alias in TYPE, a name behind '!' that has no dialect; false where
 * there is none.  Strings hold no names. */
static bool
next_alias(struct text type, struct text *alias) {
  const char *p = type.data, *end = p + type.size;
  while (p < end) {
    if (*p == '"') {
      const char *behind = mlir_skip_string(p, end, NULL);
      p = behind ? behind : end;
    } else if (*p == '!') {
      const char *behind = mlir_skip_name(p);
      behind = behind < end ? behind : end;
      *alias = mlir_text(p, behind);
      if (!memchr(p, '.', (size_t)(behind - p)))
        return true;
      p = behind;
    } else {
      p++;
    }
  }
  return false;
}

bool
mlir_has_alias(struct text type) {
  struct text alias;
  return memchr(type.data, '!', type.size) && next_alias(type, &alias);
}

/* The type that is defined at P, behind '='. */
static bool
read_definition(struct mlir *r, const char *p, struct text *type) {
  bool newline;
  p = mlir_skip_space(p, r->end, &newline);
  if (strncmp(p, "type ", 5) == 0)
    p = mlir_skip_space(p + 5, r->end, &newline);
  const char *saved = r->p, *token_end = r->token_end;
  r->p = p;
  bool good = mlir_type_skip(r);
  *type = mlir_text(p, good ? r->token_end : p);
  r->p = saved;
  r->token_end = token_end;
  return good;
}

/* Behind the '=' of the definition of NAME between P and END, or NULL. */
static const char *
find_between(const struct mlir *r, const char *p, const char *end,
             struct text name) {
  bool newline;
  while (p < end && (p = memmem(p, (size_t)(end - p), name.data, name.size))) {
    bool starts = p == r->text || p[-1] == '\n';
    const char *behind = p + name.size;
    const char *next = mlir_skip_space(behind, end, &newline);
    if (starts && next < end && *next == '=')
      return next + 1;
    p = behind;
  }
  return NULL;
}

/* What NAME is defined as, first behind where this file begins, else before,
 * for "// -----" may be no more than a comment; false where it is not. */
static bool
find_definition(struct mlir *r, struct text name, struct text *type) {
  const char *begin = r->text + r->module->text.begin;
  const char *p = find_between(r, r->part, r->end, name);
  if (!p)
    p = find_between(r, begin, r->part, name);
  return p && read_definition(r, p, type);
}

/* What NAME stands for, itself without aliases once it is resolved. */
static struct mlir_alias *
find_alias(struct mlir *r, struct text name) {
  uint32_t number = string_intern(r->alias_names, name);
  if (number == r->aliases.count)
    *vector_add(&r->scratch, &r->aliases) =
        (struct mlir_alias){{NULL, 0}, TYPE_NONE};
  struct mlir_alias *alias = &r->aliases.data[number];
  if (!alias->spelling.data && !find_definition(r, name, &alias->spelling))
    return NULL;
  return alias;
}

static bool
expand(struct mlir *r, struct text type, uint32_t depth, struct buffer *out) {
  struct text name;
  while (next_alias(type, &name)) {
    const struct mlir_alias *alias = find_alias(r, name);
    const char *begin = type.data;
    if (!alias)
      return r->failed ? false
                       : mlir_error(r, name.data, name.data + name.size,
                                    "the type alias '%.*s' is not defined",
                                    (int)name.size, name.data);
    if (depth == ALIASES_DEEPEST || out->size > EXPANDED_MOST)
      return mlir_error(r, name.data, name.data + name.size,
                        "the type alias '%.*s' stands for too much",
                        (int)name.size, name.data);
    buffer_add(out, begin, (size_t)(name.data - begin));
    if (!expand(r, alias->spelling, depth + 1, out))
      return false;
    begin = name.data + name.size;
    type = mlir_text(begin, type.data + type.size);
  }
  buffer_text(out, type);
  return true;
}

type_id
mlir_aliased_type(struct mlir *r, struct text type) {
  bool alone =
      *type.data == '!' && mlir_skip_name(type.data) == type.data + type.size;
  struct mlir_alias *alias = alone ? find_alias(r, type) : NULL;
  if (alias && alias->type != TYPE_NONE)
    return alias->type;
  struct buffer out = {.arena = r->arena};
  if (!expand(r, type, 0, &out))
    return TYPE_NONE;
  type_id made = mlir_type_of(r, text_of(buffer_finish(&out)));
  if (alone)
    find_alias(r, type)->type = made;
  return made;
}
