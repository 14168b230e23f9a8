/* execute.c - the heap of a lowered program, and what execute.py calls to run
 * it.
 *
 * finalize-memref-to-llvm{use-generic-functions} turns every allocation of a
 * buffer into a call of a function below, so that nothing but buffers is
 * counted, and no compiler can leave one out.  New buffers are filled with a
 * byte that the command line gives, freed ones with its complement: a result
 * that depends on it has read what it may not. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 64, MARK = 0x4d42 };

static uint64_t live_bytes, peak_bytes, bad_frees;
static int fill;

struct header {
  uint64_t size, mark;
};

void *_mlir_memref_to_llvm_aligned_alloc(uint64_t alignment, uint64_t size);
void _mlir_memref_to_llvm_free(void *buffer);
void run_program(void); /* made by execute.py */
void fill_argument(void *data, uint64_t count, int kind, uint32_t seed);
void print_result(const void *data, uint64_t bytes);

void *
_mlir_memref_to_llvm_aligned_alloc(uint64_t alignment, uint64_t size) {
  char *block =
      aligned_alloc(HEADER, HEADER + (size + HEADER - 1) / HEADER * HEADER);
  struct header *header = (struct header *)block;
  if (!block || alignment > HEADER)
    exit(3);
  *header = (struct header){size, MARK};
  live_bytes += size;
  peak_bytes = live_bytes > peak_bytes ? live_bytes : peak_bytes;
  return memset(block + HEADER, fill, size);
}

void
_mlir_memref_to_llvm_free(void *buffer) {
  if (!buffer)
    return;
  struct header *header = (struct header *)((char *)buffer - HEADER);
  if (header->mark != MARK) {
    bad_frees++;
    return;
  }
  live_bytes -= header->size;
  header->mark = 0;
  memset(buffer, ~fill, header->size); /* the block itself is not given back */
}

/* COUNT numbers in [-1, 1), or small integers, that SEED determines. */
void
fill_argument(void *data, uint64_t count, int kind, uint32_t seed) {
  uint32_t state = seed * 2654435761u + 1;
  for (uint64_t i = 0; i < count; i++) {
    state = state * 1664525u + 1013904223u;
    double value = (double)(state >> 8) / (1 << 23) - 1;
    if (kind == 'f')
      ((float *)data)[i] = (float)value;
    else if (kind == 'd')
      ((double *)data)[i] = value;
    else if (kind == 'i')
      ((int32_t *)data)[i] = (int32_t)(state >> 20);
    else
      ((int64_t *)data)[i] = (int64_t)(state >> 20);
  }
}

/* A hash of all bytes, and the first of them. */
void
print_result(const void *data, uint64_t bytes) {
  const unsigned char *at = data;
  uint64_t hash = 14695981039346656037u;
  for (uint64_t i = 0; i < bytes; i++)
    hash = (hash ^ at[i]) * 1099511628211u;
  printf("result %016llx %02x%02x%02x%02x\n", (unsigned long long)hash, at[0],
         at[1], at[2], at[3]);
}

int
main(int argc, char **argv) {
  fill = argc > 1 ? atoi(argv[1]) : 0;
  run_program();
  fprintf(stderr, "%llu %llu\n", (unsigned long long)peak_bytes,
          (unsigned long long)bad_frees);
  return bad_frees != 0;
}
