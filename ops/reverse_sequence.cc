// The contract of reverse_sequence: the beginnings of sequences, each of its own length, reversed.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

Status check_reverse_sequence(const Step& step) {
  const auto attributes = step.attributes<ReverseSequenceAttributes>();
  const uint32_t rank = step.input(0).rank();
  if (attributes.batch_axis >= rank || attributes.time_axis >= rank ||
      attributes.batch_axis == attributes.time_axis) {
    return error(Code::kBadAttribute);
  }
  ARENITE_TRY(check_same_dims(step, 0));
  return check_vector(step, 1, step.input(0).dims[attributes.batch_axis]);
}

}  // namespace

constexpr Contract kReverseSequenceContract = {
    .op = Op::kReverseSequence,
    .max_inputs = 2,
    .min_inputs = 2,
    .attribute_words = words_of<ReverseSequenceAttributes>(),
    .types = kReverseSequenceTypes,
    .inputs = {OperandType::kT, OperandType::kIndex},
    .check = check_reverse_sequence,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
