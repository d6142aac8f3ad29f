// What each operator means, computed slowly from ONNX's definitions: shares no code with kernels.
#pragma once

#include <vector>

#include "core/attributes.h"
#include "tests/ops/case.h"

namespace arenite::ops_test {

// The outputs of a case. `inputs` has an entry for each input; that of an absent one is not read.
std::vector<Numbers> oracle(const OpCase& c, const std::vector<Numbers>& inputs);
std::vector<Numbers> oracle(const OpCase& c);

// Parts of it, by kind of operator.
Number activated(const Activation& activation, Number value);
std::vector<Numbers> window_oracle(const OpCase& c, const std::vector<Numbers>& inputs);
std::vector<Numbers> elementwise_oracle(const OpCase& c, const std::vector<Numbers>& inputs);
std::vector<Numbers> reduction_oracle(const OpCase& c, const std::vector<Numbers>& inputs);
std::vector<Numbers> movement_oracle(const OpCase& c, const std::vector<Numbers>& inputs);

// An output of the case, all zero; element [index...] of a tensor.
Numbers blank_output(const OpCase& c, uint32_t i);
inline Number at(const Numbers& tensor, const std::vector<uint32_t>& index) {
  return tensor.values[position_of(tensor.dims, index)];
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
