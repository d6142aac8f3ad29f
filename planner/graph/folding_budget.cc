// Adds up what import computes and holds it against what the model's size allows.
#include "planner/graph/folding_budget.h"

#include <algorithm>
#include <string>

#include "support/errors.h"

namespace arenite::planner {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;
constexpr uint64_t kBytesAlways = 640 * kMiB, kInputBytesMax = 16 * kMiB;
constexpr uint64_t kBytesPerFileByte = 8, kBytesPerInputByte = 8;
constexpr uint64_t kWorkAlways = uint64_t{1} << 28, kWorkPerFileByte = 16;

std::string mebibytes(uint64_t bytes) { return std::to_string((bytes + kMiB - 1) / kMiB) + " MiB"; }

// Counts stop growing where nothing would allow them.
constexpr uint64_t kEndless = uint64_t{1} << 62;

uint64_t sum(uint64_t a, uint64_t b) { return std::min(a, kEndless) + std::min(b, kEndless); }

uint64_t product(std::initializer_list<uint64_t> factors) {
  uint64_t result = 1;
  for (const uint64_t factor : factors) {
    if (factor == 0) return 0;
    result = result > kEndless / factor ? kEndless : result * factor;
  }
  return result;
}

[[noreturn]] void too_large(const std::string& found, const std::string& expected) {
  throw InputError("the constant part of the model is too large to compute while planning: " +
                   found + ", expected " + expected + " for a model of this size");
}

}  // namespace

void FoldingBudget::add_input_bytes(uint64_t bytes) {
  input_bytes_ = std::min(sum(input_bytes_, bytes), kInputBytesMax);
}

uint64_t FoldingBudget::bytes_max() const {
  return kBytesAlways + kBytesPerFileByte * file_bytes_ + kBytesPerInputByte * input_bytes_;
}

uint64_t FoldingBudget::work_max() const { return kWorkAlways + kWorkPerFileByte * file_bytes_; }

void FoldingBudget::check_room(std::initializer_list<uint64_t> factors) const {
  const uint64_t all = sum(bytes_, product(factors));
  if (all > bytes_max())
    too_large("it takes " + mebibytes(all), "at most " + mebibytes(bytes_max()));
}

void FoldingBudget::count_bytes(uint64_t bytes) {
  check_room({bytes});
  bytes_ += bytes;
}

void FoldingBudget::count_work(uint64_t operations) {
  work_ = sum(work_, operations);
  if (work_ > work_max()) {
    too_large("it takes " + std::to_string(work_) + " operations",
              "at most " + std::to_string(work_max()));
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
