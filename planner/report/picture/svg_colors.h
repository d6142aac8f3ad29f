// Colors of tensors in an SVG, by the operator that writes them where that is known.
#pragma once

#include <string>
#include <vector>

#include "planner/report/picture/section.h"

namespace arenite::picture {

struct Colors {
  struct Entry {
    std::string name;   // an operator or a role
    std::string color;  // "#7fb0e6"
  };
  std::vector<std::string> buffers;  // of the report's buffers
  std::vector<std::string> steps;    // of the variant's; empty without one
  std::vector<Entry> legend;         // empty: each buffer has a color of its own
};

Colors colors_of(const Section& section);

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0
