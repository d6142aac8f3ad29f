// The folders in which Arenite looks for its own files.
#include "support/own_data.h"

#include <gtest/gtest.h>

namespace arenite::test {
namespace {

TEST(OwnData, LiesAboveTheProgram) {
  const std::filesystem::path boards = find_own_data("share/arenite/boards");
  EXPECT_TRUE(boards.is_absolute());
  EXPECT_TRUE(std::filesystem::is_regular_file(boards / "host/board.json")) << boards;
}

TEST(OwnData, WhatIsNotThereIsEmpty) {
  EXPECT_TRUE(find_own_data("share/arenite/no such thing").empty());
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
