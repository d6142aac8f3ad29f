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
#include <utility>

// An abort leaves no doubt.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "abort_on_error=1:detect_leaks=1"; }

namespace arenite::fuzz {
namespace {

std::array<char, 256> current_file{};

// A signal handler and an allocation in the middle of things may call no more than this.
[[noreturn]] void end(const char* what) {
  for (const char* text : {"\nfuzz: ", what, static_cast<const char*>(current_file.data()), "\n"}) {
    (void)!::write(2, text, std::strlen(text));
  }
  std::abort();
}

void on_timeout(int) { end("hangs: ten minutes of processor time are over: "); }
void on_peak() { end("takes more bytes at once than it may: "); }

void set_timer(int seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = seconds;
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

std::string mebibytes(uint64_t bytes) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f MiB", static_cast<double>(bytes) / (1 << 20));
  return text.data();
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

CostMeter::CostMeter(const CostLimits& limits) : limits_(limits) {
  std::signal(SIGPROF, on_timeout);
}

void CostMeter::start(std::string file) {
  file_ = std::move(file);
  const size_t length = std::min(file_.size(), current_file.size() - 1);
  std::memcpy(current_file.data(), file_.data(), length);
  current_file[length] = '\0';
  set_timer(600);
  reset_peak();
  before_ = allocations();
  limit_live_bytes(before_.live_bytes + limits_.peak_bytes, on_peak);
}

void CostMeter::check(const char* what, uint64_t count, uint64_t count_max, Highest& highest) {
  if (count > highest.count) highest = {count, file_};
  if (count <= count_max) return;
  std::fprintf(stderr, "\nfuzz: %s: %llu %s, at most %llu are allowed\n", file_.c_str(),
               static_cast<unsigned long long>(count), what,
               static_cast<unsigned long long>(count_max));
  std::abort();
}

void CostMeter::stop() {
  limit_live_bytes(0, nullptr);
  set_timer(0);
  const Allocations after = allocations();
  check("bytes at once", after.peak_bytes - before_.live_bytes, limits_.peak_bytes, peak_bytes_);
  check("bytes in all", after.total_bytes - before_.total_bytes, limits_.allocated_bytes,
        allocated_bytes_);
  check("allocations", after.count - before_.count, limits_.allocations, allocations_);
}

std::string CostMeter::highest() const {
  return "most at once " + mebibytes(peak_bytes_.count) + " (" + peak_bytes_.file + "), in all " +
         mebibytes(allocated_bytes_.count) + " (" + allocated_bytes_.file + "), allocations " +
         std::to_string(allocations_.count) + " (" + allocations_.file + ")";
}

Options parse_options(int argc, char** argv) {
  Options options;
  if (argc > 1) options.count = std::strtoull(argv[1], nullptr, 10);
  if (argc > 2) options.seed = std::strtoull(argv[2], nullptr, 10);
  if (argc > 3) options.first = std::strtoull(argv[3], nullptr, 10);
  return options;
}

}  // namespace arenite::fuzz
// SPDX-License-Identifier: Apache-2.0
