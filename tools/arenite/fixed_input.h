// The value of --fix: numbers in the option, or a file.
#pragma once

#include <string>

#include "planner/import/import.h"

namespace arenite::tools {

// `value` as the input takes it: "16000", "1,2,3", "true", or a tensor file as --input takes it.
// Dims that the model leaves open are those of `options` or follow from the value. Throws
// InputError where type or dims are others than the input's.
planner::ImportOptions::Bound fixed_input(const std::string& name, const std::string& value,
                                          const planner::DeclaredInput& input,
                                          const planner::ImportOptions& options);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
