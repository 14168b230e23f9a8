/* buffer.c - see buffer.h. */
#include "support/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

char *
buffer_reserve(struct buffer *buffer, size_t bytes) {
  if (buffer->size + bytes > buffer->capacity) {
    size_t wanted = buffer->capacity ? buffer->capacity * 2 : 256;
    if (wanted < buffer->size + bytes)
      wanted = buffer->size + bytes;
    buffer->data =
        arena_grow(buffer->arena, buffer->data, buffer->capacity, wanted);
    buffer->capacity = wanted;
  }
  return buffer->data + buffer->size;
}

void
buffer_add(struct buffer *buffer, const char *data, size_t size) {
  if (!size)
    return;
  memcpy(buffer_reserve(buffer, size), data, size);
  buffer->size += size;
}

void
buffer_text(struct buffer *buffer, struct text text) {
  buffer_add(buffer, text.data, text.size);
}

void
buffer_string(struct buffer *buffer, const char *string) {
  buffer_add(buffer, string, strlen(string));
}

void
buffer_number(struct buffer *buffer, uint64_t number) {
  char digits[20];
  size_t at = sizeof digits;
  do
    digits[--at] = (char)('0' + number % 10);
  while (number /= 10);
  buffer_add(buffer, digits + at, sizeof digits - at);
}

void
buffer_printf(struct buffer *buffer, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (length > 0) {
    char *to = buffer_reserve(buffer, (size_t)length + 1);
    vsnprintf(to, (size_t)length + 1, format, again);
    buffer->size += (size_t)length;
  }
  va_end(again);
}

void
buffer_json(struct buffer *buffer, struct text text) {
  buffer_add(buffer, "\"", 1);
  for (uint32_t i = 0; i < text.size; i++) {
    unsigned char c = (unsigned char)text.data[i];
    if (c == '"' || c == '\\')
      buffer_printf(buffer, "\\%c", c);
    else if (c == '\n')
      buffer_string(buffer, "\\n");
    else if (c < 0x20)
      buffer_printf(buffer, "\\u%04x", c);
    else
      buffer_add(buffer, text.data + i, 1);
  }
  buffer_add(buffer, "\"", 1);
}

const char *
buffer_finish(struct buffer *buffer) {
  *buffer_reserve(buffer, 1) = '\0';
  return buffer->data;
}
