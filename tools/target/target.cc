// Starts boards, or finds them on a line, and ends them.
#include "tools/target/target.h"

#include <algorithm>
#include <filesystem>
#include <thread>

#include "support/printable.h"
#include "support/shell_text.h"
#include "support/suggest.h"
#include "tools/target/child.h"
#include "tools/target/conversation.h"
#include "tools/target/launch.h"
#include "tools/target/reset.h"
#include "tools/target/scratch_folder.h"
#include "tools/target/store.h"

namespace arenite::tools {
namespace {

namespace fs = std::filesystem;
// What goes over a line in one frame: little where it may be damaged, or a board waits for the
// rest.
constexpr size_t kEmulatorPieceBytes = size_t{64} * 1024, kLinePieceBytes = 4096;
constexpr uint32_t kEmulatorAhead = 16;
constexpr std::chrono::milliseconds kLineAgainAfter(1000), kHangUpLimit(2000);
// A port over USB goes and comes with its board.
constexpr std::chrono::seconds kPortReturns(10);
constexpr std::chrono::milliseconds kPortPause(100);

std::unique_ptr<Line> open_port_again(const TargetPlace& place) {
  const auto end = std::chrono::steady_clock::now() + kPortReturns;
  while (true) {
    try {
      return open_port(place.port, place.baud);
    } catch (const RunError&) {
      if (std::chrono::steady_clock::now() > end) throw;
    }
    std::this_thread::sleep_for(kPortPause);
  }
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

struct TargetSession::State {
  const planner::Board& board;
  const ProgramFile& file;
  std::span<const TargetTask> tasks;
  TargetOptions options;

  ScratchFolder scratch;
  StoreImage store;
  LaunchFiles files;
  std::optional<TargetImage> image;
  std::unique_ptr<Line> line;
  Child* child = nullptr;  // the line, where it is one
  std::unique_ptr<Conversation> conversation;
  TargetResult result;

  LinkOptions link_options() const;
  void start_emulator();
  void open_line(bool after_reset);
  void prepare_line();
  void begin_conversation();
  void greet_over_line();
};

LinkOptions TargetSession::State::link_options() const {
  LinkOptions link;
  link.where = file.name() + " on board " + board.name + ": ";
  link.piece_bytes = kEmulatorPieceBytes;
  link.requests_ahead = kEmulatorAhead;
  if (!options.place.in_emulator()) {
    // A serial port holds a few bytes while the board does not read.
    link.requests_ahead = 1;
    link.again_after = kLineAgainAfter;
    link.piece_bytes = kLinePieceBytes;
  }
  if (options.timeout_seconds) {
    const auto limit =
        std::chrono::milliseconds(static_cast<int64_t>(*options.timeout_seconds * 1000));
    link.work_limit = link.answer_limit = limit;
    // Something may be tried again before the end.
    link.again_after = std::min(link.again_after, limit / 4 + std::chrono::milliseconds(1));
  }
  if (image) link.image = &image->elf;
  return link;
}

void TargetSession::State::start_emulator() {
  if (!board.emulator) throw InputError("board " + board.name + " has no emulator");
  image = find_image(board);
  result.counts_instructions = board.emulator->clock_counts_instructions;
  store = make_store(file, tasks, store_capacity(board));
  if (!store.bytes.empty()) {
    files.program = scratch.path() / "store.bin";
    write_file(files.program, store.bytes);
  }
  if (options.count && !board.emulator->count_instructions.empty()) files.counter = find_counter();
  files.cycles = options.count_cycles && !files.counter.empty() && has_cycles(board);
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
  const std::vector<std::string> command = launch_command(board, *image, files);
  result.elf = image->path.string();
  result.command = shell_text(command);
  result.text_bytes = image->elf.text_bytes;
  result.data_bytes = image->elf.data_bytes;
  result.bss_bytes = image->elf.bss_bytes;
  auto started = std::make_unique<Child>(command);
  child = started.get();
  line = std::move(started);
}

void TargetSession::State::prepare_line() {
  if (options.count_memory || options.profile_steps || options.pause_operations != 0) {
    throw InputError(std::string(options.count_memory    ? "--count-memory"
                                 : options.profile_steps ? "--profile"
                                                         : "--pause-operations") +
                     ": the emulator's counter counts it, which a board on a line lacks");
  }
  store = make_store(file, tasks, 0);
  try {
    image = find_image(board);  // names functions
  } catch (const RunError&) {
    image.reset();
  }
  result.in_emulator = result.counts_instructions = false;
  result.command = options.place.port.empty() ? options.place.command : options.place.port;
}

void TargetSession::State::open_line(bool after_reset) {
  const TargetPlace& place = options.place;
  if (!place.port.empty()) {
    line = after_reset ? open_port_again(place) : open_port(place.port, place.baud);
    return;
  }
  auto started = std::make_unique<Child>(std::vector<std::string>{"sh", "-c", place.command});
  child = started.get();
  line = std::move(started);
}

void TargetSession::State::begin_conversation() {
  conversation = std::make_unique<Conversation>(*line, link_options(), board, file, options);
  conversation->greet();
}

// A board that does not answer may be one that has hung or faulted before.
void TargetSession::State::greet_over_line() {
  const bool has_reset = !options.place.reset.empty();
  if (!options.reset_first || !has_reset) {
    try {
      open_line(false);
      begin_conversation();
      return;
    } catch (const RunError&) {
      if (!has_reset) throw;
    }
    conversation.reset();
    child = nullptr;
    line.reset();
  }
  reset_board(options.place.reset);
  open_line(true);
  begin_conversation();
}

TargetSession::TargetSession(const planner::Board& board, const ProgramFile& file,
                             std::span<const TargetTask> tasks, const TargetOptions& options)
    : state_(new State{board, file, tasks, options, {}, {}, {}, {}, {}, nullptr, {}, {}}) {
  for (const TargetTask& task : tasks) {
    static_cast<void>(find_target_variant(file, task.method, board));
  }
  if (options.place.in_emulator()) {
    state_->start_emulator();
    state_->begin_conversation();
  } else {
    state_->prepare_line();
    state_->greet_over_line();
  }
  if (!state_->store.holds_program) state_->conversation->stream_program();
}

TargetSession::~TargetSession() = default;

const LinkCounts& TargetSession::counts() const { return state_->conversation->counts(); }

TargetTaskResult TargetSession::run(size_t task) {
  State& state = *state_;
  TargetTaskResult done = state.conversation->run(
      state.tasks[task], state.store.holds_inputs ? &state.store.offsets[task] : nullptr);
  state.result.instructions += done.clock_instructions;
  state.result.tasks.push_back(done);
  return done;
}

TargetResult TargetSession::finish() {
  State& state = *state_;
  TargetResult& result = state.result;
  result.link = counts();
  uint64_t runs = 0;
  for (const TargetTaskResult& task : result.tasks) runs += task.runs;
  if (!result.in_emulator) {
    // A board goes on, for the next conversation; a command has nothing more to do.
    if (state.child != nullptr) state.child->hang_up(kHangUpLimit);
    return std::move(result);
  }
  state.conversation->say_bye();
  if (const auto counts = wait_for_end(*state.child, state.files, runs)) {
    result.instructions = counts->instructions;
    result.cycles = counts->cycles;
    result.counted = true;
    result.memories = counts->memories;
    result.step_instructions = counts->steps;
    result.pauses = counts->pauses;
    result.greatest_gap = counts->greatest_gap;
  }
  return std::move(result);
}

TargetResult run_on_target(const planner::Board& board, const ProgramFile& file,
                           std::span<const TargetTask> tasks, const TargetOptions& options) {
  TargetSession session(board, file, tasks, options);
  for (size_t t = 0; t < tasks.size(); ++t) static_cast<void>(session.run(t));
  return session.finish();
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
