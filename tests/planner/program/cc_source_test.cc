// Programs as C++ source: what the text holds, and that compilers for host and device take it.
#include "planner/program/cc_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "planner/plan.h"
#include "planner/program/cc_names.h"
#include "tests/planner/plan/graph_builder.h"

namespace arenite::test {
namespace {

namespace fs = std::filesystem;
using planner::CcData;
using testing::HasSubstr;
using testing::Not;

std::vector<std::byte> program_for(std::initializer_list<const char*> boards,
                                   bool caller_io = false) {
  GraphBuilder b;
  const ValueId x = b.input({1, 3, 8, 8});
  b.graph().values[x].name = "in \"put\"\n";
  b.output(b.max_pool(b.conv(x, 4, 3), 2));
  planner::PlanOptions options;
  options.caller_io = caller_io;
  for (const char* board : boards) options.boards.push_back(planner::find_board(board));
  return planner::plan_graphs({{"main", b.graph(), {}}}, options).program;
}

TEST(CcNames, IdentifiersComeFromAnyText) {
  EXPECT_EQ(planner::identifier("/conv1/Conv_output_0"), "conv1_Conv_output_0");
  EXPECT_EQ(planner::identifier("input.1"), "input_1");
  EXPECT_EQ(planner::identifier("495"), "t495");
  EXPECT_EQ(planner::identifier("int"), "int_t");
  EXPECT_EQ(planner::identifier("__a__b__"), "a_b");
  EXPECT_EQ(planner::identifier("\xc3\xa9\n*/"), "t");
  EXPECT_EQ(planner::identifier(""), "t");
  for (const char* good : {"a", "digits", "Digits_2"}) EXPECT_TRUE(planner::is_identifier(good));
  for (const char* bad : {"", "2a", "a-b", "_a", "a__b", "class", "arenite"}) {
    EXPECT_FALSE(planner::is_identifier(bad)) << bad;
  }
  std::set<std::string> taken;
  EXPECT_EQ(planner::new_identifier("a.b", taken), "a_b");
  EXPECT_EQ(planner::new_identifier("a:b", taken), "a_b_2");
}

TEST(CcSource, NamesOnlyTheFormsThatRun) {
  const auto source = planner::cc_source(program_for({"mps3-an547"}), {"model"});
  EXPECT_THAT(source.source, HasSubstr("kConvForm0"));
  EXPECT_THAT(source.source, HasSubstr("kMaxPoolForm0"));
  EXPECT_THAT(source.source, Not(HasSubstr("kSoftmax")));
  EXPECT_THAT(source.source, HasSubstr("\".bss.arenite.model.dtcm\""));
  EXPECT_THAT(source.source, HasSubstr("\".rodata.arenite.model\""));
}

TEST(CcSource, ListsTheRuntimesFilesOfItsOperators) {
  const std::string files =
      planner::cc_source(program_for({"mps3-an547"}), {"model"}).runtime_sources;
  for (const char* file :
       {"ops/conv.cc\n", "ops/check.cc\n", "portable_fallback/reference/conv.cc\n",
        "portable_fallback/shared/conv_geometry.cc\n", "portable_fallback/reference/pool.cc\n"}) {
    EXPECT_THAT(files, HasSubstr(file));
  }
  for (const char* other : {"reduce", "matmul", "all_", "core/"}) {
    EXPECT_THAT(files, Not(HasSubstr(other)));
  }
}

TEST(CcSource, HeaderSaysWhatAnApplicationNeeds) {
  const std::string header = planner::cc_source(program_for({"mps3-an547"}), {"model"}).header;
  for (const char* part :
       {"namespace model {", "struct in_put {", R"(kName = "in \042put\042\012";)",
        "kType = arenite::DType::kFloat32;", "kDims[] = {1, 3, 8, 8};", "kBytes = 768;",
        "kArenaDtcmBytes = ", "arenite::Status load(Instance& instance);"}) {
    EXPECT_THAT(header, HasSubstr(part));
  }
  // Nothing of the runtime's inside.
  for (const char* part : {"#include \"core/", "#include \"portable", "OpTable", "std::span"}) {
    EXPECT_THAT(header, Not(HasSubstr(part)));
  }
}

TEST(CcSource, ArenasAreTheLinkersToPlace) {
  const planner::Board board = planner::find_board("mps3-an547");
  planner::CcOptions options{"model"};
  const auto program = program_for({"mps3-an547"});
  EXPECT_THAT(planner::cc_source(program, options).linker_script, Not(HasSubstr("0x")));
  options.board = &board;
  const auto source = planner::cc_source(program, options);
  const std::string symbol = "arenite_model_dtcm_is_placed_by_model_ld";
  EXPECT_THAT(source.source, HasSubstr(symbol));
  for (const std::string& part :
       {symbol + " = .;", std::string("KEEP(*(.bss.arenite.model.dtcm))"),
        std::string("> ARENITE_DTCM"), std::string("ADDR(.arenite_model_dtcm) >= 0x30008000"),
        std::string("<= 0x30080000")}) {
    EXPECT_THAT(source.linker_script, HasSubstr(part));
  }
}

TEST(CcSource, LeavesOutTheBytesThatTheAssemblerReads) {
  const auto program = program_for({"mps3-an547"});
  const auto array = planner::cc_source(program, {"model", CcData::kArray});
  const auto incbin = planner::cc_source(program, {"model", CcData::kIncbin});
  EXPECT_THAT(incbin.source, HasSubstr(".incbin \\\"model.arn\\\""));
  EXPECT_LT(incbin.source.size(), array.source.size() / 2);
  EXPECT_EQ(incbin.header, array.header);
}

TEST(CcSource, LentTensorsTakeNoArena) {
  const std::string header =
      planner::cc_source(program_for({"mps3-an547"}, true), {"model"}).header;
  EXPECT_THAT(header, HasSubstr("inputs::in_put::kBytes, true, false}"));
  EXPECT_THAT(header, Not(HasSubstr("Input0")));
}

TEST(CcSource, IsForOneBoardUnderAGoodName) {
  EXPECT_THROW(planner::cc_source(program_for({"host", "mps3-an547"}), {"model"}),
               planner::InputError);
  EXPECT_THROW(planner::cc_source({}, {"model"}), planner::InputError);
  EXPECT_THROW(planner::cc_source(program_for({"host"}), {"a model"}), planner::InputError);
}

const char* const kUse =
    "#include \"model.h\"\n"
    "static model::Instance instance;\n"
    "static_assert(model::inputs::in_put::kDims[1] == 3);\n"
    "static_assert(model::kInputTable[0].bytes == model::inputs::in_put::kBytes);\n"
    "extern \"C\" int use() {\n"
    "  if (!load(instance).ok()) return 1;\n"
    "  float* in = model::inputs::in_put::data(instance);\n"
    "  in[0] = 1;\n"
    "  return instance.run().ok() ? 0 : 2;\n"
    "}\n";

// Compiles with the compiler's command, warnings as errors, without exceptions and RTTI.
void expect_compiles(const std::string& compiler, const char* board, CcData data) {
  if (std::system(("command -v " + compiler + " > /dev/null").c_str()) != 0) {
    GTEST_SKIP() << compiler << " is absent";
  }
  const fs::path folder = fs::path(testing::TempDir()) / ("arenite_cc_" + compiler);
  fs::create_directories(folder);
  const auto program = program_for({board});
  const planner::CcSource source = planner::cc_source(program, {"model", data});
  std::ofstream(folder / "model.h") << source.header;
  std::ofstream(folder / "model.cc") << source.source;
  std::ofstream(folder / "model.arn", std::ios::binary)
      .write(reinterpret_cast<const char*>(program.data()),
             static_cast<std::streamsize>(program.size()));
  std::ofstream(folder / "use.cc") << kUse;
  const std::string command = compiler +
                              " -Os -Wall -Wextra -Wpedantic -Werror -Wconversion -Wold-style-cast "
                              "-fno-exceptions -fno-rtti -I '" +
                              folder.string() + "' -c '" + folder.string();
  EXPECT_EQ(std::system((command + "/model.cc' -std=c++20 -I " ARENITE_SOURCE_DIR
                                   " -I " ARENITE_SOURCE_DIR "/include -o /dev/null")
                            .c_str()),
            0);
  const std::string object = folder.string() + "/use.o";
  EXPECT_EQ(std::system((command + "/use.cc' -std=c++17 -I " ARENITE_SOURCE_DIR "/include -o '" +
                         object + "'")
                            .c_str()),
            0);
  // A static instance asks for nothing when the program starts or ends.
  EXPECT_NE(std::system(
                ("nm '" + object + "' | grep -qE '__dso_handle|atexit|_GLOBAL__sub|_ZGV'").c_str()),
            0);
  fs::remove_all(folder);
}

TEST(CcSource, CompilesForTheHost) { expect_compiles("g++", "host", CcData::kArray); }
TEST(CcSource, CompilesWithClang) { expect_compiles("clang++", "host", CcData::kIncbin); }
TEST(CcSource, CompilesForCortexM) {
  expect_compiles("arm-none-eabi-g++", "mps3-an547", CcData::kIncbin);
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
