// Elementwise operators of two inputs: one walk over the operands, one row loop for each type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/attributes.h"
#include "core/kernel.h"
#include "portable_fallback/activation.h"
#include "portable_fallback/loop.h"
#include "portable_fallback/split.h"

namespace arenite {

Status check_binary(const Step& step);
uint64_t binary_lead(const Step& step, uint32_t input);

struct Binary {
  explicit Binary(const Step& step);

  Src<std::byte> a, b;
  Dst<std::byte> y;
  DType dtype;
  Activation activation;
  NestedLoop loop;  // operands y, a, b; of rank 0 when there is nothing to do
};

// Unsigned arithmetic wide enough not to be promoted to int: wraps, and never traps.
template <typename T>
using Modular = std::conditional_t<sizeof(T) <= sizeof(uint32_t), uint32_t, uint64_t>;

template <typename F, typename T>
void binary_rows(const Binary& task, uint32_t first, uint32_t last) {
  const ptrdiff_t y_step = task.loop.inner_stride(0);
  const ptrdiff_t a_step = task.loop.inner_stride(1);
  const ptrdiff_t b_step = task.loop.inner_stride(2);
  RowCursor row(task.loop, kRowPiece, first);
  for (uint32_t item = first; item < last; ++item, row.next()) {
    Dst<T> y = as<T>(task.y) + row.offset(0);
    Src<T> a = as<T>(task.a) + row.offset(1);
    Src<T> b = as<T>(task.b) + row.offset(2);
    const uint32_t count = row.count();
    if constexpr (std::is_same_v<T, float>) {
      if (y_step == 1 && a_step == 1 && b_step == 1) {
        for (uint32_t j = 0; j < count; ++j) y[j] = F::apply(a[j], b[j]);
        activate(task.activation, y, y, count);
        continue;
      }
      if (y_step == 1 && a_step == 1 && b_step == 0) {
        const float v = *b;
        for (uint32_t j = 0; j < count; ++j) y[j] = F::apply(a[j], v);
        activate(task.activation, y, y, count);
        continue;
      }
    }
    for (uint32_t j = 0; j < count; ++j, y += y_step, a += a_step, b += b_step) {
      *y = F::apply(*a, *b);
      if constexpr (std::is_same_v<T, float>) activate(task.activation, y, y, 1);
    }
  }
}

// F::apply(T, T) for each type; F::kSigned says whether signed integers differ from unsigned ones.
template <typename F>
void binary_items(void* argument, uint32_t first, uint32_t last) {
  const auto& task = *static_cast<const Binary*>(argument);
  constexpr bool kSigned = F::kSigned;
  switch (task.dtype) {
    case DType::kFloat32:
      return binary_rows<F, float>(task, first, last);
    case DType::kFloat64:
      return binary_rows<F, double>(task, first, last);
    case DType::kUint8:
      return binary_rows<F, uint8_t>(task, first, last);
    case DType::kUint16:
      return binary_rows<F, uint16_t>(task, first, last);
    case DType::kUint32:
      return binary_rows<F, uint32_t>(task, first, last);
    case DType::kUint64:
      return binary_rows<F, uint64_t>(task, first, last);
    case DType::kInt8:
      return binary_rows<F, std::conditional_t<kSigned, int8_t, uint8_t>>(task, first, last);
    case DType::kInt16:
      return binary_rows<F, std::conditional_t<kSigned, int16_t, uint16_t>>(task, first, last);
    case DType::kInt32:
      return binary_rows<F, std::conditional_t<kSigned, int32_t, uint32_t>>(task, first, last);
    case DType::kInt64:
      return binary_rows<F, std::conditional_t<kSigned, int64_t, uint64_t>>(task, first, last);
    default:
      return;
  }
}

template <typename F>
Status run_binary(const Step& step, const Platform& platform) {
  Binary task(step);
  if (task.loop.rank == 0) return ok_status();
  split(platform, RowCursor::rows(task.loop, kRowPiece), task.loop.size(), binary_items<F>, &task);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
