// Makes floats of integers of 8 bits on CPUs without vectors for that.
#pragma once

#include "portable_fallback/fast/integer_dequantize.h"

namespace arenite {

void dequantize_row_scalar(const DequantizeRow& row);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
