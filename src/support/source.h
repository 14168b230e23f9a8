/* source.h - a text that was read, and places in it. */
#ifndef REMAT_SUPPORT_SOURCE_H
#define REMAT_SUPPORT_SOURCE_H

#include "support/arena.h"
#include "support/strings.h"

struct source;

/* Bytes BEGIN up to END of SOURCE; SOURCE is NULL where there is no place. */
struct location {
  const struct source *source;
  uint32_t begin, end;
};

/* Bytes BEGIN up to END of a text that the context names. */
struct span {
  uint32_t begin, end;
};

/* From offset AT on, a text is that of another one from offset FROM on. */
struct source_piece {
  uint32_t at, from;
};

/* How a text was made of parts of ORIGIN, in the order of AT. */
struct source_pieces {
  const struct source *origin; /* NULL: it was not */
  struct source_piece *data;
  uint32_t count;
};

/* TEXT[SIZE] is always NUL, so scanners need no bounds check. */
struct source {
  const char *name; /* as the user wrote it; "<stdin>" for '-' */
  const char *text;
  uint32_t size;
  struct location included_from; /* of a rules file, else no place */
  struct source_pieces pieces;   /* of a text that a pass made */
  void *mapping;                 /* what source_close gives back */
  size_t mapping_bytes;
  uint32_t *lines; /* offsets of line starts, made on demand */
  uint32_t line_count;
  struct arena arena;
};

enum source_status {
  SOURCE_OK,
  SOURCE_UNREADABLE, /* errno says why */
  SOURCE_DIRECTORY,
  SOURCE_TOO_LARGE, /* 4 GiB or more */
};

/* Map the file at PATH, or read standard input where PATH is "-". */
enum source_status source_open(struct source *source, const char *path);

/* Take TEXT, which stays the caller's and must have a NUL at SIZE. */
void source_from_text(struct source *source, const char *name, const char *text,
                      uint32_t size);

void source_close(struct source *source);

/* Line and column of OFFSET, both from 1; a column is a byte. */
void source_position(const struct source *source, uint32_t offset,
                     uint32_t *line, uint32_t *column);

/* The text of line LINE without its end. */
struct text source_line(const struct source *source, uint32_t line);

static inline struct text
source_text(const struct source *source, struct span span) {
  return (struct text){source->text + span.begin, span.end - span.begin};
}

/* SPAN of SOURCE; where that was made of another text, the place in that one
 * where SPAN begins. */
struct location location_at(const struct source *source, struct span span);

#define NO_LOCATION ((struct location){NULL, 0, 0})

#endif
