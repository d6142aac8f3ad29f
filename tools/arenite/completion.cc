// Takes candidates from the list of commands, the declarations of their options, and the boards.
#include "tools/arenite/completion.h"

#include "planner/board/board.h"
#include "planner/passes/passes.h"
#include "planner/passes/switches.h"
#include "support/output.h"
#include "tools/arenite/commands.h"

namespace arenite::tools {
namespace {

// The words after `first` that names of commands have, "run" of "target run" after "target".
std::vector<Candidate> next_words(const std::string& first) {
  std::vector<Candidate> words;
  for (const Command* command : all_commands()) {
    const std::string name = command->name, group = group_of(*command);
    if (group == first) {
      words.push_back({group.empty() ? name : name.substr(group.size() + 1), command->summary});
    } else if (first.empty() && (words.empty() || words.back().word != group)) {
      words.push_back({group, "Programs on boards"});
    }
  }
  if (first.empty()) words.push_back({"help", "Show the page of a command"});
  return words;
}

std::vector<Candidate> values_of(const std::string& option) {
  std::vector<Candidate> values;
  if (option == "--board") {
    for (const std::string& name : planner::board_names()) values.push_back({name, ""});
  } else if (option == "--disable") {
    for (const planner::Pass& pass : planner::all_passes())
      values.push_back({pass.name, pass.effect});
    for (const planner::PeakPass& pass : planner::peak_passes()) {
      values.push_back({pass.name, pass.effect});
    }
  } else if (option == "--device" || option == "--device-a" || option == "--device-b") {
    values = {{"auto", "a GPU where there is one, else the CPU"}, {"cpu", ""}, {"vulkan", ""}};
  } else if (option == "--threads") {
    values = {{"auto", "as many as there are CPUs for"}};
  }
  return values;
}

std::vector<Candidate> candidates_for(std::vector<std::string> words) {
  if (words.size() > 1 && words.front() == "help") words.erase(words.begin());
  const std::vector<std::string> before(words.begin(), words.end() - (words.empty() ? 0 : 1));
  size_t count = 0;
  const Command* command = find_command(before, count);
  if (command == nullptr) {
    return before.size() > 1 ? std::vector<Candidate>{}
                             : next_words(before.empty() ? "" : before.front());
  }
  Options options(usage_name(*command), command->summary, command->examples);
  const std::function<int()> run = command->declare(options);  // owns what the options set
  Candidates found =
      options.candidates({words.begin() + static_cast<ptrdiff_t>(count), words.end()});
  if (!found.value_of.empty() && found.words.empty()) return values_of(found.value_of);
  return found.words;
}

}  // namespace

int show_completions(const std::vector<std::string>& words) {
  const std::string typed = words.empty() ? "" : words.back();
  for (const Candidate& candidate : candidates_for(words)) {
    if (!candidate.word.starts_with(typed)) continue;
    const std::string help = candidate.help.substr(0, candidate.help.find_first_of("\n\t"));
    print_text(candidate.word + (help.empty() ? "" : "\t" + help) + "\n");
  }
  return kDone;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
