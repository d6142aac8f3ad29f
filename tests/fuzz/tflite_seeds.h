// Small TensorFlow Lite models to damage: one operator each, so that most words of a file mean
// something.
#pragma once

#include <string>
#include <vector>

#include "tests/fuzz/campaign.h"

namespace arenite::fuzz {

struct Seed {
  std::string name;
  Bytes bytes;
};

std::vector<Seed> tflite_seeds();

}  // namespace arenite::fuzz
// SPDX-License-Identifier: Apache-2.0
