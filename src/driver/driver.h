/* driver.h - what the files of the driver share. */
#ifndef REMAT_DRIVER_DRIVER_H
#define REMAT_DRIVER_DRIVER_H

#include "session/session.h"

enum color {
  COLOR_AUTO,
  COLOR_ALWAYS,
  COLOR_NEVER,
};

/* What the command line asks for, beside the options of the run. */
struct command {
  struct session *session;
  struct arena *arena;
  const char *input;  /* NULL: none was named; "-": standard input */
  const char *second; /* of --compare, or NULL */
  bool compare;
  const char *output; /* NULL: standard output */
  VECTOR(const char *) reports;
  const char *save_plan; /* a file, or NULL */
  enum color color;
  bool json;
  bool print_passes, version, help;
  const char *help_topic;
};

/* Take the command line into COMMAND and its session's options.  False after
 * errors. */
bool command_parse(struct command *command, int argc, char **argv);

/* Write --help, or what it says of the topic, to standard output; false where
 * there is no such topic, which was diagnosed. */
bool help_print(struct command *command);

/* The pipeline, one pass a line, those that are left out marked. */
void help_print_passes(const struct session *session);

/* A file that takes the place of PATH only when it is complete. */
struct output {
  struct diagnostics *diagnostics;
  const char *path; /* NULL: standard output */
  char *place;      /* PATH without links; NULL: written directly */
  char *temporary;  /* beside it */
  int file;
  bool failed;
};

/* Begin to write to PATH (NULL or "-": standard output).  False after an
 * error. */
bool output_open(struct output *output, const char *path,
                 struct diagnostics *diagnostics);

/* Write; false after an error.  Fits `ir_writer`: USER is the output. */
bool output_write(void *user, const char *data, size_t size);

/* End, and put the file in its place if GOOD.  False after an error. */
bool output_close(struct output *output, bool good);

#endif
