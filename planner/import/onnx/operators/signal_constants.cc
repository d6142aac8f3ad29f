// Imports what only depends on numbers that are known here: HannWindow, HammingWindow,
// BlackmanWindow and MelWeightMatrix become constants.
#include <cmath>
#include <cstring>

#include "planner/graph/names.h"
#include "planner/import/model/tensor_proto.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr int64_t kLongest = 1 << 24;

// Output 0 of these elements, in the type that the node names.
void constant_output(OpContext& context, const Dims& dims, const std::vector<double>& elements) {
  DType type = DType::kNone;
  try {
    type = dtype_from_onnx(context.int_attribute("output_datatype", 1));
  } catch (const UnsupportedError& error) {
    context.unsupported_attribute("output_datatype", error.what(), error.instead);
  }
  std::vector<std::byte> bytes(elements.size() * sizeof(double));
  if (!bytes.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  const ValueId exact = context.add_constant("exact", DType::kFloat64, dims, std::move(bytes));
  if (type == DType::kFloat64) return copy_to_output(context, 0, exact);
  const ValueId y = context.add_output(0, type, dims);
  context.add_node(Op::kCast, {exact}, {y});
}

// A constant number of any type.
double number(OpContext& context, size_t i, const char* what) {
  const ValueId id = context.input(i);
  context.expect_constant(i, what);
  if (context.value(id).elements() != 1) {
    context.fail("input '" + std::string(what) + "' is " + dims_text(context.dims(id)) +
                 ", expected one number");
  }
  switch (context.dtype(id)) {
    case DType::kFloat32:
      return double{context.elements<float>(id)[0]};
    case DType::kFloat64:
      return context.elements<double>(id)[0];
    case DType::kInt32:
      return context.elements<int32_t>(id)[0];
    case DType::kInt64:
      return static_cast<double>(context.elements<int64_t>(id)[0]);
    default:
      context.unsupported("input '" + std::string(what) + "' is " + dtype_name(context.dtype(id)) +
                              ", only supported as float32, float64, int32 or int64",
                          "one of these");
  }
}

int64_t whole(OpContext& context, size_t i, const char* what, int64_t least) {
  const double value = number(context, i, what);
  if (!(value >= static_cast<double>(least)) || value > static_cast<double>(kLongest) ||
      value != std::floor(value)) {
    context.fail("input '" + std::string(what) + "' is " + std::to_string(value) +
                 ", expected a whole number from " + std::to_string(least) + " to " +
                 std::to_string(kLongest));
  }
  return static_cast<int64_t>(value);
}

}  // namespace

void import_cosine_window(OpContext& context, const CosineWindow& window) {
  context.expect_operands(1, 1);
  const int64_t size = whole(context, 0, "size", 0);
  const bool periodic = context.flag_attribute("periodic", true);
  context.expect_room({static_cast<uint64_t>(size), 2 * sizeof(double)});
  const auto period = static_cast<double>(periodic ? size : size - 1);
  std::vector<double> elements;
  for (int64_t i = 0; i < size; ++i) {
    // A window of one element has no sides to fall to.
    const double angle = period == 0 ? kPi : 2 * kPi * static_cast<double>(i) / period;
    elements.push_back(window.a0 - window.a1 * std::cos(angle) + window.a2 * std::cos(2 * angle));
  }
  constant_output(context, {size}, elements);
}

void import_mel_weight_matrix(OpContext& context) {
  context.expect_operands(5, 5);
  const int64_t mels = whole(context, 0, "num_mel_bins", 1);
  const int64_t length = whole(context, 1, "dft_length", 1);
  const int64_t rate = whole(context, 2, "sample_rate", 1);
  const double lower = number(context, 3, "lower_edge_hertz");
  const double upper = number(context, 4, "upper_edge_hertz");
  const int64_t bins = length / 2 + 1;
  if (!(lower >= 0) || !(upper > lower) || mels * bins > kLongest) {
    context.fail("expected edges of 0 or more, the lower one first, and at most " +
                 std::to_string(kLongest) + " weights, found " + std::to_string(lower) + " and " +
                 std::to_string(upper) + " hertz, " + std::to_string(bins) + " by " +
                 std::to_string(mels));
  }
  context.expect_room(
      {static_cast<uint64_t>(mels), static_cast<uint64_t>(bins), 2 * sizeof(double)});
  const auto mel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
  const double step = (mel(upper) - mel(lower)) / static_cast<double>(mels + 2);
  std::vector<int64_t> edges;
  for (int64_t i = 0; i < mels + 2; ++i) {
    const double hertz =
        700 * (std::pow(10, (static_cast<double>(i) * step + mel(lower)) / 2595) - 1);
    const double bin =
        std::floor(static_cast<double>(length + 1) * hertz / static_cast<double>(rate));
    if (!(bin < static_cast<double>(bins))) {
      context.fail("an edge of " + std::to_string(hertz) + " hertz lies beyond the " +
                   std::to_string(bins) + " bins of a sample rate of " + std::to_string(rate));
    }
    edges.push_back(static_cast<int64_t>(bin));
  }
  std::vector<double> weights(static_cast<size_t>(bins * mels), 0.0);
  for (int64_t m = 0; m < mels; ++m) {
    const auto weight = [&](int64_t bin) -> double& {
      return weights[static_cast<size_t>(bin * mels + m)];
    };
    const int64_t from = edges[static_cast<size_t>(m)];
    const int64_t center = edges[static_cast<size_t>(m) + 1];
    const int64_t to = edges[static_cast<size_t>(m) + 2];
    if (center == from) weight(center) = 1;
    for (int64_t bin = from; bin <= center && center != from; ++bin) {
      weight(bin) = static_cast<double>(bin - from) / static_cast<double>(center - from);
    }
    for (int64_t bin = center; bin < to; ++bin) {
      weight(bin) = static_cast<double>(to - bin) / static_cast<double>(to - center);
    }
  }
  constant_output(context, {bins, mels}, weights);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
