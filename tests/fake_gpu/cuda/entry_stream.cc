// Entry points: streams and events. Asking whether work is done lets one piece of it happen.
#include <chrono>

#include "tests/fake_gpu/cuda/entry.h"

using namespace cutopsy::fake;

namespace {

// Work up to and including the recording of an event.
int wait_for(Driver& driver, const Event& event) {
  while (event.pending && driver.progress(event.context, event.stream)) {
  }
  return driver.device_error();
}

int elapsed(float* milliseconds, const Event* start, const Event* end) {
  if (!milliseconds || !start || !end) return status::invalid_value;
  if (start->pending || end->pending) return status::not_ready;
  if (!start->happened || !end->happened) return status::invalid_handle;
  *milliseconds = std::chrono::duration<float, std::milli>(end->when - start->when).count();
  return status::success;
}

int new_stream(Driver& driver, Stream** stream, unsigned flags) {
  if (!stream || flags > 1) return status::invalid_value;
  auto it = std::make_unique<Stream>();
  it->context = driver.current();
  it->blocking = flags == 0;
  *stream = driver.streams.insert(std::move(it)).first->get();
  return status::success;
}

}  // namespace

CUTOPSY_EXPORT int cuStreamCreate(Stream** stream, unsigned flags) {
  CUTOPSY_ENTER(context);
  return new_stream(driver, stream, flags);
}

CUTOPSY_EXPORT int cuStreamCreateWithPriority(Stream** stream, unsigned flags, int) {
  CUTOPSY_ENTER(context);
  return new_stream(driver, stream, flags);
}

CUTOPSY_EXPORT int cuStreamDestroy_v2(Stream* stream) {
  CUTOPSY_ENTER(context);
  if (!owned(driver.streams, stream)) return status::invalid_handle;
  const int error = driver.finish(stream->context, stream);
  std::erase_if(driver.streams, [&](const auto& it) { return it.get() == stream; });
  return error;
}

CUTOPSY_EXPORT int cuStreamSynchronize(Stream* stream) {
  CUTOPSY_ENTER(context);
  if (!driver.is_stream(stream)) return status::invalid_handle;
  return driver.finish(stream ? stream->context : driver.current(), stream);
}

CUTOPSY_EXPORT int cuStreamQuery(Stream* stream) {
  CUTOPSY_ENTER(context);
  if (!driver.is_stream(stream)) return status::invalid_handle;
  const bool waited = driver.progress(stream ? stream->context : driver.current(), stream);
  if (driver.device_error() != 0) return driver.device_error();
  return waited ? status::not_ready : status::success;
}

CUTOPSY_EXPORT int cuStreamWaitEvent(Stream* stream, Event* event, unsigned) {
  CUTOPSY_ENTER(context);
  if (!driver.is_stream(stream) || !owned(driver.events, event)) return status::invalid_handle;
  driver.queue(driver.current(), stream, [&driver, event] { wait_for(driver, *event); });
  return status::success;
}

CUTOPSY_EXPORT int cuEventCreate(Event** event, unsigned) {
  CUTOPSY_ENTER(context);
  if (!event) return status::invalid_value;
  *event = driver.events.insert(std::make_unique<Event>()).first->get();
  return status::success;
}

CUTOPSY_EXPORT int cuEventDestroy_v2(Event* event) {
  CUTOPSY_ENTER(context);
  if (!owned(driver.events, event)) return status::invalid_handle;
  const int error = wait_for(driver, *event);
  std::erase_if(driver.events, [&](const auto& it) { return it.get() == event; });
  return error;
}

CUTOPSY_EXPORT int cuEventRecord(Event* event, Stream* stream) {
  CUTOPSY_ENTER(context);
  if (!owned(driver.events, event) || !driver.is_stream(stream)) return status::invalid_handle;
  event->context = driver.current();
  event->stream = stream;
  event->pending = true;
  driver.queue(driver.current(), stream, [event] {
    event->when = std::chrono::steady_clock::now();
    event->happened = true;
    event->pending = false;
  });
  return status::success;
}

CUTOPSY_EXPORT int cuEventSynchronize(Event* event) {
  CUTOPSY_ENTER(context);
  if (!owned(driver.events, event)) return status::invalid_handle;
  return wait_for(driver, *event);
}

CUTOPSY_EXPORT int cuEventQuery(Event* event) {
  CUTOPSY_ENTER(context);
  if (!owned(driver.events, event)) return status::invalid_handle;
  const bool pending = event->pending;
  if (pending) driver.progress(event->context, event->stream);
  if (driver.device_error() != 0) return driver.device_error();
  return pending ? status::not_ready : status::success;
}

CUTOPSY_EXPORT int cuEventElapsedTime(float* milliseconds, Event* start, Event* end) {
  CUTOPSY_ENTER(context);
  return elapsed(milliseconds, owned(driver.events, start), owned(driver.events, end));
}

CUTOPSY_EXPORT int cuEventElapsedTime_v2(float* milliseconds, Event* start, Event* end) {
  CUTOPSY_ENTER(context);
  return elapsed(milliseconds, owned(driver.events, start), owned(driver.events, end));
}
