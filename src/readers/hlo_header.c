/* hlo_header.c - what a module's header says of storage.
 *
 *   input_output_alias={ {0}: (2, {}, may-alias), ... }
 *   buffer_donor={ (0, {}), ... }
 *
 * The entry is not known yet: hlo_module.c says whose arguments they are. */
#include "readers/hlo.h"

/* The path "{0, 1}" that comes next, as text. */
static bool
read_path(struct hlo_reader *reader, struct text *path) {
  struct hlo_cursor *cursor = &reader->cursor;
  uint64_t number;
  if (!hlo_expect(reader, '{'))
    return false;
  uint32_t begin = cursor->at - 1;
  while (!hlo_accept(cursor, '}')) {
    if (!hlo_number(cursor, &number))
      return hlo_expected(reader, "an element's number");
    if (hlo_peek(cursor) != '}' && !hlo_expect(reader, ','))
      return false;
  }
  *path = source_text(reader->source, (struct span){begin, cursor->at});
  return true;
}

/* "(2, {0}" into DONATION. */
static bool
read_argument(struct hlo_reader *reader, struct ir_donation *donation) {
  uint64_t number;
  if (!hlo_expect(reader, '('))
    return false;
  if (!hlo_number(&reader->cursor, &number) || number >= NONE)
    return hlo_expected(reader, "a parameter's number");
  donation->argument = (uint32_t)number;
  return hlo_expect(reader, ',') && read_path(reader, &donation->argument_path);
}

static bool
read_alias(struct hlo_reader *reader) {
  struct hlo_cursor *cursor = &reader->cursor;
  struct ir_donation donation = {NONE, 0, 0, {NULL, 0}, {NULL, 0}};
  if (!read_path(reader, &donation.result_path) || !hlo_expect(reader, ':') ||
      !read_argument(reader, &donation))
    return false;
  if (hlo_accept(cursor, ',') && !hlo_accept_word(cursor, "may-alias") &&
      !hlo_accept_word(cursor, "must-alias"))
    return hlo_expected(reader, "may-alias or must-alias");
  vector_push(reader->module->arena, &reader->module->donations, donation);
  return hlo_expect(reader, ')');
}

static bool
read_donor(struct hlo_reader *reader) {
  struct ir_donation donation = {NONE, 0, NONE, {NULL, 0}, {NULL, 0}};
  if (!read_argument(reader, &donation))
    return false;
  vector_push(reader->module->arena, &reader->module->donations, donation);
  return hlo_expect(reader, ')');
}

/* The rows in the braces at VALUE, each taken by ROW. */
static bool
read_rows(struct hlo_reader *reader, struct span value,
          bool (*row)(struct hlo_reader *)) {
  struct hlo_cursor *cursor = &reader->cursor;
  cursor->at = value.begin;
  if (!hlo_expect(reader, '{'))
    return false;
  while (!hlo_accept(cursor, '}')) {
    if (!row(reader))
      return false;
    if (hlo_peek(cursor) != '}' && !hlo_expect(reader, ','))
      return false;
  }
  return true;
}

bool
hlo_read_aliases(struct hlo_reader *reader, struct span value) {
  return read_rows(reader, value, read_alias);
}

bool
hlo_read_donors(struct hlo_reader *reader, struct span value) {
  return read_rows(reader, value, read_donor);
}
