// Builds a program's optional sections: lists of lists down to blobs, all 4-aligned.
#include "planner/program/sections.h"

#include <span>

namespace arenite::planner {
namespace {

using Bytes = std::vector<std::byte>;

void put_word(Bytes& to, size_t word) {
  for (uint32_t shift = 0; shift < 32; shift += 8) {
    to.push_back(static_cast<std::byte>(word >> shift & 0xff));
  }
}

void put(Bytes& to, std::span<const std::byte> blob) {
  put_word(to, blob.size());
  to.insert(to.end(), blob.begin(), blob.end());
  to.resize((to.size() + 3) / 4 * 4);
}

// A vector of bytes is a blob, not a list.
void put(Bytes& to, const Bytes& blob) { put(to, std::span(blob)); }

void put(Bytes& to, const std::string& text) { put(to, std::as_bytes(std::span(text))); }

void put(Bytes& to, const TestVector& vector);
void put(Bytes& to, const MethodNames& names);

template <typename T>
void put(Bytes& to, const std::vector<T>& list) {
  put_word(to, list.size());
  for (const T& item : list) {
    put(to, item);
  }
}

void put(Bytes& to, const TestVector& vector) {
  put(to, vector.inputs);
  put(to, vector.outputs);
}

void put(Bytes& to, const MethodNames& names) {
  put(to, names.inputs);
  put(to, names.outputs);
  put(to, names.variant_values);
}

template <typename T>
Bytes section_of(const std::vector<T>& list) {
  Bytes bytes;
  put(bytes, list);
  return bytes;
}

}  // namespace

Bytes counts_section(const std::vector<CountedRows>& counts) {
  Bytes bytes;
  put_word(bytes, counts.size());
  for (const auto& [method, output, axis, count] : counts) {
    for (const uint32_t word : {method, output, axis, count}) put_word(bytes, word);
  }
  return bytes;
}

Bytes names_section(const std::vector<MethodNames>& methods) { return section_of(methods); }

Bytes source_map_section(const std::vector<std::vector<StepNodes>>& variants) {
  return section_of(variants);
}

Bytes test_vectors_section(const std::vector<std::vector<TestVector>>& methods) {
  return section_of(methods);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
