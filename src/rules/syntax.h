/* syntax.h - a rules file as its grammar sees it.
 *
 * The parser builds these and judges nothing: names are looked up, dimensions
 * checked and tables made by compile.c and its neighbours.  All of it lives
 * in the arena of the parser. */
#ifndef REMAT_RULES_SYNTAX_H
#define REMAT_RULES_SYNTAX_H

#include "rules/units.h"
#include "support/diagnostic.h"
#include "support/vector.h"

struct word {
  struct text text;
  struct location where;
};

enum node_kind {
  NODE_ERROR, /* was diagnosed already */
  NODE_NUMBER,
  NODE_STRING,
  NODE_NAME,
  NODE_CALL, /* NAME (children) */
  NODE_RESULT,
  NODE_OPERAND,
  NODE_LIST,
  NODE_NEGATE,
  NODE_NOT,
  NODE_OR, /* from here on: two children */
  NODE_AND,
  NODE_EQUAL,
  NODE_UNEQUAL,
  NODE_LESS,
  NODE_LESS_EQUAL,
  NODE_GREATER,
  NODE_GREATER_EQUAL,
  NODE_IN,
  NODE_LIKE, /* text ~ "glob" */
  NODE_ADD,
  NODE_SUBTRACT,
  NODE_MULTIPLY,
  NODE_DIVIDE,
};

/* An expression. */
struct node {
  enum node_kind kind;
  struct location where;
  struct text text; /* name; contents of a string; number as written */
  double number;    /* in bytes, ns, FLOP */
  struct dimension dimension;
  int32_t index;      /* of result or operand; INDEX_CURRENT: not said */
  uint32_t depth;     /* of nesting, 1 for a leaf */
  struct node *first; /* children */
  struct node *next;  /* of the same parent */
};

enum { INDEX_CURRENT = INT32_MAX };

/* In facts, operand -N stands as OPERAND_FROM_END - N, because small negative
 * numbers mean something else (enum fact_operand). */
enum { OPERAND_FROM_END = -100 };

enum item_kind { ITEM_CLASS, ITEM_OP, ITEM_DIALECT, ITEM_FORMAT, ITEM_MORE };
enum item_format { ANY_FORMAT, FORMAT_MLIR, FORMAT_HLO };

/* One thing that a selector names. */
struct item {
  enum item_kind kind;
  enum item_format format; /* of ITEM_OP */
  struct word name;
  bool quoted;
  struct item *next;
};

struct selector {
  struct item *items; /* NULL: everything */
  struct node *when;  /* NULL: always */
  struct location where;
  bool is_default, overrides;
};

enum fact_key {
  KEY_CLASS, /* of a class line: which class */
  KEY_FLAG,
  KEY_ALIAS,
  KEY_INPLACE,
  KEY_REUSES,
  KEY_BODY,
  KEY_CARRIES,
  KEY_YIELDS,
  KEY_ASYNC,
  KEY_COUNTS,
  KEY_RESULT_TYPE,
  KEY_FLOPS,
  KEY_MOVED,
  KEY_TRIP,
  KEY_COUNT
};

/* How the type of a result follows from what is printed. */
struct result_type {
  enum result_type_base {
    BASE_OPERAND,
    BASE_PRINTED,
    BASE_DTYPE,
    BASE_NONE,
    BASE_SPELLED,     /* DTYPE is the spelling */
    BASE_DESTINATION, /* the operand of its number, of the last ones */
    BASE_UNKNOWN,
  } base;
  int32_t index;
  bool element, real, complex;
  bool tensor;       /* a memref's shape as a tensor */
  bool silent;       /* only where no type is printed */
  struct word dtype; /* BASE_DTYPE, or `with` */
  struct result_type *next;
};

struct fact {
  enum fact_key key;
  struct word word; /* the flag, the body kind, ... */
  bool negated;
  int32_t first, second; /* operand numbers, or OPERAND_ANY and the like */
  struct word reason;
  struct node *expression;
  struct result_type *types;
  struct location where;
  struct fact *next;
};

/* A type in an expect line or a measured row, as written. */
struct type_text {
  struct word word;
  struct type_text *next;
};

struct signature {
  struct type_text *operands, *results;
};

enum check_kind {
  CHECK_EXPRESSION,
  CHECK_WITHIN, /* expression, share, wanted */
  CHECK_CLASS,
  CHECK_RECOMPUTABLE,
  CHECK_NEVER,
  CHECK_FREE,
  CHECK_UNKNOWN,
  CHECK_ALIAS,
};

struct check {
  enum check_kind kind;
  bool negated;
  struct node *expression, *share, *wanted;
  struct word word;
  int32_t operand;
  struct location where;
  struct check *next;
};

enum statement_kind {
  STATEMENT_VERSION,
  STATEMENT_INCLUDE,
  STATEMENT_TARGET,
  STATEMENT_DEFAULT_DEVICE,
  STATEMENT_LET,
  STATEMENT_CLASS,
  STATEMENT_DIALECT,
  STATEMENT_DEVICE,
  STATEMENT_MEASURED,
  STATEMENT_MEMORY,
  STATEMENT_RECOMPUTE,
  STATEMENT_FUSION,
  STATEMENT_EXPECT,
  /* inside of dialects */
  STATEMENT_CLASS_OPS, /* class NAME "op", "op" facts */
  STATEMENT_OPS,       /* op "op", "op" facts */
  /* inside of devices */
  STATEMENT_FIGURE, /* NAME [DTYPES | default] = expression */
  STATEMENT_CURVE,
  STATEMENT_FEATURES,
  STATEMENT_DOMAIN,
  STATEMENT_SOURCE,
  /* inside of measured */
  STATEMENT_ROW,
  /* inside of memory, recompute, fusion */
  STATEMENT_RULE,
  STATEMENT_STORAGE,
  STATEMENT_DYNAMIC,
  STATEMENT_ATTRIBUTE,
  STATEMENT_THRESHOLD,
};

enum action {
  ACTION_NONE,
  ACTION_FREE,
  ACTION_COST,
  ACTION_NEVER,
  ACTION_UNKNOWN,
  ACTION_ALIAS,
  ACTION_REFUSED
};

/* A list of words: names, strings, dtypes. */
struct words {
  struct word word;
  struct words *next;
};

/* A statement of any kind; which members count follows from the kind. */
struct statement {
  enum statement_kind kind;
  struct location where; /* of its beginning words */
  struct word name;      /* what it defines, or names */
  struct word like;      /* `like NAME` */
  struct word string;    /* description, path, source, reason, suffix */
  struct words *words;   /* names of dialects, ops, dtypes, features, devices */
  bool overrides;
  bool fallback;           /* figure: `default`; dynamic: `dim` */
  bool refuses;            /* dynamic refuse */
  struct node *expression; /* value; size; cost */
  struct node *workspace, *carry;
  enum action action;
  int32_t operand;
  struct selector *selector;
  struct fact *facts;
  struct signature signature;
  enum item_format format;
  struct location attributes; /* expect: the braces */
  struct check *checks;
  struct statement *body;
  struct statement *next;
  struct statement *last; /* of the list that begins here */
};

/* One file and what it includes. */
struct rules_file {
  struct source source;
  const char *shown; /* its name in tables: from the main file's folder */
  const char *real;  /* its canonical path */
  struct statement *statements;
  struct rules_file **includes; /* by include statement; NULL if it failed */
  uint32_t include_count;
};

/* What the grammar needs while it reads one file. */
struct rules_parser {
  struct arena *arena;
  struct diagnostics *diagnostics;
  const struct source *source;
  struct statement *statements; /* the result */
  uint32_t offset;              /* where the scanner is */
  struct location comment;      /* where the comment that it is in begins */
};

/* Parse SOURCE.  Errors were diagnosed; what could be read is returned. */
struct statement *rules_parse(struct arena *arena,
                              struct diagnostics *diagnostics,
                              const struct source *source);

#endif
