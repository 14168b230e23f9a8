/* include.c - a rules file and what it includes.
 *
 * An include is looked for beside the file that includes it, then along -I,
 * then among the rules that were installed (REMAT_DATA_DIR/rules).  It must lie
 * in the tree of the project (the nearest folder above the main file with a
 * `.git` in it, else the highest with a `rules` folder, else the main file's
 * own), or in one that was given with -I: a rules file from elsewhere must not
 * make the compiler read the user's other files.  A file that is reached twice
 * is taken once, where it is reached first. */
#include "rules/compile.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef REMAT_DATA_DIR
#define REMAT_DATA_DIR "/usr/local/share/remat"
#endif

enum { MOST_FILES = 1000 };

/* A file that is being read, and who includes it. */
struct opening {
  const char *real;
  const struct opening *outer;
};

/* The folder of PATH, with its last '/', or "". */
static const char *
folder_of(struct arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? arena_copy(arena, path, (size_t)(slash + 1 - path)) : "";
}

/* PATH without "X/.." in it. */
static const char *
normal(struct arena *arena, const char *path) {
  char *copy = arena_copy(arena, path, strlen(path)), *up;
  while ((up = strstr(copy, "/../")) != NULL && up != copy) {
    char *from = up;
    while (from > copy && from[-1] != '/')
      from--;
    if (strncmp(from, "../", 3) == 0 || strncmp(from, "./", 2) == 0)
      break;
    memmove(from, up + 4, strlen(up + 4) + 1);
  }
  return copy;
}

static const char *
canonical(struct arena *arena, const char *path) {
  char *real = realpath(path, NULL);
  if (!real)
    return NULL;
  const char *copy = arena_copy(arena, real, strlen(real));
  free(real);
  return copy;
}

static void
add_root(struct compilation *c, const char *folder) {
  const char *real = canonical(c->arena, *folder ? folder : ".");
  if (real)
    c->roots[c->root_count++] = real;
}

/* Shorten FOLDER, which ends in '/', to the one above; false at the root. */
static bool
go_up(char *folder) {
  size_t size = strlen(folder);
  if (size < 2)
    return false;
  folder[size - 1] = '\0';
  char *slash = strrchr(folder, '/');
  if (!slash)
    return false;
  slash[1] = '\0';
  return true;
}

/* The project of the main file, whose canonical path is REAL. */
static void
add_project(struct compilation *c, const char *real) {
  const char *project = folder_of(c->arena, real);
  char *above = arena_copy(c->arena, project, strlen(project));
  do {
    size_t size = strlen(above);
    if (access(arena_printf(c->arena, "%s.git", above), F_OK) == 0) {
      add_root(c, above);
      return;
    }
    if (access(arena_printf(c->arena, "%srules", above), F_OK) == 0)
      project = arena_copy(c->arena, above, size);
  } while (go_up(above));
  add_root(c, project);
}

static bool
inside(const char *real, const char *root) {
  size_t size = strlen(root);
  return strncmp(real, root, size) == 0 &&
         (real[size] == '/' || (size && root[size - 1] == '/'));
}

static bool
allowed(const struct compilation *c, const char *real) {
  if (c->options->allow_include)
    return true;
  for (uint32_t i = 0; i < c->root_count; i++)
    if (inside(real, c->roots[i]))
      return true;
  return false;
}

/* Where PATH, which FROM includes, lies; NULL if nowhere. */
static const char *
find_include(struct compilation *c, const struct rules_file *from,
             const char *path, const char **shown) {
  const char *beside = arena_printf(
      c->arena, "%s%s", folder_of(c->arena, from->source.name), path);
  *shown =
      normal(c->arena, arena_printf(c->arena, "%s%s",
                                    folder_of(c->arena, from->shown), path));
  if (path[0] == '/') {
    *shown = path;
    return access(path, F_OK) == 0 ? path : NULL;
  }
  if (access(beside, F_OK) == 0)
    return beside;
  *shown = path;
  for (uint32_t i = 0; i < c->options->include_count; i++) {
    const char *there =
        arena_printf(c->arena, "%s/%s", c->options->include_dirs[i], path);
    if (access(there, F_OK) == 0)
      return there;
  }
  const char *installed =
      arena_printf(c->arena, "%s/rules/%s", REMAT_DATA_DIR, path);
  return access(installed, F_OK) == 0 ? installed : NULL;
}

static void
complain_unreadable(struct compilation *c, struct location where,
                    const char *path, enum source_status status) {
  const char *why = status == SOURCE_DIRECTORY   ? "it is a directory"
                    : status == SOURCE_TOO_LARGE ? "it is too large"
                                                 : strerror(errno);
  complain(c, where, "cannot read '%s': %s", path, why);
}

/* The first statement of FILE must say which language it is. */
static void
check_version(struct compilation *c, const struct rules_file *file) {
  const struct statement *first = file->statements;
  if (!first || first->kind != STATEMENT_VERSION) {
    struct location where =
        first ? first->where : (struct location){&file->source, 0, 0};
    complain(c, where, "a rules file begins with 'rules 1;'");
    return;
  }
  const struct node *version = first->expression;
  if (version->kind != NODE_ERROR && version->number != 1)
    complain(c, version->where,
             "this is version %.*s of the language; known is version 1",
             (int)version->text.size, version->text.data);
  for (const struct statement *s = first->next; s; s = s->next)
    if (s->kind == STATEMENT_VERSION) {
      complain(c, s->where, "the version is said twice");
      diagnose_note(c->diagnostics, first->where, "here before");
    }
}

static bool read_file(struct compilation *c, const char *path,
                      const char *shown, struct location from,
                      const struct opening *outer);

static bool
read_include(struct compilation *c, const struct rules_file *file,
             const struct statement *include, const struct opening *outer) {
  const char *path = include->string.text.data, *shown;
  struct location where = include->string.where;
  if (strlen(path) != include->string.text.size || !*path) {
    complain(c, where, "an include needs the path of a file");
    return false;
  }
  if (path[0] == '/' && !c->options->allow_include) {
    complain(c, where, "'%s' is an absolute path; --allow-include permits it",
             path);
    return false;
  }
  const char *there = find_include(c, file, path, &shown);
  const char *real = there ? canonical(c->arena, there) : NULL;
  if (!real) {
    complain(c, where, "cannot find '%s' beside '%s' or along -I", path,
             file->source.name);
    return false;
  }
  if (!allowed(c, real)) {
    complain(c, where,
             "'%s' is outside of the project; --allow-include permits it",
             path);
    return false;
  }
  for (const struct opening *open = outer; open; open = open->outer)
    if (strcmp(open->real, real) == 0) {
      complain(c, where, "'%s' includes itself", path);
      return false;
    }
  for (uint32_t i = 0; i < c->files.count; i++)
    if (strcmp(c->files.data[i]->real, real) == 0)
      return true;
  return read_file(c, there, shown, where, outer);
}

static bool
read_file(struct compilation *c, const char *path, const char *shown,
          struct location from, const struct opening *outer) {
  struct rules_file *file = ARENA_NEW(c->arena, struct rules_file);
  const char *real = canonical(c->arena, path);
  enum source_status status = source_open(&file->source, path);
  if (status != SOURCE_OK) {
    complain_unreadable(c, from, path, status);
    return false;
  }
  file->source.included_from = from;
  file->shown = shown;
  file->real = real ? real : path;
  if (c->files.count == MOST_FILES) {
    complain(c, from, "more than %d files are included", MOST_FILES);
    source_close(&file->source);
    return false;
  }
  vector_push(c->arena, &c->files, file);
  vector_push(c->arena, &c->file_names, shown);
  uint32_t errors = c->diagnostics->errors;
  file->statements = rules_parse(c->arena, c->diagnostics, &file->source);
  if (c->diagnostics->errors == errors)
    check_version(c, file);
  else
    c->incomplete = true;
  struct opening open = {file->real, outer};
  for (const struct statement *s = file->statements; s; s = s->next)
    if (s->kind == STATEMENT_INCLUDE && !read_include(c, file, s, &open))
      c->incomplete = true;
  return true;
}

bool
read_files(struct compilation *c, const char *path) {
  c->roots = ARENA_ARRAY(c->arena, const char *, c->options->include_count + 3);
  const char *real = canonical(c->arena, path);
  if (real)
    add_project(c, real);
  for (uint32_t i = 0; i < c->options->include_count; i++)
    add_root(c, c->options->include_dirs[i]);
  add_root(c, REMAT_DATA_DIR);
  path = arena_copy(c->arena, path, strlen(path));
  const char *slash = strrchr(path, '/');
  return read_file(c, path, slash ? slash + 1 : path, NO_LOCATION, NULL) &&
         !c->incomplete;
}

void
close_files(struct compilation *c) {
  for (uint32_t i = 0; i < c->files.count; i++)
    source_close(&c->files.data[i]->source);
}
