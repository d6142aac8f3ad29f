// Tests that a refusal lists all obstacles of a model, and nothing that only follows from them.
#include "planner/graph/obstacles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "onnx.pb.h"
#include "planner/import/import.h"
#include "planner/import/onnx/operators/ops.h"
#include "planner/report/op_support.h"
#include "tests/planner/model/model_builder.h"
#include "tests/planner/model/run_model.h"

namespace arenite::planner {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct Row {
  std::string op;
  uint32_t count = 0;
  std::string first_node;
  bool operator==(const Row&) const = default;
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.op << " x " << row.count << " at " << row.first_node;
}

ObstaclesError obstacles_of(const ModelBuilder& model) {
  try {
    import_onnx(model.bytes(), {});
  } catch (const ObstaclesError& error) {
    return error;
  }
  ADD_FAILURE() << "no obstacle was met";
  return ObstaclesError({{"none", "none", "none", "none"}});
}

std::vector<Row> rows_of(const ModelBuilder& model) {
  std::vector<Row> rows;
  for (const ObstacleGroup& group : grouped(obstacles_of(model).obstacles)) {
    rows.push_back({group.op, group.count, group.first_node});
  }
  return rows;
}

TEST(Obstacles, AllAreToldGroupedByOperator) {
  ModelBuilder model(13);
  model.input("x", {"2"}).node("Unheard", {"x"}, {"a"}, "first");
  model.node("Relu", {"a"}, {"b"}).node("Novel", {"b"}, {"c"}, "");
  model.node("Unheard", {"c"}, {"d"}, "last").node("Fancy", {"d"}, {"y"}).domain("com.example");
  model.output("y");
  EXPECT_THAT(rows_of(model), ElementsAre(Row{"Unheard", 2, "first"}, Row{"Novel", 1, "Novel_2"},
                                          Row{"com.example.Fancy", 1, "n"}));
  EXPECT_THAT(obstacles_of(model).what(),
              AllOf(HasSubstr("4 obstacles"), HasSubstr("operator is not supported")));
}

TEST(Obstacles, OneIsASentence) {
  ModelBuilder model(13);
  model.input("x", {"2"}).node("Unheard", {"x"}, {"y"}, "u").output("y");
  EXPECT_STREQ(
      obstacles_of(model).what(),
      "node 'u' (op 'Unheard'): operator is not supported; instead: those that 'arenite ops' "
      "lists");
}

TEST(Obstacles, WhatReadsAnUnknownValueIsNoObstacle) {
  ModelBuilder model(13);
  model.input("x", {"2", "3"}).input("z", {"5", "7"}).node("Unheard", {"x"}, {"a"}, "u");
  // With any shape of `a` but one these would contradict themselves.
  model.node("MatMul", {"a", "z"}, {"b"}).node("Add", {"a", "z"}, {"c"});
  model.node("Reshape", {"b", "c"}, {"y"}).output("y");
  EXPECT_THAT(rows_of(model), ElementsAre(Row{"Unheard", 1, "u"}));
}

TEST(Obstacles, OmittedOperandsAreKnown) {
  ModelBuilder model(13);
  model.input("x", {"2"}).node("Unheard", {"x"}, {"", "a"}, "u");
  model.node("Clip", {"x", "", ""}, {"y"}).with("surprise", 1).output("y");
  EXPECT_THAT(rows_of(model), ElementsAre(Row{"Unheard", 1, "u"}, Row{"Clip", 1, "n"}));
}

TEST(Obstacles, ReasonsOfOneOperatorAreTold) {
  ModelBuilder model(13);
  model.input("x", {"2"}).node("Relu", {"x"}, {"a"}, "p").with("surprise", 1);
  model.node("Relu", {"x"}, {"b"}, "q").with("wonder", 1);
  model.node("Relu", {"x"}, {"c"}, "r").domain("other").output("c");
  const auto groups = grouped(obstacles_of(model).obstacles);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].count, 2u);
  EXPECT_THAT(groups[0].why, AllOf(HasSubstr("attribute 'surprise'"), Not(HasSubstr("node"))));
  EXPECT_EQ(groups[1].op, "other.Relu");
}

TEST(Obstacles, AKernelsRefusalLeavesShapesKnown) {
  ModelBuilder model(13);
  model.input("x", {"2"}, DType::kBool).node("Sigmoid", {"x"}, {"a"}, "p");
  model.node("Sigmoid", {"a"}, {"y"}, "q").output("y", DType::kBool);
  EXPECT_THAT(rows_of(model), ElementsAre(Row{"Sigmoid", 2, "p"}));
}

TEST(Obstacles, AnUnknownOpsetHidesNoOperator) {
  ModelBuilder model(99);
  model.input("x", {"2"}).node("Relu", {"x"}, {"a"}).node("Unheard", {"a"}, {"y"}, "u").output("y");
  EXPECT_THAT(rows_of(model), ElementsAre(Row{"opset", 1, "99"}, Row{"Unheard", 1, "u"}));
}

// Obstacles name what they wait for, or what was meant, and what would work.
TEST(Obstacles, TheNearestThingThatWorksIsNamed) {
  ModelBuilder counted(13), slip(13), types(13), run_time(13);
  counted.input("x", {"2"}).node("NonZero", {"x"}, {"p"}, "n");
  counted.node("Concat", {"p", "p"}, {"y"}).with("axis", 1).output("y");
  EXPECT_THAT(import_error(counted), HasSubstr("instead: --outputs with what it reads, and the "
                                               "rest behind the model (the node reads 'p', 'p')"));
  slip.input("x", {"2"}).node("Sofmax", {"x"}, {"y"}).output("y");
  EXPECT_THAT(import_error(slip), HasSubstr("did you mean 'Softmax'?"));
  types.input("x", {"2"}, DType::kInt32).node("Sigmoid", {"x"}, {"y"}).output("y", DType::kInt32);
  EXPECT_THAT(import_error(types),
              HasSubstr("does not take its element types, but float32, float16 or bfloat16"));
  run_time.input("x", {"2"}).input("s", {"1"}, DType::kInt64);
  run_time.node("Reshape", {"x", "s"}, {"y"}).output("y");
  EXPECT_THAT(import_error(run_time), HasSubstr("instead: an initializer"));
}

std::string instead_of(const ModelBuilder& model) {
  return obstacles_of(model).obstacles.at(0).instead;
}

// Inputs, initializers, outputs, attributes and the opset have advice too.
TEST(Obstacles, WhateverStandsInTheWayNamesWhatWorks) {
  ModelBuilder text(13), opset(99), shape(13);
  text.input("x", {"2"}, static_cast<DType>(8)).node("Relu", {"x"}, {"y"}).output("y");
  EXPECT_THAT(instead_of(text), HasSubstr("numbers, made of the text"));
  opset.input("x", {"2"}).node("Relu", {"x"}, {"y"}).output("y");
  EXPECT_THAT(instead_of(opset), HasSubstr("exported for opset 25"));
  shape.input("x", {"2", "L"}).node("Unheard", {"x"}, {"y"}).output("y");
  const auto all = obstacles_of(shape).obstacles;
  EXPECT_EQ(all.back().op, "input");
  EXPECT_EQ(all.back().why, "dimension 1 of [2, L] is not set");
  EXPECT_EQ(all.back().instead, "give it with --shape x=...");
}

TEST(Obstacles, DataOutsideOfTheModelIsAskedFor) {
  ModelBuilder model(13);
  model.input("x", {"2"}).node("Add", {"x", "w"}, {"y"}).output("y");
  onnx::ModelProto proto;
  const std::vector<std::byte> whole = model.bytes();
  ASSERT_TRUE(proto.ParseFromArray(whole.data(), static_cast<int>(whole.size())));
  onnx::TensorProto* w = proto.mutable_graph()->add_initializer();
  w->set_name("w");
  w->set_data_type(onnx::TensorProto::FLOAT);
  w->set_data_location(onnx::TensorProto::EXTERNAL);
  onnx::StringStringEntryProto* location = w->add_external_data();
  location->set_key("location");
  location->set_value("w.bin");
  const std::string text = proto.SerializeAsString();
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  try {
    import_onnx(bytes, {});
    FAIL();
  } catch (const ObstaclesError& error) {
    EXPECT_STREQ(
        error.what(),
        "initializer 'w': its data lies in the file 'w.bin', and what comes from memory or "
        "a pipe has no folder to find it in; instead: the model by the path of its file, "
        "or with its data inside");
  }
}

TEST(Obstacles, NoOperatorIsBothRefusedAndImported) {
  for (const RefusedOp& refused : refused_ops()) {
    EXPECT_EQ(find_import_row("", refused.name), nullptr) << refused.name;
    EXPECT_FALSE(refused.instead.empty()) << refused.name;
  }
}

TEST(Obstacles, MissingShapesAreAskedForTogether) {
  ModelBuilder model(13);
  model.input("x", {"2", "L"}).input("z", {"2", "M"}).node("Add", {"x", "z"}, {"y"}).output("y");
  EXPECT_THAT(import_error(model), AllOf(HasSubstr("--shape x="), HasSubstr("--shape z=")));
  model.node("Unheard", {"x"}, {"w"}, "u");
  EXPECT_THAT(rows_of(model),
              ElementsAre(Row{"Unheard", 1, "u"}, Row{"input", 1, "x"}, Row{"input", 1, "z"}));
}

TEST(Obstacles, ContradictionsAreErrorsAtOnce) {
  ModelBuilder model(13);
  model.input("x", {"2"}).input("z", {"3"}).node("Unheard", {"x"}, {"a"});
  model.node("Add", {"x", "z"}, {"y"}, "sum").output("y");
  EXPECT_THAT(import_error(model), AllOf(HasSubstr("'sum'"), Not(HasSubstr("Unheard"))));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
