# `cpack -G DEB` in a build folder makes abut_<version>_<architecture>.deb: a single package with the program, the
# headers and the library.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "The abut authors")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
    WORLD_EXECUTE)
set(CPACK_ABUT_STRIP ${CMAKE_STRIP})
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The abut authors <abut@example.org>" CACHE STRING "Who made the package")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "The contact detection of discrete element simulation: many methods behind one
interface, exact to the last bit, for spheres and boxes in 2D and 3D. Contains
the program abut and the library for C++ and C, with its headers and the files
for CMake and pkg-config.")
# The dependencies of the program and of a shared library are read from the files themselves.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake, pkg-config")
if(abut_type STREQUAL "SHARED_LIBRARY")
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
endif()
include(CPack)
