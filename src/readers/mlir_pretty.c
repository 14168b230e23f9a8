/* mlir_pretty.c - the header of an op in pretty form.
 *
 *   scf.for %i = %a to %b step %c iter_args(%x = %y) -> (f32) { ... }
 *
 * Only the op's own printer knows what such text means; this reads what all
 * of them share: tokens in balanced brackets, names with '%' for values,
 * types behind ':' or '->', regions in braces, the end at a line end that
 * another op follows.
 *
 * A name is an argument of the next region where it stands left of '=', in
 * parentheses that '=', "in" or the region follows, or behind "as"; there it
 * means nothing yet.  All other names are operands. */
#include "readers/mlir.h"

#include <string.h>

enum { GROUPS_DEEPEST = 64 };

/* A bracket that is open. */
struct group {
  const char *open;
  bool successor; /* holds operands for a successor */
  bool operands;  /* behind "ins" or "outs": defines nothing */
  int8_t defines; /* arguments of a region: 1 yes, 0 no, -1 not yet known */
};

/* What the last token was, as far as the next one depends on it. */
enum previous { AFTER_NAME, AFTER_OPEN, AFTER_EQUAL, AFTER_AS, AFTER_OTHER };

struct header {
  op_id op;
  unsigned kind;
  struct group groups[GROUPS_DEEPEST];
  uint32_t depth;
  enum previous previous;
  struct text word; /* the last word, where nothing stands behind it */
  struct mlir_printed printed;
  uint32_t uses, arguments, types; /* marks of the stacks */
  uint32_t waiting; /* argument that is to get the type of the next use, or
                       NONE */
  bool in_types;    /* behind a colon outside of brackets */
  bool in_arrow;
  bool has_symbol;
  bool done;
};

/* --- regions or dictionaries --- */

/* Is "{" before a lone WORD and "}" a region of one op?  On lines of their
 * own it is, as printers write it; on one line "{a.b}" is a dictionary. */
static bool
lone_op(struct mlir *r, struct text word, bool lines) {
  unsigned kind = mlir_kind(r, string_intern(r->module->names, word));
  return kind & KIND_STOP ||
         (lines && (kind & KIND_BARE || memchr(word.data, '.', word.size)));
}

bool
mlir_opens_region(struct mlir *r, const char *p, unsigned kind) {
  bool newline = false;
  p = mlir_skip_space(p + 1, r->end, &newline);
  if (p >= r->end)
    return false;
  if (*p == '}')
    return newline || kind & (KIND_MODULE | KIND_FUNCTION);
  if (*p == '^')
    return true;
  if (*p == '%')
    return mlir_results_follow(r, p);
  if (*p == '"') {
    p = mlir_skip_string(p, r->end, NULL);
    return p && p < r->end && *mlir_skip_space(p, r->end, &newline) == '(';
  }
  if (!mlir_is(*p, CHAR_ALPHA))
    return false;
  const char *end = mlir_skip_word(p);
  struct text word = mlir_text(p, end);
  bool lines = newline, attached = mlir_is(*end, CHAR_BLANK) || *end == '\n';
  p = mlir_skip_space(end, r->end, &newline);
  if (p >= r->end || *p == ',' || *p == ':')
    return false;
  if (*p == '=')
    return p[1] == '=';
  if (kind & KIND_SHORT && (*p == '{' || *p == '}'))
    return false;
  if (*p == '}')
    return lone_op(r, word, lines);
  if (*p == '<' || *p == '(' || *p == '[')
    return attached || memchr(word.data, '.', word.size);
  return true;
}

/* --- names --- */

/* Do the parentheses that GROUP opened hold arguments of a region, from what
 * follows them? */
static bool
group_defines(struct mlir *r, const struct header *h,
              const struct group *group) {
  bool newline;
  const char *p = mlir_skip_group(group->open, r->end, NULL);
  if (!p || *group->open != '(' || group->operands || group->successor)
    return false;
  p = mlir_skip_space(p, r->end, &newline);
  while (p && p < r->end && *p == '(') {
    p = mlir_skip_group(p, r->end, NULL);
    p = p ? mlir_skip_space(p, r->end, &newline) : p;
  }
  if (!p || p >= r->end)
    return false;
  if (*p == '=')
    return true;
  if (*p == '{')
    return mlir_opens_region(r, p, h->kind);
  if (p[0] == 'i' && p[1] == 'n' && !mlir_is(p[2], CHAR_WORD))
    return true;
  bool arrow = p[0] == '-' && p[1] == '>';
  if (!arrow && *p != ':')
    return false;
  struct mlir probe = *r;
  struct diagnostics silent = {0};
  probe.diagnostics = &silent;
  mlir_advance(&probe, p + 1 + arrow);
  uint32_t count;
  if (!mlir_type_list_skip(&probe, &count))
    return false;
  return arrow ? mlir_peek(&probe) == '{' &&
                     mlir_opens_region(r, probe.p, h->kind)
               : mlir_peek(&probe) == '=';
}

/* Does NAME, which ends at END, define an argument of a region here? */
static bool
is_definition(struct mlir *r, struct header *h, uint32_t name,
              const char *end) {
  bool newline, isolated = h->kind & KIND_ISOLATED;
  const char *next = mlir_skip_space(end, r->end, &newline);
  if (*next == '=' && next[1] != '=')
    return true;
  if (!isolated && mlir_lookup(r, name))
    return false;
  if (h->previous == AFTER_AS)
    return true;
  if (h->depth == 0)
    return false;
  struct group *group = &h->groups[h->depth - 1];
  if (group->defines < 0)
    group->defines = group_defines(r, h, group);
  return group->defines;
}

/* A name of an argument is next. */
static bool
read_definition(struct mlir *r, struct header *h, const char *end) {
  struct mlir_argument argument = {mlir_span(r, r->p, end), TYPE_NONE, {0, 0}};
  mlir_advance(r, end);
  if (mlir_peek(r) == ':' && r->p[1] != ':') {
    mlir_advance(r, r->p + 1);
    argument.type = mlir_type(r);
    if (argument.type == TYPE_NONE)
      return false;
  } else if (mlir_peek(r) == '=') {
    h->waiting = r->arguments.count;
  }
  vector_push(&r->scratch, &r->arguments, argument);
  h->previous = AFTER_NAME;
  return true;
}

/* A name with '%' is next. */
static bool
read_name(struct mlir *r, struct header *h) {
  const char *end = mlir_skip_name(r->p);
  uint32_t name = mlir_name(r, r->p, end);
  if (*end != '#' && is_definition(r, h, name, end))
    return read_definition(r, h, end);
  if (!mlir_use_name(r, name, end))
    return false;
  const struct mlir_use *use = &r->uses.data[r->uses.count - 1];
  if (h->waiting != NONE && h->previous == AFTER_EQUAL && use->value != NONE)
    r->arguments.data[h->waiting].type = r->module->value_type[use->value];
  h->waiting = NONE;
  h->previous = AFTER_NAME;
  return true;
}

/* --- brackets --- */

static bool
open_group(struct mlir *r, struct header *h, bool successor) {
  if (h->depth == GROUPS_DEEPEST)
    return mlir_error_at(r, r->p, "brackets are nested too deeply here");
  bool operands = text_is(h->word, "ins") || text_is(h->word, "outs") ||
                  text_is(h->word, "init");
  h->groups[h->depth++] = (struct group){r->p, successor, operands, -1};
  mlir_advance(r, r->p + 1);
  h->previous = AFTER_OPEN;
  return true;
}

static bool
close_group(struct mlir *r, struct header *h, char open) {
  const char *p = r->p;
  if (h->depth == 0)
    return mlir_error_at(r, p, "'%c' closes nothing", *p);
  const struct group *group = &h->groups[--h->depth];
  if (*group->open != open) {
    struct mlir_fault fault = {FAULT_MISMATCH, p, group->open};
    return mlir_report(r, &fault);
  }
  if (group->successor) {
    struct ir_successor *last =
        &r->module->successors.data[r->module->successors.count - 1];
    last->use_count = r->uses.count - h->uses - last->first_use;
  }
  mlir_advance(r, p + 1);
  h->previous = AFTER_NAME;
  return true;
}

/* A region is next. */
static bool
read_region(struct mlir *r, struct header *h) {
  if (!mlir_region(r, h->op, h->kind, h->arguments))
    return false;
  if (!(h->kind & KIND_SHARED))
    r->arguments.count = h->arguments;
  h->waiting = NONE;
  h->in_types = h->in_arrow = false;
  h->previous = AFTER_NAME;
  return true;
}

/* '{' is next: a region, a dictionary, or sizes "{%n}" of a dynamic type. */
static bool
read_brace(struct mlir *r, struct header *h) {
  bool newline;
  bool only_generic = h->depth && h->previous != AFTER_OPEN;
  if (!only_generic && mlir_opens_region(r, r->p, h->kind))
    return read_region(r, h);
  const char *begin = r->p;
  if (*mlir_skip_space(begin + 1, r->end, &newline) == '%')
    return open_group(r, h, false);
  if (!mlir_group(r))
    return false;
  if (h->depth == 0)
    mlir_mark(r, h->op, begin, r->token_end);
  h->previous = AFTER_NAME;
  return true;
}

/* --- types --- */

/* A type outside of brackets is next, behind a colon or an arrow. */
static bool
read_printed_type(struct mlir *r, struct header *h) {
  uint32_t count = 1;
  if (h->kind & KIND_SIGNATURE) {
    type_id type = mlir_type(r);
    if (type == TYPE_NONE)
      return false;
    vector_push(&r->scratch, &r->types, type);
  } else if (!mlir_type_list(r, &count)) {
    return false;
  }
  if (h->in_arrow) {
    h->printed.arrow_count += count;
  } else {
    /* Those behind an arrow stand above them. */
    h->printed.colon_count += count;
  }
  h->previous = AFTER_NAME;
  return true;
}

/* Types behind a colon follow; those behind an earlier one do not count. */
static void
begin_types(struct mlir *r, struct header *h) {
  if (h->printed.has_arrow && h->printed.arrow_count) {
    /* "-> (t) : i32": what the arrow says of the results stays. */
    h->in_types = false;
    return;
  }
  r->types.count = h->types;
  h->printed = (struct mlir_printed){.mark = h->types};
  h->in_types = true;
  h->in_arrow = false;
}

/* Types of results follow. */
static void
begin_arrow(struct mlir *r, struct header *h, bool named) {
  h->printed.named = named;
  h->printed.has_arrow = true;
  h->printed.arrow = r->types.count;
  h->printed.arrow_count = 0;
  h->in_types = h->in_arrow = true;
}

/* Is a type next that the op prints, and not, say, an operand? */
static bool
at_printed_type(struct mlir *r, const struct header *h) {
  bool newline;
  if (h->depth || !h->in_types)
    return false;
  if (*r->p != '(')
    return mlir_type_begins(r->p);
  const char *p = mlir_skip_space(r->p + 1, r->end, &newline);
  return p < r->end && (*p == ')' || *p == '(' || mlir_type_begins(p));
}

/* WORD was read among types: what follows "to" are those of results, what
 * follows "from" are not. */
static void
turn_types(struct mlir *r, struct header *h, struct text word) {
  bool to = text_is(word, "to") || text_is(word, "into");
  if (to && (mlir_peek(r) == '(' || mlir_type_begins(r->p)))
    begin_arrow(r, h, false);
  else if (text_is(word, "from"))
    h->in_types = false;
}

/* --- other tokens --- */

/* A word is next. */
static bool
read_word(struct mlir *r, struct header *h) {
  const char *begin = r->p, *end = mlir_skip_word(begin);
  struct text word = mlir_text(begin, end);
  struct mlir_fault fault;
  if (text_is(word, "loc") && *end == '(') {
    h->done = h->depth == 0;
    return mlir_location(r);
  }
  h->previous = text_is(word, "as") ? AFTER_AS : AFTER_OTHER;
  h->word = word;
  if (*end == '<') {
    end = mlir_skip_group(end, r->end, &fault);
    if (!end)
      return mlir_report(r, &fault);
    h->previous = AFTER_NAME;
    h->word.size = 0;
  }
  mlir_advance(r, end);
  if (h->depth == 0 && h->in_types)
    turn_types(r, h, word);
  return true;
}

/* '#' or '!' and a name are next, perhaps with parameters. */
static bool
read_prefixed(struct mlir *r, struct header *h) {
  struct mlir_fault fault;
  const char *end = mlir_skip_name(r->p);
  if (*end == '<') {
    end = mlir_skip_group(end, r->end, &fault);
    if (!end)
      return mlir_report(r, &fault);
  }
  mlir_advance(r, end);
  h->previous = AFTER_NAME;
  return true;
}

static bool
read_symbol(struct mlir *r, struct header *h) {
  const char *begin = r->p;
  if (!mlir_symbol_name(r))
    return false;
  h->previous = AFTER_NAME;
  if (h->has_symbol)
    return true;
  h->has_symbol = true;
  struct span span = mlir_span(r, begin, r->token_end);
  const struct mlir_reference callee = {h->op, CALL_FLOW, "callee", span};
  if (h->kind & KIND_MODULE)
    mlir_symbol(r, h->op, source_text(r->source, span), NONE);
  else if (h->kind & KIND_CALL)
    mlir_refer(r, &callee);
  else if (h->kind & KIND_CALLED)
    r->module->op_flags[h->op] |=
        text_is(source_text(r->source, span), "@Sharding") ? OP_SHARDED : 0;
  return true;
}

/* "^bb1" or "^bb1(%a : t)" is next. */
static bool
read_successor(struct mlir *r, struct header *h) {
  if (!mlir_successor(r, h->op, r->uses.count - h->uses))
    return false;
  h->previous = AFTER_NAME;
  return mlir_peek(r) != '(' || open_group(r, h, true);
}

/* A character that is a token by itself. */
static bool
read_mark(struct mlir *r, struct header *h) {
  char c = *r->p;
  const char *next = r->p + 1;
  h->previous = AFTER_NAME;
  if (c == '-' && *next == '>') {
    next++;
    h->previous = h->depth ? AFTER_AS : AFTER_OPEN;
    if (h->depth == 0)
      begin_arrow(r, h, true);
  } else if (c == ':' && *next == ':') {
    next++;
  } else if (c == ':') {
    h->previous = AFTER_OPEN;
    if (h->depth == 0)
      begin_types(r, h);
  } else if (c == ',' || c == '=') {
    if (c == '=' && *next == '=')
      next++;
    h->previous = c == '=' ? AFTER_EQUAL : AFTER_OPEN;
    if (c == '=' && h->depth == 0)
      h->in_types = false;
  } else if (mlir_is(c, CHAR_DIGIT)) {
    /* "4x" or "1.0e" may be followed by a sign, which is a token too. */
    next = mlir_skip_word(r->p);
  }
  mlir_advance(r, next);
  return true;
}

/* The token that is next, whatever it is. */
static bool
read_token(struct mlir *r, struct header *h) {
  char c = *r->p;
  if (at_printed_type(r, h))
    return read_printed_type(r, h);
  if (mlir_is(c, CHAR_ALPHA))
    return read_word(r, h);
  struct text word = h->word;
  h->word.size = 0;
  switch (c) {
  case '%':
    return read_name(r, h);
  case '"':
    h->previous = AFTER_NAME;
    return mlir_string(r);
  case '@':
    return read_symbol(r, h);
  case '#':
  case '!':
    return read_prefixed(r, h);
  case '^':
    return read_successor(r, h);
  case '(':
  case '[':
    h->word = word;
    return open_group(r, h, false);
  case '{':
    return read_brace(r, h);
  case '<':
    h->previous = AFTER_NAME;
    return mlir_group(r);
  case ')':
    return close_group(r, h, '(');
  case ']':
    return close_group(r, h, '[');
  case '}':
    return close_group(r, h, '{');
  default:
    return read_mark(r, h);
  }
}

/* Does the op end before the token that is next? */
static bool
ends(struct mlir *r, const struct header *h) {
  char c = mlir_peek(r);
  if (c == '\0' || c == '}')
    return true;
  if (h->previous == AFTER_OPEN || h->previous == AFTER_EQUAL)
    return false;
  if (r->newline)
    return mlir_op_begins(r, h->in_types);
  return c == '%' && h->in_types && mlir_results_follow(r, r->p);
}

bool
mlir_pretty(struct mlir *r, op_id op, unsigned kind, uint32_t results) {
  struct header h;
  h.op = op;
  h.kind = kind;
  h.depth = 0;
  h.previous = AFTER_OTHER;
  h.word = (struct text){NULL, 0};
  h.uses = r->uses.count;
  h.arguments = r->arguments.count;
  h.types = r->types.count;
  h.printed = (struct mlir_printed){.mark = h.types};
  h.waiting = NONE;
  h.in_types = h.in_arrow = h.has_symbol = h.done = false;
  while (!h.done) {
    if (h.depth == 0 ? ends(r, &h) : mlir_peek(r) == '\0')
      break;
    if (!read_token(r, &h))
      return false;
  }
  if (h.depth) {
    struct mlir_fault fault = {FAULT_UNCLOSED, h.groups[h.depth - 1].open,
                               NULL};
    return mlir_report(r, &fault);
  }
  if (r->failed)
    return false;
  mlir_uses_flush(r, op, h.uses);
  r->arguments.count = h.arguments;
  r->module->op_text[op].end = mlir_offset(r, r->token_end);
  bool good = mlir_results(r, op, results, &h.printed);
  r->types.count = h.types;
  return good;
}
