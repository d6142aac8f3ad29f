// Speaks the protocol of boards/embedded/run.h.
#include "tools/target/embedded_run.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "support/printable.h"
#include "support/shell_text.h"
#include "tools/run/dim_ranges.h"
#include "tools/run/status_text.h"
#include "tools/target/child.h"
#include "tools/target/fault.h"
#include "tools/target/scratch_folder.h"
#include "tools/target/store.h"

namespace arenite::tools {
namespace {

constexpr size_t kAnswerWords = 4;  // code, step, value of a status; bytes of stack

// The image and its task on their way.
class Firmware {
 public:
  Firmware(Child& child, const planner::Board& board, const ProgramFile& file,
           const TargetTask& task, const TargetOptions& options, const ElfImage& image)
      : child_(child),
        board_(board),
        file_(file),
        task_(task),
        image_(image),
        limit_(options.timeout_seconds ? std::chrono::milliseconds(
                                             static_cast<int64_t>(*options.timeout_seconds * 1000))
                                       : kWorkLimit),
        variant_(find_target_variant(file, task.method, board)) {}

  TargetTaskResult run(bool inputs_in_store, const ProgressHook& progress);

 private:
  uint64_t stack_of_answer(const std::string& what);
  [[noreturn]] void fail_with_words(std::string said);
  void send_inputs(uint32_t run);
  void collect(uint32_t run, TargetTaskResult& result);
  void read(std::span<uint8_t> to);
  [[noreturn]] void fail(const std::string& what) const;

  Child& child_;
  const planner::Board& board_;
  const ProgramFile& file_;
  const TargetTask& task_;
  const ElfImage& image_;                  // names functions
  const std::chrono::milliseconds limit_;  // of silence
  const uint32_t variant_;
};

void Firmware::fail(const std::string& what) const {
  throw RunError(file_.name() + " as firmware of board " + board_.name + ": " + what);
}

void Firmware::read(std::span<uint8_t> to) {
  if (child_.read(to, limit_)) return;
  std::string what = "the board stopped (its emulator ended with status ";
  what += std::to_string(child_.wait(std::chrono::seconds(10))) + ")";
  const std::string errors = child_.errors(), said = child_.unread();
  if (!errors.empty()) what += ": " + errors;
  if (!said.empty()) what += "; it said: " + printable(said);
  fail(what);
}

// The board reports a fault in words.
void Firmware::fail_with_words(std::string said) {
  for (uint8_t byte = 0; child_.read({&byte, 1}, limit_);) said += static_cast<char>(byte);
  const std::string fault = fault_text(said, &image_);
  while (!said.empty() && said.back() == '\n') said.pop_back();
  fail("the board said: " +
       printable(said.substr(std::min(said.size(), said.find_first_not_of('\n')))) +
       (fault.empty() ? "" : "; " + fault));
}

// Reads an answer, which must be good; the bytes of stack that the call took.
uint64_t Firmware::stack_of_answer(const std::string& what) {
  uint32_t words[kAnswerWords];
  read({reinterpret_cast<uint8_t*>(words), sizeof words});
  constexpr uint32_t kCodesMax = 256;
  if (words[0] >= kCodesMax) {
    fail_with_words({reinterpret_cast<const char*>(words), sizeof words});
  }
  const Status status{static_cast<Code>(words[0]), words[1], words[2]};
  if (!status.ok()) fail(what + ": " + status_text(status, file_, task_.method, variant_));
  return words[3];
}

// The bytes of each input of a run, in the order in which the firmware takes them.
std::vector<std::span<const std::byte>> inputs_of(const ProgramFile& file, const TargetTask& task,
                                                  uint32_t run) {
  std::vector<std::span<const std::byte>> inputs;
  for (uint32_t i = 0; i < task.inputs.tensors.size(); ++i) {
    if (file.state_of(task.method, i) != nullptr) continue;
    const std::span<const std::byte> all = task.inputs.tensors[i].bytes;
    const size_t bytes = all.size() / std::max(1u, task.inputs.runs);
    inputs.push_back(all.subspan(run * bytes, bytes));
  }
  return inputs;
}

void Firmware::send_inputs(uint32_t run) {
  for (const std::span<const std::byte> input : inputs_of(file_, task_, run)) {
    child_.write({reinterpret_cast<const uint8_t*>(input.data()), input.size()});
  }
}

// Reads the answer to one run and appends its outputs.
void Firmware::collect(uint32_t run, TargetTaskResult& result) {
  std::string what = "running";
  if (task_.inputs.stacked) what += " (inputs " + std::to_string(run) + " of the stack)";
  result.run_stack_bytes = std::max(result.run_stack_bytes, stack_of_answer(what));
  for (HostTensor& output : result.outputs) {
    uint64_t bytes = element_bytes(output.dtype);
    for (const uint32_t dim : output.dims) bytes *= dim;
    const size_t before = output.bytes.size();
    output.bytes.resize(before + bytes);
    read({reinterpret_cast<uint8_t*>(output.bytes.data()) + before, bytes});
  }
}

TargetTaskResult Firmware::run(bool inputs_in_store, const ProgressHook& progress) {
  TargetTaskResult result;
  result.outputs = output_forms(file_.program(), task_.method, {});
  result.runs = task_.inputs.runs;
  tell(progress, "loading the program", 0, 0);
  // Once it answers, its serial port takes what is sent.
  result.load_stack_bytes = stack_of_answer("loading");
  for (uint32_t run = 0; run < task_.inputs.runs; ++run) {
    const uint8_t command = inputs_in_store ? 's' : 'r';
    child_.write({&command, 1});
    if (!inputs_in_store) send_inputs(run);
  }
  for (uint32_t run = 0; run < task_.inputs.runs; ++run) {
    tell(progress, "running", run, task_.inputs.runs);
    collect(run, result);
  }
  // Not before all has come: an emulator that ends drops what its stream has not taken yet.
  constexpr uint8_t kEnd = 'q';
  child_.write({&kEnd, 1});
  if (!task_.inputs.stacked) return result;
  for (HostTensor& output : result.outputs) {
    output.dims.insert(output.dims.begin(), task_.inputs.runs);
  }
  return result;
}

// The inputs of all runs one behind another, where the emulator places them; nothing where they are
// few or too many.
std::vector<std::byte> inputs_for_store(const planner::Board& board, const ProgramFile& file,
                                        const TargetTask& task) {
  std::vector<std::byte> all;
  for (uint32_t run = 0; run < task.inputs.runs; ++run) {
    for (const auto& input : inputs_of(file, task, run)) {
      all.insert(all.end(), input.begin(), input.end());
    }
  }
  if (all.size() <= kStreamedInputBytes || all.size() > store_capacity(board)) return {};
  return all;
}

void check(const planner::Board& board, const ProgramFile& file, const TargetTask& task,
           const TargetOptions& options) {
  const std::string embedded = "an embedded image";
  if (!first_symbols(file.program(), task.method).empty()) {
    throw InputError(file.name() + ": " + embedded +
                     " takes inputs of one size, found sizes that each run chooses; plan it for "
                     "one, or run it with --image harness");
  }
  if (options.profile_steps || options.count_memory || options.pause_operations != 0) {
    throw InputError(embedded +
                     " has no marks around steps, memories and calls inside steps: use " +
                     (options.profile_steps  ? "--profile"
                      : options.count_memory ? "--count-memory"
                                             : "--pause-operations") +
                     " with --image harness");
  }
  if (board.emulator->count_instructions.empty() || find_counter().empty()) {
    throw InputError("board " + board.name + " has no counter for the instructions of " + embedded);
  }
}

}  // namespace

EmbeddedResult run_embedded(const planner::Board& board, const ProgramFile& file,
                            const TargetTask& task, bool without_verifier,
                            const TargetOptions& options) {
  if (!board.emulator) throw InputError("board " + board.name + " has no emulator");
  check(board, file, task, options);
  tell(options.progress, "building the image", 0, 0);
  EmbeddedImage built = embedded_image(board, file, without_verifier);
  const ScratchFolder scratch;
  const std::vector<std::byte> stored = inputs_for_store(board, file, task);
  LaunchFiles files;
  files.load = true;
  files.cycles = has_cycles(board);
  files.counter = find_counter();
  files.counts = scratch.path() / "counts.json";
  if (!stored.empty()) {
    files.program = scratch.path() / "inputs.bin";
    write_file(files.program, stored);
  }
  const std::vector<std::string> command = launch_command(board, built.image, files);

  EmbeddedResult result{{}, std::move(built.parts)};
  result.run.elf = built.image.path.string();
  result.run.command = shell_text(command);
  result.run.text_bytes = built.image.elf.text_bytes;
  result.run.data_bytes = built.image.elf.data_bytes;
  result.run.bss_bytes = built.image.elf.bss_bytes;
  Child child(command);
  TargetTaskResult& done =
      result.run.tasks.emplace_back(Firmware(child, board, file, task, options, built.image.elf)
                                        .run(!stored.empty(), options.progress));
  if (const auto counts = wait_for_end(child, files, done.runs)) {
    done.load_instructions = counts->load_instructions;
    done.load_cycles = counts->load_cycles;
    result.run.cycles = counts->cycles;
    result.run.instructions = counts->instructions;
    result.run.counted = true;
  }
  return result;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
