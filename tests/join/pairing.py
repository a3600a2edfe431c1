"""The arithmetic of pairing in another language, written from docs/protocol.md alone."""

import hashlib
import hmac
import os

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"


def label(name):
    return name.encode("ascii") + b"\0"


def plain(code):
    return code.upper().replace("-", "").replace(" ", "")


def code_key(code):
    return hashlib.sha256(label("stratum-join-code-v1") + plain(code).encode()).digest()


def code_id(code):
    return hashlib.sha256(label("stratum-join-code-id-v1") + plain(code).encode()).hexdigest()[:8]


def commitment(nonce, joiner):
    return hashlib.sha256(label("stratum-pairing-commit-v1") + nonce + joiner).digest()


def code_proof(key, founder, joiner, committed):
    text = label("stratum-code-joiner-v1") + founder + joiner + committed
    return hmac.new(key, text, hashlib.sha256).digest()


def founder_proof(key, founder, joiner, committed, founder_nonce, join_id):
    text = label("stratum-code-founder-v1") + founder + joiner + committed + founder_nonce
    return hmac.new(key, text + join_id.encode(), hashlib.sha256).digest()


def pairing_code(founder, joiner, joiner_nonce, founder_nonce, join_id):
    text = label("stratum-pairing-v1") + founder + joiner + joiner_nonce + founder_nonce
    number = int.from_bytes(hashlib.sha256(text + join_id.encode()).digest()[:8], "big") % 30**6
    digits = ""
    for _ in range(6):
        number, digit = divmod(number, 30)
        digits = ALPHABET[digit] + digits
    return digits[:3] + "-" + digits[3:]


def new_nonce():
    return os.urandom(32)
