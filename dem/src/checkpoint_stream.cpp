#include "checkpoint_stream.hpp"

#include <algorithm>
#include <istream>
#include <ostream>
#include <string_view>

#include <abut/error.hpp>

#include "mix.hpp"

namespace abut::dem {

namespace {

constexpr std::string_view written_by = "abutsave";
constexpr std::uint64_t version = 3;
constexpr std::size_t word = sizeof(std::uint64_t);
constexpr std::size_t header_bytes = 3 * word;

std::uint64_t word_at(const char* bytes, std::size_t count) {
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < count; ++k) bits |= std::uint64_t{static_cast<std::uint8_t>(bytes[k])} << (8 * k);
  return bits;
}

// The last word may be short; its other bytes count as 0.
void add_to(std::uint64_t& sum, const char* bytes, std::size_t count) {
  for (std::size_t k = 0; k < count; k += word) mix(sum, word_at(bytes + k, std::min(word, count - k)));
}

// Reads up to `count` bytes, in pieces: a junk file may name any number.
std::string read_up_to(std::istream& from, std::uint64_t count) {
  constexpr std::uint64_t piece = std::uint64_t{1} << 20U;
  std::string bytes;
  while (bytes.size() < count && from) {
    const std::size_t had = bytes.size();
    bytes.resize(had + std::min(piece, count - had));
    from.read(bytes.data() + had, static_cast<std::streamsize>(bytes.size() - had));
    bytes.resize(had + static_cast<std::size_t>(from.gcount()));
  }
  return bytes;
}

}  // namespace

checkpoint_writer::checkpoint_writer(std::ostream& to, std::uint64_t bytes) : to_(to) {
  for (const char c : written_by) put(static_cast<std::uint8_t>(c));
  (*this)(version, bytes);
}

// All flushes but the last are of whole words, since each writes only such.
void checkpoint_writer::flush() {
  const std::size_t whole = used_ / word * word;
  add_to(sum_, buffer_.data(), whole);
  to_.write(buffer_.data(), static_cast<std::streamsize>(whole));
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(whole), buffer_.begin() + static_cast<std::ptrdiff_t>(used_),
            buffer_.begin());
  used_ -= whole;
}

void checkpoint_writer::finish() {
  flush();
  add_to(sum_, buffer_.data(), used_);
  put(sum_);
  to_.write(buffer_.data(), static_cast<std::streamsize>(used_));
  used_ = 0;
  if (!to_) throw error("the checkpoint cannot be written");
}

checkpoint_reader::checkpoint_reader(std::istream& from) {
  const std::string header = read_up_to(from, header_bytes);
  if (!header.starts_with(written_by)) throw error("this is no checkpoint of abut");
  const auto cut_off = [](std::uint64_t have, std::uint64_t of) {
    throw error("this checkpoint is cut off: it has " + std::to_string(have) + " of " + std::to_string(of) + " bytes");
  };
  if (header.size() < header_bytes) cut_off(header.size(), header_bytes);
  const std::uint64_t found = word_at(header.data() + word, word);
  if (found != version) {
    throw error("this checkpoint has version " + std::to_string(found) + ": this program reads version " +
                std::to_string(version));
  }
  const std::uint64_t bytes = word_at(header.data() + 2 * word, word);
  bytes_ = read_up_to(from, bytes);
  const std::string end = read_up_to(from, word);
  if (end.size() < word) cut_off(header.size() + bytes_.size() + end.size(), header.size() + bytes + word);
  std::uint64_t sum = 0;
  add_to(sum, header.data(), header.size());
  add_to(sum, bytes_.data(), bytes_.size());
  if (sum != word_at(end.data(), word)) damaged("its checksum is wrong");
}

void checkpoint_reader::finish() const {
  if (at_ != bytes_.size()) damaged("it has more bytes than it should");
}

void checkpoint_reader::damaged(const std::string& how) { throw error("this checkpoint is damaged: " + how); }

}  // namespace abut::dem
