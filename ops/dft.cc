// The contract of dft: bins of the Fourier transforms of frames of a signal.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

Status check_dft(const Step& step) {
  const Tensor x = step.input(0);
  const Tensor twiddles = step.input(1);
  const OutTensor y = step.output(0);
  if (x.rank() != 3 || x.dims[2] < 1 || x.dims[2] > 2) {
    return input_error(step, Code::kBadShape, 0);
  }
  if (twiddles.rank() != 2 || twiddles.dims[0] == 0 || twiddles.dims[0] >= kMaxPosition ||
      twiddles.dims[1] != 2) {
    return input_error(step, Code::kBadShape, 1);
  }
  const DType type = x.dtype() == DType::kFloat64 ? DType::kFloat64 : DType::kFloat32;
  if (twiddles.dtype() != type) return input_error(step, Code::kBadType, 1);
  ARENITE_TRY(check_dense_enough(step, 1));
  const uint32_t n = twiddles.dims[0];
  ARENITE_TRY(check_vector(step, 2, n));
  if (y.rank() != 4 || y.dims[0] != x.dims[0] || y.dims[2] > n || y.dims[3] != 2) {
    return output_error(step, Code::kBadShape);
  }
  const auto attributes = step.attributes<DftAttributes>();
  return uint64_t{y.dims[1]} * attributes.hop < kMaxPosition && x.dims[1] < kMaxPosition
             ? ok_status()
             : error(Code::kBadAttribute);
}

}  // namespace

constexpr Contract kDftContract = {
    .op = Op::kDft,
    .max_inputs = 3,
    .min_inputs = 2,
    .attribute_words = words_of<DftAttributes>(),
    .work = Work::kWeights,
    .layout = {.kind = LayoutClass::kRowMajor},
    .types = kDftTypes,
    .inputs = {OperandType::kT, OperandType::kAny, OperandType::kT},
    .check = check_dft,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
