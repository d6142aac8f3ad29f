// Takes each line by its first word; a line with none of the known words is an operator's.
#include "tests/planner/cases/parse.h"

#include <algorithm>

#include "support/printable.h"
#include "tests/planner/cases/values.h"
#include "tests/planner/cases/words.h"

namespace arenite::planner::cases {
namespace {

class Parser {
 public:
  explicit Parser(const std::string& path) { file_.path = path; }

  void line(int number, std::string_view text) {
    number_ = number;
    try {
      Words words(without_comment(text));
      if (words.done()) return;
      read(words);
      if (!words.done()) throw InputError("expected the end of the line, found " + words.rest());
    } catch (const InputError& error) {
      fail(number_, error.what());
    }
  }

  CaseFile finish() {
    if (file_.cases.empty()) fail(number_, "the file has no case");
    for (const Case& each : file_.cases) {
      const std::string name = "case " + quote(each.name);
      if (!each.expects_something()) fail(each.line, name + " expects nothing");
      const bool has_results = !each.outputs.empty();
      if (!each.refuse.empty() && (has_results || !each.fail.empty() || each.nodes)) {
        fail(each.line, name + " is refused, and expects more");
      }
      if (!each.fail.empty() && has_results) fail(each.line, name + " fails, and expects results");
      for (const Expectation& output : each.outputs) {
        if (!output.as.empty() && file_.find(output.as) == nullptr) {
          fail(output.line, "no case " + quote(output.as) + " in this file");
        }
      }
    }
    return std::move(file_);
  }

 private:
  [[noreturn]] void fail(int line, const std::string& what) const {
    throw InputError(file_.path + ":" + std::to_string(line) + ": " + what);
  }

  // Lines before the first case are about the whole file.
  Case& current() { return file_.cases.empty() ? head_ : file_.cases.back(); }

  void read(Words& words) {
    if (words.take("case")) return begin_case(words);
    if (words.take("tflite")) return void(current().tflite = true);
    if (words.take("plan")) return void(current().plan = true);
    if (words.take("opset")) return void(current().opset = read_integer(words));
    if (file_.cases.empty()) throw InputError("expected `case`, found " + quote(words.word()));
    Case& own = current();
    if (words.take("like")) return like(words);
    if (words.take("input")) return tensor(words, Tensor::Kind::kInput);
    if (words.take("variable")) return tensor(words, Tensor::Kind::kVariable);
    if (words.take("constant")) return tensor(words, Tensor::Kind::kConstant);
    if (words.take("tensor")) return tensor(words, Tensor::Kind::kMade);
    if (words.take("with")) return with(words);
    if (words.take("expect")) return expectation(words);
    if (words.take("refuse")) {
      own.refuse_whole = words.take("exactly");
      return texts(words, own.refuse);
    }
    if (words.take("fail")) return texts(words, own.fail);
    if (words.take("nodes")) {
      own.nodes.emplace();
      while (!words.done()) own.nodes->push_back(words.word());
      return;
    }
    operation(words);
  }

  void begin_case(Words& words) {
    const std::string name = words.rest();
    if (file_.find(name) != nullptr) throw InputError("there is a case " + quote(name) + " before");
    file_.cases.push_back(head_);
    file_.cases.back().name = name;
    file_.cases.back().line = number_;
  }

  void like(Words& words) {
    Case& own = current();
    const std::string name = words.rest();
    const Case* const other = file_.find(name);
    if (other == nullptr || other == &own) throw InputError("no case " + quote(name) + " before");
    if (!own.tensors.empty() || !own.operators.empty()) {
      throw InputError("`like` comes before what is added");
    }
    own.tflite = other->tflite;
    own.opset = other->opset;
    own.plan = other->plan;
    own.tensors = other->tensors;
    own.operators = other->operators;
    for (Tensor& each : own.tensors) each.inherited = true;
    for (Operator& each : own.operators) each.inherited = true;
  }

  // kind NAME TYPE [DIMS] scale N... zero N... axis N {FIELDS} = VALUES
  void tensor(Words& words, Tensor::Kind kind) {
    Tensor made;
    made.kind = kind;
    made.name = words.word();
    made.type = read_type(words);
    made.dims = read_dims(words);
    scales(words, made.fields);
    if (words.take('{')) {
      const std::vector<Field> more = words.fields();
      made.fields.insert(made.fields.end(), more.begin(), more.end());
      words.expect('}');
    }
    if (words.take('=')) {
      made.data = read_values(words, made.type, numbers_of(made.dims), has_field(made, "sparsity"));
    }
    if (kind == Tensor::Kind::kConstant && !made.data) throw InputError("a constant has values");
    std::vector<Tensor>& all = current().tensors;
    const auto same = std::find_if(all.begin(), all.end(),
                                   [&](const Tensor& each) { return each.name == made.name; });
    if (same == all.end()) return all.push_back(std::move(made));
    if (!same->inherited) throw InputError("there is a tensor " + quote(made.name) + " before");
    *same = std::move(made);
  }

  static bool has_field(const Tensor& tensor, std::string_view name) {
    return std::any_of(tensor.fields.begin(), tensor.fields.end(),
                       [&](const Field& field) { return field.name == name; });
  }

  // Reads scales in the form of TensorFlow Lite's table of a tensor.
  static void scales(Words& words, std::vector<Field>& fields) {
    if (!words.take("scale")) return;
    std::string scale, zero, axis = "0";
    std::string* list = &scale;
    while (!words.done() && !words.at('=') && !words.at('{')) {
      if (words.take("zero")) {
        list = &zero;
      } else if (words.take("axis")) {
        axis = words.word();
      } else {
        *list += (list->empty() ? "" : ", ") + words.word();
      }
    }
    fields.push_back({"quantization", "{scale: [" + scale + "], zero_point: [" + zero +
                                          "], quantized_dimension: " + axis + "}"});
  }

  void with(Words& words) {
    std::vector<Operator>& all = current().operators;
    if (all.empty()) throw InputError("`with` needs an operator before it");
    for (Field& field : words.fields()) {
      std::vector<Field>& fields = all.back().fields;
      const auto same = std::find_if(fields.begin(), fields.end(),
                                     [&](const Field& each) { return each.name == field.name; });
      if (same == fields.end()) {
        fields.push_back(std::move(field));
      } else {
        same->text = field.text;
      }
    }
  }

  // expect NAME TYPE [DIMS] within N = VALUES; or as CASE, or unlike CASE, instead of the values
  void expectation(Words& words) {
    Expectation made;
    made.line = number_;
    made.name = words.word();
    made.type = read_type(words);
    if (words.at('[')) made.dims = numbers_of(read_dims(words));
    if (words.take("within")) {
      made.within = read_number(words);
      if (!is_float(made.type.dtype)) throw InputError("`within` is of floats");
    }
    made.unlike = words.take("unlike");
    if (made.unlike || words.take("as")) {
      made.as = words.rest();
    } else {
      if (!made.dims) throw InputError("expected dims");
      if (words.take('=')) made.data = read_values(words, made.type, *made.dims);
    }
    current().outputs.push_back(std::move(made));
  }

  static void texts(Words& words, std::vector<std::string>& list) {
    do {
      list.push_back(words.quoted());
    } while (!words.done());
  }

  // NAMES = DOMAIN.OPERATOR(NAMES) OPTIONS {FIELDS}
  void operation(Words& words) {
    Operator made;
    const std::string first = words.word();
    if (!words.at(',') && !words.at('=')) throw InputError("unknown word " + quote(first));
    const auto name = [](const std::string& word) { return word == "-" ? std::string() : word; };
    made.outputs.push_back(name(first));
    while (words.take(',')) made.outputs.push_back(name(words.word()));
    words.expect('=');
    made.name = words.word();
    const size_t dot = made.name.rfind('.');
    if (dot != std::string::npos) {
      made.domain = made.name.substr(0, dot);
      made.name.erase(0, dot + 1);
    }
    words.expect('(');
    while (!words.take(')')) {
      if (!made.inputs.empty()) words.expect(',');
      made.inputs.push_back(name(words.word()));
    }
    if (words.take("bytes")) {
      made.custom_bytes = read_bytes(words);
    } else if (!words.done() && !words.at('{')) {
      made.options_type = words.word();
    }
    if (words.take('{')) {
      made.fields = words.fields();
      words.expect('}');
    }
    add(std::move(made));
  }

  // In the place of one that came with `like` and makes one of the same values.
  void add(Operator made) {
    std::vector<Operator>& all = current().operators;
    const auto made_too = [&](const std::string& output) {
      return !output.empty() &&
             std::find(made.outputs.begin(), made.outputs.end(), output) != made.outputs.end();
    };
    const auto same = std::find_if(all.begin(), all.end(), [&](const Operator& each) {
      return each.inherited && std::any_of(each.outputs.begin(), each.outputs.end(), made_too);
    });
    if (same == all.end()) return all.push_back(std::move(made));
    *same = std::move(made);
  }

  CaseFile file_;
  Case head_;
  int number_ = 0;
};

}  // namespace

CaseFile parse_cases(const std::string& path, std::string_view text) {
  Parser parser(path);
  std::string joined;
  for (int number = 1, first = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    joined += text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    // The line goes on in the next.
    if (joined.ends_with('\\')) {
      joined.pop_back();
      continue;
    }
    parser.line(first, joined);
    joined.clear();
    first = number + 1;
  }
  return parser.finish();
}

}  // namespace arenite::planner::cases
// SPDX-License-Identifier: Apache-2.0
