// An exponential takes about 90 instructions of a Cortex-M4, to look for it ten.
#include "portable_fallback/fast/integer_softmax_remembered_kernel.h"

#include "portable_fallback/fast/integer_softmax_rows.h"

namespace arenite {
namespace {

struct Functions : ScalarSoftmax {
  explicit Functions(const RememberedSoftmax& softmax)
      : ScalarSoftmax(softmax), exponentials(softmax.exponentials) {}

  void exps(int32_t* numbers, uint32_t count) const {
    for (; count != 0; --count, ++numbers) {
      int32_t& known = exponentials[-*numbers];
      if (known == kNoExponential) known = make(*numbers);
      *numbers = known;
    }
  }
  [[gnu::noinline]] int32_t make(int32_t difference) const { return exp(difference); }

  int32_t* exponentials;
};

}  // namespace

void forget_exponentials(const RememberedSoftmax& softmax) {
  for (uint32_t i = 0; i < kSoftmaxDifferences; ++i) softmax.exponentials[i] = kNoExponential;
}

void softmax_rows_remembered(const RememberedSoftmax& softmax, const SoftmaxRows& rows) {
  softmax_rows<Functions>(softmax, rows);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
