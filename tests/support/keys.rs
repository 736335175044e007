//! Ed25519 keys that sign nothing but tests.

/// As `openssl genpkey -algorithm ed25519` and `openssl pkey -pubout` wrote them.
pub const PRIVATE: &str =
    "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEID2oCP/XQCw45d19Qecd9ATZ5FUigTE0miHHHhiOe/U3\n-----END PRIVATE KEY-----";
pub const PUBLIC: &str =
    "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAq0Lr9/DLFkLwdQ87FJZD6jH9Y+VX4SBPKebolrPVJhQ=\n-----END PUBLIC KEY-----";
pub const OTHER: &str =
    "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAOJwxsZEDU8/3shmnt8xXIp/vQzv8+whnwF0Mc6rttV8=\n-----END PUBLIC KEY-----";
