/* meter.c - the heap of a lowered program, counted.
 *
 * finalize-memref-to-llvm{use-generic-functions} turns each allocation of a
 * tensor's buffer into a call of the functions below: what they count is the
 * buffers' exact bytes, and nothing of the C library's.  What is fresh and
 * what was given back is filled with FILL, so that a program that reads either
 * prints something else when FILL is another number. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 64 };

uint64_t meter_live, meter_peak;
int meter_fill;

void *
_mlir_memref_to_llvm_aligned_alloc(uint64_t alignment, uint64_t size) {
  uint64_t room = (size + 2 * HEAD - 1) / HEAD * HEAD;
  char *block = aligned_alloc(HEAD, room);
  if (!block || alignment > HEAD)
    abort();
  memcpy(block, &size, sizeof size);
  memset(block + HEAD, meter_fill, room - HEAD);
  meter_live += size;
  if (meter_live > meter_peak)
    meter_peak = meter_live;
  return block + HEAD;
}

void *
_mlir_memref_to_llvm_alloc(uint64_t size) {
  return _mlir_memref_to_llvm_aligned_alloc(HEAD, size);
}

void
_mlir_memref_to_llvm_free(void *buffer) {
  uint64_t size;
  if (!buffer)
    return;
  char *block = (char *)buffer - HEAD;
  memcpy(&size, block, sizeof size);
  memset(buffer, ~meter_fill & 0xff, size);
  meter_live -= size;
  free(block);
}

/* Element INDEX of argument ARGUMENT, between -1 and 1: the same on any
 * machine, and a multiple of 1/256. */
double
meter_input(uint64_t argument, uint64_t index) {
  uint64_t x = (argument + 1) * 0x9e3779b97f4a7c15u + index;
  x = (x ^ (x >> 31)) * 0xd6e8feb86659fd93u;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
  return ((double)(x >> 55) - 256) / 256;
}

/* One line for a result of COUNT bytes: all of them, hashed. */
void
meter_result(const void *bytes, uint64_t count) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (uint64_t i = 0; i < count; i++)
    hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
  printf("result %016llx\n", (unsigned long long)hash);
}
