// A page (HTML) that shows how often programs are right, and pictures of where they are not.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tools/evaluate/evaluation.h"

namespace arenite::tools {

// A PNG file of a sample; nothing where it has no picture. `part` counts the samples of its file.
using PictureOf = std::function<std::vector<std::byte>(const LabeledSample& sample, size_t part)>;

std::string evaluation_page(const Evaluation& evaluation, uint64_t top, const PictureOf& picture);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
