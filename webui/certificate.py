"""The certificate with which the page comes encrypted to the phones of the house.

No authority vouches for a computer at home, so it vouches for itself; a phone asks its owner once whether to go on. The
key stays the same as long as it can, the certificate is written anew when it runs out or when the addresses change.
"""

from __future__ import annotations

import datetime as dt
import ipaddress
import ssl
import threading
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from webui.folders import write_private

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

#: Days; browsers refuse certificates that are good for longer (CA/Browser Forum Baseline Requirements 6.3.2: 398).
VALID = 397
#: Days before its end from which a certificate is replaced, so that none runs out in the middle of an evening.
EARLY = 14


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


class Certificate:
    """A self-signed certificate in a folder, made when it is first needed.

    Args:
        folder: where `cert.pem` and `key.pem` are kept.
        names: DNS names and IP addresses it is to be good for.
        now: the time; tests tell another one.

    Attributes:
        context: what a server speaks TLS with; a renewed certificate is used by it from then on.

    Raises:
        OSError: the folder cannot be written.
    """

    def __init__(self, folder: Path, names: Iterable[str], *, now: Callable[[], dt.datetime] = _now) -> None:
        self.path, self._key_path = folder / "cert.pem", folder / "key.pem"
        self._now = now
        self._lock = threading.Lock()
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._key = self._load_key()
        found = self._load()
        if found is None:
            found = self._make(names)
        self._certificate = found
        self._use()
        self.renew(names)

    def renew(self, names: Iterable[str]) -> bool:
        """Write the certificate anew if it runs out or lacks one of `names`. Tells whether it did."""
        with self._lock:
            wanted = set(names)
            ends = self._certificate.not_valid_after_utc - dt.timedelta(days=EARLY)
            begun = self._certificate.not_valid_before_utc <= self._now()
            if wanted <= self.names and begun and self._now() < ends:
                return False
            self._certificate = self._make(wanted)
            self._use()
            return True

    @property
    def names(self) -> set[str]:
        """DNS names and addresses in the certificate."""
        found = self._certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        return {*found.get_values_for_type(x509.DNSName), *map(str, found.get_values_for_type(x509.IPAddress))}

    @property
    def ends(self) -> dt.datetime:
        """When it runs out."""
        return self._certificate.not_valid_after_utc

    @property
    def fingerprint(self) -> str:
        """SHA-256 as browsers show it: pairs of hexadecimal digits with colons."""
        return self._certificate.fingerprint(hashes.SHA256()).hex(":").upper()

    def _load_key(self) -> ec.EllipticCurvePrivateKey:
        try:
            key = serialization.load_pem_private_key(self._key_path.read_bytes(), None)
            if isinstance(key, ec.EllipticCurvePrivateKey):
                return key
        except (FileNotFoundError, ValueError, TypeError):  # none yet, or damaged
            pass
        # P-256: the one curve that every phone speaks.
        key = ec.generate_private_key(ec.SECP256R1())
        form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        write_private(self._key_path, key.private_bytes(*form))
        return key

    def _load(self) -> x509.Certificate | None:
        try:
            found = x509.load_pem_x509_certificate(self.path.read_bytes())
            found.extensions.get_extension_for_class(x509.SubjectAlternativeName)
        except (FileNotFoundError, ValueError, x509.ExtensionNotFound):
            return None
        return found if found.public_key() == self._key.public_key() else None

    def _make(self, names: Iterable[str]) -> x509.Certificate:
        now = self._now()
        who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "youjin")])
        usage = x509.KeyUsage(
            digital_signature=True,
            content_commitment=False,
            key_encipherment=False,
            data_encipherment=False,
            key_agreement=False,
            key_cert_sign=False,
            crl_sign=False,
            encipher_only=False,
            decipher_only=False,
        )
        made = (
            x509.CertificateBuilder()
            .subject_name(who)
            .issuer_name(who)
            .public_key(self._key.public_key())
            .serial_number(x509.random_serial_number())
            # A phone whose clock is a little behind must not find it "not yet valid".
            .not_valid_before(now - dt.timedelta(days=1))
            .not_valid_after(now + dt.timedelta(days=VALID - 1))
            .add_extension(x509.SubjectAlternativeName([_general_name(name) for name in sorted(names)]), critical=False)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(usage, critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .sign(self._key, hashes.SHA256())
        )
        write_private(self.path, made.public_bytes(serialization.Encoding.PEM))
        return made

    def _use(self) -> None:
        self.context.load_cert_chain(self.path, self._key_path)


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
