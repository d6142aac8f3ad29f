// Tests of tensors whose bytes lie in files beside the model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "onnx.pb.h"
#include "planner/graph/graph.h"
#include "planner/import/import.h"
#include "planner/import/model/external_data.h"
#include "planner/quantizer/quantizer.h"
#include "tests/planner/model/model_builder.h"

namespace arenite::planner {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

void set_entry(onnx::TensorProto& tensor, const std::string& key, const std::string& value) {
  for (onnx::StringStringEntryProto& entry : *tensor.mutable_external_data()) {
    if (entry.key() == key) return entry.set_value(value);
  }
  onnx::StringStringEntryProto* entry = tensor.add_external_data();
  entry->set_key(key);
  entry->set_value(value);
}

std::vector<std::byte> bytes_of(const onnx::ModelProto& model) {
  const std::string text = model.SerializeAsString();
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + text.size()};
}

class ExternalDataTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "external_data_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    outer_ = name;
    folder_ = outer_ / "model";
    fs::create_directory(folder_);
  }
  void TearDown() override { fs::remove_all(outer_); }

  void write(const fs::path& path, const std::string& bytes) const {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  // Moves a tensor's bytes into the file, behind what it holds and a byte that aligns nothing.
  void move_out(onnx::TensorProto& tensor) {
    data_ += '\xff';
    set_entry(tensor, "location", "weights.bin");
    set_entry(tensor, "offset", std::to_string(data_.size()));
    set_entry(tensor, "length", std::to_string(tensor.raw_data().size()));
    set_entry(tensor, "checksum", "is not read");
    data_ += tensor.raw_data();
    tensor.clear_raw_data();
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  }

  // All of a graph's, those of its nodes and their inner graphs too.
  void move_out(onnx::GraphProto& graph) {
    for (onnx::TensorProto& tensor : *graph.mutable_initializer()) move_out(tensor);
    for (onnx::NodeProto& node : *graph.mutable_node()) {
      for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
        if (attribute.has_t()) move_out(*attribute.mutable_t());
        if (attribute.has_g()) move_out(*attribute.mutable_g());
      }
    }
  }

  onnx::ModelProto moved_out(const ModelBuilder& builder) {
    onnx::ModelProto model;
    const std::vector<std::byte> bytes = builder.bytes();
    EXPECT_TRUE(model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
    move_out(*model.mutable_graph());
    write(folder_ / "weights.bin", data_);
    return model;
  }

  ImportOptions in_folder() const {
    ImportOptions options;
    options.folder = folder_;
    return options;
  }

  // The error of importing x + w; w has 6 floats, and `change` says where they lie.
  std::string error_of(const std::function<void(onnx::TensorProto&)>& change) {
    data_.clear();
    ModelBuilder builder(13);
    builder.input("x", {"2", "3"}).initializer("w", counting_tensor({2, 3}));
    builder.node("Add", {"x", "w"}, {"y"}).output("y");
    onnx::ModelProto model = moved_out(builder);
    change(*model.mutable_graph()->mutable_initializer(0));
    try {
      import_onnx(bytes_of(model), in_folder());
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  std::string error_with(const std::string& key, const std::string& value) {
    return error_of([&](onnx::TensorProto& w) { set_entry(w, key, value); });
  }

  fs::path outer_, folder_;
  std::string data_;
};

TEST_F(ExternalDataTest, EveryTensorMayLieOutside) {
  ModelBuilder then(13), otherwise(13), builder(13);
  then.initializer("t", float_tensor({2}, {10, 20})).node("Add", {"s", "t"}, {"r"}).output("r");
  otherwise.initializer("e", float_tensor({2}, {1, 2})).node("Sub", {"s", "e"}, {"r"}).output("r");
  builder.input("x", {"2"}).initializer("w", float_tensor({2}, {3, 4}));
  builder.initializer("c", bool_tensor({}, {true})).initializer("none", float_tensor({0}, {}));
  builder.node("Constant", {}, {"k"}, "k").with("value", float_tensor({2}, {5, 6}));
  builder.node("Sum", {"x", "w", "k"}, {"s"}, "sum");
  builder.node("If", {"c"}, {"i"}, "if").with_graph("then_branch", then);
  builder.with_graph("else_branch", otherwise);
  builder.node("Concat", {"i", "none"}, {"y"}, "concat").with("axis", 0).output("y");
  const Graph inside = import_onnx(builder.bytes(), {});
  const Graph outside = import_onnx(bytes_of(moved_out(builder)), in_folder());
  ASSERT_EQ(inside.values.size(), outside.values.size());
  size_t constants = 0;
  for (size_t i = 0; i < inside.values.size(); ++i) {
    ASSERT_EQ(inside.values[i].constant == nullptr, outside.values[i].constant == nullptr);
    if (inside.values[i].constant == nullptr) continue;
    EXPECT_EQ(*inside.values[i].constant, *outside.values[i].constant) << inside.values[i].name;
    ++constants;
  }
  EXPECT_GE(constants, 4u);
}

TEST_F(ExternalDataTest, IntegersOfFourBitsLieInPairs) {
  ModelBuilder builder(21);
  builder.input("x", {"3"}).initializer("w", integer_tensor(DType::kInt8, {3}, {-8, 7, 1}, true));
  builder.initializer("s", float_tensor({}, {1}));
  builder.node("DequantizeLinear", {"w", "s"}, {"d"}, "d").node("Add", {"x", "d"}, {"y"}, "a");
  builder.output("y");
  const Graph graph = import_onnx(bytes_of(moved_out(builder)), in_folder());
  bool found = false;
  for (const Value& value : graph.values) {
    if (value.name != "w") continue;
    found = true;
    EXPECT_EQ(value.constant->size(), 3u);
  }
  EXPECT_TRUE(found);
}

TEST_F(ExternalDataTest, WithoutALengthDimsSayIt) {
  EXPECT_EQ(error_of([](onnx::TensorProto& w) { w.mutable_external_data()->DeleteSubrange(2, 2); }),
            "");
  EXPECT_EQ(error_with("length", "24"), "");
}

TEST_F(ExternalDataTest, PlacesAreChecked) {
  EXPECT_THAT(error_with("length", "20"),
              HasSubstr("initializer 'w': tensor holds 20 bytes in its external data, its dims "
                        "[2, 3] of float32 ask for 24"));
  EXPECT_THAT(error_with("length", "0"), HasSubstr("tensor holds 0 bytes"));
  EXPECT_THAT(error_with("offset", "2"),
              HasSubstr("'weights.bin': expected 24 bytes at offset 2, found a file of 25 bytes"));
  EXPECT_THAT(error_with("offset", "18446744073709551600"), HasSubstr("found a file of 25 bytes"));
  EXPECT_THAT(error_with("length", "18446744073709551615"), HasSubstr("found a file of 25 bytes"));
  for (const char* bad : {"", "-1", "1 ", "0x1", "1.5", "18446744073709551616"}) {
    EXPECT_THAT(error_with("offset", bad), HasSubstr("offset: expected a number of bytes"));
    EXPECT_THAT(error_with("length", bad), HasSubstr("length: expected a number of bytes"));
  }
  for (const std::string key : {"location", "offset", "length"}) {
    EXPECT_THAT(error_of([&](onnx::TensorProto& w) {
                  onnx::StringStringEntryProto* entry = w.add_external_data();
                  entry->set_key(key);
                  entry->set_value("1");
                }),
                HasSubstr(key + " is given twice"));
  }
  EXPECT_THAT(error_of([](onnx::TensorProto& w) { w.clear_external_data(); }),
              HasSubstr("expected a location, found none"));
}

TEST_F(ExternalDataTest, NothingOutsideOfTheFolderIsRead) {
  const std::string weights(25, 'x');
  write(outer_ / "outside.bin", weights);
  fs::create_directory(outer_ / "other");
  write(outer_ / "other" / "outside.bin", weights);
  fs::create_directory(folder_ / "sub");
  write(folder_ / "sub" / "inside.bin", weights);
  fs::create_symlink("../outside.bin", folder_ / "leaves.bin");
  fs::create_symlink(outer_ / "other", folder_ / "way_out");
  fs::create_symlink("sub/inside.bin", folder_ / "stays.bin");
  fs::create_symlink("sub", folder_ / "same");
  EXPECT_THAT(error_with("location", "../outside.bin"), HasSubstr("found \"..\" in it"));
  EXPECT_THAT(error_with("location", "sub/../weights.bin"), HasSubstr("found \"..\" in it"));
  EXPECT_THAT(error_with("location", folder_ / "weights.bin"), HasSubstr("an absolute one"));
  EXPECT_THAT(error_with("location", "leaves.bin"), HasSubstr("found a link that leaves it"));
  EXPECT_THAT(error_with("location", "way_out/outside.bin"),
              HasSubstr("found a link that leaves it"));
  EXPECT_THAT(error_with("location", ""), HasSubstr("expected the name of a file"));
  EXPECT_THAT(error_with("location", std::string("weights.bin\0x", 13)),
              HasSubstr("expected the name of a file"));
  for (const char* fine : {"sub/inside.bin", "./sub//inside.bin", "stays.bin", "same/inside.bin"}) {
    EXPECT_EQ(error_with("location", fine), "");
  }
}

TEST_F(ExternalDataTest, OnlyRegularFilesAreRead) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  write(folder_ / "empty", "");
  EXPECT_THAT(error_with("location", "pipe"), HasSubstr("expected a regular file"));
  EXPECT_THAT(error_with("location", "."), HasSubstr("expected a regular file"));
  EXPECT_THAT(error_with("location", "empty"), HasSubstr("found a file of 0 bytes"));
  EXPECT_THAT(error_with("location", "weights.bin/"), HasSubstr("cannot be read"));
  EXPECT_THAT(error_with("location", "missing.bin"),
              HasSubstr("initializer 'w': external data in file 'missing.bin': cannot be read: No "
                        "such file or directory; expected it in the model's folder, '" +
                        folder_.string() + "'"));
}

// A file that is small on disk and large by its holes, which many tensors name.
TEST_F(ExternalDataTest, CopiesOfTheSameBytesAreBounded) {
  constexpr uint64_t kBytes = uint64_t{1} << 30u;
  write(folder_ / "weights.bin", "");
  fs::resize_file(folder_ / "weights.bin", kBytes);
  onnx::TensorProto tensor;
  set_entry(tensor, "location", "weights.bin");
  ExternalData external(folder_);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(external.bytes_of(tensor, kBytes).size(), kBytes);
  try {
    external.bytes_of(tensor, kBytes);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("which is more than any program has"));
  }
}

TEST_F(ExternalDataTest, AQuantizedModelHasItsDataInside) {
  ModelBuilder builder(13);
  builder.input("x", {"1", "4"}).initializer("w", random_tensor({4, 3}, 1));
  builder.initializer("b", float_tensor({3}, {0.5f, 1, 2}));
  builder.initializer("r", int64_tensor({1}, {3}));
  builder.node("MatMul", {"x", "w"}, {"m"}, "m").node("Add", {"m", "b"}, {"s"}, "a");
  builder.node("Reshape", {"s", "r"}, {"y"}, "reshape").output("y");
  const std::vector<std::byte> inside = builder.bytes();
  const std::vector<std::byte> outside = bytes_of(moved_out(builder));
  const Sample sample = {random_tensor({1, 4}, 2).bytes};
  const auto one = quantize_onnx(inside, {}, {&sample, 1}, {}, {});
  const auto other = quantize_onnx(outside, in_folder(), {&sample, 1}, {}, {});
  EXPECT_EQ(one.file, other.file);
  EXPECT_NO_THROW(import_onnx(other.file, {}));
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
