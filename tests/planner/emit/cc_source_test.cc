// Programs as C++ source: what the text holds, and that compilers for host and device take it.
#include "planner/emit/cc_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "planner/plan.h"
#include "tests/planner/plan/graph_builder.h"

namespace arenite::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

std::vector<std::byte> program_for(std::initializer_list<const char*> boards) {
  GraphBuilder b;
  const ValueId x = b.input({1, 3, 8, 8});
  b.graph().values[x].name = "in \"put\"\n";
  b.output(b.max_pool(b.conv(x, 4, 3), 2));
  planner::PlanOptions options;
  for (const char* board : boards) options.boards.push_back(planner::find_board(board));
  return planner::plan_graphs({{"main", b.graph(), {}}}, options).program;
}

TEST(CcSource, NamesOnlyTheKernelsThatRun) {
  const planner::CcSource source = planner::cc_source(program_for({"mps3-an547"}));
  EXPECT_THAT(source.header, HasSubstr("kConvKernel"));
  EXPECT_THAT(source.header, HasSubstr("kMaxPoolKernel"));
  EXPECT_THAT(source.header, Not(HasSubstr("kSoftmaxKernel")));
  EXPECT_THAT(source.header, HasSubstr("extern std::byte arena_dtcm["));
  EXPECT_THAT(source.header, HasSubstr(R"("in \042put\042\012")"));
  EXPECT_THAT(source.source, HasSubstr(".bss.arena.dtcm"));
}

TEST(CcSource, IsForOneBoard) {
  EXPECT_THROW(planner::cc_source(program_for({"host", "mps3-an547"})), planner::InputError);
  EXPECT_THROW(planner::cc_source({}), planner::InputError);
}

// Compiles with the compiler's command, warnings as errors, without exceptions and RTTI.
void expect_compiles(const std::string& compiler, const char* board) {
  if (std::system(("command -v " + compiler + " > /dev/null").c_str()) != 0) {
    GTEST_SKIP() << compiler << " is absent";
  }
  const fs::path folder = fs::path(testing::TempDir()) / ("arenite_cc_" + compiler);
  fs::create_directories(folder);
  const planner::CcSource source = planner::cc_source(program_for({board}));
  std::ofstream(folder / "program.h") << source.header;
  std::ofstream(folder / "program.cc") << source.source;
  std::ofstream(folder / "use.cc")
      << "#include \"program.h\"\n"
         "static_assert(arenite_program::kKernelTable.size() == 2);\n"
         "static_assert(arenite_program::kMethods[0].inputs[0].dims[1] == 3);\n"
         "static_assert(arenite_program::kMethods[0].arenas.size() == 1);\n";
  const std::string command =
      compiler +
      " -std=c++20 -Os -Wall -Wextra -Wpedantic -Werror -Wconversion -Wold-style-cast "
      "-fno-exceptions -fno-rtti -I " ARENITE_SOURCE_DIR " -I '" +
      folder.string() + "' -c '" + folder.string();
  EXPECT_EQ(std::system((command + "/program.cc' -o /dev/null").c_str()), 0);
  EXPECT_EQ(std::system((command + "/use.cc' -o /dev/null").c_str()), 0);
  fs::remove_all(folder);
}

TEST(CcSource, CompilesForTheHost) { expect_compiles("g++", "host"); }
TEST(CcSource, CompilesForCortexM) { expect_compiles("arm-none-eabi-g++", "mps3-an547"); }

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
