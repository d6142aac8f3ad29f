// Four small operators for tests of the loader and the executor: their facts differ on purpose.
#pragma once

#include "core/form.h"

namespace arenite::tests {

// All of float32, with contracts of their own and one form each, number 0:
// add: y = a + b, row-major, BinaryAttributes; a second operand in panels passes the contract's
// rule
//   of layouts and is refused by its check. May run in place of either.
// mul: the same product; needs 32 bytes of scratch a thread, data aligned to 16, and reads 8 bytes
//   past its inputs.
// copy: y = x, any strides; its safe distance is 8 bytes, it says.
// div: always fails in `run` with kIndexOutOfRange.
OpTable test_forms();

// The form of an operator there.
const Form& test_form(Op op);

}  // namespace arenite::tests
// SPDX-License-Identifier: Apache-2.0
