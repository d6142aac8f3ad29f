// Eight threads and the C interface: on one session in turn, on one session at the same time, and
// on sessions of their own. Every result has to be that of one thread, bit for bit.
//
//   threads PROGRAM.arn [RUNS [race]]
//
// With "race" it breaks the rule that a session is one thread's at a time, which ThreadSanitizer
// has to notice.
// A program of its own, so that it can also be built with ThreadSanitizer
// (thread_sanitizer_test.py).
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "include/arenite.h"

namespace {

constexpr unsigned kThreads = 8;

using Bytes = std::vector<unsigned char>;

[[noreturn]] void die(const char* what) {
  std::fprintf(stderr, "threads: %s: %s\n", what, arenite_last_error());
  std::exit(1);
}

arenite_session* session_of(const arenite_program* program, uint32_t threads) {
  arenite_options options = ARENITE_OPTIONS_INIT;
  options.device = "cpu";
  options.threads = threads;
  arenite_session* session = nullptr;
  if (arenite_session_create(program, &options, &session) != ARENITE_OK) die("create");
  return session;
}

// Floats from 0 to 1 that follow from `seed`.
void fill(const arenite_tensor* tensor, uint32_t seed) {
  auto* numbers = static_cast<float*>(tensor->data);
  for (size_t i = 0; i < tensor->bytes / sizeof(float); ++i) {
    seed = seed * 1664525u + 1013904223u;
    numbers[i] = static_cast<float>(seed >> 8) / 16777216.0f;
  }
}

void fill_inputs(const arenite_session* session, uint32_t seed) {
  for (uint32_t i = 0; i < arenite_session_inputs(session); ++i) {
    fill(arenite_session_input(session, i), seed + i);
  }
}

Bytes outputs_of(const arenite_session* session) {
  Bytes all;
  for (uint32_t i = 0; i < arenite_session_outputs(session); ++i) {
    const arenite_tensor* output = arenite_session_output(session, i);
    const auto* bytes = static_cast<const unsigned char*>(output->data);
    all.insert(all.end(), bytes, bytes + output->bytes);
  }
  return all;
}

Bytes run(arenite_session* session, uint32_t seed) {
  fill_inputs(session, seed);
  if (arenite_session_run(session) != ARENITE_OK) die("run");
  return outputs_of(session);
}

template <typename Work>
void in_threads(Work work) {
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < kThreads; ++t) threads.emplace_back(work, t);
  for (std::thread& thread : threads) thread.join();
}

struct Expected {
  explicit Expected(const arenite_program* program) {
    arenite_session* session = session_of(program, 1);
    for (unsigned t = 0; t < kThreads; ++t) results.push_back(run(session, t));
    arenite_session_free(session);
  }
  std::vector<Bytes> results;  // of the seed of each thread
};

// One session belongs to one thread at a time, from filling its inputs to reading its outputs.
unsigned in_turn(const arenite_program* program, const Expected& expected, unsigned runs) {
  arenite_session* session = session_of(program, 2);
  std::mutex turn;
  std::atomic<unsigned> wrong = 0;
  in_threads([&](unsigned t) {
    for (unsigned i = 0; i < runs / kThreads; ++i) {
      const std::lock_guard lock(turn);
      if (run(session, t) != expected.results[t]) ++wrong;
    }
  });
  arenite_session_free(session);
  return wrong;
}

// Runs once, as soon as no other thread does; counts how often that was refused.
bool run_when_free(arenite_session* session, std::atomic<unsigned>& refused) {
  for (;;) {
    const arenite_result result = arenite_session_run(session);
    if (result == ARENITE_OK) return true;
    if (result != ARENITE_BAD_INPUT || !std::strstr(arenite_last_error(), "busy")) return false;
    ++refused;
    std::this_thread::yield();
  }
}

// Runs at the same time are refused, and disturb none that goes on.
unsigned at_once(const arenite_program* program, const Expected& expected, unsigned runs) {
  arenite_session* session = session_of(program, 2);
  fill_inputs(session, 3);
  std::atomic<unsigned> wrong = 0, refused = 0;
  in_threads([&](unsigned) {
    for (unsigned i = 0; i < runs / kThreads; ++i) {
      if (!run_when_free(session, refused)) ++wrong;
    }
  });
  if (outputs_of(session) != expected.results[3]) ++wrong;
  std::printf("at once: %u runs, %u were refused before\n", runs / kThreads * kThreads,
              refused.load());
  arenite_session_free(session);
  return wrong;
}

// Sessions of one program, which begin and end while others run.
unsigned side_by_side(const arenite_program* program, const Expected& expected, unsigned runs) {
  std::atomic<unsigned> wrong = 0;
  in_threads([&](unsigned t) {
    for (unsigned part = 0; part < 4; ++part) {
      arenite_session* session = session_of(program, 1 + part % 2);
      for (unsigned i = 0; i < runs / kThreads / 4; ++i) {
        if (run(session, t) != expected.results[t]) ++wrong;
      }
      arenite_session_free(session);
    }
  });
  return wrong;
}

// Reads outputs of a session that another thread runs.
void race(const arenite_program* program, unsigned runs) {
  arenite_session* session = session_of(program, 1);
  std::atomic<unsigned> refused = 0;
  in_threads([&](unsigned) {
    for (unsigned i = 0; i < runs / kThreads; ++i) {
      if (run_when_free(session, refused)) static_cast<void>(outputs_of(session));
    }
  });
  arenite_session_free(session);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const unsigned runs = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 10000;
  arenite_program* program = nullptr;
  if (arenite_program_read(argv[1], &program) != ARENITE_OK) die("read");
  if (argc > 3 && std::strcmp(argv[3], "race") == 0) {
    race(program, runs);
    arenite_program_free(program);
    return 0;
  }
  const Expected expected(program);
  const unsigned wrong = in_turn(program, expected, runs) + at_once(program, expected, runs) +
                         side_by_side(program, expected, runs);
  arenite_program_free(program);
  std::printf("%u threads, %u runs in each way, %u wrong\n", kThreads, runs, wrong);
  return wrong == 0 ? 0 : 1;
}
// SPDX-License-Identifier: Apache-2.0
