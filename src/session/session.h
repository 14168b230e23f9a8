/* session.h - one run from text to text, for the driver and for hosts.
 *
 *   session_open ─► options ─► session_choose_target ─► session_read
 *                ─► session_run ─► session_print
 *
 * It holds the three arenas, knows which reader, rules and passes take part,
 * and what the run came to.  Nothing here prints: text goes to writers,
 * messages to the sink, dumps and times to the callbacks. */
#ifndef REMAT_SESSION_SESSION_H
#define REMAT_SESSION_SESSION_H

#include "ir/print.h"
#include "passes/manager.h"

/* Exit status of the driver, and what hosts get. */
enum session_status {
  SESSION_DONE = 0,
  SESSION_BAD_INPUT = 1, /* or usage, or a file that cannot be written */
  SESSION_OVER_BUDGET = 2,
  SESSION_INTERNAL = 3,
};

struct session {
  struct arena context; /* options, rules, pipeline */
  struct arena module;  /* the graph and what passes leave */
  struct arena scratch;
  struct diagnostics diagnostics;
  diagnostic_sink sink; /* the host's */
  void *sink_user;
  struct options options;
  const struct rules *rules; /* chosen by session_choose_target */
  uint32_t device;
  struct pipeline pipeline;
  struct manager_callbacks callbacks;
  struct source source;
  bool has_source;
  struct source plan_source; /* of --plan */
  bool has_plan_source;
  struct ir_module *input;
  struct program program;
  bool over_budget, internal;        /* a message said so */
  VECTOR(struct source *) rewritten; /* texts that passes had read again */
};

/* Begin, with default options and pipeline; messages go to SINK. */
void session_open(struct session *session, diagnostic_sink sink, void *user);

void session_close(struct session *session);

/* Read the file at PATH ("-": standard input), or the SIZE bytes at TEXT,
 * which must end with a NUL behind them and outlive the session; what was
 * read before is given up.  False after an error. */
bool session_read_file(struct session *session, const char *path);
bool session_read_text(struct session *session, const char *name,
                       const char *text, uint32_t size);

/* Find the target and device that the options ask for, or compile the rules
 * file.  False after an error.  Before session_run. */
bool session_choose_target(struct session *session);

/* Run the pipeline over what was read.  After
 * SESSION_DONE or SESSION_OVER_BUDGET there is something to print. */
enum session_status session_run(struct session *session);

/* What the messages so far come to. */
enum session_status session_status(const struct session *session);

/* Append the plan that was carried out to OUT, as --plan reads it. */
void session_write_plan(struct session *session, struct buffer *out);

/* What is printed: the new program, or the input as it was given where nothing
 * changes.  *EDITS is what printing it changes besides, or NULL; it may be in
 * ARENA. */
const struct ir_module *session_emitted(const struct session *session,
                                        struct arena *arena,
                                        const struct ir_edits **edits);

/* Print that.  False where WRITER gave up. */
bool session_print(struct session *session, const struct ir_writer *writer);

#endif
