/* strings.h - every name of a module once, as a dense number.
 *
 * Spellings are not copied: they must live as long as the table (they point
 * into the mapped text, or into the table's arena). */
#ifndef REMAT_SUPPORT_STRINGS_H
#define REMAT_SUPPORT_STRINGS_H

#include "support/arena.h"

/* A piece of text that is not NUL-terminated. */
struct text {
  const char *data;
  uint32_t size;
};

#define TEXT(literal) ((struct text){(literal), sizeof(literal) - 1})

struct text text_of(const char *string);
bool text_equal(struct text a, struct text b);
bool text_is(struct text a, const char *string);
bool text_starts(struct text a, const char *prefix);
bool text_ends(struct text a, const char *suffix);

/* Less than, equal to or greater than 0 as A sorts before B, is the same, or
 * sorts behind it: byte by byte, a beginning before what goes on. */
int text_order(struct text a, struct text b);
uint32_t text_hash(struct text a);

/* Where WORD, of two characters or more, first stands in A, or NULL.  Quick
 * where its first and its last character rarely stand so far apart. */
const char *text_find(struct text a, const char *word);

/* Does A match PATTERN, in which '*' stands for any run of characters? */
bool text_glob(struct text pattern, struct text a);

/* The one of COUNT NAMES that is nearest to A by edit distance, or NULL where
 * none is near enough to be what was meant. */
const char *text_nearest(struct text a, const char *const *names,
                         uint32_t count);

#define STRING_NONE UINT32_MAX

struct string_table {
  struct arena *arena;
  struct text *strings; /* by id */
  uint32_t *hashes;     /* by id */
  uint32_t *slots;      /* open addressing; id + 1, 0 is free */
  uint32_t count, capacity, slot_count;
};

/* An empty table that allocates from ARENA. */
struct string_table *string_table_new(struct arena *arena);

/* The id of TEXT, made if it is new. */
uint32_t string_intern(struct string_table *table, struct text text);

/* The id of TEXT, or STRING_NONE. */
uint32_t string_find(const struct string_table *table, struct text text);

static inline struct text
string_text(const struct string_table *table, uint32_t id) {
  return table->strings[id];
}

#endif
