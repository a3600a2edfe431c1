"""The protocol's test vector, against the other language's arithmetic that the tests here use."""

import unittest

import pairing


class Vector(unittest.TestCase):
    def test_every_value(self):
        code, founder, joiner = "2345-6789-ABCD-EFGH", b"\x11" * 32, b"\x22" * 32
        joiner_nonce, founder_nonce, join_id = b"\x33" * 32, b"\x44" * 32, "nj-8w2k4m1p"
        key = pairing.code_key(code)
        committed = pairing.commitment(joiner_nonce, joiner)
        self.assertEqual(
            key.hex(), "37a28fc626530cc6646d7f9574777e8e12e535979fda1839c08613a236ed8c06"
        )
        self.assertEqual(pairing.code_id(code), "6e66640c")
        self.assertEqual(
            committed.hex(), "a1346b8170accaa9fa3b4b335b95eb0a3b95b5b2d1d0a4b16f7a02621e8cdbc1"
        )
        self.assertEqual(
            pairing.code_proof(key, founder, joiner, committed).hex(),
            "67f70ee1bbf82588317e6166ecea0608f81ba79d1a0ce9c0616022965edcd2dc",
        )
        self.assertEqual(
            pairing.founder_proof(key, founder, joiner, committed, founder_nonce, join_id).hex(),
            "3e0285f8a81f3cad0fef1d1e45562a6e2704b041c2a4a432dde666ae79f3d31e",
        )
        self.assertEqual(
            pairing.pairing_code(founder, joiner, joiner_nonce, founder_nonce, join_id), "56K-AD2"
        )


if __name__ == "__main__":
    unittest.main()
