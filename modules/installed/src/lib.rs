//! The modules that are built into the binary. This list alone names them.
