// Bytes as a file of bodies (.npy, .csv or a LAMMPS dump, by their beginning): it is read, or refused with an `error`
// (which the program prints as one line); anything else is a failure.

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include <abut/abut.hpp>

#include "bodies_file.hpp"

namespace {

using namespace abut;

cli::bodies_file read(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const cli::reading silent = [](std::string_view, double) {};
  if (text.starts_with("ITEM:")) return cli::read_lammps("fuzz.dump", text, silent);
  if (!text.starts_with("\x93NUMPY")) return cli::read_csv("fuzz.csv", text, silent);
  cli::file_bytes bytes;
  const std::shared_ptr<char[]> copy(new char[size]);
  std::memcpy(copy.get(), data, size);
  bytes.data = copy;
  bytes.size = size;
  return cli::read_npy("fuzz.npy", bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const cli::bodies_file file = read(data, size);
    search s;
    s.update(file.view());
    if (file.size < 2000) s.for_each_pair([](row, row) {});
  } catch (const error&) {
  }
  return 0;
}
