// Joins the tables: names of operators, their contracts, and what shaders take.
#include "planner/report/op_support.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>

#include "kernels/dispatch/rules.h"
#include "ops/contracts.h"
#include "planner/graph/names.h"
#include "planner/import/onnx/refusal.h"

namespace arenite::planner {
namespace {

// Types with which shaders compute, without and with bool.
constexpr TypeSet kNumbers = types::kFloat32 | types::kQuantisedOrSum;
constexpr TypeSet kElements = kNumbers | types::kBool;

enum class Family : uint8_t {
  kUnary,
  kBinary,
  kReduce,
  kMove,
  kPool,
  kRecurrent,
  kIndexed,
  kOwn,
  kView
};

struct OpRow {
  Op op;
  std::string_view name;
  Family family;
  std::string_view type;
};

constexpr Family family_of(std::string_view name) {
  constexpr std::pair<std::string_view, Family> kFamilies[] = {
      {"unary", Family::kUnary},     {"binary", Family::kBinary}, {"reduce", Family::kReduce},
      {"move", Family::kMove},       {"pool", Family::kPool},     {"recurrent", Family::kRecurrent},
      {"indexed", Family::kIndexed}, {"own", Family::kOwn},       {"view", Family::kView}};
  for (const auto& [known, family] : kFamilies) {
    if (known == name) return family;
  }
  return Family::kOwn;
}

constexpr OpRow kOps[] = {
#define ARENITE_OP(number, name, Type, family, set) {Op::k##Type, #name, family_of(#family), #Type},
#include "schema/ops.def"
};

const OpRow& row_of(Op op) {
  return *std::find_if(std::begin(kOps), std::end(kOps),
                       [op](const OpRow& row) { return row.op == op; });
}

struct Name {
  std::string_view domain, name, call;  // what imports it
};

constexpr Name kNames[] = {
#define ARENITE_ONNX(Name, call) {"", #Name, #call},
#define ARENITE_ONNX_OWN(Name, name) {"", #Name, #name},
#include "planner/import/onnx/operators/names.def"
#define ARENITE_ONNX(Name, call) {"com.microsoft.", #Name, #call},
#define ARENITE_ONNX_OWN(Name, name) {"com.microsoft.", #Name, #name},
#include "planner/import/onnx/operators/microsoft.def"
};

// Operators of which nothing is left: shapes, and what follows from them.
constexpr std::string_view kKnownWhilePlanning[] = {"BlackmanWindow",
                                                    "Constant",
                                                    "ConstantOfShape",
                                                    "EyeLike",
                                                    "HammingWindow",
                                                    "HannWindow",
                                                    "If",
                                                    "MelWeightMatrix",
                                                    "Range",
                                                    "Shape",
                                                    "Size"};

// Operators that importers make, for importers whose row of names.def does not list them and that
// have another name than the operator.
const std::map<std::string_view, std::vector<Op>>& lowered() {
  static const std::map<std::string_view, std::vector<Op>> kLowered = {
      {"AffineGrid", {Op::kMatMul}},
      {"Attention", {Op::kAttention, Op::kMatMul, Op::kAdd, Op::kSoftmax}},
      {"BiasAdd", {Op::kAdd}},
      {"BiasGelu", {Op::kAdd, Op::kGelu}},
      {"BiasSplitGelu", {Op::kAdd, Op::kGelu, Op::kMul}},
      {"BitShift", {Op::kShiftLeft, Op::kShiftRight}},
      {"CastLike", {Op::kCast}},
      {"CenterCropPad", {Op::kPad, Op::kSlice}},
      {"Col2Im", {Op::kConvTranspose}},
      {"Compress", {Op::kGather}},
      {"Conv", {Op::kConv, Op::kConv3d}},
      {"ConvInteger", {Op::kQuantizedConv}},
      {"DFT", {Op::kDft}},
      {"DepthToSpace", {Op::kCopy}},
      {"DequantizeLinear", {Op::kDequantize}},
      {"Dropout", {Op::kCopy}},
      {"DynamicQuantizeLinear", {Op::kDynamicQuantize}},
      {"DynamicQuantizeMatMul", {Op::kQuantizedMatMul, Op::kDynamicQuantize, Op::kDequantize}},
      {"EmbedLayerNormalization", {Op::kGather, Op::kAdd, Op::kNormalize}},
      {"Einsum", {Op::kMatMul, Op::kMul, Op::kReduceSum}},
      {"Expand", {Op::kCopy}},
      {"FastGelu", {Op::kAdd, Op::kGelu}},
      {"Flatten", {Op::kReshape}},
      {"FusedConv", {Op::kConv, Op::kConv3d}},
      {"FusedGemm", {Op::kMatMul}},
      {"FusedMatMul", {Op::kMatMul}},
      {"GatherElements", {Op::kGatherElements}},
      {"GatherND", {Op::kGatherND}},
      {"Gemm", {Op::kMatMul}},
      {"GlobalLpPool", {Op::kReduceL1, Op::kReduceL2, Op::kPow}},
      {"GroupNorm", {Op::kNormalize}},
      {"GroupNormalization", {Op::kNormalize}},
      {"Hardmax", {Op::kArgMax, Op::kEqual, Op::kCast}},
      {"Identity", {Op::kCopy}},
      {"InstanceNormalization", {Op::kNormalize}},
      {"IsInf", {Op::kEqual, Op::kAbs, Op::kGreater}},
      {"IsNaN", {Op::kEqual, Op::kLogicalNot}},
      {"LayerNormalization", {Op::kNormalize}},
      {"LpPool", {Op::kLpPool}},
      {"LpNormalization", {Op::kNormalize}},
      {"MatMulInteger", {Op::kQuantizedMatMul}},
      {"MatMulIntegerToFloat", {Op::kQuantizedMatMul, Op::kDequantize}},
      {"Mean", {Op::kAdd, Op::kDiv}},
      {"MeanVarianceNormalization", {Op::kNormalize}},
      {"Mod", {Op::kMod}},
      {"MultiHeadAttention", {Op::kAttention, Op::kMatMul, Op::kAdd, Op::kSoftmax}},
      {"NegativeLogLikelihoodLoss", {Op::kGatherElements, Op::kNeg, Op::kReduceSum}},
      {"Pow", {Op::kPow}},
      {"QAttention",
       {Op::kQuantizedMatMul, Op::kDequantize, Op::kAttention, Op::kMatMul, Op::kAdd,
        Op::kSoftmax}},
      {"QGemm", {Op::kQuantizedMatMul}},
      {"QLinearAdd", {Op::kQuantizedAdd}},
      {"QLinearAveragePool", {Op::kQuantizedAveragePool}},
      {"QLinearConcat", {Op::kConcat, Op::kLookup}},
      {"QLinearConv", {Op::kQuantizedConv}},
      {"QLinearGlobalAveragePool", {Op::kQuantizedSum}},
      {"QLinearLeakyRelu", {Op::kLookup}},
      {"QLinearMatMul", {Op::kQuantizedMatMul}},
      {"QLinearMul", {Op::kQuantizedMul}},
      {"QLinearReduceMean", {Op::kQuantizedSum}},
      {"QLinearSigmoid", {Op::kLookup}},
      {"QLinearSoftmax", {Op::kQuantizedSoftmax}},
      {"QLinearWhere", {Op::kWhere, Op::kLookup}},
      {"QuantizeLinear", {Op::kQuantize}},
      {"QuickGelu", {Op::kSwish}},
      {"RMSNormalization", {Op::kNormalize}},
      {"ReduceLogSumExp", {Op::kReduceMax, Op::kSub, Op::kExp, Op::kReduceLogSum, Op::kAdd}},
      {"Relu", {Op::kClip}},
      {"RotaryEmbedding", {Op::kMul, Op::kAdd, Op::kSub, Op::kConcat}},
      {"Scatter", {Op::kScatterElements}},
      {"ScatterElements", {Op::kScatterElements}},
      {"ScatterND", {Op::kScatterND}},
      {"STFT", {Op::kDft}},
      {"SimplifiedLayerNormalization", {Op::kNormalize}},
      {"SkipGroupNorm", {Op::kAdd, Op::kNormalize}},
      {"SkipLayerNormalization", {Op::kAdd, Op::kNormalize}},
      {"SkipSimplifiedLayerNormalization", {Op::kAdd, Op::kNormalize}},
      {"SoftmaxCrossEntropyLoss", {Op::kLogSoftmax, Op::kGatherElements, Op::kNeg, Op::kReduceSum}},
      {"SpaceToDepth", {Op::kCopy}},
      {"Split", {Op::kSlice}},
      {"Squeeze", {Op::kReshape}},
      {"Tile", {Op::kCopy}},
      {"TransposeMatMul", {Op::kMatMul}},
      {"Trilu", {Op::kWhere}},
      {"Unsqueeze", {Op::kReshape}},
      {"Upsample", {Op::kResize}},
  };
  return kLowered;
}

// The operators that a call names.
std::vector<Op> named_in(std::string_view call) {
  constexpr std::string_view kMark = "Op::k";
  std::vector<Op> ops;
  for (size_t at = call.find(kMark); at != std::string_view::npos; at = call.find(kMark, at)) {
    at += kMark.size();
    const size_t end = call.find_first_not_of(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", at);
    const std::string_view type = call.substr(at, end - at);
    for (const OpRow& row : kOps) {
      if (row.type == type) ops.push_back(row.op);
    }
  }
  return ops;
}

std::vector<Op> becomes(const Name& name) {
  const auto found = lowered().find(name.name);
  if (found != lowered().end()) return found->second;
  std::vector<Op> ops = named_in(name.call);
  for (const OpRow& row : kOps) {
    if (ops.empty() && row.name == name.call) ops.push_back(row.op);
  }
  return ops;
}

// Steps that a GPU leaves to the CPU for other reasons than types.
std::string_view note_of(Op op) {
  switch (op) {
    case Op::kAttention:
      return "on GPUs heads of up to 256 elements; wider ones in steps";
    case Op::kBatchNormalization:
      return "training mode: the CPU's";
    case Op::kMaxPool:
      return "with indices: the CPU's";
    case Op::kCast:
      return "on GPUs between floats of 16 and 32 bits, integers of 8 and 16 bits, int32 and "
             "bool, and where bits stay";
    case Op::kDet:
      return "small matrices, element after element: the CPU's";
    case Op::kDetectionPostProcess:
      return "a few results, one after another: the CPU's";
    case Op::kResize:
      return "on GPUs interpolation of float32, int8 and uint8 only";
    case Op::kScatterND:
    case Op::kScatterElements:
      return "on GPUs reductions of float32 and int32 only; sums of floats in any order";
    case Op::kTopK:
      return "rows above 16,384 elements: the CPU's, which needs fewer comparisons";
    case Op::kLSTM:
    case Op::kGRU:
    case Op::kRNN:
      return "16-bit floats are computed as float32";
    default:
      return "";
  }
}

TypeSet own_gpu_types(Op op) {
  switch (op) {
    case Op::kCast:
    case Op::kGather:
    case Op::kDequantize:
    case Op::kDynamicQuantize:
    case Op::kLookup:
    case Op::kMaxUnpool:
    case Op::kOneHot:
    case Op::kQuantize:
    case Op::kQuantizedAdd:
    case Op::kQuantizedAveragePool:
    case Op::kQuantizedConv:
    case Op::kQuantizedConvTranspose:
    case Op::kQuantizedMatMul:
    case Op::kQuantizedLstm:
    case Op::kQuantizedMul:
    case Op::kQuantizedPRelu:
    case Op::kQuantizedSoftmax:
    case Op::kQuantizedSum:
    case Op::kRequantize:
    case Op::kResize:
    case Op::kReverseSequence:
    case Op::kSvdf:
    case Op::kWhere:
      return types::kAny;
    case Op::kClip:
    case Op::kTopK:
      return kNumbers;
    case Op::kCumSum:
      return type_set(DType::kFloat32, DType::kInt32);
    default:
      return types::kFloat32;
  }
}

}  // namespace

std::string names_text(const std::vector<Op>& ops) {
  std::string text;
  for (const Op op : ops) text += (text.empty() ? "" : ", ") + op_name(op);
  return text.empty() ? "-" : text;
}

TypeSet gpu_types(Op op) {
  const OpRow& row = row_of(op);
  const TypeSet all = find_contract(op)->types;
  if (row.family == Family::kView) return all;
  if (rows_of(op).empty()) return 0;
  switch (row.family) {
    case Family::kMove:
    case Family::kIndexed:
      return all;
    case Family::kUnary:
      return all & kElements;
    case Family::kBinary:
      // Shifted are unsigned integers alone.
      return all &
             (op == Op::kShiftLeft || op == Op::kShiftRight ? kElements | type_set(DType::kUint32)
                                                            : kElements);
    case Family::kReduce:
      return all & kElements;
    case Family::kPool:
      return all & (types::kFloat32 | types::kQuantisedFactor);
    case Family::kRecurrent:
      return types::kFloat32;
    default:
      return all & own_gpu_types(op);
  }
}

std::string types_text(TypeSet types) {
  if (types == 0) return "-";
  if (types == types::kAny) return "any";
  if (types == types::kAnyNumber) return "numbers";
  std::string text;
  for (uint32_t i = 0; i < 32; ++i) {
    if ((types >> i & 1u) == 0) continue;
    text += (text.empty() ? "" : ", ") + dtype_name(static_cast<DType>(i));
  }
  return text;
}

OpSupport support_of(const std::string& name, std::vector<Op> becomes) {
  OpSupport support;
  support.name = name;
  support.becomes = std::move(becomes);
  if (support.becomes.empty()) return support;
  support.cpu = find_contract(support.becomes[0])->types;
  support.gpu = gpu_types(support.becomes[0]);
  support.note = note_of(support.becomes[0]);
  return support;
}

std::vector<OpSupport> supported_ops() {
  std::vector<OpSupport> all;
  for (const Name& name : kNames) {
    OpSupport support =
        support_of(std::string(name.domain) + std::string(name.name), becomes(name));
    const bool planned =
        std::count(std::begin(kKnownWhilePlanning), std::end(kKnownWhilePlanning), name.name) != 0;
    if (support.becomes.empty()) {
      // Support for other types is not known here.
      support.cpu = support.gpu = planned ? types::kAny : 0;
      support.note = planned ? "known while planning" : "made of several operators";
    }
    all.push_back(std::move(support));
  }
  all.push_back({"If", {}, types::kAny, types::kAny, "of a constant condition: its branch"});
  std::sort(all.begin(), all.end(),
            [](const OpSupport& a, const OpSupport& b) { return a.name < b.name; });
  return all;
}

std::string ops_markdown() {
  std::string text =
      "# Operators\n\n"
      "What is supported where. Made by `arenite ops --markdown`; `arenite ops MODEL` says it of a "
      "model's operators.\n\n"
      "*Becomes* names the operators of a program (`-`: nothing runs, it is known while planning "
      "or "
      "a view of its input). *CPU* and\n"
      "*GPU* are the element types they take: *numbers* are all but bool. What a GPU does not take "
      "runs on the CPU, where the plan allows both.\n\n"
      "| ONNX | Becomes | CPU | GPU | |\n| --- | --- | --- | --- | --- |\n";
  for (const OpSupport& op : supported_ops()) {
    text += "| " + op.name + " | " + names_text(op.becomes) + " | " + types_text(op.cpu) + " | " +
            types_text(op.gpu) + " | " + op.note + " |\n";
  }
  text += "\n## Refused by name\n\n| ONNX | Why | Instead |\n| --- | --- | --- |\n";
  for (const RefusedOp& op : refused_ops()) {
    text += "| " + op.name + " | " + op.why + " | " + op.instead + " |\n";
  }
  return text + tflite_ops_markdown();
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
