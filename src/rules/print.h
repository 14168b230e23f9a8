/* print.h - what the files that print rules share. */
#ifndef REMAT_RULES_PRINT_H
#define REMAT_RULES_PRINT_H

#include "rules/compile.h"

struct printer {
  struct compilation *c;
  struct buffer *out;
};

void put(struct printer *p, const char *string);
void put_text(struct printer *p, struct text text);
void put_string(struct printer *p, struct text text); /* in quotes */
void put_node(struct printer *p, const struct node *node);
void put_words(struct printer *p, const struct words *words, bool quoted);
void put_operand(struct printer *p, int32_t operand);
void put_facts(struct printer *p, const struct fact *facts);
void put_when(struct printer *p, const struct node *when);

#endif
