// Finds which tensors of which methods a user's constraints are about, on one board.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "planner/memplan/constraints.h"
#include "planner/place/place.h"
#include "planner/steps/schedule/schedule.h"

namespace arenite::planner {

// The CPU variant of a method.
struct MethodPlan {
  std::string method;
  const Schedule* plan = nullptr;
};

class BoardConstraints {
 public:
  // Tensors go by the names of their bytes' owners, as `arenite inspect` shows them: "TENSOR", or
  // "METHOD:TENSOR" where several methods have one of that name. Throws InputError for an entry
  // about a tensor that is not there, is there more than once or is left to the caller.
  BoardConstraints(const memory::Constraints& constraints, const std::string& board,
                   std::span<const MethodPlan> methods);

  // Whether some tie goes from one method to another.
  bool ties_methods() const { return ties_methods_; }

  // The constraints on one method placed alone, or on all placed together; valid as long as this.
  Constrain for_method(uint32_t method) const;
  Constrain for_all() const;

 private:
  struct Tensor {
    uint32_t method = 0;
    uint32_t storage = 0;
  };

  void find(const memory::Constraint& entry, const std::string& name);
  std::vector<Tensor> all_named(const std::string& name) const;
  Constrain constrain(memory::Constraints entries, uint32_t first_method) const;

  std::span<const MethodPlan> methods_;
  memory::Constraints constraints_;  // those for this board
  std::map<std::string, Tensor> tensors_;
  bool ties_methods_ = false;
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
