// The contract of lookup: functions of one small integer, by a table of their results.
#include "ops/lookup.h"

#include "ops/contracts.h"

namespace arenite {
namespace {

Status check_lookup(const Step& step) {
  ARENITE_TRY(check_map(step));
  const Tensor table = step.input(1);
  if (step.output(0).dtype() != table.dtype()) return output_error(step, Code::kBadType);
  if (table.rank() != 1) return input_error(step, Code::kBadShape, 1);
  const DType type = step.input(0).dtype();
  if (table.dims[0] == kInterpolatedTable) {
    return type == DType::kInt16 && table.dtype() == DType::kInt16
               ? ok_status()
               : input_error(step, Code::kBadType, 1);
  }
  const uint32_t count = element_bytes(type) == 1 ? 256 : 65536;
  return table.dims[0] == count ? ok_status() : input_error(step, Code::kBadShape, 1);
}

}  // namespace

constexpr Contract kLookupContract = {
    .op = Op::kLookup,
    .max_inputs = 2,
    .min_inputs = 2,
    .layout = {.kind = LayoutClass::kElementwise},
    .types = kLookupTypes,
    .inputs = {OperandType::kT, OperandType::kAny, OperandType::kAny},
    .outputs = {OperandType::kAny, OperandType::kAny},
    .check = check_lookup,
};

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0
