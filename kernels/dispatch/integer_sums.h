// Passes of quantized convolutions and matrix products: one adds up products, one turns sums into
// results and, if the run gives zero points, one before both prepares them and the bias
// (kernels/glsl/include/integer_sums.glsl).
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/slices.h"
#include "kernels/shaders/shared/channels.h"
#include "kernels/shaders/shared/integer_sums.h"
#include "ops/quantized.h"

namespace arenite {

using shaders::WordUse;

// Sums lie in scratch until another pass makes results of them, or stay in registers of the shader
// that stores results itself.
enum class SumsIn { kScratch, kRegisters };

// The place of the sums: y if they are the results or become them at once, else the step's scratch.
struct SumPlaces {
  bool are_results;
  Operand operand;             // `skip` in words
  uint32_t strides[kMaxRank];  // in words, of y's dims; in scratch dense
};

// An operand that the pass of sums reads at binding 2, as int32: the bias where it lies, or, with
// zero points that the run gives, each of them in scratch.
struct SumNumbers {
  bool there = false;
  Operand operand = {};             // as the step has it
  uint32_t skip = 0;                // words before the first in what is bound
  uint32_t strides[kMaxRank] = {};  // in words, of its dims; 0 where it is repeated
};

// A step's operands, as far as all of these operators have them.
struct IntegerSumStep {
  explicit IntegerSumStep(const Step& step, SumsIn sums_in = SumsIn::kScratch);

  Operand x, w, y;
  bool wide;  // sums and biases of two words
  SumPlaces sums;
  bool gives_zeros;  // the run does
  SumNumbers bias, x_zero, w_zeros;
  Operand numbers;             // bound for these
  uint64_t scratch_words = 0;  // of sums, then of numbers
};

// The pass of sums.
struct IntegerSumPass {
  Shader shader;
  uint64_t invocations;
  uint32_t outputs;  // neighbors, in blocks of four: the channels of a group, or columns
  uint32_t depth, x_step, w_step;  // products of a run, and strides in it
  uint32_t above = 0;              // what lies outside x, less the zero point
  WordUse words;
};

// The logarithm of the invocations that share four sums of `taps` runs: what a step's choice says.
inline constexpr uint32_t kSumChoices = kSlicesLogMax + 1;
uint32_t choose_sum_slices(const IntegerSumStep& step, const IntegerSumPass& pass, uint64_t taps);

// A shader's own parameters, which lie behind shaders::SumWords.
class OwnWords {
 public:
  template <typename Own>
  OwnWords(const Own& own)  // NOLINT(google-explicit-constructor)
      : bits_(std::bit_cast<Bits>(own)) {}

 private:
  struct Bits {
    uint32_t words[56];
  };
  [[maybe_unused]] Bits bits_;  // read as words of a dispatch
};

// Whether a shader takes the words of both kinds of passes.
template <typename SumsShader>
inline constexpr bool kTakesSums =
    std::is_same_v<typename SumsShader::Spec, shaders::IntegerSumsSpec>&& std::is_same_v<
        typename SumsShader::Push, shaders::IntegerSumsPush>&& SumsShader::kParameterWords *
        sizeof(uint32_t) ==
    sizeof(shaders::SumWords) + sizeof(OwnWords);

// Multipliers or shifts: strides of y's dims, or those of the channels.
void strides_over(const Operand& operand, const Operand& y, uint32_t (&strides)[kMaxRank]);
// Whether shaders have its layouts.
bool accepts_integer_sums(const Step& step);
uint64_t scratch_bytes_of_integer_sums(const Step& step);
// Whether elements of one byte along `axis` are neighbors, whole words of four.
bool are_words_of_four(const Operand& operand, uint32_t axis);
// Whether every run of such elements along `axis` begins at a multiple of 16.
bool has_vectors(const Operand& operand, uint32_t axis);
// The sums of a convolution whose attributes have so many groups: its runs, and what
// channel_sums.glsl reads.
struct ChannelSums {
  IntegerSumPass pass;
  shaders::ChannelWords words;
};
ChannelSums channel_sums(const IntegerSumStep& step, uint32_t groups, Shader shader);
// Emits all passes.
Status emit_integer_sums(const Step& step, const IntegerSumStep& operands,
                         const IntegerSumPass& pass, const OwnWords& own,
                         const QuantizedProduct& product, const DispatchSink& sink);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
