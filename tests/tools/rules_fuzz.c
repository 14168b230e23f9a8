/* rules_fuzz.c - damaged rules files never break the compiler.
 *
 * usage: rules_fuzz SEED ROUNDS TEMPORARY FILE...
 *
 * Each round takes one FILE, damages it in a few places (bytes changed, cut
 * out, doubled, swapped with other parts, numbers made huge), writes it to
 * TEMPORARY and compiles it.  A file that does not compile must have given an
 * error with a place in it; one that does is written as C and asked about.
 * The sanitizers see the rest.  Prints how many compiled. */
#include "rules/emit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20 };

static uint64_t
random_number(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static uint32_t
below(uint64_t *state, uint32_t bound) {
  return bound ? (uint32_t)(random_number(state) % bound) : 0;
}

/* Replace TEXT[AT, AT + CUT) by the SIZE bytes at PUT. */
static void
splice(char *text, uint32_t *size, uint32_t at, uint32_t cut, const char *put,
       uint32_t put_size) {
  char copy[256];
  if (at + cut > *size || *size - cut + put_size >= MOST ||
      put_size > sizeof copy)
    return;
  memcpy(copy, put, put_size);
  memmove(text + at + put_size, text + at + cut, *size - at - cut);
  memcpy(text + at, copy, put_size);
  *size = *size - cut + put_size;
}

static void
damage(char *text, uint32_t *size, uint64_t *state) {
  static const char *const pieces[] = {
      "(",  ")",    "{",     "}",         ";",       "\"",   "1e308",
      "/*", "*/",   "[",     "]",         "operand", "-",    "override ",
      "0",  " B",   " s",    " when ",    "like x",  "*",    "default ",
      "/",  "dim(", "attr(", "4 GiB * ",  "if(",     "\xff", "result 9",
      "~",  "and ", "not ",  "peak(f32)", "?",       "#",    "\n"};
  uint32_t at = below(state, *size), from = below(state, *size);
  uint32_t length = 1 + below(state, 24);
  const char *piece = pieces[below(state, sizeof pieces / sizeof *pieces)];
  switch (below(state, 5)) {
  case 0:
    splice(text, size, at, length, "", 0);
    break;
  case 1:
    if (from + length < *size)
      splice(text, size, at, 0, text + from, length);
    break;
  case 2:
    if (from + length < *size)
      splice(text, size, at, length, text + from, length);
    break;
  case 3:
    splice(text, size, at, 0, piece, (uint32_t)strlen(piece));
    break;
  default:
    if (*size)
      text[at] = (char)random_number(state);
    break;
  }
}

struct told {
  uint32_t errors, placed;
};

static void
count_diagnostic(void *user, const struct diagnostic *diagnostic) {
  struct told *told = user;
  struct arena arena = {0};
  told->errors += diagnostic->severity == SEVERITY_ERROR;
  told->placed += diagnostic->where.source != NULL;
  if (!*diagnostic_render(&arena, diagnostic, DIAGNOSTIC_PLAIN))
    abort();
  arena_empty(&arena);
}

/* Compile the damaged file; false where the compiler is wrong. */
static bool
try_file(const char *path, bool *compiled) {
  struct arena arena = {0};
  struct told told = {0, 0};
  struct diagnostics diagnostics = {.sink = count_diagnostic, .user = &told};
  const struct rules *rules =
      rules_compile_file(&arena, &diagnostics, path, NULL);
  struct buffer out = {.arena = &arena};
  *compiled = rules != NULL;
  if (rules)
    rules_emit(rules, &out);
  bool sound = rules ? told.errors == 0 : told.errors > 0 && told.placed > 0;
  arena_empty(&arena);
  return sound;
}

static bool
write_text(const char *path, const char *text, uint32_t size) {
  FILE *file = fopen(path, "wb");
  if (!file)
    return false;
  bool fine = fwrite(text, 1, size, file) == size;
  return fclose(file) == 0 && fine;
}

static uint32_t
read_text(const char *path, char *text) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return 0;
  size_t size = fread(text, 1, MOST / 2, file);
  fclose(file);
  return (uint32_t)size;
}

int
main(int argc, char **argv) {
  static char text[MOST];
  if (argc < 5)
    return 2;
  uint64_t state = strtoull(argv[1], NULL, 10) * 2654435761u + 1;
  uint32_t rounds = (uint32_t)strtoul(argv[2], NULL, 10), compiled = 0;
  for (uint32_t round = 0; round < rounds; round++) {
    const char *path = argv[4 + below(&state, (uint32_t)argc - 4)];
    uint32_t size = read_text(path, text);
    for (uint32_t i = 1 + below(&state, 2); i > 0; i--)
      damage(text, &size, &state);
    bool whole;
    if (!write_text(argv[3], text, size) || !try_file(argv[3], &whole)) {
      printf("round %u of seed %s is wrong, see %s\n", round, argv[1], argv[3]);
      return 1;
    }
    compiled += whole;
  }
  printf("%u rounds, %u compiled\n", rounds, compiled);
  return 0;
}
