# Takes the code blocks out of a document. Writes into the folder `out`:
#   program_<line>.cpp   a ```cpp block with `int main`, as it is
# fragment_<line>.cpp  any other ```cpp block, inside a function, with its #include lines above it
#   program_<line>.c     and fragment_<line>.c, likewise for ```c blocks
#   commands.sh          all ```sh blocks, one after the other
# and prints the name of each file. <line> is the block's in the document. A ```cpp or ```c block after the line
# `<!-- not compiled -->` is left out; so are blocks in other languages.

function finish(    file, name, none) {
  if (language == "sh") {
    if (!commands++) print "commands.sh"
    printf "%s", text > (out "/commands.sh")
    return
  }
  name = (text ~ /int main/ ? "program_" : "fragment_") start
  file = out "/" name "." language
  if (text ~ /int main/) {
    printf "#line %d \"%s\"\n%s", start + 1, FILENAME, text > file
  } else {
    gsub(/#include[^\n]*/, "", text)  # the empty lines stay, for the numbers of the others
    none = language == "c" ? "void" : ""
    printf "#include \"prelude.%s\"\n%svoid %s(%s);\nvoid %s(%s) {\n#line %d \"%s\"\n%s}\n", \
      language == "c" ? "h" : "hpp", includes, name, none, name, none, start + 1, FILENAME, text > file
  }
  close(file)
  print name "." language
}

inside && /^[ \t]*```[ \t]*$/ {
  if (language != "" && !skipped) finish()
  inside = 0
  skipped = 0
  next
}
inside {
  line = $0
  sub("^" indent, "", line)
  text = text line "\n"
  if (line ~ /^#include/) includes = includes line "\n"
  next
}
/^[ \t]*```/ {
  match($0, /^[ \t]*/)
  indent = substr($0, 1, RLENGTH)
  word = substr($0, RLENGTH + 4)
  sub(/[ \t{].*$/, "", word)
  language = (word == "cpp" || word == "c" || word == "sh") ? word : ""
  inside = 1
  start = NR
  text = ""
  includes = ""
  next
}
/^[ \t]*<!-- not compiled -->[ \t]*$/ { skipped = 1; next }
!/^[ \t]*$/ { skipped = 0 }

END {
  if (inside) {
    print FILENAME ":" start ": this code block has no end" > "/dev/stderr"
    exit 1
  }
}
