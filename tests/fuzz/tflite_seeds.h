// Small TensorFlow Lite models to damage: one operator each, so that most words of a file mean
// something.
#pragma once

#include <vector>

#include "tests/fuzz/plan_campaign.h"

namespace arenite::fuzz {

std::vector<Seed> tflite_seeds();

}  // namespace arenite::fuzz
// SPDX-License-Identifier: Apache-2.0
