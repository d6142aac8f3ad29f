// Tests the threads that share loops: every index once, whatever the threads do meanwhile.
#include "tools/run/pool.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <csignal>
#include <numeric>
#include <vector>

namespace arenite::tools {
namespace {

// Counts how often each index came.
struct Counts {
  std::vector<std::atomic<uint32_t>> seen;
  explicit Counts(uint32_t count) : seen(count) {}
  static void task(void* argument, uint32_t first, uint32_t last, uint32_t) {
    for (uint32_t i = first; i < last; ++i) ++static_cast<Counts*>(argument)->seen[i];
  }
};

TEST(Pool, EveryIndexComesOnce) {
  for (const uint32_t threads : {1u, 2u, 3u, 16u}) {
    Pool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const uint32_t count : {0u, 1u, 2u, 7u, 8u, 9u, 1000u}) {
      Counts counts(count);
      pool.run(count, pool.threads(), Counts::task, &counts);
      for (uint32_t i = 0; i < count; ++i) EXPECT_EQ(counts.seen[i], 1u) << threads << ": " << i;
    }
  }
}

TEST(Pool, LoopsThatFollowCloselyDoNotMix) {
  Pool pool(4);
  for (uint32_t loop = 0; loop < 20000; ++loop) {
    const uint32_t count = 2 + loop % 40;
    Counts counts(count);
    pool.run(count, pool.threads(), Counts::task, &counts);
    for (uint32_t i = 0; i < count; ++i) ASSERT_EQ(counts.seen[i], 1u) << loop << ": " << i;
  }
}

// Pieces with one number run one after the other, and none has a number beyond the limit.
TEST(Pool, ThreadNumbersAreTheThreads) {
  struct Numbers {
    std::atomic<uint32_t> busy[4], other_thread, beyond;
    uint32_t limit;
  };
  Pool pool(4);
  for (const uint32_t limit : {1u, 2u, 4u, 9u}) {
    Numbers numbers = {};
    numbers.limit = std::min(limit, 4u);
    const auto task = [](void* argument, uint32_t, uint32_t, uint32_t thread) {
      Numbers& n = *static_cast<Numbers*>(argument);
      if (thread >= n.limit) {
        ++n.beyond;
        return;
      }
      if (n.busy[thread]++ != 0) ++n.other_thread;
      for (int i = 0; i < 1000; ++i) (void)n.busy[thread].load();
      --n.busy[thread];
    };
    for (int loop = 0; loop < 300; ++loop) pool.run(100, limit, task, &numbers);
    EXPECT_EQ(numbers.beyond, 0u) << limit;
    EXPECT_EQ(numbers.other_thread, 0u) << limit;
  }
}

TEST(Pool, APoolThatNeverRanEnds) {
  for (int i = 0; i < 50; ++i) const Pool pool(8);
}

// A worker that the system holds back: it sits in a signal's handler until it is let go.
sem_t held, let_go;
void hold(int) {
  sem_post(&held);
  while (sem_wait(&let_go) != 0) {
  }
}

TEST(Pool, AWorkerThatIsHeldBackIsNotWaitedFor) {
  ASSERT_EQ(sem_init(&held, 0, 0), 0);
  ASSERT_EQ(sem_init(&let_go, 0, 0), 0);
  struct sigaction action = {};
  action.sa_handler = hold;
  struct sigaction before = {};
  ASSERT_EQ(sigaction(SIGUSR1, &action, &before), 0);
  {
    Pool pool(2);
    struct Find {
      pthread_t caller = pthread_self();
      std::atomic<bool> found = false;
      pthread_t worker = {};
    } find;
    const auto look = [](void* argument, uint32_t, uint32_t, uint32_t) {
      Find& f = *static_cast<Find*>(argument);
      if (pthread_equal(pthread_self(), f.caller) == 0 && !f.found.exchange(true)) {
        f.worker = pthread_self();
      }
    };
    while (!find.found) pool.run(64, pool.threads(), look, &find);
    ASSERT_EQ(pthread_kill(find.worker, SIGUSR1), 0);
    while (sem_wait(&held) != 0) {
    }
    for (uint32_t loop = 0; loop < 100; ++loop) {
      Counts counts(33);
      pool.run(33, pool.threads(), Counts::task,
               &counts);  // for ever, if it waited for all its threads
      for (const auto& seen : counts.seen) ASSERT_EQ(seen, 1u);
    }
    sem_post(&let_go);
  }
  sigaction(SIGUSR1, &before, nullptr);
}

TEST(Pool, PiecesAreTold) {
  Pool pool(3);
  struct Seen {
    std::atomic<uint32_t> begun[3], ended[3];
  } seen = {};
  pool.observe(
      [](void* context, uint32_t thread, bool begin) {
        Seen& s = *static_cast<Seen*>(context);
        ++(begin ? s.begun : s.ended)[thread];
      },
      &seen);
  Counts counts(1000);
  pool.run(1000, pool.threads(), Counts::task, &counts);
  uint32_t pieces = 0;
  for (uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(seen.begun[i], seen.ended[i]);
    pieces += seen.begun[i];
  }
  EXPECT_EQ(pieces, 12u);
  pool.observe(nullptr, nullptr);
  pool.run(1000, pool.threads(), Counts::task, &counts);
  EXPECT_EQ(seen.begun[0] + seen.begun[1] + seen.begun[2], pieces);
}

}  // namespace
}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
