// `arenite doctor`: which devices and boards this machine can use, and what is missing.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "planner/board/harness_image.h"
#include "support/output.h"
#include "support/own_data.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/common_options.h"
#include "tools/arenite/json.h"

namespace arenite::tools {
namespace {

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::string folders = path != nullptr ? path : "/usr/bin:/bin";
  for (size_t begin = 0; begin <= folders.size();) {
    const size_t end = std::min(folders.find(':', begin), folders.size());
    const std::filesystem::path file =
        std::filesystem::path(folders.substr(begin, end - begin)) / program;
    if (::access(file.c_str(), X_OK) == 0) return true;
    begin = end + 1;
  }
  return false;
}

// The compiler that the toolchain's file names for bare boards; empty where nothing says so.
std::string compiler_of(const std::string& toolchain) {
  std::ifstream file(find_own_data("share/arenite/toolchains/" + toolchain + ".cmake"));
  constexpr std::string_view kKey = "set(ARENITE_COMPILER_PREFIX ";
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(kKey)) {
      return line.substr(kKey.size(), line.find(')') - kKey.size()) + "g++";
    }
  }
  return "";
}

// The images by which programs run on the board: the harness, or what embedded images are made of.
std::filesystem::path image_of(const planner::Board& board) {
  const std::filesystem::path harness = planner::harness_image(board);
  for (const planner::ProgramMemory& memory : board.program_memories) {
    if (memory.image == "harness") return harness;
  }
  return harness.parent_path() / "embedded_link.json";
}

DoctorReport::Board examine(const std::string& name) {
  DoctorReport::Board line{name, false, {}};
  try {
    const planner::Board board = planner::find_board(name);
    if (board.emulator && !board.emulator->command.empty() &&
        !on_path(board.emulator->command[0])) {
      line.missing.push_back(board.emulator->command[0] + " (package " + board.emulator->package +
                             ")");
    }
    if (board.emulator && !std::filesystem::is_regular_file(image_of(board))) {
      line.missing.push_back("its image, " + image_of(board).string() + " (" +
                             planner::harness_advice(board) + ")");
    }
    if (const std::string compiler = compiler_of(board.toolchain);
        !compiler.empty() && !on_path(compiler)) {
      line.missing.push_back(compiler + ", which builds its images (tools/setup installs it)");
    }
  } catch (const std::exception& error) {
    line.missing.emplace_back(error.what());
  }
  line.ready = line.missing.empty();
  return line;
}

int run_doctor(bool json) {
  DoctorReport report;
  report.vulkan = list_vulkan_devices(report.vulkan_problem);
  for (const std::string& name : planner::board_names()) report.boards.push_back(examine(name));
  if (json) {
    print_text(to_json(report) + "\n");
    return kDone;
  }
  if (report.vulkan.empty()) {
    print("vulkan: none (%s)\n", report.vulkan_problem.c_str());
  }
  for (size_t i = 0; i < report.vulkan.size(); ++i) {
    const VulkanDeviceLine& device = report.vulkan[i];
    print("vulkan:%zu %s (%s)%s%s%s\n", i, device.name.c_str(), device.driver.c_str(),
          device.software ? ", in software: --device auto takes the CPU instead" : "",
          device.problem.empty() ? "" : ", not usable: ", device.problem.c_str());
    for (const auto& [name, number] : device.limits) {
      print("  %s %llu\n", name.c_str(), static_cast<unsigned long long>(number));
    }
  }
  for (const DoctorReport::Board& board : report.boards) {
    print("board %s: %s\n", board.name.c_str(), board.ready ? "ready" : "missing");
    for (const std::string& missing : board.missing) print("  %s\n", missing.c_str());
  }
  return kDone;
}

std::function<int()> declare_doctor(Options& options) {
  const auto json = std::make_shared<bool>(false);
  add_json(options, *json);
  return [json] { return run_doctor(*json); };
}

}  // namespace

const Command kDoctorCommand = {
    .name = "doctor",
    .summary = "Show which devices and boards are usable",
    .examples =
        "arenite doctor\n"
        "arenite doctor --json",
    .declare = declare_doctor,
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
