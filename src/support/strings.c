/* strings.c - see strings.h. */
#include "support/strings.h"

#include <string.h>

struct text
text_of(const char *string) {
  return (struct text){string, (uint32_t)strlen(string)};
}

bool
text_equal(struct text a, struct text b) {
  return a.size == b.size && (!a.size || memcmp(a.data, b.data, a.size) == 0);
}

bool
text_is(struct text a, const char *string) {
  return text_equal(a, text_of(string));
}

int
text_order(struct text a, struct text b) {
  uint32_t size = a.size < b.size ? a.size : b.size;
  int order = size ? memcmp(a.data, b.data, size) : 0;
  return order ? order : a.size < b.size ? -1 : a.size > b.size;
}

bool
text_starts(struct text a, const char *prefix) {
  size_t size = strlen(prefix);
  return a.size >= size && memcmp(a.data, prefix, size) == 0;
}

bool
text_ends(struct text a, const char *suffix) {
  size_t size = strlen(suffix);
  return a.size >= size && memcmp(a.data + a.size - size, suffix, size) == 0;
}

enum { FIND_BLOCK = 64 };

/* Does FIRST stand before LAST, APART bytes on, anywhere in the block at P?
 * Without a branch inside, so that compilers look at many bytes at a time. */
static bool
block_holds(const char *p, size_t apart, char first, char last) {
  unsigned char found = 0;
  for (int i = 0; i < FIND_BLOCK; i++)
    found |= (unsigned char)((p[i] == first) & (p[i + apart] == last));
  return found;
}

const char *
text_find(struct text a, const char *word) {
  size_t size = strlen(word), step = FIND_BLOCK;
  const char *p = a.data, *end = a.data + a.size;
  for (; (size_t)(end - p) >= step + size; p += step) {
    if (!block_holds(p, size - 1, word[0], word[size - 1]))
      continue;
    const char *found = memmem(p, step + size - 1, word, size);
    if (found)
      return found;
  }
  return p < end ? memmem(p, (size_t)(end - p), word, size) : NULL;
}

/* FNV-1a over eight bytes at a time: names are short and mostly distinct. */
uint32_t
text_hash(struct text a) {
  uint64_t hash = 0xcbf29ce484222325u ^ a.size;
  const char *p = a.data;
  uint32_t left = a.size;
  for (; left >= 8; left -= 8, p += 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  uint64_t rest = 0;
  if (left)
    memcpy(&rest, p, left);
  hash = (hash ^ rest) * 0x9e3779b97f4a7c15u;
  return (uint32_t)(hash ^ hash >> 32);
}

bool
text_glob(struct text pattern, struct text a) {
  uint32_t p = 0, i = 0, star = UINT32_MAX, resume = 0;
  while (i < a.size) {
    if (p < pattern.size && pattern.data[p] == '*') {
      star = p++;
      resume = i;
    } else if (p < pattern.size && pattern.data[p] == a.data[i]) {
      p++;
      i++;
    } else if (star != UINT32_MAX) {
      p = star + 1;
      i = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size && pattern.data[p] == '*')
    p++;
  return p == pattern.size;
}

enum { NEAREST_LONGEST = 63 };

/* Levenshtein's distance with one row; both shorter than NEAREST_LONGEST. */
static uint32_t
edit_distance(struct text a, struct text b) {
  uint32_t row[NEAREST_LONGEST + 1];
  for (uint32_t j = 0; j <= b.size; j++)
    row[j] = j;
  for (uint32_t i = 1; i <= a.size; i++) {
    uint32_t diagonal = row[0];
    row[0] = i;
    for (uint32_t j = 1; j <= b.size; j++) {
      uint32_t best = diagonal + (a.data[i - 1] != b.data[j - 1]);
      if (row[j] + 1 < best)
        best = row[j] + 1;
      if (row[j - 1] + 1 < best)
        best = row[j - 1] + 1;
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row[b.size];
}

const char *
text_nearest(struct text a, const char *const *names, uint32_t count) {
  const char *nearest = NULL;
  uint32_t least = a.size / 3 + 1;
  if (a.size > NEAREST_LONGEST)
    return NULL;
  for (uint32_t i = 0; i < count; i++) {
    struct text name = text_of(names[i]);
    if (name.size > NEAREST_LONGEST)
      continue;
    uint32_t distance = edit_distance(a, name);
    if (distance < least || (distance == least && !nearest && distance)) {
      least = distance;
      nearest = names[i];
    }
  }
  return nearest;
}

struct string_table *
string_table_new(struct arena *arena) {
  struct string_table *table = ARENA_NEW(arena, struct string_table);
  table->arena = arena;
  table->slot_count = 64;
  table->slots = ARENA_ARRAY(arena, uint32_t, table->slot_count);
  return table;
}

/* The slot where TEXT is, or where it would go. */
static uint32_t
find_slot(const struct string_table *table, struct text text, uint32_t hash) {
  uint32_t mask = table->slot_count - 1;
  uint32_t slot = hash & mask;
  for (; table->slots[slot]; slot = (slot + 1) & mask) {
    uint32_t id = table->slots[slot] - 1;
    if (table->hashes[id] == hash && text_equal(table->strings[id], text))
      break;
  }
  return slot;
}

static void
rehash(struct string_table *table) {
  table->slot_count *= 2;
  table->slots = ARENA_ARRAY(table->arena, uint32_t, table->slot_count);
  for (uint32_t id = 0; id < table->count; id++) {
    uint32_t mask = table->slot_count - 1;
    uint32_t slot = table->hashes[id] & mask;
    while (table->slots[slot])
      slot = (slot + 1) & mask;
    table->slots[slot] = id + 1;
  }
}

static void
enlarge(struct string_table *table) {
  size_t old = table->capacity, new = old ? old * 2 : 32;
  table->strings =
      arena_grow(table->arena, table->strings, old * sizeof *table->strings,
                 new * sizeof *table->strings);
  table->hashes =
      arena_grow(table->arena, table->hashes, old * sizeof *table->hashes,
                 new * sizeof *table->hashes);
  table->capacity = (uint32_t)new;
}

uint32_t
string_intern(struct string_table *table, struct text text) {
  uint32_t hash = text_hash(text);
  uint32_t slot = find_slot(table, text, hash);
  if (table->slots[slot])
    return table->slots[slot] - 1;
  if (table->count == table->capacity)
    enlarge(table);
  uint32_t id = table->count++;
  table->strings[id] = text;
  table->hashes[id] = hash;
  table->slots[slot] = id + 1;
  if (table->count * 2 > table->slot_count)
    rehash(table);
  return id;
}

uint32_t
string_find(const struct string_table *table, struct text text) {
  uint32_t slot = find_slot(table, text, text_hash(text));
  return table->slots[slot] ? table->slots[slot] - 1 : STRING_NONE;
}
