/* source.c - see source.h.
 *
 * A file is mapped, not read: the pages behind its end are anonymous, which
 * is what puts the NUL there. */
#include "support/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_BYTES = 1 << 20 };

/* Read FD to its end into malloced memory. */
static enum source_status
read_all(struct source *source, int fd) {
  size_t size = 0, capacity = READ_BYTES;
  char *text = malloc(capacity + 1);
  while (text) {
    ssize_t got = read(fd, text + size, capacity - size);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0 || size + (size_t)got >= UINT32_MAX) {
      free(text);
      return got < 0 ? SOURCE_UNREADABLE : SOURCE_TOO_LARGE;
    }
    if (got == 0)
      break;
    size += (size_t)got;
    if (size == capacity) {
      char *larger = realloc(text, 2 * capacity + 1);
      if (!larger)
        free(text);
      text = larger;
      capacity *= 2;
    }
  }
  if (!text)
    return SOURCE_UNREADABLE;
  text[size] = '\0';
  source->text = source->mapping = text;
  source->size = (uint32_t)size;
  return SOURCE_OK;
}

static enum source_status
map_file(struct source *source, int fd, size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t bytes = (size / page + 1) * page;
  void *base = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED)
    return SOURCE_UNREADABLE;
  if (size && mmap(base, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) ==
                  MAP_FAILED) {
    munmap(base, bytes);
    return SOURCE_UNREADABLE;
  }
  source->text = source->mapping = base;
  source->mapping_bytes = bytes;
  source->size = (uint32_t)size;
  return SOURCE_OK;
}

static enum source_status
open_fd(struct source *source, int fd) {
  struct stat status;
  if (fstat(fd, &status) != 0)
    return SOURCE_UNREADABLE;
  if (S_ISDIR(status.st_mode))
    return SOURCE_DIRECTORY;
  if (!S_ISREG(status.st_mode))
    return read_all(source, fd);
  if ((uint64_t)status.st_size >= UINT32_MAX)
    return SOURCE_TOO_LARGE;
  return map_file(source, fd, (size_t)status.st_size);
}

enum source_status
source_open(struct source *source, const char *path) {
  memset(source, 0, sizeof *source);
  bool is_stdin = strcmp(path, "-") == 0;
  source->name = is_stdin ? "<stdin>" : path;
  if (is_stdin)
    return read_all(source, STDIN_FILENO);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return SOURCE_UNREADABLE;
  enum source_status status = open_fd(source, fd);
  int saved = errno;
  close(fd);
  errno = saved;
  return status;
}

void
source_from_text(struct source *source, const char *name, const char *text,
                 uint32_t size) {
  memset(source, 0, sizeof *source);
  source->name = name;
  source->text = text;
  source->size = size;
}

void
source_close(struct source *source) {
  if (source->mapping_bytes)
    munmap(source->mapping, source->mapping_bytes);
  else
    free(source->mapping);
  arena_empty(&source->arena);
  memset(source, 0, sizeof *source);
}

/* Line starts are a cache, filled when the first place is asked for: one call
 * of memchr for each line. */
static void
find_lines(struct source *source) {
  const char *text = source->text, *end = text + source->size;
  uint32_t count = 0;
  size_t capacity = 64;
  source->lines = ARENA_ARRAY(&source->arena, uint32_t, capacity);
  for (const char *p = text; p; count++) {
    if (count + 2 > capacity) {
      source->lines = arena_grow(&source->arena, source->lines,
                                 capacity * sizeof *source->lines,
                                 2 * capacity * sizeof *source->lines);
      capacity *= 2;
    }
    source->lines[count] = (uint32_t)(p - text);
    p = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
    p = p ? p + 1 : NULL;
  }
  source->lines[count] = source->size + 1;
  source->line_count = count;
}

void
source_position(const struct source *source, uint32_t offset, uint32_t *line,
                uint32_t *column) {
  if (!source->lines)
    find_lines((struct source *)source);
  uint32_t low = 0, high = source->line_count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (source->lines[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  *line = low + 1;
  *column = offset - source->lines[low] + 1;
}

struct text
source_line(const struct source *source, uint32_t line) {
  if (!source->lines)
    find_lines((struct source *)source);
  if (line == 0 || line > source->line_count)
    return (struct text){"", 0};
  uint32_t begin = source->lines[line - 1];
  uint32_t end = source->lines[line] - 1;
  if (end > begin && source->text[end - 1] == '\r')
    end--;
  return (struct text){source->text + begin, end - begin};
}

struct location
location_at(const struct source *source, struct span span) {
  while (source->pieces.origin) {
    const struct source_pieces *pieces = &source->pieces;
    uint32_t low = 0, high = pieces->count;
    while (high - low > 1) {
      uint32_t middle = low + (high - low) / 2;
      if (pieces->data[middle].at <= span.begin)
        low = middle;
      else
        high = middle;
    }
    uint32_t size = span.end - span.begin;
    if (high)
      span.begin += pieces->data[low].from - pieces->data[low].at;
    source = pieces->origin;
    uint32_t left = source->size - span.begin;
    span.end = span.begin + (size < left ? size : left);
  }
  return (struct location){source, span.begin, span.end};
}
