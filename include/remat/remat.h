/* remat.h - remat inside of another program: all of its interface.
 *
 *   remat_session *s = remat_open ();
 *   remat_on_message (s, show, NULL);
 *   if (remat_set (s, "budget", "50%peak") && remat_read_file (s, "step.mlir")
 *       && remat_run (s) != REMAT_BAD_INPUT)
 *     remat_print (s, write, file);
 *   remat_close (s);
 *
 * One session does one thing at a time; different sessions know nothing of
 * each other and may run on different threads.  Nothing here prints, exits or
 * raises signals; where memory runs out, see remat_on_out_of_memory. */
#ifndef REMAT_REMAT_H
#define REMAT_REMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define REMAT_API __attribute__((visibility("default")))

typedef struct remat_session remat_session;

/* What a run came to; the driver's exit status. */
enum remat_status {
  REMAT_DONE = 0,        /* and what is emitted fits its budget */
  REMAT_BAD_INPUT = 1,   /* or usage; there is nothing to print */
  REMAT_OVER_BUDGET = 2, /* proved and ready to print, but it does not fit */
  REMAT_INTERNAL = 3     /* remat is at fault; there is nothing to print */
};

enum remat_severity {
  REMAT_NOTE, /* belongs to the message before it */
  REMAT_REMARK,
  REMAT_WARNING,
  REMAT_ERROR
};

/* One message.  All of it is gone when the callback returns. */
typedef struct remat_message {
  enum remat_severity severity;
  const char *code;      /* "REMAT_INPUT"; stable, for programs to match */
  const char *file;      /* NULL where there is no place */
  uint32_t line, column; /* from 1; 0 where there is none */
  const char *text;
} remat_message;

typedef void (*remat_message_callback)(void *user, const remat_message *);

/* Takes SIZE bytes of output; false stops it. */
typedef bool (*remat_write_callback)(void *user, const char *data, size_t size);

/* "0.1". */
REMAT_API const char *remat_version(void);

/* A new session with default options.  Never NULL. */
REMAT_API remat_session *remat_open(void);

/* Free all that SESSION has; NULL does nothing. */
REMAT_API void remat_close(remat_session *session);

/* Give messages to CALLBACK from now on; without one they are lost. */
REMAT_API void remat_on_message(remat_session *session,
                                remat_message_callback callback, void *user);

/* Call HANDLER with the bytes that were wanted when memory runs out, instead
 * of aborting; it must not return.  For the whole process; NULL aborts. */
REMAT_API void remat_on_out_of_memory(void (*handler)(size_t bytes));

/* Set option NAME as the command line does: ("budget", "50%peak") for
 * --budget=50%peak, ("analyze", NULL) for --analyze, ("f", "barriers") for
 * -fbarriers.  False after an error, which was given as a message. */
REMAT_API bool remat_set(remat_session *session, const char *name,
                         const char *value);

/* Read the dump at PATH, or the SIZE bytes at TEXT, which are copied and
 * called NAME in messages.  What was read before is given up.  False after an
 * error. */
REMAT_API bool remat_read_file(remat_session *session, const char *path);
REMAT_API bool remat_read_text(remat_session *session, const char *name,
                               const char *text, size_t size);

/* Analyze, plan, and prove what was read.  Once for each reading. */
REMAT_API enum remat_status remat_run(remat_session *session);

/* After a run that left something: give the program's text to WRITE.  False
 * where WRITE gave up, or where nothing may be printed. */
REMAT_API bool remat_print(remat_session *session, remat_write_callback write,
                           void *user);

/* After such a run: its report in FORMAT, "json", "html" or "text", or NULL
 * for another format.  It is SESSION's, until the next call for it. */
REMAT_API const char *remat_report(remat_session *session, const char *format);

/* How many functions the module has, and the name of one. */
REMAT_API size_t remat_function_count(const remat_session *session);
REMAT_API const char *remat_function_name(remat_session *session,
                                          size_t function);

/* After such a run: figure KEY ("peak_after_bytes", as the JSON report calls
 * it) of a function.  False where there is no such number. */
REMAT_API bool remat_figure(remat_session *session, size_t function,
                            const char *key, int64_t *value);

#ifdef __cplusplus
}
#endif

#endif
