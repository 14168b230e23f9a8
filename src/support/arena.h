/* arena.h - memory that is freed all at once.
 *
 * An arena hands out zeroed memory and gives nothing back until it is
 * emptied or destroyed.  remat keeps three, by lifetime: context, module,
 * pass.  The arena that a function is given says how long its result lives.
 *
 * Small requests are cut from chunks that never move, so pointers into them
 * stay good.  A request of ARENA_LARGE bytes or more gets a block of its own,
 * which `arena_grow` may move: that is what makes growing vectors of a
 * million elements cheap. */
#ifndef REMAT_SUPPORT_ARENA_H
#define REMAT_SUPPORT_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ARENA_LARGE = 1 << 16 };

struct arena_chunk;

struct arena {
  struct arena_chunk *chunks; /* newest first; small requests */
  struct arena_chunk *blocks; /* large requests, one chunk each */
  size_t used;                /* bytes taken of the newest chunk */
  size_t total;               /* bytes held from the system */
};

/* What is called when the system has no more memory: BYTES were wanted.
 * It must not return.  The default says so on standard error and aborts. */
typedef void (*arena_oom_handler)(size_t bytes);

/* Make HANDLER the one that is called; NULL brings back the default.
 * Returns the former one. */
arena_oom_handler arena_set_oom_handler(arena_oom_handler handler);

/* BYTES of zeroed memory, aligned for any type.  Never NULL. */
void *arena_alloc(struct arena *arena, size_t bytes);

/* COUNT * SIZE bytes, checked for overflow. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* Let OLD, of OLD_BYTES from this arena, have NEW_BYTES.  Contents stay, the
 * added part is zeroed, the address may change.  OLD may be NULL. */
void *arena_grow(struct arena *arena, void *old, size_t old_bytes,
                 size_t new_bytes);

/* A copy of the BYTES at FROM, with a NUL behind it. */
char *arena_copy(struct arena *arena, const char *from, size_t bytes);

/* printf into the arena. */
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Free all that was handed out; the arena can be used again. */
void arena_empty(struct arena *arena);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count)                                        \
  ((type *)arena_array((arena), (count), sizeof(type)))

#endif
