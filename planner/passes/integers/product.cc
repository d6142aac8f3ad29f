// Convolutions and matrix products of integers: the bias and what x's zero point adds become one
// bias of integers, the scales multipliers.
#include "planner/passes/integers/product.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "planner/graph/names.h"
#include "planner/graph/rewrite.h"

namespace arenite::planner::quantize {
namespace {

using Numbers = std::vector<int64_t>;

// For each output, over its weights: sums of (w - zero point), and of their magnitudes.
struct WeightSums {
  Numbers sums, magnitudes;
};

WeightSums weight_sums(const Value& w, const Product& product) {
  WeightSums all{Numbers(product.outputs), Numbers(product.outputs)};
  const std::vector<int32_t> elements = integer_elements(w);
  const Dims within(w.dims.begin() + product.output_axis + 1, w.dims.end());
  const auto inner = static_cast<size_t>(baked(planner::product(within), "a constant's elements"));
  for (size_t i = 0; i < elements.size(); ++i) {
    const size_t o = i / inner % product.outputs;
    const int64_t weight = int64_t{elements[i]} - product.w.quantization.at(o).zero_point;
    all.sums[o] += weight;
    all.magnitudes[o] += std::abs(weight);
  }
  return all;
}

// Whether the bias has one number, or one for each output in its last dim.
bool fits_outputs(const Value& bias, const Dim& outputs) {
  return always(planner::product(bias.dims) == 1) ||
         (always(planner::product(bias.dims) == outputs) && !bias.dims.empty() &&
          always(bias.dims.back() == outputs));
}

// The integers that the model stores for the product's bias: TensorFlow Lite's importer keeps them
// with the value, ONNX's bias is dequantized. Nothing where the model stores numbers.
std::optional<StoredBias> stored_bias(const Fusion& fusion, const Product& product) {
  if (product.beta != 1.0f) return std::nullopt;
  if (const auto& kept = fusion.value(product.bias).stored_bias; kept != nullptr) return *kept;
  const std::optional<Operand> operand = fusion.operand(product.bias);
  if (!operand) return std::nullopt;
  StoredBias bias = {{}, operand->quantization};
  for (const int32_t element : integer_elements(fusion.value(operand->integers))) {
    bias.integers.push_back(element);
  }
  return bias;
}

// Whether the model's sums of int16 are int32, and wrap.
bool has_int32_sums(const Fusion& fusion, ValueId bias) {
  if (bias == kNoValue) return false;
  const auto& kept = fusion.value(bias).stored_bias;
  return kept != nullptr && kept->quantization.dtype == DType::kInt32;
}

// Both are products of the same two scales, of which one was rounded to single precision.
bool is_same_unit(float scale, double unit) {
  constexpr double kRounding = 1e-6;
  return std::abs(double{scale} / unit - 1.0) <= kRounding;
}

// The bias in units of the sums: as stored where its integers have these, else rounded.
std::optional<Numbers> integer_bias(const Fusion& fusion, const Product& product) {
  constexpr double kMost = 4e15;
  Numbers bias(product.outputs, 0);
  if (product.bias == kNoValue || product.beta == 0.0f) return bias;
  const std::optional<std::vector<float>> numbers = fusion.numbers(product.bias);
  if (!numbers || !fits_outputs(fusion.value(product.bias), product.outputs)) return std::nullopt;
  const std::optional<StoredBias> stored = stored_bias(fusion, product);
  for (size_t o = 0; o < bias.size(); ++o) {
    const size_t i = numbers->size() == 1 ? 0 : o;
    if (stored && is_same_unit(stored->quantization.at(i).scale, product.unit(o))) {
      bias[o] = stored->integers[i];
      continue;
    }
    const double exact = double{(*numbers)[i]} * double{product.beta} / product.unit(o);
    if (!(std::abs(exact) <= kMost)) return std::nullopt;
    bias[o] = std::llround(exact);
  }
  return bias;
}

// For each output, what the magnitudes of weights of the run may add up to.
Numbers most_magnitudes(const Value& w, const Product& product) {
  const int64_t inner = bound(w.dims[w.dims.size() - 2]);
  Numbers all;
  for (size_t o = 0; o < product.outputs; ++o) {
    all.push_back(reach(product.w.quantization.at(o)) * inner);
  }
  return all;
}

bool fit_32_bits(const Product& product, const Numbers& magnitudes, const Numbers& bias) {
  for (size_t o = 0; o < bias.size(); ++o) {
    const double most =
        static_cast<double>(reach(product.x.scale)) * static_cast<double>(magnitudes[o]) +
        std::abs(static_cast<double>(bias[o]));
    if (most > 2147483647.0) return false;
  }
  return true;
}

// The same product with weights of int8 where the model has uint8 with one zero point: both move
// down by 128, and kernels know one type. Weights of 4 bits stay as they are, and so do those that
// others read.
Product with_int8_weights(Fusion& fusion, const Product& product) {
  const std::vector<int32_t>& zeros = product.w.quantization.zero_points;
  const bool same =
      std::all_of(zeros.begin(), zeros.end(), [&](int32_t zero) { return zero == zeros[0]; });
  if (!same || !fusion.has_one_reader(fusion.node(product.number).inputs[1])) return product;
  const std::optional<ValueId> moved = add_as_int8(fusion.graph(), product.w.integers);
  if (!moved) return product;
  Product of_int8 = product;
  of_int8.w.integers = *moved;
  of_int8.w.quantization.dtype = DType::kInt8;
  for (int32_t& zero : of_int8.w.quantization.zero_points) zero -= kInt8Below;
  return of_int8;
}

// The zero point that kernels subtract from x: what the biases leave of it. Of uint8 they leave
// 128, which makes int8 of it by turning a bit.
int32_t left_zero_point(const Product& product) {
  if (!product.folds_zero_point) return product.x.scale.zero_point;
  constexpr int32_t kHalf = 128;
  return product.x.scale.dtype == DType::kUint8 ? kHalf : 0;
}

std::optional<int32_t> common_zero_point(const Product& product) {
  const std::vector<int32_t>& zeros = product.w.quantization.zero_points;
  const bool same =
      std::all_of(zeros.begin(), zeros.end(), [&](int32_t zero) { return zero == zeros[0]; });
  return same ? std::optional<int32_t>(zeros[0]) : std::nullopt;
}

// "" or why there are none.
std::string add_multipliers(Fusion& fusion, const Product& product, const Wanted& wanted,
                            Node& node) {
  const size_t count = product.w.quantization.scales.size();
  Numbers multipliers, shifts;
  for (size_t o = 0; o < count; ++o) {
    const Multiplier factor = product_multiplier(wanted, product.x.scale.scale,
                                                 product.w.quantization.scales[o] * product.alpha,
                                                 product.is_matrix && count == 1);
    if (factor.shift > 31) return "its scales are too far apart";
    multipliers.push_back(factor.multiplier);
    shifts.push_back(factor.shift);
  }
  node.inputs.push_back(add_integers(fusion.graph(), "multipliers", DType::kInt32, multipliers));
  node.inputs.push_back(add_integers(fusion.graph(), "shifts", DType::kInt8, shifts));
  return "";
}

// Copies the attributes that convolutions of floats and of integers share.
template <typename From, typename To>
void copy_windows(const From& from, To& to) {
  to.groups = from.groups;
  std::copy(std::begin(from.stride), std::end(from.stride), to.stride);
  std::copy(std::begin(from.dilation), std::end(from.dilation), to.dilation);
  std::copy(std::begin(from.pad_begin), std::end(from.pad_begin), to.pad_begin);
}

void set_attributes(const Node& from, const Product& product, const Requantization& output,
                    Node& node) {
  const int32_t x_zero = left_zero_point(product);
  const int32_t w_zero = common_zero_point(product).value_or(0);
  if (from.op == Op::kConv) {
    QuantizedConvAttributes attributes = {};
    copy_windows(from.attributes_as<ConvAttributes>(), attributes);
    attributes.x_zero_point = x_zero;
    attributes.w_zero_point = w_zero;
    attributes.outside = product.x.scale.zero_point;
    attributes.output = output;
    node.op = Op::kQuantizedConv;
    node.set_attributes(attributes);
  } else if (from.op == Op::kConvTranspose) {
    QuantizedConvTransposeAttributes attributes = {};
    copy_windows(from.attributes_as<ConvTransposeAttributes>(), attributes);
    attributes.x_zero_point = x_zero;
    attributes.w_zero_point = w_zero;
    attributes.output = output;
    node.op = Op::kQuantizedConvTranspose;
    node.set_attributes(attributes);
  } else {
    node.op = Op::kQuantizedMatMul;
    node.set_attributes(QuantizedMatMulAttributes{x_zero, w_zero, output});
  }
}

struct Parameters {
  Activation activation = {};
  float alpha = 1, beta = 1;
};

Parameters parameters_of(const Node& node) {
  if (node.op == Op::kConv) return {node.attributes_as<ConvAttributes>().activation};
  if (node.op == Op::kConvTranspose)
    return {node.attributes_as<ConvTransposeAttributes>().activation};
  const auto matmul = node.attributes_as<MatMulAttributes>();
  return {matmul.activation, matmul.alpha, matmul.beta};
}

}  // namespace

std::optional<Product> product_of(Fusion& fusion, uint32_t n) {
  const Node& node = fusion.node(n);
  const bool is_matrix = node.op == Op::kMatMul;
  if (!is_matrix && node.op != Op::kConv && node.op != Op::kConvTranspose) return std::nullopt;
  const auto refused = [&](const std::string& why) {
    fusion.refuse(n, why);
    return std::nullopt;
  };
  const std::optional<ScaledOperand> x = fusion.scaled(node.inputs[0]);
  const std::optional<Operand> w = fusion.operand(node.inputs[1]);
  if (!x) return refused("its input has no one constant scale");
  if (!w) return refused("its weights have no constant scales");
  Product product;
  product.number = n;
  product.x = *x;
  product.w = *w;
  product.bias = node.inputs.size() > 2 ? node.inputs[2] : kNoValue;
  const Parameters parameters = parameters_of(node);
  if (parameters.activation.kind != ActivationKind::kNone) {
    return refused("it ends in a function of numbers");
  }
  if (!(parameters.alpha > 0)) return refused("its factor is not above 0");
  product.alpha = parameters.alpha;
  product.beta = parameters.beta;
  product.is_matrix = is_matrix;
  const Value& weights = fusion.value(w->integers);
  const size_t rank = weights.dims.size();
  product.output_axis = is_matrix ? static_cast<uint32_t>(rank - 1) : 0;
  product.outputs = static_cast<uint32_t>(
      baked(weights.dims[product.output_axis], "the scales of a product of integers"));
  if (w->quantization.axis.value_or(product.output_axis) != product.output_axis) {
    return refused("its weights have scales along axis " + std::to_string(*w->quantization.axis) +
                   ", not one for each output");
  }
  const bool known = weights.constant != nullptr;
  if (!known && !is_matrix) return refused("its weights are computed at run time");
  const bool one_matrix = !is_matrix || always(planner::product(weights.dims) ==
                                               weights.dims[rank - 2] * weights.dims[rank - 1]);
  product.folds_zero_point = known && one_matrix && node.op != Op::kConvTranspose;
  return product;
}

std::optional<AddedBias> added_bias(const Fusion& fusion, uint32_t n) {
  const Node& node = fusion.node(n);
  if (node.op != Op::kAdd) return std::nullopt;
  for (size_t i = 0; i < 2; ++i) {
    const ValueId sum = node.inputs[i], bias = node.inputs[1 - i];
    const uint32_t product = fusion.producer(sum);
    if (product == kNoNode || fusion.node(product).op != Op::kMatMul) continue;
    const bool has_bias = fusion.node(product).inputs.size() > 2;
    if (has_bias || !fusion.has_one_reader(sum) || !fusion.numbers(bias)) continue;
    // The sum must have the product's dims, and the bias a number for each column.
    const Dims& dims = fusion.value(sum).dims;
    if (always(fusion.value(node.outputs[0]).dims == dims) &&
        fits_outputs(fusion.value(bias), dims.back())) {
      return AddedBias{product, bias};
    }
  }
  return std::nullopt;
}

std::string integer_product(Fusion& fusion, const Product& of_model, const Wanted* wanted,
                            Node& node) {
  const Product product = with_int8_weights(fusion, of_model);
  std::optional<Numbers> bias = integer_bias(fusion, product);
  if (!bias) return "its bias is not constant, with one number for each output, or is too large";
  const Value& weights = fusion.value(product.w.integers);
  const Scaled& x = product.x.scale;
  const bool of_int16 = x.dtype == DType::kInt16 && wanted != nullptr;
  const bool wraps =
      of_int16 && wanted->is_tflite() && x.zero_point == 0 && has_int32_sums(fusion, product.bias);
  const bool wide = of_int16 && !wraps;
  const WeightSums sums = weights.constant != nullptr
                              ? weight_sums(weights, product)
                              : WeightSums{{}, most_magnitudes(weights, product)};
  if (!of_int16 && !fit_32_bits(product, sums.magnitudes, *bias)) return Fusion::kMoreThan32Bits;
  const int32_t folded = x.zero_point - left_zero_point(product);
  for (size_t o = 0; o < bias->size() && folded != 0; ++o) (*bias)[o] -= folded * sums.sums[o];
  node.inputs = {product.x.integers, product.w.integers, kNoValue};
  const bool none = std::all_of(bias->begin(), bias->end(), [](int64_t b) { return b == 0; });
  if (!none || wraps) {
    node.inputs[2] =
        add_integers(fusion.graph(), "bias", wide ? DType::kInt64 : DType::kInt32, *bias);
  }
  if (wanted != nullptr) {
    const std::string why = add_multipliers(fusion, product, *wanted, node);
    if (!why.empty()) return why;
  }
  if (!common_zero_point(product)) {
    const std::vector<int32_t>& zeros = product.w.quantization.zero_points;
    node.inputs.resize(6, kNoValue);
    node.inputs.push_back(add_integers(fusion.graph(), "zero_points", product.w.quantization.dtype,
                                       {zeros.begin(), zeros.end()}));
  }
  while (node.inputs.back() == kNoValue) node.inputs.pop_back();
  const Requantization sums_alone = {Rounding::kHalfEven, 0, 0, 0};
  set_attributes(fusion.node(product.number), product,
                 wanted == nullptr ? sums_alone : requantization(*wanted), node);
  return "";
}

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0
