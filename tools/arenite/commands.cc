// The list of commands.
#include "tools/arenite/commands.h"

namespace arenite::tools {
namespace {

constexpr const Command* kCommands[] = {
    &kPlanCommand,        &kFitCommand,      &kRunCommand,       &kBenchCommand,
    &kCompareCommand,     &kInspectCommand,  &kStripCommand,     &kMemplanCommand,
    &kConformCommand,     &kQuantizeCommand, &kTargetRunCommand, &kTargetTestCommand,
    &kTargetBenchCommand, &kOpsCommand,      &kDoctorCommand,
};

}  // namespace

std::span<const Command* const> all_commands() { return kCommands; }

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
