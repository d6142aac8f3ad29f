/* Recognizes a handwritten digit and says which it is, in C. */
#include "../firmware/image.h"
#include "board.h"
#include "digits_c.h"

static digits_instance classifier; /* zeros: nothing runs before main, nothing is on the heap */

static int fail(const char* what, arenite_status status) {
  print(what);
  print(arenite_text_of(status.code));
  print("\n");
  return 1;
}

int main(void) {
  arenite_status status = digits_load(&classifier);
  if (status.code != ARENITE_CODE_OK) return fail("cannot load: ", status);

  float* pixels = digits_input_image(&classifier);
  for (unsigned i = 0; i < DIGITS_INPUT_IMAGE_ELEMENTS; ++i) pixels[i] = kImage[i];

  status = digits_run(&classifier);
  if (status.code != ARENITE_CODE_OK) return fail("cannot run: ", status);

  const float* logits = digits_output_logits(&classifier);
  unsigned best = 0;
  for (unsigned i = 1; i < DIGITS_OUTPUT_LOGITS_ELEMENTS; ++i) {
    if (logits[i] > logits[best]) best = i;
  }
  const char digit[] = {(char)('0' + best), '\n', '\0'};
  print("this is a ");
  print(digit);
  return 0;
}
/* SPDX-License-Identifier: Apache-2.0 */
