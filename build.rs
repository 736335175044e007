//! A new migration is a reason to build again: the binary carries all of them.

fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
