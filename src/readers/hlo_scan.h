/* hlo_scan.h - the words of HLO text.
 *
 * A cursor walks a piece of text; nothing here knows what the words mean or
 * says anything to the user.  Each function skips blanks and comments first,
 * and leaves the cursor where it was when it fails. */
#ifndef REMAT_READERS_HLO_SCAN_H
#define REMAT_READERS_HLO_SCAN_H

#include "support/source.h"

struct hlo_cursor {
  const char *text;
  uint32_t at, end;
};

/* Skip blanks, newlines and comments of both kinds. */
void hlo_blanks(struct hlo_cursor *cursor);

/* The next byte after blanks, 0 at the end. */
char hlo_peek(struct hlo_cursor *cursor);

/* Take CHARACTER if it is next. */
bool hlo_accept(struct hlo_cursor *cursor, char character);

/* Take WORD if it is next and a whole identifier. */
bool hlo_accept_word(struct hlo_cursor *cursor, const char *word);

/* An identifier: letters, digits, '_', '.', '-', not beginning with a digit;
 * with SIGIL a '%' may stand before it, and then a digit too. */
bool hlo_identifier(struct hlo_cursor *cursor, bool sigil, struct span *span);

/* A number without sign that fits in 64 bits. */
bool hlo_number(struct hlo_cursor *cursor, uint64_t *number);

/* A string in double quotes, with its escapes. */
bool hlo_string(struct hlo_cursor *cursor);

/* From an opening bracket of any kind to its closing one.  Strings and
 * comments inside are opaque. */
bool hlo_group(struct hlo_cursor *cursor);

/* The value of an attribute: up to a ',' or a line's end outside of brackets.
 * Blanks at its end are not part of it. */
bool hlo_value(struct hlo_cursor *cursor, struct span *span);

/* Does a type come next: "(" or "f32["? */
bool hlo_looks_like_type(const struct hlo_cursor *cursor);

/* The extent of a type, layout included, unread. */
bool hlo_type_extent(struct hlo_cursor *cursor, struct span *span);

#endif
