// Builds the models that the campaign damages.
// FlexBuffers' texts of numbers are not used here: without this they ask for FlatBuffers' library.
#define FLATBUFFERS_LOCALE_INDEPENDENT 0
#include <flatbuffers/flexbuffers.h>

#include "tests/fuzz/tflite_seeds.h"

#include <cstring>

#include "tests/planner/tflite/tflite_builder.h"

namespace arenite::fuzz {
namespace {

using namespace planner;  // NOLINT(google-build-using-namespace): the builder's own

constexpr tfl::ActivationFunctionType kRelu = tfl::ActivationFunctionType_RELU;

TfliteBuilder sparse_model() {
  TfliteBuilder model;
  const int32_t x = model.input("x", {2, 4});
  const int32_t stored = model.tensor("stored", {2, 4});
  model.set_bytes(stored, std::vector<uint8_t>(16, 1));
  model.set_sparsity(stored, [](flatbuffers::FlatBufferBuilder& b) {
    const std::vector<int32_t> order = {0, 1, 2}, blocks = {1}, segments = {0, 1, 2};
    const std::vector<uint16_t> indices = {1, 0};
    const auto s = tfl::CreateInt32VectorDirect(b, &segments).Union();
    const auto i = tfl::CreateUint16VectorDirect(b, &indices).Union();
    const std::vector<flatbuffers::Offset<tfl::DimensionMetadata>> dims = {
        tfl::CreateDimensionMetadata(b, tfl::DimensionType_DENSE, 2),
        tfl::CreateDimensionMetadata(b, tfl::DimensionType_SPARSE_CSR, 0,
                                     tfl::SparseIndexVector_Int32Vector, s,
                                     tfl::SparseIndexVector_Uint16Vector, i),
        tfl::CreateDimensionMetadata(b, tfl::DimensionType_DENSE, 2)};
    return tfl::CreateSparsityParametersDirect(b, &order, &blocks, &dims);
  });
  const int32_t dense = model.tensor("dense", {2, 4});
  const int32_t y = model.tensor("y", {2, 4});
  model.op(124, {stored}, {dense});
  model.op(0, {x, dense}, {y});
  model.output(y);
  model.signature("serving_default", {"a"}, {"b"});
  return model;
}

// A model of detection, whose options are a map of names and numbers.
TfliteBuilder detection_model() {
  TfliteBuilder model;
  const int32_t boxes = model.input("boxes", {1, 3, 4});
  const int32_t scores = model.input("scores", {1, 3, 3});
  const int32_t anchors = model.constant(counting_tensor({3, 4}));
  std::vector<int32_t> outputs;
  for (const std::vector<int32_t>& dims : {std::vector<int32_t>{1, 2, 4}, {1, 2}, {1, 2}, {1}}) {
    outputs.push_back(model.tensor("y" + std::to_string(outputs.size()), dims));
    model.output(outputs.back());
  }
  flexbuffers::Builder options;
  options.Map([&] {
    for (const char* name : {"max_detections", "max_classes_per_detection", "num_classes"}) {
      options.Int(name, 2);
    }
    for (const char* name : {"y_scale", "x_scale", "h_scale", "w_scale"}) options.Float(name, 5.0f);
    options.Float("nms_score_threshold", 0.1f);
    options.Float("nms_iou_threshold", 0.5f);
    options.Bool("use_regular_nms", true);
  });
  options.Finish();
  model.custom("TFLite_Detection_PostProcess", {boxes, scores, anchors}, outputs,
               options.GetBuffer());
  return model;
}

using Scales = TfliteBuilder::Scales;

int32_t int8_input(TfliteBuilder& model, const char* name, const std::vector<int32_t>& dims) {
  const int32_t x = model.input(name, dims, tfl::TensorType_INT8);
  model.set_quantized(x, {{0.5f}, {-3}});
  return x;
}

int32_t int8_weights(TfliteBuilder& model, const std::vector<int32_t>& dims, Scales scales,
                     tfl::TensorType type = tfl::TensorType_INT8) {
  const int32_t w = model.tensor("w", dims, type);
  size_t bytes = type == tfl::TensorType_INT16 ? 2 : 1;
  for (const int32_t dim : dims) bytes *= static_cast<size_t>(dim);
  model.set_bytes(w, std::vector<uint8_t>(bytes, 0x7d));
  model.set_quantized(w, std::move(scales));
  return w;
}

int32_t int8_result(TfliteBuilder& model, const std::vector<int32_t>& dims) {
  const int32_t y = model.tensor("y", dims, tfl::TensorType_INT8);
  model.set_quantized(y, {{0.25f}, {5}});
  return y;
}

// A padded convolution with scales a channel, a sum, a mean and a softmax: all of integers.
TfliteBuilder integer_model() {
  TfliteBuilder model;
  const int32_t x = int8_input(model, "x", {1, 4, 4, 2});
  const int32_t sides = model.constant(int32_tensor({4, 2}, {0, 0, 1, 0, 0, 1, 0, 0}));
  const int32_t padded = model.tensor("padded", {1, 5, 5, 2}, tfl::TensorType_INT8);
  model.set_quantized(padded, {{0.5f}, {-3}});
  model.op(34, {x, sides}, {padded});
  const int32_t w = int8_weights(model, {3, 2, 2, 2}, {{0.5f, 0.25f, 0.125f}, {0, 0, 0}, 0});
  const int32_t bias = model.constant(int32_tensor({3}, {1, -2, 3}));
  model.set_quantized(bias, {{0.25f, 0.125f, 0.0625f}, {0, 0, 0}, 0});
  const int32_t made = int8_result(model, {1, 4, 4, 3});
  model.op(3, {padded, w, bias}, {made}, tfl::BuiltinOptions_Conv2DOptions,
           made_by<tfl::CreateConv2DOptions>(tfl::Padding_VALID, 1, 1, kRelu, 1, 1));
  const int32_t other = int8_input(model, "other", {1, 4, 4, 3});
  const int32_t sum = int8_result(model, {1, 4, 4, 3});
  model.op(0, {made, other}, {sum}, tfl::BuiltinOptions_AddOptions,
           made_by<tfl::CreateAddOptions>(kRelu));
  const int32_t mean = int8_result(model, {1, 3});
  model.op(40, {sum, model.ints({1, 2})}, {mean});
  const int32_t y = model.tensor("y", {1, 3}, tfl::TensorType_INT8);
  model.set_quantized(y, {{1.0f / 256}, {-128}});
  model.op(25, {mean}, {y}, tfl::BuiltinOptions_SoftmaxOptions,
           made_by<tfl::CreateSoftmaxOptions>(1.0f));
  model.output(y);
  return model;
}

// Weights of 4 bits, a table, other scales, numbers.
TfliteBuilder narrow_model() {
  TfliteBuilder model;
  const int32_t x = int8_input(model, "x", {2, 3});
  const int32_t w = model.tensor("w", {2, 3}, tfl::TensorType_INT4);
  model.set_bytes(w, {0x21, 0xf7, 0x80});
  model.set_quantized(w, {{0.5f}, {0}});
  const int32_t made = int8_result(model, {2, 2});
  model.op(9, {x, w}, {made});
  const int32_t bent = model.tensor("bent", {2, 2}, tfl::TensorType_INT8);
  model.set_quantized(bent, {{1.0f / 256}, {-128}});
  model.op(14, {made}, {bent});
  const int32_t again = int8_result(model, {2, 2});
  model.op(114, {bent}, {again});
  const int32_t y = model.tensor("numbers", {2, 2});
  model.op(6, {again}, {y});
  model.output(y);
  return model;
}

TfliteBuilder state_model() {
  TfliteBuilder model;
  const int32_t x = int8_input(model, "x", {1, 3});
  const int32_t features = int8_weights(model, {4, 3}, {{0.5f}, {0}});
  const int32_t times = int8_weights(model, {4, 2}, {{0.5f}, {0}}, tfl::TensorType_INT16);
  const int32_t state = model.tensor("state", {1, 8}, tfl::TensorType_INT16);
  model.set_quantized(state, {{0.25f}, {0}});
  model.set_variable(state);
  const int32_t y = int8_result(model, {1, 2});
  model.op(27, {x, features, times, -1, state}, {y}, tfl::BuiltinOptions_SVDFOptions,
           made_by<tfl::CreateSVDFOptions>(2, kRelu));
  model.output(y);
  return model;
}

// y = c ? x * x : x + x, c of the run, in subgraphs.
TfliteBuilder branch_model() {
  TfliteBuilder model;
  const int32_t x = model.input("x", {2});
  const int32_t condition = model.input("c", {1}, tfl::TensorType_BOOL);
  const int32_t y = model.tensor("y", {2});
  model.op(118, {condition, x}, {y}, tfl::BuiltinOptions_IfOptions,
           made_by<tfl::CreateIfOptions>(1, 2));
  model.output(y);
  for (const int32_t code : {18, 0}) {
    TfliteBuilder side;
    const int32_t a = side.input("a", {2}), b = side.tensor("b", {2});
    side.op(code, {a, a}, {b});
    side.output(b);
    model.subgraph(std::move(side));
  }
  return model;
}

TfliteBuilder lstm_model() {
  TfliteBuilder model;
  std::vector<int32_t> operands(24, -1);
  operands[0] = int8_input(model, "x", {1, 2, 2});
  for (size_t gate = 0; gate < 4; ++gate) {
    operands[1 + gate] = int8_weights(model, {3, 2}, {{0.5f}, {0}});
    operands[5 + gate] = int8_weights(model, {3, 3}, {{0.25f}, {0}});
    operands[12 + gate] = model.constant(int32_tensor({3}, {1, 2, 3}));
  }
  operands[18] = model.tensor("h", {1, 3}, tfl::TensorType_INT8);
  operands[19] = model.tensor("c", {1, 3}, tfl::TensorType_INT16);
  model.set_quantized(operands[18], {{0.25f}, {5}});
  model.set_quantized(operands[19], {{1.0f / 2048}, {0}});
  model.set_variable(operands[18]);
  model.set_variable(operands[19]);
  const int32_t y = int8_result(model, {1, 2, 3});
  model.op(44, operands, {y}, tfl::BuiltinOptions_UnidirectionalSequenceLSTMOptions,
           made_by<tfl::CreateUnidirectionalSequenceLSTMOptions>(tfl::ActivationFunctionType_TANH,
                                                                 10.0f, 0.0f, false, false, false));
  model.output(y);
  return model;
}

// The zero point of the first tensor lies where no number of 8 bytes may, which FlatBuffers'
// verifier lets pass: of a vector it checks where its length lies.
Bytes misaligned(Bytes file) {
  const auto* tensors = (*tfl::GetModel(file.data())->subgraphs())[0]->tensors();
  const auto* table = reinterpret_cast<const flatbuffers::Table*>((*tensors)[0]->quantization());
  const auto* field = table->GetAddressOf(tfl::QuantizationParameters::VT_ZERO_POINT);
  const auto at = static_cast<size_t>(field - reinterpret_cast<const uint8_t*>(file.data()));
  file.resize((file.size() + 7) / 8 * 8);
  const auto distance = static_cast<uint32_t>(file.size() - at);
  std::memcpy(file.data() + at, &distance, sizeof distance);
  const uint32_t count_and_zero_point[] = {1, 3, 0};
  file.resize(file.size() + sizeof count_and_zero_point);
  std::memcpy(file.data() + at + distance, count_and_zero_point, sizeof count_and_zero_point);
  return file;
}

}  // namespace

std::vector<Seed> tflite_seeds() {
  const TfliteOperand image = given(counting_tensor({1, 4, 4, 2}));
  const TfliteOperand matrix = given(counting_tensor({2, 3}));
  const auto numbers = [](const std::vector<int32_t>& list) {
    return fixed(int32_tensor({static_cast<uint32_t>(list.size())}, list));
  };
  const TfliteOperand sides = fixed(int32_tensor({2, 2}, {1, 0, 2, 1}));
  const TfliteOperand axis = fixed(int32_tensor({}, {1}));
  const std::vector<tfl::TensorType> ints = {tfl::TensorType_INT32};
  const std::vector<tfl::TensorType> three(3, tfl::TensorType_FLOAT32);
  const std::vector<std::pair<TfliteOp, std::vector<TfliteOperand>>> cases = {
      {{3, tfl::BuiltinOptions_Conv2DOptions,
        made_by<tfl::CreateConv2DOptions>(tfl::Padding_SAME, 2, 1, kRelu, 1, 2)},
       {image, fixed(counting_tensor({3, 2, 2, 2})), fixed(counting_tensor({3}))}},
      {{4, tfl::BuiltinOptions_DepthwiseConv2DOptions,
        made_by<tfl::CreateDepthwiseConv2DOptions>(tfl::Padding_VALID, 1, 1, 2, kRelu, 1, 1)},
       {image, fixed(counting_tensor({1, 2, 2, 4}))}},
      {{67, tfl::BuiltinOptions_TransposeConvOptions,
        made_by<tfl::CreateTransposeConvOptions>(tfl::Padding_SAME, 2, 2, kRelu)},
       {numbers({1, 8, 8, 3}), fixed(counting_tensor({3, 3, 3, 2})), image}},
      {{1, tfl::BuiltinOptions_Pool2DOptions,
        made_by<tfl::CreatePool2DOptions>(tfl::Padding_SAME, 2, 1, 3, 2, kRelu)},
       {image}},
      {{17, tfl::BuiltinOptions_Pool2DOptions,
        made_by<tfl::CreatePool2DOptions>(tfl::Padding_VALID, 1, 1, 2, 2, kRelu)},
       {image}},
      {{9, tfl::BuiltinOptions_FullyConnectedOptions,
        made_by<tfl::CreateFullyConnectedOptions>(
            kRelu, tfl::FullyConnectedOptionsWeightsFormat_DEFAULT, true)},
       {matrix, fixed(counting_tensor({4, 3})), fixed(counting_tensor({4}))}},
      {{0, tfl::BuiltinOptions_AddOptions, made_by<tfl::CreateAddOptions>(kRelu)},
       {matrix, given(counting_tensor({3}))}},
      {{22}, {matrix, numbers({3, -1})}},
      {{39}, {image, numbers({0, 3, 1, 2})}},
      {{45, tfl::BuiltinOptions_StridedSliceOptions,
        made_by<tfl::CreateStridedSliceOptions>(1, 2, 4, 8, 16, false)},
       {image, numbers({0, 1, 0, 0, 1}), numbers({2, 3, 0, 0, 2}), numbers({1, 1, 1, 1, 1})}},
      {{65}, {matrix, numbers({0, 1}), numbers({1, -1})}},
      {{34}, {matrix, sides}},
      {{60}, {matrix, sides, fixed(float_tensor({}, {4}))}},
      {{100}, {given(counting_tensor({2, 4})), sides}},
      {{2, tfl::BuiltinOptions_ConcatenationOptions,
        made_by<tfl::CreateConcatenationOptions>(1, kRelu)},
       {matrix, matrix}},
      {{49, tfl::BuiltinOptions_SplitOptions, made_by<tfl::CreateSplitOptions>(3), three},
       {axis, matrix}},
      {{.code = 102, .outputs = three}, {matrix, numbers({1, -1, 1}), axis}},
      {{83, tfl::BuiltinOptions_PackOptions, made_by<tfl::CreatePackOptions>(2, -1)},
       {matrix, matrix}},
      {{88, tfl::BuiltinOptions_UnpackOptions, made_by<tfl::CreateUnpackOptions>(3, 1), three},
       {matrix}},
      {{36, tfl::BuiltinOptions_GatherOptions, made_by<tfl::CreateGatherOptions>(1, 0)},
       {matrix, given(int32_tensor({2}, {2, 0}))}},
      {{36, tfl::BuiltinOptions_GatherOptions, made_by<tfl::CreateGatherOptions>(2, 1)},
       {image, given(int32_tensor({1, 2}, {3, 0}))}},
      {{35, tfl::BuiltinOptions_SequenceRNNOptions,
        made_by<tfl::CreateSequenceRNNOptions>(true, kRelu)},
       {given(counting_tensor({2, 1, 3})), fixed(counting_tensor({4, 3})),
        fixed(counting_tensor({4, 4})), fixed(counting_tensor({4}))}},
      {{38}, {image, numbers({2, 2}), fixed(int32_tensor({2, 2}, {0, 0, 2, 0}))}},
      {{37},
       {given(counting_tensor({4, 2, 2, 1})), numbers({2, 2}),
        fixed(int32_tensor({2, 2}, {0, 1, 0, 0}))}},
      {{40, tfl::BuiltinOptions_ReducerOptions, made_by<tfl::CreateReducerOptions>(true)},
       {image, numbers({1, 2})}},
      {{.code = 56, .outputs = ints}, {matrix, axis}},
      {{25, tfl::BuiltinOptions_SoftmaxOptions, made_by<tfl::CreateSoftmaxOptions>(2.0f)},
       {matrix}},
      {{85, tfl::BuiltinOptions_OneHotOptions, made_by<tfl::CreateOneHotOptions>(-1)},
       {given(int32_tensor({2}, {1, 0})), fixed(int32_tensor({}, {3})),
        fixed(float_tensor({}, {1})), fixed(float_tensor({}, {0}))}},
      {{.code = 96, .outputs = ints},
       {fixed(int32_tensor({}, {1})), fixed(int32_tensor({}, {9})), fixed(int32_tensor({}, {2}))}},
      {{94}, {numbers({2, 3}), given(float_tensor({}, {1}))}},
      {{69}, {matrix, numbers({2, 2})}},
      {{130}, {matrix, numbers({2, 2, 3})}},
      {{126, tfl::BuiltinOptions_BatchMatMulOptions,
        made_by<tfl::CreateBatchMatMulOptions>(false, true)},
       {matrix, matrix}},
      {{5, tfl::BuiltinOptions_DepthToSpaceOptions, made_by<tfl::CreateDepthToSpaceOptions>(2)},
       {given(counting_tensor({1, 2, 2, 4}))}},
      {{11}, {matrix}},
      {{105}, {matrix, numbers({1})}},
  };
  std::vector<Seed> seeds = {
      {"sparse", sparse_model().bytes()},    {"detection", detection_model().bytes()},
      {"integers", integer_model().bytes()}, {"4 bits", narrow_model().bytes()},
      {"state", state_model().bytes()},      {"branch", branch_model().bytes()},
      {"lstm", lstm_model().bytes()},        {"misaligned", misaligned(integer_model().bytes())}};
  for (const auto& [op, operands] : cases) {
    seeds.push_back({"operator " + std::to_string(op.code), model_of(op, operands).bytes()});
  }
  return seeds;
}

}  // namespace arenite::fuzz
// SPDX-License-Identifier: Apache-2.0
