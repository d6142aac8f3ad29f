// Tests the file of compiled shaders: what was damaged in it is as good as absent.
#include "tools/run/pipeline_cache_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "support/file.h"

namespace arenite::tools {
namespace {

namespace fs = std::filesystem;

class PipelineCacheFileTest : public testing::Test {
 protected:
  PipelineCacheFileTest() {
    std::string name = (fs::temp_directory_path() / "arenite-cache-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    for (int i = 0; i < 100; ++i) sample_.data.push_back(static_cast<std::byte>(i));
  }
  ~PipelineCacheFileTest() override { fs::remove_all(folder_); }

  bool holds_nothing(const fs::path& path) {
    const PipelineCacheFile file = read_pipeline_cache(path);
    return file.data.empty() && file.cold_ms < 0;
  }

  fs::path folder_;
  PipelineCacheFile sample_{12.5, 77, {}};
};

TEST_F(PipelineCacheFileTest, GoesOutAndComesBack) {
  const fs::path path = folder_ / "new/folders/cache";
  write_pipeline_cache(path, sample_);
  const PipelineCacheFile back = read_pipeline_cache(path);
  EXPECT_EQ(back.data, sample_.data);
  EXPECT_EQ(back.cold_ms, 12.5);
  EXPECT_EQ(back.program, 77u);
}

TEST_F(PipelineCacheFileTest, AnyDamageLeavesNothing) {
  const fs::path path = folder_ / "cache";
  write_pipeline_cache(path, sample_);
  const std::vector<std::byte> whole = read_file(path);
  for (size_t i = 0; i < whole.size(); ++i) {
    std::vector<std::byte> damaged = whole;
    damaged[i] ^= std::byte{0x10};
    write_file(path, damaged);
    EXPECT_TRUE(holds_nothing(path)) << "byte " << i;
    write_file(path, std::span(whole).first(i));
    EXPECT_TRUE(holds_nothing(path)) << "cut to " << i;
  }
  write_pipeline_cache(path, sample_);
  EXPECT_FALSE(holds_nothing(path));
}

TEST_F(PipelineCacheFileTest, WhatIsNoFileLeavesNothing) {
  EXPECT_TRUE(holds_nothing(folder_ / "absent"));
  EXPECT_TRUE(holds_nothing(folder_));
  EXPECT_TRUE(holds_nothing(""));
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_TRUE(holds_nothing(folder_ / "pipe"));  // and nobody waits for a writer
  EXPECT_THROW(write_pipeline_cache(folder_, sample_), OutputError);
}

}  // namespace
}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
