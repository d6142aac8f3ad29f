// Tests variables that TensorFlow Lite models handle by operators: what they begin with, what a run
// leaves in them, and refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/graph/obstacles.h"
#include "tests/planner/tflite/tflite_builder.h"

namespace arenite::planner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int32_t kSum = 0, kCallOnce = 129, kVarHandle = 142, kRead = 143, kAssign = 144;

// A handle of the variable of that name.
int32_t handle(TfliteBuilder& model, const char* name, const char* container = nullptr) {
  const int32_t tensor = model.tensor(std::string(name) + "_handle", {}, tfl::TensorType_RESOURCE);
  model.op(kVarHandle, {}, {tensor}, tfl::BuiltinOptions_VarHandleOptions,
           [=](flatbuffers::FlatBufferBuilder& builder) {
             return tfl::CreateVarHandleOptionsDirect(builder, container, name).Union();
           });
  return tensor;
}

int32_t read(TfliteBuilder& model, int32_t from, const std::vector<int32_t>& dims) {
  const int32_t value = model.tensor("read", dims);
  model.op(kRead, {from}, {value});
  return value;
}

int32_t add(TfliteBuilder& model, int32_t a, int32_t b, const char* name) {
  const int32_t sum = model.tensor(name, {2});
  model.op(kSum, {a, b}, {sum}, tfl::BuiltinOptions_AddOptions,
           made_by<tfl::CreateAddOptions>(tfl::ActivationFunctionType_NONE));
  return sum;
}

void call_once(TfliteBuilder& model, int32_t subgraph) {
  model.op(kCallOnce, {}, {}, tfl::BuiltinOptions_CallOnceOptions,
           made_by<tfl::CreateCallOnceOptions>(subgraph));
}

// Sets the variable to 10, 20.
TfliteBuilder initializer(const char* name) {
  TfliteBuilder sets;
  const int32_t value = sets.constant(pair(10, 20));
  sets.op(kAssign, {handle(sets, name), value}, {});
  return sets;
}

// sum' = sum + x; y = sum'.
TfliteBuilder running_sum(bool initialized, const std::vector<int32_t>& kept = {2}) {
  TfliteBuilder model;
  const int32_t x = model.input("x", {2});
  if (initialized) call_once(model, 1);
  const int32_t sum = handle(model, "sum");
  const int32_t next = add(model, x, read(model, sum, kept), "next");
  model.op(kAssign, {sum, next}, {});
  const int32_t y = model.tensor("y", {2});
  model.op(kRead, {handle(model, "sum")}, {y});
  model.output(y);
  if (initialized) model.subgraph(initializer("sum"));
  return model;
}

Graph imported(const TfliteBuilder& model, const ImportOptions& options = {}) {
  return import_model(model.bytes(), options)[0].graph;
}

TEST(TfliteVariables, BeginWithWhatTheSubgraphSetsAndKeepWhatARunSets) {
  const Graph graph = imported(running_sum(true));
  ASSERT_EQ(graph.states.size(), 1u);
  EXPECT_EQ(graph.states[0].input, 1u);
  EXPECT_EQ(graph.states[0].output, 1u);
  EXPECT_EQ(graph.input_name(1), "sum");
  ASSERT_NE(graph.states[0].initial, nullptr);
  EXPECT_THAT(floats_of(*graph.states[0].initial), ElementsAre(10, 20));
  const std::vector<TensorData> first = run_tflite(running_sum(true), {pair(1, 2)});
  EXPECT_THAT(floats_of(first[0].bytes), ElementsAre(11, 22));
  EXPECT_THAT(floats_of(first[1].bytes), ElementsAre(11, 22));
  const std::vector<TensorData> second = run_tflite(running_sum(true), {pair(1, 2), first[1]});
  EXPECT_THAT(floats_of(second[0].bytes), ElementsAre(12, 24));
}

// Set in one order, read in the other.
TEST(TfliteVariables, AreToldApart) {
  TfliteBuilder model;
  const int32_t x = model.input("x", {2});
  call_once(model, 1);
  const int32_t second = read(model, handle(model, "second"), {3});
  const int32_t first = handle(model, "first");
  const int32_t sum = add(model, x, read(model, first, {2}), "sum");
  model.op(kAssign, {first, sum}, {});
  model.output(sum);
  model.output(second);
  TfliteBuilder sets = initializer("first");
  sets.op(kAssign, {handle(sets, "second"), sets.constant(float_tensor({3}, {1, 2, 3}))}, {});
  model.subgraph(std::move(sets));
  const Graph graph = imported(model);
  ASSERT_EQ(graph.states.size(), 2u);
  EXPECT_EQ(graph.input_name(graph.states[0].input), "second");
  EXPECT_THAT(floats_of(*graph.states[0].initial), ElementsAre(1, 2, 3));
  EXPECT_THAT(floats_of(*graph.states[1].initial), ElementsAre(10, 20));
  const std::vector<TensorData> made = run_tflite(model, {pair(1, 2)});
  ASSERT_EQ(made.size(), 4u);
  EXPECT_THAT(floats_of(made[graph.states[0].output].bytes), ElementsAre(1, 2, 3));
  EXPECT_THAT(floats_of(made[graph.states[1].output].bytes), ElementsAre(11, 22));
}

TEST(TfliteVariables, BeginAtZeroWhereNothingSetsThem) {
  const Graph graph = imported(running_sum(false));
  ASSERT_EQ(graph.states.size(), 1u);
  EXPECT_EQ(graph.states[0].initial, nullptr);
}

TEST(TfliteVariables, AreInputsAndOutputsForWhoKeepsThem) {
  ImportOptions options;
  options.variables_are_io = true;
  const Graph graph = imported(running_sum(false), options);
  EXPECT_THAT(graph.states, IsEmpty());
  EXPECT_EQ(graph.inputs.size(), 2u);
  EXPECT_THAT(graph.notes, ElementsAre(HasSubstr("variable 'sum' is an input and an output")));
}

// Nothing of an earlier run is read.
TEST(TfliteVariables, ThatEachRunSetsFirstAreNoStates) {
  TfliteBuilder model;
  const int32_t x = model.input("x", {2});
  const int32_t kept = handle(model, "kept", "box");
  model.op(kAssign, {kept, x}, {});
  model.output(read(model, kept, {2}));
  const Graph graph = imported(model);
  EXPECT_THAT(graph.states, IsEmpty());
  EXPECT_EQ(graph.inputs.size(), 1u);
  EXPECT_THAT(floats_of(run_tflite(model, {pair(3, 4)})[0].bytes), ElementsAre(3, 4));
}

// Read alone: each run sees what it began with.
TEST(TfliteVariables, ThatNothingSetsStayAsTheyBegan) {
  TfliteBuilder model;
  const int32_t x = model.input("x", {2});
  call_once(model, 1);
  model.output(add(model, x, read(model, handle(model, "sum"), {2}), "y"));
  model.subgraph(initializer("sum"));
  const std::vector<TensorData> made = run_tflite(model, {pair(1, 2)});
  EXPECT_THAT(floats_of(made[0].bytes), ElementsAre(11, 22));
  EXPECT_THAT(floats_of(made[1].bytes), ElementsAre(10, 20));
}

// A tensor of variable kind that any operator reads.
TEST(TfliteVariables, OfTensorKindAreReadByAnyOperator) {
  TfliteBuilder model;
  const int32_t x = model.input("x", {2});
  const int32_t kept = model.tensor("kept", {2});
  model.set_variable(kept);
  model.output(add(model, x, kept, "y"));
  ASSERT_EQ(imported(model).states.size(), 1u);
  const std::vector<TensorData> made = run_tflite(model, {pair(1, 2), pair(10, 20)});
  EXPECT_THAT(floats_of(made[0].bytes), ElementsAre(11, 22));
  EXPECT_THAT(floats_of(made[1].bytes), ElementsAre(10, 20));
}

TEST(TfliteVariables, ACutKeepsWhatSetsThem) {
  ImportOptions options;
  options.outputs = {"next"};
  const Graph graph = imported(running_sum(true), options);
  ASSERT_EQ(graph.states.size(), 1u);
  EXPECT_EQ(graph.outputs.size(), 2u);
}

TEST(TfliteVariables, ContradictionsAreRefused) {
  EXPECT_THAT(tflite_error(running_sum(false, {3})), HasSubstr("(ADD)"));
  EXPECT_THAT(tflite_error(running_sum(true, {1, 2})),
              HasSubstr("variable 'sum' is float32 [1, 2], output 0 float32 [2]"));
  TfliteBuilder nothing;
  const int32_t x = nothing.input("x", {2});
  nothing.output(add(nothing, x, read(nothing, x, {2}), "y"));
  EXPECT_THAT(tflite_error(nothing), HasSubstr("is no handle of an earlier VAR_HANDLE"));
  TfliteBuilder other = running_sum(false);
  call_once(other, 7);
  EXPECT_THAT(tflite_error(other), HasSubstr("(CALL_ONCE): names subgraph 7 of 1"));
  TfliteBuilder longer = running_sum(false);
  TfliteBuilder sets;
  sets.op(kAssign, {handle(sets, "sum"), sets.constant(float_tensor({3}, {1, 2, 3}))}, {});
  call_once(longer, 1);
  longer.subgraph(std::move(sets));
  // It is read before it is set in this model: what it begins with is looked at behind the calls.
  EXPECT_THAT(tflite_error(longer), HasSubstr("variable 'sum' begins with 12 bytes"));
}

TEST(TfliteVariables, AnInitializerThatCallsItselfIsRefused) {
  TfliteBuilder model = running_sum(true);
  TfliteBuilder calls;
  call_once(calls, 2);
  model.subgraph(std::move(calls));
  call_once(model, 2);
  EXPECT_THAT(tflite_error(model),
              HasSubstr("subgraph 2, operator 0 (CALL_ONCE): calls subgraph 2, in which"));
}

// A method that adds to the variable, one that reads it and one that sets it.
TfliteBuilder three_methods() {
  TfliteBuilder model = running_sum(true);
  model.signature("add", {"x"}, {"y"});
  TfliteBuilder reads;
  reads.output(read(reads, handle(reads, "sum"), {2}));
  reads.signature("get", {}, {"now"});
  model.subgraph(std::move(reads));
  TfliteBuilder sets;
  const int32_t to = sets.input("to", {2});
  sets.op(kAssign, {handle(sets, "sum"), to}, {});
  sets.signature("set", {"to"}, {});
  model.subgraph(std::move(sets));
  return model;
}

TEST(TfliteVariables, AreOneStateOfAllMethodsThatUseThem) {
  const std::vector<ImportedMethod> methods = import_model(three_methods().bytes(), {});
  ASSERT_EQ(methods.size(), 3u);
  for (const ImportedMethod& method : methods) {
    ASSERT_EQ(method.graph.states.size(), 1u) << method.name;
    const GraphState& state = method.graph.states[0];
    EXPECT_EQ(state.shared, "sum");
    EXPECT_EQ(method.graph.input_name(state.input), "sum");
    ASSERT_NE(state.initial, nullptr) << method.name;  // as the first method says
    EXPECT_THAT(floats_of(*state.initial), ElementsAre(10, 20));
  }
  EXPECT_EQ(methods[0].graph.states[0].output, 1u);
  EXPECT_EQ(methods[1].graph.states[0].output, kNoIndex);  // it is only read
  EXPECT_EQ(methods[1].graph.outputs.size(), 1u);
  EXPECT_EQ(methods[2].graph.states[0].output, 0u);  // it is only set
  EXPECT_EQ(methods[2].graph.inputs.size(), 2u);
  ImportOptions options;
  options.variables_are_io = true;
  const std::vector<ImportedMethod> kept = import_model(three_methods().bytes(), options);
  for (const ImportedMethod& method : kept) EXPECT_THAT(method.graph.states, IsEmpty());
  EXPECT_EQ(kept[2].graph.inputs.size(), 1u);
  EXPECT_EQ(kept[2].graph.outputs.size(), 1u);
}

TEST(TfliteVariables, OfOneMethodAloneAreItsOwn) {
  TfliteBuilder model = running_sum(false);
  model.signature("first", {"x"}, {"y"});
  TfliteBuilder second;
  const int32_t x = second.input("x", {2});
  const int32_t other = handle(second, "other");
  second.op(kAssign, {other, add(second, x, read(second, other, {2}), "y")}, {});
  second.output(read(second, other, {2}));
  second.signature("second", {"x"}, {"y"});
  model.subgraph(std::move(second));
  for (const ImportedMethod& method : import_model(model.bytes(), {})) {
    ASSERT_EQ(method.graph.states.size(), 1u);
    EXPECT_EQ(method.graph.states[0].shared, "");
  }
}

TEST(TfliteVariables, BeginAlikeInAllMethods) {
  TfliteBuilder model = running_sum(true);
  model.signature("first", {"x"}, {"y"});
  TfliteBuilder second;
  call_once(second, 3);
  second.output(read(second, handle(second, "sum"), {2}));
  second.signature("second", {}, {"y"});
  model.subgraph(std::move(second));
  TfliteBuilder sets;
  sets.op(kAssign, {handle(sets, "sum"), sets.constant(pair(1, 2))}, {});
  model.subgraph(std::move(sets));
  EXPECT_THAT(tflite_error(model),
              HasSubstr("variable 'sum' begins in method 'second' with other elements than in "
                        "method 'first'"));
}

TEST(TfliteVariables, OfIntegersBeginAtTheirZeroPoint) {
  TfliteBuilder model;
  const int32_t x = model.input("x", {2}, tfl::TensorType_INT8);
  model.set_quantized(x, {{0.5f}, {3}, 0});
  const int32_t kept = handle(model, "kept");
  const int32_t before = model.tensor("before", {2}, tfl::TensorType_INT8);
  model.set_quantized(before, {{0.5f}, {3}, 0});
  model.op(kRead, {kept}, {before});
  model.op(kAssign, {kept, x}, {});
  model.output(before);
  const Graph graph = imported(model);
  ASSERT_EQ(graph.states.size(), 1u);
  ASSERT_NE(graph.states[0].initial, nullptr);
  EXPECT_THAT(*graph.states[0].initial, ElementsAre(std::byte{3}, std::byte{3}));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
