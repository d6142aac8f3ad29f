// Tests that `.cases` files are refused where they are wrong, and that wrong expectations are
// found.
#include <gtest/gtest.h>

#include "support/errors.h"
#include "tests/planner/cases/check.h"
#include "tests/planner/cases/parse.h"

namespace arenite::planner::cases {
namespace {

constexpr const char* kRelu = R"(
opset 13
case relu
  input x float32 [2] = -1 2
  y = Relu(x)
)";

// The problems of each case of the text.
std::string problems_of(const std::string& text) {
  const CaseFile file = parse_cases("a.cases", text);
  std::string all;
  for (const Case& test : file.cases) {
    for (const std::string& problem : check(test, file)) all += problem + "\n";
  }
  return all;
}

std::string parse_error(const std::string& text) {
  try {
    parse_cases("a.cases", text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void expect_part(const std::string& part, const std::string& text) {
  EXPECT_NE(text.find(part), std::string::npos)
      << "expected '" << part << "', found '" << text << "'";
}

TEST(Cases, WhatIsAsExpectedPasses) {
  EXPECT_EQ(problems_of(kRelu + std::string("  expect y float32 [2] = 0 2")), "");
  EXPECT_EQ(problems_of(kRelu + std::string("  expect y float32 [2] within 0.1 = 0.05 2")), "");
  EXPECT_EQ(problems_of(kRelu + std::string("  nodes clip")), "");
}

TEST(Cases, WrongExpectationsAreFound) {
  const auto with = [](const char* line) { return problems_of(kRelu + std::string(line)); };
  expect_part("a.cases:6: case relu: expected y = 0 3, found 0 2 (element 1)",
              with("  expect y float32 [2] = 0 3"));
  expect_part("expected y = 0.2 2, found 0 2", with("  expect y float32 [2] within 0.1 = 0.2 2"));
  expect_part("expected y of dims [3], found [2]", with("  expect y float32 [3]"));
  expect_part("a.cases:3: case relu: expected an error 'text', found a graph",
              with("  refuse \"text\""));
  expect_part("expected a run that fails, found results", with("  fail \"text\""));
  expect_part("expected the nodes relu, found the nodes clip", with("  nodes relu"));
  expect_part("expected an output 'z', found none", with("  expect z float32 [2]"));
  expect_part("expected a graph, found the error", with("  expect y int32 [2]"));
  const std::string negative = "\ncase negative\n  like relu\n  y = Neg(x)\n";
  const std::string relu = kRelu + std::string("  expect y float32 [2] = 0 2");
  expect_part("a.cases:10: case negative: expected y = 0 2, found 1 -2 (element 0)",
              problems_of(relu + negative + "  expect y float32 as relu"));
  EXPECT_EQ(problems_of(relu + negative + "  expect y float32 unlike relu"), "");
  expect_part("found what it is to differ from",
              problems_of(relu + "\ncase same\n  like relu\n  expect y float32 unlike relu"));
}

TEST(Cases, ErrorsAreComparedPartByPart) {
  const std::string unknown = "opset 13\ncase unknown\n  input x float32 [2]\n  y = Fancy(x)\n";
  EXPECT_EQ(problems_of(unknown + "  refuse \"'Fancy'\" \"not supported\""), "");
  expect_part("expected an error that holds 'Plain', found",
              problems_of(unknown + "  refuse \"'Fancy'\" \"Plain\""));
  expect_part("expected the error ''Fancy''",
              problems_of(unknown + "  refuse exactly \"'Fancy'\""));
  expect_part("a.cases:2: case unknown: expected a graph, found the error",
              problems_of(unknown + "  expect y float32 [2]"));
}

TEST(Cases, TensorFlowLitesTablesAreChecked) {
  const std::string softmax = "tflite\ncase softmax\n  input x float32 [1, 2] = 3 3\n";
  EXPECT_EQ(problems_of(softmax + "  y = SOFTMAX(x) SoftmaxOptions {beta: 2.0}\n"
                                  "  expect y float32 [1, 2] = 0.5 0.5"),
            "");
  const auto with = [&](const char* line) {
    return problems_of(softmax + line + "\n  expect y float32 [1, 2] = 0.5 0.5");
  };
  expect_part("tflite_codes.h has no operator 'SOFTMAXES'", with("  y = SOFTMAXES(x)"));
  expect_part("unknown field: gamma", with("  y = SOFTMAX(x) SoftmaxOptions {gamma: 2.0}"));
  expect_part("no tensor 'z'", with("  y = SOFTMAX(z)"));
  expect_part("expected steps of integers alone, found",
              problems_of("tflite\nplan\ncase div\n  input a int8 [2] scale 1 zero 0 = 3 4\n"
                          "  input b int8 [2] scale 1 zero 0 = 3 4\n"
                          "  tensor y int8 [] scale 1 zero 0\n  y = DIV(a, b)\n"
                          "  expect y int8 [2] = 1 1"));
}

TEST(Cases, WhatCannotBeWrittenIsNotRefused) {
  const std::string wrong = "tflite\ncase wrong\n  input x float32 [2]\n  y = RELU(z)\n";
  EXPECT_EQ(problems_of(wrong + "  refuse \"no tensor\""),
            "a.cases:2: case wrong: expected a model, found 'no tensor 'z''\n");
}

TEST(Cases, FilesSayWhereTheyAreWrong) {
  EXPECT_EQ(parse_error(kRelu + std::string("  expects y float32 [2] = 0 2")),
            "a.cases:6: unknown word 'expects'");
  EXPECT_EQ(parse_error(kRelu), "a.cases:3: case 'relu' expects nothing");
  EXPECT_EQ(parse_error(kRelu + std::string("\ncase b\n  like relu\n  nodes clip")),
            "a.cases:3: case 'relu' expects nothing");
  EXPECT_EQ(parse_error(kRelu + std::string("  refuse \"text\"\n  nodes clip")),
            "a.cases:3: case 'relu' is refused, and expects more");
  EXPECT_EQ(parse_error(kRelu + std::string("  fail \"text\"\n  expect y float32 [2]")),
            "a.cases:3: case 'relu' fails, and expects results");
  const std::string whole = kRelu + std::string("  expect y float32 [2]\n");
  EXPECT_EQ(parse_error(whole + "case relu"), "a.cases:7: there is a case 'relu' before");
  EXPECT_EQ(parse_error(whole + "case b\n  like c"), "a.cases:8: no case 'c' before");
  EXPECT_EQ(parse_error(whole + "  expect y float32 as c"), "a.cases:7: no case 'c' in this file");
  expect_part("expected 2 numbers, found 1", parse_error(whole + "  input z float32 [2] = 1"));
  expect_part("expected a number, found 'one'", parse_error(whole + "  input z int8 [1] = one"));
  expect_part("'128' is no int8", parse_error(whole + "  input z int8 [1] = 128"));
  expect_part("expected an element type", parse_error(whole + "  input z float [1]"));
  expect_part("there is a tensor 'x' before", parse_error(whole + "  input x int8 [1]"));
  expect_part("expected the end of the line", parse_error(whole + "  z = Neg(y) {a: 1} more"));
  expect_part("a bracket is not closed", parse_error(whole + "  z = Neg(y) {a: [1, 2"));
  expect_part("a quoted text does not end", parse_error(whole + "  z = Neg(y) {a: \"1}"));
  expect_part("expected `case`, found 'input'", parse_error("input x float32 [1]"));
  EXPECT_EQ(parse_error("opset 13\n"), "a.cases:1: the file has no case");
}

}  // namespace
}  // namespace arenite::planner::cases
// SPDX-License-Identifier: Apache-2.0
