// Included before all else of a kernel whose inner loops take as many instructions, or nearly so,
// when it is compiled for size on Cortex-M4, since they are assembly or calls of single
// instructions. Other kernels are compiled for speed.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__ARM_ARCH_7EM__) && defined(__OPTIMIZE__) && !defined(__clang__)
#pragma GCC optimize("Os")
#endif
// SPDX-License-Identifier: Apache-2.0
