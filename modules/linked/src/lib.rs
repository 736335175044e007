//! Games that need no Rust: a manifest that a game has sent over the link, made into a module.
