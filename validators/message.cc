#include "validators/message.h"

#include <charconv>
#include <cstddef>

namespace cutopsy {

namespace {

constexpr std::size_t kMostTexts = 4096;
constexpr std::size_t kMostBytes = 1 << 20;  // of one text
constexpr std::size_t kMostSaid = 64 << 10;  // bytes of a text of an answer, which may quote a file

std::optional<std::uint64_t> number_in(std::string_view digits) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

// Reads the texts of a message one after another.
class Reader {
 public:
  explicit Reader(const Message& message) : message_(message) {}

  std::string text() {
    if (next_ < message_.size()) return message_[next_++];
    complete_ = false;
    return "";
  }
  std::uint64_t number(std::uint64_t below) {
    const auto number = number_in(text());
    if (number && *number < below) return *number;
    complete_ = false;
    return 0;
  }
  /// Whether all that was asked for was there, and nothing more.
  bool is_exact() const { return complete_ && next_ == message_.size(); }
  bool has_more() const { return complete_ && next_ < message_.size(); }

 private:
  const Message& message_;
  std::size_t next_ = 0;
  bool complete_ = true;
};

void append(Message& message, const Gpu& gpu) {
  message.insert(message.end(), {gpu.index, gpu.uuid, gpu.pci_address, gpu.name, gpu.compute_capability,
                                 std::to_string(gpu.memory_bytes), gpu.busy ? "1" : "0", gpu.busy_detail});
}

Gpu read_gpu(Reader& reader) {
  Gpu gpu;
  for (std::string* text : {&gpu.index, &gpu.uuid, &gpu.pci_address, &gpu.name, &gpu.compute_capability}) {
    *text = reader.text();
  }
  gpu.memory_bytes = reader.number(UINT64_MAX);
  gpu.busy = reader.number(2) == 1;
  gpu.busy_detail = reader.text();
  return gpu;
}

}  // namespace

Message to_message(const Question& question) {
  Message message = {question.check, std::to_string(static_cast<int>(question.task)),
                     std::to_string(static_cast<int>(question.level)), std::to_string(question.budget.count())};
  append(message, question.gpu);
  for (const auto& [name, value] : question.parameters.values()) message.insert(message.end(), {name, value});
  return message;
}

Message to_message(const Answer& answer) {
  Message message = {std::to_string(static_cast<int>(answer.reply)), std::to_string(static_cast<int>(answer.doubt)),
                     answer.detail.substr(0, kMostSaid), answer.advice.substr(0, kMostSaid)};
  for (const Measurement& one : answer.measurements)
    message.insert(message.end(), {one.name, one.value.substr(0, kMostSaid)});
  return message;
}

Message to_message(const std::vector<Gpu>& gpus) {
  Message message;
  for (const Gpu& gpu : gpus) append(message, gpu);
  return message;
}

std::optional<Question> to_question(const Message& message) {
  Reader reader(message);
  Question question;
  question.check = reader.text();
  question.task = static_cast<WorkerTask>(reader.number(5));
  question.level = static_cast<Level>(reader.number(3));
  question.budget = std::chrono::milliseconds(reader.number(INT64_MAX));
  question.gpu = read_gpu(reader);
  while (reader.has_more()) {
    std::string name = reader.text();
    question.parameters.set(std::move(name), reader.text());
  }
  if (!reader.is_exact()) return std::nullopt;
  return question;
}

std::optional<Answer> to_answer(const Message& message) {
  Reader reader(message);
  Answer answer;
  answer.reply = static_cast<Reply>(reader.number(3));
  answer.doubt = static_cast<Doubt>(reader.number(4));
  answer.detail = reader.text();
  answer.advice = reader.text();
  while (reader.has_more()) {
    std::string name = reader.text();
    answer.measurements.push_back({std::move(name), reader.text()});
  }
  const bool consistent = (answer.reply == Reply::unknown) == (answer.doubt != Doubt::none);
  if (!reader.is_exact() || !consistent) return std::nullopt;
  return answer;
}

std::optional<std::vector<Gpu>> to_gpus(const Message& message) {
  Reader reader(message);
  std::vector<Gpu> gpus;
  while (reader.has_more()) gpus.push_back(read_gpu(reader));
  if (!reader.is_exact()) return std::nullopt;
  return gpus;
}

std::string encode(const Message& message) {
  std::string bytes = std::to_string(message.size()) + "\n";
  for (const std::string& text : message) bytes += std::to_string(text.size()) + "\n" + text;
  return bytes;
}

std::optional<Message> take_message(std::string& bytes, bool* broken) {
  std::size_t at = 0;
  // The number before the next line feed; nothing when it is not there yet or is none.
  const auto take_number = [&](std::uint64_t most) -> std::optional<std::uint64_t> {
    const std::size_t end = bytes.find('\n', at);
    if (end == std::string::npos) {
      *broken = bytes.size() - at > 20;
      return std::nullopt;
    }
    const auto number = number_in(std::string_view(bytes).substr(at, end - at));
    *broken = !number || *number > most;
    at = end + 1;
    return *broken ? std::nullopt : number;
  };
  const auto texts = take_number(kMostTexts);
  if (!texts) return std::nullopt;
  Message message;
  for (std::uint64_t i = 0; i < *texts; ++i) {
    const auto length = take_number(kMostBytes);
    if (!length || bytes.size() - at < *length) return std::nullopt;
    message.push_back(bytes.substr(at, *length));
    at += *length;
  }
  bytes.erase(0, at);
  return message;
}

}  // namespace cutopsy
