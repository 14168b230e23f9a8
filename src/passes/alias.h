/* alias.h - what the files of the pass `alias` share.
 *
 *   alias.c        leaves, views and forwarding, uses, functions, numbers
 *   alias_flow.c   what control flow hands on
 *   alias_place.c  updates in place */
#ifndef REMAT_PASSES_ALIAS_H
#define REMAT_PASSES_ALIAS_H

#include "passes/storage.h"

struct alias {
  struct program *program;
  const struct ir_module *module;
  const struct facts *facts;
  const struct clock *clock;
  struct storage storage;
  function_id *region_function; /* by region: whose body it is, or NONE */
};

/* The leaves of VALUE: the first, and how many. */
static inline uint32_t
alias_leaves(const struct alias *alias, value_id value, uint32_t *first) {
  *first = facts_first_leaf(alias->facts, value);
  return facts_first_leaf(alias->facts, value + 1) - *first;
}

/* VALUE_B lives in VALUE_A's storage, leaf by leaf from OFFSET on, and brings
 * none of its own. */
void alias_share(struct alias *alias, value_id a, uint32_t offset, value_id b);

/* A and B are one storage, of the larger's size. */
void alias_unite(struct alias *alias, value_id a, value_id b);

/* VALUE's storage gets FLAGS and is needed at END. */
void alias_flag(struct alias *alias, value_id value, uint8_t flags,
                uint32_t end);

/* Join what control flow hands on and does not change. */
void alias_join_bodies(struct alias *alias);

/* Join results that are made in the place of what dies there. */
void alias_update_ops(struct alias *alias);

#endif
