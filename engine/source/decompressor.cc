#include "engine/source/decompressor.h"

#include <bzlib.h>
#include <lz4frame.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <climits>
#include <new>

namespace cutopsy {
namespace {

constexpr const char* kCorrupt = "the data is corrupt";

unsigned clamp(std::size_t bytes) {
  return static_cast<unsigned>(std::min<std::size_t>(bytes, UINT_MAX));
}

class Gzip : public Decompressor {
 public:
  Gzip() {
    constexpr int kGzipHeader = 16;
    if (inflateInit2(&stream_, kGzipHeader + MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~Gzip() override { inflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  Step step(std::span<const char> in, std::span<char> out) override {
    const unsigned given = clamp(in.size());
    const unsigned room = clamp(out.size());
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = given;
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = room;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    const bool good = status == Z_OK || status == Z_BUF_ERROR || status == Z_STREAM_END;
    return {given - stream_.avail_in, room - stream_.avail_out, status == Z_STREAM_END, good ? "" : kCorrupt};
  }

 private:
  z_stream stream_{};
};

class Bzip2 : public Decompressor {
 public:
  Bzip2() {
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }
  ~Bzip2() override { BZ2_bzDecompressEnd(&stream_); }
  Bzip2(const Bzip2&) = delete;
  Bzip2& operator=(const Bzip2&) = delete;

  Step step(std::span<const char> in, std::span<char> out) override {
    const unsigned given = clamp(in.size());
    const unsigned room = clamp(out.size());
    stream_.next_in = const_cast<char*>(in.data());
    stream_.avail_in = given;
    stream_.next_out = out.data();
    stream_.avail_out = room;
    const int status = BZ2_bzDecompress(&stream_);
    const bool good = status == BZ_OK || status == BZ_STREAM_END;
    return {given - stream_.avail_in, room - stream_.avail_out, status == BZ_STREAM_END, good ? "" : kCorrupt};
  }

 private:
  bz_stream stream_{};
};

class Xz : public Decompressor {
 public:
  Xz() {
    constexpr std::uint64_t kMemory = 256u << 20;  // xz -9 needs 65 MiB
    if (lzma_stream_decoder(&stream_, kMemory, 0) != LZMA_OK) throw std::bad_alloc();
  }
  ~Xz() override { lzma_end(&stream_); }
  Xz(const Xz&) = delete;
  Xz& operator=(const Xz&) = delete;

  Step step(std::span<const char> in, std::span<char> out) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    const lzma_ret status = lzma_code(&stream_, LZMA_RUN);
    const bool good = status == LZMA_OK || status == LZMA_BUF_ERROR || status == LZMA_STREAM_END;
    const char* fault = status == LZMA_MEMLIMIT_ERROR ? "unpacking it needs more than 256 MiB of memory" : kCorrupt;
    return {in.size() - stream_.avail_in, out.size() - stream_.avail_out, status == LZMA_STREAM_END, good ? "" : fault};
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

class Zstd : public Decompressor {
 public:
  Zstd() : stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }
  ~Zstd() override { ZSTD_freeDStream(stream_); }
  Zstd(const Zstd&) = delete;
  Zstd& operator=(const Zstd&) = delete;

  Step step(std::span<const char> in, std::span<char> out) override {
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    const std::size_t status = ZSTD_decompressStream(stream_, &output, &input);
    const char* fault = ZSTD_isError(status) ? ZSTD_getErrorName(status) : "";
    return {input.pos, output.pos, status == 0, fault};
  }

 private:
  ZSTD_DStream* stream_;
};

class Lz4 : public Decompressor {
 public:
  Lz4() {
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context_, LZ4F_VERSION))) throw std::bad_alloc();
  }
  ~Lz4() override { LZ4F_freeDecompressionContext(context_); }
  Lz4(const Lz4&) = delete;
  Lz4& operator=(const Lz4&) = delete;

  Step step(std::span<const char> in, std::span<char> out) override {
    std::size_t consumed = in.size();
    std::size_t produced = out.size();
    const std::size_t status = LZ4F_decompress(context_, out.data(), &produced, in.data(), &consumed, nullptr);
    const char* fault = LZ4F_isError(status) ? LZ4F_getErrorName(status) : "";
    return {consumed, produced, status == 0, fault};
  }

 private:
  LZ4F_dctx* context_ = nullptr;
};

}  // namespace

std::unique_ptr<Decompressor> make_decompressor(Compression compression) {
  switch (compression) {
    case Compression::gzip:
      return std::make_unique<Gzip>();
    case Compression::bzip2:
      return std::make_unique<Bzip2>();
    case Compression::xz:
      return std::make_unique<Xz>();
    case Compression::zstd:
      return std::make_unique<Zstd>();
    case Compression::lz4:
      return std::make_unique<Lz4>();
    case Compression::none:
      break;
  }
  return nullptr;
}

}  // namespace cutopsy
