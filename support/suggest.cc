// Measures how far two words are apart: optimal string alignment distance (Damerau, 1964), where
// a letter too many, too few, another, or two swapped count one each.
#include "support/suggest.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "support/printable.h"

namespace arenite {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

size_t distance(std::string_view a, std::string_view b) {
  const size_t width = b.size() + 1;
  std::vector<size_t> cells((a.size() + 1) * width);
  const auto at = [&](size_t i, size_t j) -> size_t& { return cells[i * width + j]; };
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        at(i, j) = i + j;
        continue;
      }
      const size_t differs = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + differs});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return cells.back();
}

// Letters that count: not the dashes that all options share.
std::string_view bare(std::string_view word) {
  return word.substr(std::min(word.find_first_not_of('-'), word.size()));
}

}  // namespace

const std::string* nearest(std::string_view word, std::span<const std::string> candidates) {
  constexpr size_t kWordMax = 64;  // what is longer was no slip of the hand
  const std::string_view typed = bare(word);
  if (typed.size() < 2 || typed.size() > kWordMax) return nullptr;
  const std::string* best = nullptr;
  size_t least = 0;
  for (const std::string& candidate : candidates) {
    const std::string_view meant = bare(candidate);
    if (meant.size() < 2 || meant.size() > kWordMax) continue;
    // A beginning is no mistake at all: --mem for --memory-planner.
    const bool begins = meant.starts_with(typed);
    const size_t far = begins ? 1 : distance(typed, meant);
    if (far > 1 + std::min(typed.size(), meant.size()) / 4) continue;
    if (best != nullptr && far >= least) continue;
    best = &candidate;
    least = far;
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::string* best = nearest(word, candidates);
  return best == nullptr ? "" : "; did you mean " + quote(*best) + "?";
}

std::string listed(std::span<const std::string> words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + printable(words[i]);
  }
  return text;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
