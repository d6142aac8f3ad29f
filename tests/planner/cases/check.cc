// A case whose inputs all have values is run; of one with an input without, only shapes are known.
#include "tests/planner/cases/check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "planner/graph/interpret.h"
#include "planner/graph/names.h"
#include "planner/passes/passes.h"
#include "support/printable.h"
#include "tests/planner/cases/model.h"
#include "tests/planner/cases/values.h"
#include "tests/planner/model/run_model.h"

namespace arenite::planner::cases {
namespace {

using Results = std::vector<TensorData>;

// A whole message, of any length, as it is.
std::string whole(const std::string& message) { return "'" + message + "'"; }

std::vector<std::byte> model_of(const Case& test) {
  return test.tflite ? tflite_model(test) : onnx_model(test);
}

Graph import_case(const Case& test, const std::vector<std::byte>& model) {
  ImportOptions options;
  options.is_tflite = test.tflite;
  return std::move(import_model(model, options).at(0).graph);
}

bool has_all_values(const Case& test) {
  return std::all_of(test.tensors.begin(), test.tensors.end(), [](const Tensor& tensor) {
    return tensor.kind == Tensor::Kind::kMade || tensor.data.has_value();
  });
}

std::vector<TensorData> inputs_of(const Case& test, const Graph& graph) {
  std::vector<TensorData> inputs;
  for (const ValueId id : graph.inputs) {
    const auto found =
        std::find_if(test.tensors.begin(), test.tensors.end(),
                     [&](const Tensor& tensor) { return tensor.name == graph.values[id].name; });
    if (found == test.tensors.end()) throw InputError("no input " + quote(graph.values[id].name));
    inputs.push_back(*found->data);
  }
  return inputs;
}

// The results of the graph, with their bytes if all inputs have values.
Results results_of(const Case& test, Graph graph) {
  Results results;
  if (!has_all_values(test)) {
    for (const ValueId id : graph.outputs) {
      results.push_back({graph.values[id].dtype, bounds(graph.values[id].dims), {}});
    }
    return results;
  }
  const std::vector<TensorData> inputs = inputs_of(test, graph);
  if (!test.plan) {
    SCOPED_TRACE("case " + test.name);
    return run_graph(std::move(graph), inputs);
  }
  std::vector<std::vector<std::byte>> given;
  for (const TensorData& input : inputs) given.push_back(input.bytes);
  for (std::vector<std::byte>& bytes : interpret(graph, given)) {
    const Value& value = graph.values[graph.outputs[results.size()]];
    results.push_back({value.dtype, bounds(value.dims), std::move(bytes)});
  }
  return results;
}

class Check {
 public:
  Check(const Case& test, const CaseFile& file) : test_(test), file_(file) {}

  std::vector<std::string> run() {
    std::vector<std::byte> model;
    try {
      model = model_of(test_);
    } catch (const InputError& error) {
      expected(test_.line, "a model", whole(error.what()));
      return std::move(problems_);
    }
    Graph graph;
    try {
      graph = import_case(test_, model);
      if (test_.plan) optimize(graph);
    } catch (const InputError& error) {
      refused(error.what());
      return std::move(problems_);
    }
    if (!test_.refuse.empty()) {
      expected(test_.line, "an error " + whole(test_.refuse[0]), "a graph");
      return std::move(problems_);
    }
    check_nodes(graph);
    run_and_compare(graph);
    return std::move(problems_);
  }

 private:
  void problem(int line, const std::string& text) {
    problems_.push_back(file_.path + ":" + std::to_string(line) + ": case " + test_.name + ": " +
                        text);
  }
  void expected(int line, const std::string& what, const std::string& found) {
    problem(line, "expected " + what + ", found " + found);
  }

  void check_message(const std::vector<std::string>& parts, const std::string& message) {
    for (const std::string& part : parts) {
      if (message.find(part) != std::string::npos) continue;
      expected(test_.line, "an error that holds " + whole(part), whole(message));
    }
  }

  void refused(const std::string& message) {
    if (test_.refuse.empty()) return expected(test_.line, "a graph", "the error " + whole(message));
    check_message(test_.refuse, message);
    if (test_.refuse_whole && message != test_.refuse[0]) {
      expected(test_.line, "the error " + whole(test_.refuse[0]), whole(message));
    }
  }

  void check_nodes(const Graph& graph) {
    if (test_.plan && graph.quantized_steps && graph.quantized_steps->floats != 0) {
      expected(test_.line, "steps of integers alone",
               std::to_string(graph.quantized_steps->floats) + " of floats");
    }
    if (!test_.nodes) return;
    const auto text = [](const std::vector<std::string>& names) {
      std::string joined;
      for (const std::string& name : names) joined += " " + name;
      return "the nodes" + joined;
    };
    std::vector<std::string> names;
    for (const Node& node : graph.nodes) names.push_back(op_name(node.op));
    if (names != *test_.nodes) expected(test_.line, text(*test_.nodes), text(names));
  }

  void run_and_compare(const Graph& graph) {
    Results results;
    try {
      results = results_of(test_, graph);
    } catch (const InputError& error) {
      if (test_.fail.empty()) {
        return expected(test_.line, "results", "the error " + whole(error.what()));
      }
      return check_message(test_.fail, error.what());
    }
    if (!test_.fail.empty()) expected(test_.line, "a run that fails", "results");
    for (const Expectation& output : test_.outputs) {
      const TensorData* const found = find(test_, graph, results, output.name);
      if (found == nullptr) {
        expected(output.line, "an output " + quote(output.name), "none");
      } else {
        compare(output, *found);
      }
    }
  }

  // Outputs are in the model's order; those that it does not name have their values' names.
  static const TensorData* find(const Case& test, const Graph& graph, const Results& results,
                                const std::string& name) {
    const std::vector<std::string> names = output_names(test);
    for (size_t i = 0; i < results.size(); ++i) {
      const std::string& own = i < names.size() ? names[i] : graph.values[graph.outputs[i]].name;
      if (own == name) return &results[i];
    }
    return nullptr;
  }

  void compare(const Expectation& output, const TensorData& found) {
    if (output.type.dtype != found.dtype) {
      return expected(output.line, output.name + " of " + dtype_name(output.type.dtype),
                      dtype_name(found.dtype));
    }
    if (output.dims && *output.dims != found.dims) {
      return expected(output.line, output.name + " of dims " + dims_text(*output.dims),
                      dims_text(found.dims));
    }
    if (!output.as.empty()) return compare_cases(output, found);
    if (output.data) compare_elements(output, *output.data, found);
  }

  void compare_cases(const Expectation& output, const TensorData& found) {
    const Case& other = *file_.find(output.as);
    Graph graph = import_case(other, model_of(other));
    if (other.plan) optimize(graph);
    const Results results = results_of(other, graph);
    const TensorData* const wanted = find(other, graph, results, output.name);
    if (wanted == nullptr) {
      return problem(output.line, "case " + output.as + " expects no " + output.name);
    }
    if (wanted->bytes.empty()) return problem(output.line, "case " + output.as + " is not run");
    if (output.unlike) {
      if (wanted->bytes == found.bytes) problem(output.line, "found what it is to differ from");
    } else if (wanted->dims != found.dims) {
      expected(output.line, "dims " + dims_text(wanted->dims), dims_text(found.dims));
    } else if (output.within > 0 || wanted->bytes != found.bytes) {
      compare_elements(output, *wanted, found);
    }
  }

  void compare_elements(const Expectation& output, const TensorData& wanted,
                        const TensorData& found) {
    if (found.bytes.empty() && !wanted.bytes.empty()) {
      return problem(output.line, "an input has no values, so nothing is run");
    }
    if (is_float(wanted.dtype) && element_bytes(wanted.dtype) > 2) {
      const std::vector<double> a = doubles_of(wanted), b = doubles_of(found);
      for (size_t i = 0; i < a.size(); ++i) {
        const bool same = a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]));
        if (!same && !(std::fabs(a[i] - b[i]) <= output.within)) {
          return differ(output, i, wanted, found);
        }
      }
    } else {
      const std::vector<int64_t> a = int64s_of(wanted), b = int64s_of(found);
      for (size_t i = 0; i < a.size(); ++i) {
        if (a[i] != b[i]) return differ(output, i, wanted, found);
      }
    }
  }

  void differ(const Expectation& output, size_t element, const TensorData& wanted,
              const TensorData& found) {
    expected(output.line, output.name + " = " + values_text(wanted),
             values_text(found) + " (element " + std::to_string(element) + ")");
  }

  const Case& test_;
  const CaseFile& file_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> check(const Case& test, const CaseFile& file) {
  return Check(test, file).run();
}

}  // namespace arenite::planner::cases
// SPDX-License-Identifier: Apache-2.0
