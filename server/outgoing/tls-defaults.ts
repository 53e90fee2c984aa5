import tls from "node:tls";

// Of the servers that the blog connects to, such as a mail server: a handshake with a finite field of 10 000 bits holds
// the event loop for a second, one with P-521 for 30 ms.
tls.DEFAULT_CIPHERS += ":!DHE";
tls.DEFAULT_ECDH_CURVE = "X25519:prime256v1:secp384r1";
