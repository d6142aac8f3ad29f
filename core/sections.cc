// Reads a program's optional sections without trusting a byte of them.
#include "core/sections.h"

#include <cstring>

namespace arenite {
namespace {

using Bytes = std::span<const std::byte>;

std::optional<std::string_view> as_text(std::optional<Bytes> blob) {
  if (!blob) {
    return std::nullopt;
  }
  return std::string_view(reinterpret_cast<const char*>(blob->data()), blob->size());
}

// Goes into item `index` of a list whose items `skip` goes past.
template <typename Skip>
bool enter(SectionReader& reader, uint32_t index, Skip skip) {
  const auto count = reader.list();
  if (!count || index >= *count) {
    return false;
  }
  for (uint32_t i = 0; i < index; ++i) {
    if (!skip(reader)) {
      return false;
    }
  }
  return true;
}

bool skip_lists(SectionReader& reader) {
  const auto count = reader.list();
  for (uint32_t i = 0; count && i < *count; ++i) {
    if (!reader.skip_list()) {
      return false;
    }
  }
  return count.has_value();
}

bool skip_list(SectionReader& reader) { return reader.skip_list(); }

// A method of the names: inputs, outputs, then a list of variants, each a list of values.
bool skip_method_names(SectionReader& reader) {
  return reader.skip_list() && reader.skip_list() && skip_lists(reader);
}

// A method of the test vectors: a list of vectors, each two lists.
bool skip_vector(SectionReader& reader) { return reader.skip_list() && reader.skip_list(); }

bool skip_vectors(SectionReader& reader) {
  const auto count = reader.list();
  for (uint32_t i = 0; count && i < *count; ++i) {
    if (!skip_vector(reader)) {
      return false;
    }
  }
  return count.has_value();
}

}  // namespace

std::optional<uint32_t> SectionReader::word() {
  if (rest_.size() < 4) {
    rest_ = {};
    return std::nullopt;
  }
  uint32_t word = 0;
  std::memcpy(&word, rest_.data(), 4);
  rest_ = rest_.subspan(4);
  return word;
}

std::optional<uint32_t> SectionReader::list() {
  const auto count = word();
  if (!count || *count > rest_.size() / 4) {
    rest_ = {};
    return std::nullopt;
  }
  return count;
}

std::optional<Bytes> SectionReader::blob() {
  const auto bytes = word();
  // The rest is a multiple of 4 unless the section is damaged.
  const uint64_t padded = (uint64_t{bytes.value_or(0)} + 3) / 4 * 4;
  if (!bytes || padded > rest_.size()) {
    rest_ = {};
    return std::nullopt;
  }
  const Bytes blob = rest_.first(*bytes);
  rest_ = rest_.subspan(static_cast<size_t>(padded));
  return blob;
}

bool SectionReader::skip_blobs(uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (!blob()) {
      return false;
    }
  }
  return true;
}

bool SectionReader::skip_list() {
  const auto count = list();
  return count && skip_blobs(*count);
}

std::optional<Bytes> SectionReader::blob_of_list(uint32_t index) {
  const auto count = list();
  if (!count || index >= *count || !skip_blobs(index)) {
    return std::nullopt;
  }
  return blob();
}

std::optional<std::string_view> input_name(Bytes names, uint32_t method, uint32_t input) {
  SectionReader reader(names);
  if (!enter(reader, method, skip_method_names)) {
    return std::nullopt;
  }
  return as_text(reader.blob_of_list(input));
}

std::optional<std::string_view> output_name(Bytes names, uint32_t method, uint32_t output) {
  SectionReader reader(names);
  if (!enter(reader, method, skip_method_names) || !reader.skip_list()) {
    return std::nullopt;
  }
  return as_text(reader.blob_of_list(output));
}

std::optional<std::string_view> value_name(Bytes names, uint32_t method, uint32_t variant,
                                           uint32_t value) {
  SectionReader reader(names);
  if (!enter(reader, method, skip_method_names) || !reader.skip_list() || !reader.skip_list() ||
      !enter(reader, variant, skip_list)) {
    return std::nullopt;
  }
  return as_text(reader.blob_of_list(value));
}

std::optional<std::string_view> source_node(Bytes source_map, uint32_t variant, uint32_t step,
                                            uint32_t node) {
  SectionReader reader(source_map);
  if (!enter(reader, variant, skip_lists) || !enter(reader, step, skip_list)) {
    return std::nullopt;
  }
  return as_text(reader.blob_of_list(node));
}

uint32_t test_vector_count(Bytes vectors, uint32_t method) {
  SectionReader reader(vectors);
  return enter(reader, method, skip_vectors) ? reader.list().value_or(0) : 0;
}

std::optional<Bytes> test_vector_input(Bytes vectors, uint32_t method, uint32_t vector,
                                       uint32_t input) {
  SectionReader reader(vectors);
  if (!enter(reader, method, skip_vectors) || !enter(reader, vector, skip_vector)) {
    return std::nullopt;
  }
  return reader.blob_of_list(input);
}

std::optional<Bytes> test_vector_output(Bytes vectors, uint32_t method, uint32_t vector,
                                        uint32_t output) {
  SectionReader reader(vectors);
  if (!enter(reader, method, skip_vectors) || !enter(reader, vector, skip_vector) ||
      !reader.skip_list()) {
    return std::nullopt;
  }
  return reader.blob_of_list(output);
}

std::optional<uint32_t> count_output(Bytes counts, uint32_t method, uint32_t output,
                                     uint32_t axis) {
  SectionReader reader(counts);
  const uint32_t count = reader.list().value_or(0);
  for (uint32_t i = 0; i < count; ++i) {
    const auto of_method = reader.word();
    const auto of_output = reader.word();
    const auto along = reader.word();
    const auto found = reader.word();
    if (found && of_method == method && of_output == output && along == axis) return found;
  }
  return std::nullopt;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
