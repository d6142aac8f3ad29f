// Programs that come from elsewhere meet the header of an image, on a board: whole, damaged, and
// foreign ones.
#include "update.h"
#include "board.h"
#include "digits.h"
#include "image.h"
#include "second.h"
#include "watchdog.h"

namespace {

digits::Instance model;
// Written before they are read: not zeros at the start.
alignas(64) [[gnu::section(".slot")]] unsigned char slot[digits::kProgramBytes];
alignas(64) [[gnu::section(".slot")]] unsigned char memory[digits::kArenaDtcmBytes + 64];

volatile bool stop = false;
unsigned feeds = 0, last_feed = 0;
void feed() { stop = ++feeds == last_feed; }

int check(bool good, const char* what) {
  if (!good) print(what);
  return good ? 0 : 1;
}

bool is_a_seven() {
  float* pixels = digits::inputs::image::data(model);
  for (unsigned i = 0; i < digits::inputs::image::kElements; ++i) pixels[i] = kImage[i];
  if (!model.run().ok()) return false;
  const float* logits = digits::outputs::logits::data(model);
  unsigned best = 0;
  for (unsigned i = 1; i < digits::outputs::logits::kElements; ++i) {
    if (logits[i] > logits[best]) best = i;
  }
  return best == 7;
}

}  // namespace

int main() {
  const auto* own = static_cast<const unsigned char*>(digits::program());
  for (unsigned i = 0; i < digits::kProgramBytes; ++i) slot[i] = own[i];
  int wrong = check(load_newest(model, slot, sizeof slot), "a whole program\n");
  wrong += check(model.program_digest() == digits::kProgramDigest, "digest\n");
  wrong += check(is_a_seven(), "the slot's answer\n");

  // Each damage is found by load or by verify_constants, and the image's own program answers.
  for (unsigned at = 0; at < sizeof slot && wrong == 0; at += 37) {
    slot[at] ^= 1u << at % 8;
    wrong += check(!load_newest(model, slot, sizeof slot), "a damaged program\n");
    slot[at] ^= 1u << at % 8;
  }
  wrong += check(is_a_seven(), "the image's own answer\n");
  wrong += check(digits::load(model, slot, 1000).code == arenite::Code::kTruncated, "cut short\n");

  // The same network, but inputs and outputs lie in memory of the caller.
  wrong += check(digits::load(model, second::program(), second::kProgramBytes).code ==
                     arenite::Code::kWrongInterface,
                 "a foreign program\n");
  wrong += check(digits::load(model, digits::Arenas{nullptr}).code == arenite::Code::kArenaMissing,
                 "null arenas\n");
  wrong +=
      check(digits::load(model, digits::Arenas{memory + 4}).code == arenite::Code::kBadAlignment,
            "misaligned arenas\n");
  wrong +=
      check(digits::load(model, slot, sizeof slot, digits::Arenas{memory}).ok() && is_a_seven(),
            "arenas of its own\n");

  // Calls inside steps, which may end a run.
  Watchdog watchdog{feed, &stop};
  wrong += check(run_watched(model, watchdog, 2000).ok() && feeds > 8, "a watched run\n");
  feeds = 0;
  last_feed = 5;
  wrong += check(run_watched(model, watchdog, 2000).code == arenite::Code::kCancelled,
                 "a cancelled run\n");
  wrong += check(feeds == 5 && is_a_seven() && feeds == 5, "a run after a cancelled one\n");
  return wrong;
}
// SPDX-License-Identifier: Apache-2.0
