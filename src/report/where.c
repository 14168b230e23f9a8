/* where.c - see where.h.
 *
 * Of nested MLIR locations the outermost name and the first file count:
 *
 *   %3 = stablehlo.add %1, %2 : tensor<8xf32> loc(#loc9)
 *   #loc4 = loc("model.py":41:10)
 *   #loc9 = loc("jit(step)/add"(#loc4))      model.py:41, jit(step)/add  */
#include "report/where.h"

#include <string.h>

enum { NESTING = 16 };

struct frame {
  uint32_t location; /* into the table of locations */
};

struct location_row {
  uint32_t file; /* into the table of files */
  uint32_t line;
};

struct where_table {
  struct arena *arena;
  const struct ir_module *module;
  bool scanned;                 /* the text was looked through */
  struct string_table *aliases; /* "#loc9" */
  VECTOR(struct text) bodies;   /* by alias: what stands behind "loc(" */
  /* HLO, by number from 1 */
  VECTOR(struct text) files;
  VECTOR(struct location_row) locations;
  VECTOR(struct frame) frames;
  struct text no_name;
};

/* --- small scanning --- */

static struct text
skip(struct text text, uint32_t count) {
  count = count < text.size ? count : text.size;
  return (struct text){text.data + count, text.size - count};
}

static struct text
skip_blanks(struct text text) {
  while (text.size && (*text.data == ' ' || *text.data == '\n' ||
                       *text.data == ',' || *text.data == '\t'))
    text = skip(text, 1);
  return text;
}

/* A string at the head of *TEXT, without its quotes; *TEXT goes on behind. */
static bool
take_string(struct text *text, struct text *string) {
  if (!text->size || *text->data != '"')
    return false;
  uint32_t end = 1;
  while (end < text->size && text->data[end] != '"')
    end += text->data[end] == '\\' ? 2 : 1;
  if (end >= text->size)
    return false;
  *string = (struct text){text->data + 1, end - 1};
  *text = skip(*text, end + 1);
  return true;
}

static bool
take_number(struct text *text, uint32_t *number) {
  uint32_t i = 0, value = 0;
  for (; i < text->size && text->data[i] >= '0' && text->data[i] <= '9'; i++)
    value = value > UINT32_MAX / 10 - 1
                ? UINT32_MAX / 10
                : value * 10 + (uint32_t)(text->data[i] - '0');
  *number = value;
  *text = skip(*text, i);
  return i != 0;
}

/* --- MLIR --- */

static bool
is_alias_byte(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$' ||
         c == '#' || c == '-';
}

static struct text
take_alias(struct text *text) {
  uint32_t size = 0;
  while (size < text->size && is_alias_byte(text->data[size]))
    size++;
  struct text alias = {text->data, size};
  *text = skip(*text, size);
  return alias;
}

static void read_location(struct where_table *table, struct text text,
                          struct where *where, uint32_t depth);

static void scan(struct where_table *table);

/* Each of the locations in a list, until one says a file. */
static void
read_list(struct where_table *table, struct text text, struct where *where,
          uint32_t depth) {
  uint32_t level = 0;
  for (uint32_t i = 0; i < text.size && !where->file.size; i++) {
    char c = text.data[i];
    if (c == '"' || c == '#') {
      read_location(table, skip(text, i), where, depth);
      return;
    }
    level += c == '(' || c == '[';
    if ((c == ')' || c == ']') && level-- == 0)
      return;
  }
}

/* What stands behind "loc(", or an alias for it, at the head of TEXT. */
static void
read_location(struct where_table *table, struct text text, struct where *where,
              uint32_t depth) {
  struct text string;
  uint32_t line;
  if (depth > NESTING)
    return;
  if (text.size && *text.data == '#') {
    scan(table);
    uint32_t id = string_find(table->aliases, take_alias(&text));
    if (id != STRING_NONE)
      read_location(table, table->bodies.data[id], where, depth + 1);
    return;
  }
  if (!take_string(&text, &string)) {
    read_list(table, text, where, depth + 1);
    return;
  }
  if (text.size && *text.data == ':') {
    text = skip(text, 1);
    if (take_number(&text, &line) && !where->file.size) {
      where->file = string;
      where->line = line;
    }
    return;
  }
  if (!where->name.size)
    where->name = string;
  if (text.size && *text.data == '(')
    read_location(table, skip(text, 1), where, depth + 1);
}

/* The "loc(...)" at the end of OP's text. */
static struct where
where_of_mlir(struct where_table *table, op_id op) {
  const struct ir_module *module = table->module;
  struct where where = {{NULL, 0}, 0, {NULL, 0}};
  struct text text = source_text(module->source, ir_op_span(module, op));
  if (!text.size || text.data[text.size - 1] != ')')
    return where;
  uint32_t level = 0, at = text.size;
  bool quoted = false;
  while (at-- > 0) {
    char c = text.data[at];
    if (c == '"' && (at == 0 || text.data[at - 1] != '\\'))
      quoted = !quoted;
    if (quoted)
      continue;
    level += c == ')';
    if (c == '(' && --level == 0)
      break;
  }
  if (at < 4 || at == UINT32_MAX || memcmp(text.data + at - 3, "loc", 3) != 0)
    return where;
  read_location(table, skip(text, at + 1), &where, 0);
  return where;
}

/* "#loc9 = loc(" at the start of a line. */
static void
add_alias(struct where_table *table, struct arena *arena, struct text line) {
  struct text alias = take_alias(&line);
  line = skip_blanks(line);
  if (!line.size || *line.data != '=')
    return;
  line = skip_blanks(skip(line, 1));
  if (!text_starts(line, "loc("))
    return;
  if (string_intern(table->aliases, alias) == table->bodies.count)
    vector_push(arena, &table->bodies, skip(line, 4));
}

static void
read_aliases(struct where_table *table, struct arena *arena) {
  const struct source *source = table->module->source;
  const char *at = source->text, *end = at + source->size;
  while (at < end) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    stop = stop ? stop : end;
    if (*at == '#')
      add_alias(table, arena, (struct text){at, (uint32_t)(stop - at)});
    at = stop + 1;
  }
}

/* --- HLO --- */

/* The number behind KEY in TEXT, 0 where there is none. */
static uint32_t
number_behind(struct text text, const char *key) {
  uint32_t number = 0;
  const char *at =
      text.size ? memmem(text.data, text.size, key, strlen(key)) : NULL;
  if (at) {
    text = skip(text, (uint32_t)(at - text.data) + (uint32_t)strlen(key));
    take_number(&text, &number);
  }
  return number;
}

static struct text
string_behind(struct text text, const char *key) {
  struct text string = {NULL, 0};
  const char *at =
      text.size ? memmem(text.data, text.size, key, strlen(key)) : NULL;
  if (at) {
    text = skip(text, (uint32_t)(at - text.data) + (uint32_t)strlen(key));
    take_string(&text, &string);
  }
  return string;
}

/* One row of the tables behind the header, which TABLE names. */
static void
add_row(struct where_table *where, struct arena *arena, struct text table,
        struct text row) {
  uint32_t number;
  if (!take_number(&row, &number))
    return;
  if (text_is(table, "FileNames") && number == where->files.count + 1) {
    struct text string = {NULL, 0};
    row = skip_blanks(row);
    take_string(&row, &string);
    vector_push(arena, &where->files, string);
  } else if (text_is(table, "FileLocations") &&
             number == where->locations.count + 1) {
    struct location_row location = {number_behind(row, "file_name_id="),
                                    number_behind(row, " line=")};
    vector_push(arena, &where->locations, location);
  } else if (text_is(table, "StackFrames") &&
             number == where->frames.count + 1) {
    struct frame frame = {number_behind(row, "file_location_id=")};
    vector_push(arena, &where->frames, frame);
  }
}

/* Lines that begin with a number belong to the table above; the tables end
 * where a computation begins. */
static void
read_tables(struct where_table *where, struct arena *arena) {
  const struct source *source = where->module->source;
  const char *at = source->text, *end = at + source->size;
  struct text table = {"", 0};
  while (at < end) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    stop = stop ? stop : end;
    struct text line = {at, (uint32_t)(stop - at)};
    if (line.size && line.data[line.size - 1] == '{')
      return;
    if (line.size && *line.data >= '0' && *line.data <= '9')
      add_row(where, arena, table, line);
    else if (line.size)
      table = line;
    at = stop + 1;
  }
}

static struct where
where_of_hlo(struct where_table *table, op_id op) {
  struct where where = {{NULL, 0}, 0, {NULL, 0}};
  struct text metadata;
  if (!ir_attribute(table->module, op, "metadata", &metadata))
    return where;
  where.name = string_behind(metadata, "op_name=");
  where.file = string_behind(metadata, "source_file=");
  where.line = number_behind(metadata, "source_line=");
  uint32_t frame = number_behind(metadata, "stack_frame_id=");
  if (frame)
    scan(table);
  if (where.file.size || frame == 0 || frame > table->frames.count)
    return where;
  uint32_t row = table->frames.data[frame - 1].location;
  if (row == 0 || row > table->locations.count)
    return where;
  const struct location_row *location = &table->locations.data[row - 1];
  where.line = location->line;
  if (location->file && location->file <= table->files.count)
    where.file = table->files.data[location->file - 1];
  return where;
}

/* Look the text through for what locations refer to, when the first one
 * does. */
static void
scan(struct where_table *table) {
  if (table->scanned)
    return;
  table->scanned = true;
  if (strcmp(table->module->format->name, "hlo") == 0)
    read_tables(table, table->arena);
  else
    read_aliases(table, table->arena);
}

struct where_table *
where_table_new(struct arena *arena, const struct ir_module *module) {
  struct where_table *table = ARENA_NEW(arena, struct where_table);
  table->arena = arena;
  table->module = module;
  table->aliases = string_table_new(arena);
  return table;
}

struct where
where_of(struct where_table *table, op_id op) {
  if (strcmp(table->module->format->name, "hlo") == 0)
    return where_of_hlo(table, op);
  return where_of_mlir(table, op);
}
