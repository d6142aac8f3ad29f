// Parses the bytes of an ONNX model into plain structs, refusing what has no meaning here.
#include <limits>
#include <set>
#include <string_view>

#include "onnx.pb.h"
#include "planner/graph/graph.h"
#include "planner/graph/names.h"
#include "planner/import/model/external_data.h"
#include "planner/import/model/model.h"
#include "support/content.h"
#include "support/printable.h"

namespace arenite::planner {
namespace {

using Kind = ModelAttribute::Kind;

constexpr int64_t kMaxOpset = 25;

// Names reach JSON reports and file names: they must be text.
const std::string& checked_name(const std::string& name, const char* what) {
  if (!is_utf8(name)) {
    throw InputError(std::string(what) + " name '" + printable(name) + "' is not UTF-8");
  }
  return name;
}

// Old models leave the type out: the field that is set tells it.
int attribute_type(const onnx::AttributeProto& proto) {
  if (proto.has_type() && proto.type() != onnx::AttributeProto::UNDEFINED) return proto.type();
  if (proto.has_f()) return onnx::AttributeProto::FLOAT;
  if (proto.has_i()) return onnx::AttributeProto::INT;
  if (proto.has_s()) return onnx::AttributeProto::STRING;
  if (proto.has_t()) return onnx::AttributeProto::TENSOR;
  if (proto.has_g()) return onnx::AttributeProto::GRAPH;
  if (proto.floats_size() != 0) return onnx::AttributeProto::FLOATS;
  if (proto.ints_size() != 0) return onnx::AttributeProto::INTS;
  if (proto.strings_size() != 0) return onnx::AttributeProto::STRINGS;
  return onnx::AttributeProto::UNDEFINED;
}

const char* kind_name(int type) {
  switch (type) {
    case onnx::AttributeProto::FLOAT:
      return "float";
    case onnx::AttributeProto::INT:
      return "int";
    case onnx::AttributeProto::STRING:
      return "string";
    case onnx::AttributeProto::TENSOR:
      return "tensor";
    case onnx::AttributeProto::FLOATS:
      return "floats";
    case onnx::AttributeProto::INTS:
      return "ints";
    case onnx::AttributeProto::STRINGS:
      return "strings";
    case onnx::AttributeProto::GRAPH:
    case onnx::AttributeProto::GRAPHS:
      return "graph";
    case onnx::AttributeProto::SPARSE_TENSOR:
    case onnx::AttributeProto::SPARSE_TENSORS:
      return "sparse tensor";
    default:
      return "no known kind";
  }
}

void read_graph(const onnx::GraphProto& graph, ExternalData& external, Model& model);

ModelAttribute read_attribute(const onnx::AttributeProto& proto, ExternalData& external) {
  ModelAttribute attribute;
  attribute.name = proto.name();
  if (!proto.ref_attr_name().empty()) {
    throw UnsupportedError("references an attribute of a function, which is not supported",
                           "export the model without functions of its own");
  }
  const int type = attribute_type(proto);
  attribute.kind_name = kind_name(type);
  switch (type) {
    case onnx::AttributeProto::FLOAT:
      attribute.kind = Kind::kFloat;
      attribute.f = proto.f();
      break;
    case onnx::AttributeProto::INT:
      attribute.kind = Kind::kInt;
      attribute.i = proto.i();
      break;
    case onnx::AttributeProto::STRING:
      attribute.kind = Kind::kString;
      attribute.s = proto.s();
      break;
    case onnx::AttributeProto::TENSOR:
      attribute.kind = Kind::kTensor;
      attribute.t = decode_tensor(proto.t(), external);
      break;
    case onnx::AttributeProto::FLOATS:
      attribute.kind = Kind::kFloats;
      attribute.floats.assign(proto.floats().begin(), proto.floats().end());
      break;
    case onnx::AttributeProto::INTS:
      attribute.kind = Kind::kInts;
      attribute.ints.assign(proto.ints().begin(), proto.ints().end());
      break;
    case onnx::AttributeProto::STRINGS:
      attribute.kind = Kind::kStrings;
      attribute.strings.assign(proto.strings().begin(), proto.strings().end());
      break;
    case onnx::AttributeProto::GRAPH: {
      auto graph = std::make_shared<Model>();
      read_graph(proto.g(), external, *graph);
      attribute.kind = Kind::kGraph;
      attribute.graph = std::move(graph);
      break;
    }
    default:
      break;
  }
  return attribute;
}

ModelNode read_node(const onnx::NodeProto& proto, uint32_t index, ExternalData& external) {
  ModelNode node;
  node.index = index;
  node.name = checked_name(proto.name(), "node");
  node.op_type = proto.op_type();
  node.domain = proto.domain() == "ai.onnx" ? std::string() : proto.domain();
  for (const std::string& name : proto.input()) {
    node.inputs.push_back(checked_name(name, "value"));
  }
  for (const std::string& name : proto.output()) {
    node.outputs.push_back(checked_name(name, "value"));
  }
  std::set<std::string_view> seen;
  for (const onnx::AttributeProto& attribute : proto.attribute()) {
    const std::string where =
        describe(node) + ": attribute '" + printable(attribute.name()) + "': ";
    if (!seen.insert(attribute.name()).second) throw InputError(where + "is given twice");
    try {
      node.attributes.push_back(read_attribute(attribute, external));
    } catch (const UnsupportedError& error) {
      node.unsupported = "attribute '" + printable(attribute.name()) + "': " + error.what();
      node.instead = error.instead;
      break;
    } catch (const InputError& error) {
      throw InputError(where + error.what());
    }
  }
  return node;
}

ModelInput read_value_info(const onnx::ValueInfoProto& proto, const char* what) {
  ModelInput input;
  input.name = checked_name(proto.name(), what);
  if (!proto.has_type() || !proto.type().has_tensor_type()) {
    input.unsupported =
        "is not a tensor (sequences, maps, optionals and sparse tensors are not supported)";
    input.instead = "dense tensors, one for each part";
    return input;
  }
  const onnx::TypeProto::Tensor& type = proto.type().tensor_type();
  try {
    const OnnxType read = type_from_onnx(type.elem_type());
    input.dtype = read.dtype;
    input.four_bits = read.four_bits;
  } catch (const UnsupportedError& error) {
    input.unsupported = error.what();
    input.instead = error.instead;
    return input;
  }
  input.has_shape = type.has_shape();
  for (const onnx::TensorShapeProto::Dimension& dim : type.shape().dim()) {
    ModelDim read;
    if (dim.has_dim_value()) {
      read.value = dim.dim_value();
    } else {
      read.symbol = checked_name(dim.dim_param(), "dimension");
    }
    input.dims.push_back(read);
  }
  return input;
}

void read_opset(const onnx::ModelProto& proto, Model& model) {
  const auto unsupported = [&model](const std::string& which, const std::string& text,
                                    const std::string& instead) {
    model.known_opset = false;
    model.obstacles.push_back({"opset",
                               which,
                               "is not supported, expected 1 to " + std::to_string(kMaxOpset),
                               text,
                               {},
                               instead});
  };
  int64_t opset = 0;
  for (const onnx::OperatorSetIdProto& entry : proto.opset_import()) {
    if (entry.domain().empty() || entry.domain() == "ai.onnx") opset = entry.version();
  }
  if (opset == 0 && proto.opset_import_size() != 0) {
    const std::string domain = printable(proto.opset_import(0).domain());
    return unsupported(
        domain,
        "the model uses only operators of domain " + quote(domain) + ", which is not supported",
        "operators of ONNX's own domain");
  }
  if (opset == 0) {
    throw InputError("the model names no opset of ONNX's own operators, expected 1 to " +
                     std::to_string(kMaxOpset));
  }
  if (opset < 0 || opset > kMaxOpset) {
    unsupported(
        std::to_string(opset),
        "opset " + std::to_string(opset) + " is not supported, expected 1 to " +
            std::to_string(kMaxOpset),
        "the model exported for opset " + std::to_string(kMaxOpset) + ", or converted to it");
  }
  model.opset = opset;
}

// All but the opset: of the model, or of a node's branch or body.
void read_graph(const onnx::GraphProto& graph, ExternalData& external, Model& model) {
  model.name = checked_name(graph.name(), "graph");
  const auto unsupported = [&model](const std::string& name, const std::string& why,
                                    const std::string& instead) {
    model.unread.push_back(name);
    model.obstacles.push_back({"initializer",
                               printable(name),
                               why,
                               "initializer " + quote(name) + ": " + why,
                               {},
                               instead});
  };
  for (const onnx::SparseTensorProto& tensor : graph.sparse_initializer()) {
    unsupported(checked_name(tensor.values().name(), "initializer"),
                "sparse tensors are not supported", "the same tensor with all its elements");
  }
  std::set<std::string_view> initialized;
  for (const onnx::TensorProto& tensor : graph.initializer()) {
    const std::string where = "initializer '" + printable(tensor.name()) + "': ";
    if (!initialized.insert(checked_name(tensor.name(), "initializer")).second) {
      throw InputError(where + "is given twice");
    }
    try {
      model.initializers.push_back({tensor.name(), decode_tensor(tensor, external)});
    } catch (const UnsupportedError& error) {
      unsupported(tensor.name(), error.what(), error.instead);
    } catch (const InputError& error) {
      throw InputError(where + error.what());
    }
  }
  for (const onnx::ValueInfoProto& input : graph.input()) {
    if (!initialized.contains(input.name())) {
      model.inputs.push_back(read_value_info(input, "input"));
    }
  }
  for (const onnx::ValueInfoProto& output : graph.output()) {
    model.outputs.push_back(read_value_info(output, "output"));
  }
  uint32_t index = 0;
  for (const onnx::NodeProto& node : graph.node()) {
    model.nodes.push_back(read_node(node, index++, external));
  }
}

}  // namespace

std::string describe(const ModelNode& node) {
  if (!node.described.empty()) return node.described;
  std::string text = node.name.empty() ? "node #" + std::to_string(node.index)
                                       : "node '" + printable(node.name) + "'";
  text += " (op '" + printable(node.op_type) + "'";
  if (!node.domain.empty()) text += ", domain '" + printable(node.domain) + "'";
  return text + ")";
}

std::string source_name(const ModelNode& node) {
  return node.name.empty() ? printable(node.op_type) + "_" + std::to_string(node.index) : node.name;
}

Model read_model(std::span<const std::byte> file,
                 const std::optional<std::filesystem::path>& folder) {
  onnx::ModelProto proto;
  if (file.empty() || file.size() > uint64_t{std::numeric_limits<int32_t>::max()} ||
      !proto.ParseFromArray(file.data(), static_cast<int>(file.size()))) {
    const Content content = content_of(file);
    const bool likely = content == Content::kOnnx || content == Content::kUnknown;
    throw InputError("not an ONNX model: " +
                     (likely ? "its " + std::to_string(file.size()) +
                                   " bytes do not parse as one (truncated or damaged?)"
                             : "found " + described(content)));
  }
  if (!proto.has_graph()) throw InputError("not an ONNX model: it holds no graph");
  const onnx::GraphProto& graph = proto.graph();
  Model model;
  read_opset(proto, model);
  ExternalData external(folder);
  read_graph(graph, external, model);
  model.external_bytes = external.total_bytes();
  if (model.outputs.empty()) throw InputError("the model has no outputs");
  return model;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
