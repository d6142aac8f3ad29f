// Orders of memory for convolutions, and the copies into them and out.
#include "planner/graph/eval_layout.h"

#include <numeric>

#include "core/assert.h"
#include "core/step.h"
#include "planner/graph/op_facts.h"
#include "planner/graph/strides.h"

namespace arenite::planner {
namespace {

struct Forms {
  const Strided& from;
  const Strided& to;
  Order order;  // of `to`, so that what is written lies side by side
};

template <typename T>
void move_dims(const Forms& forms, size_t depth, const T* from, T* to) {
  if (depth == forms.order.size()) {
    *to = *from;
    return;
  }
  const uint32_t dim = forms.order[depth];
  const size_t count = forms.to.dims[dim];
  const size_t from_stride = forms.from.strides[dim], to_stride = forms.to.strides[dim];
  if (depth + 1 == forms.order.size()) {
    for (size_t i = 0; i < count; ++i) to[i * to_stride] = from[i * from_stride];
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    move_dims(forms, depth + 1, from + i * from_stride, to + i * to_stride);
  }
}

template <typename T>
void move_as(const Forms& forms, const std::byte* from, std::byte* to) {
  move_dims(forms, 0, reinterpret_cast<const T*>(from), reinterpret_cast<T*>(to));
}

bool is_convolution(const Node& node) {
  const OpFacts facts = facts_of(node.op);
  if (facts.weights == nullptr) return false;
  const Weights weights = facts.weights(node);
  return weights == Weights::kFilters || weights == Weights::kGroupedFilters;
}

}  // namespace

Strided fast_form(const Node& node, uint32_t input, const std::vector<uint32_t>& dims) {
  const auto rank = static_cast<uint32_t>(dims.size());
  if (rank < 3 || !is_convolution(node)) return row_major(dims);
  if (input != 1) return dense_in_order(dims, channels_last_order(rank));
  // [O][I][H][W] becomes [H][W][I][O].
  Order order(rank - 2);
  std::iota(order.begin(), order.end(), 2);
  order.push_back(1);
  order.push_back(0);
  return dense_in_order(dims, order);
}

void move_elements(DType dtype, const std::byte* from, const Strided& from_form, std::byte* to,
                   const Strided& to_form) {
  ARENITE_ASSERT(from_form.dims == to_form.dims);
  const Forms forms = {from_form, to_form, order_of(to_form)};
  switch (element_bytes(dtype)) {
    case 1:
      return move_as<uint8_t>(forms, from, to);
    case 2:
      return move_as<uint16_t>(forms, from, to);
    case 4:
      return move_as<uint32_t>(forms, from, to);
    default:
      return move_as<uint64_t>(forms, from, to);
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
