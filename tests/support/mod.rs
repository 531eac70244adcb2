//! What the tests of the outside share.

#![allow(dead_code, reason = "each test file uses its own part")]

pub(crate) mod session;
