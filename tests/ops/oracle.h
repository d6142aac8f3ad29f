// Oracles: operators computed slowly from ONNX's definitions. They share no code with kernels.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "ops/attributes.h"
#include "tests/ops/case.h"

namespace arenite::ops_test {

// The outputs of a case. `inputs` has an entry for each input; that of an absent one is not read.
std::vector<Numbers> oracle(const OpCase& c, const std::vector<Numbers>& inputs);
std::vector<Numbers> oracle(const OpCase& c);

// <name>_oracle of each operator, in the file of its cases.
#define ARENITE_KERNEL_OP(number, name, Type, set) \
  std::vector<Numbers> name##_oracle(const OpCase& c, const std::vector<Numbers>& inputs);
#include "schema/ops.def"

Number activated(const Activation& activation, Number value);

// The integer of the type that differs from value by a multiple of 2^bits.
Number wrapped(DType type, Number value);

// An output of the case, all zero; element [index...] of a tensor.
Numbers blank_output(const OpCase& c, uint32_t i);
Number at(const Numbers& tensor, std::span<const uint32_t> index);
inline Number at(const Numbers& tensor, std::initializer_list<uint32_t> index) {
  return at(tensor, std::span(index.begin(), index.size()));
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
