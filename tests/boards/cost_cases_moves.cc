// Lists how much of an operand lies together, for each type's width.
#include <array>
#include <string>

#include "tests/boards/cost_cases_others.h"
#include "tests/ops/case.h"

namespace arenite::boards_test {
namespace {

using namespace ops_test;
using Dims = std::vector<uint32_t>;

constexpr NamedType kMovedTypes[] = {{DType::kFloat32, "float32"}, {DType::kInt8, "int8"}};

std::string joined(const Dims& dims) {
  std::string text;
  for (const uint32_t dim : dims) text += "_" + std::to_string(dim);
  return text;
}

// The input lies in `order`, the output is row-major.
OpCase copy(const Dims& dims, const Dims& order, const NamedType& type) {
  OpCase c;
  c.op = Op::kCopy;
  c.name = "of" + joined(dims) + "_by" + joined(order) + "_" + type.name;
  c.inputs = {ordered(tensor(dims, type.dtype), order)};
  c.outputs = {tensor(dims, type.dtype)};
  return c;
}

// Parts of these sizes along an axis of `dims`.
OpCase concat(const Dims& dims, uint32_t axis, const Dims& parts, const NamedType& type,
              bool channels_inside = false) {
  OpCase c;
  c.op = Op::kConcat;
  c.name = std::string(channels_inside ? "pictures" : "of") + joined(dims) + "_at_" +
           std::to_string(axis) + joined(parts) + "_" + type.name;
  c.attributes = words(ConcatAttributes{axis});
  Dims all = dims;
  all[axis] = 0;
  const auto laid = [&](Operand operand) {
    return channels_inside ? channels_last(std::move(operand)) : operand;
  };
  for (const uint32_t part : parts) {
    Dims own = dims;
    own[axis] = part;
    all[axis] += part;
    c.inputs.push_back(laid(tensor(own, type.dtype)));
  }
  c.outputs = {laid(tensor(all, type.dtype))};
  return c;
}

// From `start` on, every `step`-th.
OpCase slice(const Dims& dims, const Dims& start, const Dims& step, const Dims& to,
             const NamedType& type) {
  OpCase c;
  c.op = Op::kSlice;
  c.name = "of" + joined(dims) + "_to" + joined(to) + "_by" + joined(step) + "_" + type.name;
  SliceAttributes a = {};
  for (int32_t& each : a.step) each = 1;
  for (size_t d = 0; d < dims.size(); ++d) {
    a.start[d] = static_cast<int32_t>(start[d]);
    a.step[d] = static_cast<int32_t>(step[d]);
  }
  c.attributes = words(a);
  c.inputs = {tensor(dims, type.dtype)};
  c.outputs = {tensor(to, type.dtype)};
  return c;
}

OpCase pad(uint32_t channels, uint32_t side, uint32_t by, const NamedType& type) {
  OpCase c;
  c.op = Op::kPad;
  c.name = "picture" + joined({channels, side, by}) + "_" + type.name;
  PadAttributes a = {};
  a.begin[2] = a.begin[3] = static_cast<int32_t>(by);
  c.attributes = words(a);
  c.inputs = {channels_last(tensor({1, channels, side, side}, type.dtype))};
  c.outputs = {channels_last(tensor({1, channels, side + 2 * by, side + 2 * by}, type.dtype))};
  return c;
}

}  // namespace

std::vector<CostCase> cost_cases_of_moves() {
  std::vector<CostCase> all;
  const auto add = [&](OpCase c) {
    const auto inputs = static_cast<uint32_t>(c.inputs.size());
    all.push_back({std::move(c), inputs});
  };
  for (const NamedType& type : kMovedTypes) {
    for (const Dims& dims : {Dims{1000, 3}, {64, 3}, {200, 16}, {16, 200}, {31, 9}, {40, 40}}) {
      add(copy(dims, {1, 0}, type));
    }
    for (const Dims& dims : {Dims{49, 28, 4}, {196, 5, 3}, {20, 4, 30}, {10, 12, 16}}) {
      add(copy(dims, {0, 2, 1}, type));
      add(copy(dims, {1, 0, 2}, type));
    }
    for (const uint32_t line : {1u, 8u, 40u, 128u, 600u}) {
      for (const uint32_t lines : {1u, 4u, 20u}) {
        add(concat({lines, 2, line}, 1, {1, 2}, type));
      }
      add(concat({2, line, 1}, 2, {1, 1}, type));
      add(concat({line, 6}, 0, {line, line}, type));
      for (const uint32_t first : {0u, 1u, 3u}) {
        add(slice({1, first + 5, 1, line}, {0, first, 0, 0}, {1, 1, 1, 1}, {1, 5, 1, line}, type));
        add(slice({6, first + line}, {0, first}, {1, 1}, {6, line}, type));
      }
      add(slice({20, 2 * line}, {0, 0}, {1, 2}, {20, line}, type));
      add(slice({40, line}, {0, 0}, {2, 1}, {20, line}, type));
    }
    for (const Dims& parts : {Dims{24, 8}, {3, 5}, {64, 64}}) {
      for (const uint32_t side : {4u, 12u}) {
        add(concat({1, 1, side, side}, 1, parts, type, true));
      }
    }
    for (const uint32_t channels : {1u, 3u, 16u, 48u}) {
      for (const uint32_t side : {6u, 20u}) add(pad(channels, side, 1, type));
    }
  }
  return all;
}

}  // namespace arenite::boards_test
// SPDX-License-Identifier: Apache-2.0
