// Counts by the dims of an operator's family.
#include "planner/graph/step_size.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "ops/attributes.h"
#include "ops/contracts.h"
#include "planner/graph/work.h"

namespace arenite::planner {
namespace {

double elements_in(std::span<const uint32_t> dims) {
  double all = 1;
  for (const uint32_t dim : dims) all *= dim;
  return all;
}

double& term(StepSize& size, SizeTerm which) { return size[static_cast<size_t>(which)]; }

std::span<const uint32_t> dims_of(const StepFacts& step, size_t input) {
  return input < step.inputs.size() ? std::span<const uint32_t>(step.inputs[input])
                                    : std::span<const uint32_t>();
}

bool is_convolution(Op op) {
  switch (op) {
    case Op::kConv:
    case Op::kConv3d:
    case Op::kConvTranspose:
    case Op::kQuantizedConv:
    case Op::kQuantizedConvTranspose:
      return true;
    default:
      return false;
  }
}

bool is_pool(Op op) { return find_contract(op)->work == Work::kWindow; }

// The number of groups is the first attribute of every convolution.
uint32_t groups_of(const StepFacts& step) {
  static_assert(offsetof(ConvAttributes, groups) == 0);
  static_assert(offsetof(Conv3dAttributes, groups) == 0);
  static_assert(offsetof(ConvTransposeAttributes, groups) == 0);
  static_assert(offsetof(QuantizedConvAttributes, groups) == 0);
  static_assert(offsetof(QuantizedConvTransposeAttributes, groups) == 0);
  return step.attributes.empty() ? 1 : step.attributes[0];
}

// The byte at which an operator's attributes say how results are rounded.
std::optional<size_t> rounding_at(Op op) {
  switch (op) {
    case Op::kQuantizedConv:
      return offsetof(QuantizedConvAttributes, output);
    case Op::kQuantizedConvTranspose:
      return offsetof(QuantizedConvTransposeAttributes, output);
    case Op::kQuantizedMatMul:
      return offsetof(QuantizedMatMulAttributes, output);
    case Op::kQuantizedAdd:
      return offsetof(QuantizedAddAttributes, output);
    case Op::kQuantizedMul:
      return offsetof(QuantizedMulAttributes, output);
    case Op::kQuantizedPRelu:
      return offsetof(QuantizedPReluAttributes, output);
    case Op::kRequantize:
      return offsetof(RequantizeAttributes, output);
    case Op::kQuantizedSum:
      return offsetof(QuantizedSumAttributes, output);
    case Op::kQuantizedSoftmax:
      return offsetof(QuantizedSoftmaxAttributes, output);
    case Op::kQuantize:
      return offsetof(QuantizeAttributes, rounding);
    default:
      return std::nullopt;
  }
}

// By Rounding; the first needs no word.
constexpr std::array<const char*, 4> kRoundings = {"", "tflite_single", "half_even", "float32"};
constexpr char kGrouped[] = "grouped";

std::string joined(const std::string& rounding, bool grouped) {
  if (!grouped) return rounding;
  return rounding.empty() ? kGrouped : kGrouped + (" " + rounding);
}

}  // namespace

StepSize size_of(const StepFacts& step) {
  StepSize size{};
  const double results = elements_in(step.output);
  const std::span<const uint32_t> x = dims_of(step, 0);
  const std::span<const uint32_t> w = dims_of(step, 1);
  const auto elements = static_cast<uint64_t>(results);
  const double each =
      static_cast<double>(operations_each({find_contract(step.op)->work,
                                           {x.begin(), x.end()},
                                           {w.begin(), w.end()},
                                           elements,
                                           {step.attributes.begin(), step.attributes.end()}}));
  term(size, SizeTerm::kStep) = 1;
  term(size, SizeTerm::kUnit) = results * each;
  term(size, SizeTerm::kResult) = results;
  const bool pictures = (is_convolution(step.op) || is_pool(step.op)) && step.output.size() >= 3;
  const double across = step.output.empty() ? 1 : pictures ? step.output[1] : step.output.back();
  const double lines = results / std::max(across, 1.0);
  term(size, SizeTerm::kLine) = lines;
  if (pictures) term(size, SizeTerm::kRow) = lines / std::max<double>(step.output.back(), 1);
  const Work work = find_contract(step.op)->work;
  if (work == Work::kWeights || work == Work::kInner) {
    term(size, SizeTerm::kWeight) = w.empty() ? 0 : elements_in(w);
  }
  if (pictures && is_convolution(step.op) && w.size() > 2) {
    const double taps = elements_in(w.subspan(2));
    term(size, SizeTerm::kTap) = lines * taps;
    term(size, SizeTerm::kInput) = lines * taps * w[1] * groups_of(step);
  } else if (pictures) {
    term(size, SizeTerm::kTap) = lines * each;
    term(size, SizeTerm::kInput) = elements_in(x);
  } else if (work == Work::kInner) {
    term(size, SizeTerm::kInput) = lines * each;
  } else {
    for (const std::vector<uint32_t>& dims : step.inputs) {
      if (!dims.empty()) term(size, SizeTerm::kInput) += elements_in(dims);
    }
  }
  return size;
}

std::string case_of(const StepFacts& step) {
  std::string rounding;
  if (const std::optional<size_t> at = rounding_at(step.op)) {
    const size_t word = *at / sizeof(uint32_t);
    const uint32_t kind = word < step.attributes.size() ? step.attributes[word] : 0;
    if (kind < kRoundings.size()) rounding = kRoundings[kind];
  }
  return joined(rounding, is_convolution(step.op) && groups_of(step) > 1);
}

std::vector<std::string> step_cases() {
  std::vector<std::string> all;
  for (const char* rounding : kRoundings) {
    for (const bool grouped : {false, true}) {
      if (std::string text = joined(rounding, grouped); !text.empty()) all.push_back(text);
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
