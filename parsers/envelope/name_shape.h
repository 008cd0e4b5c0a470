// What the names in a wrapping look like: each function says how many bytes of `text` such a name takes, 0 for none.
#pragma once

#include <cstddef>
#include <string_view>

namespace cutopsy {

/// A process id, a thread id.
std::size_t number_length(std::string_view text);

/// A rank: at most six digits.
std::size_t rank_length(std::string_view text);

/// Letters, digits, '_'.
std::size_t word_length(std::string_view text);

/// A logger, program, unit or process: "torch.distributed.run", "nv-fabricmanager", "EngineCore_DP0"; no enumerator of
/// a status ("cudaErrorNoDevice").
std::size_t application_length(std::string_view text);

/// A host name or address.
std::size_t host_length(std::string_view text);

/// A host name that nothing else is likely to be: lower case, with a digit, and no program, library or device
/// ("gn21", "node1.cluster", not "python3", "libcudart.so.12", "nvme0").
std::size_t node_length(std::string_view text);

/// A host name without digits that is no word of a message, when ": " follows: lower case ("node-b", "alpha.cluster").
std::size_t machine_length(std::string_view text);

/// A pod of a Kubernetes deployment: "vllm-7d9f8b6c5d-x2x9k".
std::size_t replica_length(std::string_view text);

/// A pod of a stateful set or a job: "trainer-0".
std::size_t member_length(std::string_view text);

/// A container of a pod.
std::size_t container_length(std::string_view text);

/// A log stream of CloudWatch: "job/default/0f9a8b7c6d5e", "algo/algo-1-1764496800".
std::size_t log_stream_length(std::string_view text);

/// The place of a log call in loguru, when " - " follows: "trainer:main:31".
std::size_t caller_length(std::string_view text);

/// The place of a log call: "ProcessGroupNCCL.cpp:629", "config.py:733:__init__".
std::size_t site_length(std::string_view text);

/// A Rust module: lower case, with an underscore or "::".
std::size_t module_length(std::string_view text);

/// A container as docker compose labels it, when '|' follows: "trainer-1", "vllm".
std::size_t service_length(std::string_view text);

/// ASCII letters.
std::size_t letters_length(std::string_view text);

/// "stdout", "stderr" or "stddiag".
std::size_t stream_length(std::string_view text);

/// One letter or space.
std::size_t flag_length(std::string_view text);

/// Spaces and tabs.
std::size_t spaces_length(std::string_view text);

/// Seconds with a fraction: "146.3".
std::size_t seconds_length(std::string_view text);

/// The same in five characters, as BuildKit repeats them above an error, and no quantity.
std::size_t step_seconds_length(std::string_view text);

/// The space that some programs print between a label and the text. Python indents by even numbers of spaces, so that
/// it is there where their number is odd.
std::size_t gap_length(std::string_view text);

/// All of `text`.
std::size_t rest_length(std::string_view text);

}  // namespace cutopsy
