/* human.c - see human.h. */
#include "support/human.h"

/* VALUE in the largest of the UNITS, each STEP times the one before, of which
 * it is at least one. */
static void
scaled(struct buffer *out, uint64_t value, uint64_t step,
       const char *const *units, uint32_t count) {
  double scaled = (double)value;
  uint32_t unit = 0;
  while (unit + 1 < count && scaled >= (double)step) {
    scaled /= (double)step;
    unit++;
  }
  if (unit == 0)
    buffer_printf(out, "%llu %s", (unsigned long long)value, units[0]);
  else
    buffer_printf(out, scaled < 10 ? "%.2f %s" : "%.1f %s", scaled,
                  units[unit]);
}

void
human_bytes(struct buffer *out, uint64_t bytes) {
  static const char *const units[] = {"B",   "KiB", "MiB", "GiB",
                                      "TiB", "PiB", "EiB"};
  if (bytes == UINT64_MAX)
    buffer_string(out, "more than can be counted");
  else
    scaled(out, bytes, 1024, units, 7);
}

void
human_time(struct buffer *out, uint64_t ns) {
  static const char *const units[] = {"ns", "us", "ms", "s"};
  scaled(out, ns, 1000, units, 4);
}
