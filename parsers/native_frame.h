// One line of a native (C++) stack trace, in the forms that GPU programs print.
#pragma once

#include <optional>
#include <string_view>

namespace cutopsy {

/// The function of the frame that `text` prints, "" for a frame without a name; nothing when `text` is no frame.
///
///   frame #0: c10::Error::Error(...) + 0x98 (0x7f1c in /lib/libc10.so)     PyTorch, c10/util/Backtrace.cpp
///   #4 c10::Error::Error(...) from ??:0                                   PyTorch, symbolised (CapturedTraceback)
///   <omitting python frames>                                              PyTorch
///       @     0x7f00deadbeef  google::LogMessage::Fail()                  glog
///   1       0x7f8c12 tensorrt_llm::common::throwRuntimeError(...) + 100   TensorRT-LLM
///     [bt] (1) /lib/libmxnet.so(+0x2a) [0x7f0c]                           dmlc-core (MXNet, TVM, XGBoost)
///      at Namespace.Type.Method(Int32)                                    .NET
///
/// The last form could be prose and is read only where .NET frames are expected: `managed`.
std::optional<std::string_view> read_native_frame(std::string_view text, bool managed = false);

/// "Exception raised from FUNCTION at FILE:LINE (most recent call first):", c10's line before its frames.
struct RaisedFrom {
  std::string_view function;
  std::string_view file;
  std::string_view line;
};
std::optional<RaisedFrom> read_raised_from(std::string_view text);

/// A line that announces native frames and tells nothing else: "C++ CapturedTraceback:", "Stack trace:", ...
bool announces_native_frames(std::string_view text);

}  // namespace cutopsy
