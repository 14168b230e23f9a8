/* oracle.h - graphs and tables of the planning oracles, for tests and tools.
 *
 * A graph file is "n r", n lines "size cost k op1 ... opk", and a line of the
 * r nodes that are returned. */
#ifndef REMAT_TESTS_ORACLE_H
#define REMAT_TESTS_ORACLE_H

#include "plan/problem.h"

#include <stdio.h>
#include <stdlib.h>

/* The next number of FILE, or 0 at its end. */
static inline uint64_t
oracle_number(FILE *file) {
  unsigned long long number = 0;
  return fscanf(file, "%llu", &number) == 1 ? number : 0;
}

/* The problem in the graph file PATH, or NULL where that cannot be read. */
static inline struct plan_problem *
oracle_read(const char *path, struct arena *arena) {
  FILE *file = fopen(path, "r");
  if (!file)
    return NULL;
  struct plan_builder builder = {.arena = arena};
  uint32_t nodes = (uint32_t)oracle_number(file);
  uint32_t returned = (uint32_t)oracle_number(file);
  for (uint32_t node = 0; node < nodes; node++) {
    uint64_t bytes = oracle_number(file), cost = oracle_number(file);
    uint32_t operands = (uint32_t)oracle_number(file);
    plan_add_node(&builder, cost, 0, 0);
    for (uint32_t i = 0; i < operands; i++)
      plan_add_operand(&builder, (uint32_t)oracle_number(file));
    plan_add_result(&builder, bytes, false);
  }
  for (uint32_t i = 0; i < returned; i++)
    builder.returned.data[oracle_number(file)] = true;
  fclose(file);
  return plan_finish(&builder);
}

#endif
