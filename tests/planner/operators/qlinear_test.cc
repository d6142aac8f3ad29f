// Tests the quantized operators of com.microsoft against their definitions, written out here in
// double precision: what they become, and every integer of what they give.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "planner/graph/interpret.h"
#include "planner/passes/passes.h"
#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Integers stand for (integer - zero) * scale.
struct Quant {
  DType type = DType::kUint8;
  float scale = 1;
  int zero = 0;

  int low() const { return type == DType::kInt8 ? -128 : 0; }
  int high() const { return type == DType::kInt8 ? 127 : 255; }
  double number(int integer) const { return (integer - zero) * double{scale}; }
  int integer(double number) const {
    return static_cast<int>(std::clamp(std::nearbyint(number / double{scale}) + zero,
                                       static_cast<double>(low()), static_cast<double>(high())));
  }
};

// Integers of the whole range.
struct Integers {
  Quant quant;
  std::vector<uint32_t> dims;
  std::vector<int> elements;

  Integers(const Quant& of, std::vector<uint32_t> dims_of, uint32_t seed)
      : quant(of), dims(std::move(dims_of)) {
    size_t count = 1;
    for (const uint32_t dim : dims) count *= dim;
    std::mt19937 random(seed);
    for (size_t i = 0; i < count; ++i) {
      elements.push_back(quant.low() + static_cast<int>(random() >> 24u));
    }
  }
  double operator[](size_t i) const { return quant.number(elements[i]); }
  TensorData tensor() const { return integer_tensor(quant.type, dims, elements); }
};

struct Result {
  std::vector<int> integers;
  std::vector<float> numbers;
  std::vector<uint32_t> dims;
  std::vector<Op> ops;
  std::vector<std::string> reasons;  // why steps stay floats
};

// A model of one operator.
class Contrib {
 public:
  Contrib() : model_(17) {}

  ModelBuilder& model() { return model_; }

  // Names of a scale and its zero point.
  std::vector<std::string> scale(const Quant& quant) {
    const std::string number = std::to_string(scales_++);
    model_.initializer("s" + number, float_tensor({}, {quant.scale}));
    model_.initializer("z" + number, integer_tensor(quant.type, {}, {quant.zero}));
    return {"s" + number, "z" + number};
  }
  // Names of an input, its scale and its zero point.
  std::vector<std::string> input(const Integers& integers) {
    const std::string name = "x" + std::to_string(inputs_.size());
    std::vector<std::string> dims;
    for (const uint32_t dim : integers.dims) dims.push_back(std::to_string(dim));
    model_.input(name, dims, integers.quant.type);
    inputs_.push_back(integers.tensor().bytes);
    std::vector<std::string> names = scale(integers.quant);
    names.insert(names.begin(), name);
    return names;
  }
  void add_input(const std::vector<std::byte>& bytes) { inputs_.push_back(bytes); }
  Contrib& node(const char* op, const std::vector<std::vector<std::string>>& inputs) {
    std::vector<std::string> names;
    for (const auto& list : inputs) names.insert(names.end(), list.begin(), list.end());
    model_.node(op, names, {"y"}).domain("com.microsoft");
    return *this;
  }

  Result run(DType y) {
    model_.output("y", y);
    Graph graph = import_onnx(model_.bytes(), {});
    optimize(graph);
    const Value& value = graph.values[graph.outputs[0]];
    const TensorData data = {value.dtype, bounds(value.dims), interpret(graph, inputs_)[0]};
    Result result;
    result.dims = data.dims;
    if (y == DType::kFloat32) {
      result.numbers = floats_of(data.bytes);
    } else {
      result.integers = integers_of(data);
    }
    for (const Node& node : graph.nodes) result.ops.push_back(node.op);
    if (graph.quantized_steps) result.reasons = graph.quantized_steps->reasons;
    return result;
  }

 private:
  ModelBuilder model_;
  std::vector<std::vector<std::byte>> inputs_;
  size_t scales_ = 0;
};

// The expected integers; `of` gives element i as a number that is still to be quantized.
std::vector<int> expected(size_t count, const Quant& y, const std::function<double(size_t)>& of) {
  std::vector<int> integers;
  for (size_t i = 0; i < count; ++i) integers.push_back(y.integer(of(i)));
  return integers;
}

void expect_near(const std::vector<float>& found, const std::function<double(size_t)>& of) {
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], of(i), 1e-5 * std::max(1.0, std::fabs(of(i)))) << i;
  }
}

constexpr Quant kU8 = {DType::kUint8, 0.023f, 117};
constexpr Quant kS8 = {DType::kInt8, 0.031f, -13};

TEST(QLinear, FunctionsOfOneValueAreTables) {
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  const auto leaky = [](double x, float alpha) { return x < 0 ? double{alpha} * x : x; };
  for (const Quant& of : {kU8, kS8}) {
    const Quant y = {of.type, 0.0041f, of.low() + 2};
    const Integers x(of, {4, 64}, 3);
    Contrib logistic, plain, given;
    logistic.node("QLinearSigmoid", {logistic.input(x), logistic.scale(y)});
    const Result s = logistic.run(of.type);
    EXPECT_THAT(s.ops, ElementsAre(Op::kLookup));
    EXPECT_EQ(s.integers, expected(256, y, [&](size_t i) { return sigmoid(x[i]); }));
    const Result l = plain.node("QLinearLeakyRelu", {plain.input(x), plain.scale(of)}).run(of.type);
    EXPECT_THAT(l.ops, ElementsAre(Op::kLookup));
    EXPECT_EQ(l.integers, expected(256, of, [&](size_t i) { return leaky(x[i], 0.01f); }));
    given.node("QLinearLeakyRelu", {given.input(x), given.scale(y)}).model().with("alpha", 0.3f);
    EXPECT_EQ(given.run(of.type).integers,
              expected(256, y, [&](size_t i) { return leaky(x[i], 0.3f); }));
  }
}

// [2, 3, 4] and [3, 1].
TEST(QLinear, PairsAreBroadcast) {
  for (const Quant& of : {kU8, kS8}) {
    const Integers a(of, {2, 3, 4}, 1), b({of.type, 0.011f, of.zero + 9}, {3, 1}, 2);
    const auto other = [](size_t i) { return i / 4 % 3; };
    const Quant y = {of.type, 0.04f, of.zero - 7};
    Contrib sum, product;
    const Result s =
        sum.node("QLinearAdd", {sum.input(a), sum.input(b), sum.scale(y)}).run(of.type);
    EXPECT_THAT(s.ops, ElementsAre(Op::kQuantizedAdd));
    EXPECT_EQ(s.integers, expected(24, y, [&](size_t i) { return a[i] + b[other(i)]; }));
    product.node("QLinearMul", {product.input(a), product.input(b), product.scale(y)});
    const Result p = product.run(of.type);
    EXPECT_THAT(p.ops, ElementsAre(Op::kQuantizedMul));
    EXPECT_EQ(p.integers, expected(24, y, [&](size_t i) { return a[i] * b[other(i)]; }));
  }
}

TEST(QLinear, ConcatenatedPartsGetOneScale) {
  for (const Quant& of : {kU8, kS8}) {
    const Quant y = {of.type, 0.027f, of.zero + 3};
    const Integers a(of, {2, 3}, 1), b(y, {2, 1}, 2), c({of.type, 0.05f, 4}, {2, 2}, 3);
    Contrib contrib;
    contrib.node("QLinearConcat",
                 {contrib.scale(y), contrib.input(a), contrib.input(b), contrib.input(c)});
    contrib.model().with("axis", -1);
    const Result found = contrib.run(of.type);
    // The part that has the scale stays as it is.
    EXPECT_THAT(found.ops, ElementsAre(Op::kLookup, Op::kLookup, Op::kConcat));
    EXPECT_EQ(found.dims, (std::vector<uint32_t>{2, 6}));
    EXPECT_EQ(found.integers, expected(12, y, [&](size_t i) {
                const size_t row = i / 6, at = i % 6;
                return at < 3 ? a[3 * row + at] : at == 3 ? b[row] : c[2 * row + at - 4];
              }));
  }
}

TEST(QLinear, WhereChoosesIntegers) {
  for (const Quant& of : {kU8, kS8}) {
    const Quant y = {of.type, 0.027f, of.zero + 3};
    const Integers a(of, {2, 3}, 1), b({of.type, 0.05f, 4}, {1, 3}, 2);
    const std::vector<bool> which = {true, false, true, false, false, true};
    Contrib contrib;
    contrib.model().input("c", {"2", "3"}, DType::kBool);
    contrib.add_input(bool_tensor({2, 3}, which).bytes);
    contrib.node("QLinearWhere", {{"c"}, contrib.input(a), contrib.input(b), contrib.scale(y)});
    const Result found = contrib.run(of.type);
    EXPECT_THAT(found.ops, ElementsAre(Op::kLookup, Op::kLookup, Op::kWhere));
    EXPECT_EQ(found.integers, expected(6, y, [&](size_t i) { return which[i] ? a[i] : b[i % 3]; }));
  }
}

// An image [1, C, 5, 6], or with its channels last, of which windows of 2 x 3 are averaged.
struct PoolCase {
  bool last, pads, counts_pads;
};

TEST(QLinear, AveragesOfWindows) {
  constexpr uint32_t kChannels = 2, kHeight = 5, kWidth = 6;
  for (const Quant& of : {kU8, kS8}) {
    for (const PoolCase& pool : {PoolCase{false, false, false}, PoolCase{true, false, false},
                                 PoolCase{false, true, true}, PoolCase{false, true, false}}) {
      const Integers x(of,
                       pool.last ? std::vector<uint32_t>{1, kHeight, kWidth, kChannels}
                                 : std::vector<uint32_t>{1, kChannels, kHeight, kWidth},
                       7);
      const Quant y = {of.type, 0.019f, of.zero + 5};
      Contrib contrib;
      contrib.node("QLinearAveragePool", {contrib.input(x), contrib.scale(y)});
      contrib.model().with_ints("kernel_shape", {2, 3}).with_ints("strides", {2, 1});
      contrib.model().with("channels_last", pool.last ? 1 : 0);
      const uint32_t pad = pool.pads ? 1 : 0;
      contrib.model().with_ints("pads", std::vector<int64_t>(4, pad));
      contrib.model().with("count_include_pad", pool.counts_pads ? 1 : 0);
      const Result found = contrib.run(of.type);
      const uint32_t rows = (kHeight + 2 * pad - 2) / 2 + 1, columns = kWidth + 2 * pad - 2;
      const auto mean = [&](uint32_t c, uint32_t row, uint32_t column) {
        double sum = 0;
        int count = 0;
        for (int h = 0; h < 2; ++h) {
          for (int w = 0; w < 3; ++w) {
            const int top = static_cast<int>(2 * row) + h - static_cast<int>(pad);
            const int left = static_cast<int>(column) + w - static_cast<int>(pad);
            const bool inside = top >= 0 && top < int{kHeight} && left >= 0 && left < int{kWidth};
            if (inside || pool.counts_pads) ++count;
            if (!inside) continue;
            const auto at = static_cast<size_t>(top) * kWidth + static_cast<size_t>(left);
            sum += pool.last ? x[at * kChannels + c] : x[c * kHeight * kWidth + at];
          }
        }
        return sum / count;
      };
      const size_t places = size_t{rows} * columns;
      const std::vector<int> wanted = expected(kChannels * places, y, [&](size_t i) {
        const auto c = static_cast<uint32_t>(pool.last ? i % kChannels : i / places);
        const auto at = static_cast<uint32_t>(pool.last ? i / kChannels : i % places);
        return mean(c, at / columns, at % columns);
      });
      if (pool.pads && !pool.counts_pads) {
        // Numbers of single precision, so that what lies near a half may go to its other side.
        EXPECT_THAT(found.reasons, Contains(HasSubstr("count fewer elements")));
        ASSERT_EQ(found.integers.size(), wanted.size());
        for (size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(found.integers[i], wanted[i], 1);
        continue;
      }
      EXPECT_THAT(found.reasons, IsEmpty());
      EXPECT_THAT(found.ops, Contains(Op::kQuantizedAveragePool));
      EXPECT_EQ(found.integers, wanted);
    }
  }
}

TEST(QLinear, MeansOfImages) {
  constexpr uint32_t kChannels = 3, kPlaces = 20;
  for (const Quant& of : {kU8, kS8}) {
    for (const bool last : {false, true}) {
      const Integers x(of,
                       last ? std::vector<uint32_t>{2, 4, 5, kChannels}
                            : std::vector<uint32_t>{2, kChannels, 4, 5},
                       11);
      const Quant y = {of.type, 0.0053f, of.zero + 5};
      Contrib contrib;
      contrib.node("QLinearGlobalAveragePool", {contrib.input(x), contrib.scale(y)});
      contrib.model().with("channels_last", last ? 1 : 0);
      const Result found = contrib.run(of.type);
      EXPECT_THAT(found.ops, Contains(Op::kQuantizedSum));
      EXPECT_THAT(found.reasons, IsEmpty());
      EXPECT_EQ(found.dims, last ? (std::vector<uint32_t>{2, 1, 1, kChannels})
                                 : (std::vector<uint32_t>{2, kChannels, 1, 1}));
      EXPECT_EQ(found.integers, expected(2 * kChannels, y, [&](size_t i) {
                  double sum = 0;
                  for (size_t k = 0; k < kPlaces; ++k) {
                    sum += last ? x[(i / kChannels * kPlaces + k) * kChannels + i % kChannels]
                                : x[i * kPlaces + k];
                  }
                  return sum / kPlaces;
                }));
    }
  }
}

TEST(QLinear, MeansOverAxes) {
  for (const Quant& of : {kU8, kS8}) {
    const Integers x(of, {2, 3, 4}, 13);
    const Quant y = {of.type, 0.0093f, of.zero + 5};
    Contrib axes, all;
    axes.node("QLinearReduceMean", {axes.input(x), axes.scale(y)});
    axes.model().with_ints("axes", {0, -1}).with("keepdims", 0);
    const Result found = axes.run(of.type);
    EXPECT_THAT(found.ops, Contains(Op::kQuantizedSum));
    EXPECT_THAT(found.reasons, IsEmpty());
    EXPECT_EQ(found.dims, std::vector<uint32_t>{3});
    EXPECT_EQ(found.integers, expected(3, y, [&](size_t i) {
                double sum = 0;
                for (size_t n = 0; n < 2; ++n) {
                  for (size_t k = 0; k < 4; ++k) sum += x[(3 * n + i) * 4 + k];
                }
                return sum / 8;
              }));
    const Result mean = all.node("QLinearReduceMean", {all.input(x), all.scale(y)}).run(of.type);
    EXPECT_EQ(mean.dims, (std::vector<uint32_t>{1, 1, 1}));
    EXPECT_EQ(mean.integers, expected(1, y, [&](size_t) {
                double sum = 0;
                for (size_t i = 0; i < 24; ++i) sum += x[i];
                return sum / 24;
              }));
  }
}

// One axis from opset 13 on, all from it on before.
TEST(QLinear, SoftmaxOverOneAxisOrAllBehindIt) {
  for (const Quant& of : {kU8, kS8}) {
    for (const int opset : {12, 13}) {
      const Integers x(of, {2, 3, 5}, 17);
      const Quant y = {of.type, 1.0f / 256, of.low()};
      Contrib contrib;
      contrib.node("QLinearSoftmax", {contrib.input(x), contrib.scale(y)});
      contrib.model().with("axis", 1).with("opset", opset);
      const Result found = contrib.run(of.type);
      EXPECT_THAT(found.ops, Contains(Op::kQuantizedSoftmax));
      EXPECT_THAT(found.reasons, IsEmpty());
      EXPECT_EQ(found.integers, expected(30, y,
                                         [&](size_t i) {
                                           double sum = 0;
                                           for (size_t k = 0; k < 15; ++k) {
                                             if (opset < 13 || k % 5 == i % 5)
                                               sum += std::exp(x[i / 15 * 15 + k]);
                                           }
                                           return std::exp(x[i]) / sum;
                                         }))
          << opset;
    }
  }
}

// B [N, K] as it is stored, or transposed; with a scale for each column.
TEST(QGemm, ProductsWithASumAndAFactor) {
  constexpr size_t kM = 3, kK = 4, kN = 5;
  const std::vector<float> scales = {0.01f, 0.02f, 0.005f, 0.013f, 0.03f};
  const std::vector<int> zeros = {0, -3, 5, 0, 1}, sums = {300, -2000, 0, 41, 77};
  const Quant y = {DType::kUint8, 0.07f, 120};
  for (const bool gives_floats : {false, true}) {
    for (const bool transposed : {false, true}) {
      const Integers a(kU8, {kM, kK}, 1), b({DType::kInt8, 1, 0}, {kN, kK}, 2);
      Contrib contrib;
      std::vector<int> stored(kN * kK);
      for (size_t n = 0; n < kN; ++n) {
        for (size_t k = 0; k < kK; ++k) {
          stored[transposed ? n * kK + k : k * kN + n] = b.elements[n * kK + k];
        }
      }
      ModelBuilder& model = contrib.model();
      const uint32_t rows = transposed ? kN : kK, columns = transposed ? kK : kN;
      model.initializer("b", integer_tensor(DType::kInt8, {rows, columns}, stored));
      model.initializer("bs", float_tensor({kN}, scales));
      model.initializer("bz", integer_tensor(DType::kInt8, {kN}, zeros));
      model.initializer("c", integer_tensor(DType::kInt32, {kN}, sums));
      std::vector<std::vector<std::string>> inputs = {contrib.input(a), {"b", "bs", "bz", "c"}};
      if (!gives_floats) inputs.push_back(contrib.scale(y));
      contrib.node("QGemm", inputs).model().with("transB", transposed ? 1 : 0).with("alpha", 0.5f);
      const Result found = contrib.run(gives_floats ? DType::kFloat32 : DType::kUint8);
      const auto number = [&](size_t i) {
        const size_t n = i % kN;
        double sum = sums[n] * double{a.quant.scale} * double{scales[n]};
        for (size_t k = 0; k < kK; ++k) {
          sum += a[i / kN * kK + k] * (b.elements[n * kK + k] - zeros[n]) * double{scales[n]};
        }
        return sum / 2;
      };
      EXPECT_THAT(found.reasons, IsEmpty());
      if (gives_floats) {
        EXPECT_THAT(found.ops, ElementsAre(Op::kQuantizedMatMul, Op::kDequantize));
        expect_near(found.numbers, number);
      } else {
        EXPECT_THAT(found.ops, ElementsAre(Op::kQuantizedMatMul));
        EXPECT_EQ(found.integers, expected(kM * kN, y, number));
      }
    }
  }
}

TEST(MatMulIntegerToFloat, ScalesOfColumnsZeroPointsAndABias) {
  constexpr size_t kM = 2, kK = 6, kN = 3;
  for (const DType type : {DType::kUint8, DType::kInt8}) {
    const Integers a(kU8, {kM, kK}, 1), b({type, 1, 0}, {kK, kN}, 2);
    const std::vector<float> scales = {0.01f, 0.02f, 0.005f}, bias = {0.5f, -1, 3};
    const std::vector<int> zeros = {4, 0, 100};
    Contrib contrib;
    ModelBuilder& model = contrib.model();
    model.initializer("b", b.tensor()).initializer("bs", float_tensor({kN}, scales));
    model.initializer("bz", integer_tensor(type, {kN}, zeros));
    model.initializer("bias", float_tensor({kN}, bias));
    const std::vector<std::string> names = contrib.input(a);
    contrib.node("MatMulIntegerToFloat", {{names[0], "b", names[1], "bs", names[2], "bz", "bias"}});
    const Result found = contrib.run(DType::kFloat32);
    EXPECT_THAT(found.ops, Contains(Op::kQuantizedMatMul));
    EXPECT_THAT(found.ops, Not(Contains(Op::kMatMul)));
    expect_near(found.numbers, [&](size_t i) {
      double sum = 0;
      for (size_t k = 0; k < kK; ++k) {
        sum += a[i / kN * kK + k] * (b.elements[k * kN + i % kN] - zeros[i % kN]);
      }
      return sum * double{scales[i % kN]} + double{bias[i % kN]};
    });
  }
}

// The range of x and 0, in 255 steps; the zero point rounded too.
TEST(DynamicQuantizeMatMul, TheInputIsQuantizedByItsRange) {
  constexpr size_t kM = 4, kK = 5, kN = 3;
  const TensorData x = random_tensor({2, 2, kK}, 3);
  const std::vector<float> numbers = floats_of(x.bytes);
  const Integers b({DType::kInt8, 1, 0}, {kK, kN}, 2);
  const std::vector<float> scales = {0.01f, 0.02f, 0.005f}, bias = {0.5f, -1, 3};
  for (const bool whole : {false, true}) {
    Contrib contrib;
    ModelBuilder& model = contrib.model();
    model.input("x", {"2", "2", std::to_string(kK)});
    contrib.add_input(x.bytes);
    model.initializer("b", b.tensor()).initializer("bs", float_tensor({kN}, scales));
    model.initializer("bz", integer_tensor(DType::kInt8, {kN}, {4, 0, -90}));
    model.initializer("bias", float_tensor({kN}, bias));
    std::vector<std::string> names = {"x", "b", "bs"};
    if (whole) names.insert(names.end(), {"bz", "bias"});
    contrib.node("DynamicQuantizeMatMul", {names});
    const Result found = contrib.run(DType::kFloat32);
    EXPECT_THAT(found.ops, Contains(Op::kDynamicQuantize));
    EXPECT_THAT(found.ops, Contains(Op::kQuantizedMatMul));
    EXPECT_EQ(found.dims, (std::vector<uint32_t>{2, 2, kN}));
    const float least = std::min(0.0f, *std::min_element(numbers.begin(), numbers.end()));
    const float most = std::max(0.0f, *std::max_element(numbers.begin(), numbers.end()));
    Quant quant = {DType::kUint8, (most - least) / 255, 0};
    quant.zero = static_cast<int>(std::nearbyint(-least / quant.scale));
    const std::vector<int> zeros = whole ? std::vector<int>{4, 0, -90} : std::vector<int>(kN, 0);
    ASSERT_EQ(found.numbers.size(), kM * kN);
    expect_near(found.numbers, [&](size_t i) {
      double sum = 0;
      for (size_t k = 0; k < kK; ++k) {
        const int integer = quant.integer(double{numbers[i / kN * kK + k]});
        sum += quant.number(integer) * (b.elements[k * kN + i % kN] - zeros[i % kN]);
      }
      return sum * double{scales[i % kN]} + (whole ? double{bias[i % kN]} : 0);
    });
  }
}

// Between dequantize and quantize; a slope for each channel.
TEST(QuantizedPRelu, SlopesOfChannels) {
  for (const Quant& of : {kU8, kS8}) {
    const Integers x(of, {1, 3, 40}, 1), slope({of.type, 0.007f, 3}, {3, 1}, 2);
    const Quant y = {of.type, 0.02f, of.zero + 1};
    Contrib contrib;
    ModelBuilder& model = contrib.model();
    const auto scaled = [&](const char* op, std::vector<std::string> inputs, const char* to) {
      model.node(op, inputs, {to}, to);
    };
    scaled("DequantizeLinear", contrib.input(x), "dx");
    std::vector<std::string> names = contrib.scale(slope.quant);
    model.initializer("slope", slope.tensor());
    scaled("DequantizeLinear", {"slope", names[0], names[1]}, "ds");
    scaled("PRelu", {"dx", "ds"}, "p");
    names = contrib.scale(y);
    scaled("QuantizeLinear", {"p", names[0], names[1]}, "y");
    const Result found = contrib.run(of.type);
    EXPECT_THAT(found.ops, ElementsAre(Op::kQuantizedPRelu));
    EXPECT_EQ(found.integers,
              expected(120, y, [&](size_t i) { return x[i] < 0 ? x[i] * slope[i / 40] : x[i]; }));
  }
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
