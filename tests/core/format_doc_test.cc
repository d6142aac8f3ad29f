// docs/format.md and the records it describes say the same.
#include <gtest/gtest.h>

#include <fstream>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

#include "tests/core/sample_programs.h"

namespace arenite::tests {
namespace {

std::string document() {
  std::ifstream file(ARENITE_FORMAT_DOC);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Writes bytes in hexadecimal as the page does.
std::string hex_text(const std::vector<std::byte>& bytes) {
  std::stringstream text;
  text << std::hex << std::setfill('0');
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i % 16 == 0) text << (i == 0 ? "" : "\n") << std::setw(4) << i << " ";
    text << ' ' << std::setw(2) << std::to_integer<unsigned>(bytes[i]);
  }
  return text.str();
}

TEST(FormatDoc, TheExampleIsWhatTheWriterWrites) {
  const std::string text = document();
  const size_t begin = text.find("```hex\n");
  ASSERT_NE(begin, std::string::npos);
  std::stringstream lines(text.substr(begin + 7, text.find("```", begin + 7) - begin - 7));
  std::vector<std::byte> bytes;
  for (std::string line; std::getline(lines, line);) {
    std::stringstream words(line);
    std::string word;
    words >> word;
    EXPECT_EQ(std::stoul(word, nullptr, 16), bytes.size());
    while (words >> word) {
      bytes.push_back(static_cast<std::byte>(std::stoul(word, nullptr, 16)));
    }
  }
  EXPECT_TRUE(bytes == twice_builder().file()) << hex_text(twice_builder().file());
}

// The column `Words` of the table of tables.
TEST(FormatDoc, RecordsHaveTheSizesItSays) {
  const std::string text = document();
  const auto expect = [&](format::Table table, const std::string& name, size_t bytes) {
    const size_t at =
        text.find("| " + std::to_string(static_cast<uint32_t>(table)) + " | `" + name + "` |");
    ASSERT_NE(at, std::string::npos) << name;
    const std::string line = text.substr(at, text.find('\n', at) - at);
    EXPECT_TRUE(line.ends_with("| " + std::to_string(bytes / 4) + " |")) << line;
  };
  using format::Table;
  expect(Table::kSections, "sections", sizeof(format::SectionRecord));
  expect(Table::kMethods, "methods", sizeof(format::MethodRecord));
  expect(Table::kVariants, "variants", sizeof(format::VariantRecord));
  expect(Table::kRequirements, "requirements", sizeof(format::RequirementRecord));
  expect(Table::kArenas, "arenas", sizeof(format::ArenaRecord));
  expect(Table::kValues, "values", sizeof(format::ValueRecord));
  expect(Table::kShapes, "shapes", 4);
  expect(Table::kSteps, "steps", sizeof(format::StepRecord));
  expect(Table::kOperands, "operands", 4);
  expect(Table::kAttributes, "attributes", 4);
  expect(Table::kConstants, "constants", sizeof(format::ConstantRecord));
  expect(Table::kIo, "io", 4);
  expect(Table::kDescriptorSets, "descriptor_sets", sizeof(format::DescriptorSetRecord));
}

}  // namespace
}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
