// Hands out pieces by a counter; sleeps and wakes by atomic waits (futexes on Linux).
#include "tools/run/pool.h"

#include <algorithm>

namespace arenite::tools {
namespace {

// A few pieces a thread, so that an uneven or held up one does not hold up all.
constexpr uint32_t kPiecesAThread = 4;

// The number of times that a thread yields before it sleeps until it is woken. Steps follow each
// other closely: the next loop mostly begins within these 30 microseconds or so.
constexpr int kYields = 100;

// Until `value` is no longer `old`.
void wait_for_change(const std::atomic<uint32_t>& value, uint32_t old) {
  for (int i = 0; i < kYields; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    std::this_thread::yield();
  }
  value.wait(old, std::memory_order_acquire);
}

constexpr uint32_t number_of(uint64_t left) { return static_cast<uint32_t>(left >> 32); }
constexpr uint32_t pieces_of(uint64_t left) { return static_cast<uint32_t>(left); }

}  // namespace

Pool::Pool(uint32_t threads) {
  try {
    for (uint32_t i = 1; i < threads; ++i) workers_.emplace_back([this, i] { work(i); });
  } catch (...) {
    stop();
    throw;
  }
}

Pool::~Pool() { stop(); }

void Pool::stop() {
  stopping_ = true;
  ++number_;
  number_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void Pool::observe(Observe observer, void* context) {
  observer_ = observer;
  observer_context_ = context;
}

void Pool::work(uint32_t thread) {
  for (uint32_t number = 0; !stopping_;) {
    wait_for_change(number_, number);
    number = number_.load(std::memory_order_acquire);
    take_pieces(number, thread);
  }
}

void Pool::take_pieces(uint32_t number, uint32_t thread) {
  uint64_t left = left_.load(std::memory_order_acquire);
  // A thread that then takes a piece of this loop has read this loop's limit.
  if (thread >= threads_max_.load(std::memory_order_relaxed)) return;
  while (number_of(left) == number && pieces_of(left) != 0) {
    if (!left_.compare_exchange_weak(left, left - 1, std::memory_order_acq_rel)) continue;
    // The piece is ours, so the loop does not end before we say that it is done.
    const uint32_t piece = loop_.pieces - pieces_of(left);
    const uint64_t count = loop_.count;
    const uint32_t pieces = loop_.pieces;
    if (observer_ != nullptr) observer_(observer_context_, thread, true);
    loop_.task(loop_.argument, static_cast<uint32_t>(count * piece / pieces),
               static_cast<uint32_t>(count * (piece + 1) / pieces), thread);
    if (observer_ != nullptr) observer_(observer_context_, thread, false);
    if (done_.fetch_add(1) + 1 == pieces) done_.notify_all();
    left = left_.load(std::memory_order_acquire);
  }
}

void Pool::run(uint32_t count, uint32_t threads_max, PieceFunction task, void* argument) {
  const uint32_t workers = std::min(threads(), threads_max);
  const uint32_t pieces = std::min(count, workers * kPiecesAThread);
  if (pieces <= 1 || workers <= 1) {
    task(argument, 0, count, 0);
    return;
  }
  loop_ = {task, argument, count, pieces};
  threads_max_.store(workers, std::memory_order_relaxed);
  done_.store(0, std::memory_order_relaxed);
  const uint32_t number = number_.load(std::memory_order_relaxed) + 1;
  left_.store(uint64_t{number} << 32 | pieces, std::memory_order_release);
  number_ = number;  // sequentially consistent, as notify_all() asks who sleeps: nobody is missed
  number_.notify_all();
  take_pieces(number, 0);
  for (uint32_t done; (done = done_.load(std::memory_order_acquire)) < pieces;) {
    wait_for_change(done_, done);
  }
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
