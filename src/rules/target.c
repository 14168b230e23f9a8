/* target.c - what tables say of themselves: devices, figures, classes. */
#include "rules/tables.h"

#include <math.h>
#include <string.h>

const char *
rules_name(const struct rules *rules) {
  return rules->name;
}

const char *
rules_description(const struct rules *rules) {
  return rules->description;
}

uint32_t
rules_device_count(const struct rules *rules) {
  return rules->device_count;
}

const char *
rules_device_name(const struct rules *rules, uint32_t device) {
  return rules->strings[rules->devices[device].name];
}

const char *
rules_device_description(const struct rules *rules, uint32_t device) {
  return rules->strings[rules->devices[device].description];
}

bool
rules_device_complete(const struct rules *rules, uint32_t device) {
  return rules->devices[device].complete;
}

uint32_t
rules_device_find(const struct rules *rules, const char *name) {
  if (!name)
    return rules->default_device;
  for (uint32_t i = 0; i < rules->device_count; i++)
    if (rules->devices[i].complete &&
        strcmp(rules_device_name(rules, i), name) == 0)
      return i;
  return NONE;
}

bool
rules_figure(const struct rules *rules, uint32_t device, const char *name,
             double *value) {
  if (device == NONE)
    return false;
  for (uint32_t i = 0; i < rules->figure_count; i++)
    if (strcmp(rules->strings[rules->figures[i].name], name) == 0) {
      *value = rules->figure_values[(size_t)device * rules->figure_count + i];
      return !isnan(*value);
    }
  return false;
}

uint64_t
rules_usable_bytes(const struct rules *rules, uint32_t device) {
  double bytes;
  if (!rules_figure(rules, device, "usable", &bytes) &&
      !rules_figure(rules, device, "memory", &bytes))
    return 0;
  return bytes >= 18446744073709549568.0 ? UINT64_MAX : (uint64_t)bytes;
}

const char *
rules_memory_domain(const struct rules *rules, uint32_t device,
                    uint32_t space) {
  for (uint32_t i = 0; device != NONE && i < rules->figure_count; i++) {
    const char *name = rules->strings[rules->figures[i].name];
    const char *dot = strrchr(name, '.');
    double value =
        rules->figure_values[(size_t)device * rules->figure_count + i];
    if (dot && strcmp(dot, ".space") == 0 && value == space)
      return name;
  }
  return NULL;
}

uint32_t
rules_class_count(const struct rules *rules) {
  return rules->class_count;
}

const char *
rules_class_name(const struct rules *rules, uint32_t class_id) {
  return rules->strings[rules->classes[class_id].name];
}

const char *
rules_class_meaning(const struct rules *rules, uint32_t class_id) {
  return rules->strings[rules->classes[class_id].meaning];
}

const struct rules_fusion *
rules_fusion(const struct rules *rules) {
  return &rules->fusion;
}
