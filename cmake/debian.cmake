# What Debian requires of a package beyond the installed files. CPack runs this on the files before it packs them.

set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}/share)
set(doc ${share}/doc/abut)

function(compress file)
  execute_process(COMMAND gzip -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The license, in Debian's form.
file(STRINGS ${CPACK_RESOURCE_FILE_LICENSE} lines)
set(holders)
set(text)
foreach(line IN LISTS lines)
  if(line MATCHES "^Copyright \\(c\\) (.*)")
    string(APPEND holders "Copyright: ${CMAKE_MATCH_1}\n")
  elseif(line MATCHES "^MIT License$")
  elseif(line STREQUAL "")
    string(APPEND text " .\n")
  else()
    string(APPEND text " ${line}\n")
  endif()
endforeach()
string(REGEX REPLACE "^( \\.\n)+" "" text "${text}")
file(WRITE ${doc}/copyright
     "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: abut\n\n"
     "Files: *\n${holders}License: Expat\n${text}")
file(REMOVE ${doc}/LICENSE)

# That of the letters in the program's pictures.
if(EXISTS ${doc}/font_license.txt)
  file(STRINGS ${doc}/font_license.txt lines)
  set(text)
  foreach(line IN LISTS lines)
    string(APPEND text " ${line}\n")
  endforeach()
  string(REPLACE "\n \n" "\n .\n" text "${text}")
  file(APPEND ${doc}/copyright "\nFiles: cli/render/font_outlines.cpp\nCopyright: 2003 Bitstream, Inc.\nLicense: bitstream-vera\n${text}")
  file(REMOVE ${doc}/font_license.txt)
endif()

# The changelog, in Debian's form.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${doc}/changelog
     "abut (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n"
     "  * Version ${CPACK_PACKAGE_VERSION}. CHANGELOG.md.gz, beside this file, has the changes.\n\n"
     " -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}\n")
# Whatever the packager's umask is.
file(CHMOD ${doc}/copyright ${doc}/changelog PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
compress(${doc}/changelog)
compress(${doc}/CHANGELOG.md)
compress(${share}/man/man1/abut.1)

# Strips debugging information from the static library; CPack strips the rest.
file(GLOB_RECURSE archives ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*.a)
if(archives)
  execute_process(COMMAND ${CPACK_ABUT_STRIP} --strip-debug --remove-section=.comment ${archives} COMMAND_ERROR_IS_FATAL ANY)
endif()
