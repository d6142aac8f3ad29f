// Copies inputs to channels-last where spatial operators read them in planes.
#pragma once

#include <cstdint>

#include "planner/steps/layout/layout.h"

namespace arenite::planner {

struct InputCopies {
  LaidGraph laid;
  uint32_t copies = 0;
};

// The copy costs one pass over the input and saves bytes. Channels-last, an input is read row by
// row, so that a larger result may overlap nearly all of it. In planes, the first one is read until
// the end, and only its bytes are free early. Inputs of rank 3 up and of more than one channel are
// copied right before their first spatial reader; other readers keep the input itself.
InputCopies copy_inputs_to_channels_last(const LaidGraph& laid);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
