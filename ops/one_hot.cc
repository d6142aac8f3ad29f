// The contract of one_hot: a dim more than the indices have, along which one place of each is on.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

Status check_one_hot(const Step& step) {
  const Tensor indices = step.input(0);
  const OutTensor y = step.output(0);
  const uint32_t axis = step.attributes<OneHotAttributes>().axis;
  if (axis > indices.rank()) return error(Code::kBadAttribute);
  ARENITE_TRY(check_vector(step, 1, 2));
  bool fits = uint32_t{y.rank()} == uint32_t{indices.rank()} + 1;
  for (uint32_t d = 0; fits && d < indices.rank(); ++d) {
    fits = y.dims[d < axis ? d : d + 1] == indices.dims[d];
  }
  return fits ? ok_status() : output_error(step, Code::kBadShape);
}

}  // namespace

constexpr Contract kOneHotContract = {
    .op = Op::kOneHot,
    .max_inputs = 2,
    .min_inputs = 2,
    .attribute_words = words_of<OneHotAttributes>(),
    .layout = {.kind = LayoutClass::kRowMajor},
    .types = kOneHotTypes,
    .inputs = {OperandType::kIndex, OperandType::kT},
    .check = check_one_hot,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
