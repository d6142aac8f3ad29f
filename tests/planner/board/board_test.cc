// Board files: what is read from them, and how mistakes in them are named.
#include "planner/board/board.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/graph/graph.h"

namespace arenite::planner {
namespace {

using testing::HasSubstr;

std::string error_of(const std::string& text) {
  try {
    read_board(text, "x.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// A right board with one piece replaced.
std::string board_with(const std::string& memories, const std::string& more = "") {
  return R"({"name": "b", "cpu": {"name": "c"}, "memories": [)" + memories + "]" + more + "}";
}

constexpr const char* kRam = R"({"name": "ram", "bytes": 1024, "base": "0x20000000"})";

TEST(Board, HostHasVulkanAtGuaranteedLimits) {
  const Board board = find_board("host");
  ASSERT_EQ(board.variants.size(), 2u);
  ASSERT_TRUE(board.variants[0].vulkan.has_value());
  EXPECT_FALSE(board.variants[1].vulkan.has_value());
  const auto limit = [&](Capability c) {
    return vulkan_of(board)->numbers[static_cast<uint32_t>(c)];
  };
  EXPECT_EQ(limit(Capability::kVulkanVersion), 1001u);
  EXPECT_EQ(limit(Capability::kWorkgroupInvocations), 128u);
  EXPECT_EQ(limit(Capability::kSharedMemoryBytes), 16384u);
  EXPECT_EQ(limit(Capability::kStorageBufferBytes), 1u << 27);
  EXPECT_EQ(limit(Capability::kStorageBuffersPerStage), 4u);
  EXPECT_EQ(limit(Capability::kPushConstantBytes), 128u);
  EXPECT_EQ(limit(Capability::kWorkgroupCount), 65535u);
  EXPECT_TRUE(board.notes.empty());
  EXPECT_EQ(board.memories[0].memory.size_bytes, memory::kUnbounded);
  EXPECT_EQ(board.memories[0].memory.alignment, 64u);
}

TEST(Board, CortexM55HasAHierarchyOfMemories) {
  const Board board = find_board("mps3-an547");
  EXPECT_FALSE(vulkan_of(board).has_value());
  EXPECT_EQ(board.cpu_features, bit_of(CpuFeature::kMve) | bit_of(CpuFeature::kMveFp));
  ASSERT_EQ(board.variants.size(), 1u);
  EXPECT_EQ(board.variants[0].cpu_features, board.cpu_features);
  ASSERT_GE(board.memories.size(), 3u);
  EXPECT_EQ(board.memories[0].memory.base, 0x30008000u);
  EXPECT_EQ(board.threads_max, 1u);
  ASSERT_TRUE(board.emulator.has_value());
  EXPECT_EQ(board.emulator->command[0], "qemu-system-arm");
  EXPECT_FALSE(board.program_memories.empty());
}

TEST(Board, ReadsNumbersInHexadecimal) {
  const Board board = read_board(board_with(kRam), "x.json");
  EXPECT_EQ(board.memories[0].memory.base, 0x20000000u);
  EXPECT_EQ(board.memories[0].memory.size_bytes, 1024u);
}

TEST(Board, ListsVariants) {
  const std::string vulkan = R"({"version": 1001, "workgroup_invocations": 128,
      "workgroup_size_x": 128, "shared_memory_bytes": 16384, "storage_buffer_bytes": 134217728,
      "storage_buffers_per_stage": 4, "push_constant_bytes": 128, "workgroup_count": 65535})";
  const auto with = [](const std::string& variants) {
    return R"({"name": "b", "cpu": {"name": "c", "features": ["neon"]}, "memories": [)" +
           std::string(kRam) + "], " + variants + "}";
  };
  const Board board = read_board(with(R"("variants": [{"vulkan": )" + vulkan +
                                      R"(}, {"cpu_features": ["dotprod", "i8mm"]}, {}])"),
                                 "x.json");
  const CpuFeatures neon = bit_of(CpuFeature::kNeon);
  ASSERT_EQ(board.variants.size(), 3u);
  EXPECT_TRUE(board.variants[0].vulkan.has_value());
  EXPECT_EQ(board.variants[1].cpu_features,
            neon | bit_of(CpuFeature::kDotprod) | bit_of(CpuFeature::kI8mm));
  EXPECT_EQ(board.variants[2].cpu_features, neon);
  EXPECT_FALSE(board.variants[2].vulkan.has_value());
  for (const auto& [variants, why] : std::initializer_list<std::pair<std::string, std::string>>{
           {R"("variants": [])", "1 to 16"},
           {R"("variants": [{"vulkan": )" + vulkan + "}]", "on the CPU"},
           {R"("variants": [{"cpu_features": ["neom"]}])", "did you mean 'neon'"},
           {R"("variants": [{"cpu_features": "neon"}])", "an array of words"},
           {R"("variants": [{"name": "x"}])", "unknown key"},
           {R"("variants": [{}], "vulkan": )" + vulkan, "\"vulkan\" belongs into"}}) {
    EXPECT_NE(error_of(with(variants)).find(why), std::string::npos) << variants;
  }
}

TEST(Board, NotesCpuFeaturesThatNoFormUses) {
  const auto notes = [](const std::string& features) {
    return read_board(R"({"name": "b", "cpu": {"name": "c", "features": [)" + features +
                          R"(]}, "memories": [)" + std::string(kRam) + "]}",
                      "x.json")
        .notes;
  };
  for (const char* used : {R"("dsp", "fpu")", R"("mve", "mve_fp")", R"("neon", "f32x4", "dotprod")",
                           R"("sse4_1", "avx2", "fma", "avx512f", "avx512vnni")", ""}) {
    EXPECT_THAT(notes(used), testing::IsEmpty()) << used;
  }
  EXPECT_THAT(
      notes(R"("rvv")"),
      testing::ElementsAre("x.json: no form of a step on the CPU uses rvv here, so it makes "
                           "nothing faster"));
  EXPECT_THAT(
      notes(R"("neon", "i8mm")"),
      testing::ElementsAre("x.json: no form of a step on the CPU uses neon, i8mm here, so it "
                           "makes nothing faster; forms for vectors of four floats need "
                           "f32x4"));
  // Forms need it together with another.
  EXPECT_THAT(notes(R"("fma")"), testing::ElementsAre(testing::HasSubstr("uses fma here")));
}

TEST(Board, ReadsSizesWithUnits) {
  const Board board = read_board(
      board_with(R"({"name": "ram", "bytes": "128K", "alignment": "0x20"})",
                 R"(, "program_memories": [{"name": "flash", "image": "embedded", "base": 0,
                     "bytes": "2M"}])"),
      "x.json");
  EXPECT_EQ(board.memories[0].memory.size_bytes, 131072u);
  EXPECT_EQ(board.memories[0].memory.alignment, 32u);
  EXPECT_EQ(board.program_memories[0].bytes, 2u << 20);
}

TEST(Board, NamesWhatIsWrong) {
  EXPECT_THAT(error_of("{"), HasSubstr("x.json: not JSON"));
  EXPECT_THAT(error_of("[]"), HasSubstr("expected an object"));
  EXPECT_THAT(error_of(R"({"nme": "b"})"), HasSubstr("unknown key \"nme\""));
  EXPECT_THAT(error_of(R"({"cpu": {"name": "c"}, "memories": []})"), HasSubstr("\"name\""));
  EXPECT_THAT(error_of(board_with(R"({"name": "a", "bytes": "64K", "bytes": "128K"})")),
              HasSubstr("x.json: key \"bytes\" is given twice in one object"));
  EXPECT_THAT(error_of(R"({"name": "a", "name": "b"})"), HasSubstr("key \"name\" is given twice"));
  EXPECT_THAT(error_of(board_with("")), HasSubstr("expected 1 to 8"));
  EXPECT_THAT(error_of(board_with(R"({"name": "a", "size": 4})")),
              HasSubstr("memory 0: unknown key \"size\""));
  EXPECT_THAT(error_of(board_with(R"({"name": "a", "bytes": "12Q"})")),
              HasSubstr("memory 0: \"bytes\" is \"12Q\"; the unit 'Q' is none of K, M and G"));
  EXPECT_THAT(error_of(board_with(R"({"name": "a", "bytes": 1.5})")), HasSubstr("\"bytes\""));
  EXPECT_THAT(error_of(board_with(R"({"name": "a", "bytes": "0"})")), HasSubstr("\"bytes\""));
  EXPECT_THAT(error_of(board_with(R"({"name": "a", "alignment": 24})")), HasSubstr("power of two"));
  EXPECT_THAT(error_of(board_with(R"({"name": "a", "base": 8})")), HasSubstr("multiple"));
  EXPECT_THAT(error_of(board_with(R"({"name": "a b"})")), HasSubstr("a b"));
  EXPECT_THAT(error_of(board_with(std::string(kRam) + "," + kRam)), HasSubstr("two memories"));
  EXPECT_THAT(error_of(board_with(kRam, R"(, "weights": "best")")), HasSubstr("\"panel16\""));
  EXPECT_THAT(error_of(board_with(kRam, R"(, "weights": 16)")), HasSubstr("\"weights\""));
  EXPECT_THAT(error_of(board_with(kRam, R"(, "vulkan": {"version": 1001})")),
              HasSubstr("workgroup_invocations"));
}

// Files from before each step decided how its weights are packed.
TEST(Board, ReadsAnOlderFilesWeightsAndSaysThatNothingUsesThem) {
  for (const char* weights : {"rows", "panel16"}) {
    const Board board =
        read_board(board_with(kRam, std::string(R"(, "weights": ")") + weights + "\""), "x.json");
    ASSERT_EQ(board.notes.size(), 1u);
    EXPECT_THAT(board.notes[0], HasSubstr("x.json: \"weights\" is not used any more"));
  }
}

TEST(Board, ReadsMeasuredCosts) {
  const auto with = [](const std::string& costs) {
    return board_with(kRam, R"(, "costs": )" + costs);
  };
  const Board board =
      read_board(with(R"({"forms": [{"form": "Conv.float32", "ps_per_unit": 310.5, "ps": 2000},
                         {"form": "Conv.vulkan", "ps_per_unit": 0.5},
                         {"form": "QuantizedConv.int8_dsp", "ps_per_unit": 1},
                         {"form": "QuantizedConv.int8_dsp", "case": "grouped half_even",
                          "ps_per_unit": 2, "ps_per_result": 3, "ps_per_line": 4, "ps_per_row": 5,
                          "ps_per_tap": 6, "ps_per_input": 7, "ps_per_weight": 8}],
               "transfer": {"ps": 20000000, "ps_per_byte": 100},
               "cut": {"wait_ps": 70000000}})"),
                 "x.json");
  ASSERT_EQ(board.costs.forms.size(), 4u);
  const MeasuredCost& grouped = *board.costs.find("QuantizedConv.int8_dsp", "grouped half_even");
  EXPECT_EQ(grouped.ps_per_unit, 2);
  EXPECT_EQ(grouped.ps_per_result, 3);
  EXPECT_EQ(grouped.ps_per_line, 4);
  EXPECT_EQ(grouped.ps_per_row, 5);
  EXPECT_EQ(grouped.ps_per_tap, 6);
  EXPECT_EQ(grouped.ps_per_input, 7);
  EXPECT_EQ(grouped.ps_per_weight, 8);
  EXPECT_EQ(board.costs.find("QuantizedConv.int8_dsp", "half_even")->ps_per_unit, 1);
  EXPECT_EQ(board.costs.find("QuantizedConv.int8_dsp", "")->ps_per_unit, 1);
  EXPECT_EQ(board.costs.find("Conv.float32_dsp", ""), nullptr);
  EXPECT_EQ(board.costs.forms.at("Conv.float32").ps_per_unit, 310.5);
  EXPECT_EQ(board.costs.forms.at("Conv.float32").ps, 2000);
  EXPECT_EQ(board.costs.forms.at("Conv.vulkan").ps, 0);
  EXPECT_EQ(board.costs.transfer.ps_per_unit, 100);
  EXPECT_EQ(board.costs.transfer.ps, 20000000);
  EXPECT_EQ(board.costs.cut_ps, find_board("host").costs.cut_ps);
  EXPECT_EQ(board.costs.wait_ps, 70000000);
  EXPECT_TRUE(find_board("host").costs.empty());
  for (const auto& [costs, why] : std::initializer_list<std::pair<std::string, std::string>>{
           {"[]", "x.json, costs: expected an object"},
           {"{}", "\"forms\" is missing"},
           {R"({"forms": {}})", "\"forms\" must be an array"},
           {R"({"forms": [{"form": "Conv.float23", "ps_per_unit": 1}]})",
            "costs, form 0: \"form\" is \"Conv.float23\", which is none; did you mean "
            "'Conv.float32'"},
           {R"({"forms": [{"form": "Conv.float32"}]})", "\"ps_per_unit\" is missing"},
           {R"({"forms": [{"form": "Conv.float32", "ps_per_unit": -1}]})",
            "\"ps_per_unit\" is -1; expected a number of picoseconds"},
           {R"({"forms": [{"form": "Conv.float32", "ps_per_unit": 1},
                          {"form": "Conv.float32", "ps_per_unit": 2}]})",
            "form 1: \"form\" is \"Conv.float32\", as of an entry before it"},
           {R"({"forms": [{"form": "Conv.float32", "case": "halfeven", "ps_per_unit": 1}]})",
            "form 0: \"case\" is \"halfeven\", which is none; did you mean 'half_even'"},
           {R"({"forms": [{"form": "Conv.float32", "case": "grouped", "ps_per_unit": 1},
                          {"form": "Conv.float32", "case": "grouped", "ps_per_unit": 2}]})",
            "form 1: \"form\" is \"Conv.float32\" and \"case\" \"grouped\", as of an entry before "
            "it"},
           {R"({"forms": [], "transfer": {"ps_per_unit": 1}})", "transfer: unknown key"},
           {R"({"forms": [], "cut": {"ps": -1}})",
            "cut: \"ps\" is -1; expected a number of picoseconds"}}) {
    EXPECT_NE(error_of(with(costs)).find(why), std::string::npos)
        << costs << ": " << error_of(with(costs));
  }
}

// A board with these program memories beside a RAM of 128K at 0x20000000.
std::string with_program_memories(const std::string& entries) {
  return board_with(R"({"name": "ram", "bytes": "128K", "base": "0x20000000"})",
                    R"(, "program_memories": [)" + entries + "]");
}

TEST(Board, MemoriesThatShareAddressesAreRefused) {
  constexpr const char* kLow = R"({"name": "low", "bytes": "64K", "base": "0x20000000"})";
  const auto error = [&](const std::string& more) {
    return error_of(board_with(std::string(kLow) + ", " + more));
  };
  EXPECT_EQ(error(R"({"name": "b", "bytes": "64K", "base": "0x20010000"})"), "");
  EXPECT_EQ(error(R"({"name": "b", "bytes": "64K"})"), "") << "no base: nobody knows where";
  EXPECT_EQ(error(R"({"name": "b", "bytes": "64K", "base": "0x2000fff0"})"),
            "x.json: the memories \"low\" (0x20000000 to 0x2000ffff) and \"b\" (0x2000fff0 to "
            "0x2001ffef) share the addresses 0x2000fff0 to 0x2000ffff");
  EXPECT_THAT(error(R"({"name": "b", "bytes": 16, "base": "0x20000010"})"), HasSubstr("\"low\""));
  // Without a limit it reaches to the end of all addresses.
  EXPECT_THAT(error(R"({"name": "b", "base": "0x10000000"})"), HasSubstr("to 0xffffffff"));
}

TEST(Board, AProgramMemoryThatSharesAddressesIsRefused) {
  constexpr const char* kFlash =
      R"({"name": "flash", "image": "embedded", "base": "0x08000000", "bytes": "1M"})";
  EXPECT_EQ(error_of(with_program_memories(kFlash)), "");
  EXPECT_THAT(error_of(with_program_memories(
                  R"({"name": "f", "image": "harness", "base": "0x2001ff00", "bytes": "1K"})")),
              HasSubstr("the memories \"ram\" (0x20000000 to 0x2001ffff) and \"f\""));
  // Two of one image, but not of two images: only one of these runs at a time.
  const std::string code =
      R"(, {"name": "c", "image": "embedded", "base": "0x080ff000", "bytes": "8K", "holds": ["code"]})";
  const std::string program =
      R"({"name": "p", "image": "embedded", "base": "0x08000000", "bytes": "1M", "holds": ["program"]})";
  EXPECT_THAT(error_of(with_program_memories(program + code)), HasSubstr("\"p\""));
  EXPECT_EQ(error_of(with_program_memories(
                std::string(kFlash) +
                R"(, {"name": "s", "image": "harness", "base": "0x08000000", "bytes": "1M"})")),
            "");
}

TEST(Board, AddressesDoNotWrap) {
  constexpr const char* kHigh = R"({"name": "ram", "bytes": "64K", "base": "0xffff0000"})";
  EXPECT_EQ(error_of(board_with(kHigh)), "");
  EXPECT_THAT(error_of(board_with(R"({"name": "ram", "bytes": "65K", "base": "0xffff0000"})")),
              HasSubstr("66560 bytes from 0xffff0000 pass the last address of 32 bits"));
  const auto wide = [](const std::string& memory) {
    return error_of(R"({"name": "b", "cpu": {"name": "c", "address_bits": 64}, "memories": [)" +
                    memory + "]}");
  };
  EXPECT_EQ(wide(R"({"name": "ram", "bytes": "8G", "base": "0x80000000"})"), "");
  EXPECT_THAT(wide(R"({"name": "ram", "bytes": "1K", "base": "0xfffffffffffffff0"})"),
              HasSubstr("pass the last address of 64 bits"));
  EXPECT_THAT(
      error_of(R"({"name": "b", "cpu": {"name": "c", "address_bits": 48}, "memories": []})"),
      HasSubstr("expected 32 or 64"));
  EXPECT_THAT(error_of(with_program_memories(
                  R"({"name": "f", "image": "embedded", "base": "0xfffff000", "bytes": "1M"})")),
              HasSubstr("memory \"f\""));
}

TEST(Board, SaysWhatItsProgramMemoriesHold) {
  const Board board = read_board(
      with_program_memories(R"({"name": "f", "image": "embedded", "base": 0, "bytes": "1M"},
                               {"name": "s", "image": "harness", "base": "1M", "bytes": "1M"})"),
      "x.json");
  EXPECT_TRUE(board.program_memories[0].holds_program);
  EXPECT_TRUE(board.program_memories[0].holds_code);
  EXPECT_TRUE(board.program_memories[1].holds_program);
  EXPECT_FALSE(board.program_memories[1].holds_code);
  EXPECT_THAT(error_of(with_program_memories(
                  R"({"name": "f", "image": "embedded", "base": 0, "bytes": "1M"},
                     {"name": "g", "image": "embedded", "base": "1M", "bytes": "1M"})")),
              HasSubstr("\"f\" and \"g\" both hold the program of the embedded image"));
  EXPECT_THAT(
      error_of(with_program_memories(
          R"({"name": "s", "image": "harness", "base": 0, "bytes": "1M", "holds": ["code"]})")),
      HasSubstr("\"holds\" lists \"code\""));
}

TEST(Board, SaysWhereVariablesAndTheStackLie) {
  const std::string small = R"({"name": "small", "bytes": 512},)";
  const Board plain = read_board(board_with(small + kRam), "x.json");
  ASSERT_EQ(plain.memories.size(), 2u);
  EXPECT_TRUE(plain.memories[1].holds_bss && plain.memories[1].holds_stack) << "in the largest";
  EXPECT_FALSE(plain.memories[0].holds_bss || plain.memories[0].holds_stack);

  const std::string own = R"(, {"name": "own", "bytes": "4K", "holds": ["stack"]})";
  const Board board = read_board(board_with(kRam + own), "x.json");
  ASSERT_EQ(board.memories.size(), 1u);
  EXPECT_TRUE(board.memories[0].holds_bss);
  EXPECT_FALSE(board.memories[0].holds_stack);
  ASSERT_EQ(board.own_memories.size(), 1u);
  EXPECT_TRUE(board.own_memories[0].holds_stack);

  const auto memory = [&](const std::string& name, const std::string& holds) {
    return R"(, {"name": ")" + name + R"(", "holds": [)" + holds + "]}";
  };
  EXPECT_THAT(error_of(board_with(kRam + memory("a", "\"stack\"") + memory("b", "\"stack\""))),
              HasSubstr("the memories \"a\" and \"b\" both hold the stack"));
  EXPECT_THAT(error_of(board_with(kRam + memory("a", "\"heap\""))),
              HasSubstr("\"holds\" lists \"heap\"; expected \"arenas\", \"bss\" or \"stack\""));
  EXPECT_THAT(error_of(board_with(kRam + memory("a", ""))), HasSubstr("\"holds\" is empty"));
  EXPECT_THAT(error_of(board_with(R"({"name": "a", "holds": ["stack"]})")),
              HasSubstr("expected 1 to 8 that hold arenas"));
  EXPECT_THAT(error_of(board_with(kRam + std::string(R"(, {"name": "own", "base": "0x20000010",
              "bytes": 64, "holds": ["stack"]})"))),
              HasSubstr("share the addresses"));
}

TEST(Board, UnknownNamesListTheKnown) {
  try {
    find_board("no-such-board");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no-such-board"));
    EXPECT_THAT(error.what(), HasSubstr("host"));
    EXPECT_THAT(error.what(), HasSubstr("mps3-an547"));
  }
  EXPECT_THROW(find_board("./none.json"), InputError);
  EXPECT_THROW(find_board(""), InputError);
  EXPECT_THROW(find_board(".."), InputError);
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
