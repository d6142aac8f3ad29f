// The places that indices name in operators of family indexed: which elements move, and where to.
#pragma once

#include <cstdint>

#include "core/step.h"
#include "core/types.h"
#include "ops/attributes.h"

namespace arenite {

constexpr bool is_scatter(Op op) { return op == Op::kScatterND || op == Op::kScatterElements; }
constexpr bool is_by_element(Op op) {
  return op == Op::kGatherElements || op == Op::kScatterElements;
}

// Describes a step that keeps its contract. The items are y of a gather and the updates of a
// scatter; the whole is the data of a gather and y of a scatter.
struct IndexedPlaces {
  uint32_t tuple;  // numbers that are a place
  uint32_t first;  // the whole's dim of the first of them; the others follow
  uint32_t outer;  // the items' dims that the indices have too; behind them a slice's
  uint32_t batch;  // of the outer dims those that the whole has too
  bool by_element;

  // The whole's dim that goes with dim `d` of the items; kNoIndex where the indices say it.
  uint32_t whole_dim(uint32_t d) const {
    if (by_element) return d == first ? kNoIndex : d;
    if (d < batch) return d;
    return d < outer ? kNoIndex : first + tuple + (d - outer);
  }
};

inline IndexedPlaces indexed_places(const Step& step) {
  const auto attributes = step.attributes<IndexedAttributes>();
  const Tensor indices = step.input(1);
  if (is_by_element(step.op())) {
    return {1, attributes.axis, indices.rank(), 0, true};
  }
  const uint32_t last = indices.rank() - 1;
  return {indices.dims[last], attributes.batch_dims, last, attributes.batch_dims, false};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
