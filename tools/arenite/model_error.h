// Errors of importing a model, with the model's file in front.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "support/errors.h"

namespace arenite::tools {

// Throws `error` again with `start` before it: a FileError where the file holds no model, so that
// another file would do.
[[noreturn]] void fail_of_model(const std::string& start, const std::string& path,
                                std::span<const std::byte> file, const InputError& error);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
