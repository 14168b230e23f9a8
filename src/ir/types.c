/* types.c - see types.h. */
#include "ir/types.h"
#include "support/checked.h"

#include <string.h>

const struct dtype_info dtype_infos[DTYPE_COUNT] = {
#define DTYPE(id, bits, class, mlir, hlo)                                      \
  {mlir, hlo, bits, DTYPE_CLASS_##class},
#include "ir/dtypes.def"
#undef DTYPE
};

enum dtype
dtype_by_mlir(struct text name) {
  for (int dtype = 1; dtype < DTYPE_COUNT; dtype++)
    if (dtype_infos[dtype].name && text_is(name, dtype_infos[dtype].name))
      return (enum dtype)dtype;
  return DTYPE_NONE;
}

enum dtype
dtype_by_hlo(struct text name) {
  for (int dtype = 1; dtype < DTYPE_COUNT; dtype++)
    if (dtype_infos[dtype].hlo && text_is(name, dtype_infos[dtype].hlo))
      return (enum dtype)dtype;
  return DTYPE_NONE;
}

/* The width behind PREFIX when the rest of NAME is digits, else 0. */
static uint32_t
width_after(struct text name, const char *prefix) {
  size_t skip = strlen(prefix);
  uint32_t width = 0;
  if (name.size <= skip || name.size > skip + 7 || !text_starts(name, prefix))
    return 0;
  for (uint32_t i = (uint32_t)skip; i < name.size; i++) {
    if (name.data[i] < '0' || name.data[i] > '9')
      return 0;
    width = width * 10 + (uint32_t)(name.data[i] - '0');
  }
  return width;
}

bool
dtype_parse_mlir(struct text name, enum dtype *dtype, uint32_t *bits) {
  *dtype = dtype_by_mlir(name);
  if (*dtype != DTYPE_NONE) {
    *bits = dtype_infos[*dtype].bits;
    return true;
  }
  uint32_t width = width_after(name, "si");
  if (width) {
    char signless[12];
    uint32_t size = name.size - 1;
    signless[0] = 'i';
    memcpy(signless + 1, name.data + 2, size - 1);
    *dtype = dtype_by_mlir((struct text){signless, size});
  }
  if (!width)
    width = width_after(name, "i");
  if (!width)
    width = width_after(name, "ui");
  if (!width)
    return false;
  if (*dtype == DTYPE_NONE)
    *dtype = DTYPE_OTHER_INTEGER;
  *bits = width;
  return true;
}

/* Bits of storage for an element of BITS. */
static uint32_t
storage_bits(enum dtype dtype, uint32_t bits, enum storage_policy policy) {
  if (dtype == DTYPE_I1 || (bits < 8 && bits && policy == STORAGE_PADDED))
    return 8;
  if (bits <= 8)
    return bits;
  uint32_t whole = (bits + 7) / 8 * 8;
  return whole;
}

uint32_t
dtype_storage_bits(enum dtype dtype, enum storage_policy policy) {
  return storage_bits(dtype, dtype_infos[dtype].bits, policy);
}

uint64_t
bits_to_bytes(uint64_t elements, uint64_t bits) {
  uint128 total = (uint128)elements * bits;
  uint128 bytes = (total + 7) / 8;
  return bytes > UINT64_MAX ? UINT64_MAX : (uint64_t)bytes;
}

struct type_table *
type_table_new(struct arena *arena, enum storage_policy storage) {
  struct type_table *table = ARENA_NEW(arena, struct type_table);
  table->arena = arena;
  table->spellings = string_table_new(arena);
  table->storage = storage;
  return table;
}

type_id
type_find(const struct type_table *table, struct text spelling) {
  return string_find(table->spellings, spelling);
}

/* Elements and bytes of a shaped type from its dims and element bits. */
static void
size_shaped(struct type *type) {
  uint64_t elements = 1;
  for (uint32_t i = 0; i < type->rank; i++) {
    if (type->dims[i] == DIMENSION_DYNAMIC)
      type->dynamic = true;
    else
      elements = saturating_multiply(elements, type->dims[i]);
  }
  type->dynamic |= type->unranked;
  type->elements = elements;
  type->bytes = type->dynamic ? 0 : bits_to_bytes(elements, type->element_bits);
}

static void
size_tuple(const struct type_table *table, struct type *type) {
  type->elements = 1;
  for (uint32_t i = 0; i < type->part_count; i++) {
    const struct type *part = &table->types[type->parts[i]];
    type->bytes = saturating_add(type->bytes, part->bytes);
    type->leaves += part->leaves;
    type->dynamic |= part->dynamic;
  }
}

type_id
type_enter(struct type_table *table, const struct type *type) {
  type_id id = string_intern(table->spellings, type->spelling);
  if (id < table->count)
    return id;
  if (table->count == table->capacity) {
    size_t old = table->capacity, new = old ? 2 * old : 64;
    table->types =
        arena_grow(table->arena, table->types, old * sizeof *table->types,
                   new * sizeof *table->types);
    table->capacity = (uint32_t)new;
  }
  struct type *entry = &table->types[table->count++];
  *entry = *type;
  entry->bytes = 0;
  entry->leaves = type->kind != TYPE_TUPLE;
  if (entry->dtype != DTYPE_NONE) {
    uint32_t bits = dtype_infos[entry->dtype].bits;
    entry->element_bits = storage_bits(
        entry->dtype, bits ? bits : entry->element_bits, table->storage);
    if (entry->packed_bits)
      entry->element_bits = entry->packed_bits;
  }
  if (type->kind == TYPE_TENSOR || type->kind == TYPE_MEMREF ||
      type->kind == TYPE_VECTOR)
    size_shaped(entry);
  else if (type->kind == TYPE_TUPLE)
    size_tuple(table, entry);
  else
    entry->elements = 1;
  return id;
}

bool
type_leaf_range(const struct type_table *table, type_id id, struct text path,
                uint32_t *first, uint32_t *count) {
  *first = 0;
  for (uint32_t i = 0; i < path.size;) {
    if (path.data[i] < '0' || path.data[i] > '9') {
      i++;
      continue;
    }
    uint32_t index = 0;
    const struct type *type = &table->types[id];
    for (; i < path.size && path.data[i] >= '0' && path.data[i] <= '9'; i++)
      index = index < 1u << 24 ? index * 10 + (uint32_t)(path.data[i] - '0')
                               : index;
    if (type->kind != TYPE_TUPLE || index >= type->part_count)
      return false;
    for (uint32_t part = 0; part < index; part++)
      *first += table->types[type->parts[part]].leaves;
    id = type->parts[index];
  }
  *count = table->types[id].leaves;
  return true;
}
