// UnsupportedError: a model that is valid but asks for more than is built here.
#pragma once

#include <string>
#include <utility>

#include "support/errors.h"

namespace arenite::planner {

using arenite::InputError;

// An operator, a type, an opset, a dim that is no number where one is needed.
// `instead`: the nearest thing that would work, a part of a sentence; "" where there is none to
// name.
struct UnsupportedError : InputError {
  explicit UnsupportedError(const std::string& what, std::string nearest = {})
      : InputError(what), instead(std::move(nearest)) {}
  std::string instead;
};

// This works instead of an operator that cannot stand behind those that only a run sizes.
inline constexpr const char* kCutBefore =
    "--outputs with what it reads, and the rest behind the model";

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
