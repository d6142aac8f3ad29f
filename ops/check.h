// Checks that contracts share: dims that agree, sizes that are bounded.
#pragma once

#include <cstdint>

#include "core/shape.h"
#include "core/step.h"
#include "ops/attributes.h"

namespace arenite {

// Positions (stride times output, dilation times tap, padding, input size) stay below this, so that
// window arithmetic never leaves int32.
inline constexpr uint64_t kMaxPosition = uint64_t{1} << 29;

inline Status input_error(const Step& step, Code code, uint32_t i) {
  return error(code, step.input_value(i));
}
inline Status output_error(const Step& step, Code code, uint32_t i = 0) {
  return error(code, step.output_value(i));
}

// For values that lie in their storage: they have fewer than 2^31 elements, dims of 0 counted as 1.
inline bool is_empty(const Tensor& tensor) {
  for (uint32_t d = 0; d < tensor.rank(); ++d) {
    if (tensor.dims[d] == 0) return true;
  }
  return false;
}

// The same of an operand that is there.
bool is_empty(const Step& step, uint32_t operand);

// The same of four dims: their product cannot wrap.
inline bool is_empty(const uint32_t* dims) { return dims[0] * dims[1] * dims[2] * dims[3] == 0; }

// Input `i` has the dims of output 0.
Status check_same_dims(const Step& step, uint32_t i);
// Input 0 does: all that a contract of elementwise operators of one input asks.
Status check_map(const Step& step);
// Input `i` is absent or a vector of `count` elements.
Status check_vector(const Step& step, uint32_t i, uint32_t count);
// Input `i` is absent or a single element.
Status check_single(const Step& step, uint32_t i);
// Output 0 has the dims of input 0, 1 at the axes whose bits are set; loops over them are bounded.
Status check_reduced(const Step& step, uint32_t axes);
// Each element of input `i` has bytes of its own (no broadcast), so loops over it are bounded.
Status check_dense_enough(const Step& step, uint32_t i);
// Whether one matrix, the last two dims, of `tensor` has its own bytes for each element (batches
// may share): loops over it are bounded.
bool matrix_fits(const Tensor& tensor);
Status check_activation(const Activation& activation);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
