// Short forms of the long names that exporters give to nodes and tensors, for labels.
#pragma once

#include <string>
#include <string_view>

namespace arenite::picture {

// Shortens a path whose parts repeat one another to the parts that say more, without the suffix of
// a first output: "/features/features.2/conv/conv.0/conv.0.2/Clip_output_0" becomes
// "/features.2/conv.0.2/Clip". From several nodes ("a/Conv+a/Relu") it takes the first. Whole names
// belong where there is room for them.
std::string brief_name(std::string_view name);

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0
