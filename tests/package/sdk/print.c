/* What the stand-ins for SDKs print with: a line, by semihosting. */
#include <stdarg.h>
#include <stdio.h>

#include "board.h"

int printk(const char* format, ...) {
  char line[160];
  va_list words;
  va_start(words, format);
  const int length = vsnprintf(line, sizeof line, format, words);
  va_end(words);
  print(line);
  return length;
}
/* SPDX-License-Identifier: Apache-2.0 */
