// `arenite ops`: which operators are supported where, all of them or those of a model.
#include <algorithm>
#include <filesystem>

#include "planner/import/import.h"
#include "planner/import/onnx/refusal.h"
#include "planner/report/op_support.h"
#include "support/content.h"
#include "support/file.h"
#include "support/output.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/common_options.h"
#include "tools/arenite/import_models.h"
#include "tools/arenite/json.h"
#include "tools/arenite/model_error.h"

namespace arenite::tools {
namespace {

struct OpsCommand {
  std::string model;
  ModelArguments arguments;
  bool json = false, markdown = false;
};

OpLine refused_line(const planner::RefusedOp& refused) {
  OpLine line;
  line.support.name = refused.name;
  line.why = refused.why;
  line.instead = refused.instead;
  return line;
}

std::vector<OpLine> onnx_operators() {
  std::vector<OpLine> lines;
  for (planner::OpSupport& support : planner::supported_ops()) {
    lines.push_back({std::move(support), 0, {}, {}});
  }
  for (const planner::RefusedOp& refused : planner::refused_ops()) {
    lines.push_back(refused_line(refused));
  }
  return lines;
}

std::vector<OpLine> tflite_operators() {
  std::vector<OpLine> lines;
  for (planner::TfliteSupport& row : planner::supported_tflite_ops()) {
    lines.push_back({std::move(row.support), 0, {}, {}});
  }
  for (const planner::RefusedOp& refused : planner::refused_tflite_ops()) {
    lines.push_back(refused_line(refused));
  }
  return lines;
}

// ONNX's, then TensorFlow Lite's: some have the same name.
std::vector<OpLine> all_operators() {
  std::vector<OpLine> lines = onnx_operators();
  for (OpLine& line : tflite_operators()) {
    line.support.name = "tflite." + line.support.name;
    lines.push_back(std::move(line));
  }
  return lines;
}

// How often a model has each operator.
auto operator_counts(const std::string& path, std::span<const std::byte> file, bool is_tflite) {
  try {
    return planner::model_operators(file, is_tflite);
  } catch (const InputError& error) {
    fail_of_model(path + ": ", path, file, error);
  }
}

// The model's operators, with what stands in the way of each; and what else does.
std::vector<OpLine> operators_of(const OpsCommand& command) {
  const std::vector<std::byte> file = read_file(command.model);
  const bool is_tflite = content_of(file) == Content::kTfLite ||
                         std::filesystem::path(command.model).extension() == ".tflite";
  const std::vector<OpLine> known = is_tflite ? tflite_operators() : onnx_operators();
  std::vector<OpLine> lines;
  for (const auto& [name, count] : operator_counts(command.model, file, is_tflite)) {
    const auto found = std::find_if(known.begin(), known.end(), [&name = name](const OpLine& line) {
      return line.support.name == name;
    });
    OpLine line;
    if (found != known.end()) line = *found;
    line.support.name = name;
    line.count = count;
    lines.push_back(std::move(line));
  }
  try {
    import_models(command.arguments, {});
  } catch (const planner::ObstaclesError& error) {
    for (const planner::ObstacleGroup& group : planner::grouped(error.obstacles)) {
      auto line = std::find_if(lines.begin(), lines.end(), [&](const OpLine& known_line) {
        return known_line.support.name == group.op;
      });
      if (line == lines.end()) {
        lines.emplace_back();
        line = lines.end() - 1;
        line->support.name = group.op;
        line->count = group.count;
      }
      line->why = group.why;
      line->instead = group.instead;
    }
  }
  return lines;
}

void print_line(const OpLine& line, bool of_model) {
  const planner::OpSupport& support = line.support;
  std::string text = of_model ? std::to_string(line.count) + " x " : "";
  text += support.name + ": ";
  if (line.why.empty()) {
    text += "CPU " + planner::types_text(support.cpu) + "; GPU " + planner::types_text(support.gpu);
    if (!support.note.empty()) text += " (" + support.note + ")";
  } else {
    text += line.why + (line.instead.empty() ? "" : "; instead: " + line.instead);
  }
  print_text(text + "\n");
}

int run_ops(OpsCommand command) {
  if (command.markdown) {
    if (command.json || !command.model.empty()) {
      throw InputError("--markdown goes without a model and without --json");
    }
    print_text(planner::ops_markdown());
    return kDone;
  }
  const bool of_model = !command.model.empty();
  const std::string option = command.arguments.options.first();
  if (!of_model && !option.empty()) throw InputError(option + " is about a model: none is given");
  if (of_model) command.arguments.paths = {command.model};
  const OpsReport report = {command.model, of_model ? operators_of(command) : all_operators()};
  if (command.json) {
    print_text(to_json(report) + "\n");
  } else {
    for (const OpLine& line : report.operators) print_line(line, of_model);
  }
  const bool whole = !of_model || std::all_of(report.operators.begin(), report.operators.end(),
                                              [](const OpLine& line) { return line.why.empty(); });
  return whole ? kDone : kFailed;
}

std::function<int()> declare_ops(Options& options) {
  const auto ops = std::make_shared<OpsCommand>();
  options.add("MODEL", ops->model, "Model whose operators are listed; without, all are");
  add_model_options(options, ops->arguments.options);
  options.add("--markdown", ops->markdown, "Print the tables of docs/ops.md");
  add_json(options, ops->json);
  return [ops] { return run_ops(*ops); };
}

}  // namespace

const Command kOpsCommand = {
    .name = "ops",
    .summary = "List which operators are supported where",
    .examples =
        "arenite ops\n"
        "arenite ops model.onnx\n"
        "arenite ops model.onnx --json",
    .declare = declare_ops,
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
