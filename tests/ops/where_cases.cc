// Cases of where, and what it chooses.
#include "core/contract.h"
#include "tests/ops/cases.h"
#include "tests/ops/oracle.h"

namespace arenite::ops_test {
namespace {

using Dims = std::vector<uint32_t>;

OpCase where(const char* name, const Dims& dims, DType type = DType::kFloat32) {
  OpCase c;
  c.name = name;
  Operand number = ranged(tensor(dims, type), 0, type == DType::kBool ? 1 : 99);
  if (is_float(type)) number.specials = {__builtin_nanl(""), __builtin_infl(), -0.0L};
  c.inputs = {ranged(tensor(dims, DType::kBool), 0, 1), number, number};
  c.outputs = {number};
  return c;
}

// A bit per dim that is broadcast, of each operand.
OpCase broadcast(OpCase c, uint32_t condition, uint32_t a, uint32_t b) {
  c.inputs[0].repeated = condition;
  c.inputs[1].repeated = a;
  c.inputs[2].repeated = b;
  return c;
}

}  // namespace

std::vector<OpCase> where_cases() {
  std::vector<OpCase> cases = {
      where("vector", {67}),
      where("scalar", {}),
      where("rank_8", {2, 1, 3, 2, 1, 2, 3, 2}),
      where("image", {2, 5, 6, 7}),
      broadcast(where("broadcast_condition", {4, 33}), 3, 0, 0),
      broadcast(where("broadcast_a", {4, 33}), 0, 3, 0),
      broadcast(where("broadcast_b", {4, 33}), 0, 0, 3),
      broadcast(where("broadcast_all", {3, 4, 5}), 0b001, 0b010, 0b100),
      broadcast(where("broadcast_rank_6", {2, 3, 2, 3, 2, 3}), 0b010101, 0b101010, 0b001100),
      broadcast(where("everything_broadcast", {3, 4}), 3, 3, 3),
      where("large", {1, 12, 61, 59}),
      where("empty", {3, 0, 2}),
  };
  for (const NamedType& type : kAllTypes) {
    if (type.dtype == DType::kFloat32) continue;
    cases.push_back(where(type.name, {5, 7, 3}, type.dtype));
    if (type.dtype == DType::kInt64 || type.dtype == DType::kBool) {
      cases.push_back(broadcast(cases.back(), 0b001, 0b010, 0b100));
      cases.back().name += "_broadcast";
    }
  }
  // Nothing joins, and the words of an element are a dim more than an operand can have.
  cases.push_back(where("rank_8_of_words", {2, 2, 2, 2, 2, 2, 2, 2}, DType::kInt64));
  cases.back().inputs[1].order = {7, 5, 3, 1, 6, 4, 2, 0};
  cases.back().inputs[0].order = {0, 2, 4, 6, 1, 3, 5, 7};
  OpCase mixed = where("mixed_layouts", {2, 5, 6, 7});
  mixed.inputs[0] = channels_last(std::move(mixed.inputs[0]));
  mixed.inputs[2] = channels_last(std::move(mixed.inputs[2]));
  cases.push_back(mixed);
  return cases;
}

std::vector<Numbers> where_oracle(const OpCase& c, const std::vector<Numbers>& inputs) {
  Numbers y = blank_output(c, 0);
  for (uint64_t p = 0; p < y.values.size(); ++p) {
    y.values[p] = (inputs[0].values[p] != 0 ? inputs[1] : inputs[2]).values[p];
  }
  return {y};
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
