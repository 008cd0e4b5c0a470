// Keeps what parsers emit until somebody asks for it.
#pragma once

#include <utility>
#include <variant>
#include <vector>

#include "parsers/event.h"

namespace cutopsy {

class HeldEvents : public EventSink {
 public:
  using Held = std::variant<Event, Fact>;

  void on_event(Event event) override { held_.emplace_back(std::move(event)); }
  void on_fact(Fact fact) override { held_.emplace_back(std::move(fact)); }

  bool empty() const { return held_.empty(); }
  /// Hands all on to `sink`, in order.
  void release(EventSink& sink) {
    for (Held& held : held_) {
      if (Event* event = std::get_if<Event>(&held)) sink.on_event(std::move(*event));
      if (Fact* fact = std::get_if<Fact>(&held)) sink.on_fact(std::move(*fact));
    }
    held_.clear();
  }
  const std::vector<Held>& held() const { return held_; }

 private:
  std::vector<Held> held_;
};

}  // namespace cutopsy
