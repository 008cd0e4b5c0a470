// Formats: Docker's json-file logging driver ({"log", "stream", "time"}); systemd.journal-fields(7), where a message
// that is no plain text is an array of bytes; Jupyter's nbconvert on Kaggle ({"stream_name", "time", "data"}); zap,
// logrus, slog, bunyan, python-json-logger, loguru (serialize=True), Google Cloud Logging (textPayload, jsonPayload),
// Fluent Bit ({"date", "log"}), Vector, Elastic's common schema, Loki (logcli -o jsonl).
#include "parsers/envelope/json_line.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "parsers/envelope/json_reader.h"
#include "parsers/envelope/level.h"
#include "parsers/envelope/timestamp.h"

namespace cutopsy {
namespace {

constexpr std::string_view kContainerMessage[] = {"log", "MESSAGE", "data", "textPayload"};
constexpr std::string_view kLoggerMessage[] = {"message", "msg", "text", "event"};
constexpr std::string_view kMoreMessage[] = {"error",     "err",   "exc_info",    "exc_text",  "exception",
                                             "traceback", "stack", "stack_trace", "stacktrace"};
constexpr std::string_view kTime[] = {"time",    "ts",       "timestamp", "@timestamp",
                                      "asctime", "datetime", "date",      "__REALTIME_TIMESTAMP"};
constexpr std::string_view kLevel[] = {"level", "levelname", "severity", "lvl", "log_level"};
constexpr std::string_view kHost[] = {"_HOSTNAME", "hostname", "host"};
constexpr std::string_view kPid[] = {"_PID", "pid"};
constexpr std::string_view kApplication[] = {"SYSLOG_IDENTIFIER", "logger", "name", "_COMM"};
constexpr std::string_view kPod[] = {"pod", "pod_name"};

constexpr std::string_view kContainer[] = {"container_name", "container"};
constexpr std::string_view kPlaces[] = {"kubernetes", "labels"};
constexpr std::string_view kLoggerObjects[] = {"jsonPayload", "resource",  "record", "level", "time",
                                               "pod",         "container", "host",   "log"};

template <std::size_t n>
bool is_one_of(std::string_view key, const std::string_view (&names)[n]) {
  return std::find(names, names + n, key) != names + n;
}

// A count of seconds, milliseconds, microseconds or nanoseconds since 1970, whichever gives a year of our time.
double epoch_seconds(double value) {
  constexpr double kFirst = 6e8;  // 1989
  constexpr double kLast = 6e9;   // 2160
  for (; value >= kLast; value /= 1000) {
    if (value > 6e18) return 0;
  }
  return value >= kFirst ? value : 0;
}

void set_time(std::string_view value, Envelope& envelope) {
  constexpr std::size_t kLongest = 40;
  if (value.empty() || value.size() > kLongest) return;
  envelope.time = value;
  const Timestamp time = read_timestamp(value);
  if (time.length != 0) {
    envelope.seconds = unix_seconds(time, 0);
  } else {
    envelope.seconds = epoch_seconds(std::strtod(envelope.time.c_str(), nullptr));
  }
}

// Names are kept with every finding; a longer one is no name.
std::string_view short_name(std::string_view value) {
  constexpr std::size_t kMaxNameBytes = 256;
  return value.substr(0, kMaxNameBytes);
}

// What an object's members say, while they are being read.
struct Members {
  std::string container_message;
  std::string logger_message;
  std::string more;
  std::string priority;
  std::string query_result;
  bool has_place = false;
  Envelope envelope;

  void read(std::string_view key, const std::string& value) {
    if (is_one_of(key, kContainerMessage)) {
      container_message = value;
    } else if (is_one_of(key, kLoggerMessage)) {
      if (logger_message.empty()) logger_message = value;
    } else if (is_one_of(key, kMoreMessage)) {
      if (!value.empty()) more += '\n' + value;
    } else if (is_one_of(key, kTime)) {
      set_time(value, envelope);
    } else if (is_one_of(key, kLevel)) {
      set_level(value);
    } else if (is_one_of(key, kHost)) {
      envelope.host = short_name(value);
    } else if (is_one_of(key, kPid)) {
      envelope.pid = short_name(value);
    } else if (is_one_of(key, kApplication)) {
      if (envelope.application.empty()) envelope.application = short_name(value);
    } else if (is_one_of(key, kPod)) {
      envelope.pod = short_name(value);
    } else if (key == "rank") {
      envelope.rank = short_name(value);
    } else if (key == "PRIORITY") {
      priority = value;
    } else if (key == "_TRANSPORT") {
      envelope.kernel = envelope.kernel || value == "kernel";
    } else if (key == "line") {
      query_result = value;
    }
  }

  // A member of an object that is a member itself. The names that loggers give to the parts of such an object are
  // too common to mean anything elsewhere.
  void read_nested(std::string_view object, std::string_view key, const std::string& value) {
    if (object == "jsonPayload") {
      read(key, value);
    } else if (is_one_of(object, kPlaces)) {
      has_place = true;
      if (is_one_of(key, kPod)) envelope.pod = value;
      if (is_one_of(key, kHost)) envelope.host = value;
      if (is_one_of(key, kContainer)) envelope.application = value;
    } else if (key == "name" && object == "pod") {
      envelope.pod = value;
    } else if (key == "name" && object == "container") {
      envelope.application = value;
    } else if (key == "name" && object == "host") {
      envelope.host = value;
    } else if ((key == "name" && object == "level") || (key == "level" && object == "log")) {
      set_level(value);
    } else if (key == "repr" && object == "time") {
      set_time(value, envelope);
    }
  }

  void set_level(std::string_view value) {
    const LevelWord level = read_level_word(value);
    if (level.length != 0) envelope.level = level.level;
  }
};

// Reads the members of an object, and of the objects in it that hold what a logger says of a line.
void read_members(JsonReader& reader, Members& members) {
  constexpr std::size_t kMaxDepth = 4;
  std::array<std::string, kMaxDepth> objects;  // names of those that a member stands in
  std::string key;
  std::string value;
  while (reader.next_member(key, value)) {
    const std::size_t depth = reader.depth();
    const bool is_wanted = is_one_of(key, kPlaces) || is_one_of(key, kLoggerObjects);
    if (reader.at_object() && is_wanted && depth < kMaxDepth) {
      objects[depth] = key;
      reader.descend();
    } else if (depth == 0) {
      members.read(key, value);
    } else {
      members.read_nested(objects[depth - 1], key, value);
    }
  }
}

// What stands around the objects of a JSON array that is printed one object a line.
std::string_view without_array_marks(std::string_view text) {
  if (text.starts_with("[{") || text.starts_with(",{")) text.remove_prefix(1);
  return text;
}

}  // namespace

bool read_json_line(std::string_view text, JsonLine& out) {
  text = without_array_marks(text);
  if (!text.starts_with("{\"") && !text.starts_with("{ \"")) return false;
  Members members;
  JsonReader reader(text);
  read_members(reader, members);

  Envelope& envelope = members.envelope;
  if (envelope.application == "kernel") envelope.kernel = true;
  if (envelope.kernel) envelope.level = read_priority(members.priority).level;
  const bool is_log = !envelope.time.empty() || !envelope.level.empty() || envelope.kernel;
  if (!members.container_message.empty() && (is_log || !envelope.application.empty())) {
    out.message = std::move(members.container_message);
    if (!envelope.kernel) envelope.level.clear();  // of the stream that it was written to, not of what it says
  } else if (!members.logger_message.empty() && is_log) {
    out.message = std::move(members.logger_message) + members.more;
  } else if (!members.query_result.empty() && members.has_place) {
    out.message = std::move(members.query_result);
  } else {
    return false;
  }
  out.envelope = std::move(envelope);
  return true;
}

}  // namespace cutopsy
