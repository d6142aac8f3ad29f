// Holds the word of blocks against the dims and bytes of weights, and finds elements in them.
#include "portable_fallback/shared/blocked_rows.h"

#include "ops/packings.h"

namespace arenite {

bool takes_blocks(const Step& step, const Blocks& wanted) {
  const Tensor w = step.input(kWeightsInput);
  if (w.layout() != Layout::kBlocked) return true;
  const uint32_t n_dim = outputs_dim(step.op(), w.rank());
  const uint32_t word = w.strides[n_dim];
  const Blocks blocks = blocks_of_word(word);
  if (blocks.n == 0 || blocks.k == 0 || !fits(word >> 16, element_bytes(w.dtype()))) return false;
  uint32_t depth = 1;
  for (uint32_t d = 0; d < w.rank(); ++d) {
    if (d == n_dim) continue;
    if (w.strides[d] != 0) return false;
    depth *= w.dims[d];
  }
  return holds(w, blocks, w.dims[n_dim], depth) && (wanted == Blocks{} || blocks == wanted);
}

template <>
float BlockedRows<float>::operator[](size_t i) const {
  const size_t at_place = place(i);
  switch (dtype) {
    case DType::kFloat16:
      return float{as<SmallFloat<kFloat16Format>>(data)[at_place]};
    case DType::kBfloat16:
      return float{as<SmallFloat<kBfloat16Format>>(data)[at_place]};
    default:
      return as<float>(data)[at_place];
  }
}

template <>
int32_t BlockedRows<int32_t>::operator[](size_t i) const {
  const size_t at_place = place(i);
  if (dtype == DType::kInt16) return as<int16_t>(data)[at_place];
  const bool is_signed = dtype == DType::kInt8;
  if (blocks.bits == 4) {
    const int32_t half = as<uint8_t>(data)[at_place / 2] >> (at_place % 2 * 4) & 0xf;
    return is_signed ? (half ^ 8) - 8 : half;
  }
  // Of 16 bits the lower byte, since such numbers fit 8.
  const uint8_t byte = as<uint8_t>(data)[at_place * (blocks.bits / 8)];
  return is_signed ? static_cast<int8_t>(byte) : byte;
}

BlockedRows<float> WeightsOf<InBlocks>::from(const Tensor& w, size_t at) {
  uint32_t depth = 1;
  // One stride, that of outputs, is not 0.
  for (uint32_t d = 0; d < w.rank(); ++d) {
    if (w.strides[d] == 0) depth *= w.dims[d];
  }
  return {w.read<std::byte>(), blocks_of(w), w.dtype(), depth, at};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
