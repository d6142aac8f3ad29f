// Two models in one target, as docs/firmware.md has them: they share one arena by turns.
#include "several.h"

#include "board.h"
#include "image.h"

namespace {

template <typename Image, typename Logits>
int answer(senses::Instance& instance) {
  float* pixels = Image::data(instance);
  for (unsigned i = 0; i < Image::kElements; ++i) pixels[i] = kImage[i];
  if (!instance.run().ok()) return -1;
  const float* logits = Logits::data(instance);
  int best = 0;
  for (int i = 1; i < 10; ++i) best = logits[i] > logits[best] ? i : best;
  return best;
}

}  // namespace

int main() {
  if (!load_both()) {
    print("cannot load\n");
    return 1;
  }
  using senses::digits::inputs::image;
  for (int turn = 0; turn < 2; ++turn) {
    const int digit = answer<image, senses::digits::outputs::logits>(digits_instance);
    const int other =
        answer<senses::other::inputs::image, senses::other::outputs::logits>(other_instance);
    if (digit != 7 || other != 7) {
      print("a wrong answer\n");
      return 1;
    }
  }
  return 0;
}
// SPDX-License-Identifier: Apache-2.0
