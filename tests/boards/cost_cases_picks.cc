// Picks elements, puts them elsewhere, and reduces lines and pictures to one.
#include <array>
#include <string>
#include <utility>

#include "tests/boards/cost_cases_others.h"
#include "tests/ops/cases.h"

namespace arenite::boards_test {
namespace {

using namespace ops_test;
using Dims = std::vector<uint32_t>;

OpCase arg_max(const NamedType& type, const Dims& dims) {
  OpCase c;
  c.op = Op::kArgMax;
  c.name = std::string("last_") + type.name;
  for (const uint32_t dim : dims) c.name += "_" + std::to_string(dim);
  c.attributes = words(ArgAttributes{1u << (dims.size() - 1), 0});
  c.inputs = {tensor(dims, type.dtype)};
  Dims to = dims;
  to.back() = 1;
  c.outputs = {tensor(to, DType::kInt64)};
  return c;
}

// Elements of a picture to places of another, each by four numbers.
OpCase scatter(const Dims& dims, uint32_t lines) {
  OpCase c;
  c.op = Op::kScatterND;
  c.name = "places";
  for (const uint32_t dim : dims) c.name += "_" + std::to_string(dim);
  c.attributes = words(IndexedAttributes{0, 0, static_cast<uint32_t>(IndexedReduction::kNone)});
  std::vector<Number> places;
  const Dims outer = {dims[0], dims[1], lines, dims[3]};
  for (uint32_t i = 0; i < dims[0] * dims[1] * lines * dims[3]; ++i) {
    places.push_back(Number(i / (dims[3] * lines * dims[1])));
    places.push_back(Number(i / (dims[3] * lines) % dims[1]));
    places.push_back(Number(i / dims[3] % lines));
    places.push_back(Number(i % dims[3]));
  }
  Dims indices = outer;
  indices.push_back(4);
  c.inputs = {tensor(dims), with_values(tensor(indices, DType::kInt64), places), tensor(outer)};
  c.outputs = {tensor(dims)};
  return c;
}

// Rows of a matrix to other places of it, each by one number.
OpCase scatter_rows(uint32_t rows, uint32_t columns, uint32_t moved) {
  OpCase c;
  c.op = Op::kScatterND;
  c.name =
      "rows_" + std::to_string(rows) + "_" + std::to_string(columns) + "_" + std::to_string(moved);
  c.attributes = words(IndexedAttributes{0, 0, static_cast<uint32_t>(IndexedReduction::kNone)});
  std::vector<Number> places;
  for (uint32_t i = 0; i < moved; ++i) places.push_back(Number(rows - 1 - i));
  c.inputs = {tensor({rows, columns}), with_values(tensor({moved, 1}, DType::kInt64), places),
              tensor({moved, columns})};
  c.outputs = {tensor({rows, columns})};
  return c;
}

// `count` numbers of an axis, in reverse.
OpCase gather(const Dims& dims, uint32_t axis, uint32_t count, const NamedType& type) {
  OpCase c;
  c.op = Op::kGather;
  c.name =
      std::string("picked_") + type.name + "_" + std::to_string(axis) + "_" + std::to_string(count);
  for (const uint32_t dim : dims) c.name += "_" + std::to_string(dim);
  c.attributes = words(GatherAttributes{axis});
  std::vector<Number> places;
  for (uint32_t i = 0; i < count; ++i) places.push_back(Number(dims[axis] - 1 - i));
  Dims to = dims;
  to[axis] = count;
  c.inputs = {tensor(dims, type.dtype), with_values(tensor({count}, DType::kInt64), places)};
  c.outputs = {tensor(to, type.dtype)};
  return c;
}

// Pictures to one number of each channel, and lines to one number.
void add_reductions(std::vector<CostCase>& all) {
  for (const auto& [op, name] : {std::pair(Op::kReduceMean, "mean"),
                                 {Op::kReduceSum, "sum"},
                                 {Op::kReduceMax, "greatest"}}) {
    const auto add = [&](const Dims& dims, uint32_t axes, bool channels_inside) {
      OpCase c;
      c.op = op;
      c.name = std::string(name) + (channels_inside ? "_pictures" : "");
      for (const uint32_t dim : dims) c.name += "_" + std::to_string(dim);
      c.attributes = words(ReduceAttributes{axes});
      Dims to = dims;
      for (size_t d = 0; d < dims.size(); ++d) {
        if ((axes >> d & 1u) != 0) to[d] = 1;
      }
      const auto laid = [&](Operand operand) {
        return channels_inside ? channels_last(std::move(operand)) : operand;
      };
      c.inputs = {laid(tensor(dims))};
      c.outputs = {laid(tensor(to))};
      all.push_back({std::move(c), 1});
    };
    for (const Dims& dims : {Dims{1, 24, 20, 20}, {1, 96, 7, 7}, {1, 16, 9, 13}}) {
      add(dims, 0b1100, true);
      add(dims, 0b1100, false);
    }
    for (const Dims& dims : {Dims{40, 200}, {300, 12}}) {
      add(dims, 0b10, false);
      add(dims, 0b01, false);
    }
  }
}

}  // namespace

std::vector<CostCase> cost_cases_of_picks() {
  std::vector<CostCase> all;
  for (const NamedType& type : {kAllTypes[0], kAllTypes[1], kAllTypes[2]}) {
    for (const Dims& dims : {Dims{1, 10}, {1, 400}, {20, 20, 21}, {30, 3}}) {
      all.push_back({arg_max(type, dims), 1});
    }
  }
  for (const auto& [dims, lines] :
       {std::pair(Dims{1, 8, 4, 33}, 3u), {Dims{1, 16, 8, 33}, 5u}, {Dims{1, 4, 2, 10}, 1u}}) {
    all.push_back({scatter(dims, lines), 1});
  }
  for (const auto& [rows, columns, moved] :
       {std::array{64u, 33u, 48u}, {256u, 33u, 200u}, {3u, 16u, 2u}, {40u, 400u, 10u}}) {
    all.push_back({scatter_rows(rows, columns, moved), 1});
  }
  for (const NamedType& type : {kAllTypes[0], kAllTypes[1], kAllTypes[2]}) {
    for (const auto& [outer, inner, axis, count] : {std::array{24u, 65u, 1u, 33u},
                                                    {9u, 129u, 1u, 129u},
                                                    {40u, 30u, 0u, 20u},
                                                    {50u, 128u, 0u, 4u}}) {
      all.push_back({gather({outer, inner}, axis, count, type), 1});
    }
  }
  add_reductions(all);
  return all;
}

}  // namespace arenite::boards_test
// SPDX-License-Identifier: Apache-2.0
