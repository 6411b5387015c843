// A scene's values as a TOML text.

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "scene/value.hpp"

namespace abut::cli {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (code < 0x20 || code == 0x7f) {
      out += fmt::format("\\u{:04X}", code);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

/// On one line: what is inside a value, with commas between.
template <class Write>
std::string listed(const value& v, char open, char close, const Write& write) {
  std::string out(1, open);
  for (const value& one : v.inside) {
    if (out.size() > 1) out += ", ";
    out += write(one);
  }
  return out + close;
}

std::string written(const value& v) {
  switch (v.kind) {
    case value_kind::table:
      return listed(v, '{', '}', [](const value& one) { return quoted(one.key) + " = " + written(one); });
    case value_kind::array:
      return listed(v, '[', ']', [](const value& one) { return written(one); });
    case value_kind::text:
      return quoted(v.text);
    case value_kind::whole:
      return std::to_string(v.whole);
    case value_kind::real: {
      const std::string number = fmt::format("{}", v.real);
      return number.find_first_of(".en") == std::string::npos ? number + ".0" : number;
    }
    case value_kind::flag:
      return v.flag ? "true" : "false";
    case value_kind::date:
      break;  // no key has one
  }
  return "\"\"";
}

}  // namespace

std::string to_toml(const value& root) {
  std::string text;
  for (const value& v : root.inside) text += fmt::format("{} = {}\n", quoted(v.key), written(v));
  return text;
}

}  // namespace abut::cli
