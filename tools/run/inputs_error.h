// What a program is given does not suit its inputs.
#pragma once

#include "support/errors.h"

namespace arenite::tools {

// A name that no input has, a shape, a type, or an input that is missing; what inputs there are,
// `inspect` tells.
struct InputsError : InputError {
  using InputError::InputError;
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
