# Writes the text file FROM as a C++ string literal, for #include, to TO.
file(READ "${FROM}" text)
file(WRITE "${TO}" "R\"text(${text})text\"\n")
