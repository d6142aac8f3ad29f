// Counts by the dims of an operator's family.
#include "planner/graph/step_size.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "ops/attributes.h"
#include "ops/contracts.h"
#include "ops/quantized.h"
#include "planner/graph/size_terms.h"
#include "planner/graph/work.h"

namespace arenite::planner {
namespace {

const std::vector<uint32_t>& dims_of(const StepFacts& step, size_t input) {
  static const std::vector<uint32_t> kNone;
  return input < step.inputs.size() ? step.inputs[input].dims : kNone;
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

bool is_recurrent(Op op) {
  switch (op) {
    case Op::kRNN:
    case Op::kGRU:
    case Op::kLSTM:
    case Op::kQuantizedLstm:
    case Op::kSvdf:
      return true;
    default:
      return false;
  }
}

bool is_move(Op op) {
  switch (op) {
    case Op::kCopy:
    case Op::kConcat:
    case Op::kSlice:
    case Op::kPad:
      return true;
    default:
      return false;
  }
}

bool normalizes_along_axes(Op op) {
  return op == Op::kSoftmax || op == Op::kLogSoftmax || op == Op::kNormalize;
}

// The elements that share their places off the axes are made together: how many such rows are made.
double rows_along_axes(const StepFacts& step) {
  static_assert(offsetof(SoftmaxAttributes, axes) == 0 && offsetof(NormalizeAttributes, axes) == 0);
  const uint32_t axes = step.attributes.empty() ? 0 : step.attributes[0];
  double rows = 1;
  for (size_t d = 0; d < step.output.dims.size(); ++d) {
    if ((axes >> d & 1u) == 0) rows *= step.output.dims[d];
  }
  return rows;
}

ActivationKind activation_of(const StepFacts& step, const Contract& contract) {
  const bool has_one = contract.activation_word != kNoActivation &&
                       contract.activation_word < step.attributes.size();
  return has_one ? static_cast<ActivationKind>(step.attributes[contract.activation_word])
                 : ActivationKind::kNone;
}

// Whether an operand's elements along the last axis are no neighbors; repeated ones are.
bool lies_apart(const OperandFacts& operand) {
  return !operand.strides.empty() && operand.dims.back() > 1 && operand.strides.back() > 1;
}

bool has_elements_apart(const StepFacts& step) {
  return lies_apart(step.output) || std::ranges::any_of(step.inputs, lies_apart);
}

// Elements that each result of a resize is made of.
double taps_of_resize(const StepFacts& step) {
  double all = 1;
  for (size_t axis = 0; axis < 3; ++axis) {
    const size_t word = offsetof(ResizeAttributes, taps) / sizeof(uint32_t) + axis;
    if (word < step.attributes.size()) all *= std::max(1u, step.attributes[word]);
  }
  return all;
}

// Products by the weights of inputs 1 and 2, at each time of each sequence.
void add_recurrent_terms(const StepFacts& step, StepSize& size) {
  const std::vector<uint32_t>& x = dims_of(step, 0);
  const double lines = x.empty() ? 0 : elements_in(x) / std::max<double>(x.back(), 1);
  const double weights = elements_in(dims_of(step, 1)) +
                         (dims_of(step, 2).empty() ? 0 : elements_in(dims_of(step, 2)));
  term(size, SizeTerm::kLine) = lines;
  term(size, SizeTerm::kInput) = elements_in(x);
  term(size, SizeTerm::kUnit) = lines * weights;
  term(size, SizeTerm::kWeight) = weights;
}

// `each`: products of a result.
void add_product_terms(const StepFacts& step, double each, StepSize& size) {
  const std::vector<uint32_t>& y = step.output.dims;
  const double lines = term(size, SizeTerm::kLine), columns = y.empty() ? 1 : y.back();
  const double height = y.size() < 2 ? 1 : y[y.size() - 2];
  const double matrices = lines / std::max(height, 1.0);
  term(size, SizeTerm::kRow) = matrices;
  term(size, SizeTerm::kInput) = lines * each;
  term(size, SizeTerm::kSingleResult) = matrices * std::fmod(height, 4) * columns;
  term(size, SizeTerm::kSingleUnit) = term(size, SizeTerm::kSingleResult) * each;
  term(size, SizeTerm::kOddUnit) = lines * std::fmod(columns, 16) * each;
  term(size, SizeTerm::kOddResult) = lines * std::fmod(columns, 4);
  term(size, SizeTerm::kShortResult) = each < 16 ? lines * columns : 0;
  if (step.inputs.size() > 1 && lies_apart(step.inputs[1])) {
    term(size, SizeTerm::kApart) = term(size, SizeTerm::kUnit);
  }
}

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

constexpr std::array<const char*, 2> kGroups = {"", "grouped"};
constexpr std::array<const char*, 2> kBytes = {"", "unsigned"};
constexpr std::array<const char*, 2> kWeightBits = {"", "halves"};
constexpr std::array<const char*, 2> kHeights = {"", "vector"};
constexpr std::array<const char*, 3> kSides = {"", "rows", "columns"};  // blocks: no word

std::string joined(std::initializer_list<const char*> words) {
  std::string text;
  for (const std::string word : words) {
    if (!word.empty()) text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

// An index into kSides.
size_t side_of(const OperandFacts& operand) {
  if (lies_apart(operand)) return 2;
  return operand.strides.empty() ? 0 : 1;
}

double bytes_in(const OperandFacts& operand) {
  double elements = operand.dims.empty() ? 0 : 1;
  for (size_t d = 0; d < operand.dims.size(); ++d) {
    const bool is_repeated = !operand.strides.empty() && operand.strides[d] == 0;
    elements *= is_repeated ? 1 : operand.dims[d];
  }
  return elements * operand.element_bytes;
}

double far_bytes(const StepFacts& step) {
  // Second-level caches have 256 KiB to 2 MiB.
  constexpr double kNearBytes = 1 << 20;
  double bytes = bytes_in(step.output);
  for (const OperandFacts& input : step.inputs) bytes += bytes_in(input);
  return std::max(0.0, bytes - kNearBytes);
}

bool scales_channels_apart(const StepFacts& step) {
  const bool requantizes = step.op == Op::kQuantizedConv || step.op == Op::kQuantizedMatMul;
  const std::vector<uint32_t>& multipliers = dims_of(step, kMultipliersInput);
  if (!requantizes || multipliers.empty() || multipliers.back() == 1) return false;
  const std::vector<uint32_t>& strides = step.inputs[kMultipliersInput].strides;
  return strides.empty() || strides.back() != 0;
}

void add_activation(ActivationKind kind, double results, StepSize& size) {
  if (kind == ActivationKind::kNone) return;
  term(size, SizeTerm::kActivated) = results;
  if (kind == ActivationKind::kHardSigmoid || kind == ActivationKind::kHardSwish) {
    term(size, SizeTerm::kHardActivated) = results;
  } else if (kind == ActivationKind::kSigmoid || kind == ActivationKind::kSwish) {
    term(size, SizeTerm::kExpActivated) = results;
  }
}

}  // namespace

StepSize size_of(const StepFacts& step) {
  StepSize size{};
  const Contract& contract = *find_contract(step.op);
  const double results = elements_in(step.output.dims);
  const std::vector<uint32_t>& w = dims_of(step, 1);
  const double each =
      static_cast<double>(operations_each({contract.work,
                                           dims_of(step, 0),
                                           w,
                                           static_cast<uint64_t>(results),
                                           {step.attributes.begin(), step.attributes.end()}}));
  term(size, SizeTerm::kStep) = 1;
  term(size, SizeTerm::kUnit) = results * each;
  term(size, SizeTerm::kResult) = results;
  term(size, SizeTerm::kScaledResult) = scales_channels_apart(step) ? results : 0;
  term(size, SizeTerm::kByte) = results * step.output.element_bytes;
  term(size, SizeTerm::kFarByte) = far_bytes(step);
  add_activation(activation_of(step, contract), results, size);
  if (contract.work == Work::kWeights || contract.work == Work::kInner) {
    term(size, SizeTerm::kWeight) = w.empty() ? 0 : elements_in(w);
  }
  if ((is_convolution(step.op) || is_pool(step.op)) && step.output.dims.size() >= 3) {
    add_window_terms(step, size);
    return size;
  }
  const double across = step.output.dims.empty() ? 1 : step.output.dims.back();
  term(size, SizeTerm::kLine) = results / std::max(across, 1.0);
  if (is_recurrent(step.op)) {
    add_recurrent_terms(step, size);
  } else if (contract.work == Work::kInner) {
    add_product_terms(step, each, size);
  } else {
    for (const OperandFacts& input : step.inputs) {
      if (!input.dims.empty()) term(size, SizeTerm::kInput) += elements_in(input.dims);
    }
    if (step.op == Op::kResize) term(size, SizeTerm::kTap) = results * taps_of_resize(step);
    if (normalizes_along_axes(step.op)) term(size, SizeTerm::kRow) = rows_along_axes(step);
    if (is_move(step.op)) {
      add_move_terms(step, size);
    } else if (has_elements_apart(step)) {
      term(size, SizeTerm::kApart) = std::max(results, term(size, SizeTerm::kUnit));
      if (contract.work == Work::kOne && dims_of(step, 0).size() == step.output.dims.size()) {
        term(size, SizeTerm::kLine) = lines_apart(step.inputs[0], step.output);
      }
    }
  }
  return size;
}

std::string case_of(const StepFacts& step) {
  size_t rounding = 0;
  if (const std::optional<size_t> at = rounding_at(step.op)) {
    const size_t word = *at / sizeof(uint32_t);
    const uint32_t kind = word < step.attributes.size() ? step.attributes[word] : 0;
    if (kind < kRoundings.size()) rounding = kind;
  }
  const bool is_product = find_contract(step.op)->work == Work::kInner;
  if (!is_convolution(step.op) && !is_product) return kRoundings[rounding];
  const OperandFacts x = step.inputs.empty() ? OperandFacts() : step.inputs[0];
  const OperandFacts w = step.inputs.size() < 2 ? OperandFacts() : step.inputs[1];
  const bool grouped = is_convolution(step.op) && groups_of(step) > 1;
  const std::vector<uint32_t>& y = step.output.dims;
  const bool has_one_row = is_product && (y.size() < 2 || y[y.size() - 2] == 1);
  return joined({kGroups[grouped], kBytes[x.is_unsigned], kWeightBits[w.element_bytes == 2],
                 kHeights[has_one_row], kSides[is_product ? side_of(w) : 0], kRoundings[rounding]});
}

std::vector<std::string> step_cases() {
  std::vector<std::string> all;
  for (const char* group : kGroups) {
    for (const char* bytes : kBytes) {
      for (const char* bits : kWeightBits) {
        for (const char* height : kHeights) {
          for (const char* side : kSides) {
            for (const char* rounding : kRoundings) {
              all.push_back(joined({group, bytes, bits, height, side, rounding}));
            }
          }
        }
      }
    }
  }
  std::erase(all, "");
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
