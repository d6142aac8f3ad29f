// The planner's C interface: programs, reports, and what it says when something is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "include/arenite_planner.h"

namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kModel = ARENITE_TEST_DIGITS "/digits.onnx";

arenite_result create(std::vector<const char*> words, arenite_plan** plan) {
  return arenite_plan_create(words.data(), words.size(), plan);
}

std::string taken(char* text) {
  std::string copy = text != nullptr ? text : "";
  arenite_plan_free_text(text);
  return copy;
}

TEST(PlannerApi, PlansAProgramThatRuns) {
  arenite_plan* plan = nullptr;
  ASSERT_EQ(create({kModel, "--board", "host", "--optimize", "memory"}, &plan), ARENITE_OK)
      << arenite_plan_last_error();
  size_t bytes = 0;
  const void* file = arenite_plan_program(plan, &bytes);
  arenite_program* program = nullptr;
  ASSERT_EQ(arenite_program_copy(file, bytes, &program), ARENITE_OK);
  arenite_session* session = nullptr;
  arenite_options options = ARENITE_OPTIONS_INIT;
  options.device = "cpu";
  EXPECT_EQ(arenite_session_create(program, &options, &session), ARENITE_OK);
  EXPECT_EQ(arenite_session_run(session), ARENITE_OK);
  EXPECT_THAT(taken(arenite_plan_report(plan, "text")), HasSubstr("host"));
  EXPECT_THAT(taken(arenite_plan_report(plan, "json")), StartsWith("{"));
  EXPECT_THAT(taken(arenite_plan_report(plan, "svg")), HasSubstr("<svg"));
  EXPECT_THAT(taken(arenite_plan_report(plan, "html")), HasSubstr("<!DOCTYPE html>"));
  EXPECT_EQ(arenite_plan_report(plan, "pdf"), nullptr);
  EXPECT_THAT(arenite_plan_last_error(), HasSubstr("'pdf'"));
  arenite_session_free(session);
  arenite_program_free(program);
  arenite_plan_free(plan);
}

TEST(PlannerApi, CutsModels) {
  arenite_plan* plan = nullptr;
  ASSERT_EQ(create({kModel, "--outputs", "/2/Relu_output_0"}, &plan), ARENITE_OK)
      << arenite_plan_last_error();
  EXPECT_THAT(taken(arenite_plan_report(plan, "json")), HasSubstr("--outputs '/2/Relu_output_0'"));
  arenite_plan_free(plan);
  EXPECT_EQ(create({kModel, "--outputs", "logit"}, &plan), ARENITE_BAD_INPUT);
  EXPECT_THAT(arenite_plan_last_error(), HasSubstr("did you mean 'logits'?"));
  EXPECT_EQ(create({kModel, "--fix", "image=1"}, &plan), ARENITE_BAD_INPUT);
  EXPECT_THAT(arenite_plan_last_error(), HasSubstr("has 1 element, the input is float32"));
}

TEST(PlannerApi, WhatDoesNotFitHasAReportAndNoProgram) {
  const std::string board = testing::TempDir() + "/small-board.json";
  std::ofstream(board) << R"({"name": "small", "cpu": {"name": "c"}, "memories": [
    {"name": "sram", "kind": "sram", "base": "0x20000000", "bytes": "4K"}]})";
  arenite_plan* plan = nullptr;
  EXPECT_EQ(create({kModel, "--board", board.c_str()}, &plan), ARENITE_FAILED);
  EXPECT_THAT(arenite_plan_last_error(), HasSubstr("sram"));
  ASSERT_NE(plan, nullptr);
  size_t bytes = 1;
  EXPECT_EQ(arenite_plan_program(plan, &bytes), nullptr);
  EXPECT_EQ(bytes, 0u);
  EXPECT_THAT(taken(arenite_plan_report(plan, "json")), HasSubstr("does_not_fit"));
  arenite_plan_free(plan);
}

TEST(PlannerApi, ErrorsSayWhatIsWrong) {
  arenite_plan* plan = nullptr;
  const auto refuse = [&](std::vector<const char*> words, const char* message) {
    EXPECT_EQ(create(std::move(words), &plan), ARENITE_BAD_INPUT) << message;
    EXPECT_EQ(plan, nullptr);
    EXPECT_THAT(arenite_plan_last_error(), HasSubstr(message));
  };
  refuse({"/no/such.onnx"}, "/no/such.onnx");
  refuse({kModel, "--board", "nowhere"}, "nowhere");
  refuse({kModel, "--optimise", "speed"}, "--optimize");  // did you mean
  refuse({kModel, "-o", "x.arn"}, "-o");                  // writes nothing
  refuse({kModel, "--help"}, "--help");
  refuse({kModel, nullptr}, "null");
  refuse({}, "MODEL");
  EXPECT_EQ(arenite_plan_create(nullptr, 1, &plan), ARENITE_BAD_INPUT);
  EXPECT_EQ(create({kModel}, nullptr), ARENITE_BAD_INPUT);
  EXPECT_EQ(arenite_plan_report(nullptr, "text"), nullptr);
  EXPECT_EQ(arenite_plan_program(nullptr, nullptr), nullptr);
  arenite_plan_free(nullptr);
  arenite_plan_free_text(nullptr);
}

TEST(PlannerApi, ListsBoards) {
  EXPECT_THAT(taken(arenite_plan_boards()), HasSubstr("mps3-an547\n"));
}

TEST(PlannerApi, RunsCommands) {
  char *output = nullptr, *notes = nullptr;
  const char* doctor[] = {"doctor", "--json"};
  ASSERT_EQ(arenite_plan_command(doctor, 2, &output, &notes), ARENITE_OK);
  EXPECT_THAT(taken(output), HasSubstr("\"vulkan\":"));
  EXPECT_EQ(taken(notes), "");
  const char* absent[] = {"inspect", "/no/such.arn"};
  EXPECT_EQ(arenite_plan_command(absent, 2, &output, nullptr), ARENITE_BAD_INPUT);
  EXPECT_EQ(output, nullptr);
  EXPECT_THAT(arenite_plan_last_error(), HasSubstr("/no/such.arn"));
  const char* wrong[] = {"inspekt", "x"};
  EXPECT_EQ(arenite_plan_command(wrong, 2, nullptr, nullptr), ARENITE_BAD_INPUT);
  EXPECT_THAT(arenite_plan_last_error(), HasSubstr("did you mean 'inspect'?"));
  EXPECT_EQ(arenite_plan_command(nullptr, 0, nullptr, nullptr), ARENITE_BAD_INPUT);
  EXPECT_EQ(arenite_plan_command(nullptr, 1, nullptr, nullptr), ARENITE_BAD_INPUT);
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
