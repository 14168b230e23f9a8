/* lexical.h - what scanner and grammar call.
 *
 * Builders are named after what they build; lists are appended to in the
 * order in which things stand.  NULL is the empty list, and what is NULL is
 * not appended (a statement with a syntax error). */
#ifndef REMAT_RULES_LEXICAL_H
#define REMAT_RULES_LEXICAL_H

#include "rules/rules.h"
#include "rules/syntax.h"

/* --- lexical.c: messages, words, numbers --- */

void lexical_error(struct rules_parser *parser, struct location where,
                   const char *message);

/* A byte or a run of bytes at WHERE that begins no word. */
void lexical_character(struct rules_parser *parser, struct location where);

/* The number at WHERE; NODE_ERROR after a message where it is too large. */
struct node *lexical_number(struct rules_parser *parser, struct location where);

/* The unit that begins at WHERE, which stands behind a number.  Returns its
 * length; 0 where a word of the language stands there.  A name that is no
 * unit is diagnosed and passed over (UNIT->over is 0). */
int lexical_unit(struct rules_parser *parser, struct location where,
                 struct unit *unit);

/* The token of a word of the language, NAME for another. */
int lexical_word(struct text text);

/* The contents of the quoted string at WHERE. */
struct word lexical_string(struct rules_parser *parser, struct location where);

/* "unexpected TOKEN, expected ..." with COUNT names of tokens, some of which
 * are taken out of EXPECTED. */
void syntax_error(struct rules_parser *parser, struct location where,
                  const char *token, const char **expected, uint32_t count);

/* "mlir" or "hlo"; diagnoses others. */
enum item_format format_named(struct rules_parser *parser, struct word word);

/* Diagnose a WORD that is not WANTED. */
void expect_word(struct rules_parser *parser, struct word word,
                 const char *wanted);

/* NODE as a small whole number, times SIGN; diagnoses others. */
int32_t integer_of(struct rules_parser *parser, const struct node *node,
                   int sign);

struct node *node_with_unit(struct rules_parser *parser, struct node *node,
                            const struct unit *unit, struct location where);

/* --- syntax.c: builders --- */

struct location location_join(struct location a, struct location b);
struct location location_after(struct location a);

struct node *node_new(struct arena *arena, enum node_kind kind,
                      struct location where);
struct node *node_unary(struct arena *arena, enum node_kind kind,
                        struct node *child, struct location where);
struct node *node_binary(struct arena *arena, enum node_kind kind,
                         struct node *left, struct node *right);
struct node *node_list(struct arena *arena, struct node *children,
                       struct location where);
struct node *node_append(struct node *list, struct node *node);

struct words *words_new(struct arena *arena, struct word word);
struct words *words_append(struct arena *arena, struct words *list,
                           struct word word);

struct item *item_new(struct arena *arena, enum item_kind kind,
                      struct word name);
/* A bare name or string is of the kind of the item before. */
struct item *item_append(struct item *list, struct item *item);
/* Diagnoses an item of the wrong form. */
struct selector *selector_new(struct rules_parser *parser, struct item *items,
                              struct node *when, struct location where);

struct fact *fact_new(struct arena *arena, enum fact_key key, struct word word,
                      struct location where);
struct fact *fact_append(struct fact *list, struct fact *fact);
struct result_type *result_type_new(struct arena *arena,
                                    enum result_type_base base, int32_t index);
struct result_type *result_type_append(struct result_type *list,
                                       struct result_type *type);

/* `tensor` or `silent` behind TYPE; diagnoses other words. */
void result_type_modify(struct rules_parser *parser, struct result_type *type,
                        struct word word);

struct type_text *type_text_new(struct arena *arena, struct word word);
struct type_text *type_text_append(struct type_text *list,
                                   struct type_text *type);
struct check *check_new(struct arena *arena, enum check_kind kind,
                        struct location where);
struct check *check_append(struct check *list, struct check *check);

struct statement *statement_new(struct arena *arena, enum statement_kind kind,
                                struct location where);
struct statement *statement_append(struct statement *list,
                                   struct statement *statement);
/* RULE, which the action built, gets its selector. */
struct statement *rule_new(struct statement *rule, struct selector *selector,
                           struct location where);

#endif
