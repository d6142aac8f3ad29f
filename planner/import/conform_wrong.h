// ONNX's test cases that are wrong as they were published.
#pragma once

#include <filesystem>
#include <string>

namespace arenite::planner {

// Why the case in `folder` says nothing of who fails it; empty where it may well be right. Known by
// the bytes of its files, so that a case that is mended counts again.
std::string why_wrong(const std::filesystem::path& folder);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
