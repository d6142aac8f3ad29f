// Tells where the image lies with which a board runs programs, once it is built.
#pragma once

#include "planner/board/board.h"

namespace arenite::planner {

inline std::filesystem::path harness_image(const Board& board) {
  return images_folder() / board.toolchain / "boards" / board.name / "harness.elf";
}

// Says how to build the image: the end of a message that it is missing.
inline std::string harness_advice(const Board& board) {
  return "build it with `cmake --workflow --preset " + board.toolchain +
         "`, or name the folder of the image builds in ARENITE_IMAGES";
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
