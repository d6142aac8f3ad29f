// Rewrites an ONNX model into QDQ form.
#include "planner/quantizer/rewrite.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "planner/graph/rewrite.h"

namespace arenite::planner::quantizer {
namespace {

// Scales an axis, and the axis given to operators of ONNX's own, came with this opset; before it
// those of com.microsoft have them.
constexpr int64_t kOpsetOfAxes = 13;
constexpr const char* kMicrosoft = "com.microsoft";
constexpr int32_t kWeightMax = 127;
// The limit of biases, which leaves room for the sum that they begin.
constexpr double kBiasMax = 1 << 30;

template <typename T>
TensorData tensor_of(DType dtype, const std::vector<uint32_t>& dims,
                     const std::vector<T>& elements) {
  TensorData data = {dtype, dims, std::vector<std::byte>(elements.size() * sizeof(T))};
  if (!elements.empty()) std::memcpy(data.bytes.data(), elements.data(), data.bytes.size());
  return data;
}

int8_t to_int8(double value) {
  return static_cast<int8_t>(std::clamp(std::nearbyint(value), -128.0, 127.0));
}

// Elements of a constant along one of its axes.
struct Axis {
  size_t count, inner;

  Axis(const std::vector<uint32_t>& dims, uint32_t axis) : count(dims[axis]), inner(1) {
    for (size_t d = axis + 1; d < dims.size(); ++d) inner *= dims[d];
  }
  size_t index(size_t element) const { return element / inner % count; }
};

class Rewriting {
 public:
  Rewriting(ModelEditor& model, const Placement& placement, const Statistics& statistics)
      : model_(model),
        placement_(placement),
        statistics_(statistics),
        scales_(scales_of(model, placement, statistics)) {}

  std::map<std::string, Quantized> run(bool correct) {
    domain_ = model_.opset() < kOpsetOfAxes ? kMicrosoft : "";
    if (!domain_.empty()) model_.use_domain(domain_, 1);
    // Weights first: they look at tensors by their old names.
    for (const Weighted& weighted : placement_.weighted) quantize_weights(weighted, correct);
    for (const std::string& constant : placement_.constants) quantize_constant(constant);
    for (const std::string& tensor : placement_.tensors) quantize_tensor(tensor);
    return std::move(made_);
  }

 private:
  onnx::NodeProto& named(onnx::NodeProto& node, const char* type, const std::string& of) {
    node.set_op_type(type);
    node.set_domain(domain_);
    node.set_name(model_.unique_name(of + "_" + type));
    return node;
  }

  // Adds what integers that are known stand for, `inputs` being integers, scale and perhaps zero
  // point; its name, made of `of`.
  std::string add_dequantized(const std::string& of, const std::vector<std::string>& inputs,
                              std::optional<uint32_t> axis) {
    onnx::NodeProto& node = named(model_.add_first(), "DequantizeLinear", of);
    for (const std::string& input : inputs) node.add_input(input);
    const std::string result = model_.unique_name(of + "_dequantized");
    node.add_output(result);
    if (axis) {
      onnx::AttributeProto* attribute = node.add_attribute();
      attribute->set_name("axis");
      attribute->set_type(onnx::AttributeProto::INT);
      attribute->set_i(*axis);
    }
    return result;
  }

  // Names of scale and zero point, one pair for all tensors that share them.
  std::pair<std::string, std::string> numbers(const std::string& tensor) {
    const std::string& root = placement_.shared.at(tensor);
    const auto known = numbers_.find(root);
    if (known != numbers_.end()) return known->second;
    const Scaled scale = scales_.at(tensor);
    const auto zero = static_cast<int8_t>(scale.zero_point);
    std::pair<std::string, std::string> names = {
        model_.add_floats(tensor + "_scale", {}, {scale.scale}),
        model_.add_initializer(tensor + "_zero_point",
                               tensor_of(DType::kInt8, {}, std::vector<int8_t>{zero}))};
    return numbers_.emplace(root, std::move(names)).first->second;
  }

  // Lets the nodes that compute with integers read `instead` of `tensor`.
  void read_instead(const std::string& tensor, const std::string& instead) {
    for (const int reader : model_.readers(tensor)) {
      if (reader == kNobody || !placement_.is_integer[static_cast<size_t>(reader)]) continue;
      onnx::NodeProto& node = model_.node(reader);
      for (std::string& input : *node.mutable_input()) {
        if (input == tensor) input = instead;
      }
    }
  }

  void quantize_constant(const std::string& constant) {
    const Value& value = *model_.value(constant);
    const Scaled scale = scales_.at(constant);
    std::vector<int8_t> integers;
    for (const float element : float_elements(value)) {
      integers.push_back(to_int8(double{element} / double{scale.scale} + scale.zero_point));
    }
    const std::string stored = model_.add_initializer(
        constant + "_quantized", tensor_of(DType::kInt8, bounds(value.dims), integers));
    const auto [scale_name, zero_name] = numbers(constant);
    const std::string result =
        add_dequantized(constant, {stored, scale_name, zero_name}, std::nullopt);
    read_instead(constant, result);
  }

  void quantize_tensor(const std::string& tensor) {
    const int producer = model_.producer(tensor);
    const auto [scale_name, zero_name] = numbers(tensor);
    std::string source = tensor;
    std::string result = model_.unique_name(tensor + "_dequantized");
    if (model_.is_output(tensor) && producer != kNobody) {
      // The output keeps the model's name.
      std::swap(source, result);
      for (std::string& output : *model_.node(producer).mutable_output()) {
        if (output == tensor) output = source;
      }
    } else {
      read_instead(tensor, result);
    }
    const std::string integers = model_.unique_name(tensor + "_quantized");
    const auto add = [&]() -> onnx::NodeProto& {
      return producer == kNobody ? model_.add_first() : model_.add_behind(producer);
    };
    onnx::NodeProto& quantize = named(add(), "QuantizeLinear", tensor);
    for (const std::string& name : {source, scale_name, zero_name}) quantize.add_input(name);
    quantize.add_output(integers);
    onnx::NodeProto& dequantize = named(add(), "DequantizeLinear", tensor);
    for (const std::string& name : {integers, scale_name, zero_name}) dequantize.add_input(name);
    dequantize.add_output(result);
    made_[tensor] = {result, scales_.at(tensor)};
  }

  // --- Weights: symmetric, a scale for each output; biases in units of the products.
  void quantize_weights(const Weighted& weighted, bool correct) {
    const std::string data = model_.node(weighted.node).input(0);
    const auto data_scale = scales_.find(data);
    if (data_scale == scales_.end()) return;  // what it reads has no range: nothing ran there
    const std::string weights = model_.node(weighted.node).input(weighted.input);
    const Value& value = *model_.value(weights);
    const Axis axis(bounds(value.dims), weighted.axis);
    const std::vector<float> elements = float_elements(value);
    std::vector<double> bias = bias_of(weighted, axis.count);
    std::vector<float> scales = weight_scales(elements, axis, bias, data_scale->second.scale);
    std::vector<int8_t> integers(elements.size());
    for (size_t i = 0; i < elements.size(); ++i) {
      integers[i] = to_int8(double{elements[i]} / double{scales[axis.index(i)]});
    }
    bool moved = false;
    if (correct) moved = correct_bias(weighted, value, integers, scales, bias);
    const std::string scale_name =
        model_.add_floats(weights + "_scale", {static_cast<uint32_t>(axis.count)}, scales);
    const std::string zero_name = model_.add_initializer(
        weights + "_zero_point", tensor_of(DType::kInt8, {static_cast<uint32_t>(axis.count)},
                                           std::vector<int8_t>(axis.count, 0)));
    const std::string stored = model_.add_initializer(
        weights + "_quantized", tensor_of(DType::kInt8, bounds(value.dims), integers));
    model_.node(weighted.node)
        .set_input(weighted.input,
                   add_dequantized(weights, {stored, scale_name, zero_name}, weighted.axis));
    if (weighted.bias_node != kNobody || (moved && weighted.takes_bias)) {
      quantize_bias(weighted, bias, scales, data_scale->second.scale);
    }
  }

  std::vector<double> bias_of(const Weighted& weighted, size_t count) const {
    std::vector<double> bias(count, 0);
    if (weighted.bias_node == kNobody) return bias;
    const std::string& name = model_.node(weighted.bias_node).input(weighted.bias_input);
    const std::vector<float> elements = float_elements(*model_.value(name));
    for (size_t i = 0; i < count; ++i) bias[i] = double{elements[elements.size() == 1 ? 0 : i]};
    return bias;
  }

  // Wide enough that the bias, in units of data scale times weight scale, is an int32.
  static std::vector<float> weight_scales(const std::vector<float>& elements, const Axis& axis,
                                          const std::vector<double>& bias, float data_scale) {
    std::vector<double> most(axis.count, 0);
    for (size_t i = 0; i < elements.size(); ++i) {
      double& of_index = most[axis.index(i)];
      of_index = std::max(of_index, std::abs(double{elements[i]}));
    }
    std::vector<float> scales;
    for (size_t i = 0; i < axis.count; ++i) {
      const double for_bias = std::abs(bias[i]) / (double{data_scale} * kBiasMax);
      const auto scale = static_cast<float>(std::max(most[i] / kWeightMax, for_bias));
      scales.push_back(scale >= std::numeric_limits<float>::min() ? scale : 1.0f);
    }
    return scales;
  }

  // Adds what the rounded weights take from the mean result. Whether anything changed.
  bool correct_bias(const Weighted& weighted, const Value& value,
                    const std::vector<int8_t>& integers, const std::vector<float>& scales,
                    std::vector<double>& bias) const {
    const std::string& data = model_.node(weighted.node).input(0);
    const auto means = statistics_.means.find(data);
    if (means == statistics_.means.end()) return false;
    const std::vector<float> elements = float_elements(value);
    const Axis outputs(bounds(value.dims), weighted.axis);
    const uint32_t channel_dim = weighted.axis == 0 ? 1 : weighted.axis - 1;
    const Axis channels(bounds(value.dims), channel_dim);
    const size_t groups = means->second.size() / std::max<size_t>(channels.count, 1);
    if (groups == 0 || groups * channels.count != means->second.size()) return false;
    const size_t per_group = std::max<size_t>(outputs.count / groups, 1);
    for (size_t i = 0; i < elements.size(); ++i) {
      const size_t output = outputs.index(i);
      const size_t channel = output / per_group * channels.count + channels.index(i);
      const double error = double{elements[i]} - integers[i] * double{scales[output]};
      bias[output] += error * means->second[std::min(channel, means->second.size() - 1)];
    }
    return true;
  }

  void quantize_bias(const Weighted& weighted, const std::vector<double>& bias,
                     const std::vector<float>& scales, float data_scale) {
    std::vector<float> bias_scales;
    std::vector<int32_t> integers;
    for (size_t i = 0; i < bias.size(); ++i) {
      bias_scales.push_back(data_scale * scales[i]);
      const double units = std::nearbyint(bias[i] / double{bias_scales.back()});
      integers.push_back(static_cast<int32_t>(std::clamp(units, -2 * kBiasMax, 2 * kBiasMax - 1)));
    }
    const auto count = static_cast<uint32_t>(bias.size());
    const std::string of = model_.node(weighted.node).input(weighted.input) + "_bias";
    const std::string stored =
        model_.add_initializer(of + "_quantized", tensor_of(DType::kInt32, {count}, integers));
    const std::string scale_name = model_.add_floats(of + "_scale", {count}, bias_scales);
    const std::string result = add_dequantized(of, {stored, scale_name}, 0);
    onnx::NodeProto& reader =
        model_.node(weighted.bias_node == kNobody ? weighted.node : weighted.bias_node);
    while (reader.input_size() <= weighted.bias_input) reader.add_input("");
    reader.set_input(weighted.bias_input, result);
  }

  ModelEditor& model_;
  const Placement& placement_;
  const Statistics& statistics_;
  std::map<std::string, Scaled> scales_;
  std::map<std::string, std::pair<std::string, std::string>> numbers_;
  std::map<std::string, Quantized> made_;
  std::string domain_;
};

}  // namespace

std::map<std::string, Scaled> scales_of(const ModelEditor& model, const Placement& placement,
                                        const Statistics& statistics) {
  std::map<std::string, Range> ranges;  // of those that share one
  for (const std::string& tensor : placement.tensors) {
    const auto fixed = placement.fixed.find(tensor);
    const auto seen = statistics.ranges.find(tensor);
    Range& range = ranges[placement.shared.at(tensor)];
    if (fixed != placement.fixed.end()) {
      range.include(fixed->second);
    } else if (seen != statistics.ranges.end()) {
      range.include(seen->second);
    }
  }
  for (const std::string& constant : placement.constants) {
    Range& range = ranges[placement.shared.at(constant)];
    for (const float element : float_elements(*model.value(constant))) {
      range.include(double{element});
    }
  }
  std::map<std::string, Scaled> scales;
  for (const auto& [tensor, root] : placement.shared) scales[tensor] = scale_of(ranges.at(root));
  return scales;
}

std::map<std::string, Quantized> rewrite(ModelEditor& model, const Placement& placement,
                                         const Statistics& statistics, bool correct) {
  return Rewriting(model, placement, statistics).run(correct);
}

}  // namespace arenite::planner::quantizer
// SPDX-License-Identifier: Apache-2.0
