// Says how a tensor could be made into the one that is expected.
#pragma once

#include <span>
#include <string>

#include "tools/io/tensor.h"

namespace arenite::tools {

// "numpy's .reshape(360, 1, 8, 8) would do" with what the order of elements and the type ask for,
// where `found` holds as many elements as `expected`, or a whole number of times as many in its
// first dimension; else "".
std::string reshape_advice(const HostTensor& found, DType dtype,
                           std::span<const uint32_t> expected);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
