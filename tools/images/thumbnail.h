// Small pictures of samples, for pages that people look at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tools/images/preprocess.h"

namespace arenite::tools {

// An image file as a PNG file whose sides are at most `side` pixels. Throws InputError, which
// begins with `name`.
std::vector<std::byte> thumbnail(std::span<const std::byte> file, const std::string& name,
                                 uint32_t side);

// The same of a tensor that an input takes for an image: its least element is black, its greatest
// white. Nothing where its dims are not those of an image.
std::vector<std::byte> thumbnail(const HostTensor& tensor, const ImageOptions& options,
                                 uint32_t side);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
