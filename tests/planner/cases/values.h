// Types, dims and elements of tensors as `.cases` files write them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planner/import/model/tensor_proto.h"
#include "tests/planner/cases/words.h"

namespace arenite::planner::cases {

// "float32", "int4"; nothing where the word names no type.
std::optional<OnnxType> find_type(std::string_view word);
// Throws InputError where the next word names none.
OnnxType read_type(Words& words);

// [1, N, 3], as written.
std::vector<std::string> read_dims(Words& words);
// Throws InputError where one is not a number.
std::vector<uint32_t> numbers_of(std::span<const std::string> dims);

bool is_float(DType type);

// One number. Throws InputError where the next word is none.
int64_t read_integer(Words& words);
double read_number(Words& words);
// All words that are left, as bytes: 255, 0xff.
std::vector<std::byte> read_bytes(Words& words);

// Numbers; `counting`: 1, 2, 3 and so on; `all N`; `random SEED`: float32 in [-1, 1); or `bytes`
// and the bytes as they are stored. Throws InputError where they are not as many as the dims ask
// for, unless they are `sparse`.
TensorData read_values(Words& words, OnnxType type, std::vector<uint32_t> dims,
                       bool sparse = false);

// The elements, of floats or of integers.
std::vector<double> doubles_of(const TensorData& data);
std::vector<int64_t> int64s_of(const TensorData& data);

// Writes values as read_values() reads them: "1 2.5 -3", cut after 64.
std::string values_text(const TensorData& data);

}  // namespace arenite::planner::cases
// SPDX-License-Identifier: Apache-2.0
