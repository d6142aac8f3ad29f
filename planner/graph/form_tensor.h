// Shows a planned form of elements to the core's functions, as a tensor of the core.
#pragma once

#include <cstdint>
#include <vector>

#include "core/step.h"
#include "planner/graph/operands.h"

namespace arenite::planner {

// A tensor of that type and form, without data. Neither copied nor moved: it points into itself.
class FormTensor {
 public:
  FormTensor(DType dtype, const Strided& form) : words_(shape_words(form)) {
    describe(record_, dtype, form);
  }
  FormTensor(const FormTensor&) = delete;
  FormTensor& operator=(const FormTensor&) = delete;

  Tensor tensor() const { return {nullptr, words_.data(), words_.data() + record_.rank, &record_}; }

 private:
  std::vector<uint32_t> words_;  // dims, then strides
  format::ElementsRecord record_{};
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
