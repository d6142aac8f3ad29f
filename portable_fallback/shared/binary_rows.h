// The walk of family binary: rows of two operands and of the result, shared among threads.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"
#include "core/platform.h"
#include "ops/attributes.h"
#include "portable_fallback/shared/loop.h"

namespace arenite {

// One row of the operands; steps in elements.
struct BinaryRow {
  Dst<std::byte> y;
  Src<std::byte> a, b;
  uint32_t count;
  ptrdiff_t y_step, a_step, b_step;
  DType b_type;
};

// Neighbors in memory, b perhaps one number for all: what vector code is made of. Rows of float32
// then read b once, which its safe distance counts with.
inline bool is_vector_row(const BinaryRow& row) {
  return row.y_step == 1 && row.a_step == 1 && (row.b_step == 0 || row.b_step == 1);
}

struct Binary {
  explicit Binary(const Step& step);

  Dst<std::byte> y;
  Src<std::byte> a, b;
  DType a_type, b_type;
  ptrdiff_t y_bytes, a_bytes, b_bytes;  // of an element
  BinaryAttributes attributes;
  NestedLoop loop;  // operands y, a, b; of rank 0 when there is nothing to do
  void (*row)(const BinaryRow& row) = nullptr;
};

// Runs task.row over all rows, and then the activation.
Status run_rows(Binary& task, const Platform& platform);

uint64_t binary_distance(const Step& step, uint32_t input);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
