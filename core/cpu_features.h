// Features of a CPU that forms may need beyond those that all code is compiled for, one bit each.
#pragma once

#include <cstdint>

namespace arenite {

using CpuFeatures = uint32_t;

enum class CpuFeature : uint32_t {
#define ARENITE_CPU_FEATURE(number, name, Name) k##Name = number,
#include "schema/cpu_features.def"
};

constexpr CpuFeatures bit_of(CpuFeature feature) {
  return CpuFeatures{1} << static_cast<uint32_t>(feature);
}

// The features by name: rows of schema/forms.def combine them.
namespace cpu_features {
inline constexpr CpuFeatures kNone = 0;
#define ARENITE_CPU_FEATURE(number, name, Name) \
  inline constexpr CpuFeatures k##Name = bit_of(CpuFeature::k##Name);
#include "schema/cpu_features.def"
}  // namespace cpu_features

// The features that this code is compiled for: any machine that runs it has them.
constexpr CpuFeatures compiled_cpu_features() {
  CpuFeatures features = 0;
#ifdef __ARM_FEATURE_DSP
  features |= bit_of(CpuFeature::kDsp);
#endif
#if defined(__ARM_FP) && (__ARM_FP & 4) != 0 && defined(__ARM_ARCH_PROFILE) && \
    __ARM_ARCH_PROFILE == 'M'
  features |= bit_of(CpuFeature::kFpu);
#endif
#ifdef __ARM_FEATURE_MVE
  features |= bit_of(CpuFeature::kMve);
#if (__ARM_FEATURE_MVE & 2) != 0
  features |= bit_of(CpuFeature::kMveFp);
#endif
#endif
#ifdef __ARM_NEON
  features |= bit_of(CpuFeature::kNeon);
#endif
#ifdef __ARM_FEATURE_DOTPROD
  features |= bit_of(CpuFeature::kDotprod);
#endif
#ifdef __ARM_FEATURE_MATMUL_INT8
  features |= bit_of(CpuFeature::kI8mm);
#endif
#ifdef __ARM_FEATURE_FP16_VECTOR_ARITHMETIC
  features |= bit_of(CpuFeature::kFp16);
#endif
#ifdef __SSE4_1__
  features |= bit_of(CpuFeature::kSse41);
#endif
#ifdef __AVX2__
  features |= bit_of(CpuFeature::kAvx2);
#endif
#ifdef __FMA__
  features |= bit_of(CpuFeature::kFma);
#endif
#ifdef __AVX512F__
  features |= bit_of(CpuFeature::kAvx512f);
#endif
#if defined(__AVX512VNNI__) && defined(__AVX512BW__) && defined(__AVX512VL__)
  features |= bit_of(CpuFeature::kAvx512vnni);
#endif
#ifdef __AVXVNNI__
  features |= bit_of(CpuFeature::kAvxvnni);
#endif
#if defined(__SSE2__) || defined(__aarch64__)
  features |= bit_of(CpuFeature::kF32x4);
#endif
#ifdef __riscv_vector
  features |= bit_of(CpuFeature::kRvv);
#endif
  return features;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
