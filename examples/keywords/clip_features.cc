// The front end for train.py: whole clips of one second, as the firmware sees them.
#include "features.h"

// `samples`: int16 [clips][kRate]. `rows`: int16 [clips][kRows][kBands].
extern "C" void clip_features(const std::int16_t* samples, int clips, std::int16_t* rows) {
  using namespace features;
  for (int clip = 0; clip < clips; ++clip, samples += kRate) {
    FrontEnd front_end = {};
    for (int i = 0; i < kRows; ++i, rows += kBands) next_row(front_end, samples + i * kHop, rows);
  }
}
// SPDX-License-Identifier: Apache-2.0
