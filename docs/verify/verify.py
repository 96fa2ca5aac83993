#!/usr/bin/env python3
"""Verifies an evidence bundle of PayAssent without PayAssent.

    python3 verify.py bundle.json keys.json

A second implementation, independent of the service's own: the standard library, and `cryptography` (Debian:
python3-cryptography) for signatures. `keys.json` is /.well-known/svc-keys.json. Prints every claim with the mark of its
outcome (✓ shown, ✗ broken, – not claimed, • the service's word) and ends with 1 when one is broken, otherwise with 0.
What each claim means is in ../auditors/README.md.
"""

import base64
import hashlib
import json
import re
import sys
import unicodedata
from datetime import datetime
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

SKEW_S = 360
UNLOGGED_S = 60
VERSION_FACTS = "name rail network asset address memo memo_policy contract issuer decimals chain_id".split()
EVIDENCE_FACTS = [*VERSION_FACTS, "domain", "method", "verified_at", "type", "binding"]
PAYMENT_FACTS = "rail network asset amount to contract issuer decimals chain_id memo recipient_version_id".split()
STELLAR = ("stellar_public", "stellar_testnet")
FINAL = {"confirmed", "failed", "expired", "rejected", "cancelled"}
APPROVED = {"signed", "broadcasted", "confirmed"}
CLEAR = ("payee.activated", "payee.archived", "payee.suspended")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.I | re.A)


class Broken(Exception):
    """A claim that does not hold."""


class NotClaimed(Exception):
    """A claim that the bundle does not make."""


class ServiceWord(Exception):
    """A claim that the service makes, and that nothing in the bundle shows."""


def need(condition, explanation):
    if not condition:
        raise Broken(explanation)


# --- RFC 8785: one spelling for each value -------------------------------------------------------------------------


def canonical(value):
    if isinstance(value, dict):
        members = sorted(value.items(), key=lambda member: member[0].encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(item)}" for name, item in members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, float):
        return number(value)
    if isinstance(value, int) and not isinstance(value, bool):
        # JavaScript has no larger integers: such a number would have been written as text.
        need(abs(value) < 2**53, "A number is larger than numbers can be here.")
        return str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return json.dumps(value)


def number(value):
    """As ECMAScript writes it, for the few that are no integers."""
    if value == int(value) and abs(value) < 1e21:
        return str(int(value))
    text = repr(value)
    match = re.fullmatch(r"(-?)(\d)(?:\.(\d+))?e([+-])0*(\d+)", text)
    if match:
        sign, first, rest, direction, exponent = match.groups()
        if direction == "-" and int(exponent) <= 6:
            return f"{sign}0.{'0' * (int(exponent) - 1)}{first}{rest or ''}"
        return f"{sign}{first}{'.' + rest if rest else ''}e{direction}{exponent}"
    return text


def canonical_bytes(value):
    return canonical(value).encode("utf-8")


def digest(value):
    return "sha256:" + hashlib.sha256(canonical_bytes(value)).hexdigest()


def picked(value, names):
    return {name: value[name] for name in names if value.get(name) is not None}


def decode(text):
    need(isinstance(text, str) and re.fullmatch(r"[A-Za-z0-9_-]*", text), "A binary member is not base64url.")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    need(base64.urlsafe_b64encode(data).rstrip(b"=").decode() == text, "A binary member has a second spelling.")
    return data


def seconds(text):
    need(isinstance(text, str) and TIME.fullmatch(text), "A time cannot be read.")
    return datetime.fromisoformat(text.upper().replace("Z", "+00:00")).timestamp()


def life(key):
    """From when to when a key signs."""
    return seconds(key["created_at"]), float("inf") if key["retired_at"] is None else seconds(key["retired_at"])


def is_log_domain(domain):
    """Lower-case A-labels without a final dot: one spelling for each name."""
    return isinstance(domain, str) and len(domain) <= 253 and all(map(is_label, domain.split(".")))


def is_label(label):
    if not re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", label):
        return False
    if label[2:4] != "--":
        return True
    try:
        name = label[4:].encode().decode("punycode")
        spelled = name.encode("punycode").decode()
    except (UnicodeError, ValueError):
        return False
    if any(0xD800 <= ord(character) <= 0xDFFF for character in name):
        return False
    return label[:4] == "xn--" and spelled == label[4:] and unicodedata.normalize("NFC", name) == name


def is_signed(public_key, message, signature):
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
        return True
    except (InvalidSignature, ValueError):
        return False


# --- the log: RFC 6962 hashing, C2SP notes and proofs --------------------------------------------------------------


def node(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


def root_from(leaf, index, size, path):
    """RFC 9162, 2.1.3.2."""
    need(0 <= index < size, "A proof names no entry of its tree.")
    position, last, value = index, size - 1, leaf
    for sibling in path:
        need(last > 0, "A proof is too long.")
        if position % 2 == 1 or position == last:
            value = node(sibling, value)
            while position % 2 == 0 and position > 0:
                position, last = position >> 1, last >> 1
        else:
            value = node(value, sibling)
        position, last = position >> 1, last >> 1
    need(last == 0, "A proof is too short.")
    return value


def standard64(text):
    data = base64.b64decode(text, validate=True)
    need(base64.b64encode(data).decode() == text, "A hash has a second spelling.")
    return data


def open_proof(proof, text, at, bundle, keys):
    """Index, size and root under which the entry is shown."""
    origin = bundle["service"]["origin"]
    head, separator, note = proof.partition("\n\n")
    lines = head.split("\n")
    need(separator and lines[0] == "c2sp.org/tlog-proof@v1", "A proof is of another kind.")
    index = re.fullmatch(r"index (0|[1-9][0-9]*)", lines[1])
    need(index, "A proof has no index.")
    path = [standard64(line) for line in lines[2:]]
    body, separator, signatures = note.rpartition("\n\n")
    need(separator and signatures.endswith("\n"), "A checkpoint is not signed.")
    body += "\n"
    need(not re.search(r"[\x00-\x09\x0b-\x1f]", note), "A checkpoint has control characters.")
    name = urlsplit(origin).netloc + "/log"
    fields = body.split("\n")
    need(fields[0] == name and re.fullmatch(r"0|[1-9][0-9]*", fields[1]), "A checkpoint is of another log.")
    size, root = int(fields[1]), standard64(fields[2])
    signed = False
    for line in signatures[:-1].split("\n"):
        match = re.fullmatch(r"— (\S+) ([A-Za-z0-9+/]+=*)", line)
        need(match, "A signature of a checkpoint cannot be read.")
        data = standard64(match[2])
        for key in keys:
            if key["use"] != "log" or match[1] != name:
                continue
            public = decode(key["public_key"])
            key_id = hashlib.sha256(name.encode() + b"\n\x01" + public).digest()[:4]
            if data[:4] == key_id:
                need(is_signed(public, body.encode(), data[4:]), "A checkpoint is signed wrongly.")
                made, retired = life(key)
                need(made <= seconds(bundle["as_of"]), "The key of the log was made only after the bundle.")
                need(seconds(at) <= retired, "An entry is later than the end of the key that proves it.")
                signed = True
    need(signed, "No published key of the log signed a checkpoint.")
    leaf = hashlib.sha256(b"\x00" + text.encode("utf-8")).digest()
    need(root_from(leaf, int(index[1]), size, path) == root, "An entry is not in the log.")
    return int(index[1]), size, root


def open_entry(item, bundle, keys):
    need(set(item) <= {"entry", "salt", "content", "proof", "pending"}, "An entry has other members.")
    entry = json.loads(item["entry"])
    need(canonical(entry) == item["entry"], "An entry is spelled otherwise.")
    need(re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", entry["at"]), "An entry has no time.")
    if "commitment" in entry:
        need(set(entry) == {"type", "at", "commitment"}, "An entry has other members.")
        need(entry["type"] in ("decision_key", "decision", "final"), "An entry is of another kind.")
        salt = decode(item["salt"])
        need(len(salt) == 16, "A salt has not 16 bytes.")
        made = hashlib.sha256(salt + canonical_bytes(item["content"])).hexdigest()
        need(entry["commitment"] == "sha256:" + made, f"The {entry['type']} is not what was committed to.")
    else:
        need(set(entry) == {"type", "at", "domain", "evidence_digest"}, "An entry has other members.")
        need(entry["type"] in CLEAR and not {"salt", "content"} & set(item), "An entry is of another kind.")
        need(is_log_domain(entry["domain"]), "A domain is not written in lower-case A-labels.")
        need(re.fullmatch(r"sha256:[0-9a-f]{64}", entry["evidence_digest"]), "An entry has no digest.")
    place = None
    if "proof" in item:
        need("pending" not in item, "An entry has a proof and waits for one.")
        place = open_proof(item["proof"], item["entry"], entry["at"], bundle, keys)
    else:
        need(item.get("pending") is True, "An entry has no proof and does not wait for one.")
    return {**entry, "content": item.get("content"), "place": place}


def open_entries(bundle, keys):
    """The entries that are sound, and what is wrong with the others."""
    opened, faults = [], []
    for item in bundle["log"]["entries"]:
        try:
            opened.append(open_entry(item, bundle, keys))
        except Broken as reason:
            faults.append(str(reason))
        except Exception as reason:  # whatever has an unexpected shape is broken
            faults.append(f"An entry cannot be read ({type(reason).__name__}).")
    return opened, faults


# --- claims --------------------------------------------------------------------------------------------------------


class Bundle:
    def __init__(self, text, keys):
        self.keys = keys
        self.data = json.loads(text)
        need(isinstance(self.data, dict), "It is no JSON object.")
        need(canonical(self.data) == text, "It is not written as RFC 8785 has it.")
        members = "profile service payee request agent context decision history settlement log as_of signature"
        need(set(self.data) == set(members.split()), "Members are missing, or there are others.")
        need(self.data["profile"] == "svc.evidence.v1", "It is of another kind.")
        self.request, self.payee = self.data["request"], self.data["payee"]
        self.decision, self.context = self.data["decision"], self.data["context"]
        self.pinned = self.request.get("payee") or {}
        self.payment = self.request.get("payment") or self.request
        self.entries, self.faults = open_entries(self.data, keys)
        self.is_decision_proved = False

    def of_type(self, kind):
        return [entry for entry in self.entries if entry["type"] == kind]

    def service_signature(self):
        rest = {name: value for name, value in self.data.items() if name != "signature"}
        self.need_service(self.data["signature"], rest)
        return f"Signed by {self.data['signature']['kid']}."

    def need_service(self, signature, value):
        """An evidence key signed it that was in use when the bundle was put together."""
        message, made = canonical_bytes(value), decode(signature["value"])
        named = [key for key in self.keys if key["kid"] == signature["kid"] and key["use"] == "evidence"]
        signers = [key for key in named if is_signed(decode(key["public_key"]), message, made)]
        need(signers, "No published evidence key signed this.")
        at = seconds(self.data["as_of"])
        need(any(life(key)[0] <= at <= life(key)[1] for key in signers), "The key that signed was not in use then.")

    def check_payee(self):
        if self.payee is None:
            need(self.pinned.get("verified") is False, "A verified payee has no evidence.")
            raise NotClaimed("The payment goes to a bare address.")
        facts, evidence = self.payee["facts"], self.payee["evidence"]
        # A policy of "fixed" counts as absent.
        given = {name: value for name, value in evidence["input"].items() if (name, value) != ("memo_policy", "fixed")}
        need(digest(picked(given, EVIDENCE_FACTS)) == evidence["evidence_digest"], "The digest is another one.")
        need(picked(given, VERSION_FACTS) == facts, "The evidence is about another payee.")
        need(given.get("binding", "domain") == self.payee["binding"], "The binding is another one.")
        for name in ("method", "verified_at"):
            need(evidence[name] == given[name], f"{name} is another one.")
        need(self.pinned["evidence_digest"] == evidence["evidence_digest"], "Other evidence was pinned.")
        need(self.pinned["domain"] == given["domain"], "Another domain was pinned.")
        need(is_log_domain(given["domain"]), "The domain is not written in lower-case A-labels.")
        has_own_memo = facts.get("memo_policy") == "request"
        if has_own_memo:
            self.need_own_memo()
        for name in VERSION_FACTS[1:]:
            if name == "memo_policy" or (name == "memo" and has_own_memo):
                continue
            paid = self.payment.get("to" if name == "address" else name)
            need(facts.get(name) == paid, f"The payment has another {name}.")
        return f"The payee whose evidence for {given['domain']} ({self.payee['binding']}) has this digest."

    def need_own_memo(self):
        """On Stellar the memo is made of the request itself. Elsewhere it is short, and may be a further attempt."""
        memo = self.payment.get("memo")
        need(isinstance(memo, str) and memo, "The payment lacks the memo of its request.")
        if self.payment["network"] not in STELLAR:
            return
        facts = {name: value for name, value in self.pinned_facts().items() if name != "memo"}
        made = digest({**facts, **self.names(), "connection_id": self.request["connection_id"]})
        need(made == f"sha256:{memo}", "The memo is not that of this request.")

    def looked_up(self):
        if self.payee is None:
            raise NotClaimed("There is no payee.")
        evidence = self.payee["evidence"]
        domain, how, at = evidence["input"].get("domain"), evidence.get("method"), evidence.get("verified_at")
        raise ServiceWord(f"It found the proof of {domain} by {how} at {at}.")

    def created_with(self):
        if self.request.get("created_with") is None:
            raise NotClaimed("The record does not say it.")
        raise ServiceWord(f"It was created with: {self.request['created_with']}.")

    def settlement(self):
        settlement = self.data["settlement"]
        if settlement is None:
            raise NotClaimed("The chain was not observed.")
        found = (settlement.get("transaction") or {}).get("tx_hash")
        raise ServiceWord(f"The chain showed {settlement.get('state')}, transaction {found}.")

    def pinned_facts(self):
        version = self.pinned.get("recipient_version_id") or self.request.get("recipient_version_id")
        return picked({**self.payment, "recipient_version_id": version}, PAYMENT_FACTS)

    def facts(self):
        given = self.pinned_facts()
        need(digest(given) == self.request["facts_digest"], "The digest is not that of these facts.")
        return f"{given['amount']} {given['asset']} to {given['to']}."

    def payee_logged(self):
        found = self.of_type("payee.activated")
        if self.payee is None or not found:
            need(self.payee is not None or not found, "An entry is about a payee that is not here.")
            raise NotClaimed("No entry shows the activation.")
        evidence = self.payee["evidence"]
        for entry in found:
            need(entry["domain"] == evidence["input"]["domain"], "The entry is about another domain.")
            need(entry["evidence_digest"] == evidence["evidence_digest"], "The entry is about another payee.")
            need(seconds(entry["at"]) <= seconds(self.request["created_at"]), "It was logged after the request.")
        return self.placed(found)

    def placed(self, found):
        proved = next((entry for entry in found if entry["place"]), None)
        if proved is None:
            raise NotClaimed("It is not in the log yet.")
        return f"In the log since {proved['at']}."

    def check_context(self):
        pinned = (self.request.get("transaction_context") or {}).get("revision")
        if self.context is None:
            need(pinned is None, "The pinned context is missing.")
            raise NotClaimed("There is none.")
        content = {name: value for name, value in self.context["content"].items() if name != "transaction_id"}
        need(self.context["revision"] == pinned, "Another revision was pinned.")
        need(digest(content) == self.context["digest"], "The digest is not that of the context.")
        return f"Revision {pinned}."

    def names(self):
        if "request_id" in self.request:
            return {"request_id": self.request["request_id"]}
        return {"agent_payment_id": self.request["id"]}

    def decision_key(self):
        found = self.of_type("decision_key")
        key = self.decision and self.decision.get("key")
        if not key:
            need(not found, "An entry is about a key that signed nothing.")
            need(not self.decision or self.decision["alg"] is None, "The key is missing.")
            raise NotClaimed("Nothing is signed.")
        need(key["alg"] == self.decision["alg"], "The key is of another kind.")
        need(digest(key) == self.decision["key_thumbprint"], "The thumbprint is another one.")
        for entry in found:
            content = entry["content"]
            need(content["key"] == key and content["thumbprint"] == digest(key), "The log knows another key.")
            need(content["device_id"] == self.decision["device_id"], "The log knows it of another device.")
            need(seconds(entry["at"]) <= seconds(self.decision["decided_at"]) + SKEW_S, "It was logged later.")
        return self.placed_in_time(found)

    def placed_in_time(self, found):
        """Entries are in the log within two seconds: what is missing after a minute was kept out, or invented."""
        age = seconds(self.data["as_of"]) - seconds(self.decision["decided_at"])
        is_placed = any(entry["place"] for entry in found)
        need(is_placed or age <= UNLOGGED_S, "It is not in the log, more than a minute after the decision.")
        return self.placed(found)

    def check_decision(self):
        decision = self.decision
        if not decision:
            raise NotClaimed("There is none.")
        if not decision["key"]:
            signed = ("alg", "key_thumbprint", "statement", "signature", "webauthn")
            need(all(decision.get(name) is None for name in signed), "A signed decision has no key.")
            raise ServiceWord(f"The wallet did not sign: {decision['decision']}.")
        need(decision["decision"] in ("approve", "reject"), "The decision is none.")
        statement = canonical({
            "profile": "svc.decision.v1",
            "decision": decision["decision"],
            **self.names(),
            "connection_id": self.request["connection_id"],
            "device_id": decision["device_id"],
            "facts_digest": self.request["facts_digest"],
            "context_digest": self.context and self.context["digest"],
            "expires_at": self.request["expires_at"],
            "decided_at": decision["decided_at"],
        })
        need(statement == decision["statement"], "What was signed is about something else.")
        if decision["alg"] == "webauthn":
            self.check_assertion(decision["key"], statement, decision["webauthn"])
        else:
            public, made = decode(decision["key"]["public_key"]), decode(decision["signature"])
            need(is_signed(public, statement.encode(), made), "The signature does not hold.")
        # A signature shows nothing while the log does not know key and decision: anyone can make a key.
        self.decision_key()
        self.decision_logged()
        self.is_decision_proved = True
        return f"{decision['decision']} at {decision['decided_at']}."

    def check_assertion(self, key, statement, assertion):
        data, client = decode(assertion["authenticator_data"]), decode(assertion["client_data_json"])
        said = json.loads(client)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(statement.encode()).digest()).rstrip(b"=").decode()
        need(said["type"] == "webauthn.get" and said["challenge"] == challenge, "Another challenge was signed.")
        need(said["origin"] == key["origin"] and not said.get("crossOrigin"), "Another origin asked.")
        need(data[:32] == hashlib.sha256(key["rp_id"].encode()).digest(), "It is for another party.")
        need(data[32] & 5 == 5, "The user was not verified.")
        message, made = data + hashlib.sha256(client).digest(), decode(assertion["signature"])
        cose = decode(key["public_key"])
        if cose.startswith(bytes.fromhex("a4010103272006215820")) and len(cose) == 42:
            need(is_signed(cose[10:], message, made), "The signature does not hold.")
            return
        need(cose.startswith(bytes.fromhex("a5010203262001215820")) and len(cose) == 77, "The key is of no known kind.")
        point = b"\x04" + cose[10:42] + cose[45:]
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        try:
            public.verify(made, message, ec.ECDSA(hashes.SHA256()))
        except InvalidSignature:
            raise Broken("The signature does not hold.") from None

    def decision_logged(self):
        found = self.of_type("decision")
        if not self.decision:
            need(not found, "The log knows a decision that is not shown.")
            raise NotClaimed("There is no decision.")
        if not found:
            return self.placed_decision(found)
        need(len(found) == 1, "The log knows two decisions.")
        recorded = {name: value for name, value in self.decision.items() if name != "key"}
        if recorded["alg"] is None and recorded["device_id"] is None:
            # An unsigned decision may name no device here, whichever one the log committed to.
            recorded["device_id"] = found[0]["content"]["decision"].get("device_id")
        connection = self.request["connection_id"]
        expected = {**self.names(), "connection_id": connection, "decision": recorded}
        need(found[0]["content"] == expected, "The log knows another decision.")
        apart = abs(seconds(found[0]["at"]) - seconds(self.decision["decided_at"]))
        need(apart <= SKEW_S, "It was logged at another time.")
        return self.placed_decision(found)

    def placed_decision(self, found):
        """Only a signed one has to be in the log after a minute."""
        return self.placed_in_time(found) if self.decision["key"] else self.placed(found)

    def need_decision(self):
        """An approval is never without its decision, except in records that are older than the first key."""
        said = [e for e in self.data["history"] if {e["status"], e["previous_status"]} & APPROVED]
        if self.decision is None and said:
            first_key = min(life(key)[0] for key in self.keys)
            need(seconds(said[0]["occurred_at"]) < first_key, "An approval, and its decision is missing.")

    def history(self):
        events = self.data["history"]
        if not events:
            raise NotClaimed("There are no events.")
        names = {**self.names(), "connection_id": self.request["connection_id"]}
        status, version = ("pending", 1) if "request_id" in names else ("intent_created", 1)
        late = "agent_payment_id" in names and events[0]["state_version"] > 2
        if late:
            status, version = events[0]["previous_status"], events[0]["state_version"] - 1
        unsigned, decisions = [], []
        for event in events:
            for name, value in names.items():
                need(event[name] == value, "An event is about another request.")
            if event["status"] != event["previous_status"]:
                version += 1
                need(event["previous_status"] == status, "An event does not follow the one before.")
            need(event["state_version"] == version, "An event is missing.")
            status = event["status"]
            rest = {name: value for name, value in event.items() if name != "service_signature"}
            if event["actor"] != "wallet":
                self.need_service(event["service_signature"], rest)
                continue
            need("service_signature" not in event, "The service signed for the wallet.")
            moved = event["status"] != event["previous_status"]
            kind = {"signed": "approve", "rejected": "reject"}.get(event["status"]) if moved else None
            decisions += [kind] if kind else []
            if not kind or not self.is_decision_proved:
                unsigned.append(event["status"])
        self.need_decision()
        if late:
            raise NotClaimed("The first steps were not written down.")
        if self.decision:
            need(self.decision["decision"] == (decisions or [None])[0], "The events have another decision.")
        if unsigned:
            raise ServiceWord(f"{len(events)} events, up to {status}; without a signature: {', '.join(unsigned)}.")
        return f"{len(events)} events, up to {status}."

    def final_logged(self):
        found = self.of_type("final")
        if not found:
            raise NotClaimed("No end is in the log.")
        need(len(found) == 1, "The log knows two ends.")
        content = found[0]["content"]
        need(content["facts_digest"] == self.request["facts_digest"], "It is the end of another payment.")
        moved = [e for e in self.data["history"] if e["status"] != e["previous_status"]]
        if "request_id" in self.request or "event" in content or moved:
            need(moved and moved[-1]["status"] in FINAL, "The events tell of no end.")
            last = {name: value for name, value in moved[-1].items() if name != "service_signature"}
            need(content["event"] == last, "The log knows another end.")
        else:
            need(content["agent_payment_id"] == self.request["id"], "It is the end of another payment.")
        return self.placed(found)

    def log(self):
        need(not self.faults, " ".join(self.faults))
        places = [entry["place"] for entry in self.entries if entry["place"]]
        roots = {}
        for _, size, root in places:
            need(roots.setdefault(size, root) == root, "Two proofs show two logs of one size.")
        if not places:
            raise NotClaimed("No entry is in the log yet.")
        return f"{len(places)} entries are in the log."


CLAIMS = [
    ("service_signature", Bundle.service_signature),
    ("payee", Bundle.check_payee),
    ("looked_up", Bundle.looked_up),
    ("facts", Bundle.facts),
    ("created_with", Bundle.created_with),
    ("payee_logged", Bundle.payee_logged),
    ("context", Bundle.check_context),
    ("decision_key", Bundle.decision_key),
    ("decision", Bundle.check_decision),
    ("decision_logged", Bundle.decision_logged),
    ("history", Bundle.history),  # after the decision, which is the one event that a wallet signs
    ("final_logged", Bundle.final_logged),
    ("settlement", Bundle.settlement),
    ("log", Bundle.log),
]


MARKS = {"holds": "✓", "broken": "✗", "not claimed": "–", "the service's word": "•"}


def judged(claim, check):
    try:
        return claim, "holds", check()
    except NotClaimed as reason:
        return claim, "not claimed", str(reason)
    except ServiceWord as reason:
        return claim, "the service's word", str(reason)
    except Broken as reason:
        return claim, "broken", str(reason)
    except Exception as reason:  # whatever has an unexpected shape is broken
        return claim, "broken", f"It cannot be read ({type(reason).__name__})."


def verify(raw, keys):
    """Claims with their outcome and an explanation. `raw` are the bytes of the bundle, `keys` the published list."""
    made = []
    first = judged("bundle", lambda: made.append(Bundle(raw.decode("utf-8"), keys)) or "One document, in its one spelling.")
    if not made:
        return [first]
    return [first, *(judged(claim, lambda check=check: check(made[0])) for claim, check in CLAIMS)]


def main():
    with open(sys.argv[1], "rb") as file:
        raw = file.read()
    with open(sys.argv[2], "rb") as file:
        keys = json.load(file)["keys"]
    outcomes = verify(raw[:-1] if raw.endswith(b"\n") else raw, keys)
    for claim, outcome, explanation in outcomes:
        mark = MARKS[outcome]
        said = "" if outcome in ("holds", "broken") else f"{outcome}: "
        # On one line: what a bundle says cannot look like a claim of its own.
        told = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in explanation)
        print(f"{mark} {claim:<18} {said}{told}")
    sys.exit(1 if any(outcome == "broken" for _, outcome, _ in outcomes) else 0)


if __name__ == "__main__":
    main()
