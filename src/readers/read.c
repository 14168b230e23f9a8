/* read.c - which reader, and what no reader should have to look at.
 *
 * Before a reader sees the text: it is not empty, is no binary form, is valid
 * UTF-8 and holds no NUL.  One pass over the text, many bytes at a time while
 * they are ASCII. */
#include "readers/reader.h"

#include <errno.h>
#include <string.h>

enum { PLAIN_BLOCK = 64 };

#define READER(name) extern const struct reader reader_##name;
#include "readers/readers.def"
#undef READER

const struct reader *const readers[] = {
#define READER(name) &reader_##name,
#include "readers/readers.def"
#undef READER
    NULL,
};

const struct reader *
reader_by_name(const char *name) {
  for (uint32_t i = 0; readers[i]; i++)
    if (strcmp(readers[i]->name, name) == 0)
      return readers[i];
  return NULL;
}

const char *
reader_open_error(enum source_status status) {
  switch (status) {
  case SOURCE_OK:
    break;
  case SOURCE_UNREADABLE:
    return strerror(errno);
  case SOURCE_DIRECTORY:
    return "is a directory";
  case SOURCE_TOO_LARGE:
    return "is 4 GiB or more, which is too large";
  }
  return "no error";
}

static struct location
place(const struct source *source, uint32_t begin, uint32_t end) {
  return (struct location){source, begin, end};
}

/* A binary form begins with MAGIC; COMMAND prints it as text. */
struct binary_form {
  const char *magic;
  uint32_t size;
  const char *holds; /* what it holds further on, or NULL */
  const char *name;
  const char *command;
};

static const struct binary_form binary_forms[] = {
    {"ML\xefR", 4, "StableHLO_v", "a StableHLO portable artifact",
     "stablehlo-translate --deserialize FILE"},
    {"ML\xefR", 4, NULL, "MLIR bytecode",
     "mlir-opt --allow-unregistered-dialect FILE"},
    {"BC\xc0\xde", 4, NULL, "LLVM bitcode", "llvm-dis FILE -o -"},
    {"PK\x03\x04", 4, NULL, "a zip archive", "unzip FILE"},
    {"\x1f\x8b", 2, NULL, "a gzip archive", "gzip -dc FILE"},
};

/* Does a HloModuleProto, or a HloProto around one, begin here?  Field 1, a
 * length, then a name or a message; an instruction's text would be ASCII. */
static bool
is_hlo_proto(const struct source *source) {
  const unsigned char *text = (const unsigned char *)source->text;
  if (source->size < 8 || text[0] != '\n')
    return false;
  for (uint32_t i = 1; i < source->size && i < 4096; i++)
    if (text[i] < ' ' && text[i] != '\n' && text[i] != '\r' && text[i] != '\t')
      return true;
  return false;
}

static bool
is_binary(const struct source *source, struct diagnostics *diagnostics) {
  struct location start = place(source, 0, source->size ? 1 : 0);
  uint32_t count = sizeof binary_forms / sizeof *binary_forms;
  for (uint32_t i = 0; i < count; i++) {
    const struct binary_form *form = &binary_forms[i];
    if (source->size < form->size ||
        memcmp(source->text, form->magic, form->size) != 0)
      continue;
    size_t head = source->size < 4096 ? source->size : 4096;
    if (form->holds &&
        !memmem(source->text, head, form->holds, strlen(form->holds)))
      continue;
    diagnose(diagnostics, DIAGNOSTIC_INPUT, start,
             "this is %s, not text; '%s' prints it as text", form->name,
             form->command);
    return true;
  }
  if (!is_hlo_proto(source))
    return false;
  diagnose(diagnostics, DIAGNOSTIC_INPUT, start,
           "this is a binary HLO proto, not text; python3 -c 'from jaxlib "
           "import xla_client as x; print(x.XlaComputation(open(\"FILE\", "
           "\"rb\").read()).as_hlo_text())' prints it as text");
  return true;
}

/* The bytes of the UTF-8 sequence at TEXT, 0 if it is not one.  TEXT is NUL
 * terminated, and a NUL continues nothing. */
static uint32_t
utf8_length(const unsigned char *text) {
  unsigned char lead = text[0];
  uint32_t length = lead < 0x80   ? 1
                    : lead < 0xc2 ? 0
                    : lead < 0xe0 ? 2
                    : lead < 0xf0 ? 3
                    : lead < 0xf5 ? 4
                                  : 0;
  for (uint32_t i = 1; i < length; i++)
    if ((text[i] & 0xc0) != 0x80)
      return 0;
  bool overlong =
      (lead == 0xe0 && text[1] < 0xa0) || (lead == 0xf0 && text[1] < 0x90);
  bool surrogate = lead == 0xed && text[1] >= 0xa0;
  bool too_large = lead == 0xf4 && text[1] >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

/* Is the block at TEXT ASCII without NUL?  Without a branch inside, so that
 * compilers look at many bytes at a time. */
static bool
is_plain(const unsigned char *text) {
  unsigned char bad = 0;
  for (int i = 0; i < PLAIN_BLOCK; i++)
    bad |= (unsigned char)((signed char)text[i] <= 0);
  return !bad;
}

/* The offset of the first byte that is NUL or no UTF-8, or the size. */
static uint32_t
find_bad_byte(const struct source *source) {
  const unsigned char *text = (const unsigned char *)source->text;
  uint32_t at = 0;
  while (at < source->size) {
    if (source->size - at >= PLAIN_BLOCK && is_plain(text + at)) {
      at += PLAIN_BLOCK;
      continue;
    }
    uint32_t length = text[at] ? utf8_length(text + at) : 0;
    if (length == 0)
      return at;
    at += length;
  }
  return source->size;
}

/* Is SOURCE text that a reader may look at?  Says why not. */
static bool
is_text(const struct source *source, struct diagnostics *diagnostics) {
  if (source->size == 0) {
    diagnose(diagnostics, DIAGNOSTIC_INPUT, place(source, 0, 0),
             "the input is empty");
    return false;
  }
  if (is_binary(source, diagnostics))
    return false;
  uint32_t bad = find_bad_byte(source);
  if (bad == source->size)
    return true;
  if (source->text[bad] == '\0')
    diagnose(diagnostics, DIAGNOSTIC_INPUT, place(source, bad, bad + 1),
             "a NUL byte, which no text holds");
  else
    diagnose(diagnostics, DIAGNOSTIC_INPUT, place(source, bad, bad + 1),
             "byte 0x%02x is not valid UTF-8 here",
             (unsigned)(unsigned char)source->text[bad]);
  return false;
}

/* The reader that is asked for, or NULL after an error. */
static const struct reader *
choose(const struct source *source, const struct reader_options *options,
       struct diagnostics *diagnostics) {
  const struct reader *reader = NULL;
  if (options->format) {
    reader = reader_by_name(options->format);
    if (!reader)
      diagnose(diagnostics, DIAGNOSTIC_USAGE, NO_LOCATION,
               "no input format is called '%s'", options->format);
    return reader;
  }
  for (uint32_t i = 0; readers[i]; i++)
    if (readers[i]->recognizes(source))
      return readers[i];
  diagnose(diagnostics, DIAGNOSTIC_INPUT, place(source, 0, 1),
           "this begins like none of the dump formats that remat reads; "
           "--input-format=NAME says which it is");
  return NULL;
}

struct ir_module *
reader_read(struct arena *arena, const struct source *source,
            const struct reader_options *options,
            struct diagnostics *diagnostics) {
  if (!is_text(source, diagnostics))
    return NULL;
  const struct reader *reader = choose(source, options, diagnostics);
  return reader ? reader->read(arena, source, options, diagnostics) : NULL;
}
