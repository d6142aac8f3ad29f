// Tests importing operators that move or reduce elements: Pad, Slice, Split, Expand, Tile,
// Gather, Concat, blocks, reductions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

TEST(PadImport, AttributesOfOpset1And2) {
  for (const int64_t opset : {1, 2}) {
    ModelBuilder model(opset);
    model.input("x", {"2"}).node("Pad", {"x"}, {"y"}).output("y");
    model.with_ints(opset == 1 ? "paddings" : "pads", std::vector<int64_t>{1, -1})
        .with("value", 9.0f);
    EXPECT_THAT(run_floats(model, {counting_tensor({2})}), ElementsAre(9, 1));
  }
}

TEST(PadImport, AxesOfOpset18AndNegativePads) {
  ModelBuilder model(18);
  model.input("x", {"2", "3"}).initialiser("pads", int64_tensor({2}, {-1, 1}));
  model.initialiser("axes", int64_tensor({1}, {-1}));
  model.node("Pad", {"x", "pads", "", "axes"}, {"y"}).output("y");
  EXPECT_THAT(run_floats(model, {counting_tensor({2, 3})}), ElementsAre(2, 3, 0, 5, 6, 0));
}

TEST(PadImport, ValueAtRunTime) {
  ModelBuilder model(13);
  model.input("x", {"1"}).initialiser("pads", int64_tensor({2}, {0, 2})).input("value", {});
  model.node("Pad", {"x", "pads", "value"}, {"y"}).output("y");
  EXPECT_THAT(run_floats(model, {counting_tensor({1}), float_tensor({}, {7})}),
              ElementsAre(1, 7, 7));
}

std::vector<float> padded(const char* mode, std::vector<int64_t> pads) {
  ModelBuilder model(19);
  model.input("x", {"4"}).initialiser("pads", int64_tensor({2}, pads));
  model.node("Pad", {"x", "pads"}, {"y"}).with("mode", mode).output("y");
  return run_floats(model, {counting_tensor({4})});
}

TEST(PadImport, ModesRepeatWhatNegativePadsLeave) {
  const float first = padded("edge", {0, 0})[0];
  const auto from = [&](std::vector<float> y) {
    for (float& value : y) value -= first;
    return y;
  };
  EXPECT_THAT(from(padded("edge", {2, 1})), ElementsAre(0, 0, 0, 1, 2, 3, 3));
  EXPECT_THAT(from(padded("reflect", {2, 5})), ElementsAre(2, 1, 0, 1, 2, 3, 2, 1, 0, 1, 2));
  EXPECT_THAT(from(padded("wrap", {1, 5})), ElementsAre(3, 0, 1, 2, 3, 0, 1, 2, 3, 0));
  EXPECT_THAT(from(padded("edge", {-1, 2})), ElementsAre(1, 2, 3, 3, 3));
  EXPECT_THAT(from(padded("reflect", {2, -1})), ElementsAre(2, 1, 0, 1, 2));
  EXPECT_THAT(from(padded("wrap", {-2, 3})), ElementsAre(2, 3, 2, 3, 2));
}

TEST(PadImport, Errors) {
  ModelBuilder mode(13), crop(13), count(13);
  mode.input("x", {"2"}).initialiser("pads", int64_tensor({2}, {1, 1}));
  mode.node("Pad", {"x", "pads"}, {"y"}, "p").with("mode", "wrap").output("y");
  EXPECT_EQ(
      import_error(mode),
      "node 'p' (op 'Pad'): attribute 'mode': is 'wrap', expected constant, edge, reflect or, "
      "from opset 19, wrap");
  crop.input("x", {"2"}).initialiser("pads", int64_tensor({2}, {-2, -1}));
  crop.node("Pad", {"x", "pads"}, {"y"}).output("y");
  EXPECT_THAT(import_error(crop), HasSubstr("do not fit dimension 0"));
  count.input("x", {"2"}).initialiser("pads", int64_tensor({3}, {0, 0, 0}));
  count.node("Pad", {"x", "pads"}, {"y"}).output("y");
  EXPECT_THAT(import_error(count), HasSubstr("holds 3 numbers, expected 2"));
}

std::vector<float> sliced(int64_t start, int64_t end, int64_t step) {
  ModelBuilder model(13);
  model.input("x", {"5"}).initialiser("s", int64_tensor({1}, {start}));
  model.initialiser("e", int64_tensor({1}, {end})).initialiser("a", int64_tensor({1}, {0}));
  model.initialiser("t", int64_tensor({1}, {step}));
  model.node("Slice", {"x", "s", "e", "a", "t"}, {"y"}).output("y");
  return run_floats(model, {counting_tensor({5})});
}

TEST(SliceImport, StepsAndLimits) {
  EXPECT_THAT(sliced(1, 4, 1), ElementsAre(2, 3, 4));
  EXPECT_THAT(sliced(-2, kMost, 1), ElementsAre(4, 5));
  EXPECT_THAT(sliced(kLeast, kMost, 2), ElementsAre(1, 3, 5));
  EXPECT_THAT(sliced(0, kMost, kMost), ElementsAre(1));
  EXPECT_THAT(sliced(-1, kLeast, -1), ElementsAre(5, 4, 3, 2, 1));
  EXPECT_THAT(sliced(kMost, kLeast, -2), ElementsAre(5, 3, 1));
  EXPECT_THAT(sliced(4, 0, -2), ElementsAre(5, 3));
  EXPECT_THAT(sliced(kMost, kLeast, kLeast), ElementsAre(5));
  EXPECT_THAT(sliced(3, 3, 1), IsEmpty());
  EXPECT_THAT(sliced(2, 4, -1), IsEmpty());
}

TEST(SliceImport, AttributesBeforeOpset10) {
  ModelBuilder model(9);
  model.input("x", {"2", "3"}).node("Slice", {"x"}, {"y"}).output("y");
  model.with_ints("axes", {1}).with_ints("starts", {1}).with_ints("ends", {100});
  EXPECT_THAT(run_floats(model, {counting_tensor({2, 3})}), ElementsAre(2, 3, 5, 6));
}

TEST(SliceImport, Errors) {
  ModelBuilder twice(9), outside(9), lengths(9);
  twice.input("x", {"2", "3"}).node("Slice", {"x"}, {"y"}).output("y");
  twice.with_ints("axes", {1, -1}).with_ints("starts", {0, 0}).with_ints("ends", {1, 1});
  EXPECT_THAT(import_error(twice), HasSubstr("axis 1 is given twice"));
  outside.input("x", {"2"}).node("Slice", {"x"}, {"y"}).output("y");
  outside.with_ints("axes", {1}).with_ints("starts", {0}).with_ints("ends", {1});
  EXPECT_THAT(import_error(outside), HasSubstr("outside rank 1"));
  lengths.input("x", {"2"}).node("Slice", {"x"}, {"y"}).output("y");
  lengths.with_ints("starts", {0}).with_ints("ends", {1, 2});
  EXPECT_THAT(import_error(lengths), HasSubstr("differ in length"));
}

TEST(SplitImport, SizesAndEqualParts) {
  ModelBuilder attribute(2), input(13), equal(13), uneven(18);
  attribute.input("x", {"3"}).node("Split", {"x"}, {"a", "b"}).with_ints("split", {1, 2});
  EXPECT_THAT(run_floats(attribute.output("b"), {counting_tensor({3})}), ElementsAre(2, 3));
  input.input("x", {"2", "3"}).initialiser("s", int64_tensor({3}, {1, 0, 2}));
  input.node("Split", {"x", "s"}, {"a", "b", "c"}).with("axis", -1);
  EXPECT_THAT(run_floats(input.output("c"), {counting_tensor({2, 3})}), ElementsAre(2, 3, 5, 6));
  equal.input("x", {"4"}).node("Split", {"x"}, {"", "b"}).output("b");
  EXPECT_THAT(run_floats(equal, {counting_tensor({4})}), ElementsAre(3, 4));
  uneven.input("x", {"5"}).node("Split", {"x"}, {"a", "b"}).with("num_outputs", 2).output("b");
  EXPECT_THAT(run_floats(uneven, {counting_tensor({5})}), ElementsAre(4, 5));
}

TEST(SplitImport, Errors) {
  ModelBuilder equal(13), sum(13), count(13), parts(18);
  equal.input("x", {"3"}).node("Split", {"x"}, {"a", "b"}).output("a");
  EXPECT_THAT(import_error(equal), HasSubstr("splits into 2 equal parts, found 3"));
  sum.input("x", {"3"}).initialiser("s", int64_tensor({2}, {1, 1}));
  sum.node("Split", {"x", "s"}, {"a", "b"}).output("a");
  EXPECT_THAT(import_error(sum), HasSubstr("2 parts that add up to 3, found 2 that add up to 2"));
  count.input("x", {"3"}).initialiser("s", int64_tensor({2}, {kMost, 2}));
  count.node("Split", {"x", "s"}, {"a", "b"}).output("a");
  EXPECT_THAT(import_error(count), HasSubstr("parts that add up to 3"));
  parts.input("x", {"4"}).node("Split", {"x"}, {"a", "b"}).with("num_outputs", 3).output("a");
  EXPECT_THAT(import_error(parts), HasSubstr("attribute 'num_outputs'"));
}

TEST(BlocksImport, DepthAndSpace) {
  ModelBuilder there(13), back(13), columns(13);
  there.input("x", {"1", "4", "1", "2"}).node("DepthToSpace", {"x"}, {"y"}).with("blocksize", 2);
  EXPECT_THAT(run_floats(there.output("y"), {counting_tensor({1, 4, 1, 2})}),
              ElementsAre(1, 3, 2, 4, 5, 7, 6, 8));
  back.input("x", {"1", "1", "2", "4"}).node("SpaceToDepth", {"x"}, {"y"}).with("blocksize", 2);
  EXPECT_THAT(run_floats(back.output("y"), {counting_tensor({1, 1, 2, 4})}),
              ElementsAre(1, 3, 2, 4, 5, 7, 6, 8));
  columns.input("x", {"1", "8", "1", "1"}).node("DepthToSpace", {"x"}, {"y"});
  columns.with("blocksize", 2).with("mode", "CRD").output("y");
  EXPECT_THAT(run_floats(columns, {counting_tensor({1, 8, 1, 1})}),
              ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
}

TEST(BlocksImport, Errors) {
  const auto error_of = [](const char* op, const std::vector<std::string>& dims, int64_t size) {
    ModelBuilder model(13);
    model.input("x", dims).node(op, {"x"}, {"y"}).with("blocksize", size).output("y");
    return import_error(model);
  };
  EXPECT_THAT(error_of("DepthToSpace", {"1", "6", "1", "1"}, 2), HasSubstr("a multiple of 4"));
  EXPECT_THAT(error_of("DepthToSpace", {"1", "6", "1"}, 2), HasSubstr("rank 4"));
  EXPECT_THAT(error_of("DepthToSpace", {"1", "4", "1", "1"}, 0), HasSubstr("'blocksize'"));
  EXPECT_THAT(error_of("DepthToSpace", {"1", "4", "1", "1"}, kMost), HasSubstr("'blocksize'"));
  EXPECT_THAT(error_of("SpaceToDepth", {"1", "4", "3", "2"}, 2), HasSubstr("whole blocks of 2"));
}

std::vector<float> repeated(const char* op, const std::vector<uint32_t>& x,
                            const std::vector<int64_t>& numbers) {
  ModelBuilder model(13);
  std::vector<std::string> dims;
  for (const uint32_t dim : x) dims.push_back(std::to_string(dim));
  const auto count = static_cast<uint32_t>(numbers.size());
  model.input("x", dims).initialiser("n", int64_tensor({count}, numbers));
  model.node(op, {"x", "n"}, {"y"}).output("y");
  return run_floats(model, {counting_tensor(x)});
}

TEST(ExpandImport, NumpysBroadcasting) {
  EXPECT_THAT(repeated("Expand", {2, 1}, {3}), ElementsAre(1, 1, 1, 2, 2, 2));
  EXPECT_THAT(repeated("Expand", {2}, {2, 1}), ElementsAre(1, 2, 1, 2));
  EXPECT_THAT(repeated("Expand", {3}, {1}), ElementsAre(1, 2, 3));
  EXPECT_THAT(repeated("Expand", {}, {2, 2}), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(repeated("Expand", {1}, {0}), IsEmpty());
}

TEST(TileImport, Repeats) {
  EXPECT_THAT(repeated("Tile", {2, 2}, {1, 2}), ElementsAre(1, 2, 1, 2, 3, 4, 3, 4));
  EXPECT_THAT(repeated("Tile", {2, 2}, {2, 1}), ElementsAre(1, 2, 3, 4, 1, 2, 3, 4));
  EXPECT_THAT(repeated("Tile", {1, 2}, {3, 1}), ElementsAre(1, 2, 1, 2, 1, 2));
  EXPECT_THAT(repeated("Tile", {2}, {1}), ElementsAre(1, 2));
  EXPECT_THAT(repeated("Tile", {}, {}), ElementsAre(1));
  EXPECT_THAT(repeated("Tile", {2, 2}, {0, 3}), IsEmpty());
}

// More dims than a copy can have: in several.
TEST(TileImport, AllOfManyDims) {
  const std::vector<uint32_t> dims = {2, 3, 2, 2, 2};
  const std::vector<uint32_t> repeats = {2, 1, 3, 2, 2};
  const std::vector<float> y = repeated("Tile", dims, {2, 1, 3, 2, 2});
  ASSERT_EQ(y.size(), 48u * 24);
  std::vector<uint32_t> index(dims.size());
  for (const float found : y) {
    size_t from = 0;
    for (size_t i = 0; i < dims.size(); ++i) from = from * dims[i] + index[i] % dims[i];
    EXPECT_EQ(found, static_cast<float>(from + 1));
    for (size_t i = dims.size(); i-- > 0 && ++index[i] == dims[i] * repeats[i];) index[i] = 0;
  }
}

TEST(TileImport, FoldsAndErrors) {
  ModelBuilder folded(13), count(13), negative(13), run_time(13), old(1), shape(13);
  folded.initialiser("c", counting_tensor({2})).initialiser("r", int64_tensor({1}, {2}));
  folded.node("Tile", {"c", "r"}, {"t"}).input("x", {"4"}).node("Add", {"x", "t"}, {"y"});
  const Graph graph = import_onnx(folded.output("y").bytes(), {});
  EXPECT_EQ(count_ops(graph, Op::kCopy), 0u);
  EXPECT_EQ(graph.nodes.size(), 1u);
  count.input("x", {"2"}).initialiser("r", int64_tensor({2}, {1, 1}));
  EXPECT_THAT(import_error(count.node("Tile", {"x", "r"}, {"y"}).output("y")),
              HasSubstr("holds 2 numbers, expected one for each dimension of [2]"));
  negative.input("x", {"2"}).initialiser("r", int64_tensor({1}, {-1}));
  EXPECT_THAT(import_error(negative.node("Tile", {"x", "r"}, {"y"}).output("y")),
              HasSubstr("holds -1, expected 0 to 2147483647"));
  run_time.input("x", {"2"}).input("r", {"1"}, DType::kInt64);
  EXPECT_THAT(import_error(run_time.node("Tile", {"x", "r"}, {"y"}).output("y")),
              HasSubstr("decides a shape: it must be constant"));
  old.input("x", {"2"}).input("t", {}).input("a", {}).node("Tile", {"x", "t", "a"}, {"y"});
  EXPECT_THAT(import_error(old.output("y")), HasSubstr("not supported before opset 6"));
  shape.input("x", {"2"}).initialiser("s", int64_tensor({1}, {3}));
  EXPECT_THAT(import_error(shape.node("Expand", {"x", "s"}, {"y"}).output("y")),
              HasSubstr("do not broadcast"));
}

Graph gathered(const TensorData& indices) {
  ModelBuilder model(13);
  model.input("x", {"2", "3"}).initialiser("i", indices);
  model.node("Gather", {"x", "i"}, {"y"}).with("axis", 1).output("y");
  return import_onnx(model.bytes(), {});
}

TEST(GatherImport, RunsBecomeSlices) {
  for (const TensorData& run :
       {int64_tensor({}, {-1}), int64_tensor({2}, {1, 2}), int64_tensor({1, 2}, {0, 1})}) {
    const Graph graph = gathered(run);
    EXPECT_EQ(count_ops(graph, Op::kSlice), 1u);
    EXPECT_EQ(count_ops(graph, Op::kGather), 0u);
  }
  EXPECT_EQ(count_ops(gathered(int64_tensor({2}, {2, 0})), Op::kGather), 1u);
}

TEST(GatherImport, ConstantAndRunTimeIndicesAgree) {
  for (const std::vector<int64_t>& indices :
       {std::vector<int64_t>{1, 2}, std::vector<int64_t>{-1, 0}}) {
    ModelBuilder constant(13), run_time(13);
    constant.input("x", {"2", "3"}).initialiser("i", int64_tensor({2}, indices));
    constant.node("Gather", {"x", "i"}, {"y"}).with("axis", 1).output("y");
    run_time.input("x", {"2", "3"}).input("i", {"2"}, DType::kInt64);
    run_time.node("Gather", {"x", "i"}, {"y"}).with("axis", 1).output("y");
    EXPECT_EQ(run_floats(constant, {counting_tensor({2, 3})}),
              run_floats(run_time, {counting_tensor({2, 3}), int64_tensor({2}, indices)}));
  }
}

TEST(GatherImport, ConstantIndicesAreChecked) {
  ModelBuilder model(13);
  model.input("x", {"3"}).initialiser("i", int64_tensor({2}, {0, 3}));
  model.node("Gather", {"x", "i"}, {"y"}).output("y");
  EXPECT_THAT(import_error(model), HasSubstr("index 3 lies outside the axis of 3"));
}

TEST(ConcatImport, AxisOfOpset1AndErrors) {
  ModelBuilder old(1), missing(4), shapes(13);
  old.input("a", {"1", "1"}).input("b", {"1", "2"}).node("Concat", {"a", "b"}, {"y"}).output("y");
  EXPECT_THAT(run_floats(old, {counting_tensor({1, 1}), counting_tensor({1, 2})}),
              ElementsAre(1, 1, 2));
  missing.input("a", {"1"}).node("Concat", {"a"}, {"y"}).output("y");
  EXPECT_THAT(import_error(missing), HasSubstr("attribute 'axis': is missing"));
  shapes.input("a", {"2", "3"}).input("b", {"3", "3"}).node("Concat", {"a", "b"}, {"y"});
  EXPECT_THAT(import_error(shapes.with("axis", 1).output("y")),
              AllOf(HasSubstr("input 1 is float32 [3, 3]"), HasSubstr("[2, 3]")));
}

TEST(ConcatImport, MoreInputsThanRecordsCanTellApart) {
  ModelBuilder model(13);
  std::vector<std::string> names;
  std::vector<TensorData> values;
  std::vector<float> expected;
  for (int i = 0; i < 300; ++i) {
    names.push_back("x" + std::to_string(i));
    model.input(names.back(), {"1"});
    expected.push_back(static_cast<float>(i));
    values.push_back(float_tensor({1}, {expected.back()}));
  }
  model.node("Concat", names, {"y"}).with("axis", 0).output("y");
  EXPECT_EQ(run_floats(model, values), expected);
}

TEST(ReduceImport, ScalarsAreReducedToo) {
  ModelBuilder model(13);
  model.input("x", {}).node("ReduceSumSquare", {"x"}, {"y"}).output("y");
  EXPECT_THAT(run_floats(model, {float_tensor({}, {-3})}), ElementsAre(9));
}

TEST(ReduceImport, LogSumExpNeitherOverflowsNorLosesInfinities) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const int keep : {0, 1}) {
    ModelBuilder model(13);
    model.input("x", {"4", "2"}).node("ReduceLogSumExp", {"x"}, {"y"});
    model.with_ints("axes", {1}).with("keepdims", keep).output("y");
    const std::vector<float> y = run_floats(
        model, {float_tensor(
                   {4, 2}, {1000, 1000, 0, kInfinity, -kInfinity, -kInfinity, -1000, -kInfinity})});
    ASSERT_EQ(y.size(), 4u);
    EXPECT_FLOAT_EQ(y[0], 1000.6931f);
    EXPECT_EQ(y[1], kInfinity);
    EXPECT_EQ(y[2], -kInfinity);
    EXPECT_EQ(y[3], -1000);
  }
}

TEST(ReduceImport, LogSumExpOfOtherFloats) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  struct Typed {
    int type;  // ONNX's number
    float sum;
  };
  for (const auto& [type, sum] : {Typed{10, 1000.5f}, Typed{16, 1000}, Typed{11, 1000.6931f}}) {
    ModelBuilder model(13);
    model.input("x", {"3", "2"}).node("Cast", {"x"}, {"typed"}, "in").with("to", type);
    model.node("ReduceLogSumExp", {"typed"}, {"reduced"}, "sum").with_ints("axes", {1});
    model.node("Cast", {"reduced"}, {"y"}, "out").with("to", 1).output("y");
    const TensorData x = float_tensor({3, 2}, {1000, 1000, 0, kInfinity, -kInfinity, -kInfinity});
    EXPECT_THAT(run_floats(model, {x}), ElementsAre(FloatEq(sum), kInfinity, -kInfinity)) << type;
  }
}

TEST(ReduceImport, Integers) {
  const auto reduced = [](const char* op, const std::vector<int64_t>& x) {
    ModelBuilder model(13);
    model.input("x", {"3"}, DType::kInt64).node(op, {"x"}, {"y"}).output("y", DType::kInt64);
    return ints_of(run_model(model, {int64_tensor({3}, x)})[0].bytes);
  };
  EXPECT_THAT(reduced("ReduceSum", {kMost, 1, 0}), ElementsAre(kLeast));
  EXPECT_THAT(reduced("ReduceMean", {-7, 0, 0}), ElementsAre(-2));
  EXPECT_THAT(reduced("ReduceL1", {-7, 2, 0}), ElementsAre(9));
  EXPECT_THAT(reduced("ReduceMax", {-7, 2, 0}), ElementsAre(2));
  ModelBuilder bytes(13);
  bytes.input("x", {"3"}, DType::kInt8).node("ReduceSum", {"x"}, {"y"}).output("y", DType::kInt8);
  EXPECT_THAT(import_error(bytes), HasSubstr("does not take its element types"));
}

ModelBuilder& arg(ModelBuilder& model, const char* op) {
  return model.input("x", {"2", "3"}).node(op, {"x"}, {"y"}).output("y", DType::kInt64);
}

std::vector<int64_t> places(const ModelBuilder& model) {
  return ints_of(run_model(model, {float_tensor({2, 3}, {1, 3, 3, 2, 2, 0})})[0].bytes);
}

TEST(ArgImport, AxesAndErrors) {
  ModelBuilder first(1), least(13), rows(13), last(12), old(11), outside(13);
  EXPECT_THAT(places(arg(first, "ArgMax")), ElementsAre(1, 0, 0));
  EXPECT_THAT(places(arg(least, "ArgMin").with("axis", -1)), ElementsAre(0, 2));
  arg(rows, "ArgMax").with("axis", 1).with("keepdims", 0);
  EXPECT_THAT(places(rows), ElementsAre(1, 0));
  arg(last, "ArgMax").with("axis", 1).with("select_last_index", 1);
  EXPECT_THAT(places(last), ElementsAre(2, 1));
  EXPECT_THAT(import_error(arg(old, "ArgMax").with("select_last_index", 1)),
              HasSubstr("attribute 'select_last_index'"));
  EXPECT_THAT(import_error(arg(outside, "ArgMax").with("axis", 2)),
              HasSubstr("axis 2 lies outside rank 2"));
}

// An input of no elements says all that it can: nothing.
TEST(ReduceImport, AxesThatCannotHoldAnyAreNone) {
  ModelBuilder model(13);
  model.input("x", {"2", "2"}).input("axes", {"0"}, DType::kInt64);
  model.node("ReduceSum", {"x", "axes"}, {"y"}).with("keepdims", 0).output("y");
  EXPECT_THAT(run_floats(model, {counting_tensor({2, 2}), int64_tensor({0}, {})}), ElementsAre(10));
}

TEST(ReduceMeanImport, AxesOfOpset18) {
  ModelBuilder axes(18), none(18), all(18);
  axes.input("x", {"2", "2"}).initialiser("a", int64_tensor({1}, {-1}));
  axes.node("ReduceMean", {"x", "a"}, {"y"}).with("keepdims", 0).output("y");
  EXPECT_THAT(run_floats(axes, {counting_tensor({2, 2})}), ElementsAre(1.5f, 3.5f));
  none.input("x", {"2", "2"}).node("ReduceMean", {"x"}, {"y"}).output("y");
  none.with("noop_with_empty_axes", 1);
  EXPECT_THAT(run_floats(none, {counting_tensor({2, 2})}), ElementsAre(1, 2, 3, 4));
  all.input("x", {"2", "2"}).node("ReduceMean", {"x"}, {"y"}).output("y");
  EXPECT_THAT(run_floats(all, {counting_tensor({2, 2})}), ElementsAre(2.5f));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
