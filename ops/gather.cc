// The contract of gather: slices of the data picked along an axis.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

Status check_gather(const Step& step) {
  const Tensor data = step.input(0);
  const Tensor indices = step.input(1);
  const OutTensor y = step.output(0);
  const uint32_t axis = step.attributes<GatherAttributes>().axis;
  if (axis >= data.rank()) return error(Code::kBadAttribute);
  bool fits = uint32_t{y.rank()} + 1 == uint32_t{data.rank()} + indices.rank();
  for (uint32_t d = 0; fits && d < y.rank(); ++d) {
    const uint32_t dim = d < axis                    ? data.dims[d]
                         : d < axis + indices.rank() ? indices.dims[d - axis]
                                                     : data.dims[d - indices.rank() + 1];
    fits = y.dims[d] == dim;
  }
  return fits ? ok_status() : output_error(step, Code::kBadShape);
}

}  // namespace

constexpr Contract kGatherContract = {
    .op = Op::kGather,
    .max_inputs = 2,
    .min_inputs = 2,
    .attribute_words = words_of<GatherAttributes>(),
    .layout = {.kind = LayoutClass::kRowMajor},
    .types = kGatherTypes,
    .inputs = {OperandType::kT, OperandType::kIndex},
    .check = check_gather,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
