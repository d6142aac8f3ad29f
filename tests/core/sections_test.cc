// Names, source map and test vectors: what is built is read back, and damage gives nothing.
#include "core/sections.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "planner/program/sections.h"

namespace arenite {
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes(const std::string& text) {
  const auto span = std::as_bytes(std::span(text));
  return {span.begin(), span.end()};
}

std::string text(std::optional<std::span<const std::byte>> blob) {
  return blob ? std::string(reinterpret_cast<const char*>(blob->data()), blob->size()) : "none";
}

Bytes sample_names() {
  return planner::names_section({{{"x"}, {"y", "probabilities"}, {{"v0", "", "v2"}, {"w0"}}},
                                 {{}, {}, {}},
                                 {{"input 3"}, {"output"}, {{"a"}}}});
}

TEST(Sections, Names) {
  const Bytes names = sample_names();
  EXPECT_EQ(names.size() % 4, 0u);
  EXPECT_EQ(input_name(names, 0, 0), "x");
  EXPECT_EQ(output_name(names, 0, 0), "y");
  EXPECT_EQ(output_name(names, 0, 1), "probabilities");
  EXPECT_EQ(value_name(names, 0, 0, 1), "");
  EXPECT_EQ(value_name(names, 0, 0, 2), "v2");
  EXPECT_EQ(value_name(names, 0, 1, 0), "w0");
  EXPECT_EQ(input_name(names, 2, 0), "input 3");
  EXPECT_EQ(output_name(names, 2, 0), "output");
  EXPECT_EQ(value_name(names, 2, 0, 0), "a");
  EXPECT_EQ(input_name(names, 0, 1), std::nullopt);
  EXPECT_EQ(output_name(names, 0, 2), std::nullopt);
  EXPECT_EQ(value_name(names, 0, 0, 3), std::nullopt);
  EXPECT_EQ(value_name(names, 0, 2, 0), std::nullopt);
  EXPECT_EQ(input_name(names, 1, 0), std::nullopt);
  EXPECT_EQ(input_name(names, 3, 0), std::nullopt);
  EXPECT_EQ(input_name({}, 0, 0), std::nullopt);
}

TEST(Sections, Counts) {
  const Bytes counts = planner::counts_section({{0, 0, 1, 2}, {1, 3, 0, 4}});
  EXPECT_EQ(count_output(counts, 0, 0, 1), 2u);
  EXPECT_EQ(count_output(counts, 1, 3, 0), 4u);
  EXPECT_EQ(count_output(counts, 0, 0, 0), std::nullopt);
  EXPECT_EQ(count_output(counts, 0, 3, 0), std::nullopt);
  EXPECT_EQ(count_output({}, 0, 0, 1), std::nullopt);
  // Cut off within the second record.
  const std::span<const std::byte> cut(counts.data(), counts.size() - 4);
  EXPECT_EQ(count_output(cut, 0, 0, 1), 2u);
  EXPECT_EQ(count_output(cut, 1, 3, 0), std::nullopt);
}

TEST(Sections, SourceMap) {
  const Bytes map = planner::source_map_section({{{"Conv_0", "Relu_1"}, {}}, {}, {{"Gemm_9"}}});
  EXPECT_EQ(source_node(map, 0, 0, 0), "Conv_0");
  EXPECT_EQ(source_node(map, 0, 0, 1), "Relu_1");
  EXPECT_EQ(source_node(map, 0, 0, 2), std::nullopt);
  EXPECT_EQ(source_node(map, 0, 1, 0), std::nullopt);
  EXPECT_EQ(source_node(map, 1, 0, 0), std::nullopt);
  EXPECT_EQ(source_node(map, 2, 0, 0), "Gemm_9");
  EXPECT_EQ(source_node(map, 3, 0, 0), std::nullopt);
}

TEST(Sections, TestVectors) {
  const Bytes vectors = planner::test_vectors_section(
      {{},
       {{{bytes("in 0"), bytes("in 1 of one")}, {bytes("out 0")}}, {{}, {bytes("out of two")}}}});
  EXPECT_EQ(test_vector_count(vectors, 0), 0u);
  EXPECT_EQ(test_vector_count(vectors, 1), 2u);
  EXPECT_EQ(test_vector_count(vectors, 2), 0u);
  EXPECT_EQ(text(test_vector_input(vectors, 1, 0, 1)), "in 1 of one");
  EXPECT_EQ(text(test_vector_output(vectors, 1, 0, 0)), "out 0");
  EXPECT_EQ(text(test_vector_output(vectors, 1, 1, 0)), "out of two");
  EXPECT_EQ(text(test_vector_input(vectors, 1, 1, 0)), "none");
  EXPECT_EQ(text(test_vector_output(vectors, 1, 2, 0)), "none");
}

// Truncated and changed sections of exactly their size: nothing outside is read.
TEST(Sections, DamageGivesNothingWorse) {
  const Bytes names = sample_names();
  const auto read_all = [](const Bytes& section) {
    for (uint32_t i = 0; i < 4; ++i) {
      for (uint32_t k = 0; k < 4; ++k) {
        (void)input_name(section, i, k);
        (void)output_name(section, i, k);
        (void)value_name(section, i, k, 0);
        (void)source_node(section, i, k, 0);
        (void)test_vector_input(section, i, k, 0);
        (void)test_vector_output(section, i, k, 0);
      }
      (void)test_vector_count(section, i);
    }
  };
  for (size_t size = 0; size < names.size(); ++size) {
    read_all(Bytes(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(size)));
  }
  for (size_t at = 0; at < names.size(); ++at) {
    for (const int value : {0, 1, 0x7f, 0xff}) {
      Bytes changed = names;
      changed[at] = static_cast<std::byte>(value);
      read_all(changed);
    }
  }
  EXPECT_EQ(input_name(Bytes(4, std::byte{0xff}), 0xfffffffe, 0), std::nullopt);
}

TEST(Sections, AReaderStaysAtItsEnd) {
  const Bytes word = {std::byte{9}, std::byte{0}, std::byte{0}, std::byte{0}};
  SectionReader reader(word);
  EXPECT_EQ(reader.blob(), std::nullopt);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(reader.word(), std::nullopt);
  EXPECT_EQ(SectionReader(word).word(), 9u);
  EXPECT_EQ(SectionReader(word).list(), std::nullopt);
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
