// Moves the elements of lines of resized planes, with vectors of any kind.
#pragma once

#include "portable_fallback/fast/resize_moves.h"

namespace arenite {

void move_bytes_base(const ResizeMoves& line);
void move_words_base(const ResizeMoves& line);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
