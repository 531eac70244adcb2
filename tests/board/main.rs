//! The rules of play, checked from outside: published counts and positions, an independent generator, and properties.

mod agreement;
mod altered;
mod cases;
mod constants;
mod draws;
mod perft;
mod properties;
mod tricky;
mod walk;

#[path = "../support/mod.rs"]
mod support;
