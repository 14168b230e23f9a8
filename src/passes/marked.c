/* marked.c - see marked.h.
 *
 *   %a = gelu %x {remat.recompute}       %b = add %a.1, %x
 *   %b = add %a, %x                ==>   ...
 *   ...                                  planned: %a.1, %b, %a.2, ...
 *   %c = add %a, %b                      told:    %a, %b, %a, ...
 *
 * A reader takes the newest instance of what it reads, so two clones of an op
 * that planners have moved to before the readers of both are one, and the
 * other, which nothing reads, is left out.
 *
 * What stands several times because of what is around it, the body of a loop
 * that a marker repeats, stays as it is.  O(ops that are made). */
#include "passes/marked.h"

#include "passes/expand.h"
#include "passes/facts.h"
#include "passes/instances.h"
#include "passes/rebuild.h"

#include <string.h>

struct returning {
  struct program *program;
  const struct ir_module *m;    /* the input */
  const struct ir_module *made; /* by its markers */
  const uint8_t *selected;
  struct arena *arena, *scratch;
  uint32_t *copies;     /* by block of the input: how often it was made */
  uint32_t *newest;     /* by op of the input: place + 1 of its instance */
  uint32_t *newest_own; /* the same, of those that forward readers see */
};

struct read_places {
  VECTOR(uint32_t) places;
};

bool
marked_any(const struct program *program) {
  bool any = false;
  for (function_id f = 0; f < program->input->functions.count; f++)
    any |= program->plan->functions[f].marked > 0;
  return any;
}

struct projection
marked_erase(struct program *program) {
  struct projection projection;
  uint8_t *selected = program->plan->selected;
  projection_build(&projection, program->input, selected, program->scratch);
  for (op_id op = 0; op < program->input->op_count; op++)
    if ((selected[op] & PLAN_SELECTED) && !projection.kept[op])
      selected[op] |= PLAN_ERASED;
  return projection;
}

/* The plan that says what markers say, written out as sequences. */
static struct plan
written_out(struct program *program) {
  const struct projection projection = marked_erase(program);
  struct plan written = {.selected = program->plan->selected,
                         .functions = program->plan->functions};
  expand_selection(&written, program->input, &projection, program->arena);
  return written;
}

/* What markers say of the ops of MADE, selections apart: these are done. */
static struct plan *
plan_of_made(const struct program *program, const struct ir_module *made) {
  struct plan *plan = ARENA_NEW(program->arena, struct plan);
  plan->selected = ARENA_ARRAY(program->arena, uint8_t, made->op_count);
  plan->functions =
      ARENA_ARRAY(program->arena, struct plan_function, made->functions.count);
  for (op_id op = 0; op < made->op_count; op++)
    if (made->op_origin[op] != NONE)
      plan->selected[op] =
          program->plan->selected[made->op_origin[op]] & PLAN_KEEP;
  return plan;
}

struct program *
marked_program(struct program *program) {
  struct program *inner = ARENA_NEW(program->arena, struct program);
  const struct plan written = written_out(program);
  struct ir_module *made = rebuild_module(program->input, &written,
                                          program->arena, program->scratch);
  *inner = *program;
  inner->facts = facts_of_made(program, made);
  inner->buffers = buffers_find(program, made, inner->facts);
  inner->liveness = liveness_scan(program, made, inner->facts, inner->buffers);
  inner->plan = plan_of_made(program, made);
  inner->budget =
      ARENA_ARRAY(program->arena, struct budget, made->functions.count);
  memcpy(inner->budget, program->budget,
         program->input->functions.count * sizeof *inner->budget);
  inner->input = made;
  return inner;
}

/* --- back --- */

static struct returning
returning_to(struct program *program, const struct ir_module *made) {
  struct returning r = {.program = program,
                        .m = program->input,
                        .made = made,
                        .selected = program->plan->selected,
                        .arena = program->arena,
                        .scratch = program->scratch,
                        .copies = ARENA_ARRAY(program->scratch, uint32_t,
                                              program->input->block_count),
                        .newest = ARENA_ARRAY(program->scratch, uint32_t,
                                              program->input->op_count),
                        .newest_own = ARENA_ARRAY(program->scratch, uint32_t,
                                                  program->input->op_count)};
  for (block_id block = 0; block < made->block_count; block++)
    r.copies[made->block_origin[block]]++;
  return r;
}

/* The place + 1 of the instance of SOURCE that the op at a place reads, which
 * is a BACKWARD one or not. */
static uint32_t
instance_read(const struct returning *r, op_id source, bool backward) {
  return !backward && (r->selected[source] & PLAN_SCOPED)
             ? r->newest_own[source]
             : r->newest[source];
}

/* Mark what OP, at a place of BLOCK, and what is inside of it read. */
static void
note_reads(struct returning *r, const struct plan_block *block, op_id op,
           bool backward, struct read_places *reads) {
  for (uint32_t i = 0; i < r->m->op_use_count[op]; i++) {
    op_id source = ir_value_op(r->m, ir_operand(r->m, op, i));
    if (source == NONE || r->m->op_block[source] != block->block)
      continue;
    uint32_t place = instance_read(r, source, backward);
    if (place)
      vector_push(r->scratch, &reads->places, place - 1);
  }
  for (region_id region = r->m->op_region[op]; region != NONE;
       region = r->m->region_next[region])
    for (block_id b = r->m->region_block[region]; b != NONE;
         b = r->m->block_next[b])
      for (uint32_t i = 0; i < r->m->block_op_count[b]; i++)
        note_reads(r, block, ir_block_op(r->m, b, i), backward, reads);
}

/* Leave out instances that nothing reads, of ops that markers select. */
static void
drop_unread(struct returning *r, struct plan_block *block) {
  struct read_places reads = {0};
  uint32_t *first = ARENA_ARRAY(r->scratch, uint32_t, block->count + 1);
  bool *needed = ARENA_ARRAY(r->scratch, bool, block->count);
  for (uint32_t i = 0; i < block->count; i++) {
    op_id op = block->ops[i];
    bool backward = block->backward && block->backward[i];
    first[i] = reads.places.count;
    note_reads(r, block, op, backward, &reads);
    r->newest[op] = i + 1;
    if (!backward)
      r->newest_own[op] = i + 1;
    needed[i] = !(r->selected[op] & PLAN_SELECTED);
  }
  first[block->count] = reads.places.count;
  for (uint32_t i = block->count; i-- > 0;)
    for (uint32_t k = first[i]; needed[i] && k < first[i + 1]; k++)
      needed[reads.places.data[k]] = true;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < block->count; i++) {
    r->newest[block->ops[i]] = r->newest_own[block->ops[i]] = 0;
    if (!needed[i])
      continue;
    block->ops[kept] = block->ops[i];
    if (block->backward)
      block->backward[kept] = block->backward[i];
    kept++;
  }
  block->count = kept;
}

/* BLOCK of the made module in ops of the input. */
static struct plan_block
told_in_input(struct returning *r, const struct plan_block *block) {
  struct plan_block told = {.block = r->made->block_origin[block->block],
                            .count = block->count,
                            .ops = ARENA_ARRAY(r->arena, op_id, block->count),
                            .backward =
                                ARENA_ARRAY(r->arena, bool, block->count)};
  for (uint32_t i = 0; i < block->count; i++) {
    op_id op = block->ops[i];
    told.ops[i] = r->made->op_origin[op];
    told.backward[i] = (r->made->op_flags[op] & OP_BACKWARD) ||
                       (r->selected[told.ops[i]] & PLAN_BACKWARD);
  }
  drop_unread(r, &told);
  return told;
}

/* The blocks of JOB, and those that markers change in its functions. */
static void
return_job(struct returning *r, struct planning_job *job,
           const struct plan *written) {
  bool *has = ARENA_ARRAY(r->scratch, bool, r->m->block_count);
  const function_id *of = plan_functions_of_ops(r->program);
  uint32_t count = job->blocks.count;
  const struct plan_block *blocks = job->blocks.data;
  memset(&job->blocks, 0, sizeof job->blocks);
  for (uint32_t i = 0; i < count; i++) {
    struct plan_block told;
    if (r->copies[r->made->block_origin[blocks[i].block]] != 1)
      continue;
    told = told_in_input(r, &blocks[i]);
    has[told.block] = true;
    vector_push(r->arena, &job->blocks, told);
  }
  for (uint32_t i = 0; job->blocks.count && i < written->blocks.count; i++) {
    block_id block = written->blocks.data[i].block;
    if (!has[block] && r->m->block_op_count[block] &&
        of[ir_block_op(r->m, block, 0)] == job->function)
      vector_push(r->arena, &job->blocks, written->blocks.data[i]);
  }
}

void
marked_return(struct planning *planning, struct program *program) {
  struct returning r = returning_to(program, planning->program->input);
  const struct plan written = written_out(program);
  for (uint32_t j = 0; j < planning->jobs.count; j++) {
    struct planning_job *job = &planning->jobs.data[j];
    job->needed_bytes =
        budget_counted(&program->budget[job->function],
                       &program->liveness->functions[job->function]);
    return_job(&r, job, &written);
  }
  planning->program = program;
  planning_gather(planning);
}
