import {
  decodeBase64,
  decodeStrKey,
  encodeBase64,
  encodeStrKey,
  isHashMemo,
  toBaseUnits,
} from '@payassent/protocol';
import { CannotSignError } from '../signing/signer.ts';

/** The one passphrase this page ever signs for. It goes into every signature, so that none is good on another network. */
export const TESTNET_PASSPHRASE = 'Test SDF Network ; September 2015';

const DECIMALS = 7;
const KEY_TYPE_ED25519 = 0;
const KEY_TYPE_MUXED_ED25519 = 0x100;
const ENVELOPE_TYPE_TX = 2;
const PRECONDITION_TIME = 1;
const MEMO_NONE = 0;
const MEMO_TEXT = 1;
const MEMO_HASH = 3;
const OPERATION_CREATE_ACCOUNT = 0;
const OPERATION_PAYMENT = 1;
const LARGEST_INT64 = 2n ** 63n - 1n;

export interface StellarPayment {
  /** The paying account, G… */
  source: string;
  /** The sequence number of this transaction: one more than the account's last. */
  sequence: bigint;
  /** In stroops. */
  fee: number;
  /** G… or M… */
  destination: string;
  amount: string;
  asset: string;
  issuer: string | null;
  /** Text, or the 64 hex digits of a hash memo. */
  memo: string | null;
  /** Unix seconds after which the network refuses the transaction: an expired request can never be paid late. */
  validUntil: number;
  /** An account that does not exist yet is created by its first lumens; nothing else can reach it. */
  createsDestination: boolean;
}

export interface SignedTransaction {
  /** Lower-case hex, known before the transaction is sent anywhere. */
  txHash: string;
  /** The whole envelope in base64, as Horizon takes it. */
  envelope: string;
}

class UnpayableError extends CannotSignError {}

export interface Unsigned {
  hash: Uint8Array<ArrayBuffer>;
  /** The same transaction as an envelope in base64 that no one has signed. */
  envelope: string;
}

/** Signs one payment. `sign` gets the hash and responds with the signature; the key stays behind it. */
export async function signPayment(
  payment: StellarPayment,
  sign: (unsigned: Unsigned) => Promise<Uint8Array>,
): Promise<SignedTransaction> {
  const transaction = encodeTransaction(payment);
  const network = await sha256(new TextEncoder().encode(TESTNET_PASSPHRASE));
  const tagged = new XdrWriter().fixed(network).uint32(ENVELOPE_TYPE_TX).fixed(transaction).bytes();
  const hash = await sha256(tagged);
  const body = new XdrWriter().uint32(ENVELOPE_TYPE_TX).fixed(transaction);
  const unsigned = new XdrWriter().fixed(body.bytes()).uint32(0).bytes();
  const signature = await sign({ hash, envelope: encodeBase64(unsigned) });
  const hint = accountKey(payment.source).slice(-4);
  const envelope = body.uint32(1).fixed(hint).variable(signature).bytes();
  return { txHash: hex(hash), envelope: encodeBase64(envelope) };
}

/** Before the signature: their number, the hint of the key, and the length of the signature. */
const SIGNED_EXTRA = 4 + 4;

/**
 * The one signature of an envelope that another party signed: undefined unless everything before it is, byte for byte,
 * what was given to be signed, and the account's own key made it.
 */
export async function signatureIn(
  signed: string,
  { hash, envelope }: Unsigned,
  source: string,
): Promise<Uint8Array | undefined> {
  const [given, returned] = [decodeBase64(envelope), decodeBase64(signed)];
  if (given === undefined || returned === undefined) return undefined;
  const transaction = given.slice(0, -4);
  const signature = returned.slice(transaction.length + 4 + SIGNED_EXTRA);
  const expected = new XdrWriter()
    .fixed(transaction)
    .uint32(1)
    .fixed(accountKey(source).slice(-4))
    .variable(signature)
    .bytes();
  if (signature.length !== 64 || hex(expected) !== hex(returned)) return undefined;
  const raw = new Uint8Array(accountKey(source));
  const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
  return (await crypto.subtle.verify('Ed25519', key, signature, hash)) ? signature : undefined;
}

/** Behind the type of the envelope and the type of the key. */
const SOURCE_AT = 8;
/** Behind the source and the fee. */
const SEQUENCE_AT = SOURCE_AT + 32 + 4;

/** Whose number an envelope of `signPayment` uses up. */
export function readEnvelope(envelope: string): Pick<StellarPayment, 'source' | 'sequence'> {
  const bytes = decodeBase64(envelope);
  if (bytes === undefined) throw new Error('The kept envelope is not in base64.');
  const { buffer, byteOffset } = bytes;
  return {
    source: encodeStrKey('account', bytes.slice(SOURCE_AT, SOURCE_AT + 32)),
    sequence: new DataView(buffer, byteOffset).getBigInt64(SEQUENCE_AT),
  };
}

function encodeTransaction(payment: StellarPayment): Uint8Array {
  const writer = new XdrWriter()
    .uint32(KEY_TYPE_ED25519)
    .fixed(accountKey(payment.source))
    .uint32(payment.fee)
    .int64(payment.sequence)
    .uint32(PRECONDITION_TIME)
    .int64(0n)
    .int64(BigInt(payment.validUntil));
  if (payment.memo === null) writer.uint32(MEMO_NONE);
  else if (isHashMemo(payment.memo)) writer.uint32(MEMO_HASH).fixed(bytesOfHex(payment.memo));
  else writer.uint32(MEMO_TEXT).variable(new TextEncoder().encode(payment.memo));
  // One operation, without its own source; the last word is the extension point of the transaction.
  writer.uint32(1).uint32(0);
  encodeOperation(writer, payment);
  return writer.uint32(0).bytes();
}

function encodeOperation(writer: XdrWriter, payment: StellarPayment): void {
  const stroops = toBaseUnits(payment.amount, DECIMALS);
  if (stroops === undefined || stroops > LARGEST_INT64)
    throw new UnpayableError(`Stellar cannot pay ${payment.amount}: at most seven decimals and 64 bits.`);
  if (payment.createsDestination) {
    if (payment.issuer !== null) throw new UnpayableError('Only lumens can create an account.');
    writer.uint32(OPERATION_CREATE_ACCOUNT).uint32(KEY_TYPE_ED25519).fixed(accountKey(payment.destination));
    writer.int64(stroops);
    return;
  }
  writer.uint32(OPERATION_PAYMENT);
  encodeDestination(writer, payment.destination);
  encodeAsset(writer, payment.asset, payment.issuer);
  writer.int64(stroops);
}

function encodeDestination(writer: XdrWriter, destination: string): void {
  const muxed = decodeStrKey('muxed', destination);
  if (muxed === undefined) {
    writer.uint32(KEY_TYPE_ED25519).fixed(accountKey(destination));
    return;
  }
  // The text has key and id, the transaction id and key.
  writer.uint32(KEY_TYPE_MUXED_ED25519).fixed(muxed.slice(32)).fixed(muxed.slice(0, 32));
}

function encodeAsset(writer: XdrWriter, asset: string, issuer: string | null): void {
  if (issuer === null) {
    writer.uint32(0);
    return;
  }
  const length = asset.length <= 4 ? 4 : 12;
  const code = new Uint8Array(length);
  code.set(new TextEncoder().encode(asset));
  writer
    .uint32(length === 4 ? 1 : 2)
    .fixed(code)
    .uint32(KEY_TYPE_ED25519)
    .fixed(accountKey(issuer));
}

function accountKey(address: string): Uint8Array {
  const key = decodeStrKey('account', address);
  if (key === undefined) throw new UnpayableError(`${address} is not a Stellar account.`);
  return key;
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

function bytesOfHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Writes XDR (RFC 4506): everything big-endian, everything padded to four bytes. */
class XdrWriter {
  readonly #parts: Uint8Array[] = [];

  uint32(value: number): this {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, value);
    return this.#push(bytes);
  }

  int64(value: bigint): this {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigInt64(0, value);
    return this.#push(bytes);
  }

  /** Bytes whose number both sides know. */
  fixed(bytes: Uint8Array): this {
    this.#push(bytes);
    const surplus = bytes.length % 4;
    return surplus === 0 ? this : this.#push(new Uint8Array(4 - surplus));
  }

  /** Bytes behind their number. */
  variable(bytes: Uint8Array): this {
    return this.uint32(bytes.length).fixed(bytes);
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const whole = new Uint8Array(this.#parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of this.#parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  #push(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    return this;
  }
}
