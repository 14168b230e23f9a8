/* builtin.c - the targets that are compiled in.
 *
 * The build makes gen/targets.c, which lists the tables of rules/NAME.rules,
 * one for each file there. */
#include "rules/tables.h"

#include <string.h>

extern const struct rules *const rules_builtin_tables[]; /* ends with NULL */

uint32_t
rules_builtin_count(void) {
  uint32_t count = 0;
  while (rules_builtin_tables[count])
    count++;
  return count;
}

const struct rules *
rules_builtin_at(uint32_t index) {
  return rules_builtin_tables[index];
}

const struct rules *
rules_builtin(const char *name) {
  for (uint32_t i = 0; rules_builtin_tables[i]; i++)
    if (strcmp(rules_builtin_tables[i]->name, name) == 0)
      return rules_builtin_tables[i];
  return NULL;
}
