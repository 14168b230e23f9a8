/* lexical.c - numbers, units, strings and messages of the rules scanner, and
 * the whole of reading one file. */
#include "rules/lexical.h"
#include "rules/decimal.h"
#include "rules.tab.h"

#define YYSTYPE RULES_YYSTYPE
#define YYLTYPE RULES_YYLTYPE
#include "rules.lex.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Whole numbers from here on are not all exact in what rules compute with. */
#define MOST_EXACT 9007199254740992.0

/* Words of the language.  KEEP WITH the tokens of rules.y. */
static const struct keyword {
  const char *word;
  int token;
} keywords[] = {
    {"rules", RULES},
    {"include", INCLUDE},
    {"let", LET},
    {"override", OVERRIDE},
    {"default", DEFAULT},
    {"class", CLASS},
    {"dialect", DIALECT},
    {"device", DEVICE},
    {"measured", MEASURED},
    {"memory", MEMORY},
    {"recompute", RECOMPUTE},
    {"fusion", FUSION},
    {"expect", EXPECT},
    {"target", TARGET},
    {"like", LIKE},
    {"suffix", SUFFIX},
    {"op", OP},
    {"when", WHEN},
    {"format", FORMAT},
    {"and", AND},
    {"or", OR},
    {"not", NOT},
    {"in", IN},
    {"storage", STORAGE},
    {"dynamic", DYNAMIC},
    {"refuse", REFUSE},
    {"attribute", ATTRIBUTE},
    {"workspace", WORKSPACE},
    {"carry", CARRY},
    {"cost", COST},
    {"never", NEVER},
    {"unknown", UNKNOWN},
    {"refused", REFUSED},
    {"curve", CURVE},
    {"features", FEATURES},
    {"domain", DOMAIN_WORD},
    {"source", SOURCE},
    {"on", ON},
    {"within", WITHIN},
    {"of", OF},
    {"recomputable", RECOMPUTABLE},
    {"pure", FLAG},
    {"same_bits", FLAG},
    {"tuple", FLAG},
    {"forwards", FLAG},
    {"terminator", FLAG},
    {"constant", FLAG},
    {"barrier", FLAG},
    {"together", FLAG},
    {"fuses", FLAG},
    {"root", FLAG},
    {"expensive", FLAG},
    {"virtual", FLAG},
    {"free", FREE},
    {"effect", EFFECT},
    {"random", RANDOM},
    {"collective", COLLECTIVE},
    {"alias", ALIAS},
    {"inplace", INPLACE},
    {"reuses", REUSES},
    {"body", BODY},
    {"carries", CARRIES},
    {"yields", YIELDS},
    {"async", ASYNC},
    {"counts", COUNTS},
    {"flops", FLOPS},
    {"moved", MOVED},
    {"trip", TRIP},
    {"result", RESULT},
    {"operand", OPERAND},
    {"type", TYPE_WORD},
    {"printed", PRINTED},
    {"with", WITH},
    {"element", ELEMENT},
    {"argument", ARGUMENT},
    {"none", NONE_WORD},
    {"same", SAME},
    {"any", ANY},
    {"destination", DESTINATION},
    {"real", REAL},
    {"complex", COMPLEX},
};

enum { KEYWORD_COUNT = sizeof keywords / sizeof *keywords };

int
lexical_word(struct text text) {
  for (int i = 0; i < KEYWORD_COUNT; i++)
    if (text_is(text, keywords[i].word))
      return keywords[i].token;
  return NAME;
}

void
lexical_error(struct rules_parser *parser, struct location where,
              const char *message) {
  diagnose(parser->diagnostics, DIAGNOSTIC_RULES, where, "%s", message);
}

void
lexical_character(struct rules_parser *parser, struct location where) {
  struct text text =
      source_text(where.source, (struct span){where.begin, where.end});
  unsigned char first = (unsigned char)text.data[0];
  if (first < 0x20 || first == 0x7f)
    diagnose(parser->diagnostics, DIAGNOSTIC_RULES, where,
             "control character 0x%02x", first);
  else
    diagnose(parser->diagnostics, DIAGNOSTIC_RULES, where,
             "unexpected character '%.*s'", (int)text.size, text.data);
}

/* The number that TEXT spells; infinite where it is too large to be exact. */
static double
decimal(struct text text) {
  double number = 0;
  bool whole = !memchr(text.data, '.', text.size) &&
               !memchr(text.data, 'e', text.size) &&
               !memchr(text.data, 'E', text.size);
  decimal_read(text, &number);
  return whole && number >= MOST_EXACT ? HUGE_VAL : number;
}

struct node *
lexical_number(struct rules_parser *parser, struct location where) {
  struct node *node = node_new(parser->arena, NODE_NUMBER, where);
  struct text text =
      source_text(where.source, (struct span){where.begin, where.end});
  char *digits = arena_alloc(parser->arena, text.size + 1);
  uint32_t size = 0;
  for (uint32_t i = 0; i < text.size; i++)
    if (text.data[i] != '_')
      digits[size++] = text.data[i];
  node->text = (struct text){digits, size};
  const char *slash = memchr(digits, '/', size);
  uint32_t first = slash ? (uint32_t)(slash - digits) : size;
  double over = 1;
  node->number = decimal((struct text){digits, first});
  if (slash)
    over = decimal((struct text){slash + 1, size - first - 1});
  if (over == 0)
    lexical_error(parser, where, "division by zero");
  else if (!isfinite(node->number) || !isfinite(over))
    lexical_error(parser, where,
                  "number is too large: whole numbers are exact below 2^53");
  if (over == 0 || !isfinite(node->number) || !isfinite(over))
    node->kind = NODE_ERROR;
  else
    node->number /= over;
  return node;
}

int
lexical_unit(struct rules_parser *parser, struct location where,
             struct unit *unit) {
  const struct source *source = where.source;
  struct text rest = {source->text + where.begin, source->size - where.begin};
  struct text name = {rest.data, where.end - where.begin};
  uint32_t length = unit_parse(rest, unit);
  if (length)
    return (int)length;
  const char *slash = memchr(name.data, '/', name.size);
  if (slash)
    name.size = (uint32_t)(slash - name.data);
  if (lexical_word(name) != NAME || text_is(name, "tensor") ||
      text_is(name, "silent"))
    return 0;
  where.end = where.begin + name.size;
  const char *near = unit_nearest(name);
  if (near)
    diagnose(parser->diagnostics, DIAGNOSTIC_RULES, where,
             "unknown unit '%.*s'; did you mean '%s'?", (int)name.size,
             name.data, near);
  else
    diagnose(parser->diagnostics, DIAGNOSTIC_RULES, where,
             "unknown unit '%.*s'", (int)name.size, name.data);
  *unit = (struct unit){DIMENSION_PLAIN, 1, 0};
  return (int)name.size;
}

struct node *
node_with_unit(struct rules_parser *parser, struct node *node,
               const struct unit *unit, struct location where) {
  struct text spelling =
      source_text(where.source, (struct span){node->where.end, where.end});
  node->where = where;
  if (unit->over == 0 || node->kind == NODE_ERROR) {
    node->kind = NODE_ERROR;
    return node;
  }
  while (spelling.size && strchr(" \t", spelling.data[0]))
    spelling.data++, spelling.size--;
  node->text =
      text_of(arena_printf(parser->arena, "%.*s %.*s", (int)node->text.size,
                           node->text.data, (int)spelling.size, spelling.data));
  node->number = node->number * unit->times / unit->over;
  node->dimension = unit->dimension;
  if (!isfinite(node->number)) {
    lexical_error(parser, where, "number is too large");
    node->kind = NODE_ERROR;
  }
  return node;
}

struct word
lexical_string(struct rules_parser *parser, struct location where) {
  const char *text = where.source->text;
  uint32_t from = where.begin + 1, to = where.end - 1, size = 0;
  char *contents = arena_alloc(parser->arena, to - from + 1);
  for (uint32_t i = from; i < to; i++) {
    char c = text[i];
    if (c != '\\') {
      contents[size++] = c;
      continue;
    }
    c = text[++i];
    if (c != '"' && c != '\\' && c != 'n')
      diagnose(parser->diagnostics, DIAGNOSTIC_RULES,
               (struct location){where.source, i - 1, i + 1},
               "unknown escape '\\%c'; there are \\\", \\\\ and \\n", c);
    contents[size++] = c == 'n' ? '\n' : c;
  }
  return (struct word){{contents, size}, where};
}

/* A word of the language, as against punctuation or "a name". */
static bool
is_word(const char *token) {
  return token[0] == '\'' && isalpha((unsigned char)token[1]);
}

/* Where a name may stand, so may most words of the language: only the name
 * is worth saying then.  Returns how many of EXPECTED are left. */
static uint32_t
without_soft_words(const char **expected, uint32_t count) {
  enum { SOME = 6 };
  uint32_t words = 0, left = 0;
  bool name = false;
  for (uint32_t i = 0; i < count; i++) {
    words += is_word(expected[i]);
    name |= strcmp(expected[i], "a name") == 0;
  }
  if (!name || words < SOME)
    return count;
  for (uint32_t i = 0; i < count; i++)
    if (!is_word(expected[i]))
      expected[left++] = expected[i];
  return left;
}

/* Append the names of EXPECTED to OUT, as "A, B or C". */
static void
add_expected(struct buffer *out, const char *const *expected, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    buffer_string(out, i == 0 ? ", expected " : i + 1 < count ? ", " : " or ");
    buffer_string(out, expected[i]);
  }
}

/* The expected word that TEXT was meant to be, or NULL. */
static const char *
meant(struct arena *arena, struct text text, const char *const *expected,
      uint32_t count) {
  const char **names = ARENA_ARRAY(arena, const char *, count + 1);
  uint32_t words = 0;
  for (uint32_t i = 0; i < count; i++)
    if (is_word(expected[i]))
      names[words++] =
          arena_copy(arena, expected[i] + 1, strlen(expected[i]) - 2);
  return text_nearest(text, names, words);
}

void
syntax_error(struct rules_parser *parser, struct location where,
             const char *token, const char **expected, uint32_t count) {
  enum { SHORT = 7 };
  struct buffer out = {.arena = parser->arena};
  struct text text =
      source_text(where.source, (struct span){where.begin, where.end});
  bool string = strcmp(token, "a string") == 0;
  if (!*token || strcmp(token, "end of file") == 0)
    buffer_string(&out, "unexpected end of file");
  else if (string)
    buffer_string(&out, "unexpected string");
  else
    buffer_printf(&out, "unexpected '%.*s'", (int)text.size, text.data);
  const char *near =
      string ? NULL : meant(parser->arena, text, expected, count);
  count = without_soft_words(expected, count);
  if (count <= SHORT)
    add_expected(&out, expected, count);
  if (near)
    buffer_printf(&out, "; did you mean '%s'?", near);
  lexical_error(parser, where, buffer_finish(&out));
}

enum item_format
format_named(struct rules_parser *parser, struct word word) {
  if (text_is(word.text, "mlir"))
    return FORMAT_MLIR;
  if (!text_is(word.text, "hlo"))
    diagnose(parser->diagnostics, DIAGNOSTIC_RULES, word.where,
             "unknown dump format '%.*s'; there are 'mlir' and 'hlo'",
             (int)word.text.size, word.text.data);
  return FORMAT_HLO;
}

void
expect_word(struct rules_parser *parser, struct word word, const char *wanted) {
  if (!text_is(word.text, wanted))
    diagnose(parser->diagnostics, DIAGNOSTIC_RULES, word.where,
             "unexpected '%.*s', expected '%s'", (int)word.text.size,
             word.text.data, wanted);
}

int32_t
integer_of(struct rules_parser *parser, const struct node *node, int sign) {
  enum { MOST = 8000 };
  if (node->kind == NODE_ERROR)
    return 0;
  if (node->number > MOST || node->number != floor(node->number)) {
    lexical_error(parser, node->where, "must be a whole number, at most 8000");
    return 0;
  }
  return (int32_t)node->number * sign;
}

/* Bytes that follow FIRST in UTF-8; over 3 where none begins with it. */
static uint32_t
utf8_more(unsigned char first) {
  if (first < 0x80)
    return 0;
  if (first < 0xc2 || first > 0xf4)
    return UINT32_MAX;
  return first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
}

/* Where in TEXT the first byte is that is not UTF-8, or SIZE. */
static uint32_t
bad_utf8(const char *text, uint32_t size) {
  for (uint32_t i = 0; i < size;) {
    uint32_t more = utf8_more((unsigned char)text[i]);
    if (more > 3 || more > size - i - 1)
      return i;
    for (uint32_t k = 1; k <= more; k++)
      if (((unsigned char)text[i + k] & 0xc0) != 0x80)
        return i;
    i += more + 1;
  }
  return size;
}

struct statement *
rules_parse(struct arena *arena, struct diagnostics *diagnostics,
            const struct source *source) {
  struct rules_parser parser = {
      .arena = arena, .diagnostics = diagnostics, .source = source};
  uint32_t bad = bad_utf8(source->text, source->size);
  if (bad < source->size) {
    diagnose(diagnostics, DIAGNOSTIC_RULES,
             (struct location){source, bad, bad + 1},
             "byte 0x%02x is not UTF-8", (unsigned char)source->text[bad]);
    return NULL;
  }
  void *scanner;
  if (rules_yylex_init_extra(&parser, &scanner) != 0) {
    diagnose(diagnostics, DIAGNOSTIC_RULES, NO_LOCATION, "out of memory");
    return NULL;
  }
  rules_yy_scan_bytes(source->text, (int)source->size, scanner);
  rules_yyparse(scanner, &parser);
  rules_yylex_destroy(scanner);
  return parser.statements;
}
