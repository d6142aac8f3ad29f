/* Recognizes a handwritten digit and says which it is. */
#include <zephyr/sys/printk.h>

#include "../../firmware/image.h"
#include "digits_c.h"

static digits_instance classifier; /* zeros: nothing runs before main, nothing is on the heap */

int main(void) {
  arenite_status status = digits_load(&classifier);
  if (status.code == ARENITE_CODE_OK) {
    float* pixels = digits_input_image(&classifier);
    for (unsigned i = 0; i < DIGITS_INPUT_IMAGE_ELEMENTS; ++i) pixels[i] = kImage[i];
    status = digits_run(&classifier);
  }
  if (status.code != ARENITE_CODE_OK) {
    printk("cannot load or run: %s\n", arenite_text_of(status.code));
    return 1;
  }
  const float* logits = digits_output_logits(&classifier);
  unsigned best = 0;
  for (unsigned i = 1; i < DIGITS_OUTPUT_LOGITS_ELEMENTS; ++i) {
    if (logits[i] > logits[best]) best = i;
  }
  printk("this is a %u\n", best);
  return 0;
}
/* SPDX-License-Identifier: Apache-2.0 */
