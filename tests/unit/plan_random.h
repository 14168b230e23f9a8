/* plan_random.h - random problems and a slow, obvious evaluator. */
#ifndef REMAT_TESTS_PLAN_RANDOM_H
#define REMAT_TESTS_PLAN_RANDOM_H

#include "plan/evaluate.h"

/* xorshift64*: the same numbers everywhere. */
struct random {
  uint64_t state;
};

static inline uint32_t
random_below(struct random *random, uint32_t limit) {
  random->state ^= random->state >> 12;
  random->state ^= random->state << 25;
  random->state ^= random->state >> 27;
  return (uint32_t)((random->state * 0x2545f4914f6cdd1dull) >> 33) % limit;
}

enum random_kind {
  RANDOM_PLAIN = 0,    /* one result a node, no extras */
  RANDOM_SEVERAL = 1,  /* up to three results */
  RANDOM_IN_PLACE = 2, /* some results in place of an operand */
  RANDOM_ONCE = 4,     /* some fixed nodes and edges */
  RANDOM_WORKSPACE = 8,
  RANDOM_ALL = 15,
};

/* A problem of NODES nodes with extras of KIND (bits of random_kind). */
static inline struct plan_problem *
random_problem(struct random *random, uint32_t nodes, unsigned kind,
               struct arena *arena) {
  struct plan_builder builder = {.arena = arena};
  for (uint32_t node = 0; node < nodes; node++) {
    bool once = kind & RANDOM_ONCE && !random_below(random, 6);
    uint32_t values = builder.bytes.count, operands = 0;
    plan_add_node(&builder, 1 + random_below(random, 9),
                  kind & RANDOM_WORKSPACE ? random_below(random, 30) : 0,
                  once ? PLAN_FIXED : 0);
    uint32_t reads = values ? random_below(random, 4) : 0;
    for (; operands < reads; operands++) {
      uint32_t window = random_below(random, 2) && values > 5 ? 5 : values;
      plan_add_operand(&builder, values - 1 - random_below(random, window));
    }
    if (kind & RANDOM_ONCE && node && !random_below(random, 12))
      plan_add_edge(&builder, random_below(random, node));
    uint32_t results = kind & RANDOM_SEVERAL ? random_below(random, 4) : 1;
    for (uint32_t i = 0; i < results; i++) {
      bool returned = !random_below(random, 10) || node + 1 == nodes;
      uint32_t value =
          plan_add_result(&builder, random_below(random, 40), returned);
      if (i == 0 && operands && kind & RANDOM_IN_PLACE &&
          random_below(random, 2))
        plan_set_in_place(&builder, value,
                          builder.operands.data[builder.operands.count - 1]);
    }
  }
  return plan_finish(&builder);
}

/* A plan of PROBLEM: program order with random clones put in. */
static inline struct plan_sequence
random_sequence(struct random *random, const struct plan_problem *problem,
                struct arena *arena) {
  struct plan_sequence sequence = {
      ARENA_ARRAY(arena, uint32_t, (size_t)problem->node_count * 4), 0};
  for (uint32_t node = 0; node < problem->node_count; node++) {
    for (uint32_t more = random_below(random, 3); node && more; more--) {
      uint32_t clone = random_below(random, node);
      if (!problem->once[clone])
        sequence.nodes[sequence.count++] = clone;
    }
    sequence.nodes[sequence.count++] = node;
  }
  return sequence;
}

/* Bytes live while position P of SEQUENCE runs, straight from the words of
 * problem.h: of every value that some instance at or before P leaves, is
 * there a reader at or after P that reads that very instance? */
static inline uint64_t
slow_live(const struct plan_problem *problem, struct plan_sequence sequence,
          uint32_t p) {
  uint64_t live = problem->workspace_bytes[sequence.nodes[p]];
  for (uint32_t value = 0; value < problem->value_count; value++) {
    uint32_t instance = PLAN_NONE, before = PLAN_NONE;
    for (uint32_t q = 0; q <= p; q++)
      if (sequence.nodes[q] == problem->producer[value]) {
        before = q < p ? q : before;
        instance = q;
      }
    if (instance == PLAN_NONE)
      continue;
    /* The one that is made at P, and the one that P or a later node reads. */
    bool made_here = instance == p;
    uint32_t kept = made_here ? before : instance;
    bool read_here = false, read_later = problem->returned[value];
    for (uint32_t i = problem->operand_begin[sequence.nodes[p]];
         i < problem->operand_begin[sequence.nodes[p] + 1]; i++)
      read_here |= problem->operands[i] == value;
    bool again = made_here;
    for (uint32_t q = p + 1; q < sequence.count && !again; q++) {
      for (uint32_t i = problem->operand_begin[sequence.nodes[q]];
           i < problem->operand_begin[sequence.nodes[q] + 1]; i++)
        read_later |= problem->operands[i] == value;
      if (sequence.nodes[q] == problem->producer[value]) {
        if (problem->returned[value]) {
          /* A later instance is what is returned. */
          read_later = false;
          for (uint32_t r = p + 1; r <= q; r++)
            for (uint32_t i = problem->operand_begin[sequence.nodes[r]];
                 i < problem->operand_begin[sequence.nodes[r] + 1]; i++)
              read_later |= problem->operands[i] == value;
        }
        again = true;
      }
    }
    uint64_t bytes = problem->bytes[value];
    if (made_here)
      live += bytes;
    else if (kept != PLAN_NONE && (read_here || read_later))
      live += bytes;
    if (made_here || read_later || !read_here)
      continue;
    for (uint32_t result = problem->result_begin[sequence.nodes[p]];
         result < problem->result_begin[sequence.nodes[p] + 1]; result++)
      if (problem->in_place[result] == value) {
        live -= bytes < problem->bytes[result] ? bytes : problem->bytes[result];
        break;
      }
  }
  return live;
}

static inline uint64_t
slow_peak(const struct plan_problem *problem, struct plan_sequence sequence) {
  uint64_t peak = 0;
  for (uint32_t p = 0; p < sequence.count; p++) {
    uint64_t live = slow_live(problem, sequence, p);
    peak = live > peak ? live : peak;
  }
  return peak;
}

#endif
