// The contract of cast: elements of any type to any other.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {

constexpr Contract kCastContract = {
    .op = Op::kCast,
    .layout = {.kind = LayoutClass::kElementwise},
    .types = kCastTypes,
    .outputs = {OperandType::kAny},
    .check = check_map,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
