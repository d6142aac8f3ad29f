// Tests what files are taken for.
#include "support/content.h"

#include <gtest/gtest.h>

#include "support/file.h"

namespace arenite {
namespace {

using std::string_literals::operator""s;

Content of(const std::string& text) { return content_of(std::as_bytes(std::span(text))); }

TEST(Content, IsKnownByMagic) {
  EXPECT_EQ(of(""), Content::kEmpty);
  EXPECT_EQ(of("ARENITE\0\x01"s), Content::kProgram);
  EXPECT_EQ(of("\x1c\0\0\0TFL3"s), Content::kTfLite);
  EXPECT_EQ(of("\x93NUMPY\x01"), Content::kNumpy);
  EXPECT_EQ(of("\x89PNG\r\n\x1a\n"), Content::kPng);
  EXPECT_EQ(of("\xff\xd8\xff\xe0"), Content::kJpeg);
  EXPECT_EQ(of("<!DOCTYPE html>"), Content::kHtml);
  EXPECT_EQ(of("version https://git-lfs.github.com/spec/v1\n"), Content::kLfsPointer);
}

TEST(Content, IsKnownByLikeness) {
  EXPECT_EQ(of("\x08\x07\x12\x07pytorch\x1a\x06\x31.13.0"), Content::kOnnx);
  EXPECT_EQ(of("id,lower,upper,size\n"), Content::kText);
  EXPECT_EQ(of("\xc3\xa9t\xc3\xa9"), Content::kText);
  EXPECT_EQ(of(std::string(100, '\0')), Content::kZeros);
  EXPECT_EQ(of("\x01\x02\x03"), Content::kUnknown);
  EXPECT_EQ(of("\x08"), Content::kUnknown);
}

TEST(Content, EachIsDescribedInItsOwnWords) {
  for (int i = 0; i <= static_cast<int>(Content::kText); ++i) {
    for (int j = 0; j < i; ++j) {
      EXPECT_NE(described(static_cast<Content>(i)), described(static_cast<Content>(j)));
    }
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
