/* proof.c - the printed text, read again, is the program that was proved.
 *
 * The last thing that can go wrong is printing: a name that was not replaced,
 * an attribute cut in the wrong place.  So the text is printed into memory,
 * read by the reader that read the input, and compared with the module that it
 * was printed from.  That costs what reading costs; above a number of ops it
 * is done only where -fverify-text asks for it. */
#include "session/proof.h"

#include "passes/verify.h"
#include "readers/reader.h"

#include <string.h>

static bool
into_buffer(void *user, const char *data, size_t size) {
  buffer_add(user, data, size);
  return true;
}

/* Does the user, or the size of MODULE, say that it is to be done? */
static bool
is_wanted(const struct session *session, const struct ir_module *module) {
  const struct program *program = &session->program;
  const struct pass *verify = pipeline_find(&session->pipeline, "verify");
  if (!program->made && !program->edits)
    return false;
  if (session->options.verify_text >= 0 || !verify)
    return session->options.verify_text > 0;
  return module->op_count <= pass_parameter(program, verify, "verify-text-ops");
}

/* What is wrong with the text of MODULE, or NULL. */
static const char *
compare(const struct session *session, const struct ir_module *module,
        const struct ir_edits *edits, struct arena *arena) {
  struct buffer text = {.arena = arena};
  const struct ir_writer writer = {into_buffer, &text};
  struct diagnostics silent = {0};
  struct source source = {0};
  const struct reader_options how = {.format = session->input->format->name,
                                     .rules = session->rules};
  ir_print(module, edits, &writer, arena);
  if (text.size > UINT32_MAX - 1)
    return NULL;
  const char *printed = buffer_finish(&text);
  source_from_text(&source, "printed text", printed, (uint32_t)text.size);
  const struct ir_module *again = reader_read(arena, &source, &how, &silent);
  const char *fault = again ? verify_text(module, again, arena)
                            : "the printed text cannot be read";
  source_close(&source);
  return fault;
}

bool
session_prove_text(struct session *session) {
  struct arena arena = {0};
  const struct ir_edits *edits;
  const struct ir_module *module = session_emitted(session, &arena, &edits);
  const char *fault = is_wanted(session, module)
                          ? compare(session, module, edits, &arena)
                          : NULL;
  if (fault)
    diagnose(&session->diagnostics, DIAGNOSTIC_INTERNAL, NO_LOCATION, "%s",
             fault);
  arena_empty(&arena);
  return !fault;
}
