#include "parsers/exception_class.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cutopsy {
namespace {

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_name_start(char c) {
  return is_upper(c) || (c >= 'a' && c <= 'z') || c == '_';
}
bool is_name_char(char c) {
  return is_name_start(c) || (c >= '0' && c <= '9');
}

// Length of one part of a dotted name, 0 when `text` starts with none.
std::size_t part_length(std::string_view text) {
  constexpr std::string_view kLocals = "<locals>";
  if (text.starts_with(kLocals)) return kLocals.size();
  if (text.empty() || !is_name_start(text.front())) return 0;
  return std::find_if_not(text.begin(), text.end(), is_name_char) - text.begin();
}

std::size_t dotted_length(std::string_view text) {
  std::size_t length = 0;
  while (true) {
    const std::size_t part = part_length(text.substr(length));
    if (part == 0) return 0;
    length += part;
    if (length >= text.size() || text[length] != '.') return length;
    ++length;
  }
}

constexpr std::string_view kSuffixes[] = {"Error",   "Exception",      "Exit",   "Interrupt",
                                          "Warning", "ExceptionGroup", "Failed", "Traceback"};

bool has_exception_suffix(std::string_view name) {
  return std::any_of(std::begin(kSuffixes), std::end(kSuffixes),
                     [&](auto suffix) { return name.size() > suffix.size() && name.ends_with(suffix); });
}

// Classes that are printed without a module, or that do not end like an exception: the built-in ones, and those of
// the GPU stack as printers that leave the module out show them. Sorted.
constexpr std::string_view kKnown[] = {
    "AcceleratorError",
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BackendCompilerFailed",
    "BlockingIOError",
    "BrokenPipeError",
    "BrokenProcessPool",
    "BufferError",
    "CUDADriverError",
    "CUDARuntimeError",
    "CalledProcessError",
    "ChildFailedError",
    "ChildProcessError",
    "CompilationError",
    "CompileException",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "CudaAPIError",
    "CudaSupportError",
    "DistBackendError",
    "DistNetworkError",
    "DistStoreError",
    "EOFError",
    "EnvironmentError",
    "Exception",
    "ExceptionGroup",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "HorovodInternalError",
    "IOError",
    "ImportError",
    "IndentationError",
    "IndexError",
    "InductorError",
    "InternalError",
    "InterruptedError",
    "InvalidArgumentError",
    "IsADirectoryError",
    "JaxRuntimeError",
    "KeyError",
    "KeyboardInterrupt",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "NotADirectoryError",
    "NotImplementedError",
    "NvccError",
    "NvrtcError",
    "OSError",
    "OutOfMemoryError",
    "OutOfResources",
    "OverflowError",
    "PermissionError",
    "ProcessExitedException",
    "ProcessLookupError",
    "ProcessRaisedException",
    "RecursionError",
    "ReferenceError",
    "ResourceExhaustedError",
    "RuntimeError",
    "StopAsyncIteration",
    "StopIteration",
    "SyntaxError",
    "SystemError",
    "SystemExit",
    "TabError",
    "TimeoutError",
    "TypeError",
    "UnboundLocalError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "UnicodeTranslateError",
    "ValueError",
    "XlaRuntimeError",
    "ZeroDivisionError",
};

bool is_known(std::string_view name) {
  return std::binary_search(std::begin(kKnown), std::end(kKnown), name);
}

// Modules spell a few exceptions in lower case: socket.timeout, cv2.error, zlib.error.
bool is_lower_case_exception(std::string_view name) {
  return name == "error" || name == "timeout" || name == "herror" || name == "gaierror";
}

bool is_dotted(std::string_view type) {
  return type.substr(0, type.find('(')).find('.') != std::string_view::npos;
}

// Packages of other languages, whose exceptions print like Python's.
bool is_foreign(std::string_view type) {
  constexpr std::string_view kRoots[] = {"java.", "javax.", "org.", "com.", "net.", "sun.", "scala.", "System."};
  return std::any_of(std::begin(kRoots), std::end(kRoots), [&](auto root) { return type.starts_with(root); });
}

// torch._dynamo.exc.Unsupported: a module that holds nothing else.
bool is_module_of_exceptions(std::string_view module) {
  return module.ends_with("._dynamo.exc") || module.ends_with("._inductor.exc");
}

constexpr std::pair<std::string_view, std::string_view> kEmitters[] = {
    {"torch", "torch"},     {"tensorflow", "tensorflow"},
    {"jax", "jax"},         {"jaxlib", "jax"},
    {"cupy", "cupy"},       {"cupy_backends", "cupy"},
    {"cupyx", "cupy"},      {"numba", "numba"},
    {"triton", "triton"},   {"ray", "ray"},
    {"vllm", "vllm"},       {"deepspeed", "deepspeed"},
    {"horovod", "horovod"}, {"pycuda", "pycuda"},
    {"cv2", "opencv"},      {"onnxruntime", "onnxruntime"},
    {"mxnet", "mxnet"},     {"tvm", "tvm"},
};

}  // namespace

std::string_view leading_class(std::string_view text) {
  std::size_t length = dotted_length(text);
  if (length == 0) return {};
  if (length < text.size() && text[length] == '(') {
    const std::size_t inner = dotted_length(text.substr(length + 1));
    const std::size_t close = length + 1 + inner;
    if (inner == 0 || close >= text.size() || text[close] != ')') return {};
    length = close + 1;
  }
  const std::string_view rest = text.substr(length);
  const bool ends = rest.empty() || rest == ":" || rest.starts_with(": ") || rest.starts_with(":\t");
  return ends ? text.substr(0, length) : std::string_view{};
}

std::string_view class_name(std::string_view type) {
  type = type.substr(0, type.find('('));
  return type.substr(type.rfind('.') + 1);
}

bool is_exception_class(std::string_view type) {
  const std::string_view name = class_name(type);
  if (name.empty()) return false;
  if (!is_dotted(type)) return is_known(name) || (!(name[0] >= 'a' && name[0] <= 'z') && has_exception_suffix(name));
  return is_upper(name.front()) || has_exception_suffix(name) || is_lower_case_exception(name);
}

bool is_unmistakable_exception(std::string_view type) {
  const std::string_view name = class_name(type);
  if (!is_dotted(type)) return is_known(name);
  if (is_foreign(type) || name.empty() || !is_upper(name.front())) return false;
  if (is_module_of_exceptions(type.substr(0, type.rfind('.')))) return true;
  constexpr std::string_view kCertain[] = {"Error", "Exception", "Exit"};
  return is_known(name) ||
         std::any_of(std::begin(kCertain), std::end(kCertain), [&](auto suffix) { return name.ends_with(suffix); });
}

std::string_view emitter_of_class(std::string_view type) {
  const std::string_view root = type.substr(0, type.find('.'));
  auto found = std::find_if(std::begin(kEmitters), std::end(kEmitters), [&](auto& row) { return row.first == root; });
  return found == std::end(kEmitters) ? "python" : found->second;
}

}  // namespace cutopsy
