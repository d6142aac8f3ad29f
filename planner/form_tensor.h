// How elements lie, as the core's functions look at it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/step.h"
#include "planner/operands.h"

namespace arenite::planner {

// A tensor of that type and form, without data. Neither copied nor moved: it points into itself.
class FormTensor {
 public:
  FormTensor(DType dtype, const Strided& form) : words_(form.dims) {
    words_.insert(words_.end(), form.strides.begin(), form.strides.end());
    record_.dtype = static_cast<uint8_t>(dtype);
    record_.rank = static_cast<uint8_t>(form.dims.size());
    record_.layout = static_cast<uint8_t>(form.layout);
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
