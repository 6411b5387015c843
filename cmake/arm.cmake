# For the preset `arm`: Debian's cross compiler for 64-bit ARM. The libraries are in build/arm-root, where `./dev test
# --arm` unpacks them; qemu runs what is built.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

get_filename_component(arm_root ${CMAKE_CURRENT_LIST_DIR}/../build/arm-root ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH ${arm_root})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY BOTH) # the compiler's own libraries (such as OpenMP's) are beside the compiler

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64;-L;/usr/aarch64-linux-gnu)
