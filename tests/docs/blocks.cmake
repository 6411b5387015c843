# test_documents(<file.md>...): compiles and runs the code blocks of documents, so that none of them lies.
#  - A ```cpp block that contains `int main` is a program: built with abut, and run; it must exit with 0.
#  - Any other ```cpp block is compiled inside of a function, after prelude.hpp. `<!-- not compiled -->` on the line
#    before it leaves a block out.
#  - ```c blocks likewise, after prelude.h.
#  - The ```sh blocks of a document run in order as one script, by `bash -eu`, in an empty folder, with the program abut
#    on the PATH. Commands that change the machine or build the project belong into ```console blocks.

function(test_documents)
  find_program(AWK awk REQUIRED)
  set(fragments)
  foreach(document IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${document})
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${document})
    string(MAKE_C_IDENTIFIER ${name} name)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/docs/${name})
    set(fresh ${CMAKE_CURRENT_BINARY_DIR}/docs/new_${name})
    file(REMOVE_RECURSE ${fresh})
    file(MAKE_DIRECTORY ${fresh} ${folder})
    execute_process(
      COMMAND ${AWK} -v out=${fresh} -f ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/blocks.awk ${document}
      OUTPUT_VARIABLE files COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[^\n]+" files "${files}")
    foreach(file IN LISTS files)
      file(COPY_FILE ${fresh}/${file} ${folder}/${file} ONLY_IF_DIFFERENT)
      if(file MATCHES "^fragment_")
        list(APPEND fragments ${folder}/${file})
      elseif(file MATCHES "^(program_[0-9]+)")
        document_program(${name}_${CMAKE_MATCH_1} ${folder}/${file})
      elseif(TARGET abut_cli)
        document_commands(${name}_commands ${folder}/${file})
      endif()
    endforeach()
    if(name STREQUAL "README_md" AND NOT files MATCHES "\\.cpp")
      message(FATAL_ERROR "${document} has no \`\`\`cpp block to compile: did the extraction of blocks break?")
    endif()
  endforeach()
  add_library(abut_document_fragments OBJECT ${fragments})
  target_link_libraries(abut_document_fragments PRIVATE abut)
  target_include_directories(abut_document_fragments PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
endfunction()

function(document_program name source)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE abut)
  file(STRINGS ${source} simulates REGEX "<abut/dem/")
  if(simulates)
    target_link_libraries(${name} PRIVATE abut_dem)
  endif()
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/docs/scratch/${name})
  add_test(NAME docs.${name} COMMAND ${name} WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/docs/scratch/${name})
  set_tests_properties(docs.${name} PROPERTIES TIMEOUT 300 ENVIRONMENT "ABUT_CACHE=${CMAKE_CURRENT_BINARY_DIR}/docs/cache")
endfunction()

function(document_commands name script)
  set(scratch ${CMAKE_CURRENT_BINARY_DIR}/docs/scratch/${name})
  add_test(NAME docs.${name}
           COMMAND bash -c "rm -rf \"$1\" && mkdir -p \"$1\" && cd \"$1\" && exec bash -eu \"$2\"" bash ${scratch} ${script})
  set_tests_properties(docs.${name} PROPERTIES TIMEOUT 300 ENVIRONMENT_MODIFICATION
                       "PATH=path_list_prepend:$<TARGET_FILE_DIR:abut_cli>;ABUT_CACHE=set:${CMAKE_CURRENT_BINARY_DIR}/docs/cache")
endfunction()
