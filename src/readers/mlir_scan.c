/* mlir_scan.c - see mlir_scan.h.
 *
 * Brackets are matched with a stack of fixed depth: what nests deeper than
 * BRACKETS_DEEPEST is no dump.  Whether '<' and '>' are brackets depends on
 * what is open, because affine sets compare in parentheses:
 * affine_set<(d0) : (d0 - 1 >= 0)>. */
#include "readers/mlir_scan.h"

#include <string.h>

enum { BRACKETS_DEEPEST = 512 };

/* Bits of the classes above, by character. */
/* clang-format off */
const uint8_t mlir_chars[256] = {
    32, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    1, 0, 32, 0, 6, 0, 0, 0, 32, 32, 0, 0, 0, 36, 6, 32,
    14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 0, 0, 32, 0, 32, 0,
    0, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22,
    22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 32, 0, 32, 0, 22,
    0, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22,
    22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 32, 0, 32, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,};
/* clang-format on */

static const char *
fail(struct mlir_fault *fault, enum mlir_fault_kind kind, const char *at,
     const char *open) {
  if (fault)
    *fault = (struct mlir_fault){kind, at, open};
  return NULL;
}

/* The first quote behind P on this line that no backslash makes plain. */
const char *
mlir_skip_string(const char *p, const char *end, struct mlir_fault *fault) {
  const char *from = p + 1;
  while (from < end) {
    const char *quote = memchr(from, '"', (size_t)(end - from));
    if (!quote || memchr(from, '\n', (size_t)(quote - from)))
      break;
    const char *slash = quote;
    while (slash > p + 1 && slash[-1] == '\\')
      slash--;
    if ((quote - slash) % 2 == 0)
      return quote + 1;
    from = quote + 1;
  }
  return fail(fault, FAULT_STRING, p, NULL);
}

static char
closer(char open) {
  return open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : '>';
}

/* Behind the comment at P, or behind the slash that begins none. */
static const char *
skip_slash(const char *p, const char *end) {
  if (p[1] != '/')
    return p + 1;
  const char *line = memchr(p, '\n', (size_t)(end - p));
  return line ? line : end;
}

const char *
mlir_skip_group(const char *p, const char *end, struct mlir_fault *fault) {
  const char *open[BRACKETS_DEEPEST];
  uint32_t depth = 0;
  while (p < end) {
    while (!mlir_is(*p, CHAR_BRACKET))
      p++;
    if (p >= end)
      break;
    char c = *p;
    switch (c) {
    case '"':
      p = mlir_skip_string(p, end, fault);
      if (!p)
        return NULL;
      continue;
    case '/':
      p = skip_slash(p, end);
      continue;
    case '-':
      p += p[1] == '>' ? 2 : 1;
      continue;
    case '<':
      if (p[1] == '=' && depth) {
        p += 2;
        continue;
      }
      /* fallthrough */
    case '(':
    case '[':
    case '{':
      if (depth == BRACKETS_DEEPEST)
        return fail(fault, FAULT_DEEP, p, open[0]);
      open[depth++] = p++;
      continue;
    case '>':
      if (*open[depth - 1] != '<') {
        p++;
        continue;
      }
      break;
    case '\0':
      return fail(fault, FAULT_UNCLOSED, open[depth ? depth - 1 : 0], NULL);
    default:
      break;
    }
    if (closer(*open[depth - 1]) != c)
      return fail(fault, FAULT_MISMATCH, p, open[depth - 1]);
    p++;
    if (--depth == 0)
      return p;
  }
  return fail(fault, FAULT_UNCLOSED, open[depth ? depth - 1 : 0], NULL);
}

const char *
mlir_skip_symbol(const char *p, const char *end, struct mlir_fault *fault) {
  for (;;) {
    p = p[1] == '"' ? mlir_skip_string(p + 1, end, fault) : mlir_skip_name(p);
    if (!p || !(p[0] == ':' && p[1] == ':' && p[2] == '@'))
      return p;
    p += 2;
  }
}

const char *
mlir_skip_value(const char *p, const char *end, struct mlir_fault *fault) {
  while (p && p < end) {
    switch (*p) {
    case '"':
      p = mlir_skip_string(p, end, fault);
      break;
    case '(':
    case '[':
    case '{':
    case '<':
      p = mlir_skip_group(p, end, fault);
      break;
    case '/':
      p = skip_slash(p, end);
      break;
    case '-':
      p += p[1] == '>' ? 2 : 1;
      break;
    case ',':
    case ')':
    case ']':
    case '}':
    case '>':
      return p;
    default:
      p++;
    }
  }
  return p;
}
