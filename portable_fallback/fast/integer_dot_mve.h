// Dot products of rows of int8 with one vector of 16 bits, two rows at a time, with Arm's MVE:
// eight products at once.
#pragma once

#include "core/access.h"
#include "portable_fallback/fast/mve.h"

namespace arenite {
namespace {

struct MveDot {
  // Numbers of elements that lie `step` apart, plus `added`, which is in [-127, 128].
  static void widen(uint32_t* to, Src<int8_t> from, size_t step, uint32_t count, int32_t added) {
    auto* numbers = static_cast<int16_t*>(static_cast<void*>(to));
#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)
    if (step == 1) {
      asm volatile(
          "wlstp.16 lr, %[count], 2f\n\t"
          "1:\n\t"
          "vldrb.s16 q0, [%[from]], #8\n\t"
          "vadd.i16 q0, q0, %[added]\n\t"
          "vstrh.16 q0, [%[to]], #16\n\t"
          "letp lr, 1b\n\t"
          "2:"
          : [from] "+l"(from), [to] "+r"(numbers)
          : [count] "r"(count), [added] "r"(added)
          : "lr", "q0", "memory");
      return;
    }
#endif
    for (; count != 0; --count, from += step) *numbers++ = static_cast<int16_t>(*from + added);
  }

  // sums[i] = the products of the numbers and row i of `rows`, which lie `to_next` elements apart.
  // Sums wrap.
  static void add_rows(const uint32_t* numbers, const int8_t* w, size_t to_next, uint32_t count,
                       uint32_t rows, int32_t* sums) {
    for (; rows >= 2; rows -= 2, w += 2 * to_next, sums += 2) {
      add_two(numbers, w, w + to_next, count, sums);
    }
    if (rows == 0) return;
    int32_t both[2];
    add_two(numbers, w, w, count, both);
    sums[0] = both[0];
  }

  // Moves a state of `memory` bytes on by one, `newest` behind it; returns the products of what
  // it then is, less its zero point, and `times`.
  static int32_t remember(Dst<int8_t> to, Src<int8_t> from, const int8_t* times, uint32_t memory,
                          int32_t newest, int32_t zero_point) {
    int32_t sum = 0, of_times = 0;
    from += 1;
    uint32_t left = memory - 1;
#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)
    asm volatile(
        "wlstp.8 lr, %[left], 2f\n\t"
        "1:\n\t"
        "vldrb.8 q0, [%[from]], #16\n\t"
        "vldrb.8 q1, [%[times]], #16\n\t"
        "vstrb.8 q0, [%[to]], #16\n\t"
        "vmladava.s8 %[sum], q0, q1\n\t"
        "vaddva.s8 %[of_times], q1\n\t"
        "letp lr, 1b\n\t"
        "2:"
        : [from] "+r"(from), [times] "+r"(times), [to] "+r"(to), [sum] "+Te"(sum),
          [of_times] "+Te"(of_times)
        : [left] "r"(left)
        : "lr", "q0", "q1", "memory");
    to += left - ((left + 15) & ~15u);
    times += left - ((left + 15) & ~15u);
#else
    for (; left != 0; --left, from += 1, to += 1, ++times) {
      const int8_t element = *from;
      *to = element;
      sum += element * *times;
      of_times += *times;
    }
#endif
    *to = static_cast<int8_t>(newest);
    sum = mve::sum(sum, newest * *times);
    return mve::sum(sum, mve::product(-zero_point, of_times + *times));
  }

  // The same of 16 bits, without a zero point.
  static int32_t remember(Dst<int16_t> to, Src<int16_t> from, const int16_t* times, uint32_t memory,
                          int32_t newest) {
    int32_t sum = 0;
    from += 1;
    uint32_t left = memory - 1;
#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)
    asm volatile(
        "wlstp.16 lr, %[left], 2f\n\t"
        "1:\n\t"
        "vldrh.16 q0, [%[from]], #16\n\t"
        "vldrh.16 q1, [%[times]], #16\n\t"
        "vstrh.16 q0, [%[to]], #16\n\t"
        "vmladava.s16 %[sum], q0, q1\n\t"
        "letp lr, 1b\n\t"
        "2:"
        : [from] "+r"(from), [times] "+r"(times), [to] "+r"(to), [sum] "+Te"(sum)
        : [left] "r"(left)
        : "lr", "q0", "q1", "memory");
    to += left - ((left + 7) & ~7u);
    times += left - ((left + 7) & ~7u);
#else
    for (; left != 0; --left, from += 1, to += 1, ++times) {
      const int16_t element = *from;
      *to = element;
      sum = mve::sum(sum, element * *times);
    }
#endif
    *to = static_cast<int16_t>(newest);
    return mve::sum(sum, newest * *times);
  }

 private:
  static void add_two(const uint32_t* numbers, const int8_t* a, const int8_t* b, uint32_t count,
                      int32_t* sums) {
    const auto* x = static_cast<const int16_t*>(static_cast<const void*>(numbers));
    int32_t first = 0, second = 0;
#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)
    asm volatile(
        "wlstp.16 lr, %[count], 2f\n\t"
        "1:\n\t"
        "vldrh.16 q0, [%[x]], #16\n\t"
        "vldrb.s16 q1, [%[a]], #8\n\t"
        "vmladava.s16 %[first], q0, q1\n\t"
        "vldrb.s16 q2, [%[b]], #8\n\t"
        "vmladava.s16 %[second], q0, q2\n\t"
        "letp lr, 1b\n\t"
        "2:"
        : [x] "+r"(x), [a] "+l"(a), [b] "+l"(b), [first] "+Te"(first), [second] "+Te"(second)
        : [count] "r"(count)
        : "lr", "q0", "q1", "q2", "memory");
#else
    for (; count != 0; --count, ++x) {
      first = mve::sum(first, *x * *a++);
      second = mve::sum(second, *x * *b++);
    }
#endif
    sums[0] = first;
    sums[1] = second;
  }
};

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
