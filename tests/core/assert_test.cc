// ARENITE_ASSERT with a hook: a condition that holds is silent, one that fails reports its place.
#define ARENITE_ASSERT_HOOK arenite_test_assert_failed
#include "core/assert.h"

#include <gtest/gtest.h>

#include <string_view>

namespace {

int failed_line = 0;
std::string_view failed_file;

}  // namespace

extern "C" void arenite_test_assert_failed(const char* file, int line) {
  failed_file = file;
  failed_line = line;
}

namespace arenite {
namespace {

TEST(Assert, CallsTheHookWithThePlace) {
  failed_line = 0;
  ARENITE_ASSERT(1 + 1 == 2);
  EXPECT_EQ(failed_line, 0);
  ARENITE_ASSERT(1 + 1 == 3);
  EXPECT_EQ(failed_line, __LINE__ - 1);
  EXPECT_TRUE(failed_file.ends_with("assert_test.cc"));
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
