// The attributes of every operator, as stored in a program: structs of 32-bit words that only grow
// at their end. A step may store fewer; the missing ones are 0.
//
// Logical dims are ONNX's (channels second). What a model says in other ways (auto_pad, 1-D forms,
// axes as inputs, negative axes, broadcasting) is settled by the planner: kernels see only the
// forms below.
#pragma once

#include <cstdint>

namespace arenite {

enum class ActivationKind : uint32_t { kNone = 0, kClip = 1, kHardSigmoid = 2, kSigmoid = 3 };

// Applied to each result: kClip: min(max(x, a), b), NaN stays; kHardSigmoid: max(0, min(1, a*x +
// b)).
struct Activation {
  ActivationKind kind;
  float a, b;
};

// x [N, C, H, W], w [O, C/groups, KH, KW] (strided or, with groups = 1, panel16), optional bias [O]
// -> y [N, O, OH, OW].
struct ConvAttributes {
  uint32_t groups;
  uint32_t stride[2];     // height, width; >= 1
  uint32_t dilation[2];   // >= 1
  uint32_t pad_begin[2];  // top, left; what lies below or right of the input reads as zero
  Activation activation;
};

// x [N, C, D, H, W], w [O, C/groups, KD, KH, KW] (strided or, with groups = 1, panel16), optional
// bias [O] -> y [N, O, OD, OH, OW].
struct Conv3dAttributes {
  uint32_t groups;
  uint32_t stride[3];     // depth, height, width; >= 1
  uint32_t dilation[3];   // >= 1
  uint32_t pad_begin[3];  // what lies beyond the input's end reads as zero
  Activation activation;
};

// Operands as conv_3d's; their weights too, not as ONNX has them: tap t of x at i adds to y at
// i * stride + t * dilation - pad_begin, wherever that lies in y.
struct ConvTransposeAttributes {
  uint32_t groups;
  uint32_t stride[3];    // depth, height, width; >= 1
  uint32_t dilation[3];  // >= 1
  uint32_t pad_begin[3];
  Activation activation;
};

// x [N, C, D, H, W] -> y [N, C, OD, OH, OW]; max_pool may have a second output: int64 indices into
// the flattened (row-major or, with column_major, column-major) input, as ONNX's Indices.
struct PoolAttributes {
  uint32_t kernel[3], stride[3], dilation[3], pad_begin[3], pad_end[3];
  uint32_t count_include_pad;  // average_pool: padding given by pads counts; what ceil_mode adds
                               // never does
  uint32_t column_major;       // max_pool's storage_order
  uint32_t p;                  // lp_pool's: the p-th root of the sum of p-th powers; >= 1
};

// a [..., M, K], b [..., K, N] (strided, or panel16 with batch dims of 1 and one b for all
// batches), optional c [..., M, N] -> y [..., M, N] = alpha * a*b + beta * c. Same rank everywhere,
// batch dims equal: a broadcast operand has stride 0.
struct MatMulAttributes {
  float alpha, beta;
  Activation activation;
};

// Operators of family binary: same dims everywhere (stride 0 where broadcast); an activation of
// float32 results only. mod of integers: a rest has its divisor's sign, or with `truncated` its
// dividend's, as rests of floats always have.
struct BinaryAttributes {
  Activation activation;
  uint32_t truncated;  // 0 or 1; of mod alone
};

// x, optional min [] and max [] (scalars of x's type) -> y. Absent operand: the attribute applies
// (float32), which is -inf / +inf for no bound; for integer types an absent operand means no bound.
struct ClipAttributes {
  float min, max;
};

// attention: q [..., Q, D], k [..., K, D], v [..., K, V] -> y [..., Q, V] = softmax(scale * q *
// k^T)
// * v, the softmax over keys. Dims before the last two of k and v are those of q, or 1. With
// `causal`, query i sees the keys up to i + offset alone.
struct AttentionAttributes {
  float scale;
  uint32_t causal;  // 0 or 1
  int32_t offset;
};
// V that shaders take: the last dim of v and y.
inline constexpr uint32_t kAttentionWidthMax = 256;

// Operators of family unary: parameters of those that have some. hard_sigmoid: max(0, min(1,
// alpha * x + beta)). shrink: 0 where x lies within alpha of 0, else beta nearer to it. swish: x
// times the sigmoid of alpha * x.
struct UnaryAttributes {
  float alpha, beta;
};

// Operators of family softmax: over the axes whose bits are set, together.
struct SoftmaxAttributes {
  uint32_t axes;
};

// What normalize divides by: the root of the mean square of the differences to the mean, of the
// mean square, of the sum of squares, or the sum of magnitudes.
enum class Norm : uint32_t { kDeviation = 0, kMeanSquare = 1, kSquares = 2, kMagnitudes = 3 };

// x, optional scale, optional bias (dims of x, stride 0 where repeated) -> y = d / n * scale + bias
// over the axes whose bits are set, together: d is x, for kDeviation less its mean; n the norm, its
// square with `epsilon` added, then with `margin` added, and at least `least`. Where n is 0, d / n
// is 0.
struct NormalizeAttributes {
  uint32_t axes;
  Norm norm;
  float epsilon, margin, least;
};

// Operators of family reduce: x -> y of the same rank, dims 1 at the axes whose bits are set.
struct ReduceAttributes {
  uint32_t axes;
};

// arg_max and arg_min, of family reduce: y is the int64 place of the greatest (least) element among
// those reduced, counted row-major; of equal ones the first, or the last with select_last. A NaN
// counts as greater (less) than any number.
struct ArgAttributes {
  uint32_t axes;
  uint32_t select_last;
};

// concat: same rank everywhere, any number of inputs >= 1.
struct ConcatAttributes {
  uint32_t axis;
};

// What pad puts outside x: the value; or elements of x: the nearest, those mirrored about the first
// and the last, or those that follow when x is repeated again and again.
enum class PadMode : uint32_t { kValue = 0, kEdge = 1, kReflect = 2, kWrap = 3 };

// pad: y[i] = x[i - begin], or the value outside x. begin may be negative (crops). The value is
// operand 1 (a scalar of x's type) when present, else value_bits (low word first), an element's
// bits. With another mode than kValue nothing is cropped, and there is no operand 1.
struct PadAttributes {
  int32_t begin[8];
  uint32_t value_bits[2];
  PadMode mode;
};

// resize: along up to three axes, those of taps[k] != 0 (first ones, by rising axis), element o of
// y is a sum over the elements first[o] to first[o] + taps[k] - 1 of x, times weights[o * taps[k]]
// and so on; over several axes, times the product of the weights. Operand 1 holds first[] (int32)
// of each such axis, one after another, operand 2 the weights (float32; of float64 x float64)
// likewise; without operand 2 all taps are 1 and y is x at first[o]. Where first[o] is -1 for some
// axis, y is the value outside (an element's bits, low word first). Integers (int8, uint8, int16)
// have weights of int16: their sum, of 32 bits or, of int16 x, 64, wrapping, is divided by
// 2^fraction_bits, halves rounded away from zero, saturating.
struct ResizeAttributes {
  uint32_t axis[3];
  uint32_t taps[3];
  uint32_t outside_bits[2];
  uint32_t fraction_bits;
};

enum class GridMode : uint32_t { kLinear = 0, kNearest = 1, kCubic = 2 };
enum class GridPadding : uint32_t { kZeros = 0, kBorder = 1, kReflection = 2 };

// grid_sample: x [N, C, D, H, W], grid [N, OD, OH, OW, 3] or, for images of depth 1, [N, OH, OW, 2]
// -> y [N, C, OD, OH, OW]: x at the place (x, y, z) that the grid has for the output, -1 and 1
// being the centres of the first and last element (align_corners) or their outer edges. Beyond x
// lie zeros, its border, or x mirrored again and again.
inline constexpr uint32_t kMaxGridSize = 1u
                                         << 22;  // of a spatial dim: floats count so far in halves
struct GridSampleAttributes {
  GridMode mode;
  GridPadding padding;
  uint32_t align_corners;  // 0 or 1
};

// roi_align: x [N, C, H, W], rois [R, 4] (left, top, right, bottom), batch [R] int64 -> y [R, C,
// OH, OW]: each region of image batch[r] in OH x OW bins, each the average (or, with take_max, the
// greatest) of samples of x: sampling x sampling of them, or with 0 as many as the bin has pixels.
// No bin takes more samples along an axis; one that would is sampled as often as that.
inline constexpr uint32_t kMaxRoiSamples = 1024;
struct RoiAlignAttributes {
  uint32_t take_max, half_pixel;  // 0 or 1; half_pixel: coordinates are those of pixels' centres
  uint32_t sampling;
  float scale;  // from a region's coordinates to pixels
};

// dft: x [B, L, 1 or 2] (real, or real and imaginary part), twiddles [n, 2] -> y [B, F, K, 2]: the
// first K bins of the discrete Fourier transforms of length n of F frames of x, the first element
// of each a hop behind that of the one before. What lies behind x reads as 0. The twiddles are cos
// and sin of 2 pi i / n, sin negative for the forward transform; with a window [n] (operand 2) the
// elements of a frame are multiplied by it. All are multiplied by `scale`. The twiddles are
// float32, of float64 x float64.
struct DftAttributes {
  uint32_t hop;
  float scale;
};

// det: x [..., n, n] -> y [...]. Matrices are taken apart on the stack.
inline constexpr uint32_t kMaxDetSize = 12;

// lrn: x [N, C, ...] -> y = x / (bias + alpha / size * s)^beta, s being the sum of squares over the
// channels c - (size - 1) / 2 to c + size / 2 that there are.
struct LrnAttributes {
  float alpha, beta, bias;
  uint32_t size;
};

// slice: y[i] = x[start + i * step], step != 0, may be negative.
struct SliceAttributes {
  int32_t start[8];
  int32_t step[8];
};

// data, indices (int32 or int64, may be negative) -> y [data dims before axis, indices dims, data
// dims after].
struct GatherAttributes {
  uint32_t axis;
};

// Functions of recurrent cells: kAffine: a*x + b; kScaledTanh: a * tanh(b*x); the others as the
// operators of these names, a and b being their alpha and beta.
enum class CellFunctionKind : uint32_t {
  kSigmoid = 0,
  kTanh = 1,
  kRelu = 2,
  kAffine = 3,
  kLeakyRelu = 4,
  kThresholdedRelu = 5,
  kScaledTanh = 6,
  kHardSigmoid = 7,
  kElu = 8,
  kSoftsign = 9,
  kSoftplus = 10
};

struct CellFunction {
  CellFunctionKind kind;
  float a, b;
};

// Operators of family recurrent, over T time steps of a batch of B, I inputs, H hidden units and G
// gates (lstm 4: i, o, f, c; gru 3: z, r, h; rnn 1), in D directions (forward, then reverse): x
// [T, B, I], w [D, I, G*H], r [D, H, G*H], optional bias [D, 2*G*H] (of w, then of r),
// sequence_lens [B] (int32), initial_h [D, B, H]; of lstm also initial_c [D, B, H] and peepholes
// [D, 3*H] (i, o, f) -> those of y [T, D, B, H], y_h [D, B, H] and y_c [D, B, H] whose bits are set
// in `outputs`, in that order. Steps beyond a sequence's end leave the state and give 0.
struct RecurrentAttributes {
  uint32_t direction;  // 0: forward, 1: reverse, 2: both
  uint32_t outputs;
  // lstm: input_forget (f = 1 - i); gru: linear_before_reset.
  uint32_t variant;
  float clip;                 // what goes into a function is limited to [-clip, clip]; 0: it is not
  CellFunction functions[6];  // f, g and h of direction 0, then of 1; a cell has the first ones
};

// Operators of family indexed. Indices are int32 or int64, and may be negative.
//   gather_nd: data [B..., K..., S...], indices [B..., M..., k] -> y [B..., M..., S...]: k numbers
//     are a place in the dims K; there are batch_dims dims B.
//   gather_elements: data, indices -> y of the indices' dims: data at the element's own index but
//     for `axis`, at which the index is.
//   scatter_nd: data [K..., S...], indices [M..., k], updates [M..., S...] -> y: the data, with
//     updates at those places.
//   scatter_elements: data, indices, updates of the indices' dims -> y, as gather_elements reads.
struct IndexedAttributes {
  uint32_t axis;
  uint32_t batch_dims;
  uint32_t reduction;  // of scatters, an IndexedReduction
};
enum class IndexedReduction : uint32_t { kNone = 0, kAdd = 1, kMul = 2, kMin = 3, kMax = 4 };

// indices (int32 or int64), values [off, on] -> y: the indices' dims and at `axis` one more, along
// which the place that the index names (a negative one counts from the end) is on.
struct OneHotAttributes {
  uint32_t axis;
};

// x -> values, int64 indices: the greatest (least) along `axis`, in order; of equal ones that of
// the lower index first. A NaN is greater (less) than any number.
struct TopKAttributes {
  uint32_t axis;
  uint32_t smallest;  // 0 or 1
};

// y[i] = x[0] + ... + x[i] along `axis`; exclusive: without x[i]; reverse: from the end.
struct CumSumAttributes {
  uint32_t axis;
  uint32_t exclusive;
  uint32_t reverse;
};

// x, sequence_lens (int32 or int64, one for each index of `batch_axis`) -> y: along `time_axis` the
// first elements in reverse, as many as the sequence has.
struct ReverseSequenceAttributes {
  uint32_t batch_axis;
  uint32_t time_axis;
};

// x [N, C, ...], scale [C], bias [C], mean [C], variance [C] -> y. With training: mean and variance
// of x over all axes but 1 normalise; outputs 1 and 2, if any, are the running mean and variance:
// running = mean_in * momentum + batch * (1 - momentum) (biased variance, as ONNX from opset 14).
struct BatchNormalizationAttributes {
  float epsilon, momentum;
  uint32_t training;
};

// detection_post_process: boxes [N, 4 or more] (offsets to anchors: center y and x, height, width;
// nothing reads the rest), scores [N, C], anchors [N, 4] (center y and x, height, width) -> corners
// [M, 4] (least y and x, greatest y and x), classes [M], scores [M], count [1], all float32; M =
// boxes * box_classes. C is `classes`, or one more: then the first is no object. A box that
// overlaps a better one by more than `overlap_most` (intersection over union) goes; so do scores
// below `score_least`. Without per_class_boxes a box competes by its best score and lists its
// box_classes best classes; with it each class has boxes of its own, at most class_boxes, of which
// the best are listed. Rows beyond are 0.
struct DetectionPostProcessAttributes {
  float scale[4];  // offsets are divided by: y, x, height, width
  float score_least, overlap_most;
  uint32_t classes, boxes, box_classes, class_boxes, per_class_boxes;
};

// transpose: dim d of the output is dim order[d] of the input; as many words as the rank.
struct TransposeAttributes {
  uint32_t order[8];
};

// --- Quantised values: an integer q stands for (q - zero_point) * scale. Steps know integers
// alone: the planner turns scales into multipliers and shifts, m * 2^(shift - 31) being the real
// factor.

// How a number becomes an integer.
//   kTfliteDouble: TensorFlow Lite's reference kernels: the upper half of twice the product with
//   the
//     multiplier, rounded, then divided by a power of two, rounded again, halves away from zero.
//   kTfliteSingle: the whole product rounded once, halves up.
//   kHalfEven: ONNX's: rounded once, halves to even.
//   kFloat32: LiteRT's of uint8: what the product of the sum and the factor is in float32, rounded,
//     halves to even. Both are rounded to 24 bits before, and so is the product.
// Of sums of 64 bits all but kHalfEven round the multiplier to 16 bits, then the product once,
// halves up. Of floats kTfliteDouble and kTfliteSingle round halves away from zero.
enum class Rounding : uint32_t {
  kTfliteDouble = 0,
  kTfliteSingle = 1,
  kHalfEven = 2,
  kFloat32 = 3
};

// The last of what makes a quantised result: sum -> min(max(round(sum * multiplier * 2^(shift -
// 31)) + zero_point, low), high), low and high being of the result's type.
struct Requantisation {
  Rounding rounding;
  int32_t zero_point, low, high;
};

// x (float32), scale (float32), optional zero_point (y's type; both of x's dims, stride 0 where
// repeated) -> y = round(x / scale) + zero_point, within y's type; NaN becomes the zero point.
// kTfliteDouble and kTfliteSingle are the same here, kFloat32 is not there.
struct QuantizeAttributes {
  Rounding rounding;
};

// quantized_conv: x [N, C, H, W] (int8, uint8, int16), w [O, C/groups, KH, KW] (int8 or uint8),
// optional bias [O] (int32; where x is int16 also int64), multipliers [O] (int32) and shifts [O]
// (int8), optional x_zero_point [] (x's type) and w_zero_points [O] (w's type) -> y [N, O, OH, OW]
// of int8, uint8, int16, or, without multipliers and shifts, int32: the sums themselves.
// Multipliers, shifts and w_zero_points may be one for all, [1]. The last two operands replace the
// attributes of their names, x_zero_point also `outside`. A sum is bias + sum over the window of
// (x - x_zero_point) * (w - w_zero_point), what lies outside x being `outside`. Sums have 32 bits,
// of int16 with neither an int32 bias nor int32 results 64, and wrap. A planner that knows x's zero
// point may fold it into the bias: then it is in `outside`, and x_zero_point is 0.
struct QuantizedConvAttributes {
  uint32_t groups;
  uint32_t stride[2];     // height, width; >= 1
  uint32_t dilation[2];   // >= 1
  uint32_t pad_begin[2];  // top, left
  int32_t x_zero_point, w_zero_point, outside;
  Requantisation output;
};

// quantized_conv_transpose: x [N, C, D, H, W], w [O, C/groups, KD, KH, KW], and the other operands
// of quantized_conv -> y [N, O, OD, OH, OW], as conv_transpose adds up.
struct QuantizedConvTransposeAttributes {
  uint32_t groups;
  uint32_t stride[3];    // depth, height, width; >= 1
  uint32_t dilation[3];  // >= 1
  uint32_t pad_begin[3];
  int32_t x_zero_point, w_zero_point;
  Requantisation output;
};

// quantized_matmul: a [..., M, K] (int8, uint8, int16), b [..., K, N] (int8 or uint8; also int16
// where a is), then operands as those of quantized_conv, but of y's dims, stride 0 where repeated:
// optional bias, multipliers, shifts, a_zero_points (the same in all columns), b_zero_points
// -> y [..., M, N].
struct QuantizedMatMulAttributes {
  int32_t a_zero_point, b_zero_point;
  Requantisation output;
};

// quantized_add: a, b of one dims (stride 0 where broadcast) and one type -> y of that type.
// kTfliteDouble, kTfliteSingle: each operand less its zero point, shifted left by left_shift
// (saturating), is requantised by its multiplier and shift; their sum (or difference),
// wrapping, by those of index 2; with kSquare it is squared before, wrapping. kHalfEven, kFloat32:
// multipliers[0] and [1] (below 2^22) times the operands less their zero points are added, and the
// sum is divided by 2^shifts[2] (0 to 62), rounded once, kFloat32 halves up; multipliers[2], the
// other shifts and left_shift are 0.
enum class SumKind : uint32_t { kSum = 0, kDifference = 1, kSquare = 2 };
struct QuantizedAddAttributes {
  int32_t zero_points[2];
  int32_t multipliers[3], shifts[3];
  uint32_t left_shift;  // below 32
  SumKind kind;         // kSquare: of the difference
  Requantisation output;
};

// quantized_mul: a, b of one dims (stride 0 where broadcast) and one type -> y of that type: the
// product of the operands less their zero points (0 where they are int16), requantised.
struct QuantizedMulAttributes {
  int32_t zero_points[2];
  int32_t multiplier, shift;
  Requantisation output;
};

// quantized_prelu: x, slope of one dims (stride 0 where broadcast) and one type -> y of that type:
// x less its zero point, requantised by multiplier and shift 0; where it is negative its product
// with the slope less its zero point (0 where they are int16), by those of index 1.
struct QuantizedPReluAttributes {
  int32_t zero_points[2];
  int32_t multipliers[2], shifts[2];
  Requantisation output;
};

// requantize: x (int8, uint8, int16, uint16, int32) -> y of those: x less its zero point, wrapping,
// requantised.
struct RequantizeAttributes {
  int32_t x_zero_point, multiplier, shift;
  Requantisation output;
};

// quantized_average_pool: x [N, C, D, H, W] (int8, uint8, int16), optional multipliers [elements of
// the kernel + 1] (int32) -> y [N, C, OD, OH, OW] of x's type. Without a multiplier: the mean of
// those elements of the window that lie in x, halves rounded away from zero, within low and high; 0
// where none does. Else the sum of those elements less the zero point is requantised: by the
// attribute where all windows count as many elements (of which those outside are x_zero_point), by
// the n-th multiplier where a window of n elements in x counts so many. It holds the division.
struct QuantizedAveragePoolAttributes {
  uint32_t kernel[3], stride[3], dilation[3], pad_begin[3];  // as in PoolAttributes
  int32_t x_zero_point, multiplier, shift;
  Requantisation output;
};

// quantized_sum: x -> y of the same rank and type, dims 1 at the axes whose bits are set (int8,
// uint8, int16): the sum of the elements less the zero point, wrapping, requantised. The multiplier
// of a mean holds the division.
struct QuantizedSumAttributes {
  uint32_t axes;
  int32_t x_zero_point, multiplier, shift;
  Requantisation output;
};

// quantized_softmax: x -> y (int8, uint8, int16) of x's dims: e^(scale * x) divided by the sum of
// those over the axes whose bits are set, together. d is the element of x less the greatest.
//   x of 8 bits, kTfliteDouble: d * multiplier * 2^(shift - 31), with 5 integer bits, goes through
//     gemmlowp's exp_on_negative_values; the sum has 12 integer bits. Where d < diff_min, e^d
//     counts as 0. The quotient is taken in units of 2^-8, of y of int16 2^-16.
//   x of 8 bits, kHalfEven: operand 1 [2, 256] (uint32) holds numerators and summands for -d from 0
//     to 255: numerator[-d] / sum of summands (saturating), rounded once.
//   x of int16, kTfliteDouble: operand 1 [513] (int16) holds e^d for d * multiplier * 2^(shift -
//     31) from -10 to 0, operand 2 [513] (int16) 1 / (1 + x) for x from 0 to 1, both read as lookup
//     does; y is int16, in units of 2^-15.
// Behind each the zero point is added, and low and high limit the result. What a variant does not
// mention is 0.
struct QuantizedSoftmaxAttributes {
  uint32_t axes;
  int32_t multiplier, shift, diff_min;
  Requantisation output;
};

// Where dynamic_quantize has its scale from, of the least and greatest element and 0.
//   kOnnx: the whole range over 255, or 1 where that is 0; the zero point halves to even, as
//     elements are rounded; they are divided by the scale.
//   kTfliteSymmetric: the greater magnitude over 127, zero point 0; elements are multiplied by 127
//     over the magnitude and rounded away from zero, to -127 at least.
//   kTfliteAsymmetric: the range over 255, in double precision; the zero point from the end at
//     which it loses less; elements are multiplied by 1 over the scale, the zero point is added,
//     and then they are rounded away from zero.
enum class DynamicRange : uint32_t { kOnnx = 0, kTfliteSymmetric = 1, kTfliteAsymmetric = 2 };

// dynamic_quantize: x (float32) -> y (int8 or uint8), wanted or not scale (float32) and zero_point
// (y's type; both of x's rank, dims 1 at the axes whose bits are set): the elements along these
// axes, together, by their own range. NaNs do not count, and become the zero point.
struct DynamicQuantizeAttributes {
  uint32_t axes;
  DynamicRange range;
};

// lookup: x (int8, uint8, int16, uint16), table of any type -> y of that type: the element of the
// table at x, counted from the least number that x's type has, of 256 or 65536. Of int16 x also a
// table [513] of int16: at every 128th x, between which it is interpolated, x & 127 in 128 parts,
// halves up.

// svdf, a layer whose weights have low rank and that looks back in time: x [B, I], features [F, I],
// times [F, M], optional bias [U], state [B, F * M] -> y [B, U], next [B, F * M], F being rank * U.
// The state holds the last M products of each of F features with x: in `next` they are one place
// further to the front, and that with this x is the last. y is the bias and, summed over the `rank`
// features of a unit, the products of the state with `times`.
//   float32: all operands, and no attributes but the rank.
//   int8: x, features and y; times and state are int8 or int16, the bias int32. Products are of x
//     and the state less their zero points, sums wrap. An element of the state is requantised by
//     multiplier and shift 0, moved by the state's zero point and saturates; y by those of index 1.
struct SvdfAttributes {
  uint32_t rank;
  int32_t x_zero_point, state_zero_point;
  int32_t multipliers[2], shifts[2];
  Requantisation output;
};

// quantized_lstm, TensorFlow Lite's of 8-bit activations and a 16-bit cell: x [T, B, I] (int8), w
// [4, H, I] and r [4, H, H] (int8), bias [4, H] (int32), h [B, H] (int8), c [B, H] (int16), table
// [256] (uint16) -> y [T, B, H] (int8), next_h [B, H] (int8), next_c [B, H] (int16).
//   Gates are i, f, c, o: the products of w with x less its zero point and the bias are requantised
//   by w's multiplier of the gate, those of r with h less its (the output's) by r's; both, and
//   their sum, saturate at 16 bits: numbers of 12 fraction bits. The logistic function of three
//   gates, and the hyperbolic tangent of c, have 15; the table has the first at 24ths, in 2^-16.
//   The cell is f times c, requantised by cell multiplier 0, plus i times c's gate, by that of
//   index 1, each and their sum saturating at 16 bits, and then within cell_clip where that is not
//   0. h is the tangent of the cell (times tanh_multiplier / 2^tanh_shift, to 12 fraction bits
//   times 3) times o, requantised.
struct QuantizedLstmAttributes {
  int32_t x_zero_point;
  int32_t w_multipliers[4], w_shifts[4];
  int32_t r_multipliers[4], r_shifts[4];
  int32_t cell_multipliers[2], cell_shifts[2];
  int32_t h_multiplier, h_shift;
  int32_t tanh_multiplier, tanh_shift;  // below 2^16; 0 to 30
  int32_t cell_clip;
  Requantisation output;
};

// copy, cast, dequantize, lookup, reshape and where have none.

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
