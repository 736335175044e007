//! The Ed25519 keys with which an operator signs what leaves the log. They are the operator's: nothing here makes or keeps one.

use ed25519_dalek::pkcs8::{DecodePrivateKey, DecodePublicKey};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};

/// A key that is none.
#[derive(Debug, thiserror::Error)]
pub enum KeyFault {
    #[error("it holds no Ed25519 private key in PEM (PKCS#8), as `openssl genpkey -algorithm ed25519` makes it")]
    Private(#[source] ed25519_dalek::pkcs8::Error),
    #[error("it holds no Ed25519 public key in PEM, as `openssl pkey -pubout` makes it")]
    Public(#[source] ed25519_dalek::pkcs8::spki::Error),
}

/// What signs.
pub struct SignKey(SigningKey);

/// What checks a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckKey(VerifyingKey);

/// A signature, and the public half of the key that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signed {
    pub public_key: [u8; 32],
    pub signature: [u8; 64],
}

/// Why a signature does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureFault {
    #[error("it was signed with another key")]
    OtherKey,
    #[error("its signature does not hold")]
    Forged,
}

impl SignKey {
    /// From the text of a PKCS#8 file.
    pub fn from_pem(pem: &str) -> Result<Self, KeyFault> {
        SigningKey::from_pkcs8_pem(pem.trim()).map(Self).map_err(KeyFault::Private)
    }

    pub fn sign(&self, text: &[u8]) -> Signed {
        Signed { public_key: self.0.verifying_key().to_bytes(), signature: self.0.sign(text).to_bytes() }
    }
}

impl CheckKey {
    /// From the text of a public key's file.
    pub fn from_pem(pem: &str) -> Result<Self, KeyFault> {
        VerifyingKey::from_public_key_pem(pem.trim()).map(Self).map_err(KeyFault::Public)
    }

    /// Whether the holder of this very key signed `text`.
    pub fn check(&self, text: &[u8], signed: &Signed) -> Result<(), SignatureFault> {
        if self.0.to_bytes() != signed.public_key {
            return Err(SignatureFault::OtherKey);
        }
        let signature = Signature::from_bytes(&signed.signature);
        self.0.verify_strict(text, &signature).map_err(|_| SignatureFault::Forged)
    }
}
