// The contract of max_unpool: elements put where their indices say, zeros everywhere else.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

Status check_max_unpool(const Step& step) {
  const Tensor x = step.input(0);
  const Tensor indices = step.input(1);
  bool same = x.rank() == indices.rank();
  for (uint32_t d = 0; same && d < x.rank(); ++d) same = x.dims[d] == indices.dims[d];
  return same ? ok_status() : input_error(step, Code::kBadShape, 1);
}

}  // namespace

constexpr Contract kMaxUnpoolContract = {
    .op = Op::kMaxUnpool,
    .max_inputs = 2,
    .min_inputs = 2,
    .layout = {.kind = LayoutClass::kRowMajor},
    .types = kMaxUnpoolTypes,
    .inputs = {OperandType::kT, OperandType::kInt64},
    .check = check_max_unpool,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
