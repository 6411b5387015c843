#pragma once

#ifdef __clang__
#define ABUT_COMPILER __VERSION__  // "Debian Clang 14.0.6"
#else
#define ABUT_COMPILER "g++ " __VERSION__
#endif

namespace abut {

/// Tells builds of the library apart: a hash of its sources and of the compiler's options, and the compiler's version.
/// The build makes its definition (cmake/build_stamp.cmake).
[[nodiscard]] const char* build_stamp();

}  // namespace abut
