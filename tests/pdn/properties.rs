//! What holds for all games and for all bytes.
