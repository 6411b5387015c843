# Writes the source OUT, which names the build of the library that it is part of by a hash of the library's sources (in
# the folder SOURCE), of the files ALSO, and of the text HOW, such as the compiler's options.
#
#   cmake -D SOURCE=... -D ALSO=... -D HOW=... -D OUT=... -P build_stamp.cmake

file(GLOB_RECURSE files ${SOURCE}/src/*.cpp ${SOURCE}/src/*.hpp ${SOURCE}/include/*.h ${SOURCE}/include/*.hpp)
list(SORT files)
set(all "${HOW}")
foreach(file IN LISTS files ALSO)
  file(SHA256 ${file} hash)
  string(APPEND all "\n${hash}")
endforeach()
string(SHA256 stamp "${all}")
string(SUBSTRING ${stamp} 0 16 stamp)
file(WRITE ${OUT} "#include \"plan/build_stamp.hpp\"

const char* abut::build_stamp() { return \"${stamp} by \" ABUT_COMPILER; }
")
