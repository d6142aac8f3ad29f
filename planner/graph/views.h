// The form in which a node sees its input's bytes.
#pragma once

#include <cstdint>
#include <optional>

#include "planner/graph/graph.h"
#include "planner/graph/strides.h"

namespace arenite::planner {

// The form of the output of a node that may be a view (LayoutClass kView, kViewOrFollows) over the
// storage that holds its input in the form `input`; nothing when no strides reach the elements, or
// they would not start at a multiple of `view_alignment` bytes.
std::optional<Strided> view_form(const Node& node, const Value& output, const Strided& input,
                                 uint32_t view_alignment);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
