// Tests fitted costs: they are found again, are never negative, and go by case of a form.
#include "tools/calibrate/fit_costs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "planner/board/board.h"
#include "planner/steps/decide/costs.h"
#include "support/errors.h"
#include "tools/calibrate/board_costs.h"
#include "tools/calibrate/judge.h"

namespace arenite::tools {
namespace {

using planner::MeasuredCost;
using testing::HasSubstr;

// A convolution over a picture of this size.
planner::StepSize size_of_conv(uint32_t channels, uint32_t side, uint32_t outputs, uint32_t taps) {
  const std::vector<uint32_t> attributes = {1};
  planner::StepFacts facts{
      .op = Op::kConv,
      .inputs = {{{1, channels, side, side}}, {{outputs, channels, taps, taps}}},
      .output = {{1, outputs, side, side}},
      .attributes = attributes};
  return planner::size_of(facts);
}

std::vector<planner::StepSize> sizes() {
  std::vector<planner::StepSize> all;
  for (const uint32_t channels : {1u, 8u, 40u}) {
    for (const uint32_t side : {4u, 9u, 32u}) {
      for (const uint32_t outputs : {4u, 24u}) {
        for (const uint32_t taps : {1u, 3u}) {
          all.push_back(size_of_conv(channels, side, outputs, taps));
        }
      }
    }
  }
  return all;
}

std::vector<CostSample> samples_of(const MeasuredCost& cost, const std::string& which) {
  std::vector<CostSample> samples;
  for (const planner::StepSize& size : sizes()) {
    samples.push_back({"Conv.float32", which, size, planner::picoseconds(cost, size)});
  }
  return samples;
}

constexpr MeasuredCost kCost = {.ps_per_unit = 700,
                                .ps = 5e6,
                                .ps_per_result = 20e3,
                                .ps_per_line = 150e3,
                                .ps_per_row = 2e6,
                                .ps_per_tap = 12e3,
                                .ps_per_input = 1500,
                                .ps_per_weight = 900};

TEST(FitCosts, FindsTheCostsThatStepsWereMadeBy) {
  const auto samples = samples_of(kCost, "");
  const planner::FormCosts costs = fit_costs(samples);
  ASSERT_EQ(costs.size(), 1u);
  for (const CostSample& sample : samples) {
    const double predicted = planner::picoseconds(costs.at("Conv.float32"), sample.size);
    EXPECT_NEAR(predicted / sample.ps, 1, 0.01);
  }
  // A size that none of them has.
  const planner::StepSize other = size_of_conv(96, 20, 60, 5);
  EXPECT_NEAR(
      planner::picoseconds(costs.at("Conv.float32"), other) / planner::picoseconds(kCost, other), 1,
      0.05);
}

TEST(FitCosts, NoCostIsNegative) {
  auto samples = samples_of(kCost, "");
  // Larger steps that take less: the best fit without limits falls with size.
  for (CostSample& sample : samples) sample.ps = 1e12 / (1 + sample.size[1]);
  for (const auto& [form, cost] : fit_costs(samples)) {
    for (const double ps :
         {cost.ps, cost.ps_per_unit, cost.ps_per_result, cost.ps_per_line, cost.ps_per_row,
          cost.ps_per_tap, cost.ps_per_input, cost.ps_per_weight}) {
      EXPECT_GE(ps, 0) << form;
      EXPECT_TRUE(std::isfinite(ps)) << form;
    }
  }
}

TEST(FitCosts, OneSampleIsPredicted) {
  const std::vector<CostSample> one = {{"Conv.float32", "", size_of_conv(8, 9, 4, 3), 7e7}};
  EXPECT_NEAR(planner::picoseconds(fit_costs(one).at("Conv.float32"), one[0].size), 7e7, 7e5);
  EXPECT_TRUE(fit_costs({}).empty());
}

TEST(FitCosts, CasesOfAFormHaveCostsOfTheirOwn) {
  auto samples = samples_of({.ps_per_unit = 1000}, "half_even");
  const auto others = samples_of({.ps_per_unit = 3000}, "grouped");
  samples.insert(samples.end(), others.begin(), others.begin() + 5);
  const planner::FormCosts costs = fit_costs(samples);
  ASSERT_EQ(costs.size(), 3u);
  const planner::StepSize size = size_of_conv(8, 9, 4, 3);
  const double units = size[static_cast<size_t>(planner::SizeTerm::kUnit)];
  const auto predicted = [&](const char* which) {
    return planner::picoseconds(*find_cost(costs, "Conv.float32", which), size) / units;
  };
  EXPECT_NEAR(predicted("half_even"), 1000, 20);
  EXPECT_NEAR(predicted("grouped"), 3000, 60);
  EXPECT_NEAR(predicted("float32"), 1000, 20) << "as the case of most samples";
  EXPECT_EQ(find_cost(costs, "Conv.others", ""), nullptr);
}

TEST(Judge, ProgramsThatAreLeftOut) {
  const auto samples = samples_of(kCost, "");
  const std::vector<MeasuredProgram> programs = {{"a", {samples.begin(), samples.begin() + 18}},
                                                 {"b", {samples.begin() + 18, samples.end()}},
                                                 {"c", {{"MatMul.float32", "", sizes()[0], 1e6}}}};
  const FittedBoard fitted = fit_and_judge(programs);
  ASSERT_EQ(fitted.judgements.size(), 3u);
  EXPECT_NEAR(fitted.judgements[0].predicted_ps.value() / fitted.judgements[0].measured_ps, 1,
              0.01);
  ASSERT_TRUE(fitted.judgements[1].left_out_ps);
  EXPECT_FALSE(fitted.judgements[2].left_out_ps) << "nothing else has its form";
  EXPECT_THAT(to_text(fitted), HasSubstr("2 costs of forms"));
}

TEST(Judge, ProgramsByCostsOfCases) {
  const auto cases = samples_of(kCost, "");
  auto twice = cases;
  for (CostSample& sample : twice) sample.ps *= 2;
  const std::vector<MeasuredProgram> programs = {
      {"as_cases", cases},
      {"twice", twice},
      {"unknown", {{"MatMul.float32", "", sizes()[0], 1e6}}},
  };
  const FittedBoard fitted = judge(cases, programs);
  ASSERT_EQ(fitted.judgements.size(), 3u);
  const auto ratio = [&](size_t at) {
    return fitted.judgements[at].predicted_ps.value() / fitted.judgements[at].measured_ps;
  };
  EXPECT_NEAR(ratio(0), 1, 0.01);
  EXPECT_NEAR(ratio(1), 0.5, 0.01) << "programs change no cost";
  EXPECT_FALSE(fitted.judgements[2].predicted_ps) << "no case has its form";
  EXPECT_THAT(fitted.judgements[2].lacking, testing::ElementsAre("MatMul.float32"));
  EXPECT_THAT(to_text(fitted), HasSubstr("unknown: no costs of MatMul.float32"));
  EXPECT_TRUE(fitted.judgements[0].lacking.empty());
  EXPECT_FALSE(fitted.judgements[0].left_out_ps);
}

TEST(BoardCosts, KeepWhatTheFileHasOfOtherForms) {
  const std::string board = R"({"name": "mine", "description": "d", "cpu": {"name": "any"},
    "memories": [{"name": "ram"}],
    "costs": {"forms": [{"form": "Conv.float32", "ps_per_unit": 9},
                        {"form": "MatMul.float32", "ps_per_unit": 4}],
              "transfer": {"ps_per_byte": 5}}})";
  const std::string text = with_costs(
      board, "mine.json", {{"Conv.float32", kCost}, {"QuantizedConv.int8_dsp grouped", kCost}});
  const planner::Board read = planner::read_board(text, "mine.json");
  ASSERT_EQ(read.costs.forms.size(), 3u);
  EXPECT_EQ(read.costs.forms.at("MatMul.float32").ps_per_unit, 4);
  EXPECT_EQ(read.costs.forms.at("Conv.float32").ps_per_row, kCost.ps_per_row);
  EXPECT_EQ(read.costs.forms.at("QuantizedConv.int8_dsp grouped").ps, kCost.ps);
  EXPECT_EQ(read.costs.transfer.ps_per_unit, 5);
  EXPECT_THROW(with_costs("[]", "mine.json", {}), InputError);
  EXPECT_THROW(with_costs("{", "mine.json", {}), InputError);
}

double term_of(const planner::StepFacts& facts, planner::SizeTerm term) {
  return planner::size_of(facts)[static_cast<size_t>(term)];
}

TEST(BoardCosts, AreAFewDigitsOnALineEach) {
  const planner::MeasuredCost once = {.ps_per_unit = 1234.56, .ps = 7654321},
                              other = {.ps_per_unit = 0.123456,
                                       .ps_per_result = 2,
                                       .ps_per_line = 2,
                                       .ps_per_row = 2,
                                       .ps_per_tap = 2,
                                       .ps_per_input = 2};
  const std::string text = with_costs(
      R"({"name": "mine", "words": ["one", "two"]})", "mine.json",
      {{"Conv.float32", once}, {"Conv.float32 grouped", once}, {"Conv.float32 half_even", other}});
  EXPECT_EQ(text, R"({
  "name": "mine",
  "words": ["one", "two"],
  "costs": {
    "forms": [
      {"form": "Conv.float32", "ps_per_unit": 1235, "ps": 7654000},
      {"form": "Conv.float32", "case": "half_even", "ps_per_unit": 0.1235, "ps_per_result": 2, "ps_per_line": 2, "ps_per_row": 2, "ps_per_tap": 2,
       "ps_per_input": 2}
    ]
  }
}
)");
}

TEST(BoardCosts, LeaveOtherKeysAsPeopleWriteThem) {
  const std::string board = R"({
  "name": "mine",
  "cpu": {"name": "cortex-m4", "features": ["dsp", "fpu"]},
  "command": [
    "qemu-system-arm", "-M", "mps2-an386", "-nographic", "-monitor", "none", "-serial", "stdio", "-icount", "shift=0,align=off,sleep=off", "-kernel",
    "{elf}"
  ],
  "costs": {"forms": []}
}
)";
  EXPECT_EQ(with_costs(board, "mine.json", {}), board);
}

TEST(StepCases, GoByRoundingAndGroups) {
  const std::vector<uint32_t> attributes = {4, 1, 1, 1, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0};
  planner::StepFacts facts{.op = Op::kQuantizedConv,
                           .inputs = {{{1, 8, 4, 4}, {}, 1}, {{8, 2, 3, 3}, {}, 1}},
                           .output = {{1, 8, 4, 4}, {}, 1},
                           .attributes = attributes};
  EXPECT_EQ(planner::case_of(facts), "grouped half_even");
  facts.inputs[0].is_unsigned = true;
  EXPECT_EQ(planner::case_of(facts), "grouped unsigned half_even");
  facts.op = Op::kMatMul;
  facts.inputs = {{{5, 7}}, {{7, 3}}};
  facts.output = {{5, 3}};
  facts.attributes = {};
  EXPECT_EQ(planner::case_of(facts), "");
}

TEST(StepCases, OfProductsGoByTheSecondOperand) {
  planner::StepFacts facts{.op = Op::kMatMul,
                           .inputs = {{{5, 7}, {7, 1}}, {{7, 3}, {3, 1}}},
                           .output = {{5, 3}, {3, 1}},
                           .attributes = {}};
  EXPECT_EQ(planner::case_of(facts), "rows");
  facts.inputs[1].strides = {1, 7};
  EXPECT_EQ(planner::case_of(facts), "columns");
  facts.inputs[1].element_bytes = 2;
  EXPECT_EQ(planner::case_of(facts), "halves columns");
  facts.inputs[0].dims[0] = facts.output.dims[0] = 1;
  EXPECT_EQ(planner::case_of(facts), "halves vector columns");
}

TEST(StepCases, AreAllListed) {
  const std::vector<std::string> all = planner::step_cases();
  EXPECT_TRUE(std::ranges::is_sorted(all));
  for (const char* one : {"half_even", "grouped unsigned float32", "halves vector rows",
                          "unsigned columns tflite_single"}) {
    EXPECT_TRUE(std::ranges::binary_search(all, one)) << one;
  }
}

using planner::SizeTerm;

TEST(StepSizes, OfAConvolutionCountWhatItsWindowsMeet) {
  // Windows of 3 by 3 at each place of 5 by 6, with one place of padding around, as many groups
  // as 1.
  std::vector<uint32_t> attributes = {1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 2, 0, 0, 0};
  planner::StepFacts facts{.op = Op::kQuantizedConv,
                           .inputs = {{{2, 4, 5, 6}, {}, 1}, {{18, 4, 3, 3}, {}, 1}},
                           .output = {{2, 18, 5, 6}, {}, 1},
                           .attributes = attributes};
  const double lines = 2 * 5 * 6, units = lines * 18 * 4 * 9;
  EXPECT_EQ(term_of(facts, SizeTerm::kUnit), units);
  EXPECT_EQ(term_of(facts, SizeTerm::kResult), lines * 18);
  EXPECT_EQ(term_of(facts, SizeTerm::kByte), lines * 18);
  EXPECT_EQ(term_of(facts, SizeTerm::kLine), lines);
  EXPECT_EQ(term_of(facts, SizeTerm::kRow), 2 * 5);
  EXPECT_EQ(term_of(facts, SizeTerm::kTap), lines * 9);
  EXPECT_EQ(term_of(facts, SizeTerm::kInput), lines * 9 * 4);
  EXPECT_EQ(term_of(facts, SizeTerm::kWeight), 18 * 4 * 9);
  // Of the 15 and 18 taps along each dim two lie beside the picture.
  EXPECT_EQ(term_of(facts, SizeTerm::kInsideUnit), 2 * 13 * 16 * 18 * 4);
  EXPECT_EQ(term_of(facts, SizeTerm::kEdgeTap), 2 * (5 * 6 - 3 * 4) * 9);
  // Two places of each row of six, and two columns of 18.
  EXPECT_EQ(term_of(facts, SizeTerm::kSingleUnit), units / 3);
  EXPECT_EQ(term_of(facts, SizeTerm::kSingleResult), lines * 18 / 3);
  EXPECT_EQ(term_of(facts, SizeTerm::kOddUnit), units / 9);
  EXPECT_EQ(term_of(facts, SizeTerm::kOddResult), lines * 2);
  EXPECT_EQ(term_of(facts, SizeTerm::kOddInput), 0);
  EXPECT_EQ(term_of(facts, SizeTerm::kOffsetInput), 0);
  EXPECT_EQ(term_of(facts, SizeTerm::kRowWeight), 10 * 18 * 4 * 9);
  EXPECT_EQ(term_of(facts, SizeTerm::kRowResult), 10 * 18);
  EXPECT_EQ(term_of(facts, SizeTerm::kRowInput), 10 * 4 * 3 * 8);
  EXPECT_EQ(term_of(facts, SizeTerm::kLargeUnit), 0);
  attributes[8] = 7;  // a zero point of the weights
  EXPECT_EQ(term_of(facts, SizeTerm::kOffsetInput), lines * 9 * 4);
  facts.inputs[0].dims[1] = facts.inputs[1].dims[1] = 3;
  EXPECT_EQ(term_of(facts, SizeTerm::kOddInput), lines * 9 * 3);
}

TEST(StepSizes, WindowsOfOnePlaceMakeOneRow) {
  const std::vector<uint32_t> attributes = {1, 1, 1, 1, 1, 0, 0, 1, 0, 0};
  const planner::StepFacts facts{.op = Op::kConv,
                                 .inputs = {{{1, 8, 5, 5}}, {{4, 8, 1, 1}}},
                                 .output = {{1, 4, 5, 5}},
                                 .attributes = attributes};
  EXPECT_EQ(term_of(facts, SizeTerm::kRow), 1);
  EXPECT_EQ(term_of(facts, SizeTerm::kSingleResult), 4) << "one of 25 places";
  EXPECT_EQ(term_of(facts, SizeTerm::kActivated), 100) << "a clip follows";
  EXPECT_EQ(term_of(facts, SizeTerm::kHardActivated), 0);
  EXPECT_EQ(term_of(facts, SizeTerm::kLargeUnit), 25 * 4 * 8);
}

TEST(StepSizes, RowsAlongAxesAreCounted) {
  const std::vector<uint32_t> attributes = {1u << 1 | 1u << 3};
  const planner::StepFacts facts{.op = Op::kSoftmax,
                                 .inputs = {{{2, 3, 5, 7}}},
                                 .output = {{2, 3, 5, 7}},
                                 .attributes = attributes};
  EXPECT_EQ(term_of(facts, SizeTerm::kRow), 2 * 5);
  EXPECT_EQ(term_of(facts, SizeTerm::kLine), 2 * 3 * 5);
}

TEST(StepSizes, ActivationsThatTakeMoreAreTermsOfTheirOwn) {
  std::vector<uint32_t> attributes = {1, 1, 1, 1, 1, 0, 0, 1, 0, 0};
  const planner::StepFacts facts{.op = Op::kConv,
                                 .inputs = {{{1, 8, 5, 5}}, {{4, 8, 1, 1}}},
                                 .output = {{1, 4, 5, 5}},
                                 .attributes = attributes};
  for (const ActivationKind kind : {ActivationKind::kHardSigmoid, ActivationKind::kHardSwish,
                                    ActivationKind::kSigmoid, ActivationKind::kSwish}) {
    attributes[7] = static_cast<uint32_t>(kind);
    const bool hard = kind == ActivationKind::kHardSigmoid || kind == ActivationKind::kHardSwish;
    EXPECT_EQ(term_of(facts, SizeTerm::kActivated), 100);
    EXPECT_EQ(term_of(facts, SizeTerm::kHardActivated), hard ? 100 : 0);
    EXPECT_EQ(term_of(facts, SizeTerm::kExpActivated), hard ? 0 : 100);
  }
}

TEST(StepSizes, OfProductsAndRecurrentLayers) {
  planner::StepFacts facts{.op = Op::kMatMul,
                           .inputs = {{{2, 5, 7}}, {{2, 7, 3}}},
                           .output = {{2, 5, 3}},
                           .attributes = {}};
  EXPECT_EQ(term_of(facts, SizeTerm::kUnit), 2 * 5 * 3 * 7);
  EXPECT_EQ(term_of(facts, SizeTerm::kRow), 2);
  EXPECT_EQ(term_of(facts, SizeTerm::kSingleResult), 2 * 3);
  EXPECT_EQ(term_of(facts, SizeTerm::kShortResult), 2 * 5 * 3);
  EXPECT_EQ(term_of(facts, SizeTerm::kApart), 0);
  facts.inputs[0].dims[2] = facts.inputs[1].dims[1] = 16;
  EXPECT_EQ(term_of(facts, SizeTerm::kShortResult), 0);
  facts.inputs[0].dims[2] = facts.inputs[1].dims[1] = 7;
  facts.inputs[1].strides = {21, 1, 7};  // columns lie one behind another
  EXPECT_EQ(term_of(facts, SizeTerm::kApart), 2 * 5 * 3 * 7);
  facts = {.op = Op::kLSTM,
           .inputs = {{{6, 2, 10}}, {{1, 10, 32}}, {{1, 8, 32}}},
           .output = {{6, 1, 2, 8}},
           .attributes = {}};
  EXPECT_EQ(term_of(facts, SizeTerm::kUnit), 6 * 2 * (10 * 32 + 8 * 32));
}

TEST(StepSizes, BytesBeyondAMebibyteAreFar) {
  planner::StepFacts facts{.op = Op::kMatMul,
                           .inputs = {{{1, 512}}, {{512, 512}}},
                           .output = {{1, 512}},
                           .attributes = {}};
  EXPECT_EQ(term_of(facts, SizeTerm::kFarByte), 2 * 512 * 4);
  facts.inputs[1].element_bytes = 2;
  EXPECT_EQ(term_of(facts, SizeTerm::kFarByte), 0);
  facts.inputs[0] = {{1024, 512}, {0, 1}};  // one line, repeated
  facts.output = {{1024, 512}};
  EXPECT_EQ(term_of(facts, SizeTerm::kFarByte),
            1024 * 512 * 4 + 512 * 4 + 512 * 512 * 2 - (1 << 20));
}

TEST(StepSizes, OfMovesGoByWhatLiesTogether) {
  planner::StepFacts facts{
      .op = Op::kCopy, .inputs = {{{20, 3, 4}}}, .output = {{20, 3, 4}}, .attributes = {}};
  EXPECT_EQ(term_of(facts, SizeTerm::kLine), 1);
  EXPECT_EQ(term_of(facts, SizeTerm::kApart), 0);
  facts.inputs[0].strides = {24, 8, 1};  // every second run of four
  EXPECT_EQ(term_of(facts, SizeTerm::kLine), 60);
  facts.inputs[0].strides = {1, 80, 20};  // planes, walked along the long dim
  EXPECT_EQ(term_of(facts, SizeTerm::kLine), 12);
  EXPECT_EQ(term_of(facts, SizeTerm::kApart), 240);
  facts = {.op = Op::kConcat, .inputs = {{{5, 6}}, {{5, 2}}}, .output = {{5, 8}}, .attributes = {}};
  EXPECT_EQ(term_of(facts, SizeTerm::kLine), 10);
}

}  // namespace
}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
