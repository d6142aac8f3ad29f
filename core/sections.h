// Reads a program's optional sections: names, source map, test vectors and counts (docs/format.md).
//
// They are trees of words and blobs: a blob is its length in bytes, that many bytes, and zeros up
// to the next 4-byte boundary; a list is its count and then its items. Nothing is trusted: every
// step is bounded by the section, so that any bytes give an error at worst.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace arenite {

// A position in a section. After a failure it stays at the end.
class SectionReader {
 public:
  explicit SectionReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  // The next word, or the count of a list (an item takes at least 4 bytes, so that a count that
  // can't be met is refused before anyone loops over it).
  std::optional<uint32_t> word();
  std::optional<uint32_t> list();
  std::optional<std::span<const std::byte>> blob();
  // Goes past `count` blobs.
  bool skip_blobs(uint32_t count);
  // Goes past a list of blobs.
  bool skip_list();
  // Goes to item `index` of a list of blobs and returns it, or nothing when there are fewer.
  std::optional<std::span<const std::byte>> blob_of_list(uint32_t index);
  bool at_end() const { return rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
};

// Names: nothing where the section is empty, damaged, or holds none. Indices as in the program.
std::optional<std::string_view> input_name(std::span<const std::byte> names, uint32_t method,
                                           uint32_t input);
std::optional<std::string_view> output_name(std::span<const std::byte> names, uint32_t method,
                                            uint32_t output);
// `variant` and `value` are relative to the method and the variant.
std::optional<std::string_view> value_name(std::span<const std::byte> names, uint32_t method,
                                           uint32_t variant, uint32_t value);

// The name of model node `node` (0, 1, ...) that a step comes from; `variant` counts all variants
// of the program. Nothing when the step has fewer.
std::optional<std::string_view> source_node(std::span<const std::byte> source_map, uint32_t variant,
                                            uint32_t step, uint32_t node);

// Test vectors of a method: inputs and expected outputs as row-major bytes. Their alignment is 4.
uint32_t test_vector_count(std::span<const std::byte> vectors, uint32_t method);
std::optional<std::span<const std::byte>> test_vector_input(std::span<const std::byte> vectors,
                                                            uint32_t method, uint32_t vector,
                                                            uint32_t input);
std::optional<std::span<const std::byte>> test_vector_output(std::span<const std::byte> vectors,
                                                             uint32_t method, uint32_t vector,
                                                             uint32_t output);

// The output whose first element, of int64, says how many rows of `output` along `axis` hold
// results. Nothing where all do.
std::optional<uint32_t> count_output(std::span<const std::byte> counts, uint32_t method,
                                     uint32_t output, uint32_t axis);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
