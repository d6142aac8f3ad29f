// The table of the planner's facts: a row for each operator that has some.
#include "planner/graph/op_facts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "planner/graph/half_floats.h"
#include "planner/graph/strides.h"
#include "planner/graph/target_forms.h"
#include "portable_fallback/shared/small_float.h"

namespace arenite::planner {
namespace {

const Value& input(const Graph& graph, const Node& node) { return graph.values[node.inputs[0]]; }

bool has_one_input(const Node& node) {
  return std::count_if(node.inputs.begin(), node.inputs.end(),
                       [](ValueId id) { return id != kNoValue; }) == 1;
}

// For operators that change nothing if type and dims stay. Reductions of one element are among
// them: each dim that they reduce is 1 then.
bool is_done(const Graph&, const Node&) { return true; }

bool joins_one(const Graph&, const Node& node) { return node.inputs.size() == 1; }

bool keeps_order(const Graph&, const Node& node) {
  return std::is_sorted(node.attributes.begin(), node.attributes.end());
}

bool takes_all(const Graph& graph, const Node& node) {
  const Dims& dims = input(graph, node).dims;
  const auto slice = node.attributes_as<SliceAttributes>();
  for (size_t i = 0; i < dims.size(); ++i) {
    if (slice.start[i] != 0 || (slice.step[i] != 1 && !always(dims[i] <= 1))) return false;
  }
  return true;
}

bool adds_no_border(const Graph&, const Node& node) {
  const auto pad = node.attributes_as<PadAttributes>();
  return std::all_of(std::begin(pad.begin), std::end(pad.begin),
                     [](int32_t begin) { return begin == 0; });
}

bool has_no_bounds(const Graph&, const Node& node) {
  const auto clip = node.attributes_as<ClipAttributes>();
  return has_one_input(node) && std::isinf(clip.min) && clip.min < 0 && std::isinf(clip.max) &&
         clip.max > 0;
}

// Windows of one element, none left out.
bool pools_nothing(const Graph&, const Node& node) {
  const auto pool = node.attributes_as<PoolAttributes>();
  for (size_t i = 0; i < std::size(pool.kernel); ++i) {
    if (pool.kernel[i] != 1 || pool.stride[i] != 1 || pool.pad_begin[i] != 0) return false;
  }
  return true;
}

std::optional<Activation> clip_activation(const Node& node) {
  if (!has_one_input(node)) return std::nullopt;  // bounds at run time
  const auto clip = node.attributes_as<ClipAttributes>();
  return Activation{ActivationKind::kClip, clip.min, clip.max};
}

std::optional<Activation> hard_sigmoid_activation(const Node& node) {
  const auto sigmoid = node.attributes_as<UnaryAttributes>();
  return Activation{ActivationKind::kHardSigmoid, sigmoid.alpha, sigmoid.beta};
}

std::optional<Activation> sigmoid_activation(const Node&) {
  return Activation{ActivationKind::kSigmoid, 0.0f, 0.0f};
}

std::optional<Activation> hard_swish_activation(const Node&) {
  return Activation{ActivationKind::kHardSwish, 1.0f / 6.0f, 0.5f};
}

std::optional<Activation> swish_activation(const Node& node) {
  return Activation{ActivationKind::kSwish, node.attributes_as<UnaryAttributes>().alpha, 0.0f};
}

std::optional<Strided> reshape_view(const Node&, const Value& output, const Strided& input) {
  return reshape_in_place(input, bounds(output.dims));
}

std::optional<Strided> transpose_view(const Node& node, const Value&, const Strided& input) {
  return transposed(input, node.attributes);
}

std::optional<Strided> slice_view(const Node& node, const Value& output, const Strided& input) {
  const auto attributes = node.attributes_as<SliceAttributes>();
  Strided result = input;
  result.dims = bounds(output.dims);
  if (output.elements() == 0) return result;
  for (size_t d = 0; d < result.dims.size(); ++d) {
    if (attributes.step[d] <= 0) return std::nullopt;
    result.offset += static_cast<uint64_t>(attributes.start[d]) * input.strides[d];
    if (result.dims[d] != 1) result.strides[d] *= static_cast<uint32_t>(attributes.step[d]);
  }
  return result;
}

// The kind of weights of a convolution, whatever its attributes' struct.
template <typename Attributes>
Weights filters(const Node& node) {
  return node.attributes_as<Attributes>().groups == 1 ? Weights::kFilters
                                                      : Weights::kGroupedFilters;
}

Weights filters_before_sum(const Node& node) {
  return node.attributes_as<QuantizedConvAddAttributes>().conv.groups == 1
             ? Weights::kFilters
             : Weights::kGroupedFilters;
}

Weights all_channels(const Node&) { return Weights::kFilters; }

Weights matmul_weights(const Node&) { return Weights::kMatrix; }

void widen_border(Node& node, DType half) {
  auto pad = node.attributes_as<PadAttributes>();
  const auto bits = static_cast<uint16_t>(pad.value_bits[0]);
  const float value = half == DType::kFloat16 ? small_to_float<kFloat16Format>(bits)
                                              : small_to_float<kBfloat16Format>(bits);
  pad.value_bits[0] = std::bit_cast<uint32_t>(value);
  node.set_attributes(pad);
}

// Turns the bits of a float32 into those of a float16.
template <typename Attributes>
bool narrow_word(std::vector<uint32_t>& attributes, uint32_t& (*word)(Attributes&)) {
  Attributes all;
  if (attributes.size() * sizeof(uint32_t) != sizeof(all)) throw std::logic_error("attribute size");
  std::memcpy(&all, attributes.data(), sizeof(all));
  const auto half = half_of(std::bit_cast<float>(word(all)));
  if (!half.has_value()) return false;
  word(all) = *half;
  std::memcpy(attributes.data(), &all, sizeof(all));
  return true;
}

bool narrow_border(std::vector<uint32_t>& attributes) {
  return narrow_word<PadAttributes>(
      attributes, [](PadAttributes& pad) -> uint32_t& { return pad.value_bits[0]; });
}

bool narrow_outside(std::vector<uint32_t>& attributes) {
  return narrow_word<ResizeAttributes>(
      attributes, [](ResizeAttributes& resize) -> uint32_t& { return resize.outside_bits[0]; });
}

constexpr auto kFacts = std::to_array<OpFacts>({
    {.op = Op::kArgMax, .scalar_anywhere = true},
    {.op = Op::kArgMin, .scalar_anywhere = true},
    {.op = Op::kAveragePool, .is_identity = pools_nothing},
    {.op = Op::kCast, .is_identity = is_done},
    {.op = Op::kClip, .is_identity = has_no_bounds, .activation = clip_activation},
    {.op = Op::kConcat, .is_identity = joins_one, .assembly = Assembly::kSideBySide},
    {.op = Op::kConv, .weights = filters<ConvAttributes>},
    {.op = Op::kConv3d, .weights = filters<Conv3dAttributes>},
    {.op = Op::kConvTranspose, .weights = filters<ConvTransposeAttributes>},
    {.op = Op::kCopy, .is_identity = is_done},
    {.op = Op::kDequantize, .scalar_anywhere = true},
    {.op = Op::kDetectionPostProcess, .keeps_outputs = true},
    {.op = Op::kGRU, .keeps_outputs = true},
    {.op = Op::kHardSigmoid, .activation = hard_sigmoid_activation},
    {.op = Op::kHardSwish, .activation = hard_swish_activation},
    {.op = Op::kLSTM, .keeps_outputs = true},
    {.op = Op::kLookup, .is_integer = true},
    {.op = Op::kMatMul, .weights = matmul_weights},
    {.op = Op::kMaxPool, .is_identity = pools_nothing},
    {.op = Op::kNonMaxSuppression, .keeps_outputs = true},
    {.op = Op::kPad,
     .is_identity = adds_no_border,
     .assembly = Assembly::kWithinBorder,
     .widen = widen_border,
     .narrow = narrow_border},
    {.op = Op::kPointwiseDepthwise, .weights = all_channels},
    {.op = Op::kQuantizedAdd, .is_integer = true},
    {.op = Op::kQuantizedAveragePool, .is_integer = true},
    {.op = Op::kQuantizedConv, .weights = filters<QuantizedConvAttributes>, .is_integer = true},
    {.op = Op::kQuantizedConvAdd, .weights = filters_before_sum, .is_integer = true},
    {.op = Op::kQuantizedConvLookup,
     .weights = filters<QuantizedConvAttributes>,
     .is_integer = true},
    {.op = Op::kQuantizedConvTranspose,
     .weights = filters<QuantizedConvTransposeAttributes>,
     .is_integer = true},
    {.op = Op::kQuantizedExcite, .is_integer = true},
    {.op = Op::kQuantizedLstm, .keeps_outputs = true},
    {.op = Op::kQuantizedMatMul, .weights = matmul_weights, .is_integer = true},
    {.op = Op::kQuantizedMul, .is_integer = true},
    {.op = Op::kQuantizedPRelu, .is_integer = true},
    {.op = Op::kQuantizedPointwiseDepthwise, .weights = all_channels, .is_integer = true},
    {.op = Op::kQuantizedSoftmax, .is_integer = true, .scalar_anywhere = true},
    {.op = Op::kQuantizedSum, .is_integer = true},
    {.op = Op::kRNN, .keeps_outputs = true},
    {.op = Op::kReduceL1, .sums_up = true},
    {.op = Op::kReduceL2, .sums_up = true},
    {.op = Op::kReduceLogSum, .sums_up = true},
    {.op = Op::kReduceMax, .is_identity = is_done},
    {.op = Op::kReduceMean, .is_identity = is_done, .sums_up = true},
    {.op = Op::kReduceMin, .is_identity = is_done},
    {.op = Op::kReduceProd, .is_identity = is_done, .sums_up = true},
    {.op = Op::kReduceSum, .is_identity = is_done, .sums_up = true},
    {.op = Op::kReduceSumSquare, .sums_up = true},
    {.op = Op::kRequantize, .is_integer = true},
    {.op = Op::kReshape, .is_identity = is_done, .view = reshape_view},
    {.op = Op::kResize, .scalar_anywhere = true, .narrow = narrow_outside},
    {.op = Op::kSigmoid, .activation = sigmoid_activation},
    {.op = Op::kSlice, .is_identity = takes_all, .view = slice_view},
    {.op = Op::kSoftNonMaxSuppression, .keeps_outputs = true},
    {.op = Op::kSvdf, .keeps_outputs = true},
    {.op = Op::kSwish, .activation = swish_activation},
    {.op = Op::kTopK, .keeps_outputs = true},
    {.op = Op::kTranspose, .is_identity = keeps_order, .view = transpose_view},
    {.op = Op::kWhere, .chooses = true},
});

}  // namespace

OpFacts facts_of(Op op) {
  const auto* row = std::find_if(kFacts.begin(), kFacts.end(),
                                 [op](const OpFacts& facts) { return facts.op == op; });
  return row == kFacts.end() ? OpFacts{.op = op} : *row;
}

bool has_activation(const Node& node) {
  const uint8_t word = contract_of(node.op).activation_word;
  return word != kNoActivation && word < node.attributes.size() &&
         node.attributes[word] != static_cast<uint32_t>(ActivationKind::kNone);
}

Activation take_activation(Node& node) {
  if (!has_activation(node)) return {};
  Activation activation;
  std::memcpy(&activation, node.attributes.data() + contract_of(node.op).activation_word,
              sizeof activation);
  set_activation(node, {});
  return activation;
}

void set_activation(Node& node, const Activation& activation) {
  constexpr size_t kWords = sizeof(Activation) / 4;
  const uint8_t word = contract_of(node.op).activation_word;
  node.attributes.resize(std::max<size_t>(node.attributes.size(), word + kWords));
  std::memcpy(node.attributes.data() + word, &activation, sizeof activation);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
