//! The login: the secure remote password protocol (RFC 5054, the group of 2048 bits) with SHA-256, in the shape that the
//! server's own library gives it.
//!
//! The secrets of these players are made from their names, so that a test is the same each time: they protect nothing.

use num_bigint::BigUint;
use sha2::{Digest, Sha256};

/// Bytes of the group's prime.
const WIDTH: usize = 256;
const GENERATOR: u32 = 2;
const PRIME: &[u8] = b"AC6BDB41324A9A9BF166DE5E1389582FAF72B6651987EE07FC3192943DB56050A37329CBB4A099ED8193E0757767A13DD52312AB4B03310D\
CD7F48A9DA04FD50E8083969EDB767B0CF6095179A163AB3661A05FBD5FAAAE82918A9962F0B93B855F97993EC975EEAA80D740ADBF4FF747359D041D5C33EA71D281E446\
B14773BCA97B43A23FB801676BD207A436C6481F1D2B9078717461A5B9D32E688F87748544523B524B0D57D5EA77A2775D2ECFA032CFBDBF52FB3786160279004E57AE6AF\
874E7303CE53299CCC041C7BC308D82A5698F3A8D0C38271AE35F8E9DBFBB694B5C803D89F7AE435DE236D525F54759B65E372FCD68EF20FA7111F9E4AFF73";

/// A name, in lower case, and its password.
pub struct Login {
    name: String,
    password: String,
    secret: BigUint,
    prime: BigUint,
}

impl Login {
    pub fn new(name: &str, password: &str) -> Self {
        let secret = BigUint::from_bytes_be(&digest(&[b"secret of ", name.as_bytes()]));
        let prime = BigUint::parse_bytes(PRIME, 16).unwrap_or_default();
        Self { name: name.to_owned(), password: password.to_owned(), secret, prime }
    }

    /// The salt and the verifier that a server keeps of somebody new.
    pub fn first(&self) -> (Vec<u8>, Vec<u8>) {
        let salt = digest(&[b"salt of ", self.name.as_bytes()])[..16].to_vec();
        let verifier = self.power(&self.exponent(&salt));
        (salt, verifier.to_bytes_be())
    }

    /// What somebody known opens with.
    pub fn opening(&self) -> Vec<u8> {
        self.power(&self.secret).to_bytes_be()
    }

    /// The proof that the password is known, upon the server's salt and opening.
    pub fn proof(&self, salt: &[u8], theirs: &[u8]) -> Vec<u8> {
        let (ours, generator) = (self.power(&self.secret), BigUint::from(GENERATOR));
        let theirs = BigUint::from_bytes_be(theirs);
        let multiplier = BigUint::from_bytes_be(&padded(&self.prime, &generator));
        let mixed = BigUint::from_bytes_be(&padded(&ours, &theirs));
        let exponent = self.exponent(salt);
        // Kept positive: what is subtracted is below the prime once it is reduced.
        let known = (multiplier * self.power(&exponent)) % &self.prime;
        let base = (&theirs + &self.prime - known) % &self.prime;
        let shared = base.modpow(&(&self.secret + mixed * exponent), &self.prime);
        let key = digest(&[&shared.to_bytes_be()]);
        let (of_prime, of_generator) = (digest(&[&self.prime.to_bytes_be()]), digest(&[&generator.to_bytes_be()]));
        let both: Vec<u8> = of_prime.iter().zip(of_generator).map(|(left, right)| left ^ right).collect();
        let name = digest(&[self.name.as_bytes()]);
        digest(&[&both, &name, salt, &ours.to_bytes_be(), &theirs.to_bytes_be(), &key])
    }

    fn exponent(&self, salt: &[u8]) -> BigUint {
        let inner = digest(&[self.name.as_bytes(), b":", self.password.as_bytes()]);
        BigUint::from_bytes_be(&digest(&[salt, &inner]))
    }

    fn power(&self, exponent: &BigUint) -> BigUint {
        BigUint::from(GENERATOR).modpow(exponent, &self.prime)
    }
}

fn digest(parts: &[&[u8]]) -> Vec<u8> {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().to_vec()
}

/// The digest of two numbers, each as wide as the prime.
fn padded(left: &BigUint, right: &BigUint) -> Vec<u8> {
    let wide = |number: &BigUint| {
        let bytes = number.to_bytes_be();
        let mut wide = vec![0; WIDTH.saturating_sub(bytes.len())];
        wide.extend(bytes);
        wide
    };
    digest(&[&wide(left), &wide(right)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a server does with a verifier, an opening of its own and ours.
    fn shared_by_the_server(login: &Login, verifier: &[u8], secret: u32) -> (Vec<u8>, BigUint) {
        let (verifier, generator) = (BigUint::from_bytes_be(verifier), BigUint::from(GENERATOR));
        let multiplier = BigUint::from_bytes_be(&padded(&login.prime, &generator));
        let theirs = (multiplier * &verifier + login.power(&BigUint::from(secret))) % &login.prime;
        let ours = BigUint::from_bytes_be(&login.opening());
        let mixed = BigUint::from_bytes_be(&padded(&ours, &theirs));
        let shared = (ours * verifier.modpow(&mixed, &login.prime)).modpow(&BigUint::from(secret), &login.prime);
        (theirs.to_bytes_be(), shared)
    }

    /// The server's side of the proof.
    fn expected(login: &Login, salt: &[u8], theirs: &[u8], shared: &BigUint) -> Vec<u8> {
        let of = |number: &BigUint| digest(&[&number.to_bytes_be()]);
        let both: Vec<u8> = of(&login.prime).iter().zip(of(&BigUint::from(GENERATOR))).map(|(a, b)| a ^ b).collect();
        digest(&[&both, &digest(&[login.name.as_bytes()]), salt, &login.opening(), theirs, &of(shared)])
    }

    #[test]
    fn both_sides_come_to_one_key_and_with_another_password_they_do_not() {
        let ann = Login::new("ann", "pass");
        let (salt, verifier) = ann.first();
        let (theirs, shared) = shared_by_the_server(&ann, &verifier, 4711);
        assert_eq!(ann.proof(&salt, &theirs), expected(&ann, &salt, &theirs, &shared));
        assert_ne!(Login::new("ann", "word").proof(&salt, &theirs), expected(&ann, &salt, &theirs, &shared));
    }
}
