// Operators that TensorFlow Lite's become, found through the ONNX operators that express them.
#include <algorithm>
#include <map>
#include <string_view>

#include "planner/import/tflite/import.h"
#include "planner/report/op_support.h"

namespace arenite::planner {
namespace {

// Operators whose row of names.def quotes no operator of ONNX, with the one that does their work.
const std::map<std::string_view, std::string_view>& said_as() {
  static const std::map<std::string_view, std::string_view> kSaid = {
      {"ADD_N", "Add"},
      {"AVERAGE_POOL_2D", "AveragePool"},
      {"BATCH_MATMUL", "MatMul"},
      {"BATCH_TO_SPACE_ND", "Reshape"},
      {"BROADCAST_TO", "Expand"},
      {"CAST", "Cast"},
      {"CONCATENATION", "Concat"},
      {"CONV_2D", "Conv"},
      {"CONV_3D", "Conv"},
      {"CONV_3D_TRANSPOSE", "ConvTranspose"},
      {"CUMSUM", "CumSum"},
      {"Convolution2DTransposeBias", "ConvTranspose"},
      {"DENSIFY", "Constant"},
      {"DEPTHWISE_CONV_2D", "Conv"},
      {"DEPTH_TO_SPACE", "DepthToSpace"},
      {"DEQUANTIZE", "Cast"},
      {"EMBEDDING_LOOKUP", "Gather"},
      {"EXPAND_DIMS", "Unsqueeze"},
      {"FILL", "Expand"},
      {"FLOOR_DIV", "Div"},
      {"FLOOR_MOD", "Mod"},
      {"FULLY_CONNECTED", "MatMul"},
      {"GATHER", "Gather"},
      {"GATHER_ND", "GatherND"},
      {"GELU", "Gelu"},
      {"L2_NORMALIZATION", "ReduceL2"},
      {"L2_POOL_2D", "AveragePool"},
      {"LEAKY_RELU", "LeakyRelu"},
      {"LOCAL_RESPONSE_NORMALIZATION", "LRN"},
      {"LOG_SOFTMAX", "LogSoftmax"},
      {"MAX_POOL_2D", "MaxPool"},
      {"MIRROR_PAD", "Pad"},
      {"NOT_EQUAL", "Equal"},
      {"ONE_HOT", "Where"},
      {"PACK", "Concat"},
      {"PAD", "Pad"},
      {"PADV2", "Pad"},
      {"RANGE", "Range"},
      {"RANK", "Shape"},
      {"RELU6", "Clip"},
      {"RELU_0_TO_1", "Clip"},
      {"RELU_N1_TO_1", "Clip"},
      {"RESHAPE", "Reshape"},
      {"RESIZE_BILINEAR", "Resize"},
      {"RESIZE_NEAREST_NEIGHBOR", "Resize"},
      {"REVERSE_SEQUENCE", "ReverseSequence"},
      {"REVERSE_V2", "Slice"},
      {"RSQRT", "Sqrt"},
      {"SELECT", "Where"},
      {"SELECT_V2", "Where"},
      {"SHAPE", "Shape"},
      {"SLICE", "Slice"},
      {"SOFTMAX", "Softmax"},
      {"SPACE_TO_BATCH_ND", "Reshape"},
      {"SPACE_TO_DEPTH", "SpaceToDepth"},
      {"SPLIT", "Split"},
      {"SPLIT_V", "Split"},
      {"SQUARE", "Mul"},
      {"SQUARED_DIFFERENCE", "Mul"},
      {"SQUEEZE", "Squeeze"},
      {"STRIDED_SLICE", "Slice"},
      {"TILE", "Tile"},
      {"TOPK_V2", "TopK"},
      {"TRANSPOSE", "Transpose"},
      {"TRANSPOSE_CONV", "ConvTranspose"},
      {"UNIDIRECTIONAL_SEQUENCE_LSTM", "LSTM"},
      {"UNIDIRECTIONAL_SEQUENCE_RNN", "RNN"},
      {"UNPACK", "Split"},
      {"WHERE", "Where"},
      {"ZEROS_LIKE", "Expand"},
  };
  return kSaid;
}

// The first quoted word of a call.
std::string quoted_in(std::string_view call) {
  const size_t from = call.find('"');
  if (from == std::string_view::npos) return "";
  return std::string(call.substr(from + 1, call.find('"', from + 1) - from - 1));
}

std::string said(const tflite::NamedOperator& op) {
  const auto found = said_as().find(op.name);
  return found == said_as().end() ? quoted_in(op.call) : std::string(found->second);
}

// The operator of ours that has the name of a call's function.
std::vector<Op> own(std::string_view call) {
  constexpr std::pair<std::string_view, Op> kOwn[] = {
#define ARENITE_OP_own(number, name, Type, set) {#name, Op::k##Type},
#include "schema/ops.def"
  };
  for (const auto& [name, op] : kOwn) {
    if (name == call.substr(0, call.find('('))) return {op};
  }
  return {};
}

// Selects from the operators of an ONNX operator: `wanted` if it is among them, else the first.
std::vector<Op> one_of(const std::vector<Op>& ops, const std::vector<Op>& wanted) {
  if (ops.empty()) return {};
  const bool there =
      !wanted.empty() && std::find(ops.begin(), ops.end(), wanted.front()) != ops.end();
  return {there ? wanted.front() : ops.front()};
}

}  // namespace

std::vector<TfliteSupport> supported_tflite_ops() {
  const std::vector<OpSupport> onnx = supported_ops();
  std::vector<TfliteSupport> all;
  for (const tflite::NamedOperator& op : tflite::named_operators()) {
    if (op.why != nullptr) continue;
    TfliteSupport row;
    row.said = said(op);
    const auto known = std::find_if(onnx.begin(), onnx.end(), [&](const OpSupport& support) {
      return support.name == row.said;
    });
    const std::vector<Op> wanted = own(op.call);
    const std::vector<Op> becomes = known == onnx.end() ? wanted : one_of(known->becomes, wanted);
    row.support = becomes.empty() && known != onnx.end() ? *known : support_of("", becomes);
    row.support.name = op.name;
    all.push_back(std::move(row));
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
      "\n## TensorFlow Lite\n\nEach is said in ONNX's operators; *ONNX* names the one that does "
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
