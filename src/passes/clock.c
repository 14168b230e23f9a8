/* clock.c - see clock.h: a walk over everything that runs, with a stack of
 * its own, so that deep nesting costs memory and not the C stack. */
#include "passes/clock.h"

#include <stdlib.h>
#include <string.h>

/* A body that is being walked: of a function (OP NONE), a region of OP, or a
 * function that OP alone calls. */
struct frame {
  op_id op;
  function_id function; /* of the body; NONE for a region */
  region_id region;
  block_id block; /* NONE: behind the last */
  uint32_t next_op;
  uint32_t next_call; /* among OP's calls: the next that may be inlined */
};

struct call_edge {
  function_id caller, callee;
};

struct walk {
  struct clock *clock;
  const struct ir_module *module;
  const struct facts *facts;
  struct arena *arena; /* scratch */
  bool *single;        /* by function: one caller, as control flow */
  function_id host;
  VECTOR(struct frame) stack;
  VECTOR(struct call_edge) edges; /* calls that are not inlined */
};

static uint32_t
tick(struct walk *walk, op_id op) {
  struct clock *clock = walk->clock;
  clock->tick_op[clock->tick_count] = op;
  return clock->tick_count++;
}

static void
begin_block(struct walk *walk, block_id block) {
  if (block != NONE)
    walk->clock->block_begin[block] = tick(walk, NONE);
}

/* Push the body REGION of OP or of FUNCTION. */
static void
push_body(struct walk *walk, op_id op, function_id function, region_id region) {
  struct frame frame = {
      op, function, region, walk->module->region_block[region], 0, 0};
  vector_push(walk->arena, &walk->stack, frame);
  if (function != NONE) {
    walk->clock->function_host[function] = walk->host;
    walk->clock->function_begin[function] = walk->clock->tick_count;
  }
  begin_block(walk, frame.block);
}

static bool
inlines(const struct walk *walk, const struct ir_call *call) {
  return call->role == CALL_FLOW && walk->single[call->callee];
}

/* The next callee of FRAME's op that runs on its clock, or NONE. */
static function_id
next_inlined(struct walk *walk, struct frame *frame) {
  uint32_t count;
  const struct ir_call *calls = ir_op_calls(walk->module, frame->op, &count);
  while (frame->next_call < count) {
    const struct ir_call *call = &calls[frame->next_call++];
    if (inlines(walk, call) &&
        walk->clock->function_begin[call->callee] == NONE)
      return call->callee;
  }
  return NONE;
}

/* Note the calls of OP that run on clocks of their own; does it call at all?
 */
static bool
note_calls(struct walk *walk, op_id op) {
  uint32_t count;
  bool flow = false;
  const struct ir_call *calls = ir_op_calls(walk->module, op, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (calls[i].role != CALL_FLOW)
      continue;
    flow = true;
    struct call_edge edge = {walk->host, calls[i].callee};
    if (!inlines(walk, &calls[i]))
      vector_push(walk->arena, &walk->edges, edge);
  }
  return flow;
}

/* The first region of OP whose values are stored, or NONE. */
static region_id
stored_region(const struct walk *walk, op_id op) {
  const struct ir_module *module = walk->module;
  region_id region = module->op_region[op];
  if (region == NONE || module->op_flags[op] & OP_FUNCTION)
    return NONE;
  block_id block = module->region_block[region];
  return block == NONE || walk->facts->block_stored[block] ? region : NONE;
}

static void
enter_op(struct walk *walk, op_id op) {
  struct clock *clock = walk->clock;
  clock->op_begin[op] = tick(walk, op);
  region_id region = stored_region(walk, op);
  bool calls = walk->module->calls.count && note_calls(walk, op);
  if (region == NONE && !calls) {
    clock->op_end[op] = clock->op_begin[op];
    return;
  }
  if (region != NONE) {
    push_body(walk, op, NONE, region);
    return;
  }
  struct frame frame = {op, NONE, NONE, NONE, 0, 0};
  function_id callee = next_inlined(walk, &frame);
  if (callee == NONE) {
    clock->op_end[op] = tick(walk, op);
    return;
  }
  push_body(walk, op, callee, walk->module->functions.data[callee].body);
  walk->stack.data[walk->stack.count - 1].next_call = frame.next_call;
}

/* The body on top of the stack is done: go on with its op's next one, or end
 * the op. */
static void
leave_body(struct walk *walk) {
  struct clock *clock = walk->clock;
  struct frame *frame = &walk->stack.data[walk->stack.count - 1];
  struct frame done = *frame;
  if (done.function != NONE)
    clock->function_end[done.function] = clock->tick_count - 1;
  region_id next =
      done.op == NONE ? NONE : walk->module->region_next[done.region];
  if (done.op != NONE && done.function == NONE && next != NONE) {
    frame->region = next;
    frame->block = walk->module->region_block[next];
    frame->next_op = 0;
    begin_block(walk, frame->block);
    return;
  }
  walk->stack.count--;
  if (done.op == NONE)
    return;
  function_id callee = next_inlined(walk, &done);
  if (callee == NONE) {
    clock->op_end[done.op] = tick(walk, done.op);
    return;
  }
  push_body(walk, done.op, callee, walk->module->functions.data[callee].body);
  walk->stack.data[walk->stack.count - 1].next_call = done.next_call;
}

static void
step(struct walk *walk) {
  const struct ir_module *module = walk->module;
  struct frame *frame = &walk->stack.data[walk->stack.count - 1];
  if (frame->block == NONE) {
    leave_body(walk);
  } else if (frame->next_op < module->block_op_count[frame->block]) {
    op_id op = ir_block_op(module, frame->block, frame->next_op++);
    enter_op(walk, op);
  } else {
    walk->clock->block_end[frame->block] = walk->clock->tick_count - 1;
    frame->block = module->block_next[frame->block];
    frame->next_op = 0;
    begin_block(walk, frame->block);
  }
}

static void
walk_function(struct walk *walk, function_id function) {
  const struct ir_function *f = &walk->module->functions.data[function];
  if (f->body == NONE || !walk->facts->function_stored[function] ||
      walk->clock->function_begin[function] != NONE)
    return;
  walk->host = function;
  push_body(walk, NONE, function, f->body);
  while (walk->stack.count)
    step(walk);
  tick(walk, NONE); /* belongs to no function: what ends with one, ends here */
}

/* Which functions have one caller only and are bodies of HLO's control flow,
 * which has no regions. */
static void
find_single(struct walk *walk) {
  const struct ir_module *module = walk->module;
  uint32_t count = module->functions.count;
  uint32_t *callers = ARENA_ARRAY(walk->arena, uint32_t, count);
  walk->single = ARENA_ARRAY(walk->arena, bool, count);
  for (uint32_t i = 0; i < module->calls.count; i++)
    if (module->calls.data[i].role == CALL_FLOW)
      callers[module->calls.data[i].callee]++;
  for (function_id i = 0; i < count; i++)
    walk->single[i] = callers[i] == 1 && !module->functions.data[i].entry &&
                      module->functions.data[i].op == NONE &&
                      module->functions.data[i].body != NONE;
}

static int
compare_edges(const void *a, const void *b) {
  const struct call_edge *x = a, *y = b;
  if (x->caller != y->caller)
    return x->caller < y->caller ? -1 : 1;
  return x->callee < y->callee ? -1 : x->callee > y->callee;
}

enum state { UNSEEN, OPEN, DONE };

/* A host whose calls are being followed. */
struct visit {
  function_id host;
  uint32_t next_edge;
};

/* Depth-first over calls, so that callees come before their callers. */
struct ordering {
  struct clock *clock;
  const struct call_edge *edges; /* by caller */
  uint32_t *first_edge;          /* by function and one more */
  uint8_t *state;                /* by function: enum state */
  struct visit *stack;
  uint32_t depth;
};

/* Follow the host of FUNCTION next, unless it was seen; a call of one whose
 * calls are still being followed is recursion. */
static void
visit(struct ordering *ordering, function_id function) {
  function_id host = ordering->clock->function_host[function];
  if (host == NONE)
    return;
  if (ordering->state[host] == OPEN)
    ordering->clock->recursive[host] = true;
  if (ordering->state[host] != UNSEEN)
    return;
  ordering->state[host] = OPEN;
  ordering->stack[ordering->depth++] =
      (struct visit){host, ordering->first_edge[host]};
}

static void
follow(struct ordering *ordering) {
  while (ordering->depth) {
    struct visit *top = &ordering->stack[ordering->depth - 1];
    if (top->next_edge < ordering->first_edge[top->host + 1]) {
      visit(ordering, ordering->edges[top->next_edge++].callee);
      continue;
    }
    ordering->state[top->host] = DONE;
    ordering->clock->order[ordering->clock->order_count++] = top->host;
    ordering->depth--;
  }
}

static void
order_functions(struct walk *walk) {
  uint32_t count = walk->module->functions.count;
  struct ordering ordering = {
      .clock = walk->clock,
      .edges = walk->edges.data,
      .first_edge = ARENA_ARRAY(walk->arena, uint32_t, count + 1),
      .state = ARENA_ARRAY(walk->arena, uint8_t, count),
      .stack = ARENA_ARRAY(walk->arena, struct visit, count),
  };
  if (walk->edges.count)
    qsort(walk->edges.data, walk->edges.count, sizeof *walk->edges.data,
          compare_edges);
  for (uint32_t i = 0; i < walk->edges.count; i++)
    ordering.first_edge[walk->edges.data[i].caller + 1]++;
  for (uint32_t i = 0; i < count; i++)
    ordering.first_edge[i + 1] += ordering.first_edge[i];
  for (function_id i = 0; i < count; i++) {
    visit(&ordering, i);
    follow(&ordering);
  }
}

static uint32_t *
column(struct arena *arena, uint32_t count) {
  uint32_t *numbers = ARENA_ARRAY(arena, uint32_t, count);
  memset(numbers, 0xff, (size_t)count * sizeof *numbers);
  return numbers;
}

struct clock *
clock_make(struct arena *arena, const struct ir_module *module,
           const struct facts *facts) {
  struct arena scratch = {0};
  struct clock *clock = ARENA_NEW(arena, struct clock);
  struct walk walk = {
      .clock = clock, .module = module, .facts = facts, .arena = &scratch};
  uint32_t count = module->functions.count;
  clock->tick_op = ARENA_ARRAY(
      arena, op_id, (size_t)2 * module->op_count + module->block_count + count);
  clock->op_begin = column(arena, module->op_count);
  clock->op_end = column(arena, module->op_count);
  clock->block_begin = column(arena, module->block_count);
  clock->block_end = column(arena, module->block_count);
  clock->function_begin = column(arena, count);
  clock->function_end = column(arena, count);
  clock->function_host = column(arena, count);
  clock->order = ARENA_ARRAY(arena, function_id, count);
  clock->recursive = ARENA_ARRAY(arena, bool, count);
  find_single(&walk);
  for (function_id i = 0; i < count; i++)
    if (!walk.single[i])
      walk_function(&walk, i);
  /* What is left over is called only from what never runs. */
  for (function_id i = 0; i < count; i++)
    walk_function(&walk, i);
  order_functions(&walk);
  arena_empty(&scratch);
  return clock;
}

function_id
clock_function(const struct clock *clock, const struct ir_module *module,
               uint32_t at) {
  for (function_id i = 0; i < module->functions.count; i++)
    if (clock->function_host[i] == i && clock->function_begin[i] <= at &&
        at <= clock->function_end[i])
      return i;
  return NONE;
}

bool
clock_inlines(const struct clock *clock, const struct ir_call *call) {
  return call->role == CALL_FLOW &&
         clock->function_host[call->callee] != NONE &&
         clock->function_host[call->callee] != call->callee;
}
