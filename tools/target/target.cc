// Talks a board's harness through loading, running and profiling.
#include "tools/target/target.h"

#include <algorithm>
#include <filesystem>
#include <type_traits>

#include "boards/harness/serve.h"
#include "support/printable.h"
#include "support/shell_text.h"
#include "support/suggest.h"
#include "tools/run/dim_ranges.h"
#include "tools/run/status_text.h"
#include "tools/target/child.h"
#include "tools/target/launch.h"
#include "tools/target/link.h"
#include "tools/target/scratch_folder.h"
#include "tools/target/store.h"

namespace arenite::tools {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

// An emulator answers at once; a machine that is busy with much else may take its time.
constexpr seconds kHelloLimit(60);
constexpr seconds kEndLimit(60);
constexpr uint32_t kPiecesBytes = 64 * 1024;  // of a program that is streamed

harness::Request request_of(harness::Verb verb) {
  harness::Request request = arenite_schema_HarnessRequest_init_zero;
  request.verb = verb;
  return request;
}

// Of a request of the harness.
constexpr size_t kSymbolsMax = std::extent_v<decltype(harness::Request::symbols)>;

// The numbers of the method's symbols for a task, each run of which has inputs of the same dims.
std::vector<uint32_t> symbols_for_task(const ProgramFile& file, const TargetTask& task) {
  std::vector<HostTensor> forms;
  for (const HostTensor& tensor : task.inputs.tensors) {
    const bool stacked = task.inputs.stacked && !tensor.dims.empty();
    forms.push_back(
        {tensor.dtype, {tensor.dims.begin() + (stacked ? 1 : 0), tensor.dims.end()}, {}});
  }
  std::vector<uint32_t> symbols =
      symbols_for(file, task.method, forms, first_symbols(file.program(), task.method));
  if (symbols.size() > kSymbolsMax) {
    throw InputError(file.name() + ": method " + quote(file.method_name(task.method)) + " has " +
                     std::to_string(symbols.size()) + " symbols, expected at most " +
                     std::to_string(kSymbolsMax) + " on a board");
  }
  return symbols;
}

uint64_t wide(uint32_t low, uint32_t high) { return uint64_t{high} << 32 | low; }

std::string error_text(const harness::Reply& reply) {
  const std::string value = std::to_string(reply.value);
  switch (reply.error) {
    case arenite_schema_HarnessError_HARNESS_BAD_FRAME:
      return "a request arrived damaged";
    case arenite_schema_HarnessError_HARNESS_OUTSIDE_STORE:
      return "it does not fit the program store of " + value + " bytes";
    case arenite_schema_HarnessError_HARNESS_NO_SUCH_INDEX:
      return "there are only " + value;
    case arenite_schema_HarnessError_HARNESS_WRONG_SIZE:
      return "it holds " + value + " bytes";
    default:
      return "the request was not understood";
  }
}

// The program and the tasks on their way to a board and back.
class Conversation {
 public:
  Conversation(Child& child, const planner::Board& board, const ProgramFile& file,
               const TargetOptions& options)
      : link_(child), board_(board), file_(file), options_(options), progress_(options.progress) {}

  void greet();
  void stream_program();
  TargetTaskResult run(const TargetTask& task, const std::vector<uint32_t>* offsets);
  void say_bye();

 private:
  TargetReply expect(const std::string& what, std::chrono::milliseconds limit);
  void set_inputs(const TargetTask& task, uint32_t run, const std::vector<uint32_t>* offsets);
  void collect(const TargetTask& task, uint32_t run, std::span<const HostTensor> forms,
               TargetTaskResult& result);

  TargetLink link_;
  const planner::Board& board_;
  const ProgramFile& file_;
  const TargetOptions& options_;
  const ProgressHook& progress_;
  uint32_t method_ = 0, variant_ = 0;  // of the task at hand, for messages
};

// The next reply, which must be good.
TargetReply Conversation::expect(const std::string& what, std::chrono::milliseconds limit) {
  TargetReply reply = link_.receive(limit);
  const harness::Reply& message = reply.message;
  if (message.error == arenite_schema_HarnessError_HARNESS_OK) return reply;
  std::string why = error_text(message);
  if (message.error == arenite_schema_HarnessError_HARNESS_STATUS) {
    const Status status{static_cast<Code>(message.code), message.step, message.value};
    why = status_text(status, file_, method_, variant_);
  }
  throw RunError(file_.name() + ", method " + quote(file_.method_name(method_)) + " on board " +
                 board_.name + ": " + what + ": " + why);
}

void Conversation::greet() {
  tell(progress_, "starting the emulator", 0, 0);
  link_.begin();
  link_.send(request_of(arenite_schema_HarnessVerb_HARNESS_HELLO));
  const harness::Reply hello = expect("hello", kHelloLimit).message;
  if (hello.protocol != harness::kProtocolVersion) {
    throw RunError("the image of board " + board_.name + " speaks protocol " +
                   std::to_string(hello.protocol) + ", expected " +
                   std::to_string(harness::kProtocolVersion) + ": build it again");
  }
  if (hello.board != board_.name) {
    throw RunError("expected the image of board " + board_.name + ", found that of " + hello.board);
  }
}

void Conversation::stream_program() {
  const std::span<const std::byte> program = file_.program().file();
  for (size_t at = 0; at < program.size(); at += kPiecesBytes) {
    harness::Request request = request_of(arenite_schema_HarnessVerb_HARNESS_STORE);
    request.store_offset = static_cast<uint32_t>(at);
    link_.send(request, program.subspan(at, std::min<size_t>(kPiecesBytes, program.size() - at)));
  }
  for (size_t at = 0; at < program.size(); at += kPiecesBytes) expect("sending it", kWorkLimit);
}

void Conversation::set_inputs(const TargetTask& task, uint32_t run,
                              const std::vector<uint32_t>* offsets) {
  for (uint32_t i = 0; i < task.inputs.tensors.size(); ++i) {
    if (file_.state_of(method_, i) != nullptr) continue;
    const std::vector<std::byte>& all = task.inputs.tensors[i].bytes;
    const size_t bytes = all.size() / std::max(1u, task.inputs.runs);
    harness::Request request = request_of(arenite_schema_HarnessVerb_HARNESS_SET_INPUT);
    request.index = i;
    request.bytes = static_cast<uint32_t>(bytes);
    request.from_store = offsets != nullptr;
    if (offsets != nullptr) {
      request.store_offset = static_cast<uint32_t>((*offsets)[i] + run * bytes);
      link_.send(request);
    } else {
      link_.send(request, std::span(all).subspan(run * bytes, bytes));
    }
  }
}

// Reads the replies of one run and appends its outputs. Those that have other dims than before,
// which states give them, are no stack: the last is kept.
void Conversation::collect(const TargetTask& task, uint32_t run, std::span<const HostTensor> forms,
                           TargetTaskResult& result) {
  for (uint32_t i = 0; i < task.inputs.tensors.size(); ++i) {
    if (file_.state_of(method_, i) != nullptr) continue;
    expect("setting input " + quote(file_.input_name(method_, i)), kWorkLimit);
  }
  std::string what = "running";
  if (task.inputs.stacked) what += " (inputs " + std::to_string(run) + " of the stack)";
  expect(what, kWorkLimit);
  for (uint32_t i = 0; i < forms.size(); ++i) {
    const TargetReply reply =
        expect("reading output " + quote(file_.output_name(method_, i)), kWorkLimit);
    HostTensor output = forms[i];
    uint64_t bytes = element_bytes(output.dtype);
    for (const uint32_t dim : output.dims) bytes *= dim;
    if (reply.payload.size() != bytes) {
      throw RunError("board " + board_.name + " sent " + std::to_string(reply.payload.size()) +
                     " bytes of an output, expected " + std::to_string(bytes));
    }
    output.bytes.assign(reply.payload.begin(), reply.payload.end());
    if (task.inputs.stacked) output.dims.insert(output.dims.begin(), task.inputs.runs);
    HostTensor& all = result.outputs[i];
    if (run == 0) {
      all = std::move(output);
    } else if (all.dims == output.dims) {
      all.bytes.insert(all.bytes.end(), output.bytes.begin(), output.bytes.end());
    } else {
      all = forms[i];
      all.bytes = std::move(output.bytes);
    }
  }
}

TargetTaskResult Conversation::run(const TargetTask& task, const std::vector<uint32_t>* offsets) {
  method_ = task.method;
  variant_ = find_target_variant(file_, method_, board_);
  TargetTaskResult result;
  std::vector<uint32_t> symbols = symbols_for_task(file_, task);
  result.outputs.resize(file_.program().methods()[method_].output_count);
  harness::Request load = request_of(arenite_schema_HarnessVerb_HARNESS_LOAD);
  load.method = method_;
  load.variant = variant_;
  load.bytes = static_cast<uint32_t>(file_.program().file().size());
  load.mark_steps = options_.profile_steps;
  load.pause_operations = options_.pause_operations;
  link_.send(load);
  tell(progress_, "loading the program", 0, 0);
  expect("loading", kWorkLimit);
  if (!symbols.empty()) {
    harness::Request set = request_of(arenite_schema_HarnessVerb_HARNESS_SET_SYMBOLS);
    set.symbols_count = static_cast<pb_size_t>(symbols.size());
    std::ranges::copy(symbols, set.symbols);
    link_.send(set);
    expect("setting sizes", kWorkLimit);
  }
  // All requests go out ahead of their replies, so that no run waits for a round trip.
  for (uint32_t run = 0; run < task.inputs.runs; ++run) {
    set_inputs(task, run, offsets);
    link_.send(request_of(arenite_schema_HarnessVerb_HARNESS_RUN));
    for (uint32_t i = 0; i < result.outputs.size(); ++i) {
      harness::Request get = request_of(arenite_schema_HarnessVerb_HARNESS_GET_OUTPUT);
      get.index = i;
      link_.send(get);
    }
  }
  for (uint32_t run = 0; run < task.inputs.runs; ++run) {
    tell(progress_, "running", run, task.inputs.runs);
    collect(task, run, output_forms(file_.program(), method_, symbols), result);
    grow_symbols(file_.program(), method_, symbols);
  }
  link_.send(request_of(arenite_schema_HarnessVerb_HARNESS_PROFILE));
  const harness::Reply profile = expect("profiling", kWorkLimit).message;
  result.load_instructions = wide(profile.load_low, profile.load_high);
  result.clock_instructions = wide(profile.run_low, profile.run_high);
  result.runs = profile.runs;
  result.load_stack_bytes = profile.load_stack_bytes;
  result.run_stack_bytes = profile.run_stack_bytes;
  return result;
}

void Conversation::say_bye() {
  link_.send(request_of(arenite_schema_HarnessVerb_HARNESS_BYE));
  expect("bye", kEndLimit);
}

// The arenas of the method's variant, where the harness puts them: each at the start of the memory
// of its name, that of the states behind.
std::vector<CountedRange> arenas_on(const planner::Board& board, const ProgramFile& file,
                                    uint32_t method) {
  const Program& program = file.program();
  const format::VariantRecord& variant =
      program.variants()[program.methods()[method].variant_first +
                         find_target_variant(file, method, board)];
  std::vector<CountedRange> ranges;
  for (const format::ArenaRecord& arena : program.arenas_of(variant)) {
    const std::string name(program.string(arena.name_offset, arena.name_bytes));
    for (const planner::BoardMemory& memory : board.memories) {
      if (memory.memory.name != name || arena.bytes == 0) continue;
      const auto before = std::ranges::find(ranges, name, &CountedRange::name);
      if (before == ranges.end()) {
        ranges.push_back({name, memory.memory.base, arena.bytes});
      } else {
        const uint64_t mask = arena.alignment - 1;
        before->bytes = ((before->bytes + mask) & ~mask) + arena.bytes;
      }
    }
  }
  return ranges;
}

}  // namespace

uint32_t find_target_variant(const ProgramFile& file, uint32_t method,
                             const planner::Board& board) {
  const Program& program = file.program();
  const format::MethodRecord& record = program.methods()[method];
  std::vector<std::string> boards;
  for (uint32_t v = 0; v < record.variant_count; ++v) {
    const std::string name = file.board_name(record.variant_first + v);
    bool runs_here = true;
    const Capabilities have{{}, board.cpu_features};
    for (const format::RequirementRecord& need :
         program.requirements_of(program.variants()[record.variant_first + v])) {
      runs_here = runs_here && have.meets(need.id, need.minimum);
    }
    for (const format::ArenaRecord& arena :
         program.arenas_of(program.variants()[record.variant_first + v])) {
      runs_here = runs_here && !format::is_device_arena(static_cast<format::ArenaKind>(arena.kind));
    }
    if (name == board.name && runs_here) return v;
    if (std::ranges::find(boards, name) == boards.end()) boards.push_back(name);
  }
  throw InputError(file.name() + ": method " + quote(file.method_name(method)) +
                   " has no CPU variant for board " + board.name +
                   "; its variants are planned for " + listed(boards) + "; plan it with --board " +
                   board.name);
}

TargetResult run_on_target(const planner::Board& board, const ProgramFile& file,
                           std::span<const TargetTask> tasks, const TargetOptions& options) {
  if (!board.emulator) throw InputError("board " + board.name + " has no emulator");
  for (const TargetTask& task : tasks) {
    static_cast<void>(find_target_variant(file, task.method, board));
  }
  const TargetImage image = find_image(board);
  const StoreImage store = make_store(file, tasks, store_capacity(board));
  const ScratchFolder scratch;
  LaunchFiles files;
  if (!store.bytes.empty()) {
    files.program = scratch.path() / "store.bin";
    write_file(files.program, store.bytes);
  }
  if (!board.emulator->count_instructions.empty()) files.counter = find_counter();
  files.counts = scratch.path() / "counts.json";
  if (files.counter.empty() &&
      (options.count_memory || options.profile_steps || options.pause_operations != 0)) {
    throw InputError("board " + board.name + " has no counter for " +
                     (options.count_memory
                          ? "what its memories move"
                          : "the instructions of steps, and between calls inside them"));
  }
  if (options.count_memory) files.memories = arenas_on(board, file, tasks[0].method);
  files.steps = options.profile_steps;
  files.pauses = options.pause_operations != 0;
  const std::vector<std::string> command = launch_command(board, image, files);

  TargetResult result;
  result.elf = image.path.string();
  result.command = shell_text(command);
  result.text_bytes = image.elf.text_bytes;
  result.data_bytes = image.elf.data_bytes;
  result.bss_bytes = image.elf.bss_bytes;
  Child child(command);
  Conversation conversation(child, board, file, options);
  conversation.greet();
  if (!store.holds_program) conversation.stream_program();
  uint64_t runs = 0;
  for (size_t t = 0; t < tasks.size(); ++t) {
    result.tasks.push_back(
        conversation.run(tasks[t], store.holds_inputs ? &store.offsets[t] : nullptr));
    result.instructions += result.tasks.back().clock_instructions;
    runs += result.tasks.back().runs;
  }
  conversation.say_bye();
  if (const auto counts = wait_for_end(child, files, runs)) {
    result.instructions = counts->instructions;
    result.counted = true;
    result.memories = counts->memories;
    result.step_instructions = counts->steps;
    result.pauses = counts->pauses;
    result.greatest_gap = counts->greatest_gap;
  }
  return result;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
