// Programs as C++ source: what the text holds, and that compilers for host and device take it.
#include "planner/program/cc_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "planner/plan.h"
#include "planner/program/cc_names.h"
#include "planner/program/sections.h"
#include "tests/core/sample_programs.h"
#include "tests/planner/plan/graph_builder.h"
#include "tests/planner/plan/plain_board.h"

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
  // Bare metal without features: references run.
  for (const char* board : boards) {
    const bool is_host = std::string(board) == "host";
    options.boards.push_back(is_host ? planner::find_board(board) : plain_board(board));
  }
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

// What stands behind a reference that is left out is left out too, so that these come last.
TEST(CcSource, ReferencesAreForCompilersWithoutThePlannedFormsFeatures) {
  const std::string source = planner::cc_source(program_for({"host"}), {"model"}).source;
  EXPECT_THAT(source, HasSubstr("kConvForms[] = {ARENITE_FORM(kConvForm8), without(0x00020000u, "
                                "ARENITE_FORM(kConvForm0)), nullptr};"));
  EXPECT_THAT(source, HasSubstr("kMaxPoolForms[] = {ARENITE_FORM(kMaxPoolForm0), nullptr};"));
  const std::string plain = planner::cc_source(program_for({"mps3-an547"}), {"model"}).source;
  EXPECT_THAT(plain, Not(HasSubstr("without(")));
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

// Planned for 4 rows of 3, which the symbols "n" and "k" may be fewer of.
std::vector<std::byte> symbolic_program() { return planner::write_program(tests::symbolic_rows()); }

TEST(CcSource, DimsThatFollowFromSymbolsAreSetByInput) {
  const auto source = planner::cc_source(symbolic_program(), {"model"});
  for (const char* part : {"// float32 [4, 3] at most\nstruct input {", "kDims[] = {4, 3};",
                           "static const std::uint32_t* dims(const Instance& instance) {",
                           "  // Dim 0, \"n\": 1 to 4.\n  // Dim 1, \"k\": 1 to 3.\n",
                           "set_shape(Instance& instance, const std::uint32_t (&dims)[kRank])",
                           "std::uint32_t frame["}) {
    EXPECT_THAT(source.header, HasSubstr(part));
  }
  EXPECT_THAT(source.source, HasSubstr("options.symbols = &arenite::kSymbols;"));
  EXPECT_THAT(source.source, HasSubstr("memory, instance.frame};"));
  // Others have nothing of it.
  const auto other = planner::cc_source(program_for({"mps3-an547"}), {"model"});
  for (const char* part : {"frame", "set_shape", "ymbols", "at most", "dims("}) {
    EXPECT_THAT(other.header, Not(HasSubstr(part)));
    EXPECT_THAT(other.source, Not(HasSubstr(part)));
  }
}

TEST(CcSource, IsNotWrittenOfDamagedSymbols) {
  planner::ProgramTables tables = tests::symbolic_rows();
  tables.patches[0].expression = 1000;
  EXPECT_THROW(planner::cc_source(planner::write_program(tables), {"model"}), planner::InputError);
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

// What docs/firmware.md shows: the header that a block of the page is.
std::string of_the_page(const std::string& file) {
  std::ifstream stream(fs::path(ARENITE_SOURCE_DIR) / "docs/firmware.md");
  const std::string page{std::istreambuf_iterator<char>(stream), {}};
  const std::string fence = "```cpp " + file + "\n#pragma once\n";
  const size_t first = page.find(fence) + fence.size();
  return page.substr(first, page.find("```", first) - first);
}

// Method of the page: "tokens" int64 [1, n] to as many "scores".
std::vector<std::byte> program_of_the_page() {
  tests::ProgramBuilder b;
  b.method("main", 1, 1);
  b.variant("board");
  b.arena(format::ArenaKind::kHost, 128);
  const uint32_t x = b.value({.dims = {1, 8}, .dtype = DType::kInt64});
  const uint32_t y = b.value({.dims = {1, 8}, .offset = 64, .dtype = DType::kInt64});
  b.step({.inputs = {x, x}, .outputs = {y}, .attributes = tests::words_of(BinaryAttributes{})});
  b.io({x, y});
  planner::ProgramTables tables = b.tables();
  const planner::TextRange name = planner::add_text(tables, "length");
  tables.symbols = {{0, name.offset, name.bytes, 1, 8}};
  tables.expressions = {{static_cast<uint32_t>(format::ExpressionKind::kSymbol), 0, 0}};
  for (const uint32_t value : {x, y}) {
    for (const uint32_t word : {1u, 2u}) {  // the dim, and the stride of rows
      tables.patches.push_back({0, tables.values[value].shape + word, 0});
    }
  }
  tables.symbolic_variants = {{0, 0, 1, 0, 4, static_cast<uint32_t>(tables.shapes.size()), 0}};
  tables.required_features |= format::kDimsFeature;
  tables.sections.push_back({format::SectionKind::kNames,
                             planner::names_section({{{"tokens"}, {"scores"}, {{"", ""}}}})});
  return planner::write_program(tables);
}

// Compiles with the compiler's command, warnings as errors, without exceptions and RTTI.
void expect_compiles(const std::string& compiler, const std::vector<std::byte>& program,
                     const std::string& use, const planner::CcOptions& options) {
  if (std::system(("command -v " + compiler + " > /dev/null").c_str()) != 0) {
    GTEST_SKIP() << compiler << " is absent";
  }
  const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
  const fs::path folder = fs::path(testing::TempDir()) / ("arenite_cc_" + test);
  fs::create_directories(folder);
  const planner::CcSource source = planner::cc_source(program, options);
  std::ofstream(folder / (options.name + ".h")) << source.header;
  std::ofstream(folder / (options.name + ".cc")) << source.source;
  std::ofstream(folder / (options.name + "_c.h")) << source.c_header;
  std::ofstream(folder / (options.name + "_c.cc")) << source.c_source;
  std::ofstream(folder / "use.c") << "#include \"" + options.name + "_c.h\"\n" + options.name +
                                         "_instance instance;\n";
  std::ofstream(folder / (options.name + ".arn"), std::ios::binary)
      .write(reinterpret_cast<const char*>(program.data()),
             static_cast<std::streamsize>(program.size()));
  std::ofstream(folder / "use.cc") << use;
  const std::string warnings = " -Os -Wall -Wextra -Wpedantic -Werror -Wconversion ";
  const std::string in_folder = "-I '" + folder.string() + "' -c '" + folder.string();
  const std::string command =
      compiler + warnings + "-Wold-style-cast -fno-exceptions -fno-rtti " + in_folder;
  for (const char* file : {".cc", "_c.cc"}) {
    EXPECT_EQ(std::system((command + "/" + options.name + file +
                           "' -std=c++20 -I " ARENITE_SOURCE_DIR " -I " ARENITE_SOURCE_DIR
                           "/include -o /dev/null")
                              .c_str()),
              0)
        << file;
  }
  std::string c_compiler = compiler;
  c_compiler.replace(c_compiler.size() - 2, 2, compiler.ends_with("clang++") ? "" : "cc");
  EXPECT_EQ(std::system((c_compiler + warnings + in_folder +
                         "/use.c' -std=c99 -I " ARENITE_SOURCE_DIR "/include -o /dev/null")
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

TEST(CcSource, CompilesForTheHost) {
  expect_compiles("g++", program_for({"host"}), kUse, {"model", CcData::kArray});
}
TEST(CcSource, CompilesWithClang) {
  expect_compiles("clang++", program_for({"host"}), kUse, {"model", CcData::kIncbin});
}
TEST(CcSource, CompilesForCortexM) {
  expect_compiles("arm-none-eabi-g++", program_for({"mps3-an547"}), kUse,
                  {"model", CcData::kIncbin});
}
// The page's function, where the size of the input is set.
TEST(CcSource, CompilesWithSymbols) {
  const std::string use =
      of_the_page("sizes.h") +
      "static texts::Instance instance;\n"
      "extern \"C\" unsigned use(const std::int64_t* tokens) {\n"
      "  if (!load(instance).ok() || !score(instance, tokens, 3).ok()) return 1;\n"
      "  return texts::outputs::scores::dims(instance)[1];\n"
      "}\n";
  expect_compiles("arm-none-eabi-g++", program_of_the_page(), use, {"texts", CcData::kArray});
}

TEST(CcSource, CHeaderHasEachTensorUnderItsOwnName) {
  const auto source = planner::cc_source(program_for({"mps3-an547"}, true), {"model"});
  for (const char* part :
       {"#define MODEL_INPUT_IN_PUT_DIMS {1, 3, 8, 8}\n", "#define MODEL_INPUT_IN_PUT_BYTES 768u\n",
        "float* model_input_in_put(model_instance* instance);",
        "arenite_status model_input_in_put_bind(model_instance* instance, const float* memory);",
        "arenite_status model_load(model_instance* instance);",
        "extern const arenite_model_tensor model_input_table[1];"}) {
    EXPECT_THAT(source.c_header, HasSubstr(part));
  }
  EXPECT_THAT(source.c_header, Not(HasSubstr("std::")));
  EXPECT_THAT(planner::cc_source(program_for({"mps3-an547"}), {"model"}).c_header,
              Not(HasSubstr("_bind(")));
}

// Names that differ in their letters' case alone: macros know no case.
TEST(CcSource, CompilesWithMethodsOfNearlyOneName) {
  GraphBuilder b;
  const ValueId x = b.input({1, 3, 8, 8}), y = b.input({1, 3, 8, 8});
  b.graph().values[x].name = "in";
  b.graph().values[y].name = "IN";
  b.output(b.add(x, y));
  planner::PlanOptions options;
  options.boards = {plain_board("mps3-an547")};
  const auto program =
      planner::plan_graphs({{"main", b.graph(), {}}, {"MAIN", b.graph(), {}}}, options).program;
  const std::string header = planner::cc_source(program, {"model"}).c_header;
  for (const char* part :
       {"#define MODEL_MAIN_INPUT_IN_BYTES", "#define MODEL_MAIN_INPUT_IN_2_BYTES",
        "model_MAIN_input_IN(", "arenite_status model_main_load(model_instance* instance);"}) {
    EXPECT_THAT(header, HasSubstr(part));
  }
  const std::string use = "#include \"model.h\"\nmodel::Instance instance;\n";
  expect_compiles("arm-none-eabi-g++", program, use, {"model", CcData::kIncbin});
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
