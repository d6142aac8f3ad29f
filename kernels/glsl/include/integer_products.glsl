// Products of integers, words of four at once where they lie so, for sums of them. To be included after
// the buffers `x` and `w` of words and after integers.glsl; a shader defines kTypeX and kTypeW. With
// INTEGER_DOT four products of bytes are one instruction.
/* words
use integers
// The ways to read elements:
//   Bytes          one by one
//   WordsOfRuns    words of four products of a run, in x and in w
//   WordsOfSums    words of the neighboring x and w of four sums; a run has one product
//   Wide           one by one to sums of 64 bits, which like their biases are two words each
//   VectorsOfRuns  as WordsOfRuns, four words at once
//   BytesOfRuns    one by one, where four sums have the same x
//   WordsOfRows    words of four products of a row of a window, from any byte on
enum WordUse = Bytes, WordsOfRuns, WordsOfSums, Wide, VectorsOfRuns, BytesOfRuns, WordsOfRows
constant packed4 = 8  // beside w's type: two elements a byte
*/

// The zero points of four sums.
struct Zeros {
  int x;
  ivec4 w;
};

int sum_of_numbers(ivec4 numbers) { return numbers.x + numbers.y + numbers.z + numbers.w; }

#ifdef INTEGER_DOT
spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6019, 6018], id = 4450)
int signed_dot(int a, int b, spirv_literal uint packed_format);

// Numbers without a sign, less this, are int8 too: their words with the highest bits turned over.
int moved_by(uint type) { return (type & kSigned) == 0u ? 128 : 0; }
int int8s(uint type, uint word) { return int((type & kSigned) == 0u ? word ^ 0x80808080u : word); }

int products(uint a, uint b) { return signed_dot(int8s(kTypeX, a), int8s(kTypeW, b), 0u); }
int sum_of_x(uint word) { return signed_dot(int8s(kTypeX, word), 0x01010101, 0u); }
int sum_of_w(uint word) { return signed_dot(int8s(kTypeW, word), 0x01010101, 0u); }
#define FOR_WORDS [[unroll]] for
#else
// Products without such an instruction are long: the code of a word's is there once for all of a vector.
#define FOR_WORDS [[dont_unroll]] for
int moved_by(uint type) { return 0; }
int products(uint a, uint b) {
  return sum_of_numbers(numbers_of(kTypeX, a) * numbers_of(kTypeW, b));
}
int sum_of_x(uint word) { return sum_of_numbers(numbers_of(kTypeX, word)); }
int sum_of_w(uint word) { return sum_of_numbers(numbers_of(kTypeW, word)); }
#endif

// The products of a word of x and one of each of four runs of w; the sums of these.
ivec4 products_of_four(uint x_word, uvec4 w_words) {
  return ivec4(products(x_word, w_words.x), products(x_word, w_words.y), products(x_word, w_words.z),
               products(x_word, w_words.w));
}
ivec4 sums_of_four(uvec4 w_words) {
  return ivec4(sum_of_w(w_words.x), sum_of_w(w_words.y), sum_of_w(w_words.z), sum_of_w(w_words.w));
}

// Four elements of 4 bits as those of 8.
uint bytes_of(uint halves) {
  uint bytes = (halves & 0xfu) | (halves & 0xf0u) << 4 | (halves & 0xf00u) << 8 | (halves & 0xf000u) << 12;
  return (kTypeW & kSigned) == 0u ? bytes : bytes | (bytes & 0x08080808u) * 0x1eu;
}

// The word of w that holds an element.
uint w_word(uint at) {
  if ((kTypeW & kPacked4) != 0u) return bytes_of(w[at >> 3] >> ((at & 4u) * 4u));
  return w[word_at(kTypeW & 3u, at)];
}

int x_number(uint at) { return number_of(kTypeX, x[word_at(kTypeX & 3u, at)], at); }
int w_number(uint at) { return number_of(kTypeW, w_word(at), at); }
// SPDX-License-Identifier: Apache-2.0
