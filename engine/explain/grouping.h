// Which inputs tell of the same job.
//
// Inputs named on a command line are one case. An input found in a folder or an archive is a case of its own, unless
// inputs of that folder share a process id, are the ranks or streams of one job by their names, or come from one host
// at one time. A kernel log tells of a machine: its findings go to each case that they fit by process or by host and
// time, the others are a case of their own.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/explain/input_identity.h"

namespace cutopsy {

enum class Grouping {
  automatic,
  together,  ///< one case
  separate,  ///< a case for each input
};

/// What grouping needs to know of an input.
struct GroupedInput {
  std::string name;        ///< its path
  std::size_t folder = 0;  ///< 0: named by the user; else the number of the folder that it was found in
  const InputIdentity* identity = nullptr;
  std::span<const Finding> findings;
};

/// An input's part in a case.
struct CaseInput {
  std::size_t input = 0;
  std::vector<std::size_t> findings;  ///< indices of those that belong to this case, in their order
};

/// True for a log that may belong to several cases. Only kernel logs found in folders do: who names one beside a job's
/// says that they belong together.
bool is_shared_out(std::size_t folder, const InputIdentity& identity);

/// The inputs of each case, in the order of their first inputs. Every finding belongs to at least one case.
std::vector<std::vector<CaseInput>> group_inputs(std::span<const GroupedInput> inputs, Grouping grouping);

/// What the paths of one job's files share: the path with the number of its rank and the name of its stream masked
/// ("out/rank_3.log", "attempt_0/3/stderr.log", "trainer-node2.txt", "job-77.err"); "" when it names neither.
std::string job_name_of(const std::string& path);

/// The rank that a file's name tells ("out/rank_3.log", "rank-07.err"); "" when it tells none or several.
std::string rank_of_name(const std::string& path);

/// Seconds around a job's known times in which a fault of its machine still belongs to it: what a clock and a slow log
/// writer may differ by.
inline constexpr double kClockSlackSeconds = 120;

/// Of the findings of one kernel log, so many at most come to one job: the first ones. Without a bound a thousand jobs
/// of one night, each with a thousand faults of its machine, would be a million. The others are a case of their own.
inline constexpr std::size_t kMostSharedOut = 64;

}  // namespace cutopsy
