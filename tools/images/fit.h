// Gives images the size that an input takes.
#pragma once

#include <string>

#include "tools/images/preprocess.h"

namespace arenite::tools {

// Makes `image` width x height as options.fit says, which is not kRefuse. An odd rest goes to the
// right and the bottom. Throws InputError, which begins with `name`, for sizes too far apart.
Image fitted(const Image& image, const std::string& name, uint32_t width, uint32_t height,
             const ImageOptions& options);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
