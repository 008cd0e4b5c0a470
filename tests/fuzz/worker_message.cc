// What a worker process may answer whose driver library went wild.
#include "tests/fuzz/property.h"
#include "validators/message.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cutopsy;
  std::string bytes(bytes_of(data, size));
  bool broken = false;
  while (const auto message = take_message(bytes, &broken)) {
    require(!broken, "a message that was taken is whole");
    std::string again = encode(*message);
    bool is_broken = false;
    require(take_message(again, &is_broken) == message && again.empty(), "a message survives the way");
    if (const auto question = to_question(*message))
      require(to_question(to_message(*question)).has_value(), "a question survives the way");
    if (const auto answer = to_answer(*message)) {
      const auto back = to_answer(to_message(*answer));
      require(back && back->reply == answer->reply && back->doubt == answer->doubt, "an answer survives the way");
    }
    if (const auto gpus = to_gpus(*message))
      require(to_gpus(to_message(*gpus)).has_value(), "a list of GPUs survives the way");
    if (bytes.empty()) break;
  }
  return 0;
}
