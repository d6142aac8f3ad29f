// Exchanges rows and columns of words with the vectors that every machine of an architecture has.
#pragma once

#include "portable_fallback/fast/word_transpose.h"

namespace arenite {

void word_transpose_base(const WordTranspose& matrix);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
