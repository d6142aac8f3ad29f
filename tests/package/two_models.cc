// Two models in one image: both give the same answer; instances share one arena by turns.
#include "board.h"
#include "digits.h"
#include "image.h"
#include "second.h"

namespace {

digits::Instance first;
digits::Instance again;  // of the first model, in memory that is given
second::Instance other;
alignas(digits::kArenaDtcmAlignment) unsigned char memory[digits::kArenaDtcmBytes];
float lent_logits[second::outputs::logits::kElements];

static_assert(digits::inputs::image::kType == arenite::DType::kFloat32);
static_assert(digits::inputs::image::kDims[3] == 8 && digits::kInputs == 1);
static_assert(!digits::kInputTable[0].lent && second::kInputTable[0].lent);
static_assert(second::kArenaBytes <= digits::kArenaBytes);

int check(bool good, const char* what) {
  if (!good) print(what);
  return good ? 0 : 1;
}

void fill(float* pixels) {
  for (unsigned i = 0; i < digits::inputs::image::kElements; ++i) pixels[i] = kImage[i];
}

}  // namespace

int main() {
  int wrong = check(first.run().code == arenite::Code::kNotLoaded, "ran unloaded\n");
  wrong += check(load(first).ok(), "load first\n");
  wrong += check(load(again, digits::Arenas{memory}).ok(), "load again\n");
  wrong += check(load(other).ok(), "load other\n");
  wrong += check(other.run().code == arenite::Code::kArenaMissing, "ran unbound\n");
  wrong += check(second::inputs::image::bind(other, kImage).ok(), "bind input\n");
  wrong += check(second::outputs::logits::bind(other, lent_logits).ok(), "bind output\n");
  fill(digits::inputs::image::data(first));
  fill(digits::inputs::image::data(again));
  wrong += check(first.run().ok() && other.run().ok(), "run\n");
  bool done = false;
  while (!done && again.run_steps(1, done).ok()) {
  }
  for (unsigned i = 0; i < 10 && wrong == 0; ++i) {
    const float expected = digits::outputs::logits::data(first)[i];
    wrong += check(lent_logits[i] == expected, "the second model differs\n");
    wrong += check(digits::outputs::logits::data(again)[i] == expected, "in steps it differs\n");
  }
  return wrong;
}
// SPDX-License-Identifier: Apache-2.0
