#include "bodies_summary.hpp"

#include <fmt/format.h>

#include "files/bodies_notes.hpp"
#include "screen/words.hpp"

namespace abut::cli {

bodies_summary summary_of(const std::string& source, const bodies_file& file, const options& chosen) {
  return {.source = source,
          .kind = file.kind,
          .dimension = file.dimension,
          .count = file.size,
          .columns = file.names,
          .periodic = axes_of(chosen),
          .radius = file.radius,
          .note = file.note};
}

std::string in_words(const bodies_summary& bodies) {
  const std::string source = bodies.demo() ? "a jittered lattice made here" : one_line(bodies.source);
  return fmt::format("{}: {}{}", source, bodies_in_words(bodies.kind, bodies.dimension, bodies.count),
                     bodies.note.empty() ? "" : fmt::format(" ({})", bodies.note));
}

void add_to(json_object& json, const bodies_summary& bodies) {
  json.add("file", bodies.demo() ? "null" : json_string(bodies.source))
      .add("shape", json_string(bodies.kind == shape::sphere ? "sphere" : "box"))
      .add("bodies", json_number(bodies.count))
      .add("dimension", json_number(bodies.dimension))
      .add("columns", json_strings(bodies.columns))
      .add("radius", json_number(bodies.radius))
      .add("periodic", json_strings(bodies.periodic));
}

}  // namespace abut::cli
