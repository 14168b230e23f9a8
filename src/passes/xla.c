/* xla.c - XLA's buffer assignment, in its order.
 *
 * Values; groups; what fits into places that are kept anyway; then, in the
 * order of ticks, temporaries that take over the place of an operand that dies
 * where they begin.  What comes of it is written as `struct buffers`. */
#include "passes/options.h"
#include "passes/xla.h"

#include <stdlib.h>
#include <string.h>

bool
xla_applies(const struct ir_module *module) {
  if (!module->scheduled || strcmp(module->format->name, "hlo") != 0)
    return false;
  uint8_t *callers = calloc(module->functions.count + 1, 1);
  bool single = callers != NULL;
  for (uint32_t i = 0; single && i < module->calls.count; i++) {
    const struct ir_call *call = &module->calls.data[i];
    if (call->role == CALL_FLOW && callers[call->callee]++)
      single = false;
  }
  free(callers);
  return single;
}

/* --- set-up --- */

static void
find_users(struct xla *xla) {
  const struct ir_module *m = xla->module;
  xla->first_user =
      ARENA_ARRAY(xla->scratch, uint32_t, (size_t)m->value_count + 2);
  xla->users = ARENA_ARRAY(xla->scratch, op_id, m->use_count);
  for (uint32_t use = 0; use < m->use_count; use++)
    xla->first_user[m->use_value[use] + 2]++;
  for (value_id value = 2; value <= m->value_count; value++)
    xla->first_user[value] += xla->first_user[value - 1];
  for (op_id op = 0; op < m->op_count; op++)
    for (uint32_t i = 0; i < m->op_use_count[op]; i++)
      xla->users[xla->first_user[ir_operand(m, op, i) + 1]++] = op;
}

static void
find_hosts(struct xla *xla) {
  const struct ir_module *m = xla->module;
  function_id *hosts = ARENA_ARRAY(xla->scratch, function_id, m->block_count);
  for (function_id id = 0; id < m->functions.count; id++) {
    region_id body = m->functions.data[id].body;
    for (block_id block = body == NONE ? NONE : m->region_block[body];
         block != NONE; block = m->block_next[block])
      hosts[block] = xla->clock->function_host[id];
  }
  for (uint32_t leaf = 0; leaf < xla->leaf_count; leaf++) {
    op_id op = xla_definer(xla, leaf);
    xla->leaf_host[leaf] = op == NONE ? NONE : hosts[m->op_block[op]];
  }
}

static uint32_t *
column(struct xla *xla) {
  return ARENA_ARRAY(xla->scratch, uint32_t, (size_t)xla->leaf_count + 1);
}

static void
set_up(struct xla *xla) {
  xla->source = column(xla);
  xla->leaf_value = column(xla);
  xla->leaf_type = column(xla);
  xla->begin = column(xla);
  xla->end = column(xla);
  xla->parent = column(xla);
  xla->leaf_host = column(xla);
  xla->donated = ARENA_ARRAY(xla->scratch, bool, xla->leaf_count);
  xla->returned = ARENA_ARRAY(xla->scratch, bool, xla->leaf_count);
  xla->elementwise =
      ARENA_ARRAY(xla->scratch, uint8_t, xla->module->value_count);
  find_users(xla);
}

/* --- taking over --- */

struct takeover {
  struct xla *xla;
  const uint32_t *place_of; /* by group */
  uint32_t *size_of;        /* by group: how many values it has */
  uint32_t *into;           /* by group: the one whose place it takes, or
                               itself */
  bool *taken;              /* by group */
};

static bool
reads(const struct ir_module *module, op_id op, value_id value) {
  for (uint32_t i = 0; i < module->op_use_count[op]; i++)
    if (ir_operand(module, op, i) == value)
      return true;
  return false;
}

/* May VALUE, made by OP, take the place of OTHER: an operand's own value that
 * ends here, shares with nobody and was not taken? */
static bool
may_take(struct takeover *takeover, uint32_t value, op_id op, uint32_t other) {
  struct xla *xla = takeover->xla;
  uint32_t group = xla_group(xla, other);
  if (xla->begin[other] == NONE || xla->end[other] != xla->begin[value] ||
      takeover->place_of[group] != NONE || takeover->size_of[group] != 1 ||
      takeover->taken[group])
    return false;
  value_id from = xla->leaf_value[other];
  uint32_t result = value - xla_leaf(xla, ir_result(xla->module, op, 0), 0);
  return reads(xla->module, op, from) &&
         type_get(xla->module->types, xla->leaf_type[other])->memory_space ==
             type_get(xla->module->types, xla->leaf_type[value])
                 ->memory_space &&
         xla_can_share(xla, op, result, from, other - xla_leaf(xla, from, 0));
}

static void
take_over(struct takeover *takeover, uint32_t value) {
  struct xla *xla = takeover->xla;
  const struct ir_module *module = xla->module;
  uint32_t group = xla_group(xla, value);
  op_id op = xla_definer(xla, value);
  if (takeover->place_of[group] != NONE || takeover->size_of[group] != 1)
    return;
  for (uint32_t i = 0; i < module->op_use_count[op]; i++) {
    value_id operand = ir_operand(module, op, i);
    for (uint32_t k = 0; k < xla_leaves(xla, operand); k++) {
      uint32_t other = xla->source[xla_leaf(xla, operand, k)];
      if (!may_take(takeover, value, op, other))
        continue;
      uint32_t place = xla_group(xla, other);
      takeover->taken[place] = true;
      takeover->into[group] = takeover->into[place];
      return;
    }
  }
}

/* In the order of ticks: by the op that is there, whose leaves are in a row. */
static void
take_over_all(struct takeover *takeover) {
  struct xla *xla = takeover->xla;
  const struct clock *clock = xla->clock;
  for (uint32_t leaf = 0; leaf < xla->leaf_count; leaf++) {
    takeover->into[leaf] = leaf;
    if (xla->source[leaf] == leaf && xla->begin[leaf] != NONE)
      takeover->size_of[xla_group(xla, leaf)]++;
  }
  for (uint32_t tick = 0; tick < clock->tick_count; tick++) {
    op_id op = clock->tick_op[tick];
    if (op == NONE || clock->op_end[op] != tick)
      continue;
    value_id result = ir_result(xla->module, op, 0);
    for (uint32_t k = 0; k < xla_leaves(xla, result); k++) {
      uint32_t leaf = xla_leaf(xla, result, k);
      if (xla->source[leaf] == leaf && xla->begin[leaf] == tick)
        take_over(takeover, leaf);
    }
  }
}

/* --- buffers --- */

struct output {
  struct xla *xla;
  struct program *program;
  struct buffers *buffers;
  VECTOR(struct buffer_segment) pieces;
};

/* What VALUE makes of its buffer. */
static uint8_t
flags_of(const struct xla *xla, uint32_t value) {
  const struct clock *clock = xla->clock;
  op_id op = xla_definer(xla, value);
  uint8_t flags = 0;
  if (facts_has(xla->facts, op, FACT_CONSTANT))
    flags |= BUFFER_CONSTANT;
  if (facts_has(xla->facts, op, FACT_ARGUMENT) &&
      clock->block_begin[xla->module->op_block[op]] ==
          clock->function_begin[xla->leaf_host[value]])
    flags |= BUFFER_ARGUMENT;
  if (xla->donated[value])
    flags |= BUFFER_DONATED;
  if (xla->end[value] == clock->tick_count)
    flags |= BUFFER_RESULT;
  return flags;
}

/* VALUE is in BUFFER. */
static void
add_value(struct output *output, uint32_t value, uint32_t buffer) {
  struct xla *xla = output->xla;
  struct buffers *buffers = output->buffers;
  function_id host = xla->leaf_host[value];
  uint8_t flags = flags_of(xla, value);
  struct buffer_segment piece = {buffer, xla->begin[value], xla->end[value]};
  bool held = output->program->options->arguments == ARGUMENTS_HELD;
  if ((flags & (BUFFER_ARGUMENT | BUFFER_DONATED)) == BUFFER_ARGUMENT && held)
    piece.end = xla->clock->tick_count;
  if (piece.end > xla->clock->function_end[host])
    piece.end = xla->clock->function_end[host];
  vector_push(output->program->scratch, &output->pieces, piece);
  buffers->flags[buffer] |= flags;
  /* Other memories, S(n), are pools of their own. */
  if (type_get(xla->module->types, xla->leaf_type[value])->memory_space)
    return;
  if (buffers->bytes[buffer] < xla->facts->leaf_bytes[value])
    buffers->bytes[buffer] = xla->facts->leaf_bytes[value];
}

static int
compare_pieces(const void *a, const void *b) {
  const struct buffer_segment *x = a, *y = b;
  if (x->buffer != y->buffer)
    return x->buffer < y->buffer ? -1 : 1;
  return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* Pieces that touch become one; a buffer with several is segmented. */
static void
join_pieces(struct output *output) {
  struct buffers *buffers = output->buffers;
  struct arena *arena = output->program->arena;
  if (output->pieces.count)
    qsort(output->pieces.data, output->pieces.count,
          sizeof *output->pieces.data, compare_pieces);
  for (uint32_t i = 0; i < output->pieces.count;) {
    struct buffer_segment piece = output->pieces.data[i++];
    uint32_t first = buffers->segments.count;
    buffers->begin[piece.buffer] = piece.begin;
    for (; i < output->pieces.count &&
           output->pieces.data[i].buffer == piece.buffer;
         i++) {
      const struct buffer_segment *next = &output->pieces.data[i];
      if (next->begin > piece.end + 1) {
        vector_push(arena, &buffers->segments, piece);
        piece.begin = next->begin;
      }
      if (piece.end < next->end)
        piece.end = next->end;
    }
    buffers->end[piece.buffer] = piece.end;
    if (buffers->segments.count == first)
      continue;
    vector_push(arena, &buffers->segments, piece);
    buffers->flags[piece.buffer] |= BUFFER_SEGMENTED;
  }
}

static void
number_buffers(struct output *output, const struct takeover *takeover,
               uint32_t places) {
  struct xla *xla = output->xla;
  struct buffers *buffers = output->buffers;
  struct arena *arena = output->program->arena;
  uint32_t *number = column(xla);
  uint32_t *place_number =
      ARENA_ARRAY(output->program->scratch, uint32_t, (size_t)places + 1);
  uint32_t room = xla->leaf_count;
  buffers->leaf_buffer = ARENA_ARRAY(arena, uint32_t, room);
  buffers->bytes = ARENA_ARRAY(arena, uint64_t, room);
  buffers->begin = ARENA_ARRAY(arena, uint32_t, room);
  buffers->end = ARENA_ARRAY(arena, uint32_t, room);
  buffers->value = ARENA_ARRAY(arena, value_id, room);
  buffers->flags = ARENA_ARRAY(arena, uint8_t, room);
  for (uint32_t leaf = 0; leaf < xla->leaf_count; leaf++) {
    uint32_t value = xla->source[leaf], group = xla_group(xla, leaf);
    uint32_t place = takeover->place_of[group];
    buffers->leaf_buffer[leaf] = NONE;
    if (xla->begin[value] == NONE)
      continue;
    uint32_t *slot =
        place != NONE ? &place_number[place] : &number[takeover->into[group]];
    if (*slot == 0) {
      buffers->value[buffers->count] = xla->leaf_value[value];
      *slot = ++buffers->count;
    }
    buffers->leaf_buffer[leaf] = *slot - 1;
    if (value == leaf)
      add_value(output, value, *slot - 1);
  }
  join_pieces(output);
}

/* MODULE's values and groups. */
static struct xla
begin(struct program *program, const struct ir_module *module,
      const struct facts *facts, const struct clock *clock) {
  struct xla xla = {.module = module,
                    .facts = facts,
                    .clock = clock,
                    .scratch = program->scratch,
                    .leaf_count = facts->leaf_count};
  set_up(&xla);
  xla_find_values(&xla);
  find_hosts(&xla);
  xla_find_groups(&xla);
  return xla;
}

struct buffers *
xla_buffers(struct program *program, const struct ir_module *module,
            const struct facts *facts, const struct clock *clock) {
  struct xla xla = begin(program, module, facts, clock);
  struct output output = {.xla = &xla, .program = program};
  struct takeover takeover = {.xla = &xla};
  uint32_t places;
  takeover.place_of = xla_place(&xla, &places);
  takeover.size_of = column(&xla);
  takeover.into = column(&xla);
  takeover.taken = ARENA_ARRAY(program->scratch, bool, xla.leaf_count);
  take_over_all(&takeover);
  output.buffers = ARENA_NEW(program->arena, struct buffers);
  output.buffers->clock = clock;
  number_buffers(&output, &takeover, places);
  return output.buffers;
}

/* Can result leaf RESULT of OP be put where an operand has one? */
static bool
takes_some(struct xla *xla, op_id op, uint32_t result) {
  for (uint32_t i = 0; i < xla->module->op_use_count[op]; i++) {
    value_id operand = ir_operand(xla->module, op, i);
    for (uint32_t k = 0; k < xla_leaves(xla, operand); k++)
      if (xla_can_share(xla, op, result, operand, k))
        return true;
  }
  return false;
}

const bool *
xla_takers(struct program *program, const struct ir_module *module,
           const struct facts *facts, const struct clock *clock) {
  struct xla xla = begin(program, module, facts, clock);
  bool *takes = ARENA_ARRAY(program->scratch, bool, xla.leaf_count);
  for (uint32_t leaf = 0; leaf < xla.leaf_count; leaf++) {
    op_id op = xla_definer(&xla, leaf);
    if (xla.source[leaf] == leaf && xla.begin[leaf] != NONE)
      takes[leaf] = takes_some(
          &xla, op, leaf - xla_leaf(&xla, ir_result(module, op, 0), 0));
  }
  return takes;
}

static struct xla_conflicts
conflicts_of(struct program *program, const struct ir_module *module,
             const struct facts *facts, const struct clock *clock) {
  struct xla_conflicts found = {NULL, 0, 0};
  struct xla xla = begin(program, module, facts, clock);
  xla_find_conflicts(&xla, &found, program->scratch);
  return found;
}

static op_id
origin_of(const struct ir_module *made, op_id op) {
  return op == NONE ? NONE : made->op_origin[op];
}

/* Did the input have CONFLICT of MADE as well, among OLD ones? */
static bool
was_there(const struct ir_module *made, const struct xla_conflicts *old,
          struct xla_conflict conflict) {
  for (uint32_t i = 0; i < old->count; i++)
    if (old->data[i].reader == origin_of(made, conflict.reader) &&
        old->data[i].writer == origin_of(made, conflict.writer))
      return true;
  return false;
}

struct xla_conflicts
xla_new_conflicts(struct program *program, const struct ir_module *made,
                  const struct facts *facts, const struct clock *clock) {
  struct xla_conflicts found = {NULL, 0, 0};
  if (!xla_applies(made))
    return found;
  found = conflicts_of(program, made, facts, clock);
  if (!found.count)
    return found;
  struct xla_conflicts old = conflicts_of(
      program, program->input, program->facts, program->buffers->clock);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < found.count; i++)
    if (!was_there(made, &old, found.data[i]))
      found.data[kept++] = found.data[i];
  found.count = kept;
  return found;
}
