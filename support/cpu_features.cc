// Names come from schema/cpu_features.def; this machine's features from the compiler or from
// getauxval.
#include "support/cpu_features.h"

#if defined(__linux__) && defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#elif defined(__x86_64__)
#include <cpuid.h>
#endif

namespace arenite {

#if defined(__x86_64__)
namespace {

// Whether it widens vectors of float16: every CPU with AVX2 does, and kernels for it ask no more.
// Clang 14 has no name for it.
bool has_f16c() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}

}  // namespace
#endif

const char* cpu_feature_name(uint32_t number) {
  switch (number) {
#define ARENITE_CPU_FEATURE(number, name, Name) \
  case number:                                  \
    return #name;
#include "schema/cpu_features.def"
    default:
      return nullptr;
  }
}

std::vector<std::string> cpu_feature_names() {
  return {
#define ARENITE_CPU_FEATURE(number, name, Name) #name,
#include "schema/cpu_features.def"
  };
}

std::optional<CpuFeature> find_cpu_feature(std::string_view name) {
#define ARENITE_CPU_FEATURE(number, text, Name) \
  if (name == #text) return CpuFeature::k##Name;
#include "schema/cpu_features.def"
  return std::nullopt;
}

std::string cpu_features_text(CpuFeatures features) {
  std::string text;
  for (uint32_t number = 0; number < 32; ++number) {
    if ((features >> number & 1u) == 0) continue;
    const char* name = cpu_feature_name(number);
    text += (text.empty() ? "" : ", ") + (name != nullptr ? name : std::to_string(number));
  }
  return text;
}

CpuFeatures host_cpu_features() {
  CpuFeatures features = compiled_cpu_features();
  [[maybe_unused]] const auto add = [&features](bool there, CpuFeature feature) {
    if (there) features |= bit_of(feature);
  };
#if defined(__x86_64__)
  add(__builtin_cpu_supports("sse4.1") != 0, CpuFeature::kSse41);
  add(__builtin_cpu_supports("avx2") != 0 && has_f16c(), CpuFeature::kAvx2);
  add(__builtin_cpu_supports("fma") != 0, CpuFeature::kFma);
  // With multiply-adds of half vectors, which kernels for it use: every CPU has both.
  add(__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("fma") != 0,
      CpuFeature::kAvx512f);
  // With what kernels for it are compiled with: every CPU has these that has VNNI.
  add(__builtin_cpu_supports("avx512vnni") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
          __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0,
      CpuFeature::kAvx512vnni);
#if (defined(__clang__) && __clang_major__ >= 16) || (!defined(__clang__) && __GNUC__ >= 14)
  add(__builtin_cpu_supports("avxvnni") != 0, CpuFeature::kAvxvnni);
#endif
#elif defined(__linux__) && defined(__aarch64__)
  const unsigned long first = getauxval(AT_HWCAP);
  add((first & HWCAP_ASIMD) != 0, CpuFeature::kNeon);
  add((first & HWCAP_ASIMDDP) != 0, CpuFeature::kDotprod);
  add((first & HWCAP_ASIMDHP) != 0, CpuFeature::kFp16);
#ifdef HWCAP2_I8MM
  add((getauxval(AT_HWCAP2) & HWCAP2_I8MM) != 0, CpuFeature::kI8mm);
#endif
#endif
  return features;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
