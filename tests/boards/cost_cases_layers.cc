// Gives cases of operators the dims of networks' layers.
#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "tests/boards/cost_cases_others.h"
#include "tests/ops/cases.h"
#include "tests/ops/quantized_cases.h"

namespace arenite::boards_test {
namespace {

using namespace ops_test;
using Dims = std::vector<uint32_t>;

// The case of an operator with dims of another size; those left out stay.
OpCase resized(Op op, const std::string& name, const std::vector<Dims>& inputs,
               const std::vector<Dims>& outputs) {
  const auto& cases = all_cases();
  const auto found =
      std::ranges::find_if(cases, [&](const OpCase& c) { return c.op == op && c.name == name; });
  if (found == cases.end()) throw std::invalid_argument("no case " + name);
  OpCase c = *found;
  const auto set = [](std::vector<Operand>& operands, const std::vector<Dims>& dims) {
    for (size_t i = 0; i < dims.size(); ++i) {
      if (dims[i].empty()) continue;
      operands[i].dims = dims[i];
      operands[i].margin = 0;
    }
  };
  set(c.inputs, inputs);
  set(c.outputs, outputs);
  for (const std::vector<Dims>* all : {&inputs, &outputs}) {
    for (const Dims& dims : *all) {
      for (const uint32_t dim : dims) c.name += "_" + std::to_string(dim);
    }
  }
  return c;
}

struct Recurrent {
  uint32_t times, batch, inputs, units;
};
constexpr Recurrent kRecurrent[] = {
    {1, 1, 16, 16},  {1, 1, 128, 32}, {1, 1, 40, 64},  {1, 1, 100, 100}, {8, 1, 28, 20},
    {20, 1, 10, 12}, {4, 2, 24, 16},  {28, 1, 28, 10}, {33, 1, 8, 8},    {33, 1, 8, 4}};

void add_recurrent(std::vector<CostCase>& all) {
  for (const Recurrent& n : kRecurrent) {
    const Dims x = {n.times, n.batch, n.inputs}, h = {1, n.batch, n.units};
    const Dims y = {n.times, 1, n.batch, n.units};
    for (const auto& [op, gates] : {std::pair(Op::kLSTM, 4u), {Op::kGRU, 3u}}) {
      const uint32_t all_units = gates * n.units;
      std::vector<Dims> inputs = {
          x, {1, n.inputs, all_units}, {1, n.units, all_units}, {1, 2 * all_units}, {}, h};
      std::vector<Dims> outputs = {y, h};
      if (op == Op::kLSTM) {
        inputs.insert(inputs.end(), {h, {1, 3 * n.units}});
        outputs.push_back(h);
      }
      all.push_back({resized(op, "one_step", inputs, outputs), 1});
    }
    const Dims state = {n.batch, n.units};
    all.push_back(
        {resized(Op::kQuantizedLstm, "plain",
                 {x, {4, n.units, n.inputs}, {4, n.units, n.units}, {4, n.units}, state, state, {}},
                 {{n.times, n.batch, n.units}, state, state}),
         1});
  }
  for (const auto& [inputs, filters, memory] : {std::array{16u, 64u, 8u},
                                                {96u, 64u, 8u},
                                                {40u, 32u, 10u},
                                                {64u, 128u, 16u},
                                                {128u, 16u, 5u}}) {
    for (const char* name : {"state_of_8_bits", "state_of_16_bits"}) {
      const bool has_ranks = std::string(name) == "state_of_8_bits";
      const uint32_t units = has_ranks ? filters / 2 : filters;
      all.push_back(
          {resized(
               Op::kSvdf, name,
               {{1, inputs}, {filters, inputs}, {filters, memory}, {units}, {1, filters * memory}},
               {{1, units}, {1, filters * memory}}),
           1});
    }
    all.push_back({resized(Op::kSvdf, "float",
                           {{1, inputs},
                            {filters, inputs},
                            {filters, memory},
                            {filters / 2},
                            {1, filters * memory}},
                           {{1, filters / 2}, {1, filters * memory}}),
                   1});
  }
}

OpCase average_pool(const NamedType& type, const NamedRounding& rounding, uint32_t channels,
                    uint32_t height, uint32_t width, uint32_t side) {
  const bool is_global = side == 0;
  const uint32_t out_h = is_global ? 1 : height / side, out_w = is_global ? 1 : width / side;
  OpCase c = resized(Op::kQuantizedAveragePool, std::string("square2_") + type.name,
                     {{1, channels, 1, height, width}}, {{1, channels, 1, out_h, out_w}});
  c.name += std::string("_") + rounding.name;
  c.inputs[0] = ordered(c.inputs[0], {0, 2, 3, 4, 1});
  c.outputs[0] = ordered(c.outputs[0], {0, 2, 3, 4, 1});
  auto a = attributes_of<QuantizedAveragePoolAttributes>(c);
  for (size_t d = 0; d < 3; ++d) a.kernel[d] = a.stride[d] = a.dilation[d] = 1, a.pad_begin[d] = 0;
  a.kernel[1] = is_global ? height : side;
  a.kernel[2] = is_global ? width : side;
  a.stride[1] = a.kernel[1];
  a.stride[2] = a.kernel[2];
  a.output = whole_range(rounding.rounding, type.dtype, a.x_zero_point);
  c.attributes = words(a);
  return c;
}

void add_pools(std::vector<CostCase>& all) {
  for (size_t t = 0; t < 2; ++t) {
    for (const NamedRounding& rounding : kRoundings) {
      for (const auto& [channels, height, width] : {std::array{64u, 25u, 5u},
                                                    {256u, 3u, 3u},
                                                    {64u, 8u, 8u},
                                                    {30u, 7u, 7u},
                                                    {32u, 15u, 1u}}) {
        all.push_back({average_pool(kActivationTypes[t], rounding, channels, height, width, 0), 1});
      }
      all.push_back({average_pool(kActivationTypes[t], rounding, 16, 12, 12, 2), 1});
      all.push_back({average_pool(kActivationTypes[t], rounding, 24, 9, 9, 3), 1});
    }
  }
}

// Of planes whose channels lie last.
void add_sums(std::vector<CostCase>& all) {
  for (const char* name : {"inner_int8_tflite_double", "inner_int8_half_even",
                           "inner_uint8_half_even", "inner_uint8_float32"}) {
    for (const auto& [channels, side] : {std::pair(16u, 8u), {64u, 4u}, {200u, 5u}, {30u, 3u}}) {
      OpCase c =
          resized(Op::kQuantizedSum, name, {{1, channels, side, side}}, {{1, channels, 1, 1}});
      c.inputs[0] = channels_last(c.inputs[0]);
      c.outputs[0] = channels_last(c.outputs[0]);
      auto a = attributes_of<QuantizedSumAttributes>(c);
      a.axes = 1u << 2 | 1u << 3;
      c.attributes = words(a);
      all.push_back({std::move(c), 1});
    }
  }
}

// Transposed convolutions to twice the size, without padding.
void add_transposed(std::vector<CostCase>& all) {
  for (const DType weights : {DType::kFloat32, DType::kFloat16}) {
    for (const auto& [channels, outputs, side, taps] : {std::array{8u, 16u, 6u, 2u},
                                                        {16u, 8u, 10u, 2u},
                                                        {32u, 3u, 8u, 2u},
                                                        {24u, 24u, 10u, 2u},
                                                        {24u, 1u, 20u, 2u},
                                                        {48u, 24u, 4u, 2u},
                                                        {16u, 16u, 7u, 3u},
                                                        {64u, 10u, 5u, 3u},
                                                        {4u, 2u, 12u, 4u}}) {
      OpCase c;
      c.op = Op::kConvTranspose;
      c.name = "twice_" + std::to_string(channels) + "_" + std::to_string(outputs) + "_" +
               std::to_string(side) + "_" + std::to_string(taps) +
               (weights == DType::kFloat16 ? "_float16" : "");
      c.tolerance = 1e-4;
      ConvTransposeAttributes a = {};
      a.groups = 1;
      for (size_t d = 0; d < 3; ++d) a.stride[d] = d == 0 ? 1 : 2, a.dilation[d] = 1;
      c.attributes = words(a);
      const uint32_t to = 2 * (side - 1) + taps;
      const Dims last = {0, 2, 3, 4, 1};
      c.inputs = {ordered(tensor({1, channels, 1, side, side}), last),
                  ordered(tensor({outputs, channels, 1, taps, taps}, weights), last),
                  tensor({outputs})};
      c.outputs = {ordered(tensor({1, outputs, 1, to, to}), last)};
      all.push_back({std::move(c), 1});
    }
  }
}

// Numbers to bytes and back, where planes become pixels and elsewhere.
void add_planes(std::vector<CostCase>& all) {
  for (const char* name : {"uint8_half_even", "int8_half_even", "int8_away", "uint8_away"}) {
    for (const Dims& dims : {Dims{1000, 3}, {64, 3}, {100, 32}, {400, 1}}) {
      OpCase c = resized(Op::kQuantize, name, {dims, dims, dims}, {dims});
      // All dims repeat the one scale and the one zero point.
      for (size_t i = 1; i < c.inputs.size(); ++i) c.inputs[i].repeated = 3;
      all.push_back({c, 1});
      c.name += "_planes";
      c.inputs[0] = ordered(c.inputs[0], {1, 0});
      all.push_back({std::move(c), 1});
    }
  }
  for (const char* name : {"uint8", "int8"}) {
    for (const Dims& dims : {Dims{1000, 3}, {32, 100}, {1, 1001}}) {
      OpCase c = resized(Op::kDequantize, name, {dims, dims, dims}, {dims});
      for (size_t i = 1; i < c.inputs.size(); ++i) c.inputs[i].repeated = 3;
      all.push_back({c, 1});
      c.name += "_planes";
      c.inputs[0] = ordered(c.inputs[0], {1, 0});
      all.push_back({std::move(c), 1});
    }
  }
}

void add_softmax(std::vector<CostCase>& all) {
  for (const char* name : {"int8_int8", "int8_int8_tabled", "int8_int16", "int8_uint8_tabled"}) {
    for (const Dims& dims : {Dims{1, 2}, {1, 12}, {1, 400}, {40, 2}, {300, 2}, {20, 21}, {64, 1}}) {
      all.push_back({resized(Op::kQuantizedSoftmax, name, {dims}, {dims}), 1});
    }
  }
}

// Along two axes of a picture whose channels lie last, to twice its size: by the nearest element,
// or by two with weights of `bits` bits.
OpCase resize(const NamedType& type, uint32_t side, uint32_t channels, uint32_t times,
              bool weighted) {
  OpCase c;
  c.op = Op::kResize;
  const uint32_t to = side * times, taps = weighted ? 2 : 1;
  c.name = "picture_" + std::to_string(channels) + "_" + std::to_string(side) + "_times_" +
           std::to_string(times) + (weighted ? "_weighted_" : "_") + type.name;
  const bool is_float = type.dtype == DType::kFloat32;
  constexpr uint32_t kBits = 11;
  ResizeAttributes a = {};
  a.axis[0] = 1;
  a.axis[1] = 2;
  a.taps[0] = a.taps[1] = taps;
  a.fraction_bits = is_float || !weighted ? 0 : 2 * kBits;
  c.attributes = words(a);
  std::vector<Number> first, weights;
  for (uint32_t axis = 0; axis < 2; ++axis) {
    for (uint32_t o = 0; o < to; ++o) {
      first.push_back(Number(std::min(o / times, side - taps)));
      if (!weighted) continue;
      const double part = static_cast<double>(o % times) / times;
      for (const double each : {1 - part, part}) {
        weights.push_back(Number(is_float ? each : std::floor(each * (1u << kBits))));
      }
    }
  }
  const auto count = static_cast<uint32_t>(first.size());
  c.inputs = {tensor({1, side, side, channels}, type.dtype),
              with_values(tensor({count}, DType::kInt32), first)};
  if (weighted) {
    c.inputs.push_back(
        with_values(tensor({2 * count}, is_float ? DType::kFloat32 : DType::kInt16), weights));
  }
  c.outputs = {tensor({1, to, to, channels}, type.dtype)};
  return c;
}

}  // namespace

std::vector<CostCase> cost_cases_of_layers() {
  std::vector<CostCase> all;
  add_recurrent(all);
  add_pools(all);
  add_sums(all);
  add_transposed(all);
  add_planes(all);
  add_softmax(all);
  for (const NamedType& type : {kAllTypes[0], kAllTypes[1], kAllTypes[2]}) {
    for (const auto& [side, channels, times] :
         {std::array{4u, 8u, 2u}, {10u, 21u, 3u}, {11u, 48u, 2u}, {6u, 3u, 4u}, {16u, 1u, 2u}}) {
      all.push_back({resize(type, side, channels, times, false), 1});
      all.push_back({resize(type, side, channels, times, true), 1});
    }
  }
  return all;
}

}  // namespace arenite::boards_test
// SPDX-License-Identifier: Apache-2.0
