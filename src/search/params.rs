//! The numbers the search is tuned by. Values in hundredths of a man, depths in plies.

use super::score::Value;

/// Half of the first aspiration window; it doubles with each failure.
pub(super) const ASPIRATION: Value = 15;
/// Half a window wider than this is opened altogether.
pub(super) const ASPIRATION_LIMIT: Value = 400;
/// The first iteration with a window.
pub(super) const ASPIRATION_DEPTH: i32 = 4;

/// The shallowest node in which a reduced search with a raised window may cut off.
pub(super) const PROBCUT_DEPTH: i32 = 3;
/// How far the window is raised for each ply of depth.
pub(super) const PROBCUT_MARGIN: Value = 10;

/// The reduced depth of such a search.
pub(super) const fn probcut_depth(depth: i32) -> i32 {
    depth * 2 / 5
}

/// By how many plies a late quiet move is searched less deep; `count` moves came before it.
pub(super) const fn reduction(pv: bool, depth: i32, count: usize) -> i32 {
    if depth < 2 || count < (if pv { 3 } else { 1 }) {
        0
    } else if pv || count < 4 {
        1
    } else {
        2
    }
}
