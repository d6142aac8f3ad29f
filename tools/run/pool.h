// A few threads that share loops with their caller, on machines that have other things to do.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "core/platform.h"

namespace arenite::tools {

// The caller takes pieces of a loop like every worker and waits only for pieces that someone has
// taken, never for a worker that has not woken up: one that the system holds back costs nothing.
// (A pool that waits for all its threads takes a time slice for each loop where they are held
// back: docs/decisions/0007-threads.md.) Workers sleep when there is nothing to do.
class Pool {
 public:
  // `threads` counts the caller, so there are `threads` - 1 workers. Throws std::system_error if no
  // thread can be had.
  explicit Pool(uint32_t threads);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Calls task(argument, first, last, thread) over pieces of [0, count), on the threads with
  // numbers below `threads_max`, of which 0 is the caller; returns when all are done. One caller at
  // a time, and not from within a task.
  void run(uint32_t count, uint32_t threads_max, PieceFunction task, void* argument);

  uint32_t threads() const { return static_cast<uint32_t>(workers_.size()) + 1; }

  // Called before and after each piece of later loops, by the thread that does it: 0 is the caller.
  // Null, as at first: not called. Not while a loop runs.
  using Observe = void (*)(void* context, uint32_t thread, bool begin);
  void observe(Observe observer, void* context);

 private:
  struct Loop {
    PieceFunction task = nullptr;
    void* argument = nullptr;
    uint32_t count = 0, pieces = 0;
  };

  void work(uint32_t thread);
  void take_pieces(uint32_t number, uint32_t thread);
  void stop();

  // Written while no piece is left, read by those who have taken one: never at the same time.
  Loop loop_;
  // The loop's number in the high half, the pieces that nobody has taken in the low half.
  alignas(64) std::atomic<uint64_t> left_{0};
  std::atomic<uint32_t> threads_max_{0};         // of the loop
  alignas(64) std::atomic<uint32_t> done_{0};    // pieces
  alignas(64) std::atomic<uint32_t> number_{0};  // of the last loop; what sleeping workers watch
  std::atomic<bool> stopping_{false};
  Observe observer_ = nullptr;
  void* observer_context_ = nullptr;
  std::vector<std::thread> workers_;
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
