/** Type prefixes of identifiers. The 26 characters behind them are a ULID: 48 bits of time, 80 of randomness. */
export const ID_PREFIXES = {
  merchant: 'mer',
  domain: 'dom',
  recipient: 'rcp',
  recipientVersion: 'rcv',
  evidence: 'evd',
  agent: 'agt',
  credential: 'crd',
  wallet: 'wlt',
  device: 'dev',
  connectKey: 'cky',
  connectInvitation: 'inv',
  pairingSession: 'pair',
  connection: 'con',
  transactionContext: 'ctx',
  paymentRequest: 'pr',
  event: 'evt',
  webhookEndpoint: 'whe',
  webhookDelivery: 'whd',
  apiKey: 'key',
  automationPolicy: 'pol',
  agentPayment: 'ap',
  auditEvent: 'aud',
  passkey: 'psk',
  approval: 'apr',
  pendingChange: 'chg',
  // internal: never resources
  account: 'acc',
  session: 'ses',
  mailJob: 'mlj',
  agentCall: 'cal',
} as const;

type IdKind = keyof typeof ID_PREFIXES;
export type IdPrefix = (typeof ID_PREFIXES)[IdKind];

export type RandomBytes = (length: number) => Uint8Array;

/** Crockford's alphabet: ascending in ASCII, so that text order is time order. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const MAX_TIME_MS = 2 ** 48 - 1;
const RANDOM_LENGTH = 10;
/** 26 characters hold 130 bits, so the first one carries only three. */
const BODY = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

export function newId(prefix: IdPrefix, nowMs: number, randomBytes: RandomBytes): string {
  if (!Number.isInteger(nowMs) || nowMs < 0 || nowMs > MAX_TIME_MS) {
    throw new RangeError('newId: nowMs must be whole milliseconds that fit 48 bits');
  }
  const random = randomBytes(RANDOM_LENGTH);
  if (random.length !== RANDOM_LENGTH) throw new RangeError('newId: randomBytes returned another length');
  return `${prefix}_${timePart(nowMs)}${randomPart(random)}`;
}

export function isId(prefix: IdPrefix, value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length === prefix.length + 27 &&
    value.startsWith(`${prefix}_`) &&
    BODY.test(value.slice(prefix.length + 1))
  );
}

/** The moment an identifier was made, or undefined when it is not one. */
export function idTimeMs(id: string): number | undefined {
  const body = id.slice(id.indexOf('_') + 1);
  if (!BODY.test(body)) return undefined;
  let timeMs = 0;
  for (const character of body.slice(0, 10)) timeMs = timeMs * 32 + ALPHABET.indexOf(character);
  return timeMs;
}

let lastTime = { ms: -1, text: '' };

/** Many identifiers are made in the same millisecond. */
function timePart(nowMs: number): string {
  if (nowMs !== lastTime.ms) lastTime = { ms: nowMs, text: writeTime(nowMs) };
  return lastTime.text;
}

function writeTime(nowMs: number): string {
  let rest = nowMs;
  let text = '';
  for (let position = 0; position < 10; position += 1) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** Ten bytes are two groups of 40 bits, each exactly eight characters. */
function randomPart(bytes: Uint8Array): string {
  let text = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = ((buffer & 31) << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET.charAt((buffer >>> bits) & 31);
    }
  }
  return text;
}
