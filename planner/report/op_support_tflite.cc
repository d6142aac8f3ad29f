// Prints what TensorFlow Lite's operators become, through the ONNX operators that express them.
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/tflite/import.h"
#include "planner/report/op_support.h"

namespace arenite::planner {
std::vector<TfliteSupport> supported_tflite_ops() {
  std::vector<TfliteSupport> all;
  for (const tflite::NamedOperator& op : tflite::named_operators()) {
    if (op.why != nullptr) continue;
    const ImportRow* onnx = find_import_row("", op.said.onnx);
    std::vector<Op> becomes;
    if (op.said.op) {
      becomes = {*op.said.op};
    } else if (onnx != nullptr && !onnx->becomes.empty()) {
      becomes = {onnx->becomes.front()};
    }
    all.push_back({op.said.onnx, support_of(std::string(op.name), becomes)});
  }
  return all;
}

std::vector<RefusedOp> refused_tflite_ops() {
  std::vector<RefusedOp> all;
  for (const tflite::NamedOperator& op : tflite::named_operators()) {
    if (op.why == nullptr) continue;
    all.push_back({std::string(op.name), op.why, op.instead});
  }
  return all;
}

std::string tflite_ops_markdown() {
  std::string text =
      "\n## TensorFlow Lite\n\nEach is imported as ONNX's operators; *ONNX* names the one that "
      "does "
      "what it is about.\n\n"
      "| TensorFlow Lite | ONNX | Becomes | CPU | GPU | |\n| --- | --- | --- | --- | --- | --- |\n";
  for (const auto& [onnx, op] : supported_tflite_ops()) {
    text += "| " + op.name + " | " + (onnx.empty() ? "-" : onnx) + " | " + names_text(op.becomes) +
            " | " + types_text(op.cpu) + " | " + types_text(op.gpu) + " | " + op.note + " |\n";
  }
  text +=
      "\n## TensorFlow Lite, refused by name\n\n| TensorFlow Lite | Why | Instead |\n| --- | --- | "
      "--- |\n";
  for (const RefusedOp& op : refused_tflite_ops()) {
    text += "| " + op.name + " | " + op.why + " | " + op.instead + " |\n";
  }
  return text;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
