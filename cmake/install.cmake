# What `cmake --install` and CPack install: the library for find_package and pkg-config, and the program.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(abut_cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/abut)

install(TARGETS abut EXPORT abut COMPONENT abut_library INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/abut DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT abut_library
        FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")

if(ABUT_DEM OR ABUT_CLI)
  install(TARGETS abut_dem EXPORT abut_dem COMPONENT abut_library INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(DIRECTORY dem/include/abut DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT abut_library
          FILES_MATCHING PATTERN "*.hpp")
endif()

# ---- find_package

# Users of a static library must link OpenMP themselves; a shared one brings it along.
string(COMPARE EQUAL ${abut_type} STATIC_LIBRARY abut_static)
# Before 1.0 a new minor version may change anything.
set(abut_compatible SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(abut_compatible SameMinorVersion)
endif()
configure_package_config_file(cmake/abut-config.cmake.in abut-config.cmake INSTALL_DESTINATION ${abut_cmake_folder}
                              NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(abut-config-version.cmake COMPATIBILITY ${abut_compatible})
install(EXPORT abut NAMESPACE abut:: FILE abut-targets.cmake DESTINATION ${abut_cmake_folder} COMPONENT abut_library)
if(ABUT_DEM OR ABUT_CLI)
  install(EXPORT abut_dem NAMESPACE abut:: FILE abut-dem-targets.cmake DESTINATION ${abut_cmake_folder}
          COMPONENT abut_library)
endif()
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/abut-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/abut-config-version.cmake
        DESTINATION ${abut_cmake_folder} COMPONENT abut_library)

# ---- pkg-config

# Relative to the file's own folder, so that the installation can be moved; absolute if the folders are given as
# absolute paths.
set(abut_pc_prefix ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  file(RELATIVE_PATH abut_up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" abut_up ${abut_up})
  set(abut_pc_prefix "\${pcfiledir}/${abut_up}")
endif()
cmake_path(APPEND abut_pc_libdir "\${prefix}" "${CMAKE_INSTALL_LIBDIR}")
cmake_path(APPEND abut_pc_includedir "\${prefix}" "${CMAKE_INSTALL_INCLUDEDIR}")
# The libraries that a C++ compiler links by default, for those who link with a C compiler.
set(abut_pc_libraries ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
list(FILTER abut_pc_libraries INCLUDE REGEX "^(stdc\\+\\+|c\\+\\+|m)$")
if(abut_static AND abut_openmp)
  list(PREPEND abut_pc_libraries ${OpenMP_CXX_LIB_NAMES})
endif()
list(TRANSFORM abut_pc_libraries PREPEND "-l")
list(JOIN abut_pc_libraries " " abut_pc_libraries)
configure_file(cmake/abut.pc.in abut.pc @ONLY)
set(abut_pc_files ${CMAKE_CURRENT_BINARY_DIR}/abut.pc)
if(ABUT_DEM OR ABUT_CLI)
  configure_file(cmake/abut-dem.pc.in abut-dem.pc @ONLY)
  list(APPEND abut_pc_files ${CMAKE_CURRENT_BINARY_DIR}/abut-dem.pc)
endif()
install(FILES ${abut_pc_files} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT abut_library)

# ---- the program and its documents

if(TARGET abut_cli)
  install(TARGETS abut_cli COMPONENT abut_program)
  install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/abut COMPONENT abut_program FILES_MATCHING PATTERN "*.toml")
  install(FILES docs/abut.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT abut_program)
  # The program has letters of this font in it.
  install(FILES cli/render/font_license.txt DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT abut_program)
endif()
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT abut_library)
