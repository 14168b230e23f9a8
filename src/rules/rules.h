/* rules.h - what a target says of the ops of a module.
 *
 *   tables  (struct rules)          made from rules/NAME.rules at build time,
 *                                   or from a file at run time: the same
 *   binding (struct rules_binding)  tables + a device + a module: each op
 *                                   name looked up once
 *   answers                         facts, bytes, cost, of one op at a time
 *
 * Facts say what an op is; they come from the dialects' files and decide
 * safety.  Bytes and cost come from the target's memory and recompute blocks.
 * Every answer knows the rule that gave it.  Answering allocates nothing but
 * for messages, and takes constant time for an op outside of regions. */
#ifndef REMAT_RULES_RULES_H
#define REMAT_RULES_RULES_H

#include "ir/ir.h"
#include "support/buffer.h"
#include "support/diagnostic.h"

struct rules;
struct rules_binding;

/* --- targets --- */

/* The built-in target NAME, or NULL. */
const struct rules *rules_builtin(const char *name);
uint32_t rules_builtin_count(void);
const struct rules *rules_builtin_at(uint32_t index);

/* The target that this build was made for. */
extern const char *const rules_default_target;

/* The files that were read, the main one first. */
struct file_list {
  const char **paths;
  uint32_t count;
};

struct rules_options {
  const char *const *include_dirs; /* -I, in order */
  uint32_t include_count;
  bool allow_include;      /* absolute paths, and paths out of the project */
  bool pedantic;           /* warn of figures without a source */
  bool no_expect;          /* do not run the expect lines */
  struct file_list *files; /* filled where it is not NULL */
};

/* Compile the file at PATH.  OPTIONS may be NULL.  NULL after errors, which
 * were diagnosed.  What is returned lives as long as ARENA. */
const struct rules *rules_compile_file(struct arena *arena,
                                       struct diagnostics *diagnostics,
                                       const char *path,
                                       const struct rules_options *options);

/* Append the rules of the file at PATH after includes, in normal form, to
 * OUT: own rules before included ones.  False after errors. */
bool rules_print_file(struct arena *arena, struct diagnostics *diagnostics,
                      const char *path, const struct rules_options *options,
                      struct buffer *out);

/* Make a module of one op out of TEXT ("stablehlo.add (tensor<4xf32>,
 * tensor<4xf32>) -> tensor<4xf32> {key = 1}"; "hlo " before the name for an
 * HLO op): what --price does.  NULL after errors; *OP is the op. */
const struct ir_module *rules_sample(struct arena *arena,
                                     struct diagnostics *diagnostics,
                                     const char *text, op_id *op);

const char *rules_name(const struct rules *rules);
const char *rules_description(const struct rules *rules);

/* --- devices --- */

uint32_t rules_device_count(const struct rules *rules);
const char *rules_device_name(const struct rules *rules, uint32_t device);
const char *rules_device_description(const struct rules *rules,
                                     uint32_t device);
/* Can it be chosen?  A family of devices, which gives no memory, cannot. */
bool rules_device_complete(const struct rules *rules, uint32_t device);
/* The device called NAME that can be chosen, the default one for NULL; NONE
 * if there is none. */
uint32_t rules_device_find(const struct rules *rules, const char *name);

/* Figure NAME of DEVICE ("memory", "usable", "host.memory"): bytes, ns, FLOP,
 * or quotients of these.  False where the device does not give it. */
bool rules_figure(const struct rules *rules, uint32_t device, const char *name,
                  double *value);

/* Bytes that programs may use on DEVICE: `usable`, else `memory`; 0 where
 * neither is given. */
uint64_t rules_usable_bytes(const struct rules *rules, uint32_t device);

/* The figure ("host.space") by which DEVICE has a memory domain with the space
 * SPACE (HLO's S(n)); NULL where that is the device's own memory. */
const char *rules_memory_domain(const struct rules *rules, uint32_t device,
                                uint32_t space);

/* --- classes --- */

uint32_t rules_class_count(const struct rules *rules);
const char *rules_class_name(const struct rules *rules, uint32_t class_id);
const char *rules_class_meaning(const struct rules *rules, uint32_t class_id);

/* --- fusion thresholds of the target --- */

struct rules_fusion {
  uint32_t depth;         /* virtual ops stacked under one value */
  uint64_t reduce_length; /* longer reduces count their input as stored */
  double slack;           /* how much more must be stored under a value */
  uint32_t operands;      /* most inputs of a fusion; 0 is no limit */
};

const struct rules_fusion *rules_fusion(const struct rules *rules);

/* --- facts --- */

enum fact_flag {
#define FACT_FLAG(id, word, meaning) FACT_BIT_##id,
#include "rules/facts.def"
#undef FACT_FLAG
  FACT_FLAG_COUNT
};

/* The same as bits: FACT_PURE and so on. */
enum fact_bits {
#define FACT_FLAG(id, word, meaning) FACT_##id = 1 << FACT_BIT_##id,
#include "rules/facts.def"
#undef FACT_FLAG
};

/* What a region, or a called computation, is to its op. */
enum fact_body {
  BODY_NONE,
  BODY_PLAIN,    /* runs once, where the op stands */
  BODY_FUSED,    /* one kernel: its values are never stored */
  BODY_REDUCER,  /* applied to elements: allocates nothing */
  BODY_LOOP,     /* runs again and again */
  BODY_BRANCH,   /* one of several runs */
  BODY_CALL,     /* the callee runs */
  BODY_FUNCTION, /* defines a function */
  BODY_MODULE,   /* holds functions */
};

enum fact_async { ASYNC_NONE, ASYNC_START, ASYNC_UPDATE, ASYNC_DONE };

/* Which operand: one of these, or a number from 0. */
enum fact_operand {
  OPERAND_NONE = -1,
  OPERAND_SAME = -2,        /* result i: operand i */
  OPERAND_DESTINATION = -3, /* result i: the i-th of the last operands */
  OPERAND_ANY = -4,         /* any */
};

/* A place in the rules files. */
struct rule_place {
  const char *file; /* NULL where there is none */
  uint32_t line;
};

/* Of one op.  Operand numbers are already counted from the front. */
struct op_facts {
  uint32_t class_id;  /* 0: unknown, nobody names the op */
  uint32_t flags;     /* FACT_... */
  const char *reason; /* of FACT_EFFECT, FACT_RANDOM or FACT_COLLECTIVE, or
                         NULL */
  int32_t alias;      /* results are this operand's storage */
  int32_t inplace;    /* results update this operand where it dies */
  int32_t reuses;     /* results may take this dying operand's place */
  enum fact_body body;
  enum fact_async async;
  int32_t carries_operand;  /* loop: operand CARRIES_OPERAND + i, argument */
  int32_t carries_argument; /* CARRIES_ARGUMENT + i, yield i, result i are
                               one; OPERAND_NONE where nothing is carried */
  uint32_t yields; /* terminator: the first operand that is forwarded */
  uint32_t counts; /* bit i: result i occupies memory; bit 31: and the rest */
  bool refused;    /* the target's fuser does not take it */
  const char *refused_reason;
  struct rule_place place;        /* what gave the class */
  struct rule_place safety_place; /* what gave the fact that forbids */
};

/* May it run twice?  A fact, which no target can change. */
bool facts_recomputable(const struct op_facts *facts);

/* Why not, in words ("random: hidden generator state"), or NULL. */
const char *facts_obstacle(struct arena *arena, const struct rules *rules,
                           const struct op_facts *facts);

/* --- binding --- */

/* Make ready to answer for MODULE on DEVICE, the default one for NONE.
 * Evaluation errors (a division
 * by zero in a rule) are diagnosed at RULES' places and at the op. */
struct rules_binding *rules_bind(struct arena *arena,
                                 struct diagnostics *diagnostics,
                                 const struct rules *rules, uint32_t device,
                                 const struct ir_module *module);

/* The facts of OP. */
void rules_facts(struct rules_binding *binding, op_id op,
                 struct op_facts *facts);

/* --- bytes --- */

enum rules_known {
  KNOWN,         /* from the types and the rules */
  KNOWN_ASSUMED, /* a dynamic size was assumed as the rules say */
  KNOWN_NOT,     /* nothing tells; counts as 0 */
};

/* Who said it. */
enum rules_evidence {
  EVIDENCE_NONE,
  EVIDENCE_ATTRIBUTE, /* in the dump */
  EVIDENCE_MEASURED,  /* a measured row of exactly this shape */
  EVIDENCE_RULE,
  EVIDENCE_DEFAULT,
};

struct rules_size {
  uint64_t bytes;
  enum rules_known known;
  enum rules_evidence evidence;
  struct rule_place place;
  const char *missing; /* KNOWN_NOT: what is not known; else NULL */
  int32_t alias;       /* the rule says: storage of this operand; else -1 */
};

/* Bytes of TYPE as result RESULT of OP; OP may be NONE (a block argument).
 * A tuple is the sum of its leaves, each sized by itself.  Does not ask
 * whether the result counts or is an alias: that is facts. */
struct rules_size rules_type_bytes(struct rules_binding *binding, op_id op,
                                   uint32_t result, type_id type);

/* The same for VALUE as it is, with attributes of the dump
 * (tessera.residual.retained_bytes) and `counts` taken into account. */
struct rules_size rules_value_bytes(struct rules_binding *binding,
                                    value_id value);

/* What OP needs besides its results: while it runs, and until the backward
 * pass. */
void rules_workspace(struct rules_binding *binding, op_id op,
                     uint64_t *workspace, uint64_t *carried);

/* Is OP a matrix product whose result has more dimensions than the stack of
 * matrices that it is computed as?  A compiler makes it in that shape. */
bool rules_is_folded(struct rules_binding *binding, op_id op);

/* An op before OP of which the rules say in all that they say of OP, and which
 * is its own model; or OP where none is known.  What was answered for it need
 * not be asked again.  To be asked of all ops, in their order. */
op_id rules_model(struct rules_binding *binding, op_id op);

/* --- cost --- */

enum rules_policy {
  POLICY_COST,    /* recompute it where that pays */
  POLICY_FREE,    /* costs nothing */
  POLICY_NEVER,   /* the target says no: REASON */
  POLICY_UNKNOWN, /* nobody can tell what it costs: MISSING */
};

struct rules_cost {
  uint64_t ns; /* 0 where not known */
  enum rules_policy policy;
  enum rules_evidence evidence;
  struct rule_place place;
  const char *reason;    /* POLICY_NEVER */
  const char *missing;   /* POLICY_UNKNOWN: what is not known */
  const char *attribute; /* EVIDENCE_ATTRIBUTE: which; else NULL */
};

/* What running OP once takes. */
struct rules_cost rules_op_cost(struct rules_binding *binding, op_id op);

/* Floating-point operations of OP, negative where not known, and bytes that
 * it reads and writes. */
double rules_op_flops(struct rules_binding *binding, op_id op);
double rules_op_moved(struct rules_binding *binding, op_id op);

/* TRIPS says, by op, how often loops run of which the dump does not say it; 0
 * where that is not known.  It must live as long as BINDING. */
void rules_tell_trips(struct rules_binding *binding, const uint64_t *trips);

/* How often the loop OP runs its body, negative where not known. */
double rules_trip_count(struct rules_binding *binding, op_id op);

/* Append to OUT why OP is classed, sized and priced as it is: rules with file
 * and line, each quantity's value, results. */
void rules_explain(struct rules_binding *binding, op_id op, struct buffer *out);

/* --- types that pretty forms do not print --- */

struct rules_implied_input {
  const type_id *operands; /* TYPE_NONE where not known */
  const type_id *printed;  /* those behind the op */
  uint32_t operand_count, printed_count;
  /* The type that is spelt SPELLING, or TYPE_NONE. */
  type_id (*parse)(void *user, struct text spelling);
  void *user;
};

enum {
  IMPLIED_NOTHING = -1, /* no fact says it: what is printed is the type */
  IMPLIED_UNKNOWN = -2, /* cannot be told */
};

/* The types of the COUNT results of the MLIR op NAME, from those of its
 * operands and those that are printed, into RESULTS.  Returns COUNT, 0 where
 * the op has no result whatever is printed, or one of the above.  New
 * spellings live in the arena of TYPES. */
int rules_implied_types(const struct rules *rules, struct type_table *types,
                        struct text name,
                        const struct rules_implied_input *input,
                        type_id *results, uint32_t count);

#endif
