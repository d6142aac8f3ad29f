// The digits of the demo as an integer model: a seed for campaigns.
#pragma once

#include "tests/fuzz/campaign.h"

namespace arenite::fuzz {

// ONNX in QDQ form, made of `model` (digits.onnx) with noise as samples.
Bytes integer_digits(const Bytes& model);

}  // namespace arenite::fuzz
// SPDX-License-Identifier: Apache-2.0
