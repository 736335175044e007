//! The mod's pure parts, by its own tests in its own language.

use std::process::Command;

#[test]
fn the_mods_own_tests_pass() {
    let Some(lua) = super::installed(&["/usr/bin/luajit", "/usr/bin/lua5.1"]) else {
        return super::skip(60, "there is neither luajit nor lua5.1");
    };
    let output = Command::new(lua).arg("all.lua").current_dir(super::module().join("tests")).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
    assert!(out.lines().filter(|line| line.starts_with("ok ")).count() >= 60, "some were not run\n{out}");
}
