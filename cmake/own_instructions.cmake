# Sets abut_left_out to the sets of vector instructions, in Highway's names, that a build for this machine alone can do
# without: all but its best. 0, which stands for none, if that cannot be found out, as when compiling for another machine.
set(abut_left_out 0)
if(ABUT_INSTRUCTIONS STREQUAL "own" AND NOT CMAKE_CROSSCOMPILING)
  if(NOT DEFINED ABUT_OWN_INSTRUCTIONS)
    try_run(abut_ran abut_compiled ${CMAKE_CURRENT_BINARY_DIR}/own_instructions
            ${CMAKE_CURRENT_LIST_DIR}/own_instructions.cpp
            CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR}/include;${PROJECT_SOURCE_DIR}/src;${HWY_INCLUDE_DIR}"
            CXX_STANDARD 20
            RUN_OUTPUT_VARIABLE abut_own)
    if(NOT abut_compiled OR NOT abut_ran EQUAL 0)
      message(STATUS "abut: this machine's vector instructions are unknown, so all are compiled")
      set(abut_own all)
    endif()
    set(ABUT_OWN_INSTRUCTIONS "${abut_own}" CACHE INTERNAL "This machine's best vector instructions, or all")
    message(STATUS "abut: vector instructions ${ABUT_OWN_INSTRUCTIONS}")
  endif()
  if(ABUT_OWN_INSTRUCTIONS STREQUAL "avx512")
    set(abut_left_out "(HWY_AVX2|HWY_SSE4)")
  elseif(ABUT_OWN_INSTRUCTIONS STREQUAL "avx2")
    set(abut_left_out "(HWY_AVX3|HWY_SSE4)")
  elseif(ABUT_OWN_INSTRUCTIONS STREQUAL "sse4")
    set(abut_left_out "(HWY_AVX3|HWY_AVX2)")
  elseif(ABUT_OWN_INSTRUCTIONS STREQUAL "scalar")
    set(abut_left_out "(HWY_AVX3|HWY_AVX2|HWY_SSE4)")
  endif()
endif()
