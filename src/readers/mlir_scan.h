/* mlir_scan.h - where tokens of MLIR text end.
 *
 * These know no grammar: spaces, words, strings, balanced brackets.  They
 * work on any part of a text, so both the reader and the look-up of
 * attributes use them.  All take time linear in what they pass over; long
 * strings are passed over by memchr. */
#ifndef REMAT_READERS_MLIR_SCAN_H
#define REMAT_READERS_MLIR_SCAN_H

#include "support/strings.h"

#include <stdbool.h>

enum {
  CHAR_BLANK = 1, /* space, tab, carriage return */
  CHAR_WORD = 2,  /* of op names and keywords: letters, digits, _ $ . */
  CHAR_NAME = 4,  /* of names behind a sigil: those and - */
  CHAR_DIGIT = 8,
  CHAR_ALPHA = 16,   /* begins a word */
  CHAR_BRACKET = 32, /* means something between brackets */
};

extern const uint8_t mlir_chars[256];

static inline bool
mlir_is(char c, unsigned classes) {
  return mlir_chars[(unsigned char)c] & classes;
}

enum mlir_fault_kind {
  FAULT_NONE,
  FAULT_STRING,   /* AT begins a string that does not end on its line */
  FAULT_UNCLOSED, /* AT opens a bracket that is never closed */
  FAULT_MISMATCH, /* AT closes what OPEN opened with another bracket */
  FAULT_DEEP,     /* AT is nested too deeply */
};

struct mlir_fault {
  enum mlir_fault_kind kind;
  const char *at, *open;
};

/* Behind the string whose quote is at P; NULL and a fault where it does not
 * end before the line or END does. */
const char *mlir_skip_string(const char *p, const char *end,
                             struct mlir_fault *fault);

/* Behind the bracket that closes the one at P.  "->", "<=" and ">=" are no
 * brackets, nor is what stands in strings and comments.  NULL and a fault
 * where there is none.  FAULT may be NULL. */
const char *mlir_skip_group(const char *p, const char *end,
                            struct mlir_fault *fault);

/* Behind blanks, line ends and comments.  *NEWLINE is set if a line ended. */
static inline const char *
mlir_skip_space(const char *p, const char *end, bool *newline) {
  for (; p < end; p++) {
    if (mlir_is(*p, CHAR_BLANK))
      continue;
    if (*p == '\n') {
      *newline = true;
    } else if (*p == '/' && p[1] == '/') {
      while (p < end && *p != '\n')
        p++;
      p--;
    } else {
      return p;
    }
  }
  return end;
}

static inline const char *
mlir_skip_word(const char *p) {
  while (mlir_is(*p, CHAR_WORD))
    p++;
  return p;
}

/* Behind the name whose sigil (% ^ # ! @) is at P: digits alone, or letters,
 * digits and punctuation that begin with no digit; '@' may have a string. */
static inline const char *
mlir_skip_name(const char *p) {
  p++;
  if (mlir_is(*p, CHAR_DIGIT)) {
    while (mlir_is(*p, CHAR_DIGIT))
      p++;
    return p;
  }
  while (mlir_is(*p, CHAR_NAME))
    p++;
  return p;
}

/* Behind the symbol at P, nested parts ("@a::@b") too. */
const char *mlir_skip_symbol(const char *p, const char *end,
                             struct mlir_fault *fault);

/* Behind the type, attribute or other value at P that ends at a comma, a
 * closing bracket or END outside of brackets.  NULL and a fault. */
const char *mlir_skip_value(const char *p, const char *end,
                            struct mlir_fault *fault);

static inline struct text
mlir_text(const char *begin, const char *end) {
  return (struct text){begin, (uint32_t)(end - begin)};
}

#endif
