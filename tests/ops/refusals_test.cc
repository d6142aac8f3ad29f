// Each check must refuse operands and attributes that its kernel cannot carry out.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <type_traits>

#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "tests/ops/case_step.h"
#include "tests/ops/cases.h"
#include "tests/ops/harness.h"

namespace arenite::ops_test {
namespace {

Code check(const CaseStep& step) {
  const Bindings bindings = step.bindings();
  const Step at(bindings, step.record(), 0);
  return check_contract(at, *find_contract(at.op())).code;
}

using Break = std::function<void(CaseStep& step)>;

struct Refusal {
  const char* name;
  Op op;
  const char* base;
  Code expected;
  Break break_it;
};

// Changes the step's attributes of struct A.
template <typename A, typename F>
Break changed(F change) {
  return [change](CaseStep& step) {
    A attributes;
    std::memcpy(&attributes, step.attributes().data(), sizeof(A));
    change(attributes);
    std::memcpy(step.attributes().data(), &attributes, sizeof(A));
  };
}
template <typename A, typename T>
Break field(T A::*member, std::type_identity_t<T> value) {
  return changed<A>([=](A& attributes) { attributes.*member = value; });
}
template <typename A, typename T, size_t n>
Break field(T (A::*member)[n], size_t i, std::type_identity_t<T> value) {
  return changed<A>([=](A& attributes) { (attributes.*member)[i] = value; });
}
Break dim(uint32_t value, uint32_t d, uint32_t size) {
  return [=](CaseStep& step) { step.shape(value)[d] = size; };
}
Break rank(uint32_t value, uint8_t rank) {
  return [=](CaseStep& step) { step.value(value).rank = rank; };
}
Break dtype(uint32_t value, DType type) {
  return [=](CaseStep& step) { step.value(value).dtype = static_cast<uint8_t>(type); };
}
// Makes the value a view: if it owned its bytes, the loader would have counted them before.
Break bytes_less(uint32_t value, uint32_t less) {
  return [=](CaseStep& step) {
    step.value(value).bytes -= less;
    step.value(value).kind = static_cast<uint8_t>(format::ValueKind::kView);
    step.value(value).below_or_root = value;
  };
}
Break outputs(uint8_t count) {
  return [=](CaseStep& step) {
    step.mutable_record().input_count =
        static_cast<uint16_t>(step.mutable_record().input_count - (count - 1));
    step.mutable_record().output_count = count;
  };
}

// Values of cases without absent operands are numbered inputs first, then outputs.
std::vector<Refusal> refusals() {
  constexpr uint32_t kHuge = 0x80000000u;
  const auto attribute = Code::kBadAttribute;
  const auto shape = Code::kBadShape;
  const auto type = Code::kBadType;
  using Conv = ConvAttributes;
  using Pool = PoolAttributes;
  using Quantized = QuantizedConvAttributes;
  using Joined = QuantizedPointwiseDepthwiseAttributes;
  using Added = QuantizedConvAddAttributes;
  using Excited = QuantizedExciteAttributes;
  return {
      {"zero_groups", Op::kConv, "groups_of_two", attribute, field(&Conv::groups, 0)},
      {"groups", Op::kConv, "groups_of_two", attribute, field(&Conv::groups, 2)},
      {"fewer_groups", Op::kConv, "groups_of_two", shape, field(&Conv::groups, 1)},
      {"zero_stride", Op::kConv, "square3", attribute, field(&Conv::stride, 1, 0)},
      {"huge_stride", Op::kConv, "square3", attribute, field(&Conv::stride, 0, kHuge)},
      {"zero_dilation", Op::kConv, "square3", attribute, field(&Conv::dilation, 0, 0)},
      {"huge_dilation", Op::kConv, "square3", attribute, field(&Conv::dilation, 1, 0x55555556u)},
      {"huge_pad", Op::kConv, "square3", attribute, field(&Conv::pad_begin, 0, 0xffffffffu)},
      {"activation", Op::kConv, "clip", attribute,
       changed<Conv>([](auto& a) { a.activation.kind = static_cast<ActivationKind>(6); })},
      {"input_channels", Op::kConv, "square3", shape, dim(0, 1, 2)},
      {"weight_channels", Op::kConv, "square3", shape, dim(1, 1, 2)},
      {"bias_size", Op::kConv, "square3", shape, dim(2, 0, 16)},
      {"residual_dims", Op::kConv, "square3_residual", shape, dim(3, 2, 8)},
      {"output_channels", Op::kConv, "square3", shape, dim(3, 1, 16)},
      {"images", Op::kConv, "pointwise_prime", shape, dim(3, 0, 1)},
      {"input_rank", Op::kConv, "square3", shape, rank(0, 3)},
      {"weight_rank", Op::kConv, "square3", shape, rank(1, 3)},
      {"bias_rank", Op::kConv, "square3", shape, rank(2, 0)},
      {"float64_bias", Op::kConv, "square3", type, dtype(2, DType::kFloat64)},
      {"panels_short", Op::kConv, "square3_panels", Code::kBadRange, bytes_less(1, 4)},
      {"panels_in_groups", Op::kConv, "depthwise", Code::kBadLayout,
       [](CaseStep& s) { s.value(1).layout = 1; }},
      {"shared_input", Op::kConv, "square3", shape, bytes_less(0, 4)},
      {"shared_weights", Op::kConv, "square3", shape, bytes_less(1, 4)},
      {"pointwise_window", Op::kPointwiseDepthwise, "threes", shape, dim(1, 2, 2)},
      {"taps_channels", Op::kPointwiseDepthwise, "threes", shape, dim(3, 2, 15)},
      {"taps_rank", Op::kPointwiseDepthwise, "threes", shape, rank(3, 2)},
      {"taps_short", Op::kPointwiseDepthwise, "threes", shape, bytes_less(3, 4)},
      {"taps_bias_size", Op::kPointwiseDepthwise, "threes", shape, dim(4, 0, 15)},
      {"half_taps", Op::kPointwiseDepthwise, "threes", type, dtype(3, DType::kFloat16)},
      {"taps_stride", Op::kPointwiseDepthwise, "threes", attribute,
       field(&PointwiseDepthwiseAttributes::stride, 1, 0)},
      {"taps_pad", Op::kPointwiseDepthwise, "threes", attribute,
       field(&PointwiseDepthwiseAttributes::pad_begin, 0, kHuge)},
      {"inner_activation", Op::kPointwiseDepthwise, "threes", attribute,
       changed<PointwiseDepthwiseAttributes>(
           [](auto& a) { a.inner_activation.kind = static_cast<ActivationKind>(6); })},
      {"gate_rank", Op::kSqueezeExcite, "usual", shape, rank(0, 3)},
      {"gate_weights_rank", Op::kSqueezeExcite, "usual", shape, rank(1, 2)},
      {"gate_weights", Op::kSqueezeExcite, "usual", shape, dim(1, 0, 1)},
      {"gate_weights_channels", Op::kSqueezeExcite, "usual", shape, dim(1, 2, 23)},
      {"gate_rows", Op::kSqueezeExcite, "usual", shape, dim(1, 1, kSqueezeRowsMax + 1)},
      {"gate_weights_short", Op::kSqueezeExcite, "usual", shape, bytes_less(1, 4)},
      {"gate_hidden_bias", Op::kSqueezeExcite, "usual", shape, dim(2, 0, 5)},
      {"gate_bias", Op::kSqueezeExcite, "usual", shape, dim(3, 0, 23)},
      {"gate_result", Op::kSqueezeExcite, "usual", shape, dim(4, 1, 23)},
      {"gate_bias_type", Op::kSqueezeExcite, "usual", type, dtype(3, DType::kFloat16)},
      {"gate_inner_activation", Op::kSqueezeExcite, "usual", attribute,
       changed<SqueezeExciteAttributes>(
           [](auto& a) { a.inner_activation.kind = static_cast<ActivationKind>(6); })},
      {"gate_activation", Op::kSqueezeExcite, "usual", attribute,
       changed<SqueezeExciteAttributes>(
           [](auto& a) { a.gate_activation.kind = static_cast<ActivationKind>(6); })},
      {"pool_stride", Op::kMaxPool, "square2", attribute, field(&Pool::stride, 2, 0)},
      {"pool_kernel", Op::kMaxPool, "square2", attribute, field(&Pool::kernel, 0, 0)},
      {"pool_huge_kernel", Op::kMaxPool, "square2", attribute, field(&Pool::kernel, 1, kHuge)},
      {"pool_pad_end", Op::kAveragePool, "square2", attribute, field(&Pool::pad_end, 2, kHuge)},
      {"pool_dilation", Op::kAveragePool, "square2", attribute, field(&Pool::dilation, 2, 0)},
      {"pool_rank", Op::kMaxPool, "square2", shape, rank(0, 4)},
      {"pool_channels", Op::kMaxPool, "square2", shape, dim(1, 1, 15)},
      {"pool_type", Op::kAveragePool, "square2", type, dtype(0, DType::kInt8)},
      {"pool_int16", Op::kMaxPool, "square2", type, dtype(0, DType::kInt16)},
      {"indices_type", Op::kMaxPool, "square2_indices", type, dtype(2, DType::kFloat64)},
      {"indices_dims", Op::kMaxPool, "square2_indices", shape, dim(2, 4, 3)},
      {"inner", Op::kMatMul, "prime", shape, dim(1, 0, 12)},
      {"columns", Op::kMatMul, "prime", shape, dim(1, 1, 18)},
      {"rows", Op::kMatMul, "prime", shape, dim(0, 0, 6)},
      {"batch", Op::kMatMul, "batches", shape, dim(1, 0, 2)},
      {"batch_of_panels", Op::kMatMul, "broadcast_b_panels", shape, dim(1, 0, 2)},
      {"matmul_panels_short", Op::kMatMul, "prime_panels", Code::kBadRange, bytes_less(1, 4)},
      {"matmul_rank", Op::kMatMul, "prime", shape, rank(2, 1)},
      {"c_dims", Op::kMatMul, "c", shape, dim(2, 0, 4)},
      {"matmul_activation", Op::kMatMul, "clip", attribute, changed<MatMulAttributes>([](auto& a) {
         a.activation.kind = static_cast<ActivationKind>(9);
       })},
      {"add_dims", Op::kAdd, "image", shape, dim(1, 1, 4)},
      {"add_types", Op::kAdd, "image", type, dtype(1, DType::kInt32)},
      {"int_activation", Op::kMul, "int32", attribute,
       changed<BinaryAttributes>([](auto& a) { a.activation.kind = ActivationKind::kClip; })},
      {"bool_div", Op::kDiv, "uint8", type,
       [](CaseStep& s) {
         for (uint32_t i = 0; i < 3; ++i) s.value(i).dtype = static_cast<uint8_t>(DType::kBool);
       }},
      {"truncated_sum", Op::kAdd, "image", attribute, field(&BinaryAttributes::truncated, 1)},
      {"floored_float", Op::kMod, "image", attribute, field(&BinaryAttributes::truncated, 0)},
      {"truncated_twice", Op::kMod, "int32", attribute, field(&BinaryAttributes::truncated, 2)},
      {"bool_exponent", Op::kPow, "float32_uint8", type, dtype(1, DType::kBool)},
      {"other_result", Op::kPow, "float32_int32", type, dtype(2, DType::kInt32)},
      {"number_as_condition", Op::kWhere, "uint8", type, dtype(0, DType::kUint8)},
      {"choices", Op::kWhere, "image", type, dtype(2, DType::kInt32)},
      {"condition_dims", Op::kWhere, "image", shape, dim(0, 1, 4)},
      {"choice_dims", Op::kWhere, "image", shape, dim(2, 1, 4)},
      {"bound_size", Op::kClip, "float32", shape,
       [](CaseStep& s) {
         s.value(1).rank = 2;
         s.value(1).shape = s.value(0).shape;
       }},
      {"bound_type", Op::kClip, "float32", type, dtype(2, DType::kInt32)},
      {"sigmoid_type", Op::kSigmoid, "vector", type, dtype(0, DType::kInt32)},
      {"hard_sigmoid_dims", Op::kHardSigmoid, "vector", shape, dim(0, 0, 60)},
      {"softmax_axes", Op::kSoftmax, "rows", attribute, field(&SoftmaxAttributes::axes, 4)},
      {"mean_axes", Op::kReduceMean, "inner", attribute, field(&ReduceAttributes::axes, 1u << 31)},
      {"mean_dims", Op::kReduceMean, "inner", shape, field(&ReduceAttributes::axes, 1)},
      {"mean_shared", Op::kReduceMean, "inner", shape, bytes_less(0, 4)},
      {"sum_of_bytes", Op::kReduceSum, "inner", type,
       [](CaseStep& s) {
         for (uint32_t i = 0; i < 2; ++i) s.value(i).dtype = static_cast<uint8_t>(DType::kInt8);
       }},
      {"place_type", Op::kArgMax, "inner", type, dtype(1, DType::kInt32)},
      {"place_of_none", Op::kArgMax, "inner", shape, dim(0, 1, 0)},
      {"place_order", Op::kArgMin, "inner", attribute, field(&ArgAttributes::select_last, 2)},
      {"norm_of_0", Op::kLpPool, "square2_p1", attribute, field(&Pool::p, 0)},
      {"concat_axis", Op::kConcat, "outer", attribute, field(&ConcatAttributes::axis, 2)},
      {"concat_sum", Op::kConcat, "outer", shape, dim(0, 0, 3)},
      {"concat_other", Op::kConcat, "outer", shape, dim(1, 1, 4)},
      {"concat_sum_wraps", Op::kConcat, "outer", shape,
       [](CaseStep& s) {
         s.shape(0)[0] = 0xfffffffeu;
         s.shape(1)[0] = 8;
       }},
      {"pad_rank", Op::kPad, "image", shape, rank(0, 3)},
      {"pad_value_type", Op::kPad, "image_operand", type, dtype(1, DType::kInt32)},
      {"pad_mode", Op::kPad, "image_reflect", attribute,
       field(&PadAttributes::mode, static_cast<PadMode>(4))},
      {"pad_mode_crops", Op::kPad, "image_reflect", attribute, field(&PadAttributes::begin, 2, -1)},
      {"pad_mode_beyond", Op::kPad, "image_wrap", shape, field(&PadAttributes::begin, 2, 4)},
      {"pad_mode_of_nothing", Op::kPad, "image_edge", shape, dim(0, 1, 0)},
      {"pad_mode_and_value", Op::kPad, "image_operand", Code::kBadOperandCount,
       field(&PadAttributes::mode, PadMode::kEdge)},
      {"transposed_groups", Op::kConvTranspose, "groups_of_two", attribute,
       field(&ConvTransposeAttributes::groups, 0)},
      {"transposed_stride", Op::kConvTranspose, "square3", attribute,
       field(&ConvTransposeAttributes::stride, 1, 0)},
      {"transposed_dilation", Op::kConvTranspose, "square3", attribute,
       field(&ConvTransposeAttributes::dilation, 2, 0x55555556u)},
      {"transposed_pad", Op::kConvTranspose, "square3", attribute,
       field(&ConvTransposeAttributes::pad_begin, 0, 0xffffffffu)},
      {"transposed_channels", Op::kConvTranspose, "square3", shape, dim(1, 1, 2)},
      {"transposed_bias", Op::kConvTranspose, "square3", shape, dim(2, 0, 16)},
      {"transposed_outputs", Op::kConvTranspose, "square3", shape, dim(3, 1, 16)},
      {"transposed_rank", Op::kConvTranspose, "square3", shape, rank(0, 4)},
      {"transposed_panels_short", Op::kConvTranspose, "square3_panels", Code::kBadRange,
       bytes_less(1, 4)},
      {"quantized_groups", Op::kQuantizedConv, "groups_of_two", attribute,
       field(&Quantized::groups, 0)},
      {"quantized_stride", Op::kQuantizedConv, "square3", attribute,
       field(&Quantized::stride, 1, 0)},
      {"quantized_pad", Op::kQuantizedConv, "square3", attribute,
       field(&Quantized::pad_begin, 0, 0xffffffffu)},
      {"quantized_rounding", Op::kQuantizedConv, "square3", attribute,
       changed<Quantized>([](auto& a) { a.output.rounding = static_cast<Rounding>(4); })},
      {"quantized_limit", Op::kQuantizedConv, "square3", attribute,
       changed<Quantized>([](auto& a) { a.output.high = 128; })},
      {"quantized_x_zero_point", Op::kQuantizedConv, "square3", attribute,
       field(&Quantized::x_zero_point, -129)},
      {"quantized_w_zero_point", Op::kQuantizedConv, "square3", attribute,
       field(&Quantized::w_zero_point, 128)},
      {"quantized_outside", Op::kQuantizedConv, "square3", attribute,
       field(&Quantized::outside, 1000)},
      {"quantized_float", Op::kQuantizedConv, "square3", type, dtype(0, DType::kFloat32)},
      {"quantized_int16_weights", Op::kQuantizedConv, "square3", type, dtype(1, DType::kInt16)},
      {"quantized_wide_bias", Op::kQuantizedConv, "square3", type, dtype(2, DType::kInt64)},
      {"quantized_bias", Op::kQuantizedConv, "square3", shape, dim(2, 0, 17)},
      {"quantized_multipliers", Op::kQuantizedConv, "square3", shape, dim(3, 0, 17)},
      {"quantized_shifts_type", Op::kQuantizedConv, "square3", type, dtype(4, DType::kInt32)},
      {"quantized_shifts_alone", Op::kQuantizedConv, "square3", Code::kBadOperandCount,
       [](CaseStep& s) { s.operands()[3] = kNoIndex; }},
      {"quantized_sums_type", Op::kQuantizedConv, "square3_sums", type, dtype(3, DType::kInt8)},
      {"quantized_result_type", Op::kQuantizedConv, "square3", type, dtype(5, DType::kInt32)},
      {"quantized_zero_point_type", Op::kQuantizedConv, "square3_x_w", type,
       dtype(5, DType::kUint8)},
      {"quantized_zero_points", Op::kQuantizedConv, "square3_x_w", shape, dim(6, 0, 17)},
      {"quantized_transposed_dilation", Op::kQuantizedConvTranspose, "square3", attribute,
       field(&QuantizedConvTransposeAttributes::dilation, 2, 0x55555556u)},
      {"quantized_transposed_limit", Op::kQuantizedConvTranspose, "square3", attribute,
       changed<QuantizedConvTransposeAttributes>([](auto& a) { a.output.low = -129; })},
      {"joined_window", Op::kQuantizedPointwiseDepthwise, "threes", shape, dim(1, 2, 2)},
      {"joined_ends", Op::kQuantizedPointwiseDepthwise, "threes", shape, dim(2, 0, 2)},
      {"joined_ends_rank", Op::kQuantizedPointwiseDepthwise, "threes", shape, rank(2, 1)},
      {"joined_ends_type", Op::kQuantizedPointwiseDepthwise, "threes", type,
       dtype(2, DType::kFloat32)},
      {"joined_taps_channels", Op::kQuantizedPointwiseDepthwise, "threes", shape, dim(3, 2, 15)},
      {"joined_taps_type", Op::kQuantizedPointwiseDepthwise, "threes", type,
       dtype(3, DType::kInt16)},
      {"joined_taps_ends", Op::kQuantizedPointwiseDepthwise, "threes", shape, bytes_less(4, 4)},
      {"joined_weights_type", Op::kQuantizedPointwiseDepthwise, "threes", type,
       dtype(1, DType::kInt16)},
      {"joined_result_type", Op::kQuantizedPointwiseDepthwise, "threes", type,
       dtype(5, DType::kInt16)},
      {"joined_stride", Op::kQuantizedPointwiseDepthwise, "threes", attribute,
       field(&Joined::stride, 1, 0)},
      {"joined_tables", Op::kQuantizedPointwiseDepthwise, "threes_tables", shape, dim(5, 0, 1)},
      {"joined_tables_length", Op::kQuantizedPointwiseDepthwise, "threes_tables", shape,
       dim(5, 1, 255)},
      {"joined_tables_type", Op::kQuantizedPointwiseDepthwise, "threes_tables", type,
       dtype(5, DType::kUint8)},
      {"joined_tables_inner", Op::kQuantizedPointwiseDepthwise, "threes_tables", attribute,
       changed<Joined>([](auto& a) { a.inner.high = 128; })},
      {"joined_zero_point", Op::kQuantizedPointwiseDepthwise, "threes", attribute,
       field(&Joined::x_zero_point, 128)},
      {"joined_taps_zero_point", Op::kQuantizedPointwiseDepthwise, "threes", attribute,
       field(&Joined::taps_zero_point, -129)},
      {"joined_inner_limits", Op::kQuantizedPointwiseDepthwise, "threes", attribute,
       changed<Joined>([](auto& a) { a.inner.low = -32769; })},
      {"joined_limits", Op::kQuantizedPointwiseDepthwise, "threes", attribute,
       changed<Joined>([](auto& a) { a.output.high = 128; })},
      {"added_window", Op::kQuantizedConvAdd, "windows", attribute,
       changed<Added>([](auto& a) { a.conv.stride[1] = 0; })},
      {"added_groups", Op::kQuantizedConvAdd, "windows", attribute,
       changed<Added>([](auto& a) { a.conv.groups = 3; })},
      {"added_weights_type", Op::kQuantizedConvAdd, "windows", type, dtype(1, DType::kInt16)},
      {"added_ends", Op::kQuantizedConvAdd, "windows", shape, dim(2, 0, 2)},
      {"added_ends_rank", Op::kQuantizedConvAdd, "windows", shape, rank(2, 1)},
      {"added_ends_type", Op::kQuantizedConvAdd, "windows", type, dtype(2, DType::kFloat32)},
      {"added_ends_short", Op::kQuantizedConvAdd, "windows", shape, bytes_less(2, 4)},
      {"added_residual", Op::kQuantizedConvAdd, "windows", shape, dim(3, 1, 7)},
      {"added_residual_type", Op::kQuantizedConvAdd, "windows", type, dtype(3, DType::kInt8)},
      {"added_result_type", Op::kQuantizedConvAdd, "windows", type, dtype(4, DType::kInt8)},
      {"added_zero_point", Op::kQuantizedConvAdd, "windows", attribute,
       changed<Added>([](auto& a) { a.conv.outside = 256; })},
      {"added_conv_limits", Op::kQuantizedConvAdd, "windows", attribute,
       changed<Added>([](auto& a) { a.conv.output.low = -1; })},
      {"added_limits", Op::kQuantizedConvAdd, "windows", attribute,
       changed<Added>([](auto& a) { a.sum.output.high = 256; })},
      {"added_shift", Op::kQuantizedConvAdd, "windows", attribute,
       changed<Added>([](auto& a) { a.sum.left_shift = 32; })},
      {"table_ends", Op::kQuantizedConvLookup, "windows", shape, dim(2, 1, 7)},
      {"table_window", Op::kQuantizedConvLookup, "windows", attribute,
       field(&Quantized::stride, 0, 0)},
      {"table_length", Op::kQuantizedConvLookup, "windows", shape, dim(3, 0, 255)},
      {"table_rank", Op::kQuantizedConvLookup, "windows", shape, rank(3, 2)},
      {"table_type", Op::kQuantizedConvLookup, "windows", type, dtype(3, DType::kInt8)},
      {"table_result_type", Op::kQuantizedConvLookup, "windows", type, dtype(4, DType::kInt8)},
      {"excited_rank", Op::kQuantizedExcite, "usual", shape, rank(0, 3)},
      {"excited_result", Op::kQuantizedExcite, "usual", shape, dim(6, 1, 23)},
      {"excited_means", Op::kQuantizedExcite, "usual", shape, dim(1, 1, 23)},
      {"excited_means_places", Op::kQuantizedExcite, "usual", shape, dim(1, 3, 2)},
      {"excited_weights", Op::kQuantizedExcite, "usual", shape, dim(2, 0, 1)},
      {"excited_weights_rank", Op::kQuantizedExcite, "usual", shape, rank(2, 2)},
      {"excited_rows", Op::kQuantizedExcite, "usual", shape, dim(2, 1, kSqueezeRowsMax + 1)},
      {"excited_ends", Op::kQuantizedExcite, "usual", shape, dim(3, 1, 7)},
      {"excited_gate_ends", Op::kQuantizedExcite, "usual", shape, dim(4, 0, 2)},
      {"excited_table", Op::kQuantizedExcite, "usual", shape, dim(5, 1, 255)},
      {"excited_means_type", Op::kQuantizedExcite, "usual", type, dtype(1, DType::kInt8)},
      {"excited_weights_type", Op::kQuantizedExcite, "usual", type, dtype(2, DType::kInt16)},
      {"excited_ends_type", Op::kQuantizedExcite, "usual", type, dtype(4, DType::kFloat32)},
      {"excited_table_type", Op::kQuantizedExcite, "usual", type, dtype(5, DType::kInt8)},
      {"excited_means_zero", Op::kQuantizedExcite, "usual", attribute,
       changed<Excited>([](auto& a) { a.means_zero_point = -1; })},
      {"excited_weights_zero", Op::kQuantizedExcite, "usual", attribute,
       changed<Excited>([](auto& a) { a.w_zero_points[1] = 128; })},
      {"excited_hidden", Op::kQuantizedExcite, "usual", attribute,
       changed<Excited>([](auto& a) { a.hidden.high = 256; })},
      {"excited_gate", Op::kQuantizedExcite, "usual", attribute,
       changed<Excited>([](auto& a) { a.gate.rounding = Rounding{9}; })},
      {"excited_factor", Op::kQuantizedExcite, "usual", attribute,
       changed<Excited>([](auto& a) { a.product.zero_points[0] = 256; })},
      {"excited_multiplier", Op::kQuantizedExcite, "usual", attribute,
       changed<Excited>([](auto& a) { a.product.multiplier = -1; })},
      {"quantized_inner", Op::kQuantizedMatMul, "prime", shape, dim(1, 0, 12)},
      {"quantized_right_side", Op::kQuantizedMatMul, "prime", type, dtype(1, DType::kInt16)},
      {"quantized_row_of_bias", Op::kQuantizedMatMul, "prime", shape, dim(2, 0, 1)},
      {"quantized_zero_points_of_columns", Op::kQuantizedMatMul, "prime_a_b", shape,
       [](CaseStep& s) { s.shape(5)[3] = 1; }},
      {"svdf_rank", Op::kSvdf, "float", attribute, field(&SvdfAttributes::rank, 0)},
      {"svdf_multiplier", Op::kSvdf, "state_of_8_bits", attribute,
       field(&SvdfAttributes::multipliers, 1, -1)},
      {"svdf_features", Op::kSvdf, "float", shape, dim(1, 1, 4)},
      {"svdf_state", Op::kSvdf, "state_of_8_bits", shape, dim(4, 1, 29)},
      {"svdf_next", Op::kSvdf, "state_of_8_bits", shape, dim(6, 1, 29)},
      {"svdf_state_type", Op::kSvdf, "state_of_16_bits", type, dtype(4, DType::kInt8)},
      {"lstm_table", Op::kQuantizedLstm, "plain", shape, dim(6, 0, 255)},
      {"lstm_recurrent", Op::kQuantizedLstm, "plain", shape, dim(2, 2, 3)},
      {"lstm_cell_type", Op::kQuantizedLstm, "plain", type, dtype(5, DType::kInt8)},
      {"lstm_tangent", Op::kQuantizedLstm, "plain", attribute,
       field(&QuantizedLstmAttributes::tanh_shift, 31)},
      {"volume_groups", Op::kConv3d, "groups_of_two", attribute,
       field(&Conv3dAttributes::groups, 0)},
      {"volume_stride", Op::kConv3d, "cube3", attribute, field(&Conv3dAttributes::stride, 0, 0)},
      {"volume_dilation", Op::kConv3d, "cube3", attribute,
       field(&Conv3dAttributes::dilation, 0, 0x55555556u)},
      {"volume_pad", Op::kConv3d, "cube3", attribute,
       field(&Conv3dAttributes::pad_begin, 2, 0xffffffffu)},
      {"volume_channels", Op::kConv3d, "cube3", shape, dim(1, 1, 2)},
      {"volume_bias", Op::kConv3d, "cube3", shape, dim(2, 0, 16)},
      {"volume_outputs", Op::kConv3d, "cube3", shape, dim(3, 1, 16)},
      {"volume_rank", Op::kConv3d, "cube3", shape, rank(0, 4)},
      {"volume_panels_short", Op::kConv3d, "cube3_panels", Code::kBadRange, bytes_less(1, 4)},
      {"volume_shared_input", Op::kConv3d, "cube3", shape, bytes_less(0, 4)},
      {"soft_corners", Op::kSoftNonMaxSuppression, "usual", shape, dim(0, 1, 3)},
      {"soft_scores", Op::kSoftNonMaxSuppression, "usual", shape, dim(1, 0, 11)},
      {"soft_best", Op::kSoftNonMaxSuppression, "usual", shape, dim(2, 0, 5)},
      {"soft_places", Op::kSoftNonMaxSuppression, "usual", shape, dim(3, 0, 5)},
      {"soft_count", Op::kSoftNonMaxSuppression, "usual", shape, dim(4, 0, 2)},
      {"soft_results", Op::kSoftNonMaxSuppression, "usual", shape,
       field(&SoftNonMaxSuppressionAttributes::results, 5)},
      {"soft_weight", Op::kSoftNonMaxSuppression, "usual", attribute,
       field(&SoftNonMaxSuppressionAttributes::weight, 0.0f)},
      {"detection_corners", Op::kDetectionPostProcess, "best_class", shape, dim(0, 1, 3)},
      {"detection_scores", Op::kDetectionPostProcess, "best_class", shape, dim(1, 0, 11)},
      {"detection_classes", Op::kDetectionPostProcess, "best_class", shape, dim(1, 1, 5)},
      {"detection_anchors", Op::kDetectionPostProcess, "best_class", shape, dim(2, 0, 11)},
      {"detection_rows", Op::kDetectionPostProcess, "best_class", shape, dim(3, 0, 5)},
      {"detection_labels", Op::kDetectionPostProcess, "best_class", shape, dim(4, 0, 3)},
      {"detection_values", Op::kDetectionPostProcess, "best_class", shape, rank(5, 0)},
      {"detection_count", Op::kDetectionPostProcess, "best_class", shape, dim(6, 0, 2)},
      {"detection_no_classes", Op::kDetectionPostProcess, "best_class", shape,
       field(&DetectionPostProcessAttributes::classes, 0)},
      {"detection_no_labels", Op::kDetectionPostProcess, "best_class", attribute,
       field(&DetectionPostProcessAttributes::box_classes, 0)},
      {"detection_per_class", Op::kDetectionPostProcess, "best_class", attribute,
       field(&DetectionPostProcessAttributes::per_class_boxes, 2)},
      {"resize_no_axis", Op::kResize, "linear", attribute, field(&ResizeAttributes::taps, 0, 0)},
      {"resize_axis", Op::kResize, "linear", attribute, field(&ResizeAttributes::axis, 1, 4)},
      {"resize_axis_twice", Op::kResize, "linear", attribute, field(&ResizeAttributes::axis, 0, 3)},
      {"resize_taps", Op::kResize, "linear", attribute, field(&ResizeAttributes::taps, 0, 5)},
      {"resize_unweighted", Op::kResize, "image", attribute, field(&ResizeAttributes::taps, 0, 2)},
      {"resize_places", Op::kResize, "linear", shape, dim(1, 0, 14)},
      {"resize_weights", Op::kResize, "linear", shape, dim(2, 0, 29)},
      {"resize_other_axis", Op::kResize, "linear", shape, dim(3, 1, 18)},
      {"resize_wide_places", Op::kResize, "linear", type, dtype(1, DType::kInt64)},
      {"resize_weights_type", Op::kResize, "linear", type, dtype(2, DType::kFloat64)},
      {"requantize_multiplier", Op::kRequantize, "int8_int8_half_even", attribute,
       field(&RequantizeAttributes::multiplier, -1)},
      {"requantize_shift", Op::kRequantize, "int8_int8_half_even", attribute,
       field(&RequantizeAttributes::shift, 32)},
      {"requantize_zero_point", Op::kRequantize, "int8_int8_half_even", attribute,
       field(&RequantizeAttributes::x_zero_point, 128)},
      {"requantize_rule", Op::kRequantize, "int8_int8_half_even", attribute,
       changed<RequantizeAttributes>(
           [](auto& a) { a.output.rounding = static_cast<Rounding>(4); })},
      {"requantize_result", Op::kRequantize, "int8_int8_half_even", attribute,
       changed<RequantizeAttributes>([](auto& a) { a.output.high = 128; })},
      {"requantize_limits", Op::kRequantize, "int8_int8_half_even", attribute,
       changed<RequantizeAttributes>([](auto& a) { a.output.low = 1000; })},
      {"requantize_order", Op::kRequantize, "int8_int8_half_even", attribute,
       changed<RequantizeAttributes>([](auto& a) {
         a.output.low = 3;
         a.output.high = 2;
       })},
      {"requantize_type", Op::kRequantize, "int8_int8_half_even", type, dtype(1, DType::kFloat32)},
      {"lookup_places", Op::kLookup, "int8_int8", shape, dim(1, 0, 255)},
      {"lookup_places_of_int16", Op::kLookup, "int16_int8", shape, dim(1, 0, 256)},
      {"lookup_between_bytes", Op::kLookup, "int8_int8", type, dim(1, 0, 513)},
      {"lookup_type", Op::kLookup, "int8_int8", type, dtype(2, DType::kUint8)},
      {"lookup_dims", Op::kLookup, "int8_int8", shape, dim(0, 1, 4)},
      {"quantized_add_weight", Op::kQuantizedAdd, "int8_half_even", attribute,
       field(&QuantizedAddAttributes::multipliers, 1, 1 << 22)},
      {"quantized_add_left_shift", Op::kQuantizedAdd, "int8_tflite_double", attribute,
       field(&QuantizedAddAttributes::left_shift, 32)},
      {"quantized_add_zero_point", Op::kQuantizedAdd, "uint8_tflite_double", attribute,
       field(&QuantizedAddAttributes::zero_points, 1, -1)},
      {"quantized_add_subtract", Op::kQuantizedAdd, "int8_tflite_double", attribute,
       field(&QuantizedAddAttributes::kind, static_cast<SumKind>(3))},
      {"quantized_add_square_once", Op::kQuantizedAdd, "int8_half_even", attribute,
       field(&QuantizedAddAttributes::kind, SumKind::kSquare)},
      {"quantized_add_types", Op::kQuantizedAdd, "int8_tflite_double", type,
       dtype(1, DType::kUint8)},
      {"quantized_mul_int16_zero_point", Op::kQuantizedMul, "int16_tflite_double", attribute,
       field(&QuantizedMulAttributes::zero_points, 0, 1)},
      {"quantized_mul_dims", Op::kQuantizedMul, "int8_tflite_double", shape, dim(1, 1, 4)},
      {"quantized_prelu_multiplier", Op::kQuantizedPRelu, "int8_tflite_double", attribute,
       field(&QuantizedPReluAttributes::multipliers, 1, -5)},
      {"quantized_pool_kernel", Op::kQuantizedAveragePool, "square2_int8", attribute,
       field(&QuantizedAveragePoolAttributes::kernel, 0, 0)},
      {"quantized_pool_stride", Op::kQuantizedAveragePool, "square2_int8", attribute,
       field(&QuantizedAveragePoolAttributes::stride, 1, 0x80000000u)},
      {"quantized_pool_multipliers", Op::kQuantizedAveragePool,
       "square2_int8_tflite_double_counted", shape, dim(1, 0, 4)},
      {"quantized_pool_both", Op::kQuantizedAveragePool, "square2_int8_tflite_double_counted",
       attribute, field(&QuantizedAveragePoolAttributes::multiplier, 1)},
      {"quantized_pool_multiplier_type", Op::kQuantizedAveragePool,
       "square2_int8_tflite_double_counted", type, dtype(1, DType::kFloat32)},
      {"quantized_pool_shared", Op::kQuantizedAveragePool, "square2_int8", shape, bytes_less(0, 1)},
      {"quantized_sum_axes", Op::kQuantizedSum, "all", attribute,
       field(&QuantizedSumAttributes::axes, 8)},
      {"quantized_sum_dims", Op::kQuantizedSum, "all", shape,
       field(&QuantizedSumAttributes::axes, 1)},
      {"quantized_softmax_axes", Op::kQuantizedSoftmax, "int8_int8", attribute,
       field(&QuantizedSoftmaxAttributes::axes, 4)},
      {"quantized_softmax_diff_min", Op::kQuantizedSoftmax, "int8_int8", attribute,
       field(&QuantizedSoftmaxAttributes::diff_min, 1)},
      {"quantized_softmax_rule", Op::kQuantizedSoftmax, "int8_int8", attribute,
       changed<QuantizedSoftmaxAttributes>(
           [](auto& a) { a.output.rounding = Rounding::kTfliteSingle; })},
      {"quantized_softmax_needs_table", Op::kQuantizedSoftmax, "int8_int8", Code::kBadOperandCount,
       changed<QuantizedSoftmaxAttributes>([](auto& a) {
         a.output.rounding = Rounding::kHalfEven;
         a.multiplier = a.shift = a.diff_min = 0;
       })},
      {"quantized_softmax_table", Op::kQuantizedSoftmax, "int8_int8_tabled", shape, dim(1, 0, 1)},
      {"quantized_softmax_table_type", Op::kQuantizedSoftmax, "int8_int8_tabled", type,
       dtype(1, DType::kFloat32)},
      {"quantized_softmax_int16_table", Op::kQuantizedSoftmax, "int16", shape, dim(2, 0, 512)},
      {"quantized_softmax_int16_result", Op::kQuantizedSoftmax, "int16", type,
       dtype(3, DType::kUint16)},
      {"dynamic_axes", Op::kDynamicQuantize, "onnx", attribute,
       field(&DynamicQuantizeAttributes::axes, 4)},
      {"dynamic_range", Op::kDynamicQuantize, "onnx", attribute,
       field(&DynamicQuantizeAttributes::range, static_cast<DynamicRange>(3))},
      {"dynamic_tflite_type", Op::kDynamicQuantize, "onnx", type,
       field(&DynamicQuantizeAttributes::range, DynamicRange::kTfliteSymmetric)},
      {"dynamic_scale", Op::kDynamicQuantize, "onnx_rows", shape, dim(2, 0, 1)},
      {"dynamic_scale_type", Op::kDynamicQuantize, "onnx_rows", type, dtype(2, DType::kInt32)},
      {"dynamic_zero_point_type", Op::kDynamicQuantize, "onnx_rows", type, dtype(3, DType::kInt8)},
      {"resize_fraction_of_float", Op::kResize, "linear", attribute,
       field(&ResizeAttributes::fraction_bits, 1)},
      {"resize_fraction", Op::kResize, "linear_weighted_int8", attribute,
       field(&ResizeAttributes::fraction_bits, 31)},
      {"resize_integer_weights", Op::kResize, "linear_weighted_int8", type,
       dtype(2, DType::kFloat32)},
      {"unpool_indices", Op::kMaxUnpool, "image", shape, dim(1, 2, 3)},
      {"unpool_index_type", Op::kMaxUnpool, "image", type, dtype(1, DType::kInt32)},
      {"grid_mode", Op::kGridSample, "linear_zeros", attribute,
       field(&GridSampleAttributes::mode, static_cast<GridMode>(3))},
      {"grid_padding", Op::kGridSample, "linear_zeros", attribute,
       field(&GridSampleAttributes::padding, static_cast<GridPadding>(3))},
      {"grid_dims", Op::kGridSample, "linear_zeros", shape, dim(1, 1, 5)},
      {"grid_coordinates", Op::kGridSample, "linear_zeros", shape, dim(1, 3, 3)},
      {"grid_of_nothing", Op::kGridSample, "linear_zeros", shape, dim(0, 4, 0)},
      {"grid_channels", Op::kGridSample, "linear_zeros", shape, dim(2, 1, 4)},
      {"roi_sides", Op::kRoiAlign, "average", shape, dim(1, 1, 3)},
      {"roi_images", Op::kRoiAlign, "average", shape, dim(2, 0, 2)},
      {"roi_samples", Op::kRoiAlign, "average", attribute,
       field(&RoiAlignAttributes::sampling, 1025)},
      {"roi_of_no_image", Op::kRoiAlign, "average", shape, dim(0, 0, 0)},
      {"dft_parts", Op::kDft, "real_power", shape, dim(0, 2, 3)},
      {"dft_bins", Op::kDft, "real_power", shape, dim(2, 2, 17)},
      {"dft_twiddles", Op::kDft, "real_power", type, dtype(1, DType::kFloat64)},
      {"dft_window", Op::kDft, "frames", shape, dim(2, 0, 15)},
      {"dft_hop", Op::kDft, "frames", attribute, field(&DftAttributes::hop, 0x40000000u)},
      {"det_square", Op::kDet, "two", shape, dim(0, 0, 3)},
      {"det_size", Op::kDet, "twelve", shape,
       [](CaseStep& s) { s.shape(0)[1] = s.shape(0)[2] = 13; }},
      {"lrn_size", Op::kLrn, "usual", attribute, field(&LrnAttributes::size, 0)},
      {"lrn_dims", Op::kLrn, "usual", shape, dim(0, 1, 8)},
      {"copy_type", Op::kCopy, "dense", type, dtype(0, DType::kInt32)},
      {"slice_step", Op::kSlice, "strided", attribute, field(&SliceAttributes::step, 0, 0)},
      {"slice_start", Op::kSlice, "strided", attribute, field(&SliceAttributes::start, 0, 7)},
      {"slice_negative_start", Op::kSlice, "strided", attribute,
       field(&SliceAttributes::start, 0, -1)},
      {"slice_end", Op::kSlice, "strided", attribute, field(&SliceAttributes::step, 1, 4)},
      {"slice_before_start", Op::kSlice, "reversed", attribute,
       field(&SliceAttributes::start, 0, 2)},
      {"slice_step_wraps", Op::kSlice, "reversed", attribute,
       field(&SliceAttributes::step, 0, std::numeric_limits<int32_t>::min())},
      {"gather_nd_tuple", Op::kGatherND, "elements", shape, dim(1, 1, 3)},
      {"gather_nd_batch", Op::kGatherND, "batch", shape, dim(1, 0, 2)},
      {"gather_nd_batch_dims", Op::kGatherND, "batch", shape,
       field(&IndexedAttributes::batch_dims, 4)},
      {"gather_nd_reduction", Op::kGatherND, "rows", attribute,
       field(&IndexedAttributes::reduction, 1)},
      {"gather_elements_axis", Op::kGatherElements, "rows", attribute,
       field(&IndexedAttributes::axis, 2)},
      {"gather_elements_wider", Op::kGatherElements, "rows", shape, dim(0, 1, 4)},
      {"scatter_nd_reduction", Op::kScatterND, "rows", attribute,
       field(&IndexedAttributes::reduction, 5)},
      {"scatter_nd_of_bool", Op::kScatterND, "rows_bool", attribute,
       field(&IndexedAttributes::reduction, 1)},
      {"scatter_nd_updates", Op::kScatterND, "rows", shape, dim(2, 1, 4)},
      {"scatter_elements_result", Op::kScatterElements, "rows", shape, dim(0, 0, 3)},
      {"one_hot_axis", Op::kOneHot, "last", attribute, field(&OneHotAttributes::axis, 2)},
      {"one_hot_values", Op::kOneHot, "last", shape, dim(1, 0, 1)},
      {"one_hot_dims", Op::kOneHot, "last", shape, dim(2, 0, 6)},
      {"top_k_axis", Op::kTopK, "smallest", attribute, field(&TopKAttributes::axis, 2)},
      {"top_k_order", Op::kTopK, "smallest", attribute, field(&TopKAttributes::smallest, 2)},
      {"top_k_more_than_there_are", Op::kTopK, "smallest", shape, dim(0, 1, 3)},
      {"top_k_index_type", Op::kTopK, "smallest", type, dtype(2, DType::kInt32)},
      {"cum_sum_axis", Op::kCumSum, "rows", attribute, field(&CumSumAttributes::axis, 2)},
      {"cum_sum_flag", Op::kCumSum, "rows", attribute, field(&CumSumAttributes::exclusive, 2)},
      {"reverse_sequence_axes", Op::kReverseSequence, "time_first", attribute,
       field(&ReverseSequenceAttributes::batch_axis, 0)},
      {"reverse_sequence_lengths", Op::kReverseSequence, "time_first", shape, dim(1, 0, 4)},
      {"lstm_direction", Op::kLSTM, "batch", attribute, field(&RecurrentAttributes::direction, 3)},
      {"lstm_outputs", Op::kLSTM, "batch", attribute, field(&RecurrentAttributes::outputs, 8)},
      {"lstm_fewer_outputs", Op::kLSTM, "batch", Code::kBadOperandCount,
       field(&RecurrentAttributes::outputs, 3)},
      {"lstm_clip", Op::kLSTM, "batch", attribute,
       field(&RecurrentAttributes::clip, std::numeric_limits<float>::quiet_NaN())},
      {"lstm_function", Op::kLSTM, "batch", attribute, changed<RecurrentAttributes>([](auto& a) {
         a.functions[0].kind = static_cast<CellFunctionKind>(11);
       })},
      {"lstm_weights", Op::kLSTM, "batch", shape, dim(1, 1, 5)},
      {"lstm_recurrence", Op::kLSTM, "batch", shape, dim(2, 2, 19)},
      {"lstm_bias", Op::kLSTM, "batch", shape, dim(3, 1, 39)},
      {"lstm_state", Op::kLSTM, "batch", shape, dim(4, 1, 2)},
      {"lstm_peepholes", Op::kLSTM, "batch", shape, dim(6, 1, 14)},
      {"lstm_result", Op::kLSTM, "batch", shape, dim(7, 0, 5)},
      {"gru_state_type", Op::kGRU, "batch", type, dtype(4, DType::kInt32)},
      {"rnn_variant", Op::kRNN, "batch", attribute, field(&RecurrentAttributes::variant, 1)},
      {"gather_axis", Op::kGather, "rows", attribute, field(&GatherAttributes::axis, 2)},
      {"gather_index_type", Op::kGather, "rows", type, dtype(1, DType::kFloat64)},
      {"gather_type", Op::kGather, "rows", type, dtype(2, DType::kInt32)},
      {"gather_dims", Op::kGather, "rows", shape, dim(2, 1, 4)},
      {"gather_rank", Op::kGather, "rows", shape, rank(2, 1)},
      {"scale_size", Op::kBatchNormalization, "image", shape, dim(1, 0, 4)},
      {"running_size", Op::kBatchNormalization, "image_training_2", shape, dim(7, 0, 6)},
      {"running_untrained", Op::kBatchNormalization, "image_training_2", Code::kBadOperandCount,
       field(&BatchNormalizationAttributes::training, 0)},
      {"normalized_rank", Op::kBatchNormalization, "matrix", shape,
       [](CaseStep& s) { s.value(0).rank = s.value(5).rank = 1; }},
      {"cast_dims", Op::kCast, "image", shape, dim(0, 0, 3)},
      {"second_output", Op::kAdd, "image", Code::kBadOperandCount, outputs(2)},
  };
}

class Refused : public testing::TestWithParam<Refusal> {};

TEST_P(Refused, ByItsCheck) {
  CaseStep step(case_named(GetParam().op, GetParam().base));
  ASSERT_EQ(check(step), Code::kOk) << "the case itself";
  GetParam().break_it(step);
  EXPECT_EQ(check(step), GetParam().expected);
}

std::string refusal_name(const testing::TestParamInfo<Refusal>& info) {
  return std::string(op_name(info.param.op)) + "_" + info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Planted, Refused, testing::ValuesIn(refusals()), refusal_name);

// Steps that every operator must refuse, tried on the first case of each.
class RefusedByAll : public testing::TestWithParam<Op> {
 protected:
  OpCase first() const {
    for (const OpCase& c : all_cases()) {
      if (c.op == GetParam()) return c;
    }
    throw std::logic_error("no case");
  }
  Code broken(const Break& break_it) const {
    CaseStep step(first());
    break_it(step);
    return check(step);
  }
  uint32_t output() const { return static_cast<uint32_t>(first().inputs.size()); }
};

TEST_P(RefusedByAll, Operands) {
  EXPECT_EQ(broken([](CaseStep& s) { s.mutable_record().output_count = 0; }),
            Code::kBadOperandCount);
  EXPECT_EQ(broken([](CaseStep& s) { s.operands()[0] = kNoIndex; }), Code::kBadOperandCount);
  EXPECT_EQ(broken([](CaseStep& s) { s.operands().back() = kNoIndex; }), Code::kBadOperandCount);
  EXPECT_EQ(broken([](CaseStep& s) {
              s.mutable_record().operand_first += s.mutable_record().input_count;
              s.mutable_record().input_count = 0;
            }),
            Code::kBadOperandCount);
}

TEST_P(RefusedByAll, Types) {
  EXPECT_EQ(broken(dtype(0, static_cast<DType>(15))), Code::kBadType);
  EXPECT_EQ(broken(dtype(output(), DType::kNone)), Code::kBadType);
}

TEST_P(RefusedByAll, Layouts) {
  EXPECT_EQ(broken([](CaseStep& s) { s.value(0).layout = 1; }), Code::kBadLayout);
  const uint32_t y = output();
  EXPECT_EQ(broken([y](CaseStep& s) { s.value(y).layout = 1; }), Code::kBadLayout);
  EXPECT_EQ(broken([y](CaseStep& s) { s.value(y).layout = 7; }), Code::kBadLayout);
}

TEST_P(RefusedByAll, OutputsWhoseElementsShareBytes) {
  EXPECT_EQ(broken(bytes_less(output(), 1)), Code::kBadShape);
}

// Attribute structs grow at their ends: what a newer writer appended must mean nothing, and what an
// older one did not store is 0.
TEST_P(RefusedByAll, AttributesThatNobodyKnows) {
  OpCase c = first();
  c.attributes.resize(find_contract(c.op)->attribute_words, 0);
  const Code known = check(CaseStep(c));
  c.attributes.push_back(0);
  EXPECT_EQ(check(CaseStep(c)), known);
  c.attributes.back() = 1;
  EXPECT_EQ(check(CaseStep(c)), Code::kBadAttribute);
}

TEST_P(RefusedByAll, OrTakenWithAttributesLeftOutAsWithZeros) {
  OpCase c = first();
  const size_t words = c.attributes.size();
  c.attributes.assign(words, 0);
  const Code with_zeros = check(CaseStep(c));
  c.attributes.clear();
  EXPECT_EQ(check(CaseStep(c)), with_zeros);
}

std::vector<Op> kernel_ops() {
  return {
#define ARENITE_KERNEL_OP(number, name, Type, shader) Op::k##Type,
#include "schema/ops.def"
  };
}

std::string op_of(const testing::TestParamInfo<Op>& info) { return op_name(info.param); }

INSTANTIATE_TEST_SUITE_P(Ops, RefusedByAll, testing::ValuesIn(kernel_ops()), op_of);

// An index that is data is found while running.
TEST(GatherIndex, OutsideTheAxisIsAnError) {
  for (Number index : {7.0L, -8.0L, 4294967296.0L, -9223372036854775808.0L}) {
    OpCase c = case_named(Op::kGather, "rows");
    c.inputs[1].values = {0, 1, index, 2};
    CaseStep step(c);
    const Bindings bindings = step.bindings();
    const Step at(bindings, step.record(), 5);
    ASSERT_TRUE(check_contract(at, kGatherContract).ok());
    const Status status = kGatherForm0.run(at, Platform{});
    EXPECT_EQ(status.code, Code::kIndexOutOfRange);
    EXPECT_EQ(status.step, 5u);
    EXPECT_EQ(status.value, 1u);
  }
}

struct DataIndex {
  Op op;
  const char* base;
  uint32_t input;
  std::vector<Number> wrong;
};

TEST(DataIndices, OutsideAreErrors) {
  const std::vector<DataIndex> all = {
      {Op::kMaxUnpool, "image", 1, {-1, 240, 4294967296.0L}},
      {Op::kRoiAlign, "average", 2, {-1, 2, 4294967296.0L}},
      {Op::kResize, "linear", 1, {-2, 3, 2147483647.0L}},
      {Op::kResize, "linear_weighted_int8", 1, {-2, 3, 2147483647.0L}},
  };
  for (const DataIndex& index : all) {
    for (const Number wrong : index.wrong) {
      OpCase c = case_named(index.op, index.base);
      c.inputs[index.input].values[1] = wrong;
      CaseStep step(c);
      const Bindings bindings = step.bindings();
      const Step at(bindings, step.record(), 5);
      ASSERT_TRUE(check_contract(at, *find_contract(index.op)).ok());
      const Status status = reference_of(at)->run(at, Platform{});
      EXPECT_EQ(status.code, Code::kIndexOutOfRange) << op_name(index.op);
      EXPECT_EQ(status.step, 5u);
      EXPECT_EQ(status.value, index.input);
    }
  }
}

// The same of all operators with such operands: nothing is written but outputs.
TEST(Indices, OutsideAreErrors) {
  struct Row {
    Op op;
    const char* base;
    uint32_t input;
    std::vector<Number> values;
  };
  const Row rows[] = {
      {Op::kGatherND, "elements", 1, {0, 7}},
      {Op::kGatherND, "elements", 1, {4, 6, -6, 0}},
      {Op::kGatherElements, "rows", 1, {0, 4}},
      {Op::kScatterND, "elements", 1, {0, 0, 5, 0}},
      {Op::kScatterND, "add", 1, {-6}},
      {Op::kScatterND, "rows", 1, {0, 1, 4294967296.0L}},
      {Op::kScatterElements, "rows", 1, {0, 1, -5}},
      {Op::kScatterElements, "add", 1, {0, 9223372036854775807.0L}},
      {Op::kReverseSequence, "time_first", 1, {0, 8}},
      {Op::kReverseSequence, "time_first", 1, {-1}},
      {Op::kLSTM, "lengths", 4, {0, 7}},
      {Op::kGRU, "lengths", 4, {-1}},
  };
  for (const Row& row : rows) {
    OpCase c = case_named(row.op, row.base);
    c.inputs[row.input].values = row.values;
    const Outcome outcome = run_case(c, on_references());
    EXPECT_EQ(outcome.status.code, Code::kIndexOutOfRange) << op_name(row.op) << ' ' << row.base;
    EXPECT_EQ(outcome.status.value, row.input) << op_name(row.op);
    EXPECT_EQ(outcome.damage, "") << op_name(row.op);
  }
}

}  // namespace
}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0
