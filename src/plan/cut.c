/* cut.c - see cut.h.
 *
 * What is demanded is kept (x) or runs again (y), and what runs again needs
 * its operands kept or run again:
 *
 *   least sum of cost * y    with  sum of bytes * x <= room,
 *   x + y >= 1 where demanded,  y(v) implies x + y >= 1 for v's operands.
 *
 * The bound on bytes gets a price: for every L >= 0 the least of sum cost * y
 * + L * (sum bytes * x - room) is a lower bound, and without that constraint
 * it is a minimal cut: node v is two vertices, needed (pays L * bytes) and
 * run again (pays cost - L * bytes on top), and choosing one forces others.
 * The best L is found by bisection: kept bytes over the room ask for a higher
 * one.  That is as good as the linear relaxation.
 *
 * Any flow is a lower bound too, so the effort is limited: where it ends, the
 * best so far is the answer.
 *
 * Amounts are integers of a 256th of a nanosecond, prices of kept bytes
 * rounded down, what is taken off rounded up: the bound stays a bound. */
#include "plan/cut.h"
#include "plan/max_flow.h"

#include <math.h>

enum { STEPS = 16, DOUBLINGS_MAX = 40 };
#define FRACTION 256.0
#define PROMISING 0.97

/* Vertices: the source, the sink, then two for each node. */
enum { SOURCE, SINK, FIRST };

static uint32_t
needed_vertex(uint32_t node) {
  return FIRST + 2 * node;
}

static uint32_t
again_vertex(uint32_t node) {
  return FIRST + 2 * node + 1;
}

/* Bytes that keeping what is needed of NODE takes at least. */
static uint64_t
kept_bytes(const struct plan_cut *cut, uint32_t node) {
  const struct plan_problem *problem = cut->problem;
  uint64_t least = UINT64_MAX;
  if (cut->demand[node])
    return cut->demand[node];
  for (uint32_t value = problem->result_begin[node];
       value < problem->result_begin[node + 1]; value++)
    least = problem->bytes[value] < least ? problem->bytes[value] : least;
  return least;
}

static int64_t
amount(double nanoseconds) {
  double scaled = nanoseconds * FRACTION;
  return scaled < 4e17 ? (int64_t)scaled : (int64_t)4e17;
}

/* Edges of NODE at PRICE; returns what is paid whatever is chosen. */
static int64_t
add_node(const struct plan_cut *cut, struct flow_network *network,
         uint32_t node, double price) {
  const struct plan_problem *problem = cut->problem;
  int64_t keep = amount(price * (double)kept_bytes(cut, node));
  int64_t again = amount((double)problem->cost_ns[node]) - keep;
  int64_t constant = 0;
  if (cut->demand[node])
    constant = keep;
  else
    flow_edge(network, needed_vertex(node), SINK, keep);
  if (problem->once[node])
    return constant;
  if (again >= 0)
    flow_edge(network, again_vertex(node), SINK, again);
  else
    flow_edge(network, SOURCE, again_vertex(node), -again);
  constant += again < 0 ? again : 0;
  if (!cut->demand[node])
    flow_edge(network, again_vertex(node), needed_vertex(node),
              MAX_FLOW_ENDLESS);
  for (uint32_t i = problem->operand_begin[node];
       i < problem->operand_begin[node + 1]; i++) {
    uint32_t operand = problem->producer[problem->operands[i]];
    if (!cut->own[operand] && !cut->demand[operand])
      flow_edge(network, again_vertex(node), needed_vertex(operand),
                MAX_FLOW_ENDLESS);
  }
  return constant;
}

/* The least at PRICE, in FRACTIONs; *KEPT gets the bytes that are kept. */
static double
least_at(const struct plan_cut *cut, double price, double *kept) {
  struct arena scratch = {0};
  struct flow_network network = {.arena = &scratch, .effort = *cut->effort};
  uint32_t nodes = cut->problem->node_count;
  int64_t constant = 0;
  flow_begin(&network, FIRST + 2 * nodes);
  for (uint32_t node = 0; node < nodes; node++)
    if (cut->above[node] && !cut->own[node])
      constant += add_node(cut, &network, node, price);
  int64_t flow = flow_most(&network, SOURCE, SINK);
  *cut->effort = network.effort;
  *kept = 0;
  for (uint32_t node = 0; node < nodes; node++) {
    /* What the source still reaches is chosen. */
    bool needed =
        cut->above[node] && !cut->own[node] &&
        (cut->demand[node] || network.level[needed_vertex(node)] != UINT32_MAX);
    if (needed && network.level[again_vertex(node)] == UINT32_MAX)
      *kept += (double)kept_bytes(cut, node);
  }
  arena_empty(&scratch);
  return (double)constant + (double)flow - price * (double)cut->room * FRACTION;
}

/* A price at which all that is kept has room: doubled until it is enough. */
static double
enough_price(const struct plan_cut *cut, double *best) {
  double cost = 0, bytes = 1, kept;
  for (uint32_t node = 0; node < cut->problem->node_count; node++)
    if (cut->above[node]) {
      cost += (double)cut->problem->cost_ns[node];
      bytes += (double)kept_bytes(cut, node);
    }
  double price = cost / bytes / 64;
  for (uint32_t i = 0; i < DOUBLINGS_MAX && *cut->effort; i++, price *= 2) {
    double least = least_at(cut, price, &kept);
    *best = least > *best ? least : *best;
    if (kept <= (double)cut->room)
      break;
  }
  return price;
}

/* Could this cut show more than those before?  At the price that was best for
 * them it shows nearly as much then. */
static bool
is_promising(const struct plan_cut *cut, double *best) {
  double kept;
  if (*cut->best <= 0)
    return true;
  *best = least_at(cut, *cut->price, &kept);
  return *best >= *cut->best * PROMISING;
}

/* The best price by bisection. */
static void
find_price(const struct plan_cut *cut, double *best) {
  double high = enough_price(cut, best), low = high / 2, kept;
  for (uint32_t i = 0; i < STEPS && *cut->effort; i++) {
    double price = low + (high - low) / 2;
    double least = least_at(cut, price, &kept);
    *best = least > *best ? least : *best;
    if (kept > (double)cut->room)
      low = price;
    else
      high = price;
  }
  if (*best <= *cut->best)
    return;
  *cut->best = *best;
  *cut->price = high;
}

uint64_t
plan_cut_extra(const struct plan_cut *cut) {
  double best = 0;
  if (is_promising(cut, &best))
    find_price(cut, &best);
  /* Stay below what rounding of doubles may have added; plans cost whole
   * nanoseconds. */
  best = ceil(best / FRACTION * (1 - 1e-9));
  return best > 0 ? (uint64_t)best : 0;
}
