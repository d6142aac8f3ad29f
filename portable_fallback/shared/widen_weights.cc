// Widens weights once before lines of places read them again and again: they are few, and kernels
// for each type of weights would be three times the code.
#include "portable_fallback/shared/widen_weights.h"

#include "portable_fallback/shared/float_conv.h"
#include "portable_fallback/shared/float_work.h"

namespace arenite {

bool reads_by_lines(const Tensor& w, uint32_t groups) {
  const uint32_t channels = w.dims[1];
  const bool small = channels == 2 || channels == 4 || channels == 8;
  return columns_of_channel(w, groups) != 0 ||
         (small && w.layout() == Layout::kStrided && w.strides[0] == 1 &&
          w.dims[0] == groups * channels);
}

uint64_t widened_bytes(const Tensor& w, uint32_t groups) {
  const bool widens = w.dtype() != DType::kFloat32 && reads_by_lines(w, groups);
  return widens ? element_count(w) * sizeof(float) : 0;
}

ScratchNeed with_widened(const ScratchNeed& copies, const Tensor& w, uint32_t groups) {
  ScratchNeed need = is_depthwise(w, groups) ? ScratchNeed{} : copies;
  const auto bytes = static_cast<uint32_t>(widened_bytes(w, groups));
  if (need.bytes < bytes) need.bytes = bytes;
  return need;
}

void widen_weights(const Step& step, const FloatKernel& kernel, FloatProducts& p) {
  if (p.w_type == WeightType::kFloat32) return;
  const Tensor w = step.input(1);
  const size_t columns = w.dims[0];
  const auto products = static_cast<size_t>(element_count(w)) / columns;
  auto* widened = static_cast<float*>(static_cast<void*>(step.scratch().out));
  if (p.w_k == columns) {
    kernel.widen(p.w, p.w_type, products * columns, widened);
  } else {
    for (size_t k = 0; k < products; ++k, move_weights(p, p.w_k)) {
      kernel.widen(p.w, p.w_type, columns, widened + k * columns);
    }
  }
  p.w = widened;
  p.w_type = WeightType::kFloat32;
  p.w_k = columns;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
