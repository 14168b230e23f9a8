/* output.c - files that appear whole or not at all.
 *
 * A regular file is written beside its place and renamed when all went well,
 * so a failed run leaves the old one as it was.  What is no regular file (a
 * pipe, /dev/null) is written directly. */
#include "driver/driver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
fail(struct output *output, const char *doing) {
  diagnose(output->diagnostics, DIAGNOSTIC_OUTPUT, NO_LOCATION,
           "cannot %s '%s': %s", doing,
           output->path ? output->path : "standard output", strerror(errno));
  output->failed = true;
  return false;
}

/* Open a new file beside the path, with the rights MODE. */
static bool
open_beside(struct output *output, mode_t mode) {
  static const char suffix[] = ".XXXXXX";
  size_t size = strlen(output->place);
  output->temporary = malloc(size + sizeof suffix);
  if (!output->temporary)
    return fail(output, "write");
  memcpy(output->temporary, output->place, size);
  memcpy(output->temporary + size, suffix, sizeof suffix);
  output->file = mkstemp(output->temporary);
  if (output->file < 0) {
    free(output->temporary);
    output->temporary = NULL;
    return fail(output, "write");
  }
  /* Where rights cannot be given the file keeps those of a private one, which
   * is no reason to lose its contents. */
  int given = fchmod(output->file, mode);
  (void)given;
  return true;
}

bool
output_open(struct output *output, const char *path,
            struct diagnostics *diagnostics) {
  *output = (struct output){.diagnostics = diagnostics, .file = 1};
  if (!path || strcmp(path, "-") == 0)
    return true;
  struct stat old;
  output->path = path;
  bool exists = stat(path, &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) {
    output->file = open(path, O_WRONLY | O_CLOEXEC);
    return output->file >= 0 || fail(output, "write");
  }
  /* What a link points to is replaced, not the link. */
  output->place = exists ? realpath(path, NULL) : strdup(path);
  if (!output->place)
    return fail(output, "write");
  mode_t mask = umask(0);
  umask(mask);
  return open_beside(output, exists ? old.st_mode & 0777 : 0666 & ~mask);
}

bool
output_write(void *user, const char *data, size_t size) {
  struct output *output = user;
  while (size && !output->failed) {
    ssize_t written = write(output->file, data, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return fail(output, "write");
    data += written;
    size -= (size_t)written;
  }
  return !output->failed;
}

bool
output_close(struct output *output, bool good) {
  good &= !output->failed;
  if (!output->path)
    return good;
  if (close(output->file) != 0 && good)
    good = fail(output, "write");
  if (output->temporary && good &&
      rename(output->temporary, output->place) != 0)
    good = fail(output, "write");
  if (output->temporary && !good)
    unlink(output->temporary);
  free(output->temporary);
  free(output->place);
  output->temporary = output->place = NULL;
  return good;
}
