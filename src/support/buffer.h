/* buffer.h - text that is being written. */
#ifndef REMAT_SUPPORT_BUFFER_H
#define REMAT_SUPPORT_BUFFER_H

#include "support/strings.h"
#include "support/vector.h"

struct buffer {
  struct arena *arena;
  char *data;
  size_t size, capacity;
};

/* Make room for BYTES more and return where they go. */
char *buffer_reserve(struct buffer *buffer, size_t bytes);

void buffer_add(struct buffer *buffer, const char *data, size_t size);
void buffer_text(struct buffer *buffer, struct text text);
void buffer_string(struct buffer *buffer, const char *string);
void buffer_number(struct buffer *buffer, uint64_t number);
void buffer_printf(struct buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* TEXT as a JSON string, quotes included. */
void buffer_json(struct buffer *buffer, struct text text);

/* The text so far, with a NUL behind it; good until the next addition. */
const char *buffer_finish(struct buffer *buffer);

#endif
