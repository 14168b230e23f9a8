/* reader.h - from the text of a dump to the graph.
 *
 * A reader knows one dump format: how to recognize it, how to read it, and by
 * its `struct ir_format` how the format spells what passes add.  readers.def
 * names them all; `reader_read` chooses. */
#ifndef REMAT_READERS_READER_H
#define REMAT_READERS_READER_H

#include "ir/ir.h"

struct rules;

struct reader_options {
  const char *format; /* a reader's name; NULL: look at the text */
  const char *dump;   /* of a log: "last", a number from 1, or a pass's name;
                         NULL is "last" */
  enum storage_policy storage;
  const struct rules *rules; /* whose facts tell the types that are not
                                printed; NULL: those of the default target */
};

struct reader {
  const char *name;  /* "mlir": what --input-format takes */
  const char *about; /* one line of help */
  /* Does the text begin as this format does?  Looks at the beginning only. */
  bool (*recognizes)(const struct source *source);
  /* The module, in ARENA; or NULL, and then at least one error was given. */
  struct ir_module *(*read)(struct arena *arena, const struct source *source,
                            const struct reader_options *options,
                            struct diagnostics *diagnostics);
};

/* All readers in the order of readers.def, behind the last one NULL. */
extern const struct reader *const readers[];

/* The reader called NAME, or NULL. */
const struct reader *reader_by_name(const char *name);

/* Read SOURCE with the reader that OPTIONS or the text itself ask for.  Text
 * that no reader may see (binary forms, NUL bytes, bad UTF-8, nothing at all)
 * is refused here.  NULL after an error; the result points into SOURCE. */
struct ir_module *reader_read(struct arena *arena, const struct source *source,
                              const struct reader_options *options,
                              struct diagnostics *diagnostics);

/* What to tell the user about a file that `source_open` did not open. */
const char *reader_open_error(enum source_status status);

#endif
