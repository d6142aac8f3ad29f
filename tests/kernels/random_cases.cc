// Draws shapes, attributes and layouts; small ones, with a few long dims in between.
#include "tests/kernels/random_cases.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>

#include "kernels/dispatch/depthwise_tile.h"
#include "ops/contracts.h"
#include "tests/ops/cases.h"

namespace arenite::test {
namespace {

using namespace ops_test;

using Dims = std::vector<uint32_t>;

class Draw {
 public:
  explicit Draw(uint32_t seed) : engine_(seed) {}

  uint32_t below(uint32_t end) { return static_cast<uint32_t>(engine_() % end); }
  uint32_t from(uint32_t first, uint32_t last) { return first + below(last - first + 1); }
  bool maybe() { return below(2) == 0; }
  bool seldom() { return below(6) == 0; }
  uint32_t dim() { return seldom() ? 1 : from(1, 5); }
  Dims dims(uint32_t rank) {
    Dims dims(rank);
    for (uint32_t& d : dims) d = rank > 5 ? from(1, 3) : dim();
    return dims;
  }
  float number() { return static_cast<float>(below(2001)) / 500.0f - 2.0f; }

  Activation activation() {
    switch (below(6)) {
      case 0:
        return {ActivationKind::kClip, -0.5f, 0.75f};
      case 1:
        return {ActivationKind::kHardSigmoid, 0.3f, 0.4f};
      case 2:
        return {ActivationKind::kSigmoid, 0.0f, 0.0f};
      case 3:
        return {ActivationKind::kHardSwish, 0.25f, 0.5f};
      case 4:
        return {ActivationKind::kSwish, 1.5f, 0.0f};
      default:
        return {ActivationKind::kNone, 0.0f, 0.0f};
    }
  }

  // Any order of dims, gaps between them.
  Operand laid_out(Operand operand) {
    if (maybe()) {
      operand.order.resize(operand.dims.size());
      std::iota(operand.order.begin(), operand.order.end(), 0u);
      std::shuffle(operand.order.begin(), operand.order.end(), engine_);
    } else if (maybe() && operand.dims.size() >= 3) {
      operand = channels_last(operand);
    }
    if (operand.dims.size() <= 5 && maybe()) operand.margin = seldom() ? 4 : from(0, 3);
    return operand;
  }
  Operand operand(const Dims& dims, DType type = DType::kFloat32) {
    Operand operand = tensor(dims, type);
    if (type == DType::kFloat32) {
      operand.low = -3;
      operand.high = 3;
    } else {
      operand.low = -1000;
      operand.high = 1000;
    }
    return laid_out(operand);
  }
  Operand special(const Dims& dims) {
    constexpr auto infinity = std::numeric_limits<Number>::infinity();
    return with_specials(operand(dims),
                         {std::numeric_limits<Number>::quiet_NaN(), infinity, -infinity, 0});
  }
  Operand broadcast(const Dims& dims) {
    Operand result = operand(dims);
    for (uint32_t d = 0; d < dims.size(); ++d) {
      if (seldom()) result.repeated |= 1u << d;
    }
    return result;
  }
  DType moved() { return maybe() ? DType::kFloat32 : kAllTypes[below(std::size(kAllTypes))].dtype; }
  Operand movable(const Dims& dims, DType type) {
    if (type == DType::kFloat32) return special(dims);
    Operand result = operand(dims, type);
    if (is_float(type)) return result;
    result.low = std::max(result.low, static_cast<double>(lowest_of(type)));
    result.high = std::min(result.high, static_cast<double>(highest_of(type)));
    return result;
  }

  std::mt19937& engine() { return engine_; }

 private:
  std::mt19937 engine_;
};

// Gives one of three products a residual; it lies as the output does, or by itself.
void add_residual(Draw& draw, OpCase& c) {
  if (draw.below(3) != 0) return;
  if (c.inputs.size() == 2) c.inputs.push_back(absent());
  c.inputs.push_back(draw.maybe() ? c.outputs[0] : draw.operand(c.outputs[0].dims));
}

void conv(Draw& draw, OpCase& c) {
  const uint32_t form = draw.below(3);
  const uint32_t group_channels = form == 0 ? 1 : draw.maybe() ? 4 * draw.from(1, 2) : draw.dim();
  const uint32_t group_outputs = form == 0 && draw.maybe() ? 1 : draw.from(1, 20);
  const uint32_t groups = form == 2 ? 1 : draw.maybe() ? 4 * draw.from(1, 3) : draw.from(1, 3);
  const uint32_t kernel[2] = {draw.from(1, 3), draw.from(1, 3)};
  const bool pointwise = form == 2 && draw.maybe();
  const Dims image = {draw.from(1, 2), groups * group_channels, draw.from(1, 9), draw.from(1, 9)};
  ConvAttributes attributes = {};
  attributes.groups = groups;
  for (uint32_t axis = 0; axis < 2; ++axis) {
    attributes.stride[axis] = pointwise ? 1 : draw.from(1, 2);
    attributes.dilation[axis] = draw.from(1, 2);
    attributes.pad_begin[axis] = pointwise ? 0 : draw.from(0, 2);
  }
  attributes.activation = draw.activation();
  c.attributes = words(attributes);
  Operand weights = draw.operand({groups * group_outputs, group_channels, pointwise ? 1 : kernel[0],
                                  pointwise ? 1 : kernel[1]});
  weights.low = -1;
  weights.high = 1;
  if (groups == 1 && draw.maybe()) {
    weights.order.clear();
    weights.margin = 0;
    weights.layout = Layout::kPanel16;
  }
  c.inputs = {draw.operand(image), weights};
  if (draw.maybe()) c.inputs.push_back(draw.operand({groups * group_outputs}));
  c.outputs = {
      draw.operand({image[0], groups * group_outputs, pointwise ? image[2] : draw.from(1, 6),
                    pointwise ? image[3] : draw.from(1, 17)})};
  add_residual(draw, c);
}

void pointwise_depthwise(Draw& draw, OpCase& c) {
  const Dims image = {draw.from(1, 2), draw.maybe() ? 4 * draw.from(1, 9) : draw.dim(),
                      draw.from(1, 19), draw.from(1, 19)};
  const uint32_t outputs = draw.maybe() ? 4 * draw.from(1, 5) : draw.from(1, 20);
  PointwiseDepthwiseAttributes attributes = {};
  for (uint32_t axis = 0; axis < 2; ++axis) {
    attributes.stride[axis] = draw.from(1, 2);
    attributes.dilation[axis] = draw.seldom() ? 2 : 1;
    attributes.pad_begin[axis] = draw.from(0, 2);
  }
  attributes.activation = draw.activation();
  attributes.inner_activation = draw.activation();
  c.attributes = words(attributes);
  Operand weights = draw.operand({outputs, image[1], 1, 1});
  if (draw.maybe()) {
    weights = tensor(weights.dims);
    weights.layout = Layout::kPanel16;
  }
  const auto vector = [&] { return draw.operand({outputs}); };
  c.inputs = {draw.operand(image), weights, vector(),
              draw.operand({draw.from(1, 5), draw.from(1, 5), outputs}), vector()};
  c.outputs = {draw.operand({image[0], outputs, draw.from(1, 20), draw.from(1, 20)})};
  c.tolerance = 1e-4;
}

void squeeze_excite(Draw& draw, OpCase& c) {
  const uint32_t channels = draw.maybe() ? 4 * draw.from(1, 20) : draw.from(1, 40);
  const Dims image = {draw.from(1, 3), channels, draw.from(1, 19), draw.from(1, 19)};
  const uint32_t rows = draw.seldom() ? draw.from(60, 140) : draw.from(1, 20);
  c.attributes = words(SqueezeExciteAttributes{.inner_activation = draw.activation(),
                                               .gate_activation = draw.activation()});
  c.inputs = {draw.operand(image), draw.operand({2, rows, channels}), draw.operand({rows}),
              draw.operand({channels})};
  c.outputs = {draw.operand(image)};
  c.tolerance = 1e-4;
}

void pool(Draw& draw, OpCase& c) {
  PoolAttributes attributes = {};
  Dims image = {draw.from(1, 2), draw.dim(), draw.from(1, 3), draw.from(1, 7), draw.from(1, 7)};
  Dims out = {image[0], image[1], 0, 0, 0};
  for (uint32_t axis = 0; axis < 3; ++axis) {
    attributes.kernel[axis] = draw.from(1, 3);
    attributes.stride[axis] = draw.from(1, 2);
    attributes.dilation[axis] = draw.from(1, 2);
    attributes.pad_begin[axis] = draw.from(0, 2);
    attributes.pad_end[axis] = draw.from(0, 2);
    out[2 + axis] = draw.from(1, 4);
  }
  attributes.count_include_pad = draw.below(2);
  attributes.p = draw.from(1, 3);
  c.attributes = words(attributes);
  c.inputs = {draw.maybe() ? draw.special(image) : draw.operand(image)};
  c.outputs = {draw.operand(out)};
}

void matmul(Draw& draw, OpCase& c) {
  const uint32_t batch_rank = draw.maybe() ? 0 : draw.from(1, draw.seldom() ? 6 : 3);
  Dims batch = draw.dims(batch_rank);
  if (batch_rank > 3) {
    for (uint32_t& d : batch) d = draw.from(1, 2);
  }
  const uint32_t m = draw.maybe() ? draw.dim() : draw.from(1, 17);
  const uint32_t k = draw.maybe() ? 4 * draw.dim() : draw.from(1, 20);
  const uint32_t n = draw.maybe() ? 4 * draw.dim() : draw.from(1, 35);
  const auto matrix = [&](uint32_t rows, uint32_t columns) {
    Dims dims = batch;
    dims.push_back(rows);
    dims.push_back(columns);
    return dims;
  };
  const uint32_t batch_bits = (1u << batch_rank) - 1;
  MatMulAttributes attributes = {1.0f, 1.0f, draw.activation()};
  if (draw.maybe()) attributes.alpha = draw.number();
  if (draw.maybe()) attributes.beta = draw.number();
  c.attributes = words(attributes);
  Operand b = draw.broadcast(matrix(k, n));
  b.repeated &= batch_bits;
  if (draw.maybe()) {
    b = tensor(matrix(k, n));
    for (uint32_t d = 0; d < batch_rank; ++d) b.dims[d] = 1;
    b.layout = Layout::kPanel16;
  }
  Operand a = draw.broadcast(matrix(m, k));
  a.repeated &= batch_bits;
  c.inputs = {a, b};
  if (draw.maybe()) c.inputs.push_back(draw.broadcast(matrix(m, n)));
  c.outputs = {draw.operand(matrix(m, n))};
  add_residual(draw, c);
}

// Floats stay as drawn.
Operand of_type(Operand operand, DType type) {
  if (type == DType::kFloat32) return operand;
  operand.dtype = type;
  operand.specials.clear();
  if (type == DType::kBool) return ranged(std::move(operand), 0, 1);
  if (type == DType::kUint32) {
    operand.specials = {0, 1, 31, 32, 4294967295.0L};
    return ranged(std::move(operand), 0, 9);
  }
  // Numbers from the whole range are seldom equal, or small enough to multiply.
  operand.specials = {0, 1, -1, 2147483647, -2147483648.0L};
  return ranged(std::move(operand), -9, 9);
}

// One of the types that shaders know and the operator takes.
DType element_type(Draw& draw, Op op) {
  std::vector<DType> types;
  for (const DType type : {DType::kFloat32, DType::kInt32, DType::kBool}) {
    if (has(find_contract(op)->types, type)) types.push_back(type);
  }
  if (types.empty()) types.push_back(DType::kUint32);
  return types[draw.below(static_cast<uint32_t>(types.size()))];
}

void binary(Draw& draw, OpCase& c) {
  const Dims dims = draw.dims(draw.below(9));
  const DType type = element_type(draw, c.op);
  const bool to_bool = find_contract(c.op)->outputs[0] == OperandType::kBool;
  BinaryAttributes attributes = {};
  if (type == DType::kFloat32 && !to_bool) attributes.activation = draw.activation();
  if (c.op == Op::kMod) attributes.truncated = type == DType::kFloat32 || draw.maybe();
  c.attributes = words(attributes);
  Operand divisor = draw.broadcast(dims);
  if (c.op == Op::kDiv) {
    divisor.low = 0.5;
    divisor.high = 2;
  }
  const DType exponent = c.op == Op::kPow && draw.maybe() ? DType::kInt32 : type;
  c.inputs = {of_type(draw.maybe() ? draw.special(dims) : draw.broadcast(dims), type),
              of_type(divisor, exponent)};
  c.outputs = {of_type(draw.operand(dims), to_bool ? DType::kBool : type)};
}

void where(Draw& draw, OpCase& c) {
  const Dims dims = draw.dims(draw.below(9));
  const DType type = element_type(draw, c.op);
  c.inputs = {of_type(draw.broadcast(dims), DType::kBool), of_type(draw.broadcast(dims), type),
              of_type(draw.special(dims), type)};
  c.outputs = {of_type(draw.operand(dims), type)};
}

// The range that the family's own cases take.
Operand in_usual_range(Operand operand, Op op) {
  const std::vector<OpCase>& cases = all_cases();
  const auto first =
      std::find_if(cases.begin(), cases.end(), [op](const OpCase& c) { return c.op == op; });
  return ranged(std::move(operand), first->inputs[0].low, first->inputs[0].high);
}

void unary(Draw& draw, OpCase& c) {
  const Dims dims = draw.dims(draw.below(9));
  c.attributes = words(UnaryAttributes{0.3f, 0.45f});
  const DType type = element_type(draw, c.op);
  c.inputs = {of_type(in_usual_range(draw.special(dims), c.op), type)};
  c.outputs = {of_type(draw.operand(dims), type)};
}

void clip(Draw& draw, OpCase& c) {
  const Dims dims = draw.dims(draw.below(9));
  const DType type = draw.maybe() ? DType::kInt32 : DType::kFloat32;
  c.attributes = words(ClipAttributes{-0.75f, 1.25f});
  c.inputs = {draw.movable(dims, type)};
  c.outputs = {draw.operand(dims, type)};
  if (draw.maybe()) return;
  c.inputs.push_back(draw.maybe() ? absent() : with_values(tensor({}, type), {-1}));
  if (draw.maybe()) c.inputs.push_back(with_values(tensor({}, type), {1}));
}

void copy(Draw& draw, OpCase& c) {
  const Dims dims = draw.dims(draw.below(9));
  const DType type = draw.moved();
  c.inputs = {draw.movable(dims, type)};
  c.outputs = {draw.operand(dims, type)};
}

// Draws the input, and gives a mask of axes and the dims with those reduced.
uint32_t rows(Draw& draw, OpCase& c, Dims& reduced) {
  const uint32_t rank = draw.from(1, 8);
  Dims dims = draw.dims(rank);
  const uint32_t axes = draw.below(1u << rank);
  if (rank < 5 && draw.maybe()) dims[draw.below(rank)] = draw.from(60, 400);
  c.inputs = {draw.seldom() ? draw.special(dims) : draw.operand(dims)};
  reduced = dims;
  for (uint32_t d = 0; d < rank; ++d) reduced[d] = (axes >> d & 1u) != 0 ? 1 : dims[d];
  return axes;
}

void softmax(Draw& draw, OpCase& c) {
  Dims reduced;
  c.attributes = words(SoftmaxAttributes{rows(draw, c, reduced)});
  c.outputs = {draw.operand(c.inputs[0].dims)};
}

void arg(Draw& draw, OpCase& c) {
  Dims reduced;
  const uint32_t axes = rows(draw, c, reduced);
  c.attributes = words(ArgAttributes{axes, draw.below(2)});
  if (draw.maybe()) {
    c.inputs[0] = draw.operand(c.inputs[0].dims, DType::kInt32);
    c.inputs[0].low = -3;
    c.inputs[0].high = 3;
  }
  c.outputs = {draw.operand(reduced, DType::kInt64)};
}

void reduce(Draw& draw, OpCase& c) {
  if (c.op == Op::kArgMax || c.op == Op::kArgMin) return arg(draw, c);
  Dims reduced;
  c.attributes = words(ReduceAttributes{rows(draw, c, reduced)});
  const DType type = element_type(draw, c.op);
  c.inputs[0] = of_type(in_usual_range(c.inputs[0], c.op), type);
  c.outputs = {of_type(draw.operand(reduced), type)};
}

void concat(Draw& draw, OpCase& c) {
  const uint32_t rank = draw.from(1, 8);
  const uint32_t axis = draw.below(rank);
  Dims dims = draw.dims(rank);
  const DType type = draw.moved();
  c.attributes = words(ConcatAttributes{axis});
  uint32_t along = 0;
  for (uint32_t i = draw.from(1, 4); i > 0; --i) {
    dims[axis] = draw.below(5);
    along += dims[axis];
    c.inputs.push_back(draw.movable(dims, type));
  }
  dims[axis] = along;
  c.outputs = {draw.operand(dims, type)};
}

void pad(Draw& draw, OpCase& c) {
  const Dims dims = draw.dims(draw.below(9));
  const DType type = draw.moved();
  Dims out = dims;
  PadAttributes attributes = {};
  for (uint32_t d = 0; d < dims.size(); ++d) {
    const int32_t begin = static_cast<int32_t>(draw.below(5)) - 2;
    const int32_t end = static_cast<int32_t>(draw.below(5)) - 2;
    const int32_t size = static_cast<int32_t>(dims[d]) + begin + end;
    attributes.begin[d] = draw.maybe() && size > 0 ? begin : 0;
    if (attributes.begin[d] == begin && size > 0) out[d] = static_cast<uint32_t>(size);
  }
  attributes.value_bits[0] = 0x40490fdb;
  c.attributes = words(attributes);
  c.inputs = {draw.movable(dims, type)};
  if (draw.maybe()) c.inputs.push_back(with_values(tensor({}, type), {1}));
  c.outputs = {draw.operand(out, type)};
}

void slice(Draw& draw, OpCase& c) {
  const Dims dims = draw.dims(draw.below(9));
  const DType type = draw.moved();
  Dims out = dims;
  SliceAttributes attributes = {};
  for (uint32_t d = 0; d < 8; ++d) attributes.step[d] = 1;
  for (uint32_t d = 0; d < dims.size(); ++d) {
    const uint32_t step = draw.from(1, 3);
    const uint32_t start = draw.below(dims[d]);
    const bool back = draw.maybe();
    attributes.start[d] = static_cast<int32_t>(start);
    attributes.step[d] = back ? -static_cast<int32_t>(step) : static_cast<int32_t>(step);
    out[d] = (back ? start : dims[d] - 1 - start) / step + 1;
  }
  c.attributes = words(attributes);
  c.inputs = {draw.movable(dims, type)};
  c.outputs = {draw.operand(out, type)};
}

void gather(Draw& draw, OpCase& c) {
  const Dims data = draw.dims(draw.from(1, 5));
  const Dims picks = draw.dims(draw.below(4));
  const uint32_t axis = draw.below(static_cast<uint32_t>(data.size()));
  const DType type = draw.moved();
  Dims out(data.begin(), data.begin() + axis);
  out.insert(out.end(), picks.begin(), picks.end());
  out.insert(out.end(), data.begin() + axis + 1, data.end());
  Operand indices = draw.operand(picks, draw.maybe() ? DType::kInt32 : DType::kInt64);
  // Indices outside clamp: nothing but a crash or stray bytes can be wrong then.
  const uint32_t beyond = draw.seldom() ? 5 : 0;
  indices.low = -static_cast<double>(data[axis] + beyond);
  indices.high = static_cast<double>(data[axis] - 1 + beyond);
  c.attributes = words(GatherAttributes{axis});
  c.inputs = {draw.movable(data, type), indices};
  c.outputs = {draw.operand(out, type)};
}

void batch_normalization(Draw& draw, OpCase& c) {
  const Dims dims = draw.dims(draw.from(2, 8));
  const Dims channels = {dims[1]};
  c.attributes = words(BatchNormalizationAttributes{1e-3f, 0.9f, 0});
  Operand variance = draw.operand(channels);
  variance.low = 0.1;
  variance.high = 4;
  c.inputs = {draw.operand(dims), draw.operand(channels), draw.operand(channels),
              draw.operand(channels), variance};
  c.outputs = {draw.operand(dims)};
}

void cast(Draw& draw, OpCase& c) {
  const Dims dims = draw.dims(draw.below(9));
  constexpr DType kTypes[] = {DType::kFloat32, DType::kInt32, DType::kBool};
  const DType from = kTypes[draw.below(3)], to = kTypes[draw.below(3)];
  Operand x = from == DType::kBool ? of_type(draw.operand(dims), from) : draw.movable(dims, from);
  if (from != DType::kBool && !draw.seldom()) {
    x.low = from == DType::kInt32 ? -2147483647 : -3e9;
    x.high = from == DType::kInt32 ? 2147483647 : 3e9;
  }
  c.inputs = {x};
  c.outputs = {of_type(draw.operand(dims), to)};
}

// Whether the operator is one of quantized values, whose cases say what their operands hold.
bool of_integers(const OpCase& c) {
  return (find_contract(c.op)->types & types::kFloatOrDouble) == 0;
}

bool is_plain(const OpCase& c) {
  constexpr uint64_t kElementsMax = 4096;
  const auto plain = [&](const Operand& operand) {
    const uint64_t count = count_of(operand.dims);
    // Operands given element by element may have any type; indices are drawn as the case says.
    const bool drawn = operand.dtype == DType::kFloat32 || operand.dtype == DType::kInt32 ||
                       operand.dtype == DType::kInt64 || !operand.values.empty() || of_integers(c);
    return operand.absent ||
           (drawn && count != 0 && count <= kElementsMax && operand.layout == Layout::kStrided);
  };
  return std::all_of(c.inputs.begin(), c.inputs.end(), plain) &&
         std::all_of(c.outputs.begin(), c.outputs.end(), plain);
}

// Whether all operands that are no indices are floats.
bool of_floats(const OpCase& c) {
  const Contract& contract = *find_contract(c.op);
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    const bool floats = c.inputs[i].dtype == DType::kFloat32;
    if (contract.inputs[std::min<size_t>(i, 2)] == OperandType::kT && !floats) return false;
  }
  return true;
}

// One of the operator's own cases, its operands laid out anew.
void written_case(Draw& draw, OpCase& c) {
  std::vector<const OpCase*> plain;
  for (const OpCase& written : all_cases()) {
    if (written.op != c.op || !is_plain(written)) continue;
    // Wider attention and larger windows are the CPU's.
    const bool wide = c.op == Op::kAttention && written.outputs[0].dims.back() > kAttentionWidthMax;
    const bool large = c.op == Op::kQuantizedPointwiseDepthwise &&
                       written.inputs[3].dims[0] * written.inputs[3].dims[1] > kTapsMax;
    if ((of_floats(written) || of_integers(written)) && !wide && !large) plain.push_back(&written);
  }
  if (plain.empty()) throw std::logic_error(std::string("no random cases of ") + op_name(c.op));
  const OpCase& written = *plain[draw.below(static_cast<uint32_t>(plain.size()))];
  c.attributes = written.attributes;
  c.tolerance = written.tolerance;
  for (const Operand& operand : written.inputs) c.inputs.push_back(draw.laid_out(operand));
  for (const Operand& operand : written.outputs) c.outputs.push_back(draw.laid_out(operand));
}

void draw_case(Draw& draw, OpCase& c) {
  switch (c.op) {
#define ARENITE_OP_unary(number, name, Type, set) \
  case Op::k##Type:                               \
    return unary(draw, c);
#define ARENITE_OP_binary(number, name, Type, set) \
  case Op::k##Type:                                \
    return binary(draw, c);
#define ARENITE_OP_reduce(number, name, Type, set) \
  case Op::k##Type:                                \
    return reduce(draw, c);
#define ARENITE_OP_pool(number, name, Type, set) \
  case Op::k##Type:                              \
    return pool(draw, c);
#define ARENITE_OP_softmax(number, name, Type, set) \
  case Op::k##Type:                                 \
    return softmax(draw, c);
#include "schema/ops.def"
    case Op::kBatchNormalization:
      return batch_normalization(draw, c);
    case Op::kCast:
      return cast(draw, c);
    case Op::kClip:
      return clip(draw, c);
    case Op::kConcat:
      return concat(draw, c);
    case Op::kConv:
      return conv(draw, c);
    case Op::kCopy:
      return copy(draw, c);
    case Op::kGather:
      return gather(draw, c);
    case Op::kMatMul:
      return matmul(draw, c);
    case Op::kPad:
      return pad(draw, c);
    case Op::kPointwiseDepthwise:
      return pointwise_depthwise(draw, c);
    case Op::kSqueezeExcite:
      return squeeze_excite(draw, c);
    case Op::kSlice:
      return slice(draw, c);
    case Op::kWhere:
      return where(draw, c);
    default:
      return written_case(draw, c);
  }
}

}  // namespace

std::vector<OpCase> random_cases(Op op, uint32_t count, uint32_t seed) {
  std::vector<OpCase> cases(count);
  for (uint32_t i = 0; i < count; ++i) {
    OpCase& c = cases[i];
    c.op = op;
    c.seed = seed + i;
    c.name = "random_" + std::to_string(seed + i);
    Draw draw(c.seed * 2654435761u + static_cast<uint32_t>(op));
    draw_case(draw, c);
  }
  return cases;
}

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
