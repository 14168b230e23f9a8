/* hlo.h - what the files of the HLO reader share.
 *
 *   hlo_scan.c         words and brackets
 *   hlo_type.c         types with their layouts
 *   hlo_names.c        names, messages
 *   hlo_module.c       header, tables; the reader
 *   hlo_header.c       what the header says of storage
 *   hlo_computation.c  computations
 *   hlo_instruction.c  instructions and their operands
 *   hlo_attribute.c    their attributes: called computations, controls
 *   hlo_infer.c        result types that the text leaves out
 *   hlo_check.c        what must hold of an instruction
 *   hlo_literal.c      the value of a constant
 *   hlo_format.c       attributes of an op, names of clones
 *   hlo_spell.c        new ops and loops as text
 *   hlo_canonical.c    what an op says, however it is written
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

/* What a name meant before a definition inside of a computation that is
 * written in place. */
struct hlo_meaning {
  uint32_t name, meaning, scope;
};

/* Names of one kind and what each stands for; the last so called counts. */
struct hlo_names {
  struct string_table *table;
  uint32_t *meaning; /* by name */
  uint32_t *scope;   /* by name: where that meaning holds */
  uint32_t room;
  bool keeping; /* what definitions replace */
  VECTOR(struct hlo_meaning) kept;
};

struct hlo_reader {
  struct hlo_cursor cursor;
  struct ir_module *module;
  const struct source *source;
  struct diagnostics *diagnostics;
  struct arena *scratch;
  uint32_t depth; /* of what is inside each other here */

  struct string_table *opcodes;  /* ids are rows of hlo_opcodes */
  struct hlo_names values;       /* scope: the function */
  struct hlo_names computations; /* scope: the HloModule's number */
  VECTOR(struct hlo_pending) pending;
  function_id function; /* whose body is being read */

  /* the HloModule that is being read */
  uint32_t section;
  uint32_t first_function, first_donation;
  function_id entry;  /* marked ENTRY, or NONE */
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
  uint32_t row;          /* of hlo_opcodes, STRING_NONE for X-start and so on */
  struct span arguments; /* between its parentheses */
  VECTOR(struct hlo_operand) operands;
  op_id op;
};

extern const struct hlo_opcode hlo_opcodes[];
extern const uint32_t hlo_opcode_count;
extern const struct ir_format hlo_format;
extern const struct ir_spelling hlo_spelling; /* hlo_spell.c */

/* See `struct ir_format`. */
void hlo_canonical(struct buffer *out, const struct ir_module *module,
                   op_id op);

/* Say what is wrong at SPAN, in words as printf takes them.  False, always. */
bool hlo_fail(struct hlo_reader *reader, struct span span, const char *format,
              ...) __attribute__((format(printf, 3, 4)));

/* Say that WHAT was expected here.  False. */
bool hlo_expected(struct hlo_reader *reader, const char *what);

/* Take CHARACTER, or say that it was expected. */
bool hlo_expect(struct hlo_reader *reader, char character);

/* The meaning that NAME, its sigil aside, has in SCOPE, or NONE. */
uint32_t hlo_look_up(const struct hlo_names *names, struct text name,
                     uint32_t scope);

/* Let NAME mean MEANING in SCOPE.  False if it means something there. */
bool hlo_define(struct hlo_names *names, struct text name, uint32_t meaning,
                uint32_t scope);

/* Bring back what names meant when FIRST meanings had been kept. */
void hlo_restore(struct hlo_names *names, uint32_t first);

/* Say that no WHAT is called as SPAN says, and which name is near. */
bool hlo_unknown(struct hlo_reader *reader, const struct hlo_names *names,
                 struct span span, const char *what);

/* SPAN without '%' before it. */
struct text hlo_plain_name(const struct hlo_reader *reader, struct span span);

/* A type; its number in *TYPE.  False after a message. */
bool hlo_read_type(struct hlo_reader *reader, type_id *type);

/* Are A and B the same but for layouts? */
bool hlo_same_type(const struct type_table *types, type_id a, type_id b);

/* The type that SPELLING, made in the module's arena, says. */
type_id hlo_type_of_spelling(struct hlo_reader *reader, struct text spelling);

/* An instruction as a line of the reader's function.  *ROOT says whether it was
 * marked ROOT.  False after a message. */
bool hlo_read_instruction(struct hlo_reader *reader, bool *root);

/* The attributes behind OP's operands. */
bool hlo_read_attributes(struct hlo_reader *reader, op_id op);

/* A computation, header and all. */
bool hlo_read_computation(struct hlo_reader *reader);

/* The instructions of a computation and its closing brace, as FUNCTION's body;
 * the opening one has been taken. */
bool hlo_read_body(struct hlo_reader *reader, function_id function);

/* A new function that begins at BEGIN, with a region and an empty block. */
function_id hlo_add_function(struct hlo_reader *reader, uint32_t begin);

/* The aliases and donors that the header's VALUE lists. */
bool hlo_read_aliases(struct hlo_reader *reader, struct span value);
bool hlo_read_donors(struct hlo_reader *reader, struct span value);

/* How many devices the first mesh in a header's frontend ATTRIBUTES has; 1
 * where there is none. */
uint32_t hlo_mesh_devices(struct text attributes);

/* The type of INSTRUCTION's result as it follows from its operands; TYPE_NONE
 * where it does not. */
type_id hlo_infer_type(struct hlo_reader *reader,
                       const struct hlo_instruction *instruction);

/* Does INSTRUCTION, an op by now, keep the rules of its opcode?  False after a
 * message. */
bool hlo_check(struct hlo_reader *reader,
               const struct hlo_instruction *instruction);

/* The same for asynchronous forms alone. */
bool hlo_check_async(struct hlo_reader *reader,
                     const struct hlo_instruction *instruction);

/* Do the parts of attribute KEY's VALUE fit each other? */
bool hlo_check_attribute(struct hlo_reader *reader, struct text key,
                         struct span value);

/* Where the attributes of the instruction in SCOPE begin; SCOPE itself where
 * it holds none but attributes. */
struct span hlo_attributes(const char *text, struct span scope);

/* Is the text between a constant's parentheses a literal of TYPE?  False after
 * a message. */
bool hlo_check_literal(struct hlo_reader *reader, struct span literal,
                       type_id type);

#endif
