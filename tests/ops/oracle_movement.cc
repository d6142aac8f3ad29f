// Operators that only move elements.
#include <cstring>
#include <stdexcept>

#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

using Index = std::vector<uint32_t>;

Numbers concat(const OpCase& c, const std::vector<Numbers>& inputs) {
  const uint32_t axis = attributes_of<ConcatAttributes>(c).axis;
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    Index index = index_of(y.dims, p);
    size_t i = 0;
    for (; index[axis] >= inputs[i].dims[axis]; ++i) index[axis] -= inputs[i].dims[axis];
    y.values[p] = at(inputs[i], index);
  }
  return y;
}

Numbers pad(const OpCase& c, const std::vector<Numbers>& inputs) {
  const auto a = attributes_of<PadAttributes>(c);
  const Numbers& x = inputs[0];
  std::byte bits[8];
  std::memcpy(bits, a.value_bits, sizeof(bits));
  const bool given = inputs.size() > 1 && !c.inputs[1].absent;
  const Number value = given ? inputs[1].values[0] : decode(x.dtype, bits);
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    Index index = index_of(y.dims, p);
    bool inside = true;
    for (size_t d = 0; d < index.size(); ++d) {
      const int64_t from = int64_t{index[d]} - a.begin[d];
      inside = inside && from >= 0 && from < x.dims[d];
      index[d] = static_cast<uint32_t>(from);
    }
    y.values[p] = inside ? at(x, index) : value;
  }
  return y;
}

Numbers slice(const OpCase& c, const Numbers& x) {
  const auto a = attributes_of<SliceAttributes>(c);
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    Index index = index_of(y.dims, p);
    for (size_t d = 0; d < index.size(); ++d) {
      index[d] = static_cast<uint32_t>(a.start[d] + int64_t{index[d]} * a.step[d]);
    }
    y.values[p] = at(x, index);
  }
  return y;
}

Numbers gather(const OpCase& c, const std::vector<Numbers>& inputs) {
  const uint32_t axis = attributes_of<GatherAttributes>(c).axis;
  const Numbers& data = inputs[0];
  const Numbers& indices = inputs[1];
  Numbers y = blank_output(c, 0);
  const auto rank = static_cast<std::ptrdiff_t>(indices.dims.size());
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    Index index = index_of(y.dims, p);
    const auto pick = index.begin() + axis;
    Number position = at(indices, Index(pick, pick + rank));
    if (position < 0) position += static_cast<Number>(data.dims[axis]);
    index.erase(pick, pick + rank);
    index.insert(index.begin() + axis, static_cast<uint32_t>(position));
    y.values[p] = at(data, index);
  }
  return y;
}

}  // namespace

std::vector<Numbers> movement_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  switch (c.op) {
    case Op::kConcat:
      return {concat(c, inputs)};
    case Op::kPad:
      return {pad(c, inputs)};
    case Op::kSlice:
      return {slice(c, inputs[0])};
    case Op::kGather:
      return {gather(c, inputs)};
    default:
      return {inputs[0]};
  }
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
