// Bytes as a file of bodies (.npy, .csv or a LAMMPS dump, by their beginning): it is read, or refused with an `error`
// (which the program prints as one line); anything else is a failure.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include <abut/abut.hpp>

#include "files/bodies_file.hpp"
#include "files/bodies_notes.hpp"

namespace {

using namespace abut;

/// What a user may say of the columns.
cli::columns_request said(const char* columns, std::optional<double> radius, bool ids) {
  cli::columns_request request;
  request.radius = radius;
  request.ids = ids;
  if (*columns != 0) cli::read_columns(request, columns);
  return request;
}

cli::bodies_file read(const std::uint8_t* data, std::size_t size, const cli::columns_request& wanted) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const cli::reading silent = [](std::string_view, double) {};
  if (text.starts_with("ITEM:")) return cli::read_lammps("fuzz.dump", text, wanted, silent);
  if (!text.starts_with("\x93NUMPY")) return cli::read_csv("fuzz.csv", text, wanted, silent);
  cli::file_bytes bytes;
  const std::shared_ptr<char[]> copy(new char[size]);
  std::memcpy(copy.get(), data, size);
  bytes.data = copy;
  bytes.size = size;
  return cli::read_npy("fuzz.npy", bytes, wanted);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const cli::columns_request requests[] = {
      said("", {}, false),
      said("", 0.5, true),
      said("id,x,y,diameter", {}, true),
      said("xmin,xmax,-,ymin,ymax", {}, false),
  };
  for (const cli::columns_request& wanted : requests) {
    try {
      const cli::bodies_file file = read(data, size, wanted);
      (void)cli::strange_sizes(file, "fuzz");
      if (wanted.ids && file.ids.size() != file.size) std::abort();
      search s;
      s.update(file.view());
      if (file.size < 2000) s.for_each_pair([](row, row) {});
    } catch (const error&) {
    }
  }
  return 0;
}
