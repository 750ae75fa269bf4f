//! A made-up measurement with every table, small and of round shape; its sums hold.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Tables that need not be there.
pub(crate) const OPTIONAL: [&str; 8] = [
    "lengths.csv",
    "by_ply.csv",
    "movetext.csv",
    "disambiguation.csv",
    "facts.csv",
    "entropy.csv",
    "compress.csv",
    "se.csv",
];

/// Notations with their texts by length, from one character on.
const NOTATIONS: [(&str, [u64; 8]); 9] = [
    ("san", [0, 203_117, 500_011, 251_907, 31_456, 1_509, 0, 0]),
    ("san-ru", [0, 203_117, 500_011, 251_907, 31_456, 1_509, 0, 0]),
    ("long", [0, 0, 20_345, 0, 256_001, 660_654, 51_000, 0]),
    ("uci", [0, 0, 0, 987_000, 1_000, 0, 0, 0]),
    ("economical-letters", [0, 200_000, 748_000, 39_000, 1_000, 0, 0, 0]),
    ("economical-squares", [0, 510_000, 465_000, 13_000, 0, 0, 0, 0]),
    ("economical-priority", [0, 747_000, 237_000, 4_000, 0, 0, 0, 0]),
    ("economical-priority-legal", [0, 757_000, 228_000, 3_000, 0, 0, 0, 0]),
    ("descriptive", [0, 0, 190_000, 580_000, 130_000, 88_000, 0, 0]),
];
const GAMES: u64 = 12_345;
const PLIES: u64 = 988_000;
/// Names that are long, odd or hostile.
const GROUPS: [(&str, &[&str]); 9] = [
    ("ply", &[]),
    ("move", &["1-10", "11-20", "21-30", "31-40", "41-50", "51-60", "61-70"]),
    ("phase", &["opening", "middlegame", "endgame"]),
    ("rating", &["800-999", "1000-1199", "1200-1399", "2800-2999", "unknown"]),
    (
        "speed",
        &["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence", "unknown"],
    ),
    ("eco_letter", &["A", "B", "C", "D", "E", "unknown"]),
    ("year", &[]),
    ("source", &["../shared/an archive of a very long name.pgn.zst", "a <b> & \"c\".pgn", "-"]),
    ("made_up", &["x", "y"]),
];

fn characters(lengths: &[u64; 8]) -> u64 {
    (1..).zip(lengths).map(|(length, plies)| length * plies).sum()
}

/// A whole cut into uneven parts; what is cut by another seed is cut a little differently.
fn parts(whole: u64, count: u64, seed: u64) -> Vec<u64> {
    let weight = |part: u64| (100 + part * 37 % 53) * (400 + (part * 7 + 1) * seed % 13);
    let all: u64 = (0..count).map(weight).sum();
    let mut parts: Vec<u64> = (0..count).map(|part| whole * weight(part) / all).collect();
    parts[0] += whole - parts.iter().sum::<u64>();
    parts
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn by(groups: &[String]) -> String {
    let mut table = String::from("key,notation,games,plies,characters,bytes\n");
    let count = groups.len() as u64;
    let all: Vec<_> = (0..)
        .zip(&NOTATIONS)
        .map(|(seed, (name, lengths))| {
            let signs = parts(characters(lengths), count, seed % 4 + 1);
            (*name, parts(PLIES, count, 0), signs)
        })
        .collect();
    for (place, group) in groups.iter().enumerate() {
        // As the tables have it: what needs no quotes has none.
        let name = if group.contains([',', '"']) { quoted(group) } else { group.clone() };
        for (notation, plies, signs) in &all {
            let (plies, signs) = (plies[place], signs[place]);
            let _ = writeln!(table, "{name},{notation},{GAMES},{plies},{signs},{signs}");
        }
    }
    table
}

fn small(name: &str) -> String {
    let mut table = String::new();
    match name {
        "summary.csv" => {
            table += "key,value\nschema_version,3\nprogram_version,0.1.0\ncommand,measure\n";
            table += "options,--by all\nmeasured_on,2024-02-29\n";
            let _ = write!(table, "games,{GAMES}\nplies,{PLIES}\nnote:bom,1\n");
        }
        "disambiguation.csv" => {
            table += "role,said,plies\nknight,none,90000\nknight,file,9000\nknight,rank,999\nking,none,77\n";
        }
        "facts.csv" => {
            table += "fact,count,of,percent\n";
            for (fact, count) in
                [("piece-and-square-enough", 950_123), ("pawn-capture-files-enough", 7), ("new", 0)]
            {
                let _ = writeln!(table, "{fact},{count},{PLIES},0");
            }
        }
        "codes.csv" => {
            table += "code,games,plies,bits,bits_per_ply,entropy_bits_per_ply\n";
            for (code, bits, entropy) in [
                ("legal-moves", 4_347_200, "4.3999"),
                ("lichess-huffman", 4_150_000, "4.1234"),
                ("ply-context", 3_300_000, ""),
                ("new", 1, ""),
            ] {
                let per_ply = bits as f64 / PLIES as f64;
                let _ = writeln!(table, "{code},{GAMES},{PLIES},{bits},{per_ply:.4},{entropy}");
            }
        }
        _ => unreachable!("{name}"),
    }
    table
}

fn by_notation(name: &str) -> String {
    let mut table = String::from(match name {
        "notations.csv" => "notation,games,plies,characters,bytes,characters_per_ply\n",
        "lengths.csv" => "notation,characters,plies\n",
        "movetext.csv" => "notation,part,plies,characters,bytes\n",
        "se.csv" => {
            "notation,games,plies,characters,plies_squared,characters_times_plies,characters_squared,\
             characters_times_san,characters_times_economical_letters\n"
        }
        "entropy.csv" => "code,plies,bits_total,bits_per_ply\nrank-huffman,988000,4446000,4.5000\n",
        _ => "notation,compressor,plies,bytes_before,bytes_after\n",
    });
    for (notation, lengths) in NOTATIONS {
        let signs = characters(&lengths);
        let _ = match name {
            "notations.csv" => writeln!(table, "{notation},{GAMES},{PLIES},{signs},{signs},"),
            "lengths.csv" => (1..)
                .zip(lengths)
                .filter(|(_, plies)| *plies > 0)
                .try_for_each(|(length, plies)| writeln!(table, "{notation},{length},{plies}")),
            "movetext.csv" => {
                let rest = [("separators", 1_400_000), ("numbers", 1_500_000), ("results", 44_000)];
                let total = signs + rest.iter().map(|part| part.1).sum::<u64>();
                [("moves", signs), rest[0], rest[1], rest[2], ("total", total)]
                    .iter()
                    .try_for_each(|(part, n)| writeln!(table, "{notation},{part},{PLIES},{n},{n}"))
            }
            // As if all games had 80 plies, and a few more in their squares.
            "se.csv" => {
                let of = |name: &str| {
                    let (_, lengths) = NOTATIONS.iter().find(|(other, _)| *other == name).unwrap();
                    characters(lengths) / GAMES
                };
                let (games, plies) = (GAMES, PLIES / GAMES);
                let products = [plies, signs / games, of("san"), of("economical-letters")];
                let products = products.map(|other| (signs * other + signs / 7).to_string());
                let squared = PLIES * plies + PLIES / 9;
                let products = products.join(",");
                writeln!(table, "{notation},{games},{PLIES},{signs},{squared},{products}")
            }
            "entropy.csv" => {
                let (bits, per_ply) = (signs * 3, (signs * 3) as f64 / PLIES as f64);
                writeln!(table, "{notation},{PLIES},{bits},{per_ply:.4}")
            }
            _ => ["zstd:3", "zstd:19"].iter().try_for_each(|compressor| {
                let after = signs / (compressor.len() as u64 - 3);
                writeln!(table, "{notation},{compressor},{PLIES},{},{after}", signs + PLIES)
            }),
        };
    }
    table
}

/// Writes all tables.
pub(crate) fn write(directory: &Path) {
    fs::create_dir_all(directory).unwrap();
    let put = |name: &str, text: String| fs::write(directory.join(name), text).unwrap();
    for name in
        ["notations.csv", "lengths.csv", "movetext.csv", "entropy.csv", "compress.csv", "se.csv"]
    {
        put(name, by_notation(name));
    }
    for name in ["summary.csv", "disambiguation.csv", "facts.csv", "codes.csv"] {
        put(name, small(name));
    }
    for (key, groups) in GROUPS {
        let groups: Vec<String> = match key {
            "ply" => (1..=180).map(|ply| ply.to_string()).collect(),
            "year" => (1990..2025).map(|year| year.to_string()).collect(),
            _ => groups.iter().map(ToString::to_string).collect(),
        };
        put(&format!("by_{key}.csv"), by(&groups));
    }
}
