/* hlo_names.c - who is called what, and what to say when it is wrong. */
#include "readers/hlo.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool
hlo_fail(struct hlo_reader *reader, struct span span, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char message[512];
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  diagnose(reader->diagnostics, DIAGNOSTIC_INPUT,
           location_at(reader->source, span), "%s", message);
  return false;
}

bool
hlo_expected(struct hlo_reader *reader, const char *what) {
  struct hlo_cursor walk = reader->cursor;
  struct span word;
  hlo_blanks(&walk);
  uint32_t at = walk.at;
  if (at >= reader->source->size)
    return hlo_fail(reader, (struct span){at, at},
                    "the text ends where %s was expected", what);
  if (!hlo_identifier(&walk, true, &word))
    word = (struct span){at, at + 1};
  return hlo_fail(reader, word, "expected %s", what);
}

bool
hlo_expect(struct hlo_reader *reader, char character) {
  char what[4] = {'\'', character, '\'', '\0'};
  return hlo_accept(&reader->cursor, character) || hlo_expected(reader, what);
}

struct text
hlo_plain_name(const struct hlo_reader *reader, struct span span) {
  span.begin +=
      span.begin < span.end && reader->source->text[span.begin] == '%';
  return source_text(reader->source, span);
}

uint32_t
hlo_look_up(const struct hlo_names *names, struct text name, uint32_t scope) {
  uint32_t id = string_find(names->table, name);
  return id != STRING_NONE && names->scope[id] == scope ? names->meaning[id]
                                                        : NONE;
}

bool
hlo_define(struct hlo_names *names, struct text name, uint32_t meaning,
           uint32_t scope) {
  struct arena *arena = names->table->arena;
  uint32_t id = string_intern(names->table, name);
  if (id >= names->room) {
    size_t old = names->room, new = old ? 2 * old : 256;
    names->meaning = arena_grow(arena, names->meaning, old * sizeof(uint32_t),
                                new * sizeof(uint32_t));
    names->scope = arena_grow(arena, names->scope, old * sizeof(uint32_t),
                              new * sizeof(uint32_t));
    memset(names->scope + old, 0xff, (new - old) * sizeof(uint32_t));
    names->room = (uint32_t)new;
  }
  bool taken = names->scope[id] == scope;
  if (names->keeping) {
    struct hlo_meaning kept = {id, names->meaning[id], names->scope[id]};
    vector_push(arena, &names->kept, kept);
  }
  names->meaning[id] = meaning;
  names->scope[id] = scope;
  return !taken;
}

void
hlo_restore(struct hlo_names *names, uint32_t first) {
  while (names->kept.count > first) {
    struct hlo_meaning kept = names->kept.data[--names->kept.count];
    names->meaning[kept.name] = kept.meaning;
    names->scope[kept.name] = kept.scope;
  }
}

bool
hlo_unknown(struct hlo_reader *reader, const struct hlo_names *names,
            struct span span, const char *what) {
  struct text name = hlo_plain_name(reader, span);
  uint32_t scope =
      names == &reader->values ? reader->function : reader->section;
  const char **known =
      ARENA_ARRAY(reader->scratch, const char *, names->table->count + 1);
  uint32_t count = 0;
  for (uint32_t id = 0; id < names->table->count; id++) {
    struct text text = string_text(names->table, id);
    if (names->scope[id] == scope)
      known[count++] = arena_copy(reader->scratch, text.data, text.size);
  }
  const char *near = text_nearest(name, known, count);
  return hlo_fail(reader, span, "no %s is called '%.*s'%s%s%s", what,
                  (int)name.size, name.data, near ? "; did you mean '" : "",
                  near ? near : "", near ? "'?" : "");
}
