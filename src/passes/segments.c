/* segments.c - see segments.h.
 *
 * For each region of several blocks, over the buffers that cross from one of
 * its blocks to another: what each block does to them first and last, then
 * what is live into and out of each block, backwards until nothing changes,
 * then one segment for each block and buffer.
 *
 * Bit sets, so rounds * blocks * crossing buffers / 64; only what crosses
 * blocks is in them. */
#include "passes/segments.h"

#include <stdlib.h>
#include <string.h>

/* Buffer BUFFER is made or read at TICK in BLOCK. */
struct event {
  region_id region;
  block_id block;
  uint32_t buffer;
  uint32_t tick;
  bool read;
};

struct work {
  struct arena *arena, *scratch;
  const struct ir_module *module;
  const struct facts *facts;
  struct buffers *buffers;
  region_id *home;  /* by buffer: the outermost region that it is made in */
  uint32_t *number; /* by buffer: among those of its home */
  VECTOR(struct event) events;
};

static bool
crosses(const struct work *work, uint32_t buffer) {
  return buffer != NONE && work->buffers->flags[buffer] & BUFFER_SEGMENTED;
}

static block_id
block_of(const struct ir_module *module, value_id value) {
  op_id op = ir_value_op(module, value);
  return op == NONE ? ir_value_block(module, value) : module->op_block[op];
}

/* The block of REGION around BLOCK; *OP becomes the op in it, or stays where
 * BLOCK is that block. */
static block_id
lift(const struct ir_module *module, block_id block, region_id region,
     op_id *op) {
  while (block != NONE && module->block_region[block] != region) {
    *op = module->region_op[module->block_region[block]];
    block = *op == NONE ? NONE : module->op_block[*op];
  }
  return block;
}

/* An outer region has a lower number than those inside of it. */
static void
find_homes(struct work *work) {
  const struct ir_module *module = work->module;
  for (value_id value = 0; value < module->value_count; value++) {
    uint32_t end = facts_first_leaf(work->facts, value + 1);
    for (uint32_t leaf = facts_first_leaf(work->facts, value); leaf < end;
         leaf++) {
      uint32_t buffer = work->buffers->leaf_buffer[leaf];
      if (!crosses(work, buffer))
        continue;
      region_id region = module->block_region[block_of(module, value)];
      if (region < work->home[buffer])
        work->home[buffer] = region;
    }
  }
}

/* VALUE's leaves are read or made by OP (NONE: they are arguments of BLOCK).
 */
static void
note_event(struct work *work, value_id value, op_id op, block_id block,
           bool read) {
  const struct ir_module *module = work->module;
  const struct clock *clock = work->buffers->clock;
  uint32_t end = facts_first_leaf(work->facts, value + 1);
  for (uint32_t leaf = facts_first_leaf(work->facts, value); leaf < end;
       leaf++) {
    uint32_t buffer = work->buffers->leaf_buffer[leaf];
    if (!crosses(work, buffer))
      continue;
    op_id at = op;
    block_id outer = lift(module, block, work->home[buffer], &at);
    if (outer == NONE || clock->block_begin[outer] == NONE ||
        (at != NONE && clock->op_end[at] == NONE))
      continue;
    uint32_t tick = at == NONE         ? clock->block_begin[outer]
                    : read || at == op ? clock->op_end[at]
                                       : clock->op_begin[at];
    struct event event = {work->home[buffer], outer, buffer, tick, read};
    vector_push(work->scratch, &work->events, event);
  }
}

static void
note_events(struct work *work) {
  const struct ir_module *module = work->module;
  for (value_id value = 0; value < module->value_count; value++)
    note_event(work, value, ir_value_op(module, value), block_of(module, value),
               false);
  for (op_id op = 0; op < module->op_count; op++)
    for (uint32_t i = 0;
         module->op_block[op] != NONE && i < module->op_use_count[op]; i++)
      note_event(work, ir_operand(module, op, i), op, module->op_block[op],
                 true);
}

/* At one tick reads come before what is made. */
static int
compare_events(const void *a, const void *b) {
  const struct event *x = a, *y = b;
  if (x->region != y->region)
    return x->region < y->region ? -1 : 1;
  if (x->block != y->block)
    return x->block < y->block ? -1 : 1;
  if (x->buffer != y->buffer)
    return x->buffer < y->buffer ? -1 : 1;
  if (x->tick != y->tick)
    return x->tick < y->tick ? -1 : 1;
  return (int)y->read - (int)x->read;
}

/* Data flow over the blocks of one region. */
struct flow {
  uint32_t block_count, words;
  block_id *blocks;
  uint32_t *place;       /* by block of the module: among BLOCKS */
  uint32_t *first_event; /* by place and one more */
  uint32_t *buffers;     /* by number: the buffer */
  uint64_t *live_in, *live_out, *made; /* by place: WORDS words */
};

static bool
bit(const uint64_t *words, uint32_t number) {
  return words[number / 64] >> number % 64 & 1;
}

static void
set_bit(uint64_t *words, uint32_t number) {
  words[number / 64] |= UINT64_C(1) << number % 64;
}

/* The first event of a buffer in a block decides: read there, it is live into
 * the block; made there, it is not. */
static void
first_events(struct work *work, struct flow *flow) {
  for (uint32_t p = 0; p < flow->block_count; p++) {
    uint32_t last = NONE;
    for (uint32_t i = flow->first_event[p]; i < flow->first_event[p + 1]; i++) {
      const struct event *event = &work->events.data[i];
      if (event->buffer == last)
        continue;
      last = event->buffer;
      uint32_t number = work->number[event->buffer];
      set_bit((event->read ? flow->live_in : flow->made) + p * flow->words,
              number);
    }
  }
}

/* Take what is live into the blocks that place P may go to; true where that
 * changed anything. */
static bool
flow_back(struct work *work, struct flow *flow, uint32_t p) {
  const struct ir_module *module = work->module;
  block_id block = flow->blocks[p];
  uint32_t count = module->block_op_count[block], successors = 0;
  const struct ir_successor *successor = NULL;
  bool changed = false;
  if (count)
    successor = ir_op_successors(module, ir_block_op(module, block, count - 1),
                                 &successors);
  uint64_t *out = flow->live_out + p * flow->words;
  uint64_t *in = flow->live_in + p * flow->words;
  const uint64_t *made = flow->made + p * flow->words;
  for (uint32_t i = 0; i < successors; i++) {
    const uint64_t *next =
        flow->live_in + flow->place[successor[i].block] * flow->words;
    for (uint32_t w = 0; w < flow->words; w++)
      out[w] |= next[w];
  }
  for (uint32_t w = 0; w < flow->words; w++) {
    uint64_t live = in[w] | (out[w] & ~made[w]);
    changed |= live != in[w];
    in[w] = live;
  }
  return changed;
}

static void
add_segments(struct work *work, struct flow *flow, uint32_t p) {
  const struct clock *clock = work->buffers->clock;
  block_id block = flow->blocks[p];
  uint32_t at = flow->first_event[p], end = flow->first_event[p + 1];
  for (uint32_t number = 0; number < flow->words * 64; number++) {
    bool in = bit(flow->live_in + p * flow->words, number);
    bool out = bit(flow->live_out + p * flow->words, number);
    uint32_t buffer = flow->buffers[number];
    if (buffer == NONE)
      break;
    struct buffer_segment segment = {buffer, clock->block_begin[block],
                                     clock->block_begin[block]};
    bool touched = at < end && work->events.data[at].buffer == buffer;
    if (touched && !in)
      segment.begin = work->events.data[at].tick;
    for (; at < end && work->events.data[at].buffer == buffer; at++)
      segment.end = work->events.data[at].tick;
    if (out)
      segment.end = clock->block_end[block];
    if (in || out || touched)
      vector_push(work->arena, &work->buffers->segments, segment);
  }
}

/* All of REGION, whose events are FIRST up to END and whose crossing buffers
 * are BUFFERS, by number. */
static void
flow_region(struct work *work, struct flow *flow, region_id region,
            uint32_t first, uint32_t end) {
  const struct ir_module *module = work->module;
  struct arena *scratch = work->scratch;
  flow->block_count = 0;
  for (block_id b = module->region_block[region]; b != NONE;
       b = module->block_next[b])
    flow->block_count++;
  size_t words = (size_t)flow->block_count * flow->words;
  flow->blocks = ARENA_ARRAY(scratch, block_id, flow->block_count);
  flow->first_event =
      ARENA_ARRAY(scratch, uint32_t, (size_t)flow->block_count + 1);
  flow->live_in = ARENA_ARRAY(scratch, uint64_t, words);
  flow->live_out = ARENA_ARRAY(scratch, uint64_t, words);
  flow->made = ARENA_ARRAY(scratch, uint64_t, words);
  uint32_t p = 0, at = first;
  /* Blocks of a region have rising numbers, and so have their events. */
  for (block_id b = module->region_block[region]; b != NONE;
       b = module->block_next[b], p++) {
    flow->blocks[p] = b;
    flow->place[b] = p;
    flow->first_event[p] = at;
    while (at < end && work->events.data[at].block == b)
      at++;
  }
  flow->first_event[p] = at;
  first_events(work, flow);
  bool changed = true;
  while (changed) {
    changed = false;
    for (p = flow->block_count; p-- > 0;)
      changed |= flow_back(work, flow, p);
  }
  for (p = 0; p < flow->block_count; p++)
    add_segments(work, flow, p);
}

static int
compare_segments(const void *a, const void *b) {
  const struct buffer_segment *x = a, *y = b;
  if (x->buffer != y->buffer)
    return x->buffer < y->buffer ? -1 : 1;
  return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* Number the buffers whose home is REGION. */
static void
number_region(struct work *work, struct flow *flow, region_id region,
              const uint32_t *crossing, uint32_t count) {
  uint32_t numbers = 0;
  for (uint32_t i = 0; i < count; i++)
    numbers += work->home[crossing[i]] == region;
  flow->words = numbers / 64 + 1;
  flow->buffers = ARENA_ARRAY(work->scratch, uint32_t, flow->words * 64);
  memset(flow->buffers, 0xff, flow->words * 64 * sizeof *flow->buffers);
  numbers = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (work->home[crossing[i]] != region)
      continue;
    work->number[crossing[i]] = numbers;
    flow->buffers[numbers++] = crossing[i];
  }
}

void
segments_find(struct arena *arena, struct arena *scratch,
              const struct ir_module *module, const struct facts *facts,
              struct buffers *buffers) {
  struct work work = {.arena = arena,
                      .scratch = scratch,
                      .module = module,
                      .facts = facts,
                      .buffers = buffers};
  VECTOR(uint32_t) crossing = {0};
  for (uint32_t i = 0; i < buffers->count; i++)
    if (crosses(&work, i))
      vector_push(scratch, &crossing, i);
  if (crossing.count == 0)
    return;
  struct flow flow = {0};
  work.home = ARENA_ARRAY(scratch, region_id, buffers->count);
  memset(work.home, 0xff, buffers->count * sizeof *work.home);
  work.number = ARENA_ARRAY(scratch, uint32_t, buffers->count);
  flow.place = ARENA_ARRAY(scratch, uint32_t, module->block_count);
  find_homes(&work);
  note_events(&work);
  qsort(work.events.data, work.events.count, sizeof *work.events.data,
        compare_events);
  for (uint32_t first = 0, end; first < work.events.count; first = end) {
    region_id region = work.events.data[first].region;
    for (end = first;
         end < work.events.count && work.events.data[end].region == region;)
      end++;
    number_region(&work, &flow, region, crossing.data, crossing.count);
    flow_region(&work, &flow, region, first, end);
  }
  qsort(buffers->segments.data, buffers->segments.count,
        sizeof *buffers->segments.data, compare_segments);
  for (uint32_t i = 0; i < buffers->segments.count; i++) {
    const struct buffer_segment *segment = &buffers->segments.data[i];
    if (segment->begin < buffers->begin[segment->buffer])
      buffers->begin[segment->buffer] = segment->begin;
    if (segment->end > buffers->end[segment->buffer])
      buffers->end[segment->buffer] = segment->end;
  }
}

bool
buffers_live(const struct buffers *buffers, uint32_t buffer, uint32_t tick) {
  if (tick < buffers->begin[buffer] || tick > buffers->end[buffer])
    return false;
  if (!(buffers->flags[buffer] & BUFFER_SEGMENTED))
    return true;
  uint32_t low = 0, high = buffers->segments.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    const struct buffer_segment *segment = &buffers->segments.data[middle];
    if (segment->buffer < buffer ||
        (segment->buffer == buffer && segment->end < tick))
      low = middle + 1;
    else
      high = middle;
  }
  return low < buffers->segments.count &&
         buffers->segments.data[low].buffer == buffer &&
         buffers->segments.data[low].begin <= tick;
}
