// Names of Python exception classes: what may stand as a class in front of ": message".
#pragma once

#include <string_view>

namespace cutopsy {

/// The class at the start of `text`, with its module and, for Ray, the inner class in parentheses:
/// "torch.cuda.OutOfMemoryError", "__main__.f.<locals>.Bad", "ray.exceptions.RayTaskError(ValueError)". Empty when
/// `text` starts with none, or when neither ": ", ":" at the end nor the end of the text follows.
std::string_view leading_class(std::string_view text);

/// The class without its module: "OutOfMemoryError", "RayTaskError".
std::string_view class_name(std::string_view type);

/// True when a line that starts with `type` can end a traceback: the class looks like an exception's.
bool is_exception_class(std::string_view type);

/// True when `type` names an exception beyond doubt, even where no traceback stands around it.
bool is_unmistakable_exception(std::string_view type);

/// Who defines `type`: "torch", "tensorflow", "jax", ... or "python".
std::string_view emitter_of_class(std::string_view type);

}  // namespace cutopsy
