// Halves the range between a size that fails and one that works, planning each time.
#include "planner/place/least_memory.h"

#include <algorithm>
#include <optional>

#include "planner/memory/problem/live_bytes.h"
#include "planner/memory/problem/verify.h"

namespace arenite::planner {
namespace {

// Limits of the search: it halves the range between the proved and the found size at most so often,
// and until the range is so small a part of the size.
constexpr int kHalvings = 6;
constexpr uint64_t kSmallPart = 100;

class Search {
 public:
  Search(std::span<const PlaceJob> jobs, const Board& board, memory::Algorithm algorithm,
         const Constrain& constrain, const Attempt& best)
      : jobs_(jobs), board_(board), algorithm_(algorithm), constrain_(constrain), best_(best) {}

  // A plan, and a size of one memory with which it is found.
  struct Found {
    Attempt attempt;
    uint32_t memory = 0;
    uint64_t bytes = 0;
  };

  // `first` is the memory that ran out.
  std::optional<Found> run(uint32_t first) {
    for (const uint32_t m : memories(first)) {
      const uint64_t bytes = std::max(aligned(floor_of(m), m), larger(m));
      if (auto attempt = with_size(m, bytes)) return found_at(m, bytes, std::move(*attempt));
      if (auto attempt = with_size(m, memory::kUnbounded)) return shrunk(m, std::move(*attempt));
    }
    return std::nullopt;
  }

  // A size of a memory below which no plan fits, the others as they are.
  uint64_t floor_of(uint32_t memory) const {
    uint64_t others = 0;
    for (uint32_t m = 0; m < sizes().size(); ++m) {
      if (m != memory) others += sizes()[m].size_bytes;  // each below 2^32
    }
    const uint64_t all = best_.lower_bound;
    return std::max(all > others ? all - others : 0, captive_bytes(memory));
  }

 private:
  const std::vector<memory::Memory>& sizes() const { return best_.problem.memories(); }

  // Most bytes live at one step of what can be nowhere else.
  uint64_t captive_bytes(uint32_t memory) const {
    if (sizes().size() == 1) return 0;  // the lower bound says no less
    memory::Problem problem = best_.problem.problem();
    problem.overlaps = best_.all_overlaps;
    std::vector<bool> captive;
    for (const memory::Buffer& buffer : problem.buffers) captive.push_back(only_in(buffer, memory));
    const memory::CheckedProblem checked(std::move(problem));
    return memory::largest(memory::live_spans(checked, captive)).bytes;
  }

  // Barred from the others, or larger than each of them.
  bool only_in(const memory::Buffer& buffer, uint32_t memory) const {
    if (buffer.fixed) return buffer.fixed->memory == memory;
    if (buffer.size_bytes == 0) return false;
    for (uint32_t m = 0; m < sizes().size(); ++m) {
      const auto& allowed = buffer.allowed;
      const bool may = allowed.empty() || std::count(allowed.begin(), allowed.end(), m) != 0;
      if (m != memory && may && buffer.size_bytes <= sizes()[m].size_bytes) return false;
    }
    return true;
  }

  // The one that ran out first, then the largest first.
  std::vector<uint32_t> memories(uint32_t first) const {
    std::vector<uint32_t> order;
    for (uint32_t m = 0; m < sizes().size(); ++m) order.push_back(m);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      if ((a == first) != (b == first)) return a == first;
      return sizes()[a].size_bytes > sizes()[b].size_bytes;
    });
    return order;
  }

  // Algorithms fill memories in units of their alignment.
  uint64_t aligned(uint64_t bytes, uint32_t memory) const {
    return align_up(bytes, sizes()[memory].alignment);
  }

  // The least size above what did not do.
  uint64_t larger(uint32_t memory) const { return aligned(sizes()[memory].size_bytes + 1, memory); }

  std::optional<Attempt> with_size(uint32_t memory, uint64_t bytes) const {
    Board board = board_;
    board.memories[memory].memory.size_bytes = bytes;
    Attempt attempt = Placer(jobs_, board, algorithm_, constrain_).run();
    if (!attempt.fits) return std::nullopt;
    return attempt;
  }

  static uint64_t peak_in(uint32_t memory, const Attempt& attempt) {
    uint64_t bytes = 0;
    for (const memory::MemoryReport& report : attempt.reports) {
      bytes = std::max(bytes, report.memories[memory].peak_bytes);
    }
    return bytes;
  }

  // A plan that takes no more than is proved to be needed is found again with just that.
  Found found_at(uint32_t memory, uint64_t bytes, Attempt attempt) const {
    const uint64_t peak = peak_in(memory, attempt);
    return {std::move(attempt), memory, peak <= floor_of(memory) ? peak : bytes};
  }

  // Shrinks the memory, from a plan without a limit down. The algorithm may find no plan with just
  // the bytes of that plan, as a limit makes it go other ways.
  Found shrunk(uint32_t memory, Attempt without_limit) const {
    const uint64_t peak = peak_in(memory, without_limit);
    Found found{std::move(without_limit), memory, peak};
    if (peak <= sizes()[memory].size_bytes) return found;  // it fits: the limit misled
    for (uint64_t bytes = aligned(peak, memory); bytes < 2 * peak;
         bytes = aligned(bytes + bytes / 8 + 1, memory)) {
      auto attempt = with_size(memory, bytes);
      if (!attempt) continue;
      found = found_at(memory, bytes, std::move(*attempt));
      break;
    }
    uint64_t none = std::max(aligned(floor_of(memory), memory), larger(memory));
    for (int i = 0; i < kHalvings && none < found.bytes; ++i) {
      const uint64_t middle = aligned(none + (found.bytes - none) / 2, memory);
      if (middle >= found.bytes || found.bytes - none < found.bytes / kSmallPart) break;
      if (auto attempt = with_size(memory, middle)) {
        found = found_at(memory, middle, std::move(*attempt));
      } else {
        none = middle;
      }
    }
    return found;
  }

  std::span<const PlaceJob> jobs_;
  const Board& board_;
  memory::Algorithm algorithm_;
  const Constrain& constrain_;
  const Attempt& best_;
};

// The buffer that is born first of those that pass the end of a memory.
uint32_t first_beyond(const Attempt& attempt, uint32_t memory) {
  const std::vector<memory::Buffer>& buffers = attempt.problem.buffers();
  const memory::Memory& room = attempt.problem.memories()[memory];
  uint32_t first = *attempt.first_unplaced;
  bool any = false;
  for (uint32_t i = 0; i < buffers.size(); ++i) {
    const memory::Placement& at = attempt.solution.placements[i];
    if (at.memory != memory || at.offset + buffers[i].size_bytes <= room.size_bytes) continue;
    if (any && buffers[i].lifetime.first >= buffers[first].lifetime.first) continue;
    first = i;
    any = true;
  }
  return first;
}

// Explains the shortage to the user.
JobShortage explain(std::span<const PlaceJob> jobs, const std::string& title, const Board& board,
                    const memory::DoesNotFit& why, const Attempt& attempt) {
  JobShortage result;
  result.job = jobs.size() - 1;
  while (why.step < attempt.first_step[result.job]) --result.job;
  const Schedule& plan = *jobs[result.job].plan;
  Shortage& shortage = result.shortage;
  shortage.board = board.name;
  shortage.memory = why.memory_name;
  shortage.memory_bytes = why.memory_bytes;
  shortage.needed_bytes = why.needed_bytes;
  shortage.short_bytes = why.short_bytes;
  shortage.step = why.step - attempt.first_step[result.job];
  shortage.step_name = step_text(plan, *shortage.step);
  const uint32_t first = attempt.first_buffer[result.job];
  const uint32_t end = attempt.first_buffer[result.job + 1];
  for (const memory::LiveBuffer& live : why.live) {
    ShortTensor tensor{live.name, {}, live.size_bytes};
    // One kept for another method has its shape there.
    if (live.buffer >= first && live.buffer < end) {
      tensor.shape = plan.storages[live.buffer - first].form.dims;
    }
    shortage.tensors.push_back(std::move(tensor));
  }
  shortage.text = title + ": " + memory::message(why) + "\nthe worst step is " +
                  (jobs.size() == 1 ? "" : jobs[result.job].title + ", ") + shortage.step_name;
  return result;
}

}  // namespace

std::optional<JobShortage> find_least_memory(std::span<const PlaceJob> jobs, const Board& board,
                                             memory::Algorithm algorithm,
                                             const Constrain& constrain, Attempt& best) {
  uint32_t memory = best.solution.placements[*best.first_unplaced].memory;
  const std::vector<memory::Memory> sizes = best.problem.memories();
  Search search(jobs, board, algorithm, constrain, best);
  std::optional<Search::Found> found;
  if (!jobs.front().plan->vulkan) found = search.run(memory);
  if (found) memory = found->memory;
  const BoardMemory& room = board.memories[memory];
  const uint64_t floor = search.floor_of(memory) + room.own_bytes;
  if (found) {
    found->attempt.first_unplaced = best.first_unplaced;
    best = std::move(found->attempt);
    memory::Problem as_it_is = best.problem.problem();
    as_it_is.memories = sizes;
    best.problem = memory::CheckedProblem(std::move(as_it_is));
    best.fits = !memory::verify(best.problem.problem(), best.solution).has_value();
    if (best.fits) return std::nullopt;
    best.first_unplaced = first_beyond(best, memory);
  }
  const std::string title = Placer(jobs, board, algorithm, constrain).title();
  memory::DoesNotFit why =
      memory::explain_overflow(best.problem, best.solution, *best.first_unplaced);
  if (found) {
    // The memory grew for all of them: none is to blame.
    why.first_unplaced = {};
    why.needed_bytes = found->bytes;
  }
  // The figures are of the memory as the board has it, with the bytes kept from arenas.
  why.needed_bytes += room.own_bytes;
  why.memory_bytes = room.full_bytes();
  why.short_bytes = why.needed_bytes - why.memory_bytes;
  JobShortage result = explain(jobs, title, board, why, best);
  if (room.own_bytes != 0) {
    result.shortage.text += "\nof these, " + std::to_string(room.own_bytes) +
                            " are for the Instance, .bss and the stack";
  }
  result.shortage.floor_bytes = floor;
  result.shortage.impossible = floor > why.memory_bytes;
  result.shortage.least_bytes = why.needed_bytes;
  result.shortage.least_is_proved = floor >= why.needed_bytes;
  result.shortage.least_is_known = found.has_value();
  return result;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
