// Copies of planes to pixels: which steps they are for, and what these read and write.
#include "planner/steps/layout/pixel_copies.h"

#include <gtest/gtest.h>

#include "portable_fallback/forms.h"
#include "tests/planner/plan/graph_builder.h"

namespace arenite::test {
namespace {

using planner::PixelCopies;

PixelCopies pixels_copied(const Graph& graph, const planner::PixelGains& gains = {}) {
  return planner::copy_planes_to_pixels(planner::lay_out(graph, {all_ops()}), gains);
}

Graph conv_of_bytes(uint32_t channels, uint32_t outputs, uint32_t kernel, uint32_t groups = 1) {
  GraphBuilder b;
  const ValueId x = b.input({1, channels, 9, 9}, DType::kInt8);
  b.output(b.quantized_conv(x, outputs, kernel, groups));
  return b.graph();
}

TEST(PixelCopies, AConvolutionReadsAndWritesPixels) {
  GraphBuilder b;
  b.output(b.conv(b.input({1, 8, 6, 6}), 16, 3));
  const PixelCopies result = pixels_copied(b.graph());
  EXPECT_EQ(result.copies, 2u);
  const std::vector<planner::LaidNode>& nodes = result.laid.nodes;
  ASSERT_EQ(nodes.size(), 3u);
  EXPECT_EQ(nodes[0].node.op, Op::kCopy);
  EXPECT_EQ(nodes[0].outputs[0]->index, nodes[1].inputs[0]->index);
  EXPECT_EQ(nodes[1].outputs[0]->index, nodes[2].inputs[0]->index);
  EXPECT_EQ(nodes[1].outputs[0]->form.strides[1], 1u);
  EXPECT_EQ(nodes[2].node.op, Op::kCopy);
  EXPECT_EQ(nodes[2].outputs[0]->index, result.laid.schedule.outputs[0]);
}

TEST(PixelCopies, ReadersShareACopyAndAPoolOfAllPlacesNeedsNone) {
  GraphBuilder b;
  const ValueId x = b.input({1, 8, 4, 4});
  b.output(b.clip(b.conv(x, 4, 3), 0, 1));
  b.output(b.clip(b.max_pool(x, 2), 0, 1));
  b.output(b.max_pool(x, 4));
  EXPECT_EQ(pixels_copied(b.graph()).copies, 1u);
}

TEST(PixelCopies, PoolsOfBytesAreAsFastInPlanes) {
  GraphBuilder b;
  b.output(b.max_pool(b.input({1, 8, 4, 4}, DType::kInt8), 2));
  EXPECT_EQ(pixels_copied(b.graph()).copies, 0u);
}

TEST(PixelCopies, AnImageAndWhatIsNoPlaneStay) {
  GraphBuilder image;
  image.output(image.clip(image.conv(image.input({1, 3, 8, 8}), 4, 3), 0, 1));
  PixelCopies result = pixels_copied(image.graph());
  EXPECT_EQ(result.copies, 0u);
  GraphBuilder plain;
  plain.output(plain.clip(plain.input({1, 16, 8, 8}), 0, 1));
  result = pixels_copied(plain.graph());
  EXPECT_EQ(result.copies, 0u);
}

TEST(PixelCopies, AnImageOfBytesIsCopiedWhereItsElementsAreReadOften) {
  EXPECT_EQ(pixels_copied(conv_of_bytes(3, 4, 3)).copies, 1u);
  EXPECT_EQ(pixels_copied(conv_of_bytes(3, 4, 1)).copies, 0u);
  EXPECT_EQ(pixels_copied(conv_of_bytes(3, 4, 3), {.images_of_bytes = false}).copies, 0u);
  EXPECT_EQ(pixels_copied(conv_of_bytes(1, 4, 3)).copies, 0u);
}

TEST(PixelCopies, MicrocontrollersCopyBytesAndWriteNeighborsWhereTheyStoreVectors) {
  const planner::PixelGains scalar = {.floats = false, .stores_bytes = false};
  const planner::PixelGains vectors = {.floats = false};
  EXPECT_EQ(pixels_copied(conv_of_bytes(8, 8, 3), scalar).copies, 1u);
  EXPECT_EQ(pixels_copied(conv_of_bytes(8, 8, 3), vectors).copies, 2u);
  EXPECT_EQ(pixels_copied(conv_of_bytes(8, 8, 1, 8), scalar).copies, 2u);
  EXPECT_EQ(pixels_copied(conv_of_bytes(8, 8, 3), {.floats = false, .results = false}).copies, 1u);
}

TEST(PixelCopies, MicrocontrollersCopyFloatsOfDepthwiseConvolutions) {
  const auto copies = [](uint32_t groups, bool depthwise) {
    GraphBuilder b;
    b.output(b.conv(b.input({1, 8, 6, 6}), 16, 3, 0, groups));
    return pixels_copied(b.graph(), {.floats = false, .depthwise = depthwise}).copies;
  };
  EXPECT_EQ(copies(8, true), 2u);
  EXPECT_EQ(copies(8, false), 0u);
  EXPECT_EQ(copies(4, true), 0u);
  EXPECT_EQ(copies(1, true), 0u);
}

TEST(PixelCopies, AnImageWhoseChannelsHaveWindowsOfTheirOwnIsCopied) {
  GraphBuilder b;
  b.output(b.clip(b.conv(b.input({1, 3, 8, 8}), 24, 3, 0, 3), 0, 1));
  EXPECT_EQ(pixels_copied(b.graph()).copies, 1u);
}

}  // namespace
}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0
