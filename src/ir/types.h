/* types.h - types of values, each distinct one once.
 *
 * A type is parsed and sized when its spelling is first seen; after that it
 * is a number.  Sizes here are those of the type alone, with elements stored
 * as `type_element_bits` says; a target's rules may say otherwise. */
#ifndef REMAT_IR_TYPES_H
#define REMAT_IR_TYPES_H

#include "support/strings.h"

enum dtype {
#define DTYPE(id, bits, class, mlir, hlo) DTYPE_##id,
#include "ir/dtypes.def"
#undef DTYPE
  DTYPE_COUNT
};

enum dtype_class {
  DTYPE_CLASS_NOTHING,
  DTYPE_CLASS_BOOLEAN,
  DTYPE_CLASS_INTEGER,
  DTYPE_CLASS_UNSIGNED,
  DTYPE_CLASS_FLOAT,
  DTYPE_CLASS_COMPLEX,
};

struct dtype_info {
  const char *name; /* as rules files say it: the MLIR spelling */
  const char *hlo;
  uint16_t bits;
  enum dtype_class class;
};

extern const struct dtype_info dtype_infos[DTYPE_COUNT];

/* DTYPE_NONE where NAME is no element type. */
enum dtype dtype_by_mlir(struct text name);
enum dtype dtype_by_hlo(struct text name);

enum type_kind {
  TYPE_UNKNOWN, /* of a dialect that we cannot size */
  TYPE_SCALAR,  /* i32, f32, index: lives in a register, occupies nothing */
  TYPE_TENSOR,  /* also an HLO array of any rank */
  TYPE_MEMREF,
  TYPE_VECTOR, /* a register too, but counted: it may be large */
  TYPE_TUPLE,
  TYPE_TOKEN, /* tokens, none: zero bytes */
  TYPE_FUNCTION,
};

typedef uint32_t type_id;

#define TYPE_NONE UINT32_MAX
#define DIMENSION_DYNAMIC UINT64_MAX

struct type {
  enum type_kind kind;
  enum dtype dtype;
  struct text spelling; /* as it stands in the dump (aliases resolved) */
  uint32_t rank;        /* 0 for an unranked one */
  bool dynamic;         /* a dimension, or the rank, is not known */
  bool unranked;
  bool per_shard;        /* dims were divided by a sharding annotation */
  uint32_t element_bits; /* of one element as stored */
  uint32_t packed_bits;  /* what the type itself says that they are, HLO E(n),
                            or 0 */
  uint32_t memory_space; /* HLO S(n), memref space; 0 is the device's own */
  const uint64_t *dims;  /* RANK of them, DIMENSION_DYNAMIC where unknown */
  struct text layout;    /* layout or encoding text, empty where none */
  uint32_t part_count;   /* tuple: number of parts */
  const type_id *parts;  /* tuple: their types */
  uint32_t leaves;       /* 1, or those of a tuple's parts together */
  uint64_t elements;     /* product of the known dims, 1 for a scalar */
  uint64_t bytes;        /* of all of it; dynamic dims count as 0 elements */
};

/* How sub-byte elements are stored: two i4 a byte, or one. */
enum storage_policy {
  STORAGE_PACKED, /* i4 packed, as XLA:GPU and the HLO verifier count */
  STORAGE_PADDED, /* every element begins a byte */
};

struct type_table {
  struct arena *arena;
  struct string_table *spellings; /* id in this table = type_id */
  struct type *types;
  uint32_t count, capacity;
  enum storage_policy storage;
};

struct type_table *type_table_new(struct arena *arena,
                                  enum storage_policy storage);

/* The number of the type that SPELLING was given before, or TYPE_NONE. */
type_id type_find(const struct type_table *table, struct text spelling);

/* Enter TYPE under its spelling; elements, bytes, element_bits and dynamic
 * are worked out here from kind, dtype, dims and parts.  A dtype whose bits
 * the table does not know gives them in element_bits. */
type_id type_enter(struct type_table *table, const struct type *type);

static inline const struct type *
type_get(const struct type_table *table, type_id id) {
  return &table->types[id];
}

/* Which leaves of ID the path PATH ("{0,1}", "{}": all of it) means: *FIRST
 * and how many.  False where ID has no such part. */
bool type_leaf_range(const struct type_table *table, type_id id,
                     struct text path, uint32_t *first, uint32_t *count);

/* Bits that one element of DTYPE occupies in storage under POLICY: i1 has
 * eight, others under a byte are packed or padded, the rest as they are. */
uint32_t dtype_storage_bits(enum dtype dtype, enum storage_policy policy);

/* ELEMENTS elements of BITS bits in whole bytes, saturating. */
uint64_t bits_to_bytes(uint64_t elements, uint64_t bits);

/* Does an MLIR spelling read as one scalar dtype name (iN, uiN, siN, fN..)?
 * Gives dtype and bits. */
bool dtype_parse_mlir(struct text name, enum dtype *dtype, uint32_t *bits);

#endif
