// CPU features by name, and those of this machine.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cpu_features.h"

namespace arenite {

// The name of a bit; null where schema/cpu_features.def has none.
const char* cpu_feature_name(uint32_t number);
std::vector<std::string> cpu_feature_names();  // all
std::optional<CpuFeature> find_cpu_feature(std::string_view name);

// "neon, dotprod"; empty for none. A bit without a name is shown as its number.
std::string cpu_features_text(CpuFeatures features);

// The features that code is compiled for, and those that the system reports.
CpuFeatures host_cpu_features();

// Features whose instructions are written in plain C++ too, which takes their place where code is
// compiled without them: forms that need no others run on any machine, with the same results.
inline constexpr CpuFeatures kEmulatedCpuFeatures =
    cpu_features::kDsp | cpu_features::kFpu | cpu_features::kMve | cpu_features::kMveFp;

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
