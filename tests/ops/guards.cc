// Maps a page more on each side, without any access to it.
#include "tests/ops/guards.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace arenite::ops_test {

GuardedPages::GuardedPages(size_t bytes, Flush flush, std::byte fill) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t inside = (bytes + page - 1) / page * page;
  mapped_ = inside + 2 * page;
  void* at = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) throw std::runtime_error("guards.cc: no memory");
  pages_ = static_cast<std::byte*>(at);
  if (inside != 0 && mprotect(pages_ + page, inside, PROT_READ | PROT_WRITE) != 0) {
    throw std::runtime_error("guards.cc: no access to memory");
  }
  std::fill(pages_ + page, pages_ + page + inside, fill);
  data_ = pages_ + page + (flush == Flush::kBack ? inside - bytes : 0);
}

GuardedPages::GuardedPages(GuardedPages&& other) noexcept
    : pages_(std::exchange(other.pages_, nullptr)), mapped_(other.mapped_), data_(other.data_) {}

GuardedPages::~GuardedPages() {
  if (pages_ != nullptr) munmap(pages_, mapped_);
}

Guards::Guards(CaseStep& step, GuardedPages::Flush flush, std::byte fill, uint32_t over_read_bytes)
    : step_(step) {
  for (const uint32_t v : step.operands()) {
    if (v == kNoIndex) continue;
    const format::ValueRecord& value = step.value(v);
    const bool is_input = v < step.operands()[step.record().input_count];
    memory_.emplace_back(value.bytes + (is_input ? over_read_bytes : 0), flush, fill);
    const auto bytes = step.arena().subspan(value.offset, value.bytes);
    std::copy(bytes.begin(), bytes.end(), memory_.back().data());
    values_.push_back(value);
    values_.back().place = static_cast<uint8_t>(v);
    values_.back().offset = 0;
    arenas_.push_back(memory_.back().data());
  }
  step.lie_elsewhere(values_.data(), arenas_.data());
}

Guards::~Guards() {
  for (uint32_t v = 0; v < values_.size(); ++v) {
    std::copy_n(memory_[v].data(), values_[v].bytes, step_.arena().data() + step_.value(v).offset);
  }
  step_.lie_elsewhere(nullptr, nullptr);
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
