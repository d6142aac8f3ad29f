// Limits the work that a model's import may do ahead: bytes of constants that the file does not
// store, and operations.
//
// Models fold shapes, masks, tables and a few weights; a damaged file of a few bytes can ask for
// gigabytes. The limits follow from the file's size, and from the inputs that the model declares or
// the user gives:
//
// clang-format off
//   bytes:       640 MiB + 8 x bytes of the file + 8 x bytes of the inputs (16 MiB of them count)
//   operations:  2^28 + 16 x bytes of the file
// clang-format on
//
// The constant term is for ONNX's light models, whose weights are made by ConstantOfShape: the
// largest, VGG-19, has 548 MiB of them in a file of a few KB. Of the models that the project is
// tested with, one of that kind folds 106 MiB with 6 million operations; the others fold at most 7
// MiB with 5 million.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace arenite::planner {

class FoldingBudget {
 public:
  void set_file_bytes(uint64_t bytes) { file_bytes_ = bytes; }
  void add_input_bytes(uint64_t bytes);

  // Throws InputError where as many bytes more as the product of the factors are too many: ask
  // before memory is taken for them.
  void check_room(std::initializer_list<uint64_t> factors) const;
  // Count computed bytes. Throw InputError if they are too many.
  void count_bytes(uint64_t bytes);
  void count_work(uint64_t operations);

  uint64_t bytes_max() const;
  uint64_t work_max() const;

 private:
  uint64_t file_bytes_ = 0, input_bytes_ = 0;
  uint64_t bytes_ = 0, work_ = 0;  // counted so far
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
