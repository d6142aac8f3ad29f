// What the checks of all kernels have in common: operand counts, layouts, dims, bounded sizes.
#pragma once

#include <cstdint>

#include "core/kernel.h"
#include "core/step.h"

namespace arenite {

// Products saturate here: nothing that fits 32-bit sizes has as many elements.
inline constexpr uint64_t kTooMany = uint64_t{1} << 32;
// Positions (stride times output, dilation times tap, padding, input size) stay below this, so that
// window arithmetic never leaves int32.
inline constexpr uint64_t kMaxPosition = uint64_t{1} << 29;

// a * b, or kTooMany; a is at most kTooMany.
constexpr uint64_t bounded_product(uint64_t a, uint32_t b) {
  const uint64_t product = a * b;
  return product < kTooMany ? product : kTooMany;
}

// Number of elements; kTooMany at most. 0 when any dim is 0.
uint64_t bounded_count(const Tensor& tensor);
inline bool is_empty(const Tensor& tensor) { return bounded_count(tensor) == 0; }

struct OperandRule {
  uint32_t min_inputs, max_inputs;  // the first min_inputs must be present
  uint32_t max_outputs;             // at least one
  bool packed_weights = false;      // operand 1 may be in panels
};

// Counts, ranks and layouts. Each output must hold its elements without sharing: that bounds the
// work of a hostile step by the bytes it was given.
Status check_operands(const Step& step, const OperandRule& rule);

// Each element of input `i` has bytes of its own (no broadcast), so loops over it are bounded.
Status check_dense_enough(const Step& step, uint32_t i);

Status check_input_type(const Step& step, uint32_t i, DType type);
Status check_output_type(const Step& step, uint32_t i, DType type);
// All inputs and outputs have this type.
Status check_all_types(const Step& step, DType type);

// Input `i` has the dims of output 0.
Status check_same_dims(const Step& step, uint32_t i);
// Input `i` is absent or a vector of `count` elements.
Status check_vector(const Step& step, uint32_t i, uint32_t count);

template <typename T>
Status check_attributes(const Step& step) {
  return step.attributes_fit<T>() ? ok_status() : error(Code::kBadAttribute);
}

inline Status input_error(const Step& step, Code code, uint32_t i) {
  return error(code, step.input_value(i));
}
inline Status output_error(const Step& step, Code code, uint32_t i = 0) {
  return error(code, step.output_value(i));
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
