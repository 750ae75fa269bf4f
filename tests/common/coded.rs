//! Archives in the containers that are decoded as a whole: gzip, bzip2, xz.
//!
//! In: a text. Out: its stored bytes, as two members or streams, the second of which may hold no text.

use std::io::Write as _;

use lzma_rust2::{XzOptions, XzWriter};

/// The ending of a container, and what stores a text in it.
pub(crate) type Coder = (&'static str, fn(&[u8]) -> Vec<u8>);

/// All of them.
pub(crate) const CODERS: [Coder; 3] = [("gz", gzip), ("bz2", bzip2), ("xz", xz)];

fn of_two(text: &[u8], store: fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let (first, second) = text.split_at(text.len() - text.len() / 3);
    [store(first), store(second)].concat()
}

/// Members in a zip file: each is deflated, or stored if its name has an `s`.
pub(crate) fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut stored = Vec::new();
    let mut archive = rawzip::ZipArchiveWriter::new(&mut stored);
    for (name, text) in members {
        let is_deflated = !name.contains('s');
        let (method, level) = match is_deflated {
            true => (rawzip::CompressionMethod::DEFLATE, 6),
            false => (rawzip::CompressionMethod::STORE, 0),
        };
        let (mut entry, config) =
            archive.new_file(name).compression_method(method).start().unwrap();
        let descriptor = if is_deflated {
            let encoder =
                flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::new(level));
            let mut writer = config.wrap(encoder);
            writer.write_all(text).unwrap();
            let (encoder, descriptor) = writer.finish().unwrap();
            encoder.finish().unwrap();
            descriptor
        } else {
            let mut writer = config.wrap(&mut entry);
            writer.write_all(text).unwrap();
            writer.finish().unwrap().1
        };
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    stored
}

pub(crate) fn gzip(text: &[u8]) -> Vec<u8> {
    of_two(text, |text| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    })
}

fn bzip2(text: &[u8]) -> Vec<u8> {
    of_two(text, |text| {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    })
}

fn xz(text: &[u8]) -> Vec<u8> {
    of_two(text, |text| {
        let mut encoder = XzWriter::new(Vec::new(), XzOptions::with_preset(0)).unwrap();
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    })
}
