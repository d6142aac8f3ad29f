// An application on an operating system that holds its model.
#include <cstdio>

#include "digits.h"
#include "image.h"

#if __has_include("core/instance.h")
#error "the inside of the runtime is not for applications to see"
#endif

static digits::Instance classifier;

int main() {
  const arenite::Status status = digits::load(classifier);
  if (!status.ok()) {
    std::printf("load: %s\n", arenite::text_of(status.code));
    return 1;
  }
  float* pixels = digits::inputs::image::data(classifier);
  for (unsigned i = 0; i < digits::inputs::image::kElements; ++i) pixels[i] = kImage[i];
  if (!classifier.run().ok()) return 2;
  const float* logits = digits::outputs::logits::data(classifier);
  unsigned best = 0;
  for (unsigned i = 1; i < digits::outputs::logits::kElements; ++i) {
    if (logits[i] > logits[best]) best = i;
  }
  return best == 7 ? 0 : 3;
}
// SPDX-License-Identifier: Apache-2.0
