/* tables.c - names and properties of quantities and instructions. */
#include "rules/tables.h"

const struct quantity_info quantity_infos[QUANTITY_COUNT] = {
#define TYPE_NUMBER QUANTITY_NUMBER
#define TYPE_BOOLEAN QUANTITY_BOOLEAN
#define TYPE_DTYPE QUANTITY_DTYPE_TYPE
#define TYPE_TEXT QUANTITY_TEXT
#define QUANTITY(id, name, type, dimension, of, arguments, context)            \
  {name,    TYPE_##type, QUANTITY_DIMENSION_##dimension,                       \
   OF_##of, arguments,   CONTEXT_##context},
#define QUANTITY_DIMENSION_PLAIN {0, 0, 0}
#define QUANTITY_DIMENSION_BYTES {1, 0, 0}
#define QUANTITY_DIMENSION_TIME {0, 1, 0}
#define QUANTITY_DIMENSION_WORK {0, 0, 1}
#include "rules/quantities.def"
#undef QUANTITY
};

const struct opcode_info opcode_infos[OPCODE_COUNT] = {
#define OPCODE(id, pops, pushes) {#id, pops, pushes},
#include "rules/opcodes.def"
#undef OPCODE
};
