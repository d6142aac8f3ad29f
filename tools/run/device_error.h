// A program cannot be run on the device that was asked for.
#pragma once

#include <string>

#include "tools/run/runner.h"

namespace arenite::tools {

// `device` is the text of the option.
struct DeviceError : RunError {
  DeviceError(const std::string& message, std::string asked)
      : RunError(message), device(std::move(asked)) {}
  std::string device;
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
