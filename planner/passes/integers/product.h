// A convolution or matrix product of quantized operands, whichever it is.
#pragma once

#include <string>
#include <vector>

#include "planner/passes/integers/fusion.h"

namespace arenite::planner::quantize {

struct Product {
  uint32_t number = 0;  // of the node
  ScaledOperand x;
  Operand w;
  ValueId bias = kNoValue;
  float alpha = 1, beta = 1;  // of the product, of the bias
  uint32_t outputs = 0;       // channels, or columns
  uint32_t output_axis = 0;   // of w
  // Each output gets the same known term from x's zero point.
  bool folds_zero_point = false;
  bool is_matrix = false;

  // The number that a sum's unit stands for, of output o.
  double unit(size_t o) const {
    return double{x.scale.scale} * double{w.quantization.at(o).scale} * double{alpha};
  }
};

// Node n as a product; nothing where it is none, or stays one of numbers: fusion.refuse() then has
// the reason.
std::optional<Product> product_of(Fusion& fusion, uint32_t n);

// A constant that node n adds to what a product without a bias gives it alone.
struct AddedBias {
  uint32_t product = 0;  // the node
  ValueId bias = kNoValue;
};
std::optional<AddedBias> added_bias(const Fusion& fusion, uint32_t n);

// The integer node that computes the product: its operator, operands and attributes. `wanted`:
// null for the sums themselves, int32. "" or why there is none.
std::string integer_product(Fusion& fusion, const Product& product, const Wanted* wanted,
                            Node& node);

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0
