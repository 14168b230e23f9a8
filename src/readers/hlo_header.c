/* hlo_header.c - what a module's header says of storage.
 *
 *   input_output_alias={ {0}: (2, {}, may-alias), ... }
 *   buffer_donor={ (0, {}), ... }
 *
 * and for how many devices it is, where only a mesh says that:
 *
 *   xla.sdy.meshes={mesh = #sdy.mesh<["d"=4, "m"=2]>}
 *
 * The entry is not known yet: hlo_module.c says whose arguments they are. */
#include "readers/hlo.h"

#include <string.h>

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

uint32_t
hlo_mesh_devices(struct text attributes) {
  static const char word[] = "sdy.mesh<[";
  const char *end = attributes.data + attributes.size;
  const char *at =
      memmem(attributes.data, attributes.size, word, sizeof word - 1);
  uint64_t devices = 1, number;
  for (at = at ? at + sizeof word - 1 : end; at < end && *at != ']'; at++) {
    if (*at != '=')
      continue;
    struct hlo_cursor cursor = {at + 1, 0, (uint32_t)(end - at - 1)};
    if (!hlo_number(&cursor, &number) || !number ||
        devices > UINT32_MAX / number)
      return 1;
    devices *= number;
  }
  return (uint32_t)devices;
}
