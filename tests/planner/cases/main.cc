// Runs the `.cases` files that are named as arguments: each case is a test of GoogleTest's.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "support/file.h"
#include "tests/planner/cases/check.h"
#include "tests/planner/cases/parse.h"

namespace arenite::planner::cases {
namespace {

class CaseTest : public testing::Test {
 public:
  CaseTest(std::shared_ptr<const CaseFile> file, size_t index)
      : file_(std::move(file)), index_(index) {}

  void TestBody() override {
    const Case& test = file_->cases[index_];
    for (const std::string& problem : check(test, *file_)) {
      ADD_FAILURE_AT(file_->path.c_str(), test.line) << problem;
    }
  }

 private:
  std::shared_ptr<const CaseFile> file_;
  size_t index_;
};

// "ops.window" of tests/planner/operators/window.cases.
std::string suite_of(const std::filesystem::path& path) {
  return path.parent_path().filename().string() + "." + path.stem().string();
}

void register_cases(const std::string& path) {
  const auto file = std::make_shared<const CaseFile>(parse_cases(path, read_text(path)));
  for (size_t i = 0; i < file->cases.size(); ++i) {
    const Case& test = file->cases[i];
    testing::RegisterTest(suite_of(path).c_str(), test.name.c_str(), nullptr, nullptr,
                          file->path.c_str(), test.line,
                          [file, i]() -> testing::Test* { return new CaseTest(file, i); });
  }
  std::printf("%s: %zu cases\n", path.c_str(), file->cases.size());
}

}  // namespace
}  // namespace arenite::planner::cases

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s FILE.cases... [--gtest_filter=ops.window.*]\n", argv[0]);
    return 2;
  }
  try {
    for (int i = 1; i < argc; ++i) arenite::planner::cases::register_cases(argv[i]);
  } catch (const arenite::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return RUN_ALL_TESTS();
}
// SPDX-License-Identifier: Apache-2.0
