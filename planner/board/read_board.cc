// Reads a board file: JSON whose every key is known (docs/board.md).
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "planner/board/addresses.h"
#include "planner/board/board.h"
#include "planner/board/json_object.h"
#include "planner/board/read_costs.h"
#include "planner/board/unused_features.h"
#include "planner/graph/graph.h"
#include "support/content.h"
#include "support/cpu_features.h"
#include "support/parse_bytes.h"
#include "support/suggest.h"

namespace arenite::planner {
namespace {

using Json = nlohmann::json;
using Object = JsonObject;

constexpr uint64_t kBytesMax = uint64_t{1} << 62;

struct LimitKey {
  const char* key;
  Capability capability;
  bool optional;  // a board that leaves it out has none of it
};

// The object that has the keys is named for Vulkan.
constexpr const char* key_of(const char* name) {
  constexpr std::string_view kVulkan = "vulkan_";
  return std::string_view(name).starts_with(kVulkan) ? name + kVulkan.size() : name;
}

constexpr LimitKey kLimitKeys[] = {
#define ARENITE_CAPABILITY(number, name, Name, optional, words) \
  {key_of(#name), Capability::k##Name, optional},
#include "schema/capabilities.def"
};

// Told of what the parser meets, names a key that an object has twice: of such the library keeps
// the last in silence.
class RepeatedKey {
 public:
  explicit RepeatedKey(std::string& name) : name_(name) {}

  bool operator()(int /*depth*/, Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start) open_.emplace_back();
    if (event == Json::parse_event_t::object_end) open_.pop_back();
    if (event == Json::parse_event_t::key) {
      const std::string key = parsed.get<std::string>();
      if (!open_.back().insert(key).second && name_.empty()) name_ = key;
    }
    return true;
  }

 private:
  std::string& name_;
  std::vector<std::set<std::string>> open_;  // keys of the objects around
};

// Names reach the linker (sections, symbols) and tables for people.
void check_name(const Object& object, const std::string& name) {
  for (const char c : name) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '-' || c == '.';
    if (!good) {
      object.fail("the name \"" + name + "\" may hold only letters, digits and any of _ - .");
    }
  }
}

// Reads which parts of firmware lie in the memory. Returns whether arenas do.
bool read_holds(const Object& entry, BoardMemory& memory) {
  if (!entry.has("holds")) return true;
  bool arenas = false;
  for (const std::string& word : entry.words("holds")) {
    if (word == "arenas") {
      arenas = true;
    } else if (word == "bss") {
      memory.holds_bss = true;
    } else if (word == "stack") {
      memory.holds_stack = true;
    } else {
      entry.fail("\"holds\" lists \"" + word + "\"; expected \"arenas\", \"bss\" or \"stack\"");
    }
  }
  if (!arenas && !memory.holds_bss && !memory.holds_stack) entry.fail("\"holds\" is empty");
  return arenas;
}

struct ReadMemory {
  BoardMemory memory;
  bool holds_arenas = true;
};

ReadMemory read_memory(const Json& json, const std::string& where) {
  const Object entry(
      json, where,
      {"name", "kind", "base", "bytes", "alignment", "read_cost", "write_cost", "holds"});
  BoardMemory result;
  result.memory.name = entry.text("name");
  check_name(entry, result.memory.name);
  result.kind = entry.text_or("kind", "");
  result.base_is_given = entry.has("base");
  if (result.base_is_given) result.memory.base = entry.number("base", 0, UINT64_MAX);
  if (entry.has("bytes")) result.memory.size_bytes = entry.number("bytes", 1, kBytesMax);
  result.memory.alignment = 16;
  if (entry.has("alignment")) result.memory.alignment = entry.number32("alignment", 1);
  const uint32_t alignment = result.memory.alignment;
  if ((alignment & (alignment - 1)) != 0 || alignment < 8 || alignment > 4096) {
    entry.fail("\"alignment\" is " + std::to_string(alignment) +
               "; expected a power of two from 8 to 4096");
  }
  if (result.memory.base % alignment != 0) {
    entry.fail("\"base\" is not a multiple of \"alignment\"");
  }
  for (const auto& [key, cost] : {std::pair{"read_cost", &result.memory.read_cost},
                                  std::pair{"write_cost", &result.memory.write_cost}}) {
    if (!entry.has(key)) continue;
    const Json& value = entry.get(key);
    if (!value.is_number() || !(value.get<double>() >= 0) || value.get<double>() > 1e9) {
      entry.fail("\"" + std::string(key) + "\" must be a number from 0 to 1e9");
    }
    *cost = value.get<double>();
  }
  const bool holds_arenas = read_holds(entry, result);
  return {std::move(result), holds_arenas};
}

// Variables lie in one memory and the stack in one: where the file says nothing, in the largest
// that has arenas, the first of several.
void settle_own(const Object& root, Board& board) {
  for (const auto& [what, holds] :
       {std::pair{"bss", &BoardMemory::holds_bss}, std::pair{"stack", &BoardMemory::holds_stack}}) {
    const BoardMemory* found = nullptr;
    for (const auto* memories : {&board.memories, &board.own_memories}) {
      for (const BoardMemory& memory : *memories) {
        if (!(memory.*holds)) continue;
        if (found != nullptr) {
          root.fail("the memories \"" + found->memory.name + "\" and \"" + memory.memory.name +
                    "\" both hold the " + what + "; expected one that \"holds\" it");
        }
        found = &memory;
      }
    }
    if (found != nullptr) continue;
    const auto smaller = [](const BoardMemory& a, const BoardMemory& b) {
      return a.memory.size_bytes < b.memory.size_bytes;
    };
    (*std::max_element(board.memories.begin(), board.memories.end(), smaller)).*holds = true;
  }
}

void read_memories(const Object& root, Board& board) {
  size_t index = 0;
  std::vector<std::string> names;
  for (const Json& json : root.array("memories")) {
    ReadMemory read = read_memory(json, root.place("memory", index++));
    const std::string& name = read.memory.memory.name;
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      root.fail("two memories have the name \"" + name + "\"");
    }
    names.push_back(name);
    (read.holds_arenas ? board.memories : board.own_memories).push_back(std::move(read.memory));
  }
  // An instance binds at most this many arenas (core/instance.h).
  if (board.memories.empty() || board.memories.size() > 8) {
    root.fail("\"memories\" holds " + std::to_string(board.memories.size()) +
              " entries; expected 1 to 8" +
              (board.own_memories.empty() ? "" : " that hold arenas"));
  }
  settle_own(root, board);
}

// An image's code and program may lie in memories of their own. The harness receives its programs;
// its code is no program's.
void read_holds(const Object& entry, ProgramMemory& memory) {
  if (!entry.has("holds")) {
    memory.holds_code = memory.image == "embedded";
    return;
  }
  memory.holds_program = false;
  for (const std::string& word : entry.words("holds")) {
    if (word == "program") {
      memory.holds_program = true;
    } else if (word == "code" && memory.image == "embedded") {
      memory.holds_code = true;
    } else {
      entry.fail("\"holds\" lists \"" + word + "\"; expected \"program\"" +
                 (memory.image == "embedded" ? " or \"code\"" : ", as of any harness"));
    }
  }
  if (!memory.holds_program && !memory.holds_code) entry.fail("\"holds\" is empty");
}

ProgramMemory read_program_memory(const Json& json, const std::string& where) {
  const Object entry(json, where, {"name", "kind", "image", "base", "bytes", "holds"});
  ProgramMemory result;
  result.name = entry.text("name");
  check_name(entry, result.name);
  result.kind = entry.text_or("kind", "");
  result.image = entry.text("image");
  if (result.image != "embedded" && result.image != "harness") {
    entry.fail("\"image\" is \"" + result.image + "\"; expected \"embedded\" or \"harness\"");
  }
  result.base = entry.number("base", 0, UINT64_MAX);
  result.bytes = entry.number("bytes", 1, kBytesMax);
  read_holds(entry, result);
  return result;
}

// Refuses a part of an image that two memories hold: its place would be ambiguous.
void add_program_memory(const Object& root, ProgramMemory memory, Board& board) {
  for (const ProgramMemory& other : board.program_memories) {
    if (other.image != memory.image) continue;
    for (const auto& [what, both] :
         {std::pair{"program", other.holds_program && memory.holds_program},
          std::pair{"code", other.holds_code && memory.holds_code}}) {
      if (!both) continue;
      root.fail("the program memories \"" + other.name + "\" and \"" + memory.name +
                "\" both hold the " + what + " of the " + memory.image +
                " image; say what each holds: \"holds\": [\"program\"] or [\"code\"]");
    }
  }
  board.program_memories.push_back(std::move(memory));
}

Capabilities read_vulkan(const Json& json, const std::string& where) {
  std::vector<std::string_view> known;
  for (const LimitKey& limit : kLimitKeys) known.emplace_back(limit.key);
  const Object entry(json, where, known);
  Capabilities result;
  for (const LimitKey& limit : kLimitKeys) {
    if (limit.optional && !entry.has(limit.key)) continue;
    result.numbers[static_cast<uint32_t>(limit.capability)] =
        entry.number32(limit.key, limit.optional ? 0 : 1);
  }
  return result;
}

CpuFeatures read_features(const Object& object, const char* key) {
  CpuFeatures features = 0;
  for (const std::string& name : object.words(key)) {
    const auto feature = find_cpu_feature(name);
    if (!feature.has_value()) {
      object.fail("\"" + std::string(key) + "\" lists \"" + name + "\", which is none; expected " +
                  listed(cpu_feature_names()) + did_you_mean(name, cpu_feature_names()));
    }
    features |= bit_of(*feature);
  }
  return features;
}

// The CPU's features are those of all variants: the board file gives them once.
void read_variants(const Object& root, Board& board) {
  const CpuFeatures cpu = board.cpu_features;
  if (!root.has("variants")) {
    board.variants.clear();
    if (root.has("vulkan")) {
      board.variants.push_back({read_vulkan(root.get("vulkan"), root.where() + ", vulkan"), cpu});
    }
    board.variants.push_back({std::nullopt, cpu});
    return;
  }
  if (root.has("vulkan")) {
    root.fail("\"vulkan\" belongs into one of \"variants\" where there are any");
  }
  board.variants.clear();
  for (const Json& json : root.array("variants")) {
    const std::string where = root.place("variant", board.variants.size());
    const Object entry(json, where, {"vulkan", "cpu_features"});
    BoardVariant variant;
    variant.cpu_features = cpu | read_features(entry, "cpu_features");
    if (entry.has("vulkan")) variant.vulkan = read_vulkan(entry.get("vulkan"), where + ", vulkan");
    board.variants.push_back(variant);
  }
  if (board.variants.empty() || board.variants.size() > 16 ||
      board.variants.back().vulkan.has_value()) {
    root.fail("\"variants\" holds " + std::to_string(board.variants.size()) +
              " entries; expected 1 to 16, the last of them without \"vulkan\", on the CPU");
  }
}

Emulator read_emulator(const Json& json, const std::string& where) {
  const Object entry(json, where,
                     {"package", "command", "load_program", "count_instructions", "clock"});
  Emulator result;
  result.package = entry.text("package");
  result.command = entry.words("command");
  if (result.command.empty()) entry.fail("\"command\" is missing or empty");
  result.load_program = entry.words("load_program");
  result.count_instructions = entry.words("count_instructions");
  const std::string clock = entry.text_or("clock", "instructions");
  if (clock != "instructions" && clock != "nanoseconds") {
    entry.fail("\"clock\" is \"" + clock + "\"; expected \"instructions\" or \"nanoseconds\"");
  }
  result.clock_counts_instructions = clock == "instructions";
  return result;
}

void read_cpu(const Json& json, const std::string& where, Board& board) {
  const Object entry(json, where, {"name", "toolchain", "threads_max", "address_bits", "features"});
  board.cpu = entry.text("name");
  board.toolchain = entry.text_or("toolchain", "");
  if (entry.has("threads_max")) {
    board.threads_max = static_cast<uint32_t>(entry.number("threads_max", 1, 256));
  }
  if (entry.has("address_bits")) {
    board.address_bits = static_cast<uint32_t>(entry.number("address_bits", 32, 64));
    if (board.address_bits != 32 && board.address_bits != 64) {
      entry.fail("\"address_bits\" is " + std::to_string(board.address_bits) +
                 "; expected 32 or 64");
    }
  }
  board.cpu_features = read_features(entry, "features");
}

// A feature that no form uses makes nothing faster, which its file does not show.
void note_unused_features(const Object& root, Board& board) {
  CpuFeatures unused = 0;
  for (const BoardVariant& variant : board.variants)
    unused |= unused_features(variant.cpu_features);
  if (unused == 0) return;
  const bool f32x4 = (board.cpu_features & bit_of(CpuFeature::kF32x4)) != 0;
  const bool vectors = (unused & (bit_of(CpuFeature::kNeon) | bit_of(CpuFeature::kSse41))) != 0;
  board.notes.push_back(root.where() + ": no form of a step on the CPU uses " +
                        cpu_features_text(unused) + " here, so it makes nothing faster" +
                        (vectors && !f32x4 ? "; forms for vectors of four floats need f32x4" : ""));
}

// Older files say how weights are packed. That is decided for each step now.
void read_weights(const Object& root, Board& board) {
  if (!root.has("weights")) return;
  const std::string text = root.text("weights");
  if (text != "rows" && text != "panel16") {
    root.fail("\"weights\" is \"" + text + "\"; expected no such key, or \"rows\" or \"panel16\"");
  }
  board.notes.push_back(root.where() +
                        ": \"weights\" is not used any more: how weights are packed " +
                        "follows from the board's shaders and CPU features");
}

}  // namespace

std::optional<Capabilities> vulkan_of(const Board& board) {
  for (const BoardVariant& variant : board.variants) {
    if (variant.vulkan.has_value()) return variant.vulkan;
  }
  return std::nullopt;
}

void add_variants_for_halves(Board& board) {
  constexpr auto kHalves = static_cast<uint32_t>(Capability::kStorage16Bit);
  std::vector<BoardVariant> variants;
  for (BoardVariant& variant : board.variants) {
    if (variant.vulkan.has_value() && variant.vulkan->numbers[kHalves] == 0) {
      variants.push_back(variant);
      variants.back().vulkan->numbers[kHalves] = 1;
      variants.back().for_halves = true;
    }
    variants.push_back(std::move(variant));
  }
  board.variants = std::move(variants);
}

Board read_board(std::string_view json_text, const std::string& file_name) {
  Json json;
  std::string twice;
  try {
    json = Json::parse(json_text, RepeatedKey(twice));
  } catch (const Json::exception& error) {
    throw InputError(file_name + ": " + not_json(json_text, error.what()));
  }
  if (!twice.empty()) {
    throw InputError(file_name + ": key " + Json(twice).dump() + " is given twice in one object");
  }
  const Object root(json, file_name,
                    {"description", "name", "cpu", "vulkan", "variants", "weights", "costs",
                     "memories", "program_memories", "emulator", "licence"});
  Board board;
  board.name = root.text("name");
  check_name(root, board.name);
  board.description = root.text_or("description", "");
  read_cpu(root.get("cpu"), file_name + ", cpu", board);
  read_weights(root, board);
  if (root.has("costs")) board.costs = read_costs(root.get("costs"), file_name + ", costs");
  read_variants(root, board);
  note_unused_features(root, board);
  read_memories(root, board);
  if (root.has("program_memories")) {
    for (const Json& entry : root.array("program_memories")) {
      const std::string where = root.place("program memory", board.program_memories.size());
      add_program_memory(root, read_program_memory(entry, where), board);
    }
  }
  if (root.has("emulator")) {
    board.emulator = read_emulator(root.get("emulator"), file_name + ", emulator");
  }
  check_addresses(board, file_name);
  return board;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
