// A step with the scratch that its form asks for, in memory of its own behind which a write shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/form.h"
#include "core/step.h"

namespace arenite::ops_test {

class WithScratch {
 public:
  // The step must not have scratch yet; it must outlive this.
  WithScratch(const Step& step, const Form& form, uint32_t threads = 1);
  WithScratch(const WithScratch&) = delete;
  WithScratch& operator=(const WithScratch&) = delete;

  Step step() const { return {bindings_, record_, index_}; }
  // The form's run, and kBadScratch where it wrote behind its scratch.
  Status run(const Form& form, const Platform& platform) const;

 private:
  Bindings bindings_;
  format::StepRecord record_;
  std::vector<format::ValueRecord> values_;
  std::vector<uint32_t> operands_;
  std::vector<std::byte> scratch_;
  std::vector<std::byte*> arenas_;
  size_t bytes_ = 0;
  uint32_t index_;
};

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
