//! Tests of the evaluators as a whole, and of the file of weights.

use warcab::board::geometry::bit;
use warcab::board::{Board, Geometry, Rules, Side, Variant};
use warcab::eval::kernel::{LANES, NEURONS, Row};
use warcab::eval::weights::{HIDDEN, Reason, Weights};
use warcab::eval::windows::Symmetry;
use warcab::eval::{Evaluator, MAN, Wdl, embedded};
use warcab::with_rules;

/// Weights of which none is zero, as wild as a file may have them.
fn random_weights<R: Rules>(seed: u64) -> Weights {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut weights = Weights::material(R::VARIANT, 250);
    weights.slope = 0.0125;
    let mut lanes = |reach: i16| Row(std::array::from_fn(|_| random.i16(-reach..=reach)));
    weights.bias = lanes(60);
    weights.bias.0[HIDDEN..].fill(0);
    for row in weights.men.iter_mut().chain(&mut weights.kings).flatten() {
        *row = lanes(60);
    }
    for head in &mut weights.heads {
        for lane in 0..HIDDEN {
            for neuron in 0..NEURONS {
                head.weights[lane / 2][neuron][lane % 2] = random.i16(-900..900);
            }
        }
        head.biases.fill_with(|| random.i32(-100_000..100_000));
        head.output.fill_with(|| random.i32(-9_000..9_000));
        head.bias = random.i32(-9_000..9_000);
    }
    let symmetry = Symmetry::of::<R::Geo>();
    for (place, home) in symmetry.mirrored.iter().enumerate() {
        if *home as usize == place && random.u8(..4) == 0 {
            let row = std::array::from_fn(|_| random.i8(..));
            weights.hidden.push((*home, row));
        }
    }
    for (place, home) in symmetry.turned.iter().enumerate() {
        if *home == (place as u32, 1) && random.u8(..4) == 0 {
            weights
                .linear
                .push((home.0, [random.i16(-200..200), random.i16(-200..200)]));
        }
    }
    weights
}

fn random_board<R: Rules>(random: &mut fastrand::Rng) -> Board {
    let all = R::Geo::ALL;
    let thin = |random: &mut fastrand::Rng| random.u64(..) & random.u64(..) & all;
    let white = thin(random);
    let black = thin(random) & !white;
    let free = |set: u64, crown: u64| set & !crown;
    let mut board = Board {
        pieces: [free(white, R::Geo::TOP), free(black, R::Geo::BOTTOM)],
        kings: 0,
        side: if random.bool() {
            Side::White
        } else {
            Side::Black
        },
    };
    if random.bool() {
        board.kings = board.occupied() & thin(random) & thin(random);
    }
    board
}

#[test]
fn both_sides_see_the_same() {
    let mut random = fastrand::Rng::with_seed(3);
    for variant in Variant::ALL {
        with_rules!(variant, R => {
            let learnt = Evaluator::<R>::new(&random_weights::<R>(9));
            let mut values = std::collections::HashSet::new();
            for evaluator in [Evaluator::default(), learnt] {
                for _ in 0..100 {
                    let board = random_board::<R>(&mut random);
                    let value = evaluator.evaluate(&board);
                    let flipped = board.flipped::<<R as Rules>::Geo>();
                    assert_eq!(value, evaluator.evaluate(&flipped), "{variant}: {board:?}");
                    values.insert(value);
                }
            }
            assert!(values.len() > 100, "{variant}: values do not differ");
        });
    }
}

#[test]
fn left_and_right_are_alike_where_the_board_is() {
    type R = warcab::board::rules::Turkish;
    let mirror = |set: u64| {
        warcab::board::geometry::squares(set).fold(0, |all, square| all | bit(square ^ 7))
    };
    let mut weights = random_weights::<R>(4);
    // Rows of single squares are mirrored by whoever makes them.
    for table in weights.men.iter_mut().chain(&mut weights.kings) {
        for square in 0..64 {
            table[square] = table[square.min(square ^ 7)];
        }
    }
    let evaluator = Evaluator::<R>::new(&weights);
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..100 {
        let board = random_board::<R>(&mut random);
        let other = Board {
            pieces: board.pieces.map(mirror),
            kings: mirror(board.kings),
            ..board
        };
        assert_eq!(evaluator.evaluate(&board), evaluator.evaluate(&other));
    }
}

#[test]
fn weights_of_material_count_material() {
    for variant in Variant::ALL {
        with_rules!(variant, R => {
            let evaluator = Evaluator::<R>::new(&Weights::material(variant, 250));
            let mut board = Board::start::<R>();
            assert_eq!(evaluator.evaluate(&board), 0);
            board.pieces[!board.side] &= board.pieces[!board.side] - 1;
            assert_eq!(evaluator.evaluate(&board), MAN);
        });
    }
}

#[test]
fn embedded_weights_are_sound_and_small() {
    let mut total = 0;
    for variant in Variant::ALL {
        let weights = embedded(variant);
        total += weights.to_bytes().len();
        assert_eq!(weights.variant, variant);
        assert!(weights.slope > 0.0 && weights.hidden.len() > 1_000);
        assert_ne!(weights.wdl, Wdl::default(), "{variant}: not fitted");
    }
    assert!(total <= 16 << 20, "{total} bytes of weights");
}

#[test]
fn a_file_gives_back_what_was_written() {
    for variant in Variant::ALL {
        let weights = with_rules!(variant, R => random_weights::<R>(1));
        let read = Weights::from_bytes(&weights.to_bytes(), variant);
        assert!(read.expect("a good file") == weights, "{variant}");
    }
}

#[test]
fn a_bad_file_is_refused_for_the_right_reason() {
    type R = warcab::board::rules::International;
    let mut weights = random_weights::<R>(2);
    weights.hidden.truncate(100);
    weights.linear.truncate(100);
    let bytes = weights.to_bytes();
    let refusal =
        |bytes: &[u8]| Weights::from_bytes(bytes, R::VARIANT).expect_err("a damaged file");
    for length in (0..bytes.len()).step_by(97).chain(0..40) {
        let reason = refusal(&bytes[..length]);
        let fits = matches!(reason, Reason::Truncated(n) if n == length);
        assert!(fits, "{length} bytes: {reason}");
    }
    for at in (14..bytes.len()).step_by(61).chain(14..40) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1 << (at % 8);
        let reason = refusal(&bytes);
        assert!(
            matches!(reason, Reason::Checksum { .. }),
            "byte {at}: {reason}"
        );
    }
    let mut long = bytes.clone();
    long.push(0);
    assert!(matches!(refusal(&long), Reason::Checksum { .. }));
    assert!(matches!(
        refusal(b"#!/bin/sh and much more"),
        Reason::Foreign(_)
    ));
    let mut old = bytes.clone();
    old[8] += 1;
    assert!(matches!(refusal(&old), Reason::Version { found: 3, .. }));
    let other = Weights::from_bytes(&bytes, Variant::Russian).expect_err("another set");
    assert_eq!(
        other.to_string(),
        "the file is for international, expected russian"
    );
    // Well-formed files whose content makes no sense.
    let spoil = |change: fn(&mut Weights)| {
        let mut spoilt = weights.clone();
        change(&mut spoilt);
        refusal(&spoilt.to_bytes()).to_string()
    };
    assert!(spoil(|w| w.hidden[3].0 = 9_999_999).contains("place 9999999"));
    assert!(spoil(|w| w.hidden.swap(3, 4)).contains("place"));
    assert!(spoil(|w| w.linear[7].0 = 104_000).contains("place 104000"));
    assert!(spoil(|w| w.heads[0].output[1] = 1 << 20).contains("output weight"));
    assert!(spoil(|w| w.counts[0][1] = i32::MIN + 1).contains("100 men"));
}

#[test]
fn an_error_names_the_file() {
    type R = warcab::board::rules::English;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("none.bin");
    let error = Evaluator::<R>::load(&file)
        .expect_err("no file")
        .to_string();
    assert!(error.contains("none.bin"), "{error}");
    std::fs::write(&file, "").expect("written");
    let error = Evaluator::<R>::load(&file).expect_err("empty").to_string();
    assert!(
        error.contains("none.bin") && error.contains("cut off after 0 bytes"),
        "{error}"
    );
    let weights = random_weights::<R>(1);
    weights.save(&file).expect("saved");
    assert!(Evaluator::<R>::load(&file).is_ok());
    assert_eq!(LANES, HIDDEN + 2);
}
