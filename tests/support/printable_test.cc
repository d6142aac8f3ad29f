// Names from files, as people may see them.
#include "support/printable.h"

#include <gtest/gtest.h>

namespace arenite {
namespace {

TEST(Printable, PlainTextStays) {
  for (const char* text : {"", "conv1/weights:0", "it's", "\xc3\xa9t\xc3\xa9",
                           "\xe5\x85\xa5\xe5\x8a\x9b", "\xf0\x9f\x98\x80"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, WhatATerminalObeysIsEscaped) {
  EXPECT_EQ(printable("a\x1b[31m\n"), "a\\x1b[31m\\x0a");
  EXPECT_EQ(printable(std::string_view("\0\x7f", 2)), "\\x00\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b") << "one character of C1 begins a sequence too";
  EXPECT_EQ(printable("\xe2\x80\xaegnp.exe"), "\\xe2\\x80\\xaegnp.exe") << "right to left";
  EXPECT_EQ(printable("\xe2\x81\xa6"), "\\xe2\\x81\\xa6") << "an isolate";
  EXPECT_EQ(printable("\xe2\x80\xa8"), "\\xe2\\x80\\xa8") << "a line separator";
  EXPECT_EQ(printable("\xef\xbb\xbf"), "\\xef\\xbb\\xbf") << "no width";
  EXPECT_EQ(printable("\\x1b"), "\\x5cx1b") << "not to be taken for an escape";
}

TEST(Printable, WhatIsNoUtf8IsEscaped) {
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "overlong";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_TRUE(is_utf8("\xc3\xa9"));
  EXPECT_FALSE(is_utf8("\xc3"));
}

TEST(Printable, LongTextIsCut) {
  EXPECT_EQ(printable(std::string(300, 'a')), std::string(200, 'a') + "...");
}

TEST(Printable, QuotesEscapeQuotes) {
  EXPECT_EQ(quote("a"), "'a'");
  EXPECT_EQ(quote("it's"), "\"it's\"");
  EXPECT_EQ(quote("say \"it's\""), "'say \"it\\x27s\"'");
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
