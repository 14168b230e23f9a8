/* hlo_module.c - HloModule lines, tables, computations: the whole text.
 *
 * Order: an optional header, tables that instructions refer to, computations
 * with callees before callers as XLA prints them (any order is taken), and
 * perhaps another HloModule.  The entry is the computation that is marked
 * ENTRY, or the last.  One pass over the text: O(text). */
#include "readers/hlo.h"
#include "readers/reader.h"

#include <string.h>

const struct hlo_opcode hlo_opcodes[] = {
#define HLO_OPCODE(name, least, most, like) {name, least, most, like},
#include "readers/hlo_opcodes.def"
#undef HLO_OPCODE
};
const uint32_t hlo_opcode_count = sizeof hlo_opcodes / sizeof *hlo_opcodes;

/* Does a table come next: FileNames and the like? */
static bool
accept_table(struct hlo_reader *reader) {
  static const char *const tables[] = {"FileNames", "FunctionNames",
                                       "FileLocations", "StackFrames"};
  for (uint32_t i = 0; i < 4; i++) {
    struct hlo_cursor walk = reader->cursor;
    if (!hlo_accept_word(&walk, tables[i]))
      continue;
    char next = hlo_peek(&walk);
    if (next == '{' || next == '(')
      return false;
    reader->cursor = walk;
    return true;
  }
  return false;
}

/* Tables of rows that begin with a number, then a string or braces. */
static bool
read_tables(struct hlo_reader *reader) {
  struct hlo_cursor *cursor = &reader->cursor;
  uint64_t number;
  while (accept_table(reader))
    while (hlo_number(cursor, &number))
      if (!hlo_string(cursor) && !hlo_group(cursor))
        return hlo_expected(reader, "a table's row");
  return true;
}

static bool
read_header_attribute(struct hlo_reader *reader) {
  struct hlo_cursor *cursor = &reader->cursor;
  struct ir_module *m = reader->module;
  struct span key, value;
  int64_t number;
  if (!hlo_identifier(cursor, false, &key))
    return hlo_expected(reader, "an attribute of the module");
  if (!hlo_expect(reader, '='))
    return false;
  if (!hlo_value(cursor, &value))
    return hlo_expected(reader, "a value whose brackets close");
  struct text word = source_text(reader->source, key);
  struct text text = source_text(reader->source, value);
  if (!reader->header.begin)
    reader->header.begin = key.begin;
  reader->header.end = value.end;
  if (text_is(word, "is_scheduled"))
    m->scheduled = text_is(text, "true");
  if (text_is(word, "num_partitions") && ir_parse_integer(text, &number) &&
      number > 0 && number < UINT32_MAX)
    m->partitions = (uint32_t)number;
  if (text_is(word, "frontend_attributes") && m->partitions == 1)
    m->partitions = hlo_mesh_devices(text);
  if (text_is(word, "input_output_alias"))
    return hlo_read_aliases(reader, value);
  if (text_is(word, "buffer_donor"))
    return hlo_read_donors(reader, value);
  return true;
}

static bool
read_header(struct hlo_reader *reader) {
  struct hlo_cursor *cursor = &reader->cursor;
  struct span name;
  if (!hlo_identifier(cursor, false, &name))
    return hlo_expected(reader, "the module's name");
  hlo_accept(cursor, ':');
  while (hlo_accept(cursor, ','))
    if (!read_header_attribute(reader))
      return false;
  return true;
}

static bool
resolve_calls(struct hlo_reader *reader) {
  for (uint32_t i = 0; i < reader->pending.count; i++) {
    const struct hlo_pending *pending = &reader->pending.data[i];
    function_id callee =
        hlo_look_up(&reader->computations,
                    hlo_plain_name(reader, pending->name), reader->section);
    if (callee == NONE)
      return hlo_unknown(reader, &reader->computations, pending->name,
                         "computation");
    reader->module->calls.data[pending->call].callee = callee;
  }
  reader->pending.count = 0;
  return true;
}

/* Settle what was left open until all computations were seen. */
static bool
finish_section(struct hlo_reader *reader) {
  struct ir_module *m = reader->module;
  if (reader->first_function == m->functions.count)
    return hlo_expected(reader, "a computation");
  if (reader->entry == NONE)
    reader->entry = m->functions.count - 1;
  struct ir_function *entry = &m->functions.data[reader->entry];
  entry->entry = true;
  for (function_id f = 0; f < m->functions.count; f++)
    m->functions.data[f].hidden = f != reader->entry;
  if (reader->header.begin && !entry->has_attributes) {
    entry->attributes = reader->header;
    entry->has_attributes = true;
  }
  for (uint32_t i = reader->first_donation; i < m->donations.count; i++) {
    struct ir_donation *donation = &m->donations.data[i];
    donation->function = reader->entry;
    if (donation->argument >= entry->argument_count)
      return hlo_fail(reader, reader->header,
                      "the header donates parameter %u; the entry has %u",
                      donation->argument, entry->argument_count);
  }
  return resolve_calls(reader);
}

static void
begin_section(struct hlo_reader *reader) {
  reader->section++;
  reader->entry = NONE;
  reader->first_function = reader->module->functions.count;
  reader->first_donation = reader->module->donations.count;
  reader->header = (struct span){0, 0};
}

/* A HloModule and what follows up to the next one. */
static bool
read_section(struct hlo_reader *reader) {
  struct hlo_cursor *cursor = &reader->cursor;
  begin_section(reader);
  if (hlo_accept_word(cursor, "HloModule") && !read_header(reader))
    return false;
  if (!read_tables(reader))
    return false;
  for (;;) {
    struct hlo_cursor walk = *cursor;
    if (hlo_peek(cursor) == '\0' && cursor->at == cursor->end)
      break;
    if (hlo_accept_word(&walk, "HloModule"))
      break;
    if (!hlo_read_computation(reader))
      return false;
  }
  return finish_section(reader);
}

static void
open_reader(struct hlo_reader *reader) {
  struct arena *scratch = reader->scratch;
  reader->cursor.text = reader->source->text;
  reader->cursor.end = reader->source->size;
  reader->function = NONE;
  reader->opcodes = string_table_new(scratch);
  for (uint32_t i = 0; i < hlo_opcode_count; i++)
    string_intern(reader->opcodes, text_of(hlo_opcodes[i].name));
  reader->values.table = string_table_new(scratch);
  reader->computations.table = string_table_new(scratch);
}

/* A proto as text cannot be read, only be printed as HLO. */
static bool
is_text_proto(struct hlo_cursor walk) {
  while (hlo_peek(&walk) == '#') {
    const char *end = memchr(walk.text + walk.at, '\n', walk.end - walk.at);
    walk.at = end ? (uint32_t)(end - walk.text) : walk.end;
  }
  struct hlo_cursor name = walk;
  return (hlo_accept_word(&walk, "hlo_module") && hlo_peek(&walk) == '{') ||
         (hlo_accept_word(&name, "name") && hlo_accept(&name, ':') &&
          hlo_string(&name));
}

static struct ir_module *
read_hlo(struct arena *arena, const struct source *source,
         const struct reader_options *options,
         struct diagnostics *diagnostics) {
  struct arena scratch;
  struct hlo_reader reader;
  (void)options;
  memset(&scratch, 0, sizeof scratch);
  memset(&reader, 0, sizeof reader);
  reader.source = source;
  reader.diagnostics = diagnostics;
  reader.scratch = &scratch;
  /* Elements of less than a byte take one each where no E(n) packs them. */
  reader.module = ir_module_new(arena, source, &hlo_format, STORAGE_PADDED);
  open_reader(&reader);
  bool read = true;
  if (is_text_proto(reader.cursor))
    read = hlo_fail(&reader, (struct span){0, 1},
                    "this is an HLO proto, not HLO text; "
                    "XLA_FLAGS=\"--xla_dump_to=DIR --xla_dump_hlo_as_text\" "
                    "makes XLA write text");
  while (read && (reader.section == 0 || reader.cursor.at < source->size))
    read = read_section(&reader);
  arena_empty(&scratch);
  if (!read)
    return NULL;
  ir_finish(reader.module);
  return reader.module;
}

/* Does a computation begin here: its header, then an instruction with a type
 * as HLO writes it? */
static bool
begins_computation(struct hlo_cursor walk) {
  struct span name;
  if (!hlo_identifier(&walk, true, &name))
    return false;
  if (hlo_peek(&walk) == '(') {
    if (!hlo_group(&walk) || !hlo_accept(&walk, '-') ||
        !hlo_accept(&walk, '>') || !hlo_type_extent(&walk, &name))
      return false;
  }
  if (!hlo_accept(&walk, '{'))
    return false;
  hlo_accept_word(&walk, "ROOT");
  if (!hlo_identifier(&walk, true, &name) || !hlo_accept(&walk, '='))
    return false;
  return hlo_looks_like_type(&walk) ||
         (hlo_identifier(&walk, false, &name) && hlo_peek(&walk) == '(');
}

static bool
recognizes_hlo(const struct source *source) {
  struct hlo_cursor walk = {source->text, 0, source->size};
  return is_text_proto(walk) || hlo_accept_word(&walk, "HloModule") ||
         hlo_accept_word(&walk, "ENTRY") || begins_computation(walk);
}

const struct reader reader_hlo = {
    "hlo",
    "XLA HLO text, before or after its passes",
    recognizes_hlo,
    read_hlo,
};
