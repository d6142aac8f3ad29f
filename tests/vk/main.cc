// Runs the tests of the Vulkan backend, with the folder that Mesa's drivers expect to have.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

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
