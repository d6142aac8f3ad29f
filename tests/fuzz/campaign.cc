// Mutations and limits of the fuzz campaigns.
#include "tests/fuzz/campaign.h"

#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

// The sanitizer's own limits: 2 GB a file, and an abort that leaves no doubt.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "hard_rss_limit_mb=2048:abort_on_error=1:detect_leaks=1";
}

namespace arenite::fuzz {
namespace {

std::array<char, 256> current_file{};

#if defined(__SANITIZE_ADDRESS__)
constexpr unsigned kSlower = 5;
#else
constexpr unsigned kSlower = 1;
#endif

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void set_timer(unsigned seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

void on_timeout(int) {
  // Only what a signal handler may call.
  constexpr char kText[] = "\nfuzz: took too much processor time: ";
  (void)!::write(2, kText, sizeof kText - 1);
  (void)!::write(2, current_file.data(), std::strlen(current_file.data()));
  (void)!::write(2, "\n", 1);
  std::abort();
}

}  // namespace

uint32_t Random::interesting() {
  switch (below(6)) {
    case 0:
      return static_cast<uint32_t>(below(4));
    case 1:
      return 0xffffffffu - static_cast<uint32_t>(below(3));
    case 2:
      return (1u << below(32)) + static_cast<uint32_t>(below(3)) - 1;
    case 3:
      return static_cast<uint32_t>(below(256));
    case 4:
      return 0x80000000u + static_cast<uint32_t>(below(3)) - 1;
    default:
      return static_cast<uint32_t>(below(uint64_t{1} << 32));
  }
}

void mutate_bytes(Bytes& bytes, Random& random) {
  if (bytes.empty()) return;
  const size_t at = random.below(bytes.size());
  const size_t length = std::min<size_t>(bytes.size() - at, 1 + random.below(64));
  const auto begin = bytes.begin() + static_cast<ptrdiff_t>(at);
  const auto end = begin + static_cast<ptrdiff_t>(length);
  switch (random.below(6)) {
    case 0:
      bytes.resize(at);
      break;
    case 1:
      for (uint64_t n = 1 + random.below(8); n > 0; --n) {
        bytes[random.below(bytes.size())] ^= static_cast<std::byte>(1u << random.below(8));
      }
      break;
    case 2:
      std::for_each(begin, end,
                    [&](std::byte& b) { b = static_cast<std::byte>(random.below(256)); });
      break;
    case 3:
      bytes.erase(begin, end);
      break;
    case 4: {
      const Bytes copy(begin, end);
      bytes.insert(begin, copy.begin(), copy.end());
      break;
    }
    default: {
      const Bytes copy(begin, end);
      const size_t to = random.below(bytes.size() - length + 1);
      std::copy(copy.begin(), copy.end(), bytes.begin() + static_cast<ptrdiff_t>(to));
    }
  }
}

Stopwatch::Stopwatch(unsigned seconds_max) : seconds_max_(seconds_max * kSlower) {
  std::signal(SIGPROF, on_timeout);
}

void Stopwatch::start(std::string file) {
  file_ = std::move(file);
  const size_t length = std::min(file_.size(), current_file.size() - 1);
  std::memcpy(current_file.data(), file_.data(), length);
  current_file[length] = '\0';
  set_timer(seconds_max_);
  begin_ = processor_seconds();
}

void Stopwatch::stop() {
  const double seconds = processor_seconds() - begin_;
  set_timer(0);
  if (seconds <= slowest_seconds_) return;
  slowest_seconds_ = seconds;
  slowest_file_ = file_;
}

std::string Stopwatch::slowest() const {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(),
                "slowest %.3f s of processor time, limit %u s: ", slowest_seconds_, seconds_max_);
  return text.data() + slowest_file_;
}

Options parse_options(int argc, char** argv) {
  Options options;
  if (argc > 1) options.count = std::strtoull(argv[1], nullptr, 10);
  if (argc > 2) options.seed = std::strtoull(argv[2], nullptr, 10);
  return options;
}

}  // namespace arenite::fuzz
// SPDX-License-Identifier: Apache-2.0
