#pragma once

#include <sstream>
#include <string>
#include <utility>

#include <abut/dem/dem.hpp>

namespace dem_support {

inline std::string saved(const abut::dem::simulation& of) {
  std::ostringstream file;
  of.save(file);
  return std::move(file).str();
}

inline abut::dem::simulation gone_on(const abut::dem::settings& s, const std::string& bytes,
                                     abut::dem::resume how = abut::dem::resume::as_before) {
  std::istringstream file(bytes);
  return {s, file, how};
}

}  // namespace dem_support
