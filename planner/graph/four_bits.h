// Elements of 4 bits, two a byte, the first in the lower half: as ONNX, TensorFlow Lite and
// programs store them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/types.h"

namespace arenite::planner {

// `count` elements, a byte each, of (count + 1) / 2 pairs; of int8 in two's complement.
std::vector<std::byte> unpacked_halves(std::span<const std::byte> pairs, size_t count, DType dtype);

// Whether all elements, a byte each, fit 4 bits.
bool fit_four_bits(std::span<const std::byte> elements, DType dtype);

// Pairs of elements that fit 4 bits.
std::vector<std::byte> packed_halves(std::span<const std::byte> elements);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
