// Included before all else of a kernel whose inner loops are assembly on Cortex-M4: what is around
// them is compiled for size there, and not for speed as kernels are.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__ARM_ARCH_7EM__) && defined(__OPTIMIZE__) && !defined(__clang__)
#pragma GCC optimize("Os")
#endif
// SPDX-License-Identifier: Apache-2.0
