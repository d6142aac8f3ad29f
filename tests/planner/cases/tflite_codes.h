// The published numbers of TensorFlow Lite's builtin operators, those that cases name.
//
// They are not read from planner/import/tflite/names.def: a number that is wrong there must not be
// right here.
#pragma once

#include <cstdint>

namespace arenite::planner::cases {

struct TfliteCode {
  int32_t number;
  const char* name;
};

inline constexpr TfliteCode kTfliteCodes[] = {
    // clang-format off
    {0, "ADD"}, {1, "AVERAGE_POOL_2D"}, {2, "CONCATENATION"}, {3, "CONV_2D"},
    {4, "DEPTHWISE_CONV_2D"}, {5, "DEPTH_TO_SPACE"}, {6, "DEQUANTIZE"}, {7, "EMBEDDING_LOOKUP"},
    {8, "FLOOR"}, {9, "FULLY_CONNECTED"}, {11, "L2_NORMALIZATION"}, {12, "L2_POOL_2D"},
    {13, "LOCAL_RESPONSE_NORMALIZATION"}, {14, "LOGISTIC"}, {17, "MAX_POOL_2D"}, {18, "MUL"},
    {19, "RELU"}, {20, "RELU_N1_TO_1"}, {21, "RELU6"}, {22, "RESHAPE"}, {23, "RESIZE_BILINEAR"},
    {25, "SOFTMAX"}, {26, "SPACE_TO_DEPTH"}, {27, "SVDF"}, {28, "TANH"}, {34, "PAD"},
    {35, "UNIDIRECTIONAL_SEQUENCE_RNN"}, {36, "GATHER"}, {37, "BATCH_TO_SPACE_ND"},
    {38, "SPACE_TO_BATCH_ND"}, {39, "TRANSPOSE"}, {40, "MEAN"}, {41, "SUB"}, {42, "DIV"},
    {43, "SQUEEZE"}, {44, "UNIDIRECTIONAL_SEQUENCE_LSTM"}, {45, "STRIDED_SLICE"}, {47, "EXP"},
    {48, "TOPK_V2"}, {49, "SPLIT"}, {50, "LOG_SOFTMAX"}, {53, "CAST"}, {54, "PRELU"},
    {55, "MAXIMUM"}, {56, "ARG_MAX"}, {57, "MINIMUM"}, {58, "LESS"}, {59, "NEG"}, {60, "PADV2"},
    {61, "GREATER"}, {62, "GREATER_EQUAL"}, {63, "LESS_EQUAL"}, {64, "SELECT"}, {65, "SLICE"},
    {66, "SIN"}, {67, "TRANSPOSE_CONV"}, {68, "SPARSE_TO_DENSE"}, {69, "TILE"}, {70, "EXPAND_DIMS"},
    {71, "EQUAL"}, {72, "NOT_EQUAL"}, {73, "LOG"}, {74, "SUM"}, {75, "SQRT"}, {76, "RSQRT"},
    {77, "SHAPE"}, {78, "POW"}, {79, "ARG_MIN"}, {81, "REDUCE_PROD"}, {82, "REDUCE_MAX"},
    {83, "PACK"}, {84, "LOGICAL_OR"}, {85, "ONE_HOT"}, {86, "LOGICAL_AND"}, {87, "LOGICAL_NOT"}, {88, "UNPACK"},
    {89, "REDUCE_MIN"}, {90, "FLOOR_DIV"}, {91, "REDUCE_ANY"}, {92, "SQUARE"}, {93, "ZEROS_LIKE"},
    {94, "FILL"}, {95, "FLOOR_MOD"}, {96, "RANGE"}, {97, "RESIZE_NEAREST_NEIGHBOR"},
    {98, "LEAKY_RELU"}, {99, "SQUARED_DIFFERENCE"}, {100, "MIRROR_PAD"}, {101, "ABS"},
    {102, "SPLIT_V"}, {103, "UNIQUE"}, {104, "CEIL"}, {105, "REVERSE_V2"}, {106, "ADD_N"},
    {107, "GATHER_ND"},
    {108, "COS"}, {109, "WHERE"}, {110, "RANK"}, {111, "ELU"}, {112, "REVERSE_SEQUENCE"},
    {114, "QUANTIZE"}, {116, "ROUND"}, {117, "HARD_SWISH"}, {118, "IF"}, {119, "WHILE"}, {120, "NON_MAX_SUPPRESSION_V4"}, {121, "NON_MAX_SUPPRESSION_V5"},
    {123, "SELECT_V2"}, {124, "DENSIFY"}, {126, "BATCH_MATMUL"}, {128, "CUMSUM"},
    {129, "CALL_ONCE"}, {130, "BROADCAST_TO"}, {132, "CONV_3D"}, {140, "REDUCE_ALL"},
    {141, "CONV_3D_TRANSPOSE"}, {150, "GELU"}, {152, "RELU_0_TO_1"}, {158, "SIGN"},
    // clang-format on
};

}  // namespace arenite::planner::cases
// SPDX-License-Identifier: Apache-2.0
