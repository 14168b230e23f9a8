/* hlo_scan.c - see hlo_scan.h.  Every step moves forward: O(text). */
#include "readers/hlo_scan.h"

#include <string.h>

static bool
is_blank(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static bool
is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool
is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool
is_word(char c) {
  return is_letter(c) || is_digit(c) || c == '.' || c == '-';
}

/* The byte AHEAD of the cursor, 0 behind the end. */
static char
byte(const struct hlo_cursor *cursor, uint32_t ahead) {
  return ahead < cursor->end - cursor->at ? cursor->text[cursor->at + ahead]
                                          : '\0';
}

/* Skip a comment if one begins here.  An open one is left where it is, so
 * that whoever needs a word next complains of it. */
static bool
comment(struct hlo_cursor *cursor) {
  const char *from = cursor->text + cursor->at, *found;
  size_t left = cursor->end - cursor->at;
  if (byte(cursor, 0) != '/')
    return false;
  if (byte(cursor, 1) == '/') {
    found = memchr(from, '\n', left);
    cursor->at = found ? (uint32_t)(found - cursor->text) : cursor->end;
    return true;
  }
  if (byte(cursor, 1) != '*')
    return false;
  found = left > 4 ? memmem(from + 2, left - 2, "*/", 2) : NULL;
  if (!found && left == 4 && byte(cursor, 2) == '*' && byte(cursor, 3) == '/')
    found = from + 2;
  if (!found)
    return false;
  cursor->at = (uint32_t)(found - cursor->text) + 2;
  return true;
}

void
hlo_blanks(struct hlo_cursor *cursor) {
  do
    while (is_blank(byte(cursor, 0)))
      cursor->at++;
  while (comment(cursor));
}

char
hlo_peek(struct hlo_cursor *cursor) {
  hlo_blanks(cursor);
  return byte(cursor, 0);
}

bool
hlo_accept(struct hlo_cursor *cursor, char character) {
  if (hlo_peek(cursor) != character || cursor->at == cursor->end)
    return false;
  cursor->at++;
  return true;
}

bool
hlo_accept_word(struct hlo_cursor *cursor, const char *word) {
  size_t size = strlen(word);
  hlo_blanks(cursor);
  if (cursor->end - cursor->at < size ||
      memcmp(cursor->text + cursor->at, word, size) != 0 ||
      is_word(byte(cursor, (uint32_t)size)))
    return false;
  cursor->at += (uint32_t)size;
  return true;
}

bool
hlo_identifier(struct hlo_cursor *cursor, bool sigil, struct span *span) {
  hlo_blanks(cursor);
  uint32_t begin = cursor->at, at = begin;
  bool marked = sigil && byte(cursor, 0) == '%';
  at += marked;
  char first = byte(cursor, marked);
  if (!is_letter(first) && !(marked && is_digit(first)))
    return false;
  while (at < cursor->end && is_word(cursor->text[at])) {
    /* "a->b" is two words and an arrow. */
    if (cursor->text[at] == '-' && at + 1 < cursor->end &&
        cursor->text[at + 1] == '>')
      break;
    at++;
  }
  cursor->at = at;
  *span = (struct span){begin, at};
  return true;
}

bool
hlo_number(struct hlo_cursor *cursor, uint64_t *number) {
  hlo_blanks(cursor);
  uint32_t at = cursor->at;
  uint64_t sum = 0;
  for (; at < cursor->end && is_digit(cursor->text[at]); at++) {
    uint64_t digit = (uint64_t)(cursor->text[at] - '0');
    if (sum > (UINT64_MAX - digit) / 10)
      return false;
    sum = sum * 10 + digit;
  }
  if (at == cursor->at)
    return false;
  cursor->at = at;
  *number = sum;
  return true;
}

bool
hlo_string(struct hlo_cursor *cursor) {
  if (hlo_peek(cursor) != '"')
    return false;
  for (uint32_t at = cursor->at + 1; at < cursor->end; at++) {
    if (cursor->text[at] == '\\')
      at++;
    else if (cursor->text[at] == '"') {
      cursor->at = at + 1;
      return true;
    }
  }
  return false;
}

bool
hlo_group(struct hlo_cursor *cursor) {
  uint32_t depth = 0;
  hlo_blanks(cursor);
  struct hlo_cursor walk = *cursor;
  while (walk.at < walk.end) {
    char c = walk.text[walk.at];
    if (c == '"') {
      if (!hlo_string(&walk))
        return false;
      continue;
    }
    if (c == '/' && comment(&walk))
      continue;
    depth += c == '(' || c == '[' || c == '{';
    if (c == ')' || c == ']' || c == '}')
      depth--;
    if (depth == 0)
      break;
    walk.at++;
  }
  if (walk.at == walk.end || walk.at == cursor->at)
    return false;
  char open = cursor->text[cursor->at], close = walk.text[walk.at];
  if (close != (open == '(' ? ')' : open == '[' ? ']' : '}'))
    return false;
  cursor->at = walk.at + 1;
  return true;
}

bool
hlo_value(struct hlo_cursor *cursor, struct span *span) {
  hlo_blanks(cursor);
  struct hlo_cursor walk = *cursor;
  uint32_t begin = walk.at, end = begin;
  while (walk.at < walk.end) {
    char c = walk.text[walk.at];
    bool group = c == '(' || c == '[' || c == '{';
    if (c == ',' || c == '\n' || c == ')' || c == ']' || c == '}')
      break;
    if (group || c == '"') {
      if (!(group ? hlo_group(&walk) : hlo_string(&walk)))
        return false;
    } else if (c == '/' && comment(&walk)) {
      continue;
    } else {
      walk.at++;
    }
    if (!is_blank(c))
      end = walk.at;
  }
  if (end == begin)
    return false;
  *span = (struct span){begin, end};
  cursor->at = end;
  return true;
}

bool
hlo_looks_like_type(const struct hlo_cursor *cursor) {
  struct hlo_cursor walk = *cursor;
  struct span name;
  if (hlo_peek(&walk) == '(')
    return true;
  return hlo_identifier(&walk, false, &name) && hlo_peek(&walk) == '[';
}

/* Does a layout come next?  Its brace is followed by a number, ':' or '}';
 * a computation's body begins with a word. */
static bool
looks_like_layout(struct hlo_cursor walk) {
  if (!hlo_accept(&walk, '{'))
    return false;
  char c = hlo_peek(&walk);
  return is_digit(c) || c == ':' || c == '}';
}

bool
hlo_type_extent(struct hlo_cursor *cursor, struct span *span) {
  hlo_blanks(cursor);
  struct hlo_cursor walk = *cursor;
  struct span name;
  if (!hlo_looks_like_type(&walk))
    return false;
  bool tuple = hlo_peek(&walk) == '(';
  if (!tuple && !hlo_identifier(&walk, false, &name))
    return false;
  if (!hlo_group(&walk))
    return false;
  if (!tuple && looks_like_layout(walk) && !hlo_group(&walk))
    return false;
  *span = (struct span){cursor->at, walk.at};
  cursor->at = walk.at;
  return true;
}
