/* Recognizes a handwritten digit and says which it is. */
#include <stdio.h>

#include "../../firmware/image.h"
#include "digits_c.h"

static digits_instance classifier; /* zeros: nothing runs before main, nothing is on the heap */

void app_main(void) {
  arenite_status status = digits_load(&classifier);
  if (status.code == ARENITE_CODE_OK) {
    float* pixels = digits_input_image(&classifier);
    for (unsigned i = 0; i < DIGITS_INPUT_IMAGE_ELEMENTS; ++i) pixels[i] = kImage[i];
    status = digits_run(&classifier);
  }
  if (status.code != ARENITE_CODE_OK) {
    printf("cannot load or run: %s\n", arenite_text_of(status.code));
    return;
  }
  const float* logits = digits_output_logits(&classifier);
  unsigned best = 0;
  for (unsigned i = 1; i < DIGITS_OUTPUT_LOGITS_ELEMENTS; ++i) {
    if (logits[i] > logits[best]) best = i;
  }
  printf("this is a %u\n", best);
}
/* SPDX-License-Identifier: Apache-2.0 */
