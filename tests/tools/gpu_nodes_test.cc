// Nodes that a GPU's driver makes are found in a folder that stands for /dev.
#include "tools/run/gpu_nodes.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace arenite::tools {
namespace {

namespace fs = std::filesystem;

class GpuNodes : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = fs::temp_directory_path() / "arenite-dev-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    dev_ = name;
    for (const char* variable : {"VK_DRIVER_FILES", "VK_ICD_FILENAMES", "VK_ADD_DRIVER_FILES"}) {
      unsetenv(variable);
    }
    for (const char* node : {"null", "tty0", "kvm", "fb0"}) std::ofstream(dev_ / node) << "";
  }
  void TearDown() override { fs::remove_all(dev_); }

  fs::path dev_;
};

TEST_F(GpuNodes, AreThoseOfDrivers) {
  EXPECT_FALSE(may_have_gpu(dev_));
  for (const char* node : {"nvidia0", "nvidiactl", "mali0", "kgsl-3d0", "pvr_sync", "dxg"}) {
    std::ofstream(dev_ / node) << "";
    EXPECT_TRUE(may_have_gpu(dev_)) << node;
    fs::remove(dev_ / node);
  }
  fs::create_directory(dev_ / "dri");
  EXPECT_FALSE(may_have_gpu(dev_));
  for (const char* node : {"card0", "renderD128"}) {
    std::ofstream(dev_ / "dri" / node) << "";
    EXPECT_TRUE(may_have_gpu(dev_)) << node;
    fs::remove(dev_ / "dri" / node);
  }
}

TEST_F(GpuNodes, DoNotCountWhereDriversAreNamed) {
  setenv("VK_ICD_FILENAMES", "", 1);
  EXPECT_FALSE(may_have_gpu(dev_));
  setenv("VK_ICD_FILENAMES", "swiftshader.json", 1);
  EXPECT_TRUE(may_have_gpu(dev_));
  unsetenv("VK_ICD_FILENAMES");
}

TEST_F(GpuNodes, AreNotThereWithoutAFolder) { EXPECT_FALSE(may_have_gpu(dev_ / "none")); }

}  // namespace
}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
