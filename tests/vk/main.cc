// Runs the tests of the Vulkan backend, with the folder that Mesa's drivers expect to have.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

// Drivers and layers unload themselves with what they never freed, so that a leak's place is
// unknown and can't be excused by name. Nothing here has a heap of its own to leak from; objects of
// Vulkan that are not given back are found by validation.
extern "C" const char* __asan_default_options();  // NOLINT(readability-identifier-naming)
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (std::getenv("XDG_RUNTIME_DIR") == nullptr) {
    const auto folder = std::filesystem::temp_directory_path() / "arenite-runtime";
    std::filesystem::create_directories(folder);
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
    setenv("XDG_RUNTIME_DIR", folder.c_str(), 1);
  }
  return RUN_ALL_TESTS();
}
// SPDX-License-Identifier: Apache-2.0
