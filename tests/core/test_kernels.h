// Four small kernels for tests of the loader and the executor: their facts differ on purpose.
#pragma once

#include "core/kernel.h"

namespace arenite::tests {

// add: y = a + b, float32, row-major, BinaryAttributes; a second operand in panels passes the
//   loader's check of layouts and is refused by the op's. May run in place of either.
// mul: the same product; needs 32 bytes of scratch, data aligned to 16, and 8 bytes of tail.
// copy: y = x, any strides; its reads must lead by 8 bytes, it says.
// div: always fails in `run` with kIndexOutOfRange.
KernelTable test_kernels();

}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
