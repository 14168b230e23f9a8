/* mlir.h - what the files of the MLIR reader share.
 *
 *   mlir.c            the file: dumps, aliases, ops at the top
 *   mlir_dumps.c      which part of a log is read
 *   mlir_op.c         an op: its results, its name, where it begins
 *   mlir_generic.c    the generic form
 *   mlir_pretty.c     the header of an op in pretty form
 *   mlir_region.c     regions, blocks, labels, successors
 *   mlir_function.c   signatures; functions in generic form
 *   mlir_names.c      which value a name means
 *   mlir_type.c       a spelling to a type
 *   mlir_alias.c      names of types
 *   mlir_results.c    types of results
 *   mlir_symbols.c    calls, entry, partitions
 *   mlir_donation.c   arguments that the program owns
 *   mlir_dominance.c  uses behind definitions
 *   mlir_attribute.c  attributes of the finished module
 *   mlir_annotate.c   attributes that are added to functions
 *   mlir_barrier.c    barriers that are added
 *   mlir_format.c     spellings, cuts, the format's table
 *   mlir_spell.c      new ops and loops as text
 *   mlir_annotate.c   attributes put into functions
 *   mlir_canonical.c  what an op says, however it is written
 *   mlir_scan.c       where tokens end
 *
 * One pass over the text.  A function that reads something returns false (or
 * NULL) after an error, and all its callers stop. */
#ifndef REMAT_READERS_MLIR_H
#define REMAT_READERS_MLIR_H

#include "ir/ir.h"
#include "readers/mlir_scan.h"
#include "readers/reader.h"

#include <string.h>

/* What the syntax of an op depends on; see mlir_ops.def. */
enum mlir_kind {
  KIND_FUNCTION = 1,   /* "@name(arguments) -> results {body}" */
  KIND_MODULE = 2,     /* holds functions; its names need no order */
  KIND_ISOLATED = 4,   /* its regions see no name from above */
  KIND_SHARED = 8,     /* names of its header are arguments of all regions */
  KIND_CALL = 16,      /* control goes to the symbol it names first */
  KIND_COMPOSITE = 32, /* control goes to its attribute `decomposition` */
  KIND_CALLED = 64,    /* applies its attribute `called_computations` */
  KIND_BARE = 128,     /* a word without a dot that is an op */
  KIND_STOP = 256,     /* gives up control or values */
  KIND_SHADOWS = 512,  /* names of its regions may hide those above */
  KIND_SILENT = 1024,  /* "->" does not name results */
  KIND_TOKEN_FIRST = 2048, /* a token that is not printed, before or ... */
  KIND_TOKEN_LAST = 4096,  /* ... behind the results that are */
  KIND_SIGNATURE = 8192,   /* "(t) -> t" is one type: that of the result */
  KIND_SHORT = 16384, /* "{ op }" and "{ op {...} }" stand for a whole body */
  KIND_KNOWN = 32768, /* the kinds of the name were looked up */
};

/* What names that differ in their last digit share, and what each of them
 * means; see mlir_names.c. */
struct mlir_stem {
  uint64_t key;
  uint32_t begin, size;  /* of a spelling, sigil included */
  uint32_t meanings[12]; /* by digit, and of the stem itself: number of a
                            binding + 1, or 0 */
};

struct mlir_binding {
  uint32_t name;
  uint32_t previous; /* what the name meant before: number + 1, or 0 */
  uint32_t value;    /* value_id; of a label, block_id */
  uint32_t count;    /* values that share the name */
  uint32_t begin;    /* where it is defined */
};

/* A use that stands before its definition. */
struct mlir_pending {
  uint32_t name;
  uint32_t use; /* use number */
  struct span text;
};

/* A successor whose block may not be read yet. */
struct mlir_edge {
  uint32_t label; /* name */
  uint32_t successor;
  struct span text;
};

/* A region that is being read. */
struct mlir_scope {
  uint32_t bindings, pendings, edges; /* how many there were before */
  uint32_t floor; /* bindings below it are not seen, saved */
  bool shadows;   /* names may hide those above */
  bool graph;     /* names need no order */
  bool isolated;  /* names above are not seen */
};

/* An operand of the op that is being read. */
struct mlir_use {
  value_id value; /* NONE: NAME is not defined yet */
  uint32_t name;
  struct span text;
};

/* An argument of a block that is to come. */
struct mlir_argument {
  struct span name;
  type_id type;           /* TYPE_NONE: not told, an index */
  struct span attributes; /* inside the braces, or empty */
};

/* Names left of "=": "%a:2" is a count of 2. */
struct mlir_result {
  struct span name;
  uint32_t count;
  bool grouped;
};

/* A symbol that an op names, resolved when all functions are known. */
struct mlir_reference {
  op_id op;
  enum call_role role;
  const char *attribute;
  struct span text;
};

/* A type that was read, "...<...>", so that the text behind it says nothing of
 * where it ends. */
struct mlir_recent {
  struct text spelling; /* empty: none */
  type_id type;
};

/* An op that defines a symbol. */
struct mlir_symbol {
  op_id op, table; /* TABLE is the op around it, or NONE */
  struct text name;
  function_id function; /* or NONE */
};

struct mlir_alias {
  struct text spelling; /* what it stands for */
  type_id type;         /* TYPE_NONE: not yet made */
};

enum { RECENT_TYPES = 16 };

struct mlir {
  struct arena *arena;  /* the module's */
  struct arena scratch; /* gone when reading ends */
  struct diagnostics *diagnostics;
  const struct source *source;
  struct ir_module *module;

  const char *text; /* of the whole source */
  const char *p;    /* what is read next */
  const char *end;
  const char *part;      /* where the file that is read begins */
  const char *token_end; /* behind the last token of the op */
  bool newline;          /* a line ended between that and P */
  bool failed;           /* an error was given */
  uint32_t depth;        /* of regions */

  VECTOR(uint16_t) kinds;    /* by name_id, 0 is not yet known */
  const struct rules *rules; /* whose facts imply types */
  VECTOR(uint8_t) implied;   /* by name_id: enum implied_state */
  VECTOR(type_id) operands;  /* types of one op's operands, when asked */

  VECTOR(struct mlir_stem) stems;
  uint32_t *slots; /* stem + 1, 0 is free */
  uint32_t slot_count;
  VECTOR(struct mlir_binding) bindings;
  uint32_t floor;
  VECTOR(struct mlir_scope) scopes;
  VECTOR(struct mlir_pending) pendings;
  VECTOR(struct mlir_edge) edges;

  VECTOR(struct mlir_use) uses;           /* stacks: those of inner ops stand */
  VECTOR(struct mlir_argument) arguments; /* above those of outer ones */
  VECTOR(struct mlir_result) results;
  VECTOR(type_id) types;
  struct mlir_recent recent[RECENT_TYPES];

  struct string_table *alias_names;
  VECTOR(struct mlir_alias) aliases; /* by number in alias_names */

  VECTOR(struct mlir_symbol) symbols;
  VECTOR(struct mlir_reference) references;
  bool multi_block; /* some region has several blocks */
};

/* --- places --- */

static inline uint32_t
mlir_offset(const struct mlir *r, const char *p) {
  return (uint32_t)(p - r->text);
}

static inline struct span
mlir_span(const struct mlir *r, const char *begin, const char *end) {
  return (struct span){mlir_offset(r, begin), mlir_offset(r, end)};
}

/* An error about the text from BEGIN to END.  False, for the caller to give
 * on. */
bool mlir_error(struct mlir *r, const char *begin, const char *end,
                const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The same, about the token at P. */
bool mlir_error_at(struct mlir *r, const char *p, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A second place for the last error. */
void mlir_note(struct mlir *r, const char *begin, const char *end,
               const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The error that FAULT is. */
bool mlir_report(struct mlir *r, const struct mlir_fault *fault);

/* --- tokens --- */

/* Pass over what separates tokens; sets `newline`. */
static inline void
mlir_space(struct mlir *r) {
  r->p = mlir_skip_space(r->p, r->end, &r->newline);
}

/* The next character, 0 at the end. */
static inline char
mlir_peek(const struct mlir *r) {
  return r->p < r->end ? *r->p : '\0';
}

/* The token ends at P: go there, then over spaces. */
static inline void
mlir_advance(struct mlir *r, const char *p) {
  r->token_end = p;
  r->newline = false;
  r->p = mlir_skip_space(p, r->end, &r->newline);
}

/* If C is next, pass over it and spaces. */
static inline bool
mlir_accept(struct mlir *r, char c) {
  if (mlir_peek(r) != c)
    return false;
  mlir_advance(r, r->p + 1);
  return true;
}

/* The error that C, WHAT it is for, is not next. */
bool mlir_missing(struct mlir *r, char c, const char *what);

/* C must be next. */
static inline bool
mlir_expect(struct mlir *r, char c, const char *what) {
  return mlir_accept(r, c) || mlir_missing(r, c, what);
}

/* Is WORD next, as a whole word? */
static inline bool
mlir_at_word(const struct mlir *r, const char *word) {
  size_t size = strlen(word);
  return r->p < r->end && *r->p == *word && strncmp(r->p, word, size) == 0 &&
         !mlir_is(r->p[size], CHAR_WORD);
}

/* Pass over the bracketed group that is next. */
bool mlir_group(struct mlir *r);

/* Pass over the string or symbol that is next. */
bool mlir_string(struct mlir *r);
bool mlir_symbol_name(struct mlir *r);

/* Pass over "loc(...)" if it is next. */
bool mlir_location(struct mlir *r);

/* --- types (mlir_type.c) --- */

/* Pass over the type that is next. */
bool mlir_type_skip(struct mlir *r);

/* The type that is next, as a number; TYPE_NONE after an error. */
type_id mlir_type(struct mlir *r);

/* The type that SPELLING means; it must live as long as the module. */
type_id mlir_type_of(struct mlir *r, struct text spelling);

/* Does TYPE name an alias (mlir_alias.c)?  The type that it means with all of
 * them spelled out; TYPE_NONE after an error. */
bool mlir_has_alias(struct text type);
type_id mlir_aliased_type(struct mlir *r, struct text type);

/* A type of which nothing is known. */
type_id mlir_type_unknown(struct mlir *r);

/* Push the types of the list that is next, "(a, b)" or "a" alone, on `types`
 * and give their number in *COUNT. */
bool mlir_type_list(struct mlir *r, uint32_t *count);

/* The same, but only count them. */
bool mlir_type_list_skip(struct mlir *r, uint32_t *count);

/* Does a type begin at P? */
bool mlir_type_begins(const char *p);

/* --- names (mlir_names.c) --- */

void mlir_names_start(struct mlir *r);

/* The number of the name from BEGIN to END, made if it is new. */
uint32_t mlir_name(struct mlir *r, const char *begin, const char *end);

/* What NAME means here, or NULL. */
const struct mlir_binding *mlir_lookup(const struct mlir *r, uint32_t name);

/* Let the name at SPAN mean COUNT values from VALUE on. */
bool mlir_bind(struct mlir *r, struct span span, uint32_t value,
               uint32_t count);

void mlir_scope_open(struct mlir *r, unsigned kind);
/* Resolve what stood before its definition; REGION is what was read, or NONE
 * at the top of the file. */
bool mlir_scope_close(struct mlir *r, region_id region);

/* Read the use "%x" or "%x#1" that is next and push it on `uses`.  Where the
 * name means nothing yet, its value is NONE. */
bool mlir_use(struct mlir *r);

/* The same, where it is known that its name, NAME, ends at END. */
bool mlir_use_name(struct mlir *r, uint32_t name, const char *end);

/* Give OP the uses from MARK on, and drop them. */
void mlir_uses_flush(struct mlir *r, op_id op, uint32_t mark);

/* --- ops (mlir_op.c, mlir_generic.c, mlir_pretty.c) --- */

/* Read an op at the top of the file. */
bool mlir_op(struct mlir *r);

/* Read ops into BLOCK until '}', a label, or the end of the text. */
bool mlir_ops(struct mlir *r, block_id block);

/* The flags of KIND_ for ops called NAME. */
unsigned mlir_kind(struct mlir *r, name_id name);

/* The rest of OP, of which the name was read, in generic or pretty form; the
 * names of its results stand from RESULTS on in `results`. */
bool mlir_generic(struct mlir *r, op_id op, unsigned kind, uint32_t results);
bool mlir_pretty(struct mlir *r, op_id op, unsigned kind, uint32_t results);

/* Does what is next, after a line end, begin another op (or label, or end the
 * block) rather than go on with the one that is being read, whose types were
 * read if TYPED?  True too where that cannot be told, after an error. */
bool mlir_op_begins(struct mlir *r, bool typed);

/* Is something next that stands at the top of a file only: an alias,
 * resources, a line that is drawn below a dump? */
bool mlir_at_item(const struct mlir *r);

/* Does "{" at P open a region rather than a dictionary? */
bool mlir_opens_region(struct mlir *r, const char *p, unsigned kind);

/* Are "%a, %b:2 =" at P? */
bool mlir_results_follow(const struct mlir *r, const char *p);

/* Note attributes of the dictionary from BEGIN to END, braces included, that
 * the graph has flags for. */
void mlir_mark(struct mlir *r, op_id op, const char *begin, const char *end);

/* --- regions (mlir_region.c) --- */

/* The region of OP that is next.  The arguments from MARK on become those of
 * its first block; they stay on the stack. */
bool mlir_region(struct mlir *r, op_id op, unsigned kind, uint32_t mark);

/* The label "^bb1" that is next is a successor of OP; its operands begin with
 * number FIRST_USE of OP. */
bool mlir_successor(struct mlir *r, op_id op, uint32_t first_use);

/* "%a: type {attributes} loc(...)" is next: push it on `arguments`. */
bool mlir_argument(struct mlir *r);

/* --- functions (mlir_function.c) --- */

/* Is a signature next: "private @f(", "@f("? */
bool mlir_signature_follows(const struct mlir *r);

/* The rest of OP, a function. */
bool mlir_function(struct mlir *r, op_id op, unsigned kind);

/* OP was read in generic form and is a function. */
bool mlir_function_generic(struct mlir *r, op_id op);

/* --- results (mlir_results.c) --- */

/* Types that an op prints, by where. */
struct mlir_printed {
  uint32_t mark;               /* into `types`: those behind the colon ... */
  uint32_t colon_count;        /* ... of this many ... */
  uint32_t arrow, arrow_count; /* ... and behind "->", "to" or "into" */
  bool has_arrow;
  bool named; /* by "->", so that they are of results that have no name too */
};

/* Make the results of OP, whose names stand from RESULTS on in `results`. */
bool mlir_results(struct mlir *r, op_id op, uint32_t results,
                  const struct mlir_printed *printed);

/* Make the results of OP with the types from MARK on in `types`. */
bool mlir_results_typed(struct mlir *r, op_id op, uint32_t results,
                        uint32_t mark);

/* --- the whole (mlir_symbols.c, mlir_dominance.c, mlir_dumps.c) --- */

/* OP defines the symbol at SPAN ("@f"), FUNCTION or NONE. */
void mlir_symbol(struct mlir *r, op_id op, struct text name,
                 function_id function);

/* An op names a symbol. */
void mlir_refer(struct mlir *r, const struct mlir_reference *reference);

/* OP, of kind KIND, is read: note the symbols in its attributes. */
void mlir_references(struct mlir *r, op_id op, unsigned kind);

/* Note which arguments of function ID are donated. */
void mlir_donations(struct mlir *r, function_id id);

/* A file is read, its functions from FIRST on: resolve its references, find
 * its entries, donations, partitions. */
void mlir_symbols_finish(struct mlir *r, function_id first);

/* Is every use dominated by its definition? */
bool mlir_dominance(struct mlir *r);

/* Make `p` and `end` those of the dump that is asked for. */
bool mlir_dump_choose(struct mlir *r, const char *which);

/* --- the finished module (mlir_attribute.c, mlir_annotate.c, mlir_barrier.c,
 * mlir_format.c): what the format's table refers to --- */

extern const struct ir_format mlir_format;
extern const struct ir_spelling mlir_spelling; /* mlir_spell.c */

/* One entry "key = value" of a dictionary's inside. */
struct mlir_entry {
  struct text key;   /* without quotes */
  struct text value; /* empty for a unit attribute */
};

/* The entry that begins at or behind *P, which moves on; false at END. */
bool mlir_next_entry(const char **p, const char *end, struct mlir_entry *entry);

/* Does the inside of a dictionary stand from P to END, not an op's header? */
bool mlir_is_dictionary(const char *p, const char *end);

/* Behind the token at P of a header. */
const char *mlir_skip_token(const char *p, const char *end);

/* Is "{...}" or "<{...}>" at P?  Then *INSIDE is what it holds. */
bool mlir_dictionary_at(const char *p, const char *end, struct text *inside);

/* See `struct ir_format`. */
bool mlir_attribute(const struct ir_module *module, struct span scope,
                    struct text key, struct span *value);
void mlir_annotate(struct buffer *out, const struct ir_module *module,
                   function_id function, const struct ir_annotation *added,
                   uint32_t count);
bool mlir_has_barrier(const struct ir_module *module);
bool mlir_add_barrier(struct ir_module *made, block_id block,
                      const value_id *values, uint32_t count,
                      value_id *results);
void mlir_spell_added(struct buffer *out, const struct ir_module *made,
                      op_id op);
void mlir_canonical(struct buffer *out, const struct ir_module *module,
                    op_id op);

#endif
