// Gives images the size that an input takes.
#pragma once

#include <string>

#include "tools/images/preprocess.h"

namespace arenite::tools {

// `image` as options.fit says, which is not kRefuse, in width x height. What does not come out even
// is more on the right and at the bottom. Throws InputError, which begins with `name`, for sizes
// too far apart.
Image fitted(const Image& image, const std::string& name, uint32_t width, uint32_t height,
             const ImageOptions& options);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
