/* rules.y - grammar of the rules language.
 *
 * Actions build the structures of rules/syntax.h and judge nothing.  Each
 * statement ends in ';' or '}', and after a syntax error reading goes on
 * behind the next of them, so that one run reports several. */
%require "3.6"
%define api.pure full
%define api.prefix {rules_yy}
%define api.location.type {struct location}
%define parse.error custom
%define parse.lac full
%locations
%expect 0
%param {void *scanner}
%parse-param {struct rules_parser *parser}

%code requires {
#include "rules/lexical.h"
}

%union {
  struct word word;
  struct words *words;
  struct node *node;
  struct unit unit;
  struct item *item;
  struct selector *selector;
  struct fact *fact;
  struct result_type *result_type;
  struct type_text *type_text;
  struct signature signature;
  struct check *check;
  struct statement *statement;
  int32_t index;
  bool flag;
  enum item_format format;
}

%code {
#define YYLLOC_DEFAULT(current, rhs, count)                                    \
  ((current) = (count) ? location_join(YYRHSLOC(rhs, 1),                       \
                                       YYRHSLOC(rhs, count))                   \
                       : location_after(YYRHSLOC(rhs, 0)))

int rules_yylex(RULES_YYSTYPE *value, RULES_YYLTYPE *where, void *scanner);

static void
rules_yyerror(struct location *where, void *scanner,
              struct rules_parser *parser, const char *message) {
  (void)scanner;
  lexical_error(parser, *where, message);
}

#define A parser->arena
}

%token RULES_EOF 0 "end of file"
%token <word> NAME "a name" STRING "a string" TYPE "a type"
%token <node> NUMBER "a number"
%token <unit> UNIT "a unit"
%token ARROW "'->'" EQUAL "'=='" UNEQUAL "'!='" LESS_EQUAL "'<='"
%token GREATER_EQUAL "'>='"

%token <word> RULES "'rules'" INCLUDE "'include'" LET "'let'"
%token <word> OVERRIDE "'override'" DEFAULT "'default'" CLASS "'class'"
%token <word> DIALECT "'dialect'" DEVICE "'device'" MEASURED "'measured'"
%token <word> MEMORY "'memory'" RECOMPUTE "'recompute'" FUSION "'fusion'"
%token <word> EXPECT "'expect'" TARGET "'target'" LIKE "'like'"
%token <word> SUFFIX "'suffix'" OP "'op'" WHEN "'when'" FORMAT "'format'"
%token <word> AND "'and'" OR "'or'" NOT "'not'" IN "'in'"
%token <word> STORAGE "'storage'" DYNAMIC "'dynamic'" REFUSE "'refuse'"
%token <word> ATTRIBUTE "'attribute'" WORKSPACE "'workspace'" CARRY "'carry'"
%token <word> COST "'cost'" NEVER "'never'" UNKNOWN "'unknown'"
%token <word> REFUSED "'refused'" CURVE "'curve'" FEATURES "'features'"
%token <word> DOMAIN_WORD "'domain'" SOURCE "'source'" ON "'on'"
%token <word> WITHIN "'within'" OF "'of'" RECOMPUTABLE "'recomputable'"
%token <word> FLAG "a flag" FREE "'free'" EFFECT "'effect'"
%token <word> RANDOM "'random'" COLLECTIVE "'collective'" ALIAS "'alias'"
%token <word> INPLACE "'inplace'" REUSES "'reuses'" BODY "'body'"
%token <word> CARRIES "'carries'" YIELDS "'yields'" ASYNC "'async'"
%token <word> COUNTS "'counts'" FLOPS "'flops'" MOVED "'moved'" TRIP "'trip'"
%token <word> RESULT "'result'" OPERAND "'operand'" TYPE_WORD "'type'"
%token <word> PRINTED "'printed'" WITH "'with'" ELEMENT "'element'"
%token <word> ARGUMENT "'argument'" NONE_WORD "'none'" SAME "'same'" ANY "'any'"
%token <word> DESTINATION "'destination'" REAL "'real'" COMPLEX "'complex'"

%type <word> word class_word dialect_word optional_string like_class
%type <word> like_dialect like_device optional_suffix optional_reason flag
%type <words> strings words dialect_words optional_on
%type <statement> statements statement device_body device_statement
%type <statement> figures figure rows row memory_body memory_statement
%type <statement> recompute_body recompute_statement fusion_body
%type <statement> fusion_statement dialect_body dialect_statement
%type <statement> recompute_action memory_action
%type <node> expression primary points point arguments argument_list counted
%type <node> optional_when optional_workspace optional_carry
%type <item> items item more
%type <selector> selector default
%type <fact> facts fact optional_facts
%type <result_type> result_types result_type type_base
%type <type_text> types some_types type_list type
%type <signature> signature
%type <check> checks check
%type <index> integer operand_number which
%type <flag> optional_override
%type <format> optional_format

%left OR
%left AND
%precedence NOT
%nonassoc EQUAL UNEQUAL '<' LESS_EQUAL '>' GREATER_EQUAL IN '~'
%left '+' '-'
%left '*' '/'
%precedence NEGATIVE

%%

/* bison counts errors in yynerrs, and clang minds that nobody reads it */
file: statements           { (void)yynerrs; parser->statements = $1; };

statements:
  %empty                   { $$ = NULL; }
| statements statement     { $$ = statement_append($1, $2); }
;

statement:
  RULES NUMBER ';'         { $$ = statement_new(A, STATEMENT_VERSION, @2);
                             $$->expression = $2; }
| INCLUDE STRING ';'       { $$ = statement_new(A, STATEMENT_INCLUDE, @2);
                             $$->string = $2; }
| TARGET word STRING ';'   { $$ = statement_new(A, STATEMENT_TARGET, @2);
                             $$->name = $2; $$->string = $3; }
| DEFAULT DEVICE word ';'  { $$ = statement_new(A, STATEMENT_DEFAULT_DEVICE,
                                                @3);
                             $$->name = $3; }
| optional_override LET word '=' expression ';'
                           { $$ = statement_new(A, STATEMENT_LET, @3);
                             $$->overrides = $1; $$->name = $3;
                             $$->expression = $5; }
| CLASS class_word like_class STRING optional_facts ';'
                           { $$ = statement_new(A, STATEMENT_CLASS, @2);
                             $$->name = $2; $$->like = $3; $$->string = $4;
                             $$->facts = $5; }
| DIALECT dialect_words like_dialect optional_suffix '{' dialect_body '}'
                           { $$ = statement_new(A, STATEMENT_DIALECT, @2);
                             $$->words = $2; $$->like = $3; $$->string = $4;
                             $$->body = $6; }
| DEVICE word optional_string like_device '{' device_body '}'
                           { $$ = statement_new(A, STATEMENT_DEVICE, @2);
                             $$->name = $2; $$->string = $3; $$->like = $4;
                             $$->body = $6; }
| MEASURED word STRING '{' rows '}'
                           { $$ = statement_new(A, STATEMENT_MEASURED, @2);
                             $$->name = $2; $$->string = $3; $$->body = $5; }
| MEMORY '{' memory_body '}'
                           { $$ = statement_new(A, STATEMENT_MEMORY, @1);
                             $$->body = $3; }
| RECOMPUTE '{' recompute_body '}'
                           { $$ = statement_new(A, STATEMENT_RECOMPUTE, @1);
                             $$->body = $3; }
| FUSION '{' fusion_body '}'
                           { $$ = statement_new(A, STATEMENT_FUSION, @1);
                             $$->body = $3; }
| EXPECT OP optional_format STRING signature optional_attributes optional_on
  ':' checks ';'           { $$ = statement_new(A, STATEMENT_EXPECT, @4);
                             $$->format = $3; $$->name = $4;
                             $$->signature = $5; $$->attributes = @6;
                             $$->words = $7; $$->checks = $9; }
| error ';'                { yyerrok; $$ = NULL; }
| error '}'                { yyerrok; $$ = NULL; }
;

optional_override: %empty  { $$ = false; }
| OVERRIDE                 { $$ = true; }
;
optional_string: %empty    { $$ = (struct word){0}; }
| STRING
;
optional_suffix: %empty    { $$ = (struct word){0}; }
| SUFFIX STRING            { $$ = $2; }
;
optional_reason: %empty    { $$ = (struct word){0}; }
| STRING
;
optional_when: %empty      { $$ = NULL; }
| WHEN expression          { $$ = $2; }
;
optional_format: %empty    { $$ = ANY_FORMAT; }
| NAME                     { $$ = format_named(parser, $1); }
;
optional_on: %empty        { $$ = NULL; }
| ON words                 { $$ = $2; }
;
like_class: %empty         { $$ = (struct word){0}; }
| LIKE class_word          { $$ = $2; }
;
like_dialect: %empty       { $$ = (struct word){0}; }
| LIKE dialect_word        { $$ = $2; }
;
like_device: %empty        { $$ = (struct word){0}; }
| LIKE word                { $$ = $2; }
;

/* A word of the language in one place may be a name in another. */
word: NAME | MEMORY | STORAGE | DYNAMIC | FORMAT | DIALECT | DEVICE | FLOPS
| MOVED | TRIP | COST | SAME | ANY | DESTINATION | REAL | COMPLEX | NONE_WORD
;
class_word: NAME | FLAG | RANDOM | COLLECTIVE | EFFECT | ASYNC | ARGUMENT
| ELEMENT | MEMORY | FUSION | DEVICE | UNKNOWN
;
dialect_word: NAME | STRING | MEMORY | DEVICE
;
flag: FLAG | FREE | ARGUMENT | ELEMENT
;

words: word                { $$ = words_new(A, $1); }
| words ',' word           { $$ = words_append(A, $1, $3); }
;
strings: STRING            { $$ = words_new(A, $1); }
| strings ',' STRING       { $$ = words_append(A, $1, $3); }
;
dialect_words: dialect_word
                           { $$ = words_new(A, $1); }
| dialect_words ',' dialect_word
                           { $$ = words_append(A, $1, $3); }
;

/* --- facts --- */

dialect_body: %empty       { $$ = NULL; }
| dialect_body dialect_statement
                           { $$ = statement_append($1, $2); }
;

dialect_statement:
  CLASS class_word strings optional_when optional_facts ';'
                           { $$ = statement_new(A, STATEMENT_CLASS_OPS, @2);
                             $$->name = $2; $$->words = $3;
                             $$->expression = $4; $$->facts = $5; }
| OP strings optional_when facts ';'
                           { $$ = statement_new(A, STATEMENT_OPS, @2);
                             $$->words = $2; $$->expression = $3;
                             $$->facts = $4; }
| error ';'                { yyerrok; $$ = NULL; }
;

optional_facts: %empty     { $$ = NULL; }
| facts
;
facts: fact
| facts ',' fact           { $$ = fact_append($1, $3); }
;

fact:
  flag                     { $$ = fact_new(A, KEY_FLAG, $1, @$); }
| NOT flag                 { $$ = fact_new(A, KEY_FLAG, $2, @$);
                             $$->negated = true; }
| EFFECT STRING            { $$ = fact_new(A, KEY_FLAG, $1, @$);
                             $$->reason = $2; }
| RANDOM optional_reason   { $$ = fact_new(A, KEY_FLAG, $1, @$);
                             $$->reason = $2; }
| COLLECTIVE optional_reason
                           { $$ = fact_new(A, KEY_FLAG, $1, @$);
                             $$->reason = $2; }
| ALIAS operand_number     { $$ = fact_new(A, KEY_ALIAS, $1, @$);
                             $$->first = $2; }
| INPLACE which            { $$ = fact_new(A, KEY_INPLACE, $1, @$);
                             $$->first = $2; }
| REUSES which             { $$ = fact_new(A, KEY_REUSES, $1, @$);
                             $$->first = $2; }
| BODY word                { $$ = fact_new(A, KEY_BODY, $2, @$); }
| CARRIES operand_number ARGUMENT integer
                           { $$ = fact_new(A, KEY_CARRIES, $1, @$);
                             $$->first = $2; $$->second = $4; }
| YIELDS operand_number    { $$ = fact_new(A, KEY_YIELDS, $1, @$);
                             $$->first = $2; }
| ASYNC NAME               { $$ = fact_new(A, KEY_ASYNC, $2, @$); }
| COUNTS RESULT counted    { $$ = fact_new(A, KEY_COUNTS, $1, @$);
                             $$->expression = $3; }
| RESULT TYPE_WORD '=' result_types
                           { $$ = fact_new(A, KEY_RESULT_TYPE, $1, @$);
                             $$->types = $4; }
| FLOPS '=' expression     { $$ = fact_new(A, KEY_FLOPS, $1, @$);
                             $$->expression = $3; }
| MOVED '=' expression     { $$ = fact_new(A, KEY_MOVED, $1, @$);
                             $$->expression = $3; }
| TRIP '=' expression      { $$ = fact_new(A, KEY_TRIP, $1, @$);
                             $$->expression = $3; }
;

operand_number: OPERAND integer
                           { $$ = $2 < 0 ? $2 + OPERAND_FROM_END : $2; }
;
which: operand_number
| SAME OPERAND             { $$ = OPERAND_SAME; }
| ANY OPERAND              { $$ = OPERAND_ANY; }
| DESTINATION              { $$ = OPERAND_DESTINATION; }
;
integer: NUMBER            { $$ = integer_of(parser, $1, 1); }
| '-' NUMBER               { $$ = integer_of(parser, $2, -1); }
;
counted: NUMBER
| counted AND NUMBER       { $$ = node_append($1, $3); }
;

result_types: result_type
| result_types AND result_type
                           { $$ = result_type_append($1, $3); }
;
result_type: type_base
| result_type ELEMENT      { $$ = $1; $$->element = true; }
| result_type REAL         { $$ = $1; $$->real = true; }
| result_type COMPLEX      { $$ = $1; $$->complex = true; }
| result_type WITH NAME    { $$ = $1; $$->dtype = $3; }
| result_type NAME         { $$ = $1; result_type_modify(parser, $$, $2); }
;
type_base: operand_number  { $$ = result_type_new(A, BASE_OPERAND, $1); }
| PRINTED integer          { $$ = result_type_new(A, BASE_PRINTED,
                                                  $2 < 0 ? $2 + OPERAND_FROM_END
                                                         : $2); }
| NAME                     { $$ = result_type_new(A, BASE_DTYPE, 0);
                             $$->dtype = $1; }
| STRING                   { $$ = result_type_new(A, BASE_SPELLED, 0);
                             $$->dtype = $1; }
| DESTINATION              { $$ = result_type_new(A, BASE_DESTINATION, 0); }
| UNKNOWN                  { $$ = result_type_new(A, BASE_UNKNOWN, 0); }
| NONE_WORD                { $$ = result_type_new(A, BASE_NONE, 0); }
;

/* --- devices --- */

device_body: %empty        { $$ = NULL; }
| device_body device_statement
                           { $$ = statement_append($1, $2); }
;
device_statement: figure
| FEATURES words ';'       { $$ = statement_new(A, STATEMENT_FEATURES, @1);
                             $$->words = $2; }
| DOMAIN_WORD word '{' figures '}'
                           { $$ = statement_new(A, STATEMENT_DOMAIN, @2);
                             $$->name = $2; $$->body = $4; }
;
figures: %empty            { $$ = NULL; }
| figures figure           { $$ = statement_append($1, $2); }
;
figure:
  word '=' expression ';'  { $$ = statement_new(A, STATEMENT_FIGURE, @1);
                             $$->name = $1; $$->expression = $3; }
| word words '=' expression ';'
                           { $$ = statement_new(A, STATEMENT_FIGURE, @1);
                             $$->name = $1; $$->words = $2;
                             $$->expression = $4; }
| word DEFAULT '=' expression ';'
                           { $$ = statement_new(A, STATEMENT_FIGURE, @1);
                             $$->name = $1; $$->fallback = true;
                             $$->expression = $4; }
| word CURVE points ';'    { $$ = statement_new(A, STATEMENT_CURVE, @1);
                             $$->name = $1; $$->expression = $3; }
| SOURCE STRING ';'        { $$ = statement_new(A, STATEMENT_SOURCE, @1);
                             $$->string = $2; }
| error ';'                { yyerrok; $$ = NULL; }
;
points: point
| points ',' point         { $$ = node_append($1, $3); }
;
point: expression ':' expression
                           { $$ = node_append($1, $3); }
;

rows: %empty               { $$ = NULL; }
| rows row                 { $$ = statement_append($1, $2); }
;
row:
  STRING word '[' argument_list ']' '=' expression ';'
                           { $$ = statement_new(A, STATEMENT_ROW, @1);
                             $$->name = $1;
                             $$->words = words_new(A, $2);
                             $$->workspace = node_list(A, $4, @4);
                             $$->expression = $7; }
| STRING signature '=' expression ';'
                           { $$ = statement_new(A, STATEMENT_ROW, @1);
                             $$->name = $1; $$->signature = $2;
                             $$->expression = $4; }
| error ';'                { yyerrok; $$ = NULL; }
;

/* --- rules --- */

selector:
  items optional_when      { $$ = selector_new(parser, $1, $2, @$); }
| WHEN expression          { $$ = selector_new(parser, NULL, $2, @$); }
;
default: optional_override DEFAULT
                           { $$ = selector_new(parser, NULL, NULL, @2);
                             $$->is_default = true; $$->overrides = $1; }
;
items: item
| items ',' more           { $$ = item_append($1, $3); }
;
more: item
| class_word               { $$ = item_new(A, ITEM_MORE, $1); }
| STRING                   { $$ = item_new(A, ITEM_MORE, $1);
                             $$->quoted = true; }
;
item:
  CLASS class_word         { $$ = item_new(A, ITEM_CLASS, $2); }
| OP optional_format STRING
                           { $$ = item_new(A, ITEM_OP, $3);
                             $$->format = $2; $$->quoted = true; }
| DIALECT dialect_word     { $$ = item_new(A, ITEM_DIALECT, $2); }
| FORMAT NAME              { $$ = item_new(A, ITEM_FORMAT, $2);
                             $$->format = format_named(parser, $2); }
;

memory_body: %empty        { $$ = NULL; }
| memory_body memory_statement
                           { $$ = statement_append($1, $2); }
;
memory_statement:
  STORAGE words '=' expression ';'
                           { $$ = statement_new(A, STATEMENT_STORAGE, @1);
                             $$->words = $2; $$->expression = $4; }
| DYNAMIC '=' expression ';'
                           { $$ = statement_new(A, STATEMENT_DYNAMIC, @1);
                             $$->expression = $3; }
| DYNAMIC word '=' expression ';'
                           { $$ = statement_new(A, STATEMENT_DYNAMIC, @1);
                             expect_word(parser, $2, "dim");
                             $$->fallback = true; $$->expression = $4; }
| DYNAMIC REFUSE ';'       { $$ = statement_new(A, STATEMENT_DYNAMIC, @1);
                             $$->refuses = true; }
| ATTRIBUTE strings ';'    { $$ = statement_new(A, STATEMENT_ATTRIBUTE, @1);
                             $$->words = $2; }
| selector memory_action ';'
                           { $$ = rule_new($2, $1, @$); }
| default memory_action ';'
                           { $$ = rule_new($2, $1, @$); }
| error ';'                { yyerrok; $$ = NULL; }
;
memory_action:
  '=' expression optional_workspace optional_carry
                           { $$ = statement_new(A, STATEMENT_RULE, @$);
                             $$->expression = $2; $$->workspace = $3;
                             $$->carry = $4; }
| '=' ALIAS operand_number { $$ = statement_new(A, STATEMENT_RULE, @$);
                             $$->action = ACTION_ALIAS; $$->operand = $3; }
| WORKSPACE expression optional_carry
                           { $$ = statement_new(A, STATEMENT_RULE, @$);
                             $$->workspace = $2; $$->carry = $3; }
| CARRY expression         { $$ = statement_new(A, STATEMENT_RULE, @$);
                             $$->carry = $2; }
;
optional_workspace: %empty { $$ = NULL; }
| WORKSPACE expression     { $$ = $2; }
;
optional_carry: %empty     { $$ = NULL; }
| CARRY expression         { $$ = $2; }
;

recompute_body: %empty     { $$ = NULL; }
| recompute_body recompute_statement
                           { $$ = statement_append($1, $2); }
;
recompute_statement:
  ATTRIBUTE strings ';'    { $$ = statement_new(A, STATEMENT_ATTRIBUTE, @1);
                             $$->words = $2; }
| selector recompute_action ';'
                           { $$ = rule_new($2, $1, @$); }
| default recompute_action ';'
                           { $$ = rule_new($2, $1, @$); }
| error ';'                { yyerrok; $$ = NULL; }
;
recompute_action:
  FREE                     { $$ = statement_new(A, STATEMENT_RULE, @$);
                             $$->action = ACTION_FREE; }
| COST expression          { $$ = statement_new(A, STATEMENT_RULE, @$);
                             $$->action = ACTION_COST; $$->expression = $2; }
| NEVER STRING             { $$ = statement_new(A, STATEMENT_RULE, @$);
                             $$->action = ACTION_NEVER; $$->string = $2; }
| UNKNOWN                  { $$ = statement_new(A, STATEMENT_RULE, @$);
                             $$->action = ACTION_UNKNOWN; }
;

fusion_body: %empty        { $$ = NULL; }
| fusion_body fusion_statement
                           { $$ = statement_append($1, $2); }
;
fusion_statement:
  NAME '=' expression ';'  { $$ = statement_new(A, STATEMENT_THRESHOLD, @1);
                             $$->name = $1; $$->expression = $3; }
| selector REFUSED STRING ';'
                           { $$ = statement_new(A, STATEMENT_RULE, @$);
                             $$->selector = $1; $$->string = $3;
                             $$->action = ACTION_REFUSED; }
| error ';'                { yyerrok; $$ = NULL; }
;

/* --- expect --- */

optional_attributes: %empty
| '{' '}'
| '{' attributes '}'
;
attributes: attribute
| attributes ',' attribute
;
attribute: word '=' expression
| STRING '=' expression
;

signature: '(' types ')' ARROW type_list
                           { $$ = (struct signature){$2, $5}; }
;
type_list: type
| '(' types ')'            { $$ = $2; }
;
types: %empty              { $$ = NULL; }
| some_types
;
some_types: type
| some_types ',' type      { $$ = type_text_append($1, $3); }
;
type: TYPE                 { $$ = type_text_new(A, $1); }
| NAME                     { $$ = type_text_new(A, $1); }
;

checks: check
| checks ',' check         { $$ = check_append($1, $3); }
;
check:
  expression               { $$ = check_new(A, CHECK_EXPRESSION, @$);
                             $$->expression = $1; }
| expression WITHIN expression OF expression
                           { $$ = check_new(A, CHECK_WITHIN, @$);
                             $$->expression = $1; $$->share = $3;
                             $$->wanted = $5; }
| CLASS class_word         { $$ = check_new(A, CHECK_CLASS, @$);
                             $$->word = $2; }
| RECOMPUTABLE             { $$ = check_new(A, CHECK_RECOMPUTABLE, @$); }
| NOT RECOMPUTABLE         { $$ = check_new(A, CHECK_RECOMPUTABLE, @$);
                             $$->negated = true; }
| NEVER                    { $$ = check_new(A, CHECK_NEVER, @$); }
| FREE                     { $$ = check_new(A, CHECK_FREE, @$); }
| UNKNOWN                  { $$ = check_new(A, CHECK_UNKNOWN, @$); }
| ALIAS operand_number     { $$ = check_new(A, CHECK_ALIAS, @$);
                             $$->operand = $2; }
;

/* --- expressions --- */

expression: primary
| '-' expression %prec NEGATIVE
                           { $$ = node_unary(A, NODE_NEGATE, $2, @$); }
| NOT expression           { $$ = node_unary(A, NODE_NOT, $2, @$); }
| expression OR expression { $$ = node_binary(A, NODE_OR, $1, $3); }
| expression AND expression
                           { $$ = node_binary(A, NODE_AND, $1, $3); }
| expression EQUAL expression
                           { $$ = node_binary(A, NODE_EQUAL, $1, $3); }
| expression UNEQUAL expression
                           { $$ = node_binary(A, NODE_UNEQUAL, $1, $3); }
| expression '<' expression
                           { $$ = node_binary(A, NODE_LESS, $1, $3); }
| expression LESS_EQUAL expression
                           { $$ = node_binary(A, NODE_LESS_EQUAL, $1, $3); }
| expression '>' expression
                           { $$ = node_binary(A, NODE_GREATER, $1, $3); }
| expression GREATER_EQUAL expression
                           { $$ = node_binary(A, NODE_GREATER_EQUAL, $1,
                                              $3); }
| expression IN expression { $$ = node_binary(A, NODE_IN, $1, $3); }
| expression '~' expression
                           { $$ = node_binary(A, NODE_LIKE, $1, $3); }
| expression '+' expression
                           { $$ = node_binary(A, NODE_ADD, $1, $3); }
| expression '-' expression
                           { $$ = node_binary(A, NODE_SUBTRACT, $1, $3); }
| expression '*' expression
                           { $$ = node_binary(A, NODE_MULTIPLY, $1, $3); }
| expression '/' expression
                           { $$ = node_binary(A, NODE_DIVIDE, $1, $3); }
;

primary:
  NUMBER
| NUMBER UNIT              { $$ = node_with_unit(parser, $1, &$2, @$); }
| STRING                   { $$ = node_new(A, NODE_STRING, @1);
                             $$->text = $1.text; }
| word                     { $$ = node_new(A, NODE_NAME, @1);
                             $$->text = $1.text; }
| word '(' argument_list ')'
                           { $$ = node_new(A, NODE_CALL, @$);
                             $$->text = $1.text; $$->first = $3; }
| RESULT                   { $$ = node_new(A, NODE_RESULT, @1);
                             $$->index = INDEX_CURRENT; }
| RESULT NUMBER            { $$ = node_new(A, NODE_RESULT, @$);
                             $$->index = integer_of(parser, $2, 1); }
| OPERAND integer          { $$ = node_new(A, NODE_OPERAND, @$);
                             $$->index = $2; }
| '[' argument_list ']'    { $$ = node_list(A, $2, @$); }
| '(' expression ')'       { $$ = $2; $$->where = @$; }
;

argument_list: %empty      { $$ = NULL; }
| arguments
;
arguments: expression
| arguments ',' expression { $$ = node_append($1, $3); }
;

%%

/* "unexpected X, expected A, B or C": the list only where it is short enough
 * to help. */
static int
yyreport_syntax_error(const yypcontext_t *context, void *scanner,
                      struct rules_parser *parser) {
  enum { MOST = 40 };
  yysymbol_kind_t expected[MOST];
  const char *names[MOST];
  (void)scanner;
  int count = yypcontext_expected_tokens(context, expected, MOST);
  for (int i = 0; i < count; i++)
    names[i] = yysymbol_name(expected[i]);
  yysymbol_kind_t token = yypcontext_token(context);
  syntax_error(parser, *yypcontext_location(context),
               token == YYSYMBOL_YYEMPTY ? "" : yysymbol_name(token), names,
               count < 0 ? 0 : (uint32_t)count);
  return 0;
}
