#include "render/png_file.hpp"

#include <abut/error.hpp>

#ifdef ABUT_PNG
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include <png.h>

#include <fmt/format.h>

#include "render/colors.hpp"
#endif

namespace abut::cli {

#ifdef ABUT_PNG

namespace {

std::string packed(const std::string& path, const image& picture) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(picture.pixels.size() * 3);
  for (const rgb& p : picture.pixels) bytes.insert(bytes.end(), {byte_of(p.r), byte_of(p.g), byte_of(p.b)});
  png_image what{};
  what.version = PNG_IMAGE_VERSION;
  what.width = static_cast<png_uint_32>(picture.width);
  what.height = static_cast<png_uint_32>(picture.height);
  what.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(what);
  std::string all(size, '\0');
  if (png_image_write_to_memory(&what, all.data(), &size, 0, bytes.data(), 0, nullptr) == 0) {
    throw error(fmt::format("{}: libpng cannot write it: {}", path, static_cast<const char*>(what.message)));
  }
  all.resize(size);
  return all;
}

void append_number(std::string& to, std::uint32_t number, unsigned bytes = 4) {
  for (unsigned k = bytes; k-- > 0;) to += static_cast<char>(number >> (8 * k) & 0xffU);
}

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t k = 0; k < 4; ++k) number = number << 8U | static_cast<unsigned char>(bytes[at + k]);
  return number;
}

/// The check sum of a chunk (CRC-32, as in the PNG standard, annex D).
std::uint32_t check_sum(std::string_view bytes) {
  std::uint32_t sum = 0xffff'ffffU;
  for (const char c : bytes) {
    sum ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) sum = (sum & 1U) != 0 ? sum >> 1U ^ 0xedb8'8320U : sum >> 1U;
  }
  return ~sum;
}

constexpr std::size_t signature_size = 8, header_size = 13;

/// Calls `f(name, bytes)` for each chunk of a PNG.
template <class F>
void for_each_chunk(std::string_view png, const F& f) {
  constexpr std::size_t around = 12;  // length, name and check sum
  for (std::size_t at = signature_size; at + around <= png.size();) {
    const std::size_t length = number_at(png, at);
    f(png.substr(at + 4, 4), png.substr(at + 8, length));
    at += around + length;
  }
}

}  // namespace

void need_png() {}

void write_png(const std::string& path, const image& picture) {
  output_file file(path);
  const std::string bytes = packed(path, picture);
  file.open();
  file.write(bytes.data(), bytes.size());
  file.commit();
}

png_film::png_film(std::string path, std::size_t pictures, double per_second)
    : path_(std::move(path)), pictures_(pictures), per_second_(per_second), file_(path_) {
  file_.open();
}

void png_film::write_chunk(const char* name, const std::string& bytes) {
  const std::string named = name + bytes;
  std::string whole;
  append_number(whole, static_cast<std::uint32_t>(bytes.size()));
  whole += named;
  append_number(whole, check_sum(named));
  file_.write(whole.data(), whole.size());
}

// https://www.w3.org/TR/png-3/#11acTL: the first picture is that of the file, the others are in chunks of their own.
void png_film::add(const image& picture) {
  const std::string png = packed(path_, picture);
  if (!begun_) {
    file_.write(png.data(), signature_size);
    write_chunk("IHDR", png.substr(signature_size + 8, header_size));
    std::string control;
    append_number(control, static_cast<std::uint32_t>(pictures_));
    append_number(control, 0);  // again and again
    write_chunk("acTL", control);
  }
  std::string control;
  append_number(control, written_++);
  append_number(control, static_cast<std::uint32_t>(picture.width));
  append_number(control, static_cast<std::uint32_t>(picture.height));
  append_number(control, 0);  // from the left
  append_number(control, 0);  // from the top
  append_number(control, static_cast<std::uint32_t>(std::lround(1000 / per_second_)), 2);
  append_number(control, 1000, 2);  // the time, as a fraction of seconds
  append_number(control, 0, 2);     // the picture stays, and the next one replaces it
  write_chunk("fcTL", control);
  for_each_chunk(png, [&](std::string_view name, std::string_view bytes) {
    if (name != "IDAT") return;
    std::string numbered;
    if (begun_) append_number(numbered, written_++);
    write_chunk(begun_ ? "fdAT" : "IDAT", numbered.append(bytes));
  });
  begun_ = true;
}

void png_film::commit() {
  write_chunk("IEND", "");
  file_.commit();
}

#else

void need_png() { throw error("this abut was built without libpng; install libpng-dev and build it again"); }

void write_png(const std::string&, const image&) { need_png(); }

png_film::png_film(std::string path, std::size_t pictures, double per_second)
    : path_(std::move(path)), pictures_(pictures), per_second_(per_second), file_(path_) {
  need_png();
}
void png_film::write_chunk(const char*, const std::string&) {}
void png_film::add(const image&) {}
void png_film::commit() {}

#endif

}  // namespace abut::cli
