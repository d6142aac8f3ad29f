// Tests what is suggested for mistyped words.
#include "support/suggest.h"

#include <gtest/gtest.h>

#include <vector>

namespace arenite {
namespace {

const std::vector<std::string> kWords = {"plan", "run", "--memory-planner", "--report", "-o"};

TEST(DidYouMean, OneMistakeIsUnderstood) {
  for (const char* word : {"pan", "plann", "plam", "paln", "PLAN"}) {
    EXPECT_EQ(did_you_mean(word, kWords), "; did you mean 'plan'?") << word;
  }
  EXPECT_EQ(did_you_mean("--reprot", kWords), "; did you mean '--report'?");
  EXPECT_EQ(did_you_mean("-report", kWords), "; did you mean '--report'?");
}

TEST(DidYouMean, ABeginningIsUnderstood) {
  EXPECT_EQ(did_you_mean("--mem", kWords), "; did you mean '--memory-planner'?");
}

TEST(DidYouMean, SilentWhereNothingIsNear) {
  for (const char* word : {"", "-", "--", "train", "--weights", "x"}) {
    EXPECT_EQ(did_you_mean(word, kWords), "") << word;
  }
  EXPECT_EQ(did_you_mean(std::string(100'000, 'a'), kWords), "");
  EXPECT_EQ(did_you_mean("plan", {}), "");
}

TEST(Listed, ReadsAsASentence) {
  const std::vector<std::string> words = {"a", "b", "c"};
  EXPECT_EQ(listed({}), "");
  EXPECT_EQ(listed(std::span(words).first(1)), "a");
  EXPECT_EQ(listed(std::span(words).first(2)), "a or b");
  EXPECT_EQ(listed(words), "a, b or c");
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
