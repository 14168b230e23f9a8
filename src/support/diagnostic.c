/* diagnostic.c - see diagnostic.h: counting, filtering, passing on. */
#include "support/diagnostic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct diagnostic_info diagnostic_infos[DIAGNOSTIC_COUNT] = {
#define DIAGNOSTIC(id, severity, flag, meaning)                                \
  {"REMAT_" #id, SEVERITY_##severity, flag, meaning},
#include "support/diagnostics.def"
#undef DIAGNOSTIC
};

enum diagnostic_code
diagnostic_by_flag(const char *name) {
  for (int code = 0; code < DIAGNOSTIC_COUNT; code++)
    if (diagnostic_infos[code].flag &&
        strcmp(diagnostic_infos[code].flag, name) == 0)
      return (enum diagnostic_code)code;
  return DIAGNOSTIC_COUNT;
}

/* The message in a buffer of its own size, given to the sink. */
static void
send(struct diagnostics *diagnostics, struct diagnostic *diagnostic,
     const char *format, va_list args) {
  struct arena arena = {0};
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  size_t bytes = length > 0 ? (size_t)length + 1 : 1;
  char *message = arena_alloc(&arena, bytes);
  vsnprintf(message, bytes, format, again);
  va_end(again);
  diagnostic->message = message;
  if (diagnostics->sink)
    diagnostics->sink(diagnostics->user, diagnostic);
  arena_empty(&arena);
}

/* What CODE counts as here, with -W, -Werror and their kin applied. */
static enum severity
effective_severity(const struct diagnostics *diagnostics,
                   enum diagnostic_code code) {
  enum severity severity = diagnostic_infos[code].severity;
  if (severity == SEVERITY_WARNING &&
      (diagnostics->werror || diagnostics->as_error[code]))
    return SEVERITY_ERROR;
  return severity;
}

void
diagnose(struct diagnostics *diagnostics, enum diagnostic_code code,
         struct location where, const char *format, ...) {
  struct diagnostic diagnostic = {effective_severity(diagnostics, code), code,
                                  where, NULL};
  diagnostics->last = code;
  diagnostics->muted =
      diagnostics->off[code] ||
      (diagnostic.severity == SEVERITY_REMARK && !diagnostics->remarks);
  if (diagnostics->muted)
    return;
  if (diagnostic.severity == SEVERITY_WARNING)
    diagnostics->warnings++;
  if (diagnostic.severity == SEVERITY_ERROR) {
    diagnostics->errors++;
    diagnostics->muted = diagnostics->max_errors &&
                         diagnostics->errors > diagnostics->max_errors;
    if (diagnostics->muted)
      return;
  }
  va_list args;
  va_start(args, format);
  send(diagnostics, &diagnostic, format, args);
  va_end(args);
}

void
diagnose_note(struct diagnostics *diagnostics, struct location where,
              const char *format, ...) {
  if (diagnostics->muted)
    return;
  struct diagnostic diagnostic = {SEVERITY_NOTE, diagnostics->last, where,
                                  NULL};
  va_list args;
  va_start(args, format);
  send(diagnostics, &diagnostic, format, args);
  va_end(args);
}
