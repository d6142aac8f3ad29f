// Compiles columns of depthwise windows for AVX-512 and its VNNI.
#include "portable_fallback/fast/integer_depthwise_avx512vnni_kernel.h"

#include "portable_fallback/fast/integer_lanes_avx512.h"

#if defined(__AVX512VNNI__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && \
    defined(__AVX512VL__)

#include "portable_fallback/fast/integer_columns.h"

namespace arenite {

void integer_depthwise_avx512vnni(const DotDepthwise& depthwise, uint32_t line) {
  add_columns_of_line(depthwise, line);
}

void pack_depthwise_avx512vnni(const DotDepthwise& depthwise, uint32_t* packed) {
  pack_columns(depthwise, packed);
}

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0
