// Text in pictures: escaped markup, bytes that are no characters, names cut short.
#include <gtest/gtest.h>

#include "planner/report/picture/brief_name.h"
#include "planner/report/picture/svg_elements.h"
#include "planner/report/picture/xml_text.h"

namespace arenite::picture {
namespace {

TEST(XmlText, EscapesMarkup) {
  EXPECT_EQ(xml_text("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c&#39;");
  EXPECT_EQ(xml_text(""), "");
  EXPECT_EQ(xml_text("t\tn\n"), "t\tn\n");
}

TEST(XmlText, KeepsCharactersAndReplacesWhatIsNone) {
  const std::string good = "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80";
  EXPECT_EQ(xml_text(good), good);
  const std::string no = "\xEF\xBF\xBD";
  EXPECT_EQ(xml_text(std::string("a\0b", 3)), "a" + no + "b");
  EXPECT_EQ(xml_text("\x1B[31m"), no + "[31m");
  EXPECT_EQ(xml_text("\xC3"), no);                    // cut short
  EXPECT_EQ(xml_text("\xC0\xAF"), no + no);           // longer than it needs
  EXPECT_EQ(xml_text("\xED\xA0\x80"), no + no + no);  // a surrogate
  EXPECT_EQ(xml_text("\xF5\x80\x80\x80"), no + no + no + no);
  EXPECT_EQ(xml_text("\xEF\xBF\xBF"), no + no + no);  // U+FFFF
}

TEST(Shortened, LosesItsMiddleBetweenCharacters) {
  const std::string cut = "\xE2\x80\xA6";
  EXPECT_EQ(shortened("conv_1", 6), "conv_1");
  EXPECT_EQ(shortened("conv_1", 5), "c" + cut + "v_1");
  EXPECT_EQ(shortened("/features/features.2/Conv", 12), "/fe" + cut + "s.2/Conv");
  EXPECT_EQ(shortened("\xC3\xA9\xC3\xA8\xC3\xA9\xC3\xA8\xC3\xA9", 3), cut + "\xC3\xA8\xC3\xA9");
  EXPECT_EQ(shortened("abc", 2), cut);
  EXPECT_EQ(shortened("abc", 0), "");
  EXPECT_EQ(shortened("\xFF\xFF\xFF\xFF", 3), cut + "\xFF\xFF");
}

TEST(BriefName, DropsPartsThatTheNextRepeats) {
  EXPECT_EQ(brief_name("/features/features.2/conv/conv.0/conv.0.2/Clip_output_0"),
            "/features.2/conv.0.2/Clip");
  EXPECT_EQ(brief_name("/layer1/layer1.0/relu_1/Relu_output_1"), "/layer1.0/relu_1/Relu_output_1");
  EXPECT_EQ(brief_name("conv/conv2/x"), "conv/conv2/x");  // not "conv." and more
  EXPECT_EQ(brief_name("a/a/b"), "a/b");
}

TEST(BriefName, IsThatOfTheFirstNode) {
  EXPECT_EQ(brief_name("/a/a.0/Conv+/a/a.1/Clip+/b/Pad"), "/a.0/Conv");
  EXPECT_EQ(brief_name("Conv_12"), "Conv_12");
}

TEST(BriefName, KeepsWhatIsNothingElse) {
  for (const char* name : {"", "+", "/", "//", "+a", "_output_0"}) {
    EXPECT_EQ(brief_name(name), name);
  }
}

TEST(ShortBytes, InTheLargestUnit) {
  EXPECT_EQ(short_bytes(0), "0 B");
  EXPECT_EQ(short_bytes(1023), "1023 B");
  EXPECT_EQ(short_bytes(16384), "16 KiB");
  EXPECT_EQ(short_bytes(4845120), "4.62 MiB");
  EXPECT_EQ(short_bytes(470720), "460 KiB");
  EXPECT_EQ(short_bytes(UINT64_MAX), "16 EiB");
}

TEST(TickDistance, IsRound) {
  EXPECT_EQ(tick_distance(65, 16, false), 5u);
  EXPECT_EQ(tick_distance(65, 100, false), 1u);
  EXPECT_EQ(tick_distance(1 << 20, 10, true), 1u << 17);
  EXPECT_GT(tick_distance(UINT64_MAX, 1, true), UINT64_MAX / 8);
}

}  // namespace
}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0
