/* mlir.c - the MLIR reader: a file from its first byte to its last.
 *
 * A file is ops at the top (mostly one module), definitions of aliases, a tail
 * of resources, and comments.  A "// -----" line begins another file as far
 * as names go.  Of a log, one dump is read (mlir_dumps.c).
 *
 * Time is linear in the text; what is allocated is the graph, and a hash
 * table of names that is gone when reading ends. */
#include "readers/mlir.h"
#include "rules/rules.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
  MESSAGE_LONGEST = 512,
  TEXT_PER_OP = 64,   /* a short line */
  LOG_HEAD = 1 << 16, /* a log is recognized by a dump that begins in here */
};

/* --- messages --- */

bool
mlir_error(struct mlir *r, const char *begin, const char *end,
           const char *format, ...) {
  char message[MESSAGE_LONGEST];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  r->failed = true;
  diagnose(r->diagnostics, DIAGNOSTIC_INPUT,
           location_at(r->source, mlir_span(r, begin, end)), "%s", message);
  return false;
}

void
mlir_note(struct mlir *r, const char *begin, const char *end,
          const char *format, ...) {
  char message[MESSAGE_LONGEST];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  diagnose_note(r->diagnostics,
                location_at(r->source, mlir_span(r, begin, end)), "%s",
                message);
}

/* Behind the token at P, for messages. */
static const char *
token_behind(const struct mlir *r, const char *p) {
  if (p >= r->end)
    return p;
  if (mlir_is(*p, CHAR_WORD))
    return mlir_skip_word(p);
  if (memchr("%^#!@", *p, 5))
    return mlir_skip_name(p);
  return p + 1;
}

bool
mlir_error_at(struct mlir *r, const char *p, const char *format, ...) {
  char message[MESSAGE_LONGEST];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  if (p >= r->end)
    return mlir_error(r, r->end, r->end, "the text ends too early: %s",
                      message);
  return mlir_error(r, p, token_behind(r, p), "%s", message);
}

bool
mlir_report(struct mlir *r, const struct mlir_fault *fault) {
  const char *at = fault->at;
  switch (fault->kind) {
  case FAULT_NONE:
    break;
  case FAULT_STRING:
    return mlir_error(r, at, at + 1, "this string does not end on its line");
  case FAULT_UNCLOSED:
    return mlir_error(r, at, at + 1, "this '%c' is never closed", *at);
  case FAULT_MISMATCH:
    mlir_error(r, at, at + 1, "'%c' closes '%c'", *at, *fault->open);
    mlir_note(r, fault->open, fault->open + 1, "'%c' was opened here",
              *fault->open);
    return false;
  case FAULT_DEEP:
    return mlir_error(r, at, at + 1, "brackets are nested too deeply here");
  }
  return false;
}

/* --- tokens --- */

bool
mlir_missing(struct mlir *r, char c, const char *what) {
  return mlir_error_at(r, r->p, "'%c' is expected %s", c, what);
}

/* Go behind what SKIP skips; what it finds wrong is reported. */
static bool
go_behind(struct mlir *r, const char *(*skip)(const char *, const char *,
                                              struct mlir_fault *)) {
  struct mlir_fault fault;
  const char *end = skip(r->p, r->end, &fault);
  if (!end)
    return mlir_report(r, &fault);
  mlir_advance(r, end);
  return true;
}

bool
mlir_group(struct mlir *r) {
  return go_behind(r, mlir_skip_group);
}

bool
mlir_string(struct mlir *r) {
  return go_behind(r, mlir_skip_string);
}

bool
mlir_symbol_name(struct mlir *r) {
  return go_behind(r, mlir_skip_symbol);
}

bool
mlir_location(struct mlir *r) {
  if (!mlir_at_word(r, "loc"))
    return true;
  const char *p = r->p + 3;
  bool newline;
  p = mlir_skip_space(p, r->end, &newline);
  if (p >= r->end || *p != '(')
    return true;
  r->p = p;
  return mlir_group(r);
}

/* --- the file --- */

/* Behind the value that is next: it ends with the line, outside of brackets. */
static const char *
alias_value_end(const struct mlir *r, struct mlir_fault *fault) {
  const char *p = r->p;
  while (p && p < r->end && *p != '\n' && !(p[0] == '/' && p[1] == '/')) {
    if (*p == '"')
      p = mlir_skip_string(p, r->end, fault);
    else if (*p == '(' || *p == '[' || *p == '{' || *p == '<')
      p = mlir_skip_group(p, r->end, fault);
    else if (*p == ')' || *p == ']' || *p == '}' || *p == '>')
      return p;
    else
      p += p[0] == '-' && p[1] == '>' ? 2 : 1;
  }
  return p;
}

/* "#map = ..." or "!t = ..." is next. */
static bool
read_alias(struct mlir *r) {
  const char *end = mlir_skip_name(r->p);
  if (end == r->p + 1)
    return mlir_error_at(r, r->p, "an op or an alias is expected here");
  mlir_advance(r, end);
  if (!mlir_expect(r, '=', "behind the name of an alias"))
    return false;
  if (mlir_peek(r) == '\0')
    return mlir_error_at(r, r->p, "an alias needs a value");
  struct mlir_fault fault;
  end = alias_value_end(r, &fault);
  if (!end)
    return mlir_report(r, &fault);
  mlir_advance(r, end);
  char c = mlir_peek(r);
  if (c == ')' || c == ']' || c == '}' || c == '>')
    return mlir_error_at(r, r->p, "'%c' closes nothing", c);
  return true;
}

/* "{-# ... #-}" is next. */
static bool
read_resources(struct mlir *r) {
  const char *end =
      memmem(r->p, (size_t)(r->end - r->p), "#-}", sizeof "#-}" - 1);
  if (!end)
    return mlir_error(r, r->p, r->p + 3, "this '{-#' is never closed");
  mlir_advance(r, end + 3);
  return true;
}

/* Pass over the rest of the line. */
static void
skip_line(struct mlir *r) {
  const char *end = memchr(r->p, '\n', (size_t)(r->end - r->p));
  mlir_advance(r, end ? end : r->end);
}

/* Is there a line "// -----" in what separates the token before P from P? */
static bool
at_split(const struct mlir *r) {
  static const char mark[] = "// -----";
  const char *p = r->token_end, *end = r->p;
  while ((p = memmem(p, (size_t)(end - p), mark, sizeof mark - 1))) {
    const char *before = p, *behind = p + sizeof mark - 1;
    while (before > r->text && mlir_is(before[-1], CHAR_BLANK))
      before--;
    while (behind < end && mlir_is(*behind, CHAR_BLANK))
      behind++;
    if ((before == r->text || before[-1] == '\n') &&
        (behind == end || *behind == '\n'))
      return true;
    p = behind;
  }
  return false;
}

/* One thing at the top of a file. */
static bool
read_item(struct mlir *r) {
  if (!mlir_at_item(r))
    return mlir_op(r);
  if (*r->p == '#' || *r->p == '!')
    return read_alias(r);
  if (*r->p == '{')
    return read_resources(r);
  skip_line(r);
  return true;
}

/* One file of those that "// -----" lines divide. */
static bool
read_part(struct mlir *r) {
  function_id first = r->module->functions.count;
  r->part = r->p;
  r->alias_names = string_table_new(&r->scratch);
  r->aliases.count = 0;
  mlir_scope_open(r, KIND_MODULE);
  do {
    if (mlir_peek(r) != '\0' && !read_item(r))
      return false;
  } while (mlir_peek(r) != '\0' && !at_split(r));
  if (!mlir_scope_close(r, NONE))
    return false;
  mlir_symbols_finish(r, first);
  return true;
}

/* All that is to be read. */
static bool
read_parts(struct mlir *r) {
  mlir_advance(r, r->p);
  do {
    if (!read_part(r))
      return false;
  } while (mlir_peek(r) != '\0');
  return true;
}

/* Make room for about as many ops as a text of this size has, so that what is
 * large need not move.  Memory that stays unused was never touched. */
static void
reserve(struct mlir *r) {
  uint32_t lines = (uint32_t)(r->end - r->p) / TEXT_PER_OP;
  ir_reserve(r->module, lines, 2 * lines, lines);
  vector_reserve(&r->scratch, &r->bindings, lines);
}

static struct ir_module *
read_mlir(struct arena *arena, const struct source *source,
          const struct reader_options *options,
          struct diagnostics *diagnostics) {
  struct mlir r = {.arena = arena,
                   .diagnostics = diagnostics,
                   .source = source,
                   .text = source->text,
                   .p = source->text,
                   .end = source->text + source->size};
  r.rules =
      options->rules ? options->rules : rules_builtin(rules_default_target);
  r.module = ir_module_new(arena, source, &mlir_format, options->storage);
  mlir_names_start(&r);
  bool good = mlir_dump_choose(&r, options->dump);
  if (good) {
    r.module->text = mlir_span(&r, r.p, r.end);
    reserve(&r);
    good = read_parts(&r);
  }
  if (good && r.module->op_count == 0)
    good = mlir_error(&r, r.p, r.p, "there is no op in this text");
  if (good) {
    ir_finish(r.module);
    good = !r.multi_block || mlir_dominance(&r);
  }
  arena_empty(&r.scratch);
  return good ? r.module : NULL;
}

/* MLIR begins with an op, an alias, or what a log has in front of a dump. */
static bool
recognizes_mlir(const struct source *source) {
  bool newline;
  const char *end = source->text + source->size;
  size_t head = source->size < LOG_HEAD ? source->size : LOG_HEAD;
  if (memmem(source->text, head, "IR Dump ", 8))
    return true;
  const char *p = mlir_skip_space(source->text, end, &newline);
  if (p >= end)
    return true;
  if (*p == '#' || *p == '!' || *p == '"' || *p == '{' || *p == '^')
    return true;
  if (*p == '%') {
    while (p < end && mlir_is(*p, CHAR_NAME | CHAR_BLANK) | (*p == '%') |
                          (*p == ',') | (*p == ':'))
      p++;
    return *p == '=';
  }
  const char *word = p;
  p = mlir_skip_word(p);
  return memchr(word, '.', (size_t)(p - word)) ||
         text_is(mlir_text(word, p), "module") ||
         text_is(mlir_text(word, p), "func");
}

const struct reader reader_mlir = {
    .name = "mlir",
    .about = "MLIR, generic and pretty form, also logs of several dumps",
    .recognizes = recognizes_mlir,
    .read = read_mlir,
};
