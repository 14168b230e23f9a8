/* diagnostic.h - one engine for every message to the user.
 *
 * Nothing in the library prints: a message goes to the sink that the host
 * set, at once, with the place it speaks of.  `diagnostic_render` makes of it
 * what a compiler prints: "file:line:col: error: ...", the line, a caret. */
#ifndef REMAT_SUPPORT_DIAGNOSTIC_H
#define REMAT_SUPPORT_DIAGNOSTIC_H

#include "support/source.h"

#include <stdarg.h>

enum severity {
  SEVERITY_NOTE, /* belongs to the message before it */
  SEVERITY_REMARK,
  SEVERITY_WARNING,
  SEVERITY_ERROR,
};

enum diagnostic_code {
#define DIAGNOSTIC(id, severity, flag, meaning) DIAGNOSTIC_##id,
#include "support/diagnostics.def"
#undef DIAGNOSTIC
  DIAGNOSTIC_COUNT
};

struct diagnostic_info {
  const char *code; /* "REMAT_EFFECTFUL" */
  enum severity severity;
  const char *flag; /* "clone-bound", or NULL */
  const char *meaning;
};

/* By enum diagnostic_code. */
extern const struct diagnostic_info diagnostic_infos[DIAGNOSTIC_COUNT];

struct diagnostic {
  enum severity severity;
  enum diagnostic_code code; /* of the message itself, for a note too */
  struct location where;
  const char *message; /* lower case, no full stop; dies with the call */
};

typedef void (*diagnostic_sink)(void *user, const struct diagnostic *);

struct diagnostics {
  diagnostic_sink sink;
  void *user;
  uint32_t errors, warnings;
  uint32_t max_errors; /* further ones are counted, not shown; 0: no limit */
  bool werror;         /* every warning is an error */
  bool remarks;        /* show remarks */
  bool off[DIAGNOSTIC_COUNT];      /* -Wno-FLAG */
  bool as_error[DIAGNOSTIC_COUNT]; /* -Werror=FLAG */
  bool muted;                      /* the last message was not shown */
  enum diagnostic_code last;
};

/* Give a message of kind CODE about WHERE.  Severity and flag come from the
 * table; -Werror may raise it. */
void diagnose(struct diagnostics *diagnostics, enum diagnostic_code code,
              struct location where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Add a second place to the message before. */
void diagnose_note(struct diagnostics *diagnostics, struct location where,
                   const char *format, ...)
    __attribute__((format(printf, 3, 4)));

enum diagnostic_style {
  DIAGNOSTIC_PLAIN,
  DIAGNOSTIC_COLOR,
  DIAGNOSTIC_JSON, /* one object a line */
};

/* The text of DIAGNOSTIC, newline included, in ARENA. */
const char *diagnostic_render(struct arena *arena,
                              const struct diagnostic *diagnostic,
                              enum diagnostic_style style);

/* The code whose flag is NAME ("clone-bound"), or DIAGNOSTIC_COUNT. */
enum diagnostic_code diagnostic_by_flag(const char *name);

#endif
