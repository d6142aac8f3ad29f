// Makes integer models: folds, decides, looks at samples, rewrites, and compares both models.
#include "planner/quantizer/quantizer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "planner/graph/interpret.h"
#include "planner/graph/names.h"
#include "planner/quantizer/fold_batch_normalization.h"
#include "planner/quantizer/rewrite.h"
#include "planner/quantizer/settle_options.h"

namespace arenite::planner {
namespace {

using namespace quantizer;

// The number of samples that run in both models to compare them.
constexpr size_t kComparedMax = 16;

// Sums of a tensor and of its difference to another.
struct Distance {
  double power = 0, error_power = 0, max_abs = 0, max_error = 0;

  void add(const std::vector<float>& expected, const std::vector<float>& found) {
    for (size_t i = 0; i < std::min(expected.size(), found.size()); ++i) {
      const auto value = double{expected[i]};
      const double error = double{found[i]} - value;
      power += value * value;
      error_power += error * error;
      max_abs = std::max(max_abs, std::abs(value));
      max_error = std::max(max_error, std::abs(error));
    }
  }
  double sqnr_db() const {
    if (error_power == 0) return std::numeric_limits<double>::infinity();
    return power == 0 ? 0 : 10 * std::log10(power / error_power);
  }
};

std::string described(const onnx::NodeProto& node, int n) {
  const std::string name =
      node.name().empty() ? node.op_type() + "_" + std::to_string(n) : printable(node.name());
  return name;
}

Wanted wanted_of(const ModelEditor& model, const Placement& placement, bool means) {
  Wanted wanted;
  wanted.ranges.insert(placement.tensors.begin(), placement.tensors.end());
  if (!means) return wanted;
  for (const Weighted& weighted : placement.weighted) {
    wanted.means[model.node(weighted.node).input(0)] = weighted.channel_axis;
  }
  return wanted;
}

size_t greatest(const std::vector<float>& elements) {
  return static_cast<size_t>(std::max_element(elements.begin(), elements.end()) - elements.begin());
}

// Runs both models over some samples and keeps how far their tensors are apart.
class Comparing {
 public:
  Comparing(const Graph& expected, const Graph& found,
            const std::map<std::string, Quantized>& tensors)
      : expected_(expected), found_(found) {
    for (const auto& [name, quantized] : tensors) counterpart_[quantized.dequantized] = name;
    // An output that is quantized keeps its name in both models.
    for (const ValueId id : expected.outputs) {
      counterpart_.emplace(expected.values[id].name, expected.values[id].name);
    }
  }

  void run(std::span<const Sample> samples, const ProgressHook& progress) {
    const size_t count = std::min(samples.size(), kComparedMax);
    outputs_.resize(expected_.outputs.size());
    for (size_t s = 0; s < count; ++s) {
      tell(progress, "comparing both models", s, count);
      compare(samples[s]);
    }
  }

  const Distance& distance(const std::string& name) { return distances_[name]; }
  std::vector<OutputCost> outputs() {
    for (size_t i = 0; i < outputs_.size(); ++i) {
      const std::string& name = expected_.values[expected_.outputs[i]].name;
      const Distance& distance = output_distances_[name];
      outputs_[i].name = name;
      outputs_[i].max_abs = distance.max_abs;
      outputs_[i].max_error = distance.max_error;
      outputs_[i].sqnr_db = distance.sqnr_db();
    }
    return outputs_;
  }

 private:
  void compare(const Sample& sample) {
    std::map<std::string, std::vector<float>> seen;
    std::set<std::string> names;
    for (const auto& [found, expected] : counterpart_) names.insert(expected);
    const auto results =
        interpret(expected_, sample, [&](ValueId id, std::span<const std::byte> b) {
          const Value& value = expected_.values[id];
          if (value.dtype == DType::kFloat32 && names.contains(value.name))
            seen[value.name] = floats_of(b);
        });
    const auto others = interpret(found_, sample, [&](ValueId id, std::span<const std::byte> b) {
      const auto of = counterpart_.find(found_.values[id].name);
      if (of == counterpart_.end() || !seen.contains(of->second)) return;
      distances_[of->second].add(seen[of->second], floats_of(b));
    });
    for (size_t i = 0; i < results.size(); ++i) {
      const Value& value = expected_.values[expected_.outputs[i]];
      if (value.dtype != DType::kFloat32) continue;
      const std::vector<float> a = floats_of(results[i]), b = floats_of(others[i]);
      output_distances_[value.name].add(a, b);
      ++outputs_[i].samples;
      outputs_[i].same_top += greatest(a) == greatest(b) ? 1u : 0u;
    }
  }

  const Graph& expected_;
  const Graph& found_;
  std::map<std::string, std::string> counterpart_;  // of the integer model's tensors
  std::map<std::string, Distance> distances_, output_distances_;
  std::vector<OutputCost> outputs_;
};

void refuse_integers(const ModelEditor& model) {
  for (int n = 0; n < model.node_count(); ++n) {
    const std::string& type = model.node(n).op_type();
    if (type == "QuantizeLinear" || type == "DequantizeLinear" || type.starts_with("QLinear")) {
      throw InputError("is quantized already: node " + described(model.node(n), n) + " is " + type);
    }
  }
}

[[noreturn]] void refuse_nothing(const Graph& graph, const std::set<std::string>& endless) {
  const auto first = std::find_if(graph.values.begin(), graph.values.end(),
                                  [&](const Value& value) { return endless.contains(value.name); });
  if (first == graph.values.end()) {
    throw InputError(
        "has no convolution or matrix product with constant weights: nothing to quantize");
  }
  throw InputError("nothing is left to quantize: with these samples tensor '" +
                   printable(first->name) +
                   "' holds NaN or an infinity, and so has no range; expected finite numbers");
}

}  // namespace

QuantizedModel quantize_onnx(std::span<const std::byte> model, const ImportOptions& given,
                             std::span<const Sample> samples, const QuantizerOptions& options,
                             const ProgressHook& progress) {
  std::vector<std::byte> file(model.begin(), model.end());
  Graph graph = import_onnx(file, given);
  ImportOptions import = given;
  if (!given.bound.empty() || !given.outputs.empty()) {
    file = settle_options(file, given, graph);
    import = {};
    for (const ValueId id : graph.inputs) {
      import.shapes.emplace(graph.values[id].name, bounds(graph.values[id].dims));
    }
    graph = import_onnx(file, import);
  }
  {
    ModelEditor folding(file, graph, import.folder);
    refuse_integers(folding);
    if (fold_batch_normalization(folding)) {
      file = folding.finish();
      graph = import_onnx(file, import);
    }
  }
  ModelEditor editor(file, graph, import.folder);
  Placement placement;
  Statistics statistics;
  std::set<std::string> barred;
  do {
    // Tensors with infinities, as masks have them, stay float with the nodes around them.
    barred.insert(statistics.endless.begin(), statistics.endless.end());
    placement = place(editor, barred);
    if (placement.weighted.empty()) refuse_nothing(graph, barred);
    const Wanted wanted = wanted_of(editor, placement, options.bias_correction);
    statistics = observe(graph, samples, wanted, options, progress);
  } while (!statistics.endless.empty());
  QuantizedModel result;
  std::map<std::string, std::pair<std::string, std::string>> makers;  // name and operator
  for (int n = 0; n < editor.node_count(); ++n) {
    const onnx::NodeProto& node = editor.node(n);
    for (const std::string& output : node.output()) {
      makers[output] = {described(node, n), node.op_type()};
    }
    const bool at_run_time = node.output_size() != 0 && !editor.is_constant(node.output(0));
    if (placement.is_integer[static_cast<size_t>(n)]) {
      ++result.integer_nodes;
    } else if (at_run_time) {
      result.float_nodes.push_back(described(node, n) + " (op '" + printable(node.op_type()) +
                                   "')");
    }
  }
  const std::map<std::string, Quantized> tensors =
      rewrite(editor, placement, statistics, options.bias_correction);
  result.file = editor.finish();
  const Graph integers = import_onnx(result.file, import);
  Comparing comparing(graph, integers, tensors);
  comparing.run(samples, progress);
  for (const std::string& name : placement.tensors) {
    const auto made = tensors.find(name);
    if (made == tensors.end()) continue;
    const Distance& distance = comparing.distance(name);
    const auto maker = makers.find(name);
    TensorCost cost;
    cost.name = name;
    cost.node = maker == makers.end() ? "input" : maker->second.first;
    cost.op = maker == makers.end() ? "" : maker->second.second;
    cost.scale = double{made->second.scale.scale};
    cost.zero_point = made->second.scale.zero_point;
    cost.max_abs = distance.max_abs;
    cost.max_error = distance.max_error;
    cost.sqnr_db = distance.sqnr_db();
    result.tensors.push_back(std::move(cost));
  }
  result.outputs = comparing.outputs();
  return result;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
