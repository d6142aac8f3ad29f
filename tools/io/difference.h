// Measures the difference of two tensors and judges whether it is tolerable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/io/tensor.h"

namespace arenite::tools {

// An element of one tensor and its like in the other.
struct ElementPair {
  std::vector<uint32_t> index;
  double expected = 0, found = 0;
  std::string expected_text, found_text;  // all digits that matter
};

// The difference that elements may have: a share of the greatest |expected| of their tensor, or for
// integers so many steps. Floats have no steps: for them the default of their type holds.
struct Tolerance {
  Tolerance(double given) : number(given) {}
  Tolerance(double given, bool counts_steps) : number(given), steps(counts_steps) {}

  double number = 0;
  bool steps = false;
};

struct Difference {
  std::string form;  // in what type or dims differ, "expected ..., found ..."; else empty
  uint64_t elements = 0;
  uint64_t beyond = 0;     // elements that differ more than is tolerable
  uint64_t unmatched = 0;  // of these: NaN or infinite, and the other is not the same
  double allowed = 0;      // tolerance * greatest |expected|, or steps
  double max_abs = 0;      // greatest |found - expected| where both are finite
  double max_rel = 0;      // max_abs / greatest finite |expected|; infinite where that is 0
  std::optional<ElementPair> first;  // of those beyond
  std::optional<ElementPair> worst;  // of all that differ; an unmatched one is worse than any other

  bool agrees() const { return form.empty() && beyond == 0; }
};

// The tolerance if the user gives none: 1e-4, 2e-3 for float16, 2e-2 for bfloat16, and 0 for
// integers and bool.
double default_tolerance(DType dtype);

// Elements agree when |found - expected| <= tolerance * (greatest finite |expected| of the tensor);
// integers by the same rule, computed exactly. NaN agrees with NaN, an infinity with itself; bools
// must be equal. Without `tolerance` the default of the type holds.
Difference difference(const HostTensor& expected, const HostTensor& found,
                      const std::optional<Tolerance>& tolerance);

// An element as a number: floats exactly, 64-bit integers as the nearest double.
double number_at(const HostTensor& tensor, uint64_t i);

// "1e-4", "1step", "3steps". Nothing for the empty text; the text must have no problem.
std::optional<Tolerance> parse_tolerance(const std::string& text);
// The error of a tolerance as given, "expected ..., found ...": it must be a number of at least 0,
// or a whole number of steps. Empty if there is none.
std::string tolerance_problem(const std::string& text);

// For people: "3 of 1000 elements differ by more than ...: first at [0,4] ...; worst at ...". Empty
// where they agree.
std::string describe(const Difference& difference);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0
