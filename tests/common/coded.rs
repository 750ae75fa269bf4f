//! Archives in containers: those that are decoded as a whole, gzip, bzip2 and xz; and those with members, zip and
//! 7-Zip.
//!
//! In: a text. Out: its stored bytes, as two members or streams, the second of which may hold no text. In: names and
//! texts. Out: a file that has them as members.

use std::io::{Cursor, Write as _};

use lzma_rust2::{XzOptions, XzWriter};
use sevenz_rust2::encoder_options::Lzma2Options;
use sevenz_rust2::{ArchiveEntry, ArchiveWriter, SourceReader};

/// The ending of a container, and what stores a text in it.
pub(crate) type Coder = (&'static str, fn(&[u8]) -> Vec<u8>);

/// All of them.
pub(crate) const CODERS: [Coder; 3] = [("gz", gzip), ("bz2", bzip2), ("xz", xz)];

fn of_two(text: &[u8], store: fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let (first, second) = text.split_at(text.len() - text.len() / 3);
    [store(first), store(second)].concat()
}

/// Makes a file of names and texts.
pub(crate) type Pack = fn(&[(&str, &[u8])]) -> Vec<u8>;

/// The ending of a file with members, its name, and what makes it.
pub(crate) type Packer = (&'static str, &'static str, Pack);

/// All of them.
pub(crate) const PACKERS: [Packer; 2] =
    [("zip", "a zip file", zip), ("7z", "a 7-Zip file", seven_zip)];

/// Members in a 7-Zip file: three in a block each.
pub(crate) fn seven_zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ArchiveWriter::new(Cursor::new(Vec::new())).unwrap();
    archive.set_content_methods(vec![Lzma2Options::from_level(0).into()]);
    for block in members.chunks(3) {
        let entries = block.iter().map(|(name, _)| ArchiveEntry::new_file(name)).collect();
        let texts = block.iter().map(|(_, text)| SourceReader::new(*text)).collect();
        archive.push_archive_entries(entries, texts).unwrap();
    }
    archive.finish().unwrap().into_inner()
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
