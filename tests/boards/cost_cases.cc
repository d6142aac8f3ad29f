// Lists shapes, and makes each of them a case of every type and rounding.
#include "tests/boards/cost_cases.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "planner/graph/step_size.h"
#include "tests/boards/case_graph.h"
#include "tests/boards/cost_cases_others.h"
#include "tests/ops/cases.h"
#include "tests/ops/convolutions.h"
#include "tests/ops/quantized.h"
#include "tests/ops/quantized_cases.h"

namespace arenite::boards_test {
namespace {

using namespace ops_test;
using Dims = std::vector<uint32_t>;

struct ConvShape {
  uint32_t channels, outputs;  // outputs 0: each channel is convolved alone
  uint32_t height, width, kernel_height, kernel_width, stride;
  uint32_t groups = 1, dilation = 1;
};

constexpr ConvShape kConvShapes[] = {
    // 1x1, of even and odd numbers of channels
    {8, 16, 24, 24, 1, 1, 1},
    {16, 8, 20, 20, 1, 1, 1},
    {16, 32, 12, 12, 1, 1, 1},
    {24, 96, 7, 7, 1, 1, 1},
    {30, 11, 9, 9, 1, 1, 1},
    {64, 64, 6, 5, 1, 1, 1},
    {96, 24, 8, 8, 1, 1, 1},
    {128, 128, 3, 3, 1, 1, 1},
    {256, 64, 2, 2, 1, 1, 1},
    {16, 24, 28, 28, 1, 1, 1},
    {48, 2, 6, 8, 1, 1, 1},
    // one place, as products of a vector have
    {64, 10, 1, 1, 1, 1, 1},
    {128, 128, 1, 1, 1, 1, 1},
    {640, 32, 1, 1, 1, 1, 1},
    {16, 96, 1, 1, 1, 1, 1},
    // pictures
    {1, 8, 28, 28, 3, 3, 2},
    {1, 32, 16, 16, 5, 5, 1},
    {3, 8, 48, 48, 3, 3, 2},
    {3, 16, 32, 32, 3, 3, 1},
    // 3x3
    {8, 8, 16, 16, 3, 3, 1},
    {16, 16, 16, 16, 3, 3, 1},
    {16, 32, 16, 16, 3, 3, 2},
    {20, 12, 7, 7, 3, 3, 1},
    {32, 32, 8, 8, 3, 3, 1},
    {64, 64, 4, 4, 3, 3, 1},
    // other windows
    {1, 64, 49, 10, 10, 4, 2},
    {8, 16, 10, 10, 5, 5, 1},
    {40, 32, 1, 30, 1, 3, 1},
    {64, 64, 20, 1, 3, 1, 1},
    {32, 64, 12, 1, 5, 1, 2},
    // alone
    {8, 0, 24, 24, 3, 3, 1},
    {8, 0, 24, 24, 3, 3, 2},
    {16, 0, 12, 12, 3, 3, 1},
    {32, 0, 25, 5, 3, 3, 1},
    {64, 0, 6, 6, 3, 3, 1},
    {64, 0, 12, 12, 3, 3, 2},
    {96, 0, 3, 3, 3, 3, 1},
    {16, 0, 48, 48, 3, 3, 1},
    {32, 0, 32, 32, 3, 3, 1},
    {13, 0, 9, 9, 3, 3, 1},
    {24, 0, 10, 10, 5, 5, 1},
    {48, 0, 6, 6, 5, 5, 2},
    {64, 0, 13, 1, 7, 1, 1},
    {32, 0, 14, 14, 7, 7, 1},
    {1, 8, 49, 40, 10, 8, 2},
    {64, 0, 25, 5, 3, 3, 1},
    {32, 0, 48, 48, 3, 3, 2},
    {128, 0, 6, 6, 3, 3, 1},
    {128, 0, 7, 7, 3, 3, 2},
    {256, 0, 3, 3, 3, 3, 1},
    {48, 0, 15, 15, 3, 3, 1},
    {30, 0, 16, 16, 3, 3, 1},
    {16, 0, 28, 28, 5, 5, 1},
    {96, 0, 10, 10, 5, 5, 1},
    {20, 0, 21, 21, 5, 5, 2},
    // lines
    {96, 0, 1, 60, 1, 9, 1},
    {96, 0, 1, 60, 1, 9, 2},
    {32, 0, 1, 40, 1, 5, 1},
    {64, 0, 1, 23, 1, 23, 1},
    {40, 0, 1, 100, 1, 3, 1},
    {16, 0, 1, 30, 1, 15, 1},
    {24, 0, 40, 1, 5, 1, 1},
    // taps apart
    {32, 0, 17, 17, 3, 3, 1, 1, 2},
    {64, 0, 9, 9, 3, 3, 1, 1, 4},
    {16, 0, 33, 33, 3, 3, 1, 1, 6},
    {16, 24, 12, 12, 3, 3, 1, 1, 2},
    // in groups
    {32, 32, 14, 14, 1, 1, 1, 4},
    {64, 96, 7, 7, 1, 1, 1, 2},
    {112, 112, 6, 6, 1, 1, 1, 4},
    {24, 48, 10, 10, 3, 3, 1, 3},
    {16, 16, 1, 40, 1, 5, 1, 2},
};

// Layers of networks for pictures of 224 by 224.
constexpr ConvShape kLargeConvShapes[] = {
    // gates of one place, and few channels of few places, which vectors are too wide for
    {24, 6, 1, 1, 1, 1, 1},
    {6, 24, 1, 1, 1, 1, 1},
    {16, 8, 1, 1, 1, 1, 1},
    {8, 16, 1, 1, 1, 1, 1},
    {4, 4, 2, 2, 1, 1, 1},
    {4, 0, 2, 2, 3, 3, 1},
    {4, 0, 5, 5, 3, 3, 2},
    // 1x1
    {3, 32, 224, 224, 3, 3, 2},
    {3, 64, 224, 224, 7, 7, 2},
    {32, 16, 112, 112, 1, 1, 1},
    {16, 96, 112, 112, 1, 1, 1},
    {24, 144, 56, 56, 1, 1, 1},
    {64, 16, 56, 56, 1, 1, 1},
    {64, 256, 56, 56, 1, 1, 1},
    {144, 32, 28, 28, 1, 1, 1},
    {512, 128, 28, 28, 1, 1, 1},
    {96, 576, 14, 14, 1, 1, 1},
    {1024, 256, 14, 14, 1, 1, 1},
    {160, 960, 7, 7, 1, 1, 1},
    {320, 1280, 7, 7, 1, 1, 1},
    // other windows
    {16, 64, 56, 56, 3, 3, 1},
    {64, 64, 56, 56, 3, 3, 1},
    {128, 128, 28, 28, 3, 3, 1},
    {128, 256, 28, 28, 3, 3, 2},
    {256, 256, 14, 14, 3, 3, 1},
    {512, 512, 7, 7, 3, 3, 1},
    {32, 96, 28, 28, 5, 5, 1},
    // alone
    {32, 0, 112, 112, 3, 3, 1},
    {96, 0, 112, 112, 3, 3, 2},
    {144, 0, 56, 56, 3, 3, 1},
    {384, 0, 14, 14, 3, 3, 1},
    {960, 0, 7, 7, 3, 3, 1},
    {64, 0, 96, 96, 5, 5, 1},
    {256, 0, 28, 28, 5, 5, 2},
    {576, 0, 14, 14, 5, 5, 1},
    // in groups
    {240, 240, 28, 28, 1, 1, 1, 3},
    {256, 256, 14, 14, 3, 3, 1, 8},
};

std::string name_of(const ConvShape& s) {
  const auto text = [](uint32_t n) { return std::to_string(n); };
  return text(s.channels) + "_to_" + (s.outputs == 0 ? "each" : text(s.outputs)) + "_of_" +
         text(s.height) + "x" + text(s.width) + "_by_" + text(s.kernel_height) + "x" +
         text(s.kernel_width) + "_stride_" + text(s.stride);
}

// Padded as "same" is, and with dims [N, C, H, W], [O, C/groups, KH, KW].
struct Convolution {
  explicit Convolution(const ConvShape& s)
      : x{1, s.channels, s.height, s.width},
        w{s.outputs == 0 ? s.channels : s.outputs, s.outputs == 0 ? 1 : s.channels / s.groups,
          s.kernel_height, s.kernel_width} {
    windows.groups = s.outputs == 0 ? s.channels : s.groups;
    windows.stride = {s.height == 1 ? 1 : s.stride, s.width == 1 ? 1 : s.stride};
    const std::array<uint32_t, 2> sizes = {s.height, s.width};
    const std::array<uint32_t, 2> kernels = {s.kernel_height, s.kernel_width};
    for (size_t d = 0; d < 2; ++d) {
      const uint32_t outputs = (sizes[d] + windows.stride[d] - 1) / windows.stride[d];
      // Those as long as the picture are met once, as where a state holds the rows before.
      const bool is_whole = kernels[d] == sizes[d] && kernels[d] > 1;
      windows.dilation[d] = kernels[d] == 1 ? 1 : s.dilation;
      const uint32_t reach =
          is_whole ? 0 : (outputs - 1) * windows.stride[d] + (kernels[d] - 1) * s.dilation + 1;
      const uint32_t around = reach > sizes[d] ? reach - sizes[d] : 0;
      windows.begin[d] = around / 2;
      windows.end[d] = around - around / 2;
    }
    y = conv_dims(x, w, windows);
  }
  Dims x, w, y;
  Geometry<2> windows;
};

// Types, rounding and weights of one kind of networks.
struct Scheme {
  const char* name;
  DType type;
  Rounding rounding;
  int32_t w_zero_point;
  bool per_channel;
};
constexpr Scheme kSchemes[] = {
    // TensorFlow Lite's int8, ONNX's int8 and uint8, TensorFlow Lite's uint8
    {"tflite_double", DType::kInt8, Rounding::kTfliteDouble, 0, true},
    {"tflite_single", DType::kInt8, Rounding::kTfliteSingle, 0, true},
    {"half_even", DType::kInt8, Rounding::kHalfEven, 0, true},
    {"uint8_half_even", DType::kUint8, Rounding::kHalfEven, 0, false},
    {"uint8_half_even_offset", DType::kUint8, Rounding::kHalfEven, 3, false},
    {"uint8_float32", DType::kUint8, Rounding::kFloat32, 0, false},
    {"uint8_float32_offset", DType::kUint8, Rounding::kFloat32, 3, false},
};

// Fully connected layers of TensorFlow Lite have one scale for all weights more often than one of
// each channel.
constexpr Scheme kTflitePerTensor = {"tflite_per_tensor", DType::kInt8, Rounding::kTfliteDouble, 0,
                                     false};

// All results of the type are allowed, as where an activation is folded into the range.
Requantization results_of(const Scheme& scheme) {
  return whole_range(scheme.rounding, scheme.type, static_cast<int32_t>(lowest_of(scheme.type)));
}

// Bias of each result; multipliers and shifts of each, or one for all.
void add_scheme_ends(OpCase& c, const Scheme& scheme, const Dims& ends, uint64_t count) {
  const QuantizedTypes types = {scheme.type, DType::kInt8, scheme.type};
  add_ends(c, types, ends, count);
  if (scheme.per_channel) return;
  OpCase one = c;
  one.inputs.resize(kBiasInput);
  add_ends(one, types, Dims(ends.size(), 1), count);
  for (size_t i = kBiasInput + 1; i < c.inputs.size(); ++i) c.inputs[i] = one.inputs[i];
}

OpCase quantized_conv(const ConvShape& s, const Scheme& scheme) {
  const Convolution conv(s);
  OpCase c;
  c.op = Op::kQuantizedConv;
  c.name = name_of(s) + "_" + scheme.name;
  QuantizedConvAttributes a = {};
  set_windows(a, conv.windows);
  // The planner folds the zero point of x into the bias.
  a.outside = static_cast<int32_t>(lowest_of(scheme.type));
  a.w_zero_point = scheme.w_zero_point;
  a.output = results_of(scheme);
  c.attributes = words(a);
  c.inputs = {channels_last(whole_range(tensor(conv.x, scheme.type))),
              channels_last(whole_range(tensor(conv.w, DType::kInt8)))};
  add_scheme_ends(c, scheme, {conv.w[0]}, uint64_t{conv.w[1]} * conv.w[2] * conv.w[3]);
  c.outputs = {channels_last(tensor(conv.y, scheme.type))};
  return c;
}

// The sums themselves, which become floats behind it.
OpCase sums_of(OpCase c) {
  c = as_sums(std::move(c));
  c.outputs[0].dtype = DType::kInt32;
  return c;
}

constexpr const char* kActivationNames[] = {"",         "_clipped",    "_hard_sigmoid",
                                            "_sigmoid", "_hard_swish", "_swish"};

OpCase float_conv(const ConvShape& s, DType weights, Activation activation) {
  Convolution conv(s);
  conv.windows.activation = activation;
  OpCase c = conv_of_floats<ConvAttributes>("", conv.x, conv.w, conv.y, conv.windows);
  c.op = Op::kConv;
  c.name = name_of(s) + (weights == DType::kFloat16 ? "_float16" : "") +
           kActivationNames[static_cast<size_t>(activation.kind)];
  c.inputs[1].dtype = c.inputs[2].dtype = weights;
  if (weights == DType::kFloat16) c.inputs[2].dtype = DType::kFloat32;
  return c;
}

struct ProductShape {
  uint32_t rows, inner, columns;
};
constexpr ProductShape kProductShapes[] = {
    {1, 16, 16},  {1, 64, 10},  {1, 128, 128}, {1, 256, 40},  {1, 640, 24},
    {1, 96, 512}, {1, 12, 200}, {1, 1, 16},    {1, 16, 1},    {1, 250, 12},
    {1, 1960, 4}, {1, 8, 200},  {4, 32, 32},   {16, 32, 48},  {49, 8, 49},
    {49, 49, 8},  {9, 20, 31},  {64, 128, 16}, {25, 12, 6},   {1, 512, 64},
    {196, 4, 16}, {4, 1, 4},    {1, 128, 512}, {1, 200, 300}, {1, 64, 256},
};

constexpr ProductShape kLargeProductShapes[] = {
    {1, 1024, 1000}, {1, 2048, 512},  {128, 384, 384},
    {196, 196, 64},  {512, 512, 512}, {1000, 64, 256},
};

std::string name_of(const ProductShape& s) {
  return std::to_string(s.rows) + "x" + std::to_string(s.inner) + "_by_" + std::to_string(s.inner) +
         "x" + std::to_string(s.columns);
}

OpCase quantized_matmul(const ProductShape& s, const Scheme& scheme) {
  OpCase c;
  c.op = Op::kQuantizedMatMul;
  c.name = name_of(s) + "_" + scheme.name;
  QuantizedMatMulAttributes a = {};
  a.b_zero_point = scheme.w_zero_point;
  a.output = results_of(scheme);
  c.attributes = words(a);
  const Dims y = {s.rows, s.columns};
  c.inputs = {whole_range(tensor({s.rows, s.inner}, scheme.type)),
              ordered(whole_range(tensor({s.inner, s.columns}, DType::kInt8)), {1, 0})};
  add_scheme_ends(c, scheme, y, s.inner);
  for (uint32_t i = kBiasInput; i < c.inputs.size(); ++i) {
    if (c.inputs[i].dims == y) c.inputs[i] = repeated(c.inputs[i], 1u << 0);
  }
  c.outputs = {tensor(y, scheme.type)};
  return c;
}

// Of `batches`, and maybe of columns that lie one behind another.
OpCase float_matmul_of_two(const ProductShape& s, uint32_t batches, bool columns_apart) {
  OpCase c;
  c.op = Op::kMatMul;
  c.name = name_of(s) + "_of_two_" + std::to_string(batches) + (columns_apart ? "_columns" : "");
  c.tolerance = 1e-4;
  c.attributes = words(MatMulAttributes{1, 1, {}});
  c.inputs = {tensor({batches, s.rows, s.inner}), tensor({batches, s.inner, s.columns})};
  if (columns_apart) c.inputs[1] = ordered(c.inputs[1], {0, 2, 1});
  c.outputs = {tensor({batches, s.rows, s.columns})};
  return c;
}

struct PoolShape {
  uint32_t channels, height, width, kernel, stride;
};
constexpr PoolShape kPoolShapes[] = {
    {8, 24, 24, 2, 2},  {16, 12, 12, 2, 2}, {32, 10, 10, 3, 2}, {64, 6, 6, 2, 2},
    {24, 14, 14, 3, 1}, {1, 32, 32, 2, 2},  {128, 4, 4, 2, 1},  {5, 17, 9, 3, 2},
};

constexpr PoolShape kLargePoolShapes[] = {
    {64, 112, 112, 3, 2},
    {192, 28, 28, 3, 1},
    {512, 14, 14, 2, 2},
    {96, 55, 55, 3, 2},
};

OpCase float_pool(Op op, const PoolShape& s) {
  OpCase c;
  c.op = op;
  c.name = "pool_" + std::to_string(s.channels) + "_of_" + std::to_string(s.height) + "x" +
           std::to_string(s.width) + "_by_" + std::to_string(s.kernel) + "_stride_" +
           std::to_string(s.stride);
  c.tolerance = 1e-5;
  PoolAttributes a = {};
  for (size_t d = 0; d < 3; ++d) a.kernel[d] = a.stride[d] = a.dilation[d] = 1;
  a.p = 1;
  // The last two of three dims.
  a.kernel[1] = a.kernel[2] = s.kernel;
  a.stride[1] = a.stride[2] = s.stride;
  c.attributes = words(a);
  const uint32_t height = (s.height - s.kernel) / s.stride + 1;
  const uint32_t width = (s.width - s.kernel) / s.stride + 1;
  c.inputs = {ordered(tensor({1, s.channels, 1, s.height, s.width}), {0, 2, 3, 4, 1})};
  c.outputs = {ordered(tensor({1, s.channels, 1, height, width}), {0, 2, 3, 4, 1})};
  return c;
}

OpCase float_matmul(const ProductShape& s, DType weights) {
  OpCase c;
  c.op = Op::kMatMul;
  c.name = name_of(s) + (weights == DType::kFloat16 ? "_float16" : "");
  c.tolerance = 1e-4;
  c.attributes = words(MatMulAttributes{1, 1, {}});
  c.inputs = {tensor({s.rows, s.inner}), tensor({s.inner, s.columns}, weights)};
  c.outputs = {tensor({s.rows, s.columns})};
  return c;
}

// Whether the case tells nothing of its dims but in its operands, which all have the same.
bool has_same_dims(const OpCase& c) {
  if (c.inputs.empty() || c.outputs.size() != 1) return false;
  const Dims& dims = c.outputs[0].dims;
  const auto is_like = [&](const Operand& x) {
    const bool has_size = !x.values.empty() && x.values.size() != 1;
    return x.absent || (x.dims == dims && !has_size && x.layout == Layout::kStrided);
  };
  return !dims.empty() && std::ranges::all_of(c.inputs, is_like) &&
         c.outputs[0].layout == Layout::kStrided;
}

// Row-major, with other dims of the same rank.
OpCase of_dims(OpCase c, const Dims& dims) {
  for (const uint32_t dim : dims) c.name += "_" + std::to_string(dim);
  for (std::vector<Operand>* operands : {&c.inputs, &c.outputs}) {
    for (Operand& operand : *operands) {
      operand.dims = dims;
      operand.order.clear();
      operand.margin = 0;
    }
  }
  return c;
}

// Dims of each rank: few and many lines, short and long ones. `beyond_caches`: on hosts also such
// as few CPUs have caches for, which take much memory.
std::vector<Dims> dims_of_rank(size_t rank, bool large, bool beyond_caches) {
  std::vector<std::pair<uint32_t, uint32_t>> shapes = {{1, 12}, {1, 1000}, {25, 64}, {144, 1}};
  if (large) shapes.insert(shapes.end(), {{3136, 64}, {49, 960}});
  if (large && beyond_caches) shapes.push_back({9600, 64});
  std::vector<Dims> all;
  for (const auto& [outer, line] : shapes) {
    Dims dims(rank, 1);
    dims.back() = line;
    if (rank == 1) dims.back() *= outer;
    if (rank > 1) dims[rank - 2] = outer;
    if (std::ranges::find(all, dims) == all.end()) all.push_back(std::move(dims));
  }
  return all;
}

// What a form may be chosen by: types, and the first words, which say how results are rounded.
using Kind = std::tuple<Op, std::vector<DType>, std::vector<uint32_t>, size_t, std::string>;

Kind kind_of(const OpCase& c) {
  std::vector<DType> types;
  for (const Operand& operand : c.inputs) types.push_back(operand.dtype);
  for (const Operand& operand : c.outputs) types.push_back(operand.dtype);
  std::vector<uint32_t> repeated;
  for (const Operand& operand : c.inputs) repeated.push_back(operand.repeated);
  planner::StepFacts facts;
  facts.op = c.op;
  facts.attributes = c.attributes;
  return {c.op, types, repeated, c.outputs[0].dims.size(), planner::case_of(facts)};
}

// Types that networks for boards have.
bool is_usual(const OpCase& c) {
  const auto is_common = [](const Operand& x) {
    return x.absent || element_bytes(x.dtype) == 1 || x.dtype == DType::kFloat32 ||
           x.dtype == DType::kInt32 || x.dtype == DType::kInt16;
  };
  return std::ranges::all_of(c.inputs, is_common) && std::ranges::all_of(c.outputs, is_common);
}

// An operand lies the other way round: its neighbors along the last axis are none in memory.
OpCase with_elements_apart(OpCase c, uint32_t operand) {
  std::vector<uint32_t> order(c.inputs[operand].dims.size());
  std::iota(order.begin(), order.end(), 0u);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  c.name += "_apart";
  c.inputs[operand] = ordered(c.inputs[operand], order);
  return c;
}

void add_given(bool large, std::vector<CostCase>& all) {
  constexpr size_t kOfAKind = 1, kOfAnOp = 12;
  std::map<Kind, size_t> kinds;
  std::map<Op, size_t> ops;
  for (const OpCase& c : all_cases()) {
    const bool is_made = c.op == Op::kQuantizedConv || c.op == Op::kConv ||
                         c.op == Op::kQuantizedMatMul || c.op == Op::kMatMul || c.op == Op::kLSTM ||
                         c.op == Op::kGRU || c.op == Op::kQuantizedLstm || c.op == Op::kSvdf;
    if (is_made || c.outputs.empty() || !is_small(c) || !is_usual(c)) continue;
    size_t& of_kind = kinds[kind_of(c)];
    if (of_kind == kOfAKind || ops[c.op] == kOfAnOp) continue;
    ++of_kind;
    ++ops[c.op];
    const auto inputs = static_cast<uint32_t>(c.inputs.size());
    if (!has_same_dims(c)) {
      all.push_back({c, inputs});
      continue;
    }
    // Operands that are repeated are scales and the like.
    const auto leading = std::ranges::find_if(
        c.inputs, [](const Operand& x) { return x.absent || x.repeated != 0; });
    const auto first = static_cast<uint32_t>(leading - c.inputs.begin());
    const bool is_first_of_floats = ops[c.op] == 1 && c.inputs[0].dtype == DType::kFloat32;
    for (const Dims& dims : dims_of_rank(c.outputs[0].dims.size(), large, is_first_of_floats)) {
      all.push_back({of_dims(c, dims), std::max(1u, first)});
      // The last of one or two operands lies so, if all of them are inputs.
      const bool can_lie_apart = first == inputs && inputs <= 2 && dims.size() > 1;
      if (can_lie_apart && c.inputs[0].dtype == DType::kFloat32) {
        all.push_back({with_elements_apart(all.back().op, inputs - 1), inputs});
      }
    }
  }
}

}  // namespace

std::vector<CostCase> cost_cases(bool large) {
  std::vector<ConvShape> convolutions(std::begin(kConvShapes), std::end(kConvShapes));
  std::vector<ProductShape> products(std::begin(kProductShapes), std::end(kProductShapes));
  std::vector<PoolShape> pools(std::begin(kPoolShapes), std::end(kPoolShapes));
  if (large) {
    convolutions.insert(convolutions.end(), std::begin(kLargeConvShapes),
                        std::end(kLargeConvShapes));
    products.insert(products.end(), std::begin(kLargeProductShapes), std::end(kLargeProductShapes));
    pools.insert(pools.end(), std::begin(kLargePoolShapes), std::end(kLargePoolShapes));
  }
  std::vector<CostCase> all;
  for (const Scheme& scheme : kSchemes) {
    for (const ConvShape& shape : convolutions) all.push_back({quantized_conv(shape, scheme)});
    for (const ProductShape& shape : products) {
      all.push_back({quantized_matmul(shape, scheme)});
    }
  }
  for (const ProductShape& shape : products) {
    all.push_back({quantized_matmul(shape, kTflitePerTensor)});
  }
  for (const ConvShape& shape : convolutions) {
    all.push_back(
        {sums_of(quantized_conv(shape, {"sums", DType::kInt8, Rounding::kHalfEven, 0, true}))});
  }
  const Activation none = {}, clip = {ActivationKind::kClip, 0, 6};
  const Activation hard = {ActivationKind::kHardSwish, 1.0f / 6, 0.5f};
  const Activation swish = {ActivationKind::kSwish, 1, 0};
  for (size_t i = 0; i < convolutions.size(); ++i) {
    const ConvShape& shape = convolutions[i];
    all.push_back({float_conv(shape, DType::kFloat32, i % 2 == 0 ? hard : swish)});
    all.push_back({float_conv(shape, DType::kFloat32, none)});
    all.push_back({float_conv(shape, DType::kFloat32, clip)});
    all.push_back({float_conv(shape, DType::kFloat16, clip)});
  }
  for (const ProductShape& shape : products) {
    all.push_back({float_matmul(shape, DType::kFloat32), 1});
    all.push_back({float_matmul(shape, DType::kFloat16), 1});
    for (const uint32_t batches : {1u, 4u}) {
      for (const bool columns : {false, true}) {
        all.push_back({float_matmul_of_two(shape, batches, columns), 2});
      }
    }
  }
  for (const PoolShape& shape : pools) {
    for (const Op op : {Op::kMaxPool, Op::kAveragePool}) all.push_back({float_pool(op, shape)});
  }
  for (const auto& more : {cost_cases_of_moves(), cost_cases_of_layers(), cost_cases_of_picks()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  add_given(large, all);
  std::set<std::pair<Op, std::string>> names;
  std::erase_if(all, [&](const CostCase& c) { return !names.emplace(c.op.op, c.op.name).second; });
  return all;
}

}  // namespace arenite::boards_test
// SPDX-License-Identifier: Apache-2.0
