// Forms of integer operators of two inputs, element by element.
#pragma once

#include <cstdint>

#include "core/form.h"
#include "portable_fallback/shared/elementwise.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {

// y = Function{}(attributes, a, b) of each pair of elements.
template <typename Function, typename Attributes, typename T>
void integer_pair_row(const void* context, const ElementwiseRow& row) {
  const auto& attributes = *static_cast<const Attributes*>(context);
  Dst<std::byte> y = row.y;
  Src<std::byte> a = row.inputs[0], b = row.inputs[1];
  for (uint32_t left = row.count; left != 0; --left) {
    const T first = *as<T>(a);
    const T second = *as<T>(b);
    *as<T>(y) = static_cast<T>(Function::apply(attributes, int32_t{first}, int32_t{second}));
    y += row.y_step;
    a += row.steps[0];
    b += row.steps[1];
  }
}

inline uint64_t integer_pair_distance(const Step& step, uint32_t input) {
  return elementwise_distance(step, input, 2);
}

// The same of rows of elements of so many bytes that read `at_once` at once, and then write them,
// where all operands' elements are neighbors.
template <uint32_t kBytes>
uint64_t pair_rows_distance(const Step& step, uint32_t input, uint32_t at_once) {
  const NestedLoop loop = elementwise_loop(step, 2);
  DistanceWalk walk;
  if (loop.rank == 0 || input > 1) return 0;
  bool neighbors = true;
  for (uint32_t operand = 0; operand < 3; ++operand) {
    neighbors = neighbors && loop.inner_stride(operand) == 1;
  }
  walk_loop(walk, loop, 1 + input, {.y_bytes = kBytes, .x_bytes = kBytes}, neighbors ? at_once : 1);
  return walk.bytes();
}
template <uint32_t kBytes, uint32_t kAtOnce>
uint64_t integer_pair_rows_distance(const Step& step, uint32_t input) {
  return pair_rows_distance<kBytes>(step, input, kAtOnce);
}

template <typename Function, typename Attributes, TypeSet kTypes>
Status run_integer_pair(const Step& step, const Platform& platform) {
  const auto attributes = step.attributes<Attributes>();
  ElementwiseFunction row = nullptr;
  for_type<kTypes>(step.output(0).dtype(),
                   [&]<typename T>() { row = integer_pair_row<Function, Attributes, T>; });
  return run_elementwise(step, platform, {row, &attributes, 2, kWorkOfScaledPair});
}

template <typename Function, typename Attributes, TypeSet kTypes>
constexpr Form integer_pair_form(Op op, uint8_t number) {
  return make_form(op, number,
                   {.parallel = true,
                    .safe_distance = integer_pair_distance,
                    .run = run_integer_pair<Function, Attributes, kTypes>});
}

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0
