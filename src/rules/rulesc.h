/* rulesc.h - what the files of the rules compiler's program share. */
#ifndef REMAT_RULES_RULESC_H
#define REMAT_RULES_RULESC_H

#include "rules/rules.h"
#include "support/buffer.h"

enum command_action {
  ACTION_EMIT,
  ACTION_CHECK,
  ACTION_PRINT_RULES,
  ACTION_DEVICES,
  ACTION_CLASSES,
  ACTION_PRICE,
};

struct command {
  struct arena arena;
  struct diagnostics diagnostics;
  struct rules_options options;
  enum command_action action;
  const char **files, **include_dirs;
  uint32_t file_count;
  const char *output, *price, *device, *max_errors, *depend, *depend_target;
};

/* --- rulesc_list.c --- */

void list_devices(const struct rules *rules, struct buffer *out);
void list_classes(const struct rules *rules, struct buffer *out);

/* Explain the op of command->price on the device, or on all. */
bool price_op(struct command *command, const struct rules *rules,
              struct buffer *out);

#endif
