//! `warcab pdn` as a user types it.
