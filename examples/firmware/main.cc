// Recognizes a handwritten digit and says which it is.
#include "board.h"
#include "digits.h"
#include "image.h"

static digits::Instance classifier;  // static: no constructor runs, nothing is on the heap

static int fail(const char* what, arenite::Status status) {
  print(what);
  print(arenite::text_of(status.code));
  print("\n");
  return 1;
}

int main() {
  if (const arenite::Status status = digits::load(classifier); !status.ok()) {
    return fail("cannot load: ", status);
  }
  float* pixels = digits::inputs::image::data(classifier);
  for (unsigned i = 0; i < digits::inputs::image::kElements; ++i) pixels[i] = kImage[i];

  if (const arenite::Status status = classifier.run(); !status.ok()) {
    return fail("cannot run: ", status);
  }
  const float* logits = digits::outputs::logits::data(classifier);
  unsigned best = 0;
  for (unsigned i = 1; i < digits::outputs::logits::kElements; ++i) {
    if (logits[i] > logits[best]) best = i;
  }
  const char digit[] = {static_cast<char>('0' + best), '\n', '\0'};
  print("this is a ");
  print(digit);
  return 0;
}
// SPDX-License-Identifier: Apache-2.0
