/* mlir_dumps.c - which part of a log is read.
 *
 * Before and after each pass, a compiler that is asked to writes a line such
 * as "// -----// IR Dump After CSE (cse) //----- //" and the program.  What
 * follows the line, up to the next such line, is a dump.  A text without one
 * is read whole.  The log itself is only input: what is printed is the dump. */
#include "readers/mlir.h"

#include <stdlib.h>
#include <string.h>

/* A dump's line, and what follows it. */
struct dump {
  const char *line, *begin, *end;
  struct text pass; /* "CSE (cse)" */
};

static const char *
line_end(const char *p, const char *end) {
  const char *newline = memchr(p, '\n', (size_t)(end - p));
  return newline ? newline : end;
}

/* The dump whose line comes next at or behind P; false if there is none. */
static bool
next_dump(const struct mlir *r, const char *p, struct dump *dump) {
  static const char mark[] = "IR Dump ";
  while ((p = text_find(mlir_text(p, r->end), mark))) {
    const char *line = p;
    while (line > r->text && line[-1] != '\n')
      line--;
    const char *word = p + sizeof mark - 1;
    const char *rest = mlir_skip_word(word);
    struct text when = mlir_text(word, rest);
    if ((text_is(when, "After") || text_is(when, "Before")) &&
        (strncmp(line, "//", 2) == 0 || strncmp(line, "***", 3) == 0)) {
      const char *end = line_end(rest, r->end);
      const char *name = rest + (*rest == ' ');
      const char *name_end = end;
      const char *mark_end = memmem(name, (size_t)(end - name), " //-", 4);
      if (!mark_end)
        mark_end = memmem(name, (size_t)(end - name), " ***", 4);
      name_end = mark_end ? mark_end : end;
      *dump = (struct dump){line, end, r->end, mlir_text(name, name_end)};
      return true;
    }
    p = rest;
  }
  return false;
}

/* Is PASS ("Canonicalizer (canonicalize) ('func.func' operation: @f)") the one
 * that WHICH names, by either of its names? */
static bool
is_pass(struct text pass, const char *which) {
  size_t size = strlen(which);
  const char *end = pass.data + pass.size;
  for (const char *p = pass.data; p + size <= end; p++) {
    bool starts = p == pass.data || p[-1] == '(' || p[-1] == ' ';
    bool ends = p + size == end || p[size] == ')' || p[size] == ' ';
    if (starts && ends && memcmp(p, which, size) == 0)
      return true;
  }
  return false;
}

/* WHICH as a number from 1, or 0. */
static unsigned long
dump_number(const char *which) {
  char *end;
  unsigned long number =
      mlir_is(*which, CHAR_DIGIT) ? strtoul(which, &end, 10) : 0;
  return number && *end == '\0' ? number : 0;
}

bool
mlir_dump_choose(struct mlir *r, const char *which) {
  struct dump dump, chosen = {0};
  unsigned long count = 0, number = 0;
  bool last = !which || strcmp(which, "last") == 0;
  if (!last)
    number = dump_number(which);
  for (const char *p = r->p; next_dump(r, p, &dump); p = dump.begin) {
    if (chosen.begin && chosen.end == r->end)
      chosen.end = dump.line;
    count++;
    if (last || (number ? count == number : is_pass(dump.pass, which)))
      chosen = dump;
  }
  if (count == 0 && last)
    return true;
  if (!chosen.begin && count == 0)
    return mlir_error(r, r->text, r->text,
                      "this is no log with dumps, so "
                      "there is no dump '%s'",
                      which);
  if (!chosen.begin)
    return mlir_error(r, r->text, r->text, "none of the %lu dumps is '%s'",
                      count, which);
  r->p = chosen.begin < chosen.end ? chosen.begin + 1 : chosen.end;
  r->end = chosen.end;
  return true;
}
