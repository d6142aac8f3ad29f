// The attributes of every operator, as stored in a program: structs of 32-bit words that only grow
// at their end. A step may store fewer; the missing ones are 0.
//
// Logical dims are ONNX's (channels second). The planner settles all other ways in which a model
// says things (auto_pad, 1-D forms, axes as inputs, negative axes, broadcasting): kernels see only
// the forms below.
//
// Comments have one operand a line, with its dims and types, and formulas on lines of their own. No
// line passes 100 columns, so the formatter leaves them as they are.
#pragma once

#include <cstdint>

namespace arenite {

// The residual of conv and matmul.
inline constexpr uint32_t kResidualInput = 3;

enum class ActivationKind : uint32_t {
  kNone = 0,
  kClip = 1,
  kHardSigmoid = 2,
  kSigmoid = 3,
  kHardSwish = 4,
  kSwish = 5,
};

// Applied to each result:
//   kClip          min(max(x, a), b); NaN stays
//   kHardSigmoid   max(0, min(1, a * x + b))
//   kSigmoid       1 / (1 + e^-x)
//   kHardSwish     x * max(0, min(1, a * x + b))
//   kSwish         x / (1 + e^(-a * x))
struct Activation {
  ActivationKind kind;
  float a, b;
};

// conv
//   x     [N, C, H, W]
//   w     [O, C/groups, KH, KW], strided or, with groups = 1, panel16
//   bias  [O], optional
//   r     [N, O, OH, OW], optional: a residual, added to the sums before their activation
//   -> y  [N, O, OH, OW]
struct ConvAttributes {
  uint32_t groups;
  uint32_t stride[2];     // height, width; >= 1
  uint32_t dilation[2];   // >= 1
  uint32_t pad_begin[2];  // top, left; what lies below or right of the input reads as zero
  Activation activation;
};

// pointwise_depthwise: a depthwise convolution of what a pointwise one makes of x
//   x          [N, C, H, W]
//   w          [O, C, 1, 1] of the pointwise convolution, strided or panel16
//   bias       [O]
//   taps       [KH, KW, O] of the depthwise convolution
//   taps_bias  [O]
//   -> y       [N, O, OH, OW]
struct PointwiseDepthwiseAttributes {
  // Of the depthwise convolution, height and width, as in ConvAttributes.
  uint32_t stride[2];
  uint32_t dilation[2];
  uint32_t pad_begin[2];
  Activation activation;
  Activation inner_activation;  // of the pointwise convolution
};

// The most rows of squeeze_excite: kernels keep one number of each.
inline constexpr uint32_t kSqueezeRowsMax = 256;

// squeeze_excite: each channel of x times a gate, made of the means of all channels
//   x          [N, C, H, W]
//   w          [2, R, C], R <= kSqueezeRowsMax
//   bias       [R]
//   gate_bias  [C]
//   -> y       [N, C, H, W]
//   hidden[r] = inner_activation(bias[r] + sum over c of w[0, r, c] * mean(x[n, c]))
//   gate[c] = gate_activation(gate_bias[c] + sum over r of w[1, r, c] * hidden[r])
//   y[n, c, h, w] = x[n, c, h, w] * gate[c]
struct SqueezeExciteAttributes {
  Activation inner_activation;
  Activation gate_activation;
};

// conv_3d
//   x     [N, C, D, H, W]
//   w     [O, C/groups, KD, KH, KW], strided or, with groups = 1, panel16
//   bias  [O], optional
//   -> y  [N, O, OD, OH, OW]
struct Conv3dAttributes {
  uint32_t groups;
  uint32_t stride[3];     // depth, height, width; >= 1
  uint32_t dilation[3];   // >= 1
  uint32_t pad_begin[3];  // what lies beyond the input's end reads as zero
  Activation activation;
};

// conv_transpose has the operands of conv_3d. Its weights have conv_3d's dims too, unlike ONNX's.
// Tap t of x at i adds to y at, wherever that lies in y:
//   i * stride + t * dilation - pad_begin
struct ConvTransposeAttributes {
  uint32_t groups;
  uint32_t stride[3];    // depth, height, width; >= 1
  uint32_t dilation[3];  // >= 1
  uint32_t pad_begin[3];
  Activation activation;
};

// max_pool, average_pool, lp_pool
//   x        [N, C, D, H, W]
//   -> y     [N, C, OD, OH, OW]
//   indices  [N, C, OD, OH, OW] (int64), optional, of max_pool alone: places in the flattened input
//            (row-major or, with column_major, column-major), as ONNX's Indices
struct PoolAttributes {
  uint32_t kernel[3], stride[3], dilation[3], pad_begin[3], pad_end[3];
  uint32_t count_include_pad;  // average_pool: padding given by pads counts; what ceil_mode adds
                               // never does
  uint32_t column_major;       // max_pool's storage_order
  uint32_t p;                  // lp_pool's: the p-th root of the sum of p-th powers; >= 1
};

// matmul
//   a     [..., M, K]
//   b     [..., K, N], strided, or panel16 with batch dims of 1 and one b for all batches
//   c     [..., M, N], optional
//   r     [..., M, N], optional: a residual
//   -> y  [..., M, N] = alpha * a * b + beta * c + r
// All operands have the same rank and the same batch dims: a broadcast operand has stride 0.
struct MatMulAttributes {
  float alpha, beta;
  Activation activation;
};

// Operators of family binary: all operands have the same dims, stride 0 where broadcast. Only
// float32 results have an activation. The result of mod has the divisor's sign; for integers with
// `truncated`, and always for floats, the dividend's.
struct BinaryAttributes {
  Activation activation;
  uint32_t truncated;  // 0 or 1; of mod alone
};

// clip
//   x     any dims
//   min   [] of x's type, optional
//   max   [] of x's type, optional
//   -> y  x's dims
// If min or max is absent, the attribute applies to float32 (-inf or +inf: no bound), and integers
// have no bound.
struct ClipAttributes {
  float min, max;
};

// attention
//   q     [..., Q, D]
//   k     [..., K, D]
//   v     [..., K, V]
//   -> y  [..., Q, V] = softmax(scale * q * k^T) * v, the softmax over keys
// Dims of k and v before the last two are those of q, or 1. With `causal`, query i sees the keys up
// to i + offset alone.
struct AttentionAttributes {
  float scale;
  uint32_t causal;  // 0 or 1
  int32_t offset;
};
// V that shaders take: the last dim of v and y.
inline constexpr uint32_t kAttentionWidthMax = 256;

// Operators of family unary: the parameters of those that have some.
//   hard_sigmoid   max(0, min(1, alpha * x + beta))
//   shrink         0 where x lies within alpha of 0, else x moved by beta towards 0
//   swish          x * sigmoid(alpha * x)
struct UnaryAttributes {
  float alpha, beta;
};

// Operators of family softmax: over the axes whose bits are set, together.
struct SoftmaxAttributes {
  uint32_t axes;
};

// The norm n by which normalize divides:
//   kDeviation    root of the mean of (x - mean)^2
//   kMeanSquare   root of the mean of x^2
//   kSquares      root of the sum of x^2
//   kMagnitudes   sum of |x|
enum class Norm : uint32_t { kDeviation = 0, kMeanSquare = 1, kSquares = 2, kMagnitudes = 3 };

// normalize
//   x      any dims
//   scale  x's dims, stride 0 where repeated, optional
//   bias   x's dims, stride 0 where repeated, optional
//   -> y   x's dims = d / n * scale + bias, over the axes whose bits are set, together
//   d      x - mean for kDeviation, else x
//   n      max(sqrt(square of the norm + epsilon) + margin, least)
// If n is 0, d / n is 0.
struct NormalizeAttributes {
  uint32_t axes;
  Norm norm;
  float epsilon, margin, least;
};

// Operators of family reduce: x -> y of the same rank, with dims 1 at the axes whose bits are set.
struct ReduceAttributes {
  uint32_t axes;
};

// arg_max and arg_min, of family reduce: y is the int64 place of the greatest (least) element among
// those reduced, counted row-major. If elements are equal, y is the first, or with select_last the
// last. A NaN counts as greater (less) than any number.
struct ArgAttributes {
  uint32_t axes;
  uint32_t select_last;
};

// concat: one or more inputs, all of the same rank.
struct ConcatAttributes {
  uint32_t axis;
};

// The elements that pad puts outside x:
//   kValue     the value
//   kEdge      the nearest element of x
//   kReflect   those of x mirrored about its first and its last element
//   kWrap      those of x repeated again and again
enum class PadMode : uint32_t { kValue = 0, kEdge = 1, kReflect = 2, kWrap = 3 };

// pad
//   x      any dims
//   value  [] of x's type, optional; if absent, value_bits are the element's bits, low word first
//   -> y   y[i] = x[i - begin], or the value where that is outside x
// A negative begin crops. With another mode than kValue nothing is cropped, and there is no value.
struct PadAttributes {
  int32_t begin[8];
  uint32_t value_bits[2];
  PadMode mode;
};

// resize: up to three axes, those with taps[k] != 0; they are the first ones, by rising axis.
//   x        any dims
//   first    int32: first[o] of each such axis, one axis after another
//   weights  like taps: those of each such axis, one axis after another, optional; float32 for
//            float32 x, float64 for float64 x, int16 for integers (int8, uint8, int16)
//   -> y     along one axis, the sum over t from 0 to taps[k] - 1 of
//                x[first[o] + t] * weights[o * taps[k] + t]
// Over several axes the weight is the product of the axes' weights. Without weights all taps are 1,
// and y is x at first[o]. Where first[o] is -1 for some axis, y is the value outside (an element's
// bits, low word first). For integers the sum wraps; it has 32 bits, or 64 for int16 x. It is
// divided by 2^fraction_bits, halves rounded away from zero, and saturates.
struct ResizeAttributes {
  uint32_t axis[3];
  uint32_t taps[3];
  uint32_t outside_bits[2];
  uint32_t fraction_bits;
};

enum class GridMode : uint32_t { kLinear = 0, kNearest = 1, kCubic = 2 };
enum class GridPadding : uint32_t { kZeros = 0, kBorder = 1, kReflection = 2 };

// grid_sample
//   x     [N, C, D, H, W]
//   grid  [N, OD, OH, OW, 3] or, for images of depth 1, [N, OH, OW, 2]
//   -> y  [N, C, OD, OH, OW]: x at the place (x, y, z) that the grid has for the output
// Places -1 and 1 are the centers of the first and last element (align_corners), or their outer
// edges. Beyond x lie zeros, its border, or x mirrored again and again.
// The limit is that of a spatial dim: floats count so far in halves.
inline constexpr uint32_t kMaxGridSize = 1u << 22;
struct GridSampleAttributes {
  GridMode mode;
  GridPadding padding;
  uint32_t align_corners;  // 0 or 1
};

// roi_align
//   x      [N, C, H, W]
//   rois   [R, 4]: left, top, right, bottom
//   batch  [R] (int64)
//   -> y   [R, C, OH, OW]: the region of image batch[r] in OH x OW bins
// A bin is the average (or, with take_max, the greatest) of sampling x sampling samples of x; with
// sampling 0, of as many as the bin has pixels, but no more than kMaxRoiSamples along an axis.
inline constexpr uint32_t kMaxRoiSamples = 1024;
struct RoiAlignAttributes {
  uint32_t take_max, half_pixel;  // 0 or 1; half_pixel: coordinates are those of pixels' centers
  uint32_t sampling;
  float scale;  // from a region's coordinates to pixels
};

// dft
//   x         [B, L, 1 or 2]: real, or real and imaginary part
//   twiddles  [n, 2] (float32; float64 for float64 x): cos and sin of 2 pi i / n, sin negative for
//             the forward transform
//   window    [n], optional: the elements of a frame are multiplied by it
//   -> y      [B, F, K, 2]: the first K bins of the discrete Fourier transforms of length n of F
//             frames, times `scale`
// Each frame of x starts a hop behind the one before. Elements behind the end of x read as 0.
struct DftAttributes {
  uint32_t hop;
  float scale;
};

// det: x [..., n, n] -> y [...]. Matrices are factorized on the stack, so n is limited.
inline constexpr uint32_t kMaxDetSize = 12;

// lrn
//   x     [N, C, ...]
//   -> y  x's dims = x / (bias + alpha / size * s)^beta
//   s     sum of x^2 over the channels c - (size - 1) / 2 to c + size / 2 that exist
struct LrnAttributes {
  float alpha, beta, bias;
  uint32_t size;
};

// slice: y[i] = x[start + i * step]; step may be negative, but not 0.
struct SliceAttributes {
  int32_t start[8];
  int32_t step[8];
};

// gather
//   data     any dims
//   indices  int32 or int64, may be negative
//   -> y     [data's dims before axis, indices' dims, data's dims after axis]
struct GatherAttributes {
  uint32_t axis;
};

// Functions of recurrent cells. All but two are the operators of these names, with alpha = a and
// beta = b:
//   kAffine       a * x + b
//   kScaledTanh   a * tanh(b * x)
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

// Operators of family recurrent. T time steps, batch B, I inputs, H hidden units, G gates (lstm 4:
// i, o, f, c; gru 3: z, r, h; rnn 1), D directions (forward, then reverse).
//   x              [T, B, I]
//   w              [D, I, G*H]
//   r              [D, H, G*H]
//   bias           [D, 2*G*H], optional: w's, then r's
//   sequence_lens  [B] (int32), optional
//   initial_h      [D, B, H], optional
//   initial_c      [D, B, H], optional, of lstm alone
//   peepholes      [D, 3*H], optional, of lstm alone: i, o, f
//   -> y           [T, D, B, H]
//   y_h            [D, B, H]
//   y_c            [D, B, H], of lstm alone
// A step has the outputs whose bits are set in `outputs`, in that order. Time steps beyond a
// sequence's end leave the state as it is and give 0.
struct RecurrentAttributes {
  uint32_t direction;  // 0: forward, 1: reverse, 2: both
  uint32_t outputs;
  // lstm: input_forget (f = 1 - i); gru: linear_before_reset.
  uint32_t variant;
  float clip;                 // what goes into a function is limited to [-clip, clip]; 0: it is not
  CellFunction functions[6];  // f, g and h of direction 0, then of 1; a cell has the first ones
};

// Operators of family indexed. Indices are int32 or int64, and may be negative.
//   gather_nd: k numbers are a place in the dims K; there are batch_dims dims B
//     data     [B..., K..., S...]
//     indices  [B..., M..., k]
//     -> y     [B..., M..., S...]
//   gather_elements: y is data at the element's own index, but along `axis` at the index given
//     data     any dims
//     indices  data's rank
//     -> y     indices' dims
//   scatter_nd: y is the data, with updates at those places
//     data     [K..., S...]
//     indices  [M..., k]
//     updates  [M..., S...]
//     -> y     data's dims
//   scatter_elements: y is the data, with updates at the places that gather_elements reads
//     data     any dims
//     indices  data's rank
//     updates  indices' dims
//     -> y     data's dims
struct IndexedAttributes {
  uint32_t axis;
  uint32_t batch_dims;
  uint32_t reduction;  // of scatters, an IndexedReduction
};
enum class IndexedReduction : uint32_t { kNone = 0, kAdd = 1, kMul = 2, kMin = 3, kMax = 4 };

// one_hot
//   indices  int32 or int64; a negative one counts from the end
//   values   [2]: off, on
//   -> y     indices' dims and one more at `axis`: on at the place of the index along it, else off
struct OneHotAttributes {
  uint32_t axis;
};

// top_k
//   x        any dims
//   -> values, indices (int64): the greatest (least) elements along `axis`, in order
// If elements are equal, the lower index comes first. A NaN is greater (less) than any number.
struct TopKAttributes {
  uint32_t axis;
  uint32_t smallest;  // 0 or 1
};

// cum_sum, along `axis`; exclusive: without x[i]; reverse: from the end:
//   y[i] = x[0] + ... + x[i]
struct CumSumAttributes {
  uint32_t axis;
  uint32_t exclusive;
  uint32_t reverse;
};

// reverse_sequence
//   x              any dims
//   sequence_lens  [x's dim at batch_axis] (int32 or int64)
//   -> y           x's dims: along `time_axis` the first elements, as many as the sequence has, in
//                  reverse
struct ReverseSequenceAttributes {
  uint32_t batch_axis;
  uint32_t time_axis;
};

// batch_normalization
//   x         [N, C, ...]
//   scale     [C]
//   bias      [C]
//   mean      [C]
//   variance  [C]
//   -> y      x's dims
//   running   [C], optional: the running mean, then the running variance (outputs 1 and 2)
// With training, mean and variance of x over all axes but 1 normalize it. The variance is biased,
// as in ONNX from opset 14, and
//   running = mean_in * momentum + batch * (1 - momentum)
struct BatchNormalizationAttributes {
  float epsilon, momentum;
  uint32_t training;
};

// detection_post_process
//   boxes       [N, 4 or more]: offsets to anchors: center y and x, height, width; rest not read
//   scores      [N, C]; C is `classes`, or one more: then the first is no object
//   anchors     [N, 4]: center y and x, height, width
//   -> corners  [M, 4]: least y and x, greatest y and x
//   classes     [M]
//   scores      [M]
//   count       [1]
// All are float32, and
//   M = boxes * box_classes
// A box goes that overlaps a better one by more than `overlap_most` (intersection over union); so
// do scores below `score_least`. Without per_class_boxes a box competes by its best score and lists
// its box_classes best classes. With it each class has boxes of its own, at most class_boxes, of
// which the best are listed. Rows beyond the count are 0.
struct DetectionPostProcessAttributes {
  float scale[4];  // offsets are divided by: y, x, height, width
  float score_least, overlap_most;
  uint32_t classes, boxes, box_classes, class_boxes, per_class_boxes;
};

// non_max_suppression
//   boxes   [batches, boxes, 4]: two opposite corners (y, x, y, x), or with centers x, y, width,
//           height
//   scores  [batches, classes, boxes]
//   -> places  int64 [batches * classes * min(class_boxes, boxes), 3]: batch, class and box of each
//              result, by rising batch and class, and in a class by falling score; 0 behind them
//      count   int64 [1]: how many results
// A result is a box whose score for the class is above score_least and that no result of the class
// before it overlaps by more than overlap_most (intersection over union). A class has class_boxes
// results at most.
struct NonMaxSuppressionAttributes {
  float overlap_most, score_least;
  uint32_t class_boxes;
  uint32_t centers;  // 0 or 1
};

// soft_non_max_suppression (arXiv 1704.04503, with Gaussian weights)
//   boxes   [boxes, 4]: two opposite corners (y, x, y, x)
//   scores  [boxes]
//   -> best    [min(results, boxes)]: the scores of results, which have fallen; 0 behind them
//      places  int64 [min(results, boxes)]: the box of each; 0 behind them
//      count   int64 [1]: how many results
// Results are found one after another: the box of the best score above score_least, of equal ones
// the first. The score of a box has fallen by a factor exp(weight * overlap^2) for each result
// before it (intersection over union), and a box that one overlaps by more than overlap_most is no
// result.
struct SoftNonMaxSuppressionAttributes {
  float overlap_most, score_least;
  uint32_t results;
  float weight;  // below 0: -1 / (2 sigma)
};

// transpose: dim d of the output is dim order[d] of the input; as many words as the rank.
struct TransposeAttributes {
  uint32_t order[8];
};

// --- Quantized values: an integer q stands for a number. Steps know integers alone: the planner
// turns scales into multipliers and shifts, which give a real factor.
//   number = (q - zero_point) * scale
//   factor = multiplier * 2^(shift - 31)

// Rules by which a product of a sum and a factor becomes an integer.
//   kTfliteDouble  as TensorFlow Lite's reference kernels: the upper half of twice the product with
//                  the multiplier, rounded; then divided by a power of two and rounded again,
//                  halves away from zero
//   kTfliteSingle  the whole product rounded once, halves up
//   kHalfEven      as ONNX: rounded once, halves to even
//   kFloat32       as LiteRT for uint8: sum and factor are rounded to 24 bits, and so is their
//                  product, which is then rounded, halves to even
// For sums of 64 bits all rules but kHalfEven round the multiplier to 16 bits, then the product
// once, halves up. For floats kTfliteDouble and kTfliteSingle round halves away from zero.
enum class Rounding : uint32_t {
  kTfliteDouble = 0,
  kTfliteSingle = 1,
  kHalfEven = 2,
  kFloat32 = 3
};

// The last operation of a quantized result; low and high are of the result's type.
//   result = min(max(round(sum * multiplier * 2^(shift - 31)) + zero_point, low), high)
struct Requantization {
  Rounding rounding;
  int32_t zero_point, low, high;
};

// quantize
//   x           any dims (float32)
//   scale       x's dims, stride 0 where repeated (float32)
//   zero_point  x's dims, stride 0 where repeated (y's type), optional
//   -> y        x's dims = round(x / scale) + zero_point, within y's type
// NaN becomes the zero point. kTfliteDouble and kTfliteSingle are the same here; kFloat32 is
// refused.
struct QuantizeAttributes {
  Rounding rounding;
};

// quantized_conv
//   x              [N, C, H, W] (int8, uint8, int16)
//   w              [O, C/groups, KH, KW] (int8, uint8)
//   bias           [O] (int32; also int64 where x is int16), optional
//   multipliers    [O] or [1] for all (int32)
//   shifts         [O] or [1] for all (int8)
//   x_zero_point   [] (x's type), optional
//   w_zero_points  [O] or [1] for all (w's type), optional
//   -> y           [N, O, OH, OW] (int8, uint8, int16); int32, the sums themselves, without
//                  multipliers and shifts
//   sum            bias + sum over the window of (x - x_zero_point) * (w - w_zero_point)
// Elements outside x are `outside`. The last two operands replace the attributes of their names;
// x_zero_point replaces `outside` too. Sums wrap. They have 32 bits; but 64 if x is int16 and
// neither the bias nor the results are int32. A planner that knows x's zero point may fold it into
// the bias: then `outside` holds it, and the attribute x_zero_point is 0.
struct QuantizedConvAttributes {
  uint32_t groups;
  uint32_t stride[2];     // height, width; >= 1
  uint32_t dilation[2];   // >= 1
  uint32_t pad_begin[2];  // top, left
  int32_t x_zero_point, w_zero_point, outside;
  Requantization output;
};

// quantized_pointwise_depthwise: a depthwise quantized_conv of what a pointwise one makes of x
//   x          [N, C, H, W] (int8, uint8)
//   w          [O, C, 1, 1] of the pointwise convolution (int8, uint8)
//   ends       [3, O] (int32): its biases, multipliers and shifts
//   taps       [KH, KW, O] of the depthwise convolution (int8, uint8)
//   taps_ends  [3, O] (int32), likewise
//   tables     [2, 256] of y's type, optional: what the results of either convolution become,
//              counted from the least number of that type, in whose range `inner` lies then
//   -> y       [N, O, OH, OW] (int8, uint8)
//   inner      bias + sum of (x - x_zero_point) * (w - w_zero_point), requantized; its element of
//              table 0
//   sum        bias + sum over the window of (inner - inner_zero_point) * (tap - taps_zero_point),
//              requantized; its element of table 1
// Elements outside the inner image count as inner_zero_point. Sums have 32 bits and wrap.
struct QuantizedPointwiseDepthwiseAttributes {
  // The depthwise convolution has these for height and width, as in QuantizedConvAttributes.
  uint32_t stride[2];
  uint32_t dilation[2];
  uint32_t pad_begin[2];
  int32_t x_zero_point, w_zero_point;
  int32_t inner_zero_point, taps_zero_point;
  Requantization inner;  // of the pointwise convolution, to numbers of up to 16 bits
  Requantization output;
};

// quantized_conv_transpose adds up as conv_transpose does.
//   x     [N, C, D, H, W]
//   w     [O, C/groups, KD, KH, KW]
//   ...   the other operands of quantized_conv
//   -> y  [N, O, OD, OH, OW]
struct QuantizedConvTransposeAttributes {
  uint32_t groups;
  uint32_t stride[3];    // depth, height, width; >= 1
  uint32_t dilation[3];  // >= 1
  uint32_t pad_begin[3];
  int32_t x_zero_point, w_zero_point;
  Requantization output;
};

// quantized_matmul
//   a     [..., M, K] (int8, uint8, int16)
//   b     [..., K, N] (int8, uint8; also int16 where a is int16)
//   ...   as those of quantized_conv, but of y's dims, stride 0 where repeated: optional bias,
//         multipliers, shifts, a_zero_points (the same in all columns), b_zero_points
//   -> y  [..., M, N]
struct QuantizedMatMulAttributes {
  int32_t a_zero_point, b_zero_point;
  Requantization output;
};

// quantized_add: a, b of the same dims (stride 0 where broadcast) and type -> y of that type.
//   kTfliteDouble, kTfliteSingle; < > requantizes by that index's multiplier and shift
//     scaled_i  <i> of (x_i - zero_points[i]) * 2^left_shift, saturating
//     sum       scaled_0 + scaled_1, or their difference, or with kSquare its square; all wrap
//     y         <2> of sum
//   kHalfEven, kFloat32; multipliers[0] and [1] are below 2^22, shifts[2] is 0 to 62
//     sum       multipliers[0] * (a - zero_points[0]) + multipliers[1] * (b - zero_points[1])
//     y         sum / 2^shifts[2], rounded once; kFloat32 halves up
//     multipliers[2], the other shifts and left_shift are 0
enum class SumKind : uint32_t { kSum = 0, kDifference = 1, kSquare = 2 };
struct QuantizedAddAttributes {
  int32_t zero_points[2];
  int32_t multipliers[3], shifts[3];
  uint32_t left_shift;  // below 32
  SumKind kind;         // kSquare: of the difference
  Requantization output;
};

// quantized_conv_add: the quantized_add of what a quantized_conv makes of x, and of a residual
//   x     [N, C, H, W] (int8, uint8)
//   w     [O, C/groups, KH, KW] (int8, uint8)
//   ends  [3, O] (int32): biases, multipliers and shifts
//   r     [N, O, OH, OW] (y's type)
//   -> y  [N, O, OH, OW] (int8, uint8)
struct QuantizedConvAddAttributes {
  QuantizedConvAttributes conv;  // to y's type
  QuantizedAddAttributes sum;    // index 0: of the convolution's results, 1: of r
};

// quantized_conv_lookup: the lookup of what a quantized_conv makes of x, with its attributes
//   x      [N, C, H, W] (int8, uint8)
//   w      [O, C/groups, KH, KW] (int8, uint8)
//   ends   [3, O] (int32): biases, multipliers and shifts
//   table  [256] (y's type): of the convolution's results, counted from the least number of y's
//   type
//   -> y   [N, O, OH, OW] (int8, uint8)

// quantized_mul: a, b of the same dims (stride 0 where broadcast) and type -> y of that type. Zero
// points are 0 where the operands are int16.
//   sum = (a - zero_points[0]) * (b - zero_points[1]), then requantized
struct QuantizedMulAttributes {
  int32_t zero_points[2];
  int32_t multiplier, shift;
  Requantization output;
};

// quantized_excite: each channel of x times a gate, which two products make of one number a channel
//   x          [N, C, H, W] (int8, uint8)
//   means      [N, C, 1, 1] of x's type
//   w          [2, R, C] (int8, uint8), R <= kSqueezeRowsMax
//   ends       [3, R] (int32): biases, multipliers and shifts of the first product
//   gate_ends  [3, C] (int32): those of the second
//   tables     [2, 256] of x's type: what the results of either product become, counted from the
//              least number of that type
//   -> y       [N, C, H, W] of x's type
//   hidden[r]  table 0 of bias + sum over c of (means[n, c] - means_zero_point) *
//              (w[0, r, c] - w_zero_points[0]), requantized
//   gate[c]    table 1 of bias + sum over r of (hidden[r] - hidden_zero_point) *
//              (w[1, r, c] - w_zero_points[1]), requantized
//   y          the quantized_mul of x and gate
// Sums have 32 bits and wrap.
struct QuantizedExciteAttributes {
  int32_t means_zero_point, hidden_zero_point;
  int32_t w_zero_points[2];
  Requantization hidden, gate;     // to x's type
  QuantizedMulAttributes product;  // index 0: of x, 1: of the gates
};

// quantized_prelu: x, slope of the same dims (stride 0 where broadcast) and type -> y of that type.
// Zero points are 0 where the operands are int16.
//   d = x - zero_points[0]
//   d >= 0   d requantized by index 0
//   d < 0    d * (slope - zero_points[1]) requantized by index 1
struct QuantizedPReluAttributes {
  int32_t zero_points[2];
  int32_t multipliers[2], shifts[2];
  Requantization output;
};

// requantize: x -> y, each int8, uint8, int16, uint16 or int32.
//   sum = x - x_zero_point, wrapping, then requantized
struct RequantizeAttributes {
  int32_t x_zero_point, multiplier, shift;
  Requantization output;
};

// quantized_average_pool
//   x            [N, C, D, H, W] (int8, uint8, int16)
//   multipliers  [elements of the kernel + 1] (int32), optional
//   -> y         [N, C, OD, OH, OW] of x's type
// n is the number of a window's elements that lie in x.
//   with multipliers         (sum - n * x_zero_point), requantized by multipliers[n]
//   attribute multiplier     the same by the attribute: all windows count as many elements
//   neither (multiplier 0)   sum / n, halves away from zero, within low and high; 0 for n = 0
// The multipliers hold the division.
struct QuantizedAveragePoolAttributes {
  uint32_t kernel[3], stride[3], dilation[3], pad_begin[3];  // as in PoolAttributes
  int32_t x_zero_point, multiplier, shift;
  Requantization output;
};

// quantized_sum: x -> y of the same rank and type (int8, uint8, int16), with dims 1 at the axes
// whose bits are set. The multiplier of a mean holds the division.
//   sum of (x - x_zero_point), wrapping, then requantized
struct QuantizedSumAttributes {
  uint32_t axes;
  int32_t x_zero_point, multiplier, shift;
  Requantization output;
};

// quantized_softmax: x -> y (int8, uint8, int16) of x's dims, over the axes whose bits are set,
// together. d is the element of x less the greatest.
//   y = e^(scale * x) / sum of e^(scale * x), plus the zero point, limited to low and high
// There are three variants. An attribute that a variant does not name is 0.
//   x of 8 bits, kTfliteDouble
//     d * multiplier * 2^(shift - 31) has 5 integer bits; e^d is gemmlowp's
//     exp_on_negative_values of it
//     the sum has 12 integer bits; e^d counts as 0 where d < diff_min
//     the quotient has units of 2^-8, or of 2^-16 for int16 y
//   x of 8 bits, kHalfEven
//     operand 1 [2, 256] (uint32): numerators and summands for -d from 0 to 255
//     numerator[-d] / sum of summands (saturating), rounded once
//   x of int16, kTfliteDouble
//     operand 1 [513] (int16): e^d for d * multiplier * 2^(shift - 31) from -10 to 0
//     operand 2 [513] (int16): 1 / (1 + x) for x from 0 to 1; both are read as lookup does
//     y is int16, in units of 2^-15
struct QuantizedSoftmaxAttributes {
  uint32_t axes;
  int32_t multiplier, shift, diff_min;
  Requantization output;
};

// The scale that dynamic_quantize takes from the least and greatest element and 0.
//   kOnnx              scale = range / 255, or 1 where the range is 0; elements are divided by it;
//                      they and the zero point are rounded, halves to even
//   kTfliteSymmetric   scale = greater magnitude / 127, zero point 0; elements are multiplied by
//                      127 / magnitude and rounded away from zero, to -127 at least
//   kTfliteAsymmetric  scale = range / 255 in double precision; the zero point comes from the end
//                      at which it loses less; elements are multiplied by 1 / scale, the zero
//                      point is added, and then they are rounded away from zero
enum class DynamicRange : uint32_t { kOnnx = 0, kTfliteSymmetric = 1, kTfliteAsymmetric = 2 };

// dynamic_quantize: the elements along the axes whose bits are set, together, by their own range.
// NaNs do not count, and become the zero point.
//   x           any dims (float32)
//   -> y        x's dims (int8, uint8)
//   scale       x's rank, dims 1 at these axes (float32), optional
//   zero_point  the same (y's type), optional
struct DynamicQuantizeAttributes {
  uint32_t axes;
  DynamicRange range;
};

// lookup
//   x      int8, uint8, int16
//   table  [256] or [65536] of any type; for int16 x also [513] of int16
//   -> y   of the table's type: the table's element at x, counted from the least number of x's type
// A table of 513 has an element at every 128th x. Between two of them it is interpolated, x & 127
// in 128 parts, halves up.

// svdf, a layer whose weights have low rank and that looks back in time. F = rank * U.
//   x         [B, I]
//   features  [F, I]
//   times     [F, M]
//   bias      [U], optional
//   state     [B, F * M]: the last M products of each of F features with x
//   -> y      [B, U]: the bias, plus the products of the state with `times`, summed over the `rank`
//             features of a unit
//   next      [B, F * M]: the state one place further to the front, the product with this x last
// For float32 all operands are float32, and no attribute but the rank is used. For int8:
//   x, features and y are int8; times and state are int8 or int16; the bias is int32
//   products are of x - x_zero_point and of state - state_zero_point; sums wrap
//   an element of the state is requantized by index 0, plus state_zero_point, and saturates
//   y is requantized by index 1
struct SvdfAttributes {
  uint32_t rank;
  int32_t x_zero_point, state_zero_point;
  int32_t multipliers[2], shifts[2];
  Requantization output;
};

// quantized_lstm, TensorFlow Lite's of 8-bit activations and a 16-bit cell. Gates are i, f, c, o.
//   x          [T, B, I] (int8)
//   w          [4, H, I] (int8)
//   r          [4, H, H] (int8)
//   bias       [4, H] (int32)
//   h          [B, H] (int8)
//   c          [B, H] (int16)
//   table      [256] (uint16): the logistic function at 24ths, in units of 2^-16
//   -> y       [T, B, H] (int8)
//   next_h     [B, H] (int8)
//   next_c     [B, H] (int16)
// Each result but h saturates at 16 bits; <m> requantizes by that multiplier and shift.
//   gate       <w[gate]> of w * (x - x_zero_point) + bias, plus <r[gate]> of r * (h - output's zero
//              point); 12 fraction bits
//   i, f, o    logistic function of the gate, 15 fraction bits; c: tanh of the gate, the same
//   cell       <cell[0]> of f * cell, plus <cell[1]> of i * c; limited to [-cell_clip, cell_clip]
//              where that is not 0
//   h          <h> of tanh(cell * tanh_multiplier / 2^tanh_shift) * o, into `output`; the argument
//              of tanh is a number of 12 fraction bits times 3
struct QuantizedLstmAttributes {
  int32_t x_zero_point;
  int32_t w_multipliers[4], w_shifts[4];
  int32_t r_multipliers[4], r_shifts[4];
  int32_t cell_multipliers[2], cell_shifts[2];
  int32_t h_multiplier, h_shift;
  int32_t tanh_multiplier, tanh_shift;  // below 2^16; 0 to 30
  int32_t cell_clip;
  Requantization output;
};

// copy, cast, dequantize, lookup, reshape and where have none.

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0
