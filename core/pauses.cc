// Cuts loops at the borders that threads would share them at. Items run in the order of an uncut
// loop, so that safe distances hold.
#include "core/pauses.h"

#include <bit>

namespace arenite {
namespace {

// Finding the form and operands of a step takes about so many.
constexpr uint32_t kOperationsOfStep = 64;

void add(uint32_t& sum, uint64_t more) {
  const uint64_t all = sum + more;
  sum = all < UINT32_MAX ? static_cast<uint32_t>(all) : UINT32_MAX;
}

// Operations of an item, rounded up. Without a division of 64 bits, which a small core has no
// instruction for.
uint64_t work_of_item(uint64_t work, uint32_t items) {
  const auto shift = static_cast<uint32_t>(std::bit_width(static_cast<uint32_t>(work >> 32)));
  return (uint64_t{static_cast<uint32_t>(work >> shift) / items} + 1) << shift;
}

void call(Pauses& pauses) {
  pauses.done = 0;
  pauses.cancelled = !pauses.call(pauses.context);
}

// A loop's items from `first` on, as if they were all.
struct Rest {
  PieceFunction task;
  void* argument;
  uint32_t first;
};

void run_rest(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& rest = *static_cast<const Rest*>(argument);
  rest.task(rest.argument, rest.first + first, rest.first + last, thread);
}

void cut(const Platform& platform, uint32_t items, uint64_t work, PieceFunction task,
         void* argument) {
  Pauses& pauses = *platform.pauses;
  pauses.was_cut = true;
  if (items == 0) return;
  const bool shared = platform.parallel_for != nullptr && is_worth_splitting(items, work);
  const uint32_t threads = shared && platform.threads != 0 ? platform.threads : 1;
  const uint64_t each = work_of_item(work, items);
  for (uint32_t first = 0; first < items && !pauses.cancelled;) {
    const uint32_t left = pauses.operations > pauses.done ? pauses.operations - pauses.done : 0;
    uint32_t run = each <= left ? left / static_cast<uint32_t>(each) : 0;
    if (run == 0) {
      if (pauses.done != 0) {
        call(pauses);
        continue;
      }
      run = 1;
    }
    const uint64_t of_threads = uint64_t{run} * threads;
    const uint32_t rest = items - first;
    const uint32_t count = of_threads < rest ? static_cast<uint32_t>(of_threads) : rest;
    if (shared) {
      Rest shifted = {task, argument, first};
      platform.parallel_for(platform.context, count, platform.threads, run_rest, &shifted);
    } else {
      task(argument, first, first + count, 0);
    }
    add(pauses.done, (count / threads + (count % threads != 0)) * each);
    first += count;
  }
}

void end_step(Pauses& pauses, Status& status) {
  if (!pauses.was_cut) call(pauses);
  add(pauses.done, kOperationsOfStep);
  if (pauses.cancelled && status.ok()) status = error(Code::kCancelled);
  pauses.was_cut = false;
  pauses.cancelled = false;
}

}  // namespace

constinit const PauseFunctions kPauseFunctions{cut, end_step};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
