// Prints the name of this machine's best vector instructions, for own_instructions.cmake.

#include "base/instructions.cpp"

#include <cstdio>

int main() { return std::printf("%s", abut::name_of(abut::usable_instructions().front())) > 0 ? 0 : 1; }
