//! A head that somebody signed: who holds the public key can tell later that the log stood there, and still leads through it.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::anchor::{Anchor, digest};
use super::keys::{CheckKey, SignKey, SignatureFault, Signed};

/// What the document is, and the first line of what is signed.
const FORMAT: &str = "leasehold-checkpoint-1";

/// A place of one log, and when it was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// The id with which the log was opened.
    pub log: Uuid,
    pub anchor: Anchor,
    /// When the event there was recorded.
    pub recorded_at: DateTime<Utc>,
    /// When the checkpoint was made, by the database's clock.
    pub at: DateTime<Utc>,
}

/// Why a checkpoint says nothing.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointFault {
    #[error("it is no checkpoint")]
    Unreadable(#[from] serde_json::Error),
    #[error("it is no checkpoint: \"{field}\" is not what it should be")]
    Field { field: &'static str },
    #[error(transparent)]
    Signature(#[from] SignatureFault),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Document {
    format: String,
    log: Uuid,
    position: u64,
    hash: String,
    recorded_at: DateTime<Utc>,
    at: DateTime<Utc>,
    public_key: String,
    signature: String,
}

impl Checkpoint {
    /// What is signed: six lines, each with its end. Instants are in UTC with six digits after the point, hashes in
    /// lower-case hexadecimal.
    pub fn text(&self) -> String {
        let Anchor { position, hash } = self.anchor;
        let instant = |at: DateTime<Utc>| at.to_rfc3339_opts(SecondsFormat::Micros, true);
        format!(
            "{FORMAT}\nlog {}\nposition {position}\nhash {}\nrecordedAt {}\nat {}\n",
            self.log,
            hex::encode(hash),
            instant(self.recorded_at),
            instant(self.at)
        )
    }

    /// The document, signed.
    pub fn signed(&self, key: &SignKey) -> serde_json::Value {
        let Signed { public_key, signature } = key.sign(self.text().as_bytes());
        let instant = |at: DateTime<Utc>| at.to_rfc3339_opts(SecondsFormat::Micros, true);
        serde_json::json!({
            "format": FORMAT,
            "log": self.log,
            "position": self.anchor.position,
            "hash": hex::encode(self.anchor.hash),
            "recordedAt": instant(self.recorded_at),
            "at": instant(self.at),
            "publicKey": hex::encode(public_key),
            "signature": hex::encode(signature),
        })
    }

    /// The checkpoint that a document holds, if the holder of `key` signed it.
    pub fn read(document: &str, key: &CheckKey) -> Result<Self, CheckpointFault> {
        let document: Document = serde_json::from_str(document)?;
        if document.format != FORMAT {
            return Err(CheckpointFault::Field { field: "format" });
        }
        let hash = digest(&document.hash).ok_or(CheckpointFault::Field { field: "hash" })?;
        let checkpoint = Self {
            log: document.log,
            anchor: Anchor { position: document.position, hash },
            recorded_at: document.recorded_at,
            at: document.at,
        };
        let public_key = digest(&document.public_key).ok_or(CheckpointFault::Field { field: "publicKey" })?;
        let mut signature = [0; 64];
        hex::decode_to_slice(&document.signature, &mut signature).map_err(|_| CheckpointFault::Field { field: "signature" })?;
        key.check(checkpoint.text().as_bytes(), &Signed { public_key, signature })?;
        Ok(checkpoint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `openssl genpkey -algorithm ed25519` and `openssl pkey -pubout` wrote them.
    const PRIVATE: &str = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEID2oCP/XQCw45d19Qecd9ATZ5FUigTE0miHHHhiOe/U3\n-----END PRIVATE KEY-----";
    const PUBLIC: &str =
        "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAq0Lr9/DLFkLwdQ87FJZD6jH9Y+VX4SBPKebolrPVJhQ=\n-----END PUBLIC KEY-----";
    const OTHER: &str =
        "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAOJwxsZEDU8/3shmnt8xXIp/vQzv8+whnwF0Mc6rttV8=\n-----END PUBLIC KEY-----";

    fn checkpoint() -> Checkpoint {
        Checkpoint {
            log: Uuid::from_u128(7),
            anchor: Anchor { position: 12, hash: [0xab; 32] },
            recorded_at: DateTime::from_timestamp_micros(1_800_000_000_000_001).unwrap(),
            at: DateTime::from_timestamp_micros(1_800_000_000_500_000).unwrap(),
        }
    }

    fn signed() -> String {
        checkpoint().signed(&SignKey::from_pem(PRIVATE).unwrap()).to_string()
    }

    #[test]
    fn what_is_signed_is_these_lines() {
        let expected = format!(
            "leasehold-checkpoint-1\nlog 00000000-0000-0000-0000-000000000007\nposition 12\nhash {}\n\
             recordedAt 2027-01-15T08:00:00.000001Z\nat 2027-01-15T08:00:00.500000Z\n",
            "ab".repeat(32)
        );
        assert_eq!(checkpoint().text(), expected);
    }

    #[test]
    fn the_holder_of_the_public_key_reads_it_and_nobody_elses_key_opens_it() {
        let (key, other) = (CheckKey::from_pem(PUBLIC).unwrap(), CheckKey::from_pem(OTHER).unwrap());
        assert_eq!(Checkpoint::read(&signed(), &key).unwrap(), checkpoint());
        let refused = Checkpoint::read(&signed(), &other).unwrap_err();
        assert!(matches!(refused, CheckpointFault::Signature(SignatureFault::OtherKey)), "{refused}");
    }

    #[test]
    fn each_byte_changed_is_noticed() {
        let (key, document) = (CheckKey::from_pem(PUBLIC).unwrap(), signed());
        for at in 0..document.len() {
            let mut changed = document.clone().into_bytes();
            changed[at] ^= 1;
            let Ok(changed) = String::from_utf8(changed) else { continue };
            let read = Checkpoint::read(&changed, &key);
            assert!(read.is_err(), "byte {at}: {changed}");
        }
    }

    #[test]
    fn a_file_that_holds_no_key_is_refused_in_words() {
        for text in ["", PUBLIC, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"] {
            assert!(SignKey::from_pem(text).err().unwrap().to_string().contains("private key"));
        }
        assert!(CheckKey::from_pem(PRIVATE).unwrap_err().to_string().contains("public key"));
    }
}
