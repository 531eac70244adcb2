//! The file of self-play: positions without a capture, with the score a search gave them and the result of their game.
//!
//! It begins with a header that says what made it, and goes on with a block a game, each with its length and CRC-32, so
//! that a file can be added to, and what a kill tears off at the end is noticed. Numbers are little-endian:
//!
//! | part | content |
//! |---|---|
//! | header | `WARCABSP`, version (u16), length of the set's name (u8), the name, seed (u64), shard and shards (u32), depth (u32), nodes (u64), teacher (u32), slope in millionths (u32), CRC-32 of all this |
//! | block | length of the content (u32), CRC-32 of the content (u32), content |
//! | content | number of the game (u64), half-points of White (u8), number of positions (u16), positions |
//! | position | flags (u8: 1 Black to move, 2 has kings), occupied squares (a bit each), Black's among them (a bit each), kings among them if any, score of the side to move (i16) |

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::board::geometry::{bit, squares};
use crate::board::{Board, Geometry, Rules, Side, Variant};

const MAGIC: &[u8; 8] = b"WARCABSP";
const VERSION: u16 = 1;
/// Content longer than this is no game.
const MOST_CONTENT: usize = 1 << 18;

/// What made a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Header {
    /// The rule set.
    pub variant: Variant,
    /// The seed of all games.
    pub seed: u64,
    /// Which of how many shards the file is, from 1.
    pub shard: [u32; 2],
    /// Depth of each search, 0 for no limit.
    pub depth: u32,
    /// Nodes of each search, 0 for no limit.
    pub nodes: u64,
    /// Which teacher gave the scores, and which openings were given to begin from.
    pub teacher: u32,
    /// Logistic slope of results on its scores, for a hundredth of a man; 0 if unknown.
    pub slope: f64,
}

/// A position with the score a search gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The position.
    pub board: Board,
    /// Hundredths of a man, from the side to move.
    pub score: i16,
}

/// What is kept of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameData {
    /// Its number.
    pub number: u64,
    /// Half-points of White.
    pub result: u8,
    /// Its positions in which the side to move cannot capture.
    pub samples: Vec<Sample>,
}

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Reason {
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It does not begin as such a file does.
    #[error(
        "this is not a file of self-play, which begins with {}",
        String::from_utf8_lossy(MAGIC)
    )]
    Foreign,
    /// It is of another version of the format.
    #[error("the format is version {0}, expected {VERSION}")]
    Version(u16),
    /// The header is incomplete or damaged.
    #[error("its header is damaged")]
    Header,
    /// It is for another rule set.
    #[error("the games are of {found}, expected {expected}")]
    Set {
        /// What the file says.
        found: String,
        /// What was asked for.
        expected: Variant,
    },
    /// A block before the last one is damaged.
    #[error("the block at byte {0} is damaged")]
    Block(usize),
    /// It was made in another way.
    #[error(
        "it holds games of another seed, shard, limit, teacher or openings: add to it with the same ones, or write elsewhere"
    )]
    Other,
}

/// A file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("self-play {}: {reason}", file.display())]
pub struct DataError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub reason: Reason,
}

/// What is in a file.
#[derive(Clone, Debug)]
pub struct Data {
    /// What made it.
    pub header: Header,
    /// Its games.
    pub games: Vec<GameData>,
    /// Bytes of whole blocks.
    pub length: usize,
    /// Bytes of a torn block at the end, which is dropped.
    pub torn: usize,
}

impl Header {
    fn to_bytes(self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(VERSION.to_le_bytes());
        out.push(self.variant.name().len() as u8);
        out.extend(self.variant.name().as_bytes());
        out.extend(self.seed.to_le_bytes());
        self.shard.iter().for_each(|n| out.extend(n.to_le_bytes()));
        out.extend(self.depth.to_le_bytes());
        out.extend(self.nodes.to_le_bytes());
        out.extend(self.teacher.to_le_bytes());
        out.extend(((self.slope * 1e6).round() as u32).to_le_bytes());
        let sum = crc32fast::hash(&out);
        out.extend(sum.to_le_bytes());
        out
    }

    fn read(input: &mut Reader<'_>, variant: Variant) -> Result<Header, Reason> {
        let magic = input.bytes.get(..MAGIC.len());
        if magic != Some(MAGIC) {
            return Err(Reason::Foreign);
        }
        input.at = MAGIC.len();
        let mut parse = || {
            let version = u16::from_le_bytes(input.take()?);
            let [length] = input.take()?;
            let name = String::from_utf8_lossy(input.slice(length.into())?).into_owned();
            let header = Header {
                variant,
                seed: u64::from_le_bytes(input.take()?),
                shard: [
                    u32::from_le_bytes(input.take()?),
                    u32::from_le_bytes(input.take()?),
                ],
                depth: u32::from_le_bytes(input.take()?),
                nodes: u64::from_le_bytes(input.take()?),
                teacher: u32::from_le_bytes(input.take()?),
                slope: f64::from(u32::from_le_bytes(input.take()?)) / 1e6,
            };
            let found = crc32fast::hash(&input.bytes[..input.at]);
            Some((
                version,
                name,
                header,
                found,
                u32::from_le_bytes(input.take()?),
            ))
        };
        let (version, name, header, found, expected) = parse().ok_or(Reason::Header)?;
        if version != VERSION {
            return Err(Reason::Version(version));
        }
        if found != expected {
            return Err(Reason::Header);
        }
        if name != variant.name() {
            return Err(Reason::Set {
                found: name,
                expected: variant,
            });
        }
        Ok(header)
    }
}

/// Reads a file.
pub fn read<R: Rules>(file: &Path) -> Result<Data, DataError> {
    let bytes = std::fs::read(file).map_err(Reason::from);
    bytes
        .and_then(|bytes| parse::<R>(&bytes))
        .map_err(|reason| DataError {
            file: file.to_owned(),
            reason,
        })
}

/// The content of a file.
fn parse<R: Rules>(bytes: &[u8]) -> Result<Data, Reason> {
    let mut input = Reader { bytes, at: 0 };
    let header = Header::read(&mut input, R::VARIANT)?;
    let mut data = Data {
        header,
        games: Vec::new(),
        length: input.at,
        torn: 0,
    };
    while input.at < bytes.len() {
        let start = input.at;
        let mut block = || {
            let length = u32::from_le_bytes(input.take()?) as usize;
            let sum = u32::from_le_bytes(input.take()?);
            Some((length, sum))
        };
        let content = match block() {
            Some((length, _)) if length > MOST_CONTENT => return Err(Reason::Block(start)),
            Some((length, sum)) => input.slice(length).map(|content| (content, sum)),
            None => None,
        };
        let whole = content.filter(|(content, sum)| crc32fast::hash(content) == *sum);
        match whole {
            Some((content, _)) => {
                let game = decode::<R>(content).ok_or(Reason::Block(start))?;
                data.games.push(game);
                data.length = input.at;
            }
            // Only the last block can be torn.
            None if content.is_none() || input.at == bytes.len() => {
                data.torn = bytes.len() - start;
                break;
            }
            None => return Err(Reason::Block(start)),
        }
    }
    Ok(data)
}

/// Adds games to a file.
#[derive(Debug)]
pub struct Writer {
    name: PathBuf,
    file: File,
}

impl Writer {
    /// Opens a file for more games, or makes a new one. Also says what is there already; a torn block is cut off.
    pub fn open<R: Rules>(file: &Path, header: Header) -> Result<(Writer, Data), DataError> {
        let fail = |reason| DataError {
            file: file.to_owned(),
            reason,
        };
        let old = match std::fs::metadata(file) {
            Ok(info) if info.len() > 0 => read::<R>(file)?,
            _ => {
                let bytes = header.to_bytes();
                std::fs::write(file, &bytes).map_err(|e| fail(e.into()))?;
                parse::<R>(&bytes).map_err(fail)?
            }
        };
        // The slope is kept in millionths.
        let same = Header {
            slope: old.header.slope,
            ..header
        };
        if old.header != same || (old.header.slope - header.slope).abs() > 1e-6 {
            return Err(fail(Reason::Other));
        }
        let open = || {
            let mut options = OpenOptions::new();
            let handle = options.append(true).open(file)?;
            handle.set_len(old.length as u64)?;
            Ok(handle)
        };
        let handle = open().map_err(|e: io::Error| fail(e.into()))?;
        let writer = Writer {
            name: file.to_owned(),
            file: handle,
        };
        Ok((writer, old))
    }

    /// Adds a game.
    pub fn add<R: Rules>(&mut self, game: &GameData) -> Result<(), DataError> {
        let content = encode::<R>(game);
        let mut block = (content.len() as u32).to_le_bytes().to_vec();
        block.extend(crc32fast::hash(&content).to_le_bytes());
        block.extend(content);
        self.file.write_all(&block).map_err(|error| DataError {
            file: self.name.clone(),
            reason: error.into(),
        })
    }
}

/// A set of bits, packed into bytes.
fn pack(out: &mut Vec<u8>, bits: impl Iterator<Item = bool>) {
    for (index, bit) in bits.enumerate() {
        if index % 8 == 0 {
            out.push(0);
        }
        if let Some(last) = out.last_mut() {
            *last |= u8::from(bit) << (index % 8);
        }
    }
}

fn encode<R: Rules>(game: &GameData) -> Vec<u8> {
    let mut out = game.number.to_le_bytes().to_vec();
    out.push(game.result);
    out.extend((game.samples.len() as u16).to_le_bytes());
    for sample in &game.samples {
        let board = &sample.board;
        let among = |set: u64| squares(board.occupied()).map(move |square| set & bit(square) != 0);
        let black = board.side == Side::Black;
        out.push(u8::from(black) | u8::from(board.kings != 0) << 1);
        let square = |index| board.occupied() & bit(R::Geo::square(index)) != 0;
        pack(&mut out, (0..R::Geo::SQUARES).map(square));
        pack(&mut out, among(board.pieces[Side::Black]));
        if board.kings != 0 {
            pack(&mut out, among(board.kings));
        }
        out.extend(sample.score.to_le_bytes());
    }
    out
}

fn decode<R: Rules>(content: &[u8]) -> Option<GameData> {
    let mut input = Reader {
        bytes: content,
        at: 0,
    };
    let mut game = GameData {
        number: u64::from_le_bytes(input.take()?),
        result: input.take::<1>()?[0],
        samples: Vec::new(),
    };
    let count = u16::from_le_bytes(input.take()?);
    for _ in 0..count {
        let [flags] = input.take()?;
        let occupied = input.bits(R::Geo::SQUARES)?;
        let occupied = squares(occupied).fold(0, |set, i| set | bit(R::Geo::square(i.into())));
        let mut among = || {
            let packed = input.bits(occupied.count_ones() as usize)?;
            let chosen = squares(occupied).enumerate();
            Some(chosen.fold(0, |set, (i, square)| {
                if packed >> i & 1 != 0 {
                    set | bit(square)
                } else {
                    set
                }
            }))
        };
        let black = among()?;
        let kings = if flags & 2 != 0 { among()? } else { 0 };
        let board = Board {
            pieces: [occupied & !black, black],
            kings,
            side: if flags & 1 != 0 {
                Side::Black
            } else {
                Side::White
            },
        };
        let score = i16::from_le_bytes(input.take()?);
        game.samples.push(Sample { board, score });
    }
    (input.at == content.len() && game.result <= 2).then_some(game)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn slice(&mut self, length: usize) -> Option<&'a [u8]> {
        let slice = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(slice)
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.slice(N)?.try_into().ok()
    }

    /// A set of `count` bits, 64 at most.
    fn bits(&mut self, count: usize) -> Option<u64> {
        let bytes = self.slice(count.div_ceil(8))?;
        Some(
            bytes
                .iter()
                .rev()
                .fold(0, |set, byte| set << 8 | u64::from(*byte)),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::movegen::legal_moves;
    use crate::with_rules;

    fn header(variant: Variant) -> Header {
        Header {
            variant,
            seed: 5,
            shard: [1, 2],
            depth: 6,
            nodes: 0,
            teacher: 77,
            slope: 0.012,
        }
    }

    fn games<R: Rules>() -> Vec<GameData> {
        let mut random = fastrand::Rng::with_seed(1);
        let game = |number| {
            let mut board = Board::start::<R>();
            let mut samples = Vec::new();
            for _ in 0..60 {
                let moves = legal_moves::<R>(&board);
                let Some(mv) = random.choice(&moves) else {
                    break;
                };
                board = board.after(mv);
                let score = random.i16(..);
                samples.push(Sample { board, score });
            }
            GameData {
                number,
                result: random.u8(..3),
                samples,
            }
        };
        (0..8).map(game).collect()
    }

    #[test]
    fn a_file_gives_back_the_games_and_can_be_added_to() {
        for variant in Variant::ALL {
            with_rules!(variant, R => {
                let folder = tempfile::tempdir().expect("a folder");
                let file = folder.path().join("games");
                let games = games::<R>();
                for part in games.chunks(3) {
                    let (mut writer, _) = Writer::open::<R>(&file, header(variant)).expect("opened");
                    for game in part {
                        writer.add::<R>(game).expect("written");
                    }
                }
                let data = read::<R>(&file).expect("read");
                assert_eq!((data.header, data.torn), (header(variant), 0));
                assert!(data.games == games, "{variant}");
                let other = Header { seed: 6, ..header(variant) };
                let error = Writer::open::<R>(&file, other).expect_err("another seed");
                assert!(matches!(error.reason, Reason::Other));
            });
        }
    }

    #[test]
    fn damage_is_told_from_a_torn_end() {
        type R = crate::board::rules::International;
        let mut bytes = header(R::VARIANT).to_bytes();
        let mut ends = vec![bytes.len()];
        for game in games::<R>() {
            let content = encode::<R>(&game);
            bytes.extend((content.len() as u32).to_le_bytes());
            bytes.extend(crc32fast::hash(&content).to_le_bytes());
            bytes.extend(content);
            ends.push(bytes.len());
        }
        for length in (ends[0]..bytes.len()).step_by(7) {
            let data = parse::<R>(&bytes[..length]).expect("only torn");
            let whole = ends.iter().filter(|end| **end <= length).count() - 1;
            assert_eq!((data.games.len(), data.length), (whole, ends[whole]));
            assert_eq!(data.torn, length - ends[whole]);
        }
        for at in (0..ends[6]).step_by(5).chain(0..ends[0]) {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x40;
            let outcome = parse::<R>(&bytes);
            // A length that reaches beyond the end looks like a tear, and nothing behind it is believed.
            let lost = outcome.as_ref().is_ok_and(|data| data.torn > 0);
            assert!(outcome.is_err() || lost, "byte {at}");
        }
        assert!(matches!(parse::<R>(b"nonsense"), Err(Reason::Foreign)));
        assert!(matches!(parse::<R>(&bytes[..20]), Err(Reason::Header)));
        let mut old = bytes.clone();
        old[8] = 9;
        assert!(matches!(parse::<R>(&old), Err(Reason::Version(9))));
        let other = parse::<crate::board::rules::Russian>(&bytes).expect_err("another set");
        assert_eq!(
            other.to_string(),
            "the games are of international, expected russian"
        );
    }

    #[test]
    fn a_torn_block_is_cut_off_before_more_is_added() {
        type R = crate::board::rules::English;
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("games");
        let games = games::<R>();
        let (mut writer, _) = Writer::open::<R>(&file, header(R::VARIANT)).expect("new");
        writer.add::<R>(&games[0]).expect("written");
        writer.add::<R>(&games[1]).expect("written");
        let length = std::fs::metadata(&file).expect("there").len();
        let handle = OpenOptions::new().write(true).open(&file).expect("there");
        handle.set_len(length - 5).expect("cut");
        let (mut writer, old) = Writer::open::<R>(&file, header(R::VARIANT)).expect("torn");
        assert_eq!(old.games, games[..1]);
        assert!(old.torn > 0);
        writer.add::<R>(&games[2]).expect("written");
        let data = read::<R>(&file).expect("read");
        assert_eq!(data.games, [games[0].clone(), games[2].clone()]);
    }
}
