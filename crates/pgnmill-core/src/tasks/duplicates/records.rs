//! The items that the search sorts.
//!
//! Invariant: the order of each type is that of its fields. Numbers of games (`id`) count the games of all archives
//! in the order of the inputs. Sizes on disk: 48 bytes per game, 28 per game with known players, 16 per member of a
//! group.

use std::io::{self, Read, Write};

use super::sorter::Stored;

/// The keys of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct GameKey {
    /// The hash of what exact duplicates have in common.
    pub exact: u128,
    /// The game.
    pub id: u64,
    /// The hash of players, date and result; 0 if the game has no near duplicates.
    pub near: u128,
    /// The hash of the first plies; 0 if there are fewer.
    pub head: u32,
    /// The hash of the players: those of two exact duplicates can differ.
    pub players: u32,
}

/// A class of exact duplicates, as one that may have near duplicates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NearKey {
    /// See [`GameKey::near`].
    pub near: u128,
    /// See [`GameKey::head`].
    pub head: u32,
    /// The first game of the class.
    pub node: u64,
}

/// A class whose moves are required: see [`candidates`](super::candidates).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Candidate {
    /// The first game of the class.
    pub node: u64,
    /// The number of the games with which it is compared.
    pub group: u64,
}

/// The moves of a candidate.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CandidateLine {
    /// See [`Candidate::group`].
    pub group: u64,
    /// The starting position, hashed, and two bytes per ply.
    pub moves: Vec<u8>,
    /// The first game of the class.
    pub node: u64,
}

/// A game that has duplicates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ClassMember {
    /// The game.
    pub id: u64,
    /// The first game of its class.
    pub leader: u64,
}

/// A row of the table of groups.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct GroupRow {
    /// The number of the group.
    pub group: u64,
    /// The game.
    pub id: u64,
    /// The fields.
    pub fields: Vec<String>,
}

fn read_u32(from: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    from.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

fn read_u64(from: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn read_u128(from: &mut impl Read) -> io::Result<u128> {
    let mut bytes = [0; 16];
    from.read_exact(&mut bytes)?;
    Ok(u128::from_le_bytes(bytes))
}

fn write_bytes(bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
    out.write_all(&(bytes.len() as u64).to_le_bytes())?;
    out.write_all(bytes)
}

fn read_bytes(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let length = read_u64(from)?;
    let mut bytes = Vec::new();
    from.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

impl Stored for GameKey {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.exact.to_le_bytes())?;
        out.write_all(&self.id.to_le_bytes())?;
        out.write_all(&self.near.to_le_bytes())?;
        out.write_all(&self.head.to_le_bytes())?;
        out.write_all(&self.players.to_le_bytes())
    }

    fn read(from: &mut impl Read) -> io::Result<GameKey> {
        let (exact, id, near) = (read_u128(from)?, read_u64(from)?, read_u128(from)?);
        Ok(GameKey { exact, id, near, head: read_u32(from)?, players: read_u32(from)? })
    }
}

impl Stored for NearKey {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.near.to_le_bytes())?;
        out.write_all(&self.head.to_le_bytes())?;
        out.write_all(&self.node.to_le_bytes())
    }

    fn read(from: &mut impl Read) -> io::Result<NearKey> {
        Ok(NearKey { near: read_u128(from)?, head: read_u32(from)?, node: read_u64(from)? })
    }
}

impl Stored for Candidate {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.node.to_le_bytes())?;
        out.write_all(&self.group.to_le_bytes())
    }

    fn read(from: &mut impl Read) -> io::Result<Candidate> {
        Ok(Candidate { node: read_u64(from)?, group: read_u64(from)? })
    }
}

impl Stored for CandidateLine {
    fn memory_bytes(&self) -> usize {
        size_of::<CandidateLine>() + self.moves.capacity()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.group.to_le_bytes())?;
        write_bytes(&self.moves, out)?;
        out.write_all(&self.node.to_le_bytes())
    }

    fn read(from: &mut impl Read) -> io::Result<CandidateLine> {
        Ok(CandidateLine {
            group: read_u64(from)?,
            moves: read_bytes(from)?,
            node: read_u64(from)?,
        })
    }
}

impl Stored for ClassMember {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.id.to_le_bytes())?;
        out.write_all(&self.leader.to_le_bytes())
    }

    fn read(from: &mut impl Read) -> io::Result<ClassMember> {
        Ok(ClassMember { id: read_u64(from)?, leader: read_u64(from)? })
    }
}

impl Stored for GroupRow {
    fn memory_bytes(&self) -> usize {
        let fields = self.fields.iter().map(|field| size_of::<String>() + field.capacity());
        size_of::<GroupRow>() + fields.sum::<usize>()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.group.to_le_bytes())?;
        out.write_all(&self.id.to_le_bytes())?;
        out.write_all(&(self.fields.len() as u64).to_le_bytes())?;
        self.fields.iter().try_for_each(|field| write_bytes(field.as_bytes(), out))
    }

    fn read(from: &mut impl Read) -> io::Result<GroupRow> {
        let (group, id, count) = (read_u64(from)?, read_u64(from)?, read_u64(from)?);
        let field = |_| {
            let field = String::from_utf8(read_bytes(from)?);
            field.map_err(|_| io::ErrorKind::InvalidData.into())
        };
        Ok(GroupRow { group, id, fields: (0..count).map(field).collect::<io::Result<_>>()? })
    }
}
