// Cuts the units of all sequences into runs that a kernel computes, each with numbers of x of its
// own.
#include "portable_fallback/shared/integer_svdf.h"

#include "ops/attributes.h"
#include "portable_fallback/fast/integer_dot.h"
#include "portable_fallback/shared/integer_rows.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

constexpr uint32_t kFeatures = 1, kTimes = 2, kBias = 3, kState = 4;
constexpr uint32_t kSizeMax = 1 << 24;  // so that scratch is a number of 32 bits

struct SvdfWork {
  IntegerSvdf svdf;
  void (*compute)(const IntegerSvdf& svdf, const SvdfUnits& units);
  Tensor x, state;
  OutTensor y, next;
  uint32_t* scratch;
};

void unit_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& work = *static_cast<const SvdfWork*>(argument);
  const uint32_t units = work.y.dims[1];
  const size_t bytes = work.svdf.wide ? 2 : 1;
  SvdfUnits run = {};
  run.numbers = work.scratch + size_t{thread} * dot_words(work.svdf.inputs);
  run.x_step = work.x.strides[1];
  run.y_step = work.y.strides[1];
  for (uint32_t item = first; item < last; item += run.count) {
    const size_t b = item / units;
    run.first = item % units;
    run.count = last - item < units - run.first ? last - item : units - run.first;
    run.x = work.x.read<int8_t>() + b * work.x.strides[0];
    run.state = work.state.read<std::byte>() + b * work.state.strides[0] * bytes;
    run.next = work.next.write<std::byte>() + b * work.next.strides[0] * bytes;
    run.y = work.y.write<int8_t>() + b * work.y.strides[0];
    work.compute(work.svdf, run);
  }
}

template <typename T>
const T* elements(const Tensor& tensor) {
  return static_cast<const T*>(static_cast<const void*>(tensor.data));
}

IntegerSvdf svdf_of(const Step& step) {
  const auto by = step.attributes<SvdfAttributes>();
  const Tensor features = step.input(kFeatures), times = step.input(kTimes);
  IntegerSvdf svdf = {};
  svdf.features = elements<int8_t>(features);
  svdf.times = elements<std::byte>(times);
  svdf.feature_step = features.strides[0];
  svdf.time_step = times.strides[0];
  if (step.has_input(kBias)) {
    const Tensor bias = step.input(kBias);
    svdf.bias = elements<int32_t>(bias);
    svdf.bias_step = bias.strides[0];
  }
  svdf.inputs = features.dims[1];
  svdf.memory = times.dims[1];
  svdf.rank = by.rank;
  svdf.wide = times.dtype() == DType::kInt16;
  svdf.x_zero_point = by.x_zero_point;
  svdf.state_zero_point = by.state_zero_point;
  svdf.newest = {by.multipliers[0], by.shifts[0]};
  svdf.result = {by.multipliers[1], by.shifts[1]};
  svdf.zero_point = by.output.zero_point;
  svdf.low = by.output.low;
  svdf.high = by.output.high;
  return svdf;
}

}  // namespace

bool takes_integer_svdf(const Step& step) {
  const auto by = step.attributes<SvdfAttributes>();
  const bool wide = step.dtype(kState) == DType::kInt16;
  return by.output.rounding == Rounding::kTfliteDouble && (!wide || by.state_zero_point == 0) &&
         step.input(kFeatures).strides[1] == 1 && step.input(kFeatures).dims[1] < kSizeMax &&
         step.input(kTimes).strides[1] == 1 && step.input(kState).strides[1] == 1 &&
         step.output(1).strides[1] == 1;
}

ScratchNeed integer_svdf_scratch(const Step& step) {
  return rows_scratch(dot_words(step.input(kFeatures).dims[1]));
}

Status run_integer_svdf(const Step& step, const Platform& platform,
                        void (*compute)(const IntegerSvdf& svdf, const SvdfUnits& units)) {
  SvdfWork work = {svdf_of(step),  compute,        step.input(0), step.input(kState),
                   step.output(0), step.output(1), rows_of(step)};
  const uint32_t items = work.y.dims[0] * work.y.dims[1];
  // A feature takes about as long as so many products beside its own.
  constexpr uint32_t kWorkOfFeature = 32;
  const uint64_t each =
      work.svdf.rank * (uint64_t{work.svdf.inputs} + work.svdf.memory + kWorkOfFeature);
  split(platform, items, items * each, unit_items, &work);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
