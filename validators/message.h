// The words that the runner and its workers exchange: a list of texts, each with its length in front.
//
// Workers are processes of the same binary, so the form needs no versions. Decoding trusts nothing all the same: a
// worker whose driver library went wild may write anything.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validators/answer.h"
#include "validators/check.h"

namespace cutopsy {

using Message = std::vector<std::string>;

/// What a worker is asked for.
enum class WorkerTask {
  answer,       ///< of the check
  list_gpus,    ///< the list of them; of the observer, like what follows
  load_starts,  ///< that it watches `gpu` from here on: the check is about to load it
  load_ended,   ///< the check came to an answer
  load_failed,  ///< it came to none
};

struct Question {
  std::string check = {};
  Gpu gpu = {};
  Level level = Level::quick;
  std::chrono::milliseconds budget{0};
  Parameters parameters = {};
  WorkerTask task = WorkerTask::answer;
};

Message to_message(const Question& question);
Message to_message(const Answer& answer);
Message to_message(const std::vector<Gpu>& gpus);

/// No value when the message has another form.
std::optional<Question> to_question(const Message& message);
std::optional<Answer> to_answer(const Message& message);
std::optional<std::vector<Gpu>> to_gpus(const Message& message);

/// The bytes of a message: "TEXTS\n", then for each text "LENGTH\n" and the text.
std::string encode(const Message& message);

/// Takes one whole message from the front of `bytes`. No value while it is incomplete; `*broken` is set when it can
/// never become one.
std::optional<Message> take_message(std::string& bytes, bool* broken);

}  // namespace cutopsy
