/* arena.c - see arena.h. */
#include "support/arena.h"

#include <stdarg.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Chunks double from the first size to the last: many arenas are short-lived
 * and small. */
enum { FIRST_CHUNK_BYTES = 1 << 13, LAST_CHUNK_BYTES = 1 << 18 };

struct arena_chunk {
  struct arena_chunk *next;
  struct arena_chunk *previous;
  size_t bytes; /* of the payload */
  alignas(max_align_t) unsigned char payload[];
};

static void
default_oom(size_t bytes) {
  fprintf(stderr, "remat: out of memory (%zu bytes wanted)\n", bytes);
  abort();
}

/* The one piece of process-wide state: the host sets it once, before any
 * context exists, because running out of memory has no context to ask. */
static arena_oom_handler oom_handler = default_oom;

arena_oom_handler
arena_set_oom_handler(arena_oom_handler handler) {
  arena_oom_handler former = oom_handler;
  oom_handler = handler ? handler : default_oom;
  return former;
}

static struct arena_chunk *
new_chunk(struct arena *arena, struct arena_chunk **list, size_t bytes) {
  if (bytes > SIZE_MAX - sizeof(struct arena_chunk))
    oom_handler(bytes);
  struct arena_chunk *chunk = calloc(1, sizeof *chunk + bytes);
  if (!chunk)
    oom_handler(bytes);
  chunk->bytes = bytes;
  chunk->next = *list;
  if (*list)
    (*list)->previous = chunk;
  *list = chunk;
  arena->total += bytes;
  return chunk;
}

static size_t
align_up(size_t bytes) {
  const size_t mask = alignof(max_align_t) - 1;
  return (bytes + mask) & ~mask;
}

static size_t
next_chunk_bytes(const struct arena *arena, size_t need) {
  size_t bytes = arena->chunks ? arena->chunks->bytes * 2 : FIRST_CHUNK_BYTES;
  while (bytes < need)
    bytes *= 2;
  return bytes < LAST_CHUNK_BYTES ? bytes : LAST_CHUNK_BYTES;
}

void *
arena_alloc(struct arena *arena, size_t bytes) {
  if (bytes >= ARENA_LARGE)
    return new_chunk(arena, &arena->blocks, bytes)->payload;
  size_t need = align_up(bytes ? bytes : 1);
  if (!arena->chunks || arena->used + need > arena->chunks->bytes) {
    new_chunk(arena, &arena->chunks, next_chunk_bytes(arena, need));
    arena->used = 0;
  }
  void *result = arena->chunks->payload + arena->used;
  arena->used += need;
  return result;
}

void *
arena_array(struct arena *arena, size_t count, size_t size) {
  if (size && count > SIZE_MAX / size)
    oom_handler(SIZE_MAX);
  return arena_alloc(arena, count * size);
}

/* Give the block that holds OLD a new size; it may move. */
static void *
resize_block(struct arena *arena, void *old, size_t new_bytes) {
  struct arena_chunk *chunk =
      (struct arena_chunk *)((unsigned char *)old -
                             offsetof(struct arena_chunk, payload));
  size_t old_bytes = chunk->bytes;
  struct arena_chunk *moved = realloc(chunk, sizeof *moved + new_bytes);
  if (!moved)
    oom_handler(new_bytes);
  moved->bytes = new_bytes;
  if (moved->next)
    moved->next->previous = moved;
  if (moved->previous)
    moved->previous->next = moved;
  else
    arena->blocks = moved;
  arena->total += new_bytes - old_bytes;
  memset(moved->payload + old_bytes, 0, new_bytes - old_bytes);
  return moved->payload;
}

void *
arena_grow(struct arena *arena, void *old, size_t old_bytes, size_t new_bytes) {
  if (new_bytes <= old_bytes)
    return old;
  if (old && old_bytes >= ARENA_LARGE)
    return resize_block(arena, old, new_bytes);
  void *result = arena_alloc(arena, new_bytes);
  if (old_bytes)
    memcpy(result, old, old_bytes);
  return result;
}

char *
arena_copy(struct arena *arena, const char *from, size_t bytes) {
  char *copy = arena_alloc(arena, bytes + 1);
  if (bytes)
    memcpy(copy, from, bytes);
  return copy;
}

char *
arena_printf(struct arena *arena, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  size_t bytes = length > 0 ? (size_t)length : 0;
  char *text = arena_alloc(arena, bytes + 1);
  vsnprintf(text, bytes + 1, format, again);
  va_end(again);
  return text;
}

static void
free_list(struct arena_chunk *chunk) {
  while (chunk) {
    struct arena_chunk *next = chunk->next;
    free(chunk);
    chunk = next;
  }
}

void
arena_empty(struct arena *arena) {
  free_list(arena->chunks);
  free_list(arena->blocks);
  memset(arena, 0, sizeof *arena);
}
