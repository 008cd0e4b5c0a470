# cmake -DPTX=<from nvcc> -DLOWERED=<to write> -P lower_ptx.cmake
#
# Rewrites the PTX version and target to the lowest that the kernels' instructions allow: a driver refuses PTX of a
# toolkit newer than itself, whatever the text uses. The build assembles the result, so an instruction that is too new
# for it fails there.
file(READ ${PTX} text)
string(REGEX REPLACE "\n\\.version [^\n]*" "\n.version 6.0" text "${text}")
string(REGEX REPLACE "\n\\.target [^\n]*" "\n.target sm_50" text "${text}")
file(WRITE ${LOWERED} "${text}")
