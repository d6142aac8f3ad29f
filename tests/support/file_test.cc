// Tests reading and writing whole files: what is replaced, what is written through, what is left.
#include "support/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <thread>

namespace arenite {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("arenite_files_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path make(const char* name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  size_t count() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  template <typename Error, typename Call>
  static std::string error_of(const Call& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
};

TEST_F(Files, WhatCannotBeReadIsNamed) {
  EXPECT_THAT(error_of<InputError>([&] { (void)read_file(folder_ / "absent"); }),
              AllOf(HasSubstr("absent"), HasSubstr("No such file or directory")));
  EXPECT_THAT(error_of<InputError>([&] { (void)read_file(folder_); }), HasSubstr("found a folder"));
}

TEST_F(Files, AnEmptyFileIsEmpty) {
  EXPECT_EQ(read_text(make("empty", "")), "");
  EXPECT_TRUE(read_file("/dev/null").empty());
}

TEST_F(Files, APipeIsReadToItsEnd) {
  const fs::path fifo = folder_ / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_TRUE(is_stream(fifo));
  EXPECT_FALSE(is_stream(folder_));
  const std::string text(300'000, 'x');
  std::thread writer([&] { std::ofstream(fifo, std::ios::binary) << text; });
  EXPECT_EQ(read_text(fifo), text);
  writer.join();
}

TEST_F(Files, WhatKnowsNoSizeIsReadToo) {
  EXPECT_THAT(read_text("/proc/self/status"), HasSubstr("Pid:"));  // stat() says that its size is 0
}

TEST_F(Files, WritingReplacesTheWholeFile) {
  write_file(make("x", "a longer old file"), "new");
  EXPECT_EQ(read_text(folder_ / "x"), "new");
  EXPECT_EQ(count(), 1u);
}

TEST_F(Files, WritingFollowsLinks) {
  make("target", "old");
  fs::create_symlink("target", folder_ / "link");
  fs::create_symlink("new", folder_ / "dangling");
  write_file(folder_ / "link", "1");
  write_file(folder_ / "dangling", "2");
  EXPECT_EQ(read_text(folder_ / "target"), "1");
  EXPECT_EQ(read_text(folder_ / "new"), "2");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link") && fs::is_symlink(folder_ / "dangling"));
  EXPECT_EQ(count(), 4u);
}

TEST_F(Files, AFolderIsNotReplaced) {
  fs::create_directories(folder_ / "x" / "inside");
  EXPECT_THAT(error_of<OutputError>([&] { write_file(folder_ / "x", "text"); }),
              AllOf(HasSubstr("x: cannot be written"), HasSubstr("Is a directory")));
  EXPECT_TRUE(fs::exists(folder_ / "x" / "inside"));
  EXPECT_EQ(count(), 1u);
}

TEST_F(Files, ADiskThatIsFullLeavesWhatWasThere) {
  const fs::path path = make("x", "old");
  rlimit old = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  const rlimit small = {4096, old.rlim_max};
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string why =
      error_of<OutputError>([&] { write_file(path, std::string(1 << 20, 'x')); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
  ::signal(SIGXFSZ, handler);
  EXPECT_THAT(why, AllOf(HasSubstr("x: cannot be written"), HasSubstr("File too large")));
  EXPECT_EQ(read_text(path), "old");
  EXPECT_EQ(count(), 1u);
}

TEST_F(Files, LeftoversOfOthersAreLeftAlone) {
  make((".arenite-" + std::to_string(::getpid()) + "-0").c_str(), "somebody's");
  write_file(folder_ / "x", "new");
  EXPECT_EQ(read_text(folder_ / "x"), "new");
  EXPECT_EQ(read_text(folder_ / (".arenite-" + std::to_string(::getpid()) + "-0")), "somebody's");
}

TEST_F(Files, ADeviceIsWrittenInto) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  EXPECT_EQ(error_of<OutputError>([] { write_file("/dev/full", "text"); }),
            "/dev/full: cannot be written: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(Files, StandardOutputHasSeveralNames) {
  for (const char* name : {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    EXPECT_TRUE(is_standard_output(name)) << name;
  }
  for (const char* name : {"", "./-", "/dev/fd/", "/dev/fd/11", "/dev/fd/1x", "/dev/stderr"}) {
    EXPECT_FALSE(is_standard_output(name)) << name;
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
