// The contract of where: elements of one of two inputs, by a condition.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

Status check_where(const Step& step) {
  ARENITE_TRY(check_same_dims(step, 0));
  ARENITE_TRY(check_same_dims(step, 1));
  return check_same_dims(step, 2);
}

}  // namespace

constexpr Contract kWhereContract = {
    .op = Op::kWhere,
    .max_inputs = 3,
    .min_inputs = 3,
    .layout = {.kind = LayoutClass::kElementwise, .operands = 3},
    .types = kWhereTypes,
    .inputs = {OperandType::kBool, OperandType::kT, OperandType::kT},
    .check = check_where,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
