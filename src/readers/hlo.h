/* hlo.h - what the files of the HLO reader share.
 *
 *   hlo_scan.c         words and brackets
 *   hlo_type.c         types with their layouts
 *   hlo_module.c       header, tables, computations
 *   hlo_instruction.c  instructions, their operands and attributes
 *   hlo_infer.c        result types that the text leaves out
 *   hlo_check.c        what must hold of an instruction
 *   hlo_literal.c      the value of a constant
 *   hlo_format.c       attributes of an op, names of clones
 *
 * An HLO module becomes: a function for each computation, with one region and
 * one block; an op for each instruction, called by its opcode, with one result
 * (of tuple type, if it is one); parameters are ops too.  Text that holds
 * several modules becomes one, with an entry function for each. */
#ifndef REMAT_READERS_HLO_H
#define REMAT_READERS_HLO_H

#include "ir/ir.h"
#include "readers/hlo_scan.h"

enum {
  HLO_ANY = 255,   /* any number of operands */
  HLO_DEPTH = 200, /* of types, operands and computations inside each other */
};

/* What is known of an opcode: KEEP WITH hlo_opcodes.def. */
struct hlo_opcode {
  const char *name;
  uint8_t least, most; /* operands */
  uint8_t like;        /* the operand whose type the result has, or HLO_ANY */
};

/* A called computation that is looked up when the module's end is seen. */
struct hlo_pending {
  uint32_t call; /* into module->calls */
  struct span name;
};

struct hlo_reader {
  struct hlo_cursor cursor;
  struct ir_module *module;
  const struct source *source;
  struct diagnostics *diagnostics;
  struct arena *scratch;
  uint32_t depth;

  struct string_table *opcodes; /* ids are rows of hlo_opcodes */
  struct string_table *values;  /* names of instructions, sigil taken off */
  value_id *value_of;           /* by name: the last so called, */
  function_id *value_scope;     /* and the computation it stands in */
  uint32_t value_room;
  struct string_table *computations;
  function_id *computation_of; /* by name: the last so called */
  uint32_t computation_room;
  VECTOR(struct hlo_pending) pending;

  /* the HloModule that is being read */
  uint32_t first_function, first_donation;
  function_id entry;
  struct span header; /* its attributes */
};

/* What an instruction says, before it is an op. */
struct hlo_operand {
  value_id value;
  type_id type; /* of the element that a path "#1#0" behind the name means */
  struct span text;
};

struct hlo_instruction {
  struct span name; /* empty for one inside of an operand list */
  type_id type;     /* TYPE_NONE where the text gives none */
  struct span opcode;
  struct span arguments; /* between its parentheses */
  VECTOR(struct hlo_operand) operands;
  op_id op;
};

extern const struct hlo_opcode hlo_opcodes[];
extern const uint32_t hlo_opcode_count;
extern const struct ir_format hlo_format;

/* Say what is wrong at SPAN, in words as printf takes them.  False, always. */
bool hlo_fail(struct hlo_reader *reader, struct span span, const char *format,
              ...) __attribute__((format(printf, 3, 4)));

/* Say that WHAT was expected here.  False. */
bool hlo_expected(struct hlo_reader *reader, const char *what);

/* Take CHARACTER, or say that it was expected. */
bool hlo_expect(struct hlo_reader *reader, char character);

/* A type; its number in *TYPE.  False after a message. */
bool hlo_read_type(struct hlo_reader *reader, type_id *type);

/* Are A and B the same but for layouts? */
bool hlo_same_type(const struct type_table *types, type_id a, type_id b);

/* An instruction as a line of BLOCK.  *ROOT says whether it was marked ROOT.
 * The op, or NONE after a message. */
op_id hlo_read_instruction(struct hlo_reader *reader, block_id block,
                           bool *root);

/* The instructions of a computation and its closing brace, as FUNCTION's body;
 * the opening one has been taken. */
bool hlo_read_body(struct hlo_reader *reader, function_id function);

/* A new function with a region and an empty block. */
function_id hlo_add_function(struct hlo_reader *reader, struct span text);

/* The type of INSTRUCTION's results as it follows from its operands; TYPE_NONE
 * where it does not. */
type_id hlo_infer_type(struct hlo_reader *reader,
                       const struct hlo_instruction *instruction);

/* Does INSTRUCTION, an op by now, keep the rules of its opcode? */
bool hlo_check(struct hlo_reader *reader,
               const struct hlo_instruction *instruction);

/* Is the text between a constant's parentheses a literal of TYPE? */
bool hlo_check_literal(struct hlo_reader *reader, struct span literal,
                       type_id type);

/* Where the attributes of the instruction in SCOPE begin; SCOPE itself where
 * it holds none but attributes. */
struct span hlo_attributes(const char *text, struct span scope);

#endif
