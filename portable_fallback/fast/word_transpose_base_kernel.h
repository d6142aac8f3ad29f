// Exchanges rows and columns of elements with the vectors that every machine of an architecture
// has.
#pragma once

#include "portable_fallback/fast/word_transpose.h"

namespace arenite {

// Elements of 8, 16 and 32 bits.
void byte_transpose_base(const ElementTranspose& matrix);
void half_transpose_base(const ElementTranspose& matrix);
void word_transpose_base(const ElementTranspose& matrix);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
