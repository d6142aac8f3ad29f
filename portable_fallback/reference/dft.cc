// Discrete Fourier transforms with twiddles computed ahead, without memory of its own.
//
// For a power of two n, all bins are computed in the output itself by the fast transform (Cooley
// and Tukey, 1965): decimation in time, elements loaded in bit-reversed order, radix 2. The first
// n/2 + 1 bins of a real signal are those of a complex one of half the length, taken apart
// afterwards, which has room in them too. Anything else is summed up bin by bin: n products each,
// where matrices of constants would need n times as many bytes as the twiddles.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/split.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

struct Dft {
  explicit Dft(const Step& step)
      : x(step.input(0)),
        twiddles(step.input(1)),
        y(step.output(0)),
        attributes(step.attributes<DftAttributes>()),
        n(twiddles.dims[0]) {
    if (step.has_input(2)) window = step.input(2);
  }

  Tensor x, twiddles, window;
  OutTensor y;
  DftAttributes attributes;
  uint32_t n;
};

template <typename C>
struct Complex {
  C re, im;

  Complex operator+(const Complex& b) const { return {re + b.re, im + b.im}; }
  Complex operator-(const Complex& b) const { return {re - b.re, im - b.im}; }
  Complex operator*(const Complex& b) const {
    return {re * b.re - im * b.im, re * b.im + im * b.re};
  }
};

// One frame: elements of type T, computed as C.
template <typename T>
class Frame {
 public:
  using C = Computed<T>;

  Frame(const Dft& task, uint32_t batch, uint32_t frame)
      : task_(task),
        first_(frame * task.attributes.hop),
        x_(task.x.read<T>() + size_t{batch} * task.x.strides[0]),
        y_(task.y.write<T>() +
           (size_t{batch} * task.y.strides[0] + size_t{frame} * task.y.strides[1])) {}

  void transform() {
    const uint32_t n = task_.n;
    const uint32_t bins = task_.y.dims[2];
    const bool exact = sizeof(T) == sizeof(C);  // what is stored loses nothing
    const bool power = (n & (n - 1)) == 0;
    if (exact && power && bins == n) {
      load(n, [&](uint32_t i) { return element(i); });
      run(n);
    } else if (exact && power && n > 1 && task_.x.dims[2] == 1 && bins == n / 2 + 1) {
      load(n / 2, [&](uint32_t i) { return Complex<C>{element(2 * i).re, element(2 * i + 1).re}; });
      run(n / 2);
      take_apart(n / 2);
    } else {
      for (uint32_t k = 0; k < bins; ++k) put(k, sum(k));
    }
  }

 private:
  Complex<C> element(uint32_t i) const {
    const uint32_t at = first_ + i;
    if (at >= task_.x.dims[1]) return {0, 0};
    C factor = C{task_.attributes.scale};
    if (task_.window.data != nullptr) {
      factor *= C{task_.window.template read<T>()[size_t{i} * task_.window.strides[0]]};
    }
    Src<T> from = x_ + size_t{at} * task_.x.strides[1];
    const C re = C{*from};
    const C im = task_.x.dims[2] == 2 ? C{from[task_.x.strides[2]]} : C{0};
    return {re * factor, im * factor};
  }
  Complex<C> twiddle(uint32_t i) const {
    Src<C> from = task_.twiddles.template read<C>() + size_t{i} * task_.twiddles.strides[0];
    return {C{*from}, C{from[task_.twiddles.strides[1]]}};
  }
  Complex<C> get(uint32_t k) const {
    Src<T> from = y_ + size_t{k} * task_.y.strides[2];
    return {C{*from}, C{from[task_.y.strides[3]]}};
  }
  void put(uint32_t k, const Complex<C>& value) {
    Dst<T> to = y_ + size_t{k} * task_.y.strides[2];
    *to = T(value.re);
    to[task_.y.strides[3]] = T(value.im);
  }

  // Puts `count` elements, a power of two, in bit-reversed order.
  template <typename F>
  void load(uint32_t count, F element_of) {
    uint32_t reversed = 0;
    for (uint32_t i = 0; i < count; ++i) {
      put(i, element_of(reversed));
      uint32_t bit = count / 2;
      for (; bit != 0 && (reversed & bit) != 0; bit /= 2) reversed ^= bit;
      reversed |= bit;
    }
  }

  void run(uint32_t count) {
    for (uint32_t half = 1; half < count; half *= 2) {
      const uint32_t step = task_.n / (2 * half);
      for (uint32_t j = 0; j < half; ++j) {
        const Complex<C> factor = twiddle(j * step);
        for (uint32_t k = j; k < count; k += 2 * half) {
          const Complex<C> a = get(k);
          const Complex<C> b = get(k + half) * factor;
          put(k, a + b);
          put(k + half, a - b);
        }
      }
    }
  }

  // From the transform Z of even elements + i * odd ones to X[k] = E[k] + w^k * O[k]: both are in
  // Z[k] and the conjugate of Z[half - k].
  void take_apart(uint32_t half) {
    const Complex<C> first = get(0);
    put(0, {first.re + first.im, 0});
    put(half, {first.re - first.im, 0});
    for (uint32_t k = 1; k <= half / 2; ++k) {
      const Complex<C> a = get(k);
      const Complex<C> b = get(half - k);
      const Complex<C> even = {(a.re + b.re) / 2, (a.im - b.im) / 2};
      const Complex<C> odd = {(a.im + b.im) / 2, (b.re - a.re) / 2};
      const Complex<C> even_back = {even.re, -even.im};
      const Complex<C> odd_back = {odd.re, -odd.im};
      put(half - k, even_back + twiddle(half - k) * odd_back);
      put(k, even + twiddle(k) * odd);
    }
  }

  Complex<C> sum(uint32_t k) const {
    Complex<C> total = {0, 0};
    uint32_t at = 0;
    for (uint32_t i = 0; i < task_.n; ++i) {
      total = total + element(i) * twiddle(at);
      at = at >= task_.n - k ? at - (task_.n - k) : at + k;
    }
    return total;
  }

  const Dft& task_;
  uint32_t first_;
  Src<T> x_;
  Dst<T> y_;
};

// Items: frames.
template <TypeSet kTypes>
void dft_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const Dft*>(argument);
  for_number<kTypes>(task.y.dtype(), [&]<typename T>() {
    const uint32_t frames = task.y.dims[1];
    for (uint32_t item = first; item < last; ++item) {
      Frame<T>(task, item / frames, item % frames).transform();
    }
  });
}

template <TypeSet kTypes>
Status run_dft(const Step& step, const Platform& platform) {
  if (is_empty(step.output(0))) return ok_status();
  Dft task(step);
  split(platform, task.y.dims[0] * task.y.dims[1], element_count(task.y) * 16, dft_items<kTypes>,
        &task);
  return ok_status();
}

template <TypeSet kTypes>
constexpr Form dft_form(uint8_t number) {
  return make_form(Op::kDft, number, {.parallel = true, .run = run_dft<kTypes>});
}

}  // namespace

constexpr Form kDftForm0 = dft_form<form_types(Op::kDft, 0)>(0);
ARENITE_FORM_CODE(Dft, 0)
constexpr Form kDftForm2 = dft_form<form_types(Op::kDft, 2)>(2);
ARENITE_FORM_CODE(Dft, 2)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
