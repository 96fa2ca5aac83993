#!/usr/bin/env python3
"""Verifies a decision that was signed with a passkey, with Debian's python3-fido2 and nothing of ours.

    python3 passkey.py < decision.json

The file is the member `decision` of a bundle: its `statement`, its `key` and its `webauthn` assertion.
"""

import hashlib
import json
import sys

from fido2.client import ClientData
from fido2.cose import CoseKey
from fido2.ctap2 import AttestedCredentialData, AuthenticatorData
from fido2.server import Fido2Server
from fido2.utils import websafe_decode, websafe_encode
from fido2 import cbor

try:
    from fido2.webauthn import PublicKeyCredentialRpEntity
except ImportError:
    sys.exit("python3-fido2 is of another version")

decision = json.load(sys.stdin)
key = decision["key"]
assertion = {name: websafe_decode(value) for name, value in decision["webauthn"].items()}
credential_id = websafe_decode(key["credential_id"])
public_key = CoseKey.parse(cbor.decode(websafe_decode(key["public_key"])))
credential = AttestedCredentialData.create(bytes(16), credential_id, public_key)
server = Fido2Server(
    PublicKeyCredentialRpEntity(key["rp_id"], "wallet"),
    verify_origin=lambda origin: origin == key["origin"],
)
state = {
    "challenge": websafe_encode(hashlib.sha256(decision["statement"].encode()).digest()),
    "user_verification": "required",
}
try:
    server.authenticate_complete(
        state,
        [credential],
        credential_id,
        ClientData(assertion["client_data_json"]),
        AuthenticatorData(assertion["authenticator_data"]),
        assertion["signature"],
    )
except ValueError as error:
    print(f"refused: {error}")
    sys.exit(1)
print("accepted")
