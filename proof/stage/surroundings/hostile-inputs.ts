import { stellarAddress } from '../people/payees.ts';

/** Numbers that are the same in every run with the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The text with another last character, whatever it ends with. The letters belong to every alphabet used here. */
export function withTypo(text: string): string {
  return text.slice(0, -1) + (text.endsWith('A') ? 'B' : 'A');
}

interface Clay {
  random: () => number;
  /** About how long the text becomes, in bytes; never longer. */
  size: number;
  /** Members that the call knows. */
  known: readonly string[];
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];

function pick<T>(random: () => number, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T;
}

function word(random: () => number, length: number): string {
  const letters: string[] = [];
  for (let index = 0; index < length; index += 1) letters.push(pick(random, LETTERS));
  return letters.join('');
}

/** As many pieces as fit between head and tail. */
function fill({ size }: Clay, head: string, piece: (index: number) => string, tail: string): string {
  const parts = [head];
  let length = Buffer.byteLength(head) + tail.length;
  for (let index = 0; ; index += 1) {
    const next = `${index === 0 ? '' : ','}${piece(index)}`;
    length += Buffer.byteLength(next);
    if (length > size) return parts.join('') + tail;
    parts.push(next);
  }
}

const quoted = (text: string) => JSON.stringify(text);
const member = (clay: Clay) => quoted(pick(clay.random, clay.known.length > 0 ? clay.known : ['name']));

/** Nearly an address: a good one with one letter changed, so that everything but the checksum is right. */
function nearAddress(random: () => number): string {
  const address = stellarAddress(Uint8Array.from({ length: 32 }, () => Math.floor(random() * 256)));
  const at = 1 + Math.floor(random() * (address.length - 1));
  return `${address.slice(0, at)}${address[at] === 'A' ? 'B' : 'A'}${address.slice(at + 1)}`;
}

type Shapes = Readonly<Record<string, (clay: Clay) => string>>;

/** The same again and again, in a name or in a text: what a careless pattern reads from each place to the end. */
const RUNS: Shapes = Object.fromEntries(
  ['A', 'a', 'É', '0', '_', ' ', '.', 'aA', 'Aa', 'a_', 'a b ', 'G', 'bc1q', '0x'].flatMap((run) => [
    [
      `a name of ${quoted(run)}`,
      ({ size }: Clay) => `{"payTo${run.repeat((size - 16) / Buffer.byteLength(run))}":1}`,
    ],
    [
      `a text of ${quoted(run)}`,
      ({ size }: Clay) => `{"metadata":{"note":"x ${run.repeat((size - 40) / Buffer.byteLength(run))}!"}}`,
    ],
  ]),
);

/** Bodies that cost most to parse and judge. All are at most `size` bytes long. */
export const HOSTILE_BODIES: Shapes = {
  ...RUNS,
  'many unknown members': (clay) => fill(clay, '{', (index) => `"${word(clay.random, 2)}${index}":1`, '}'),
  'few members with long names': (clay) =>
    fill(clay, '{', (index) => `"${word(clay.random, 1_000 + (index % 7))}":null`, '}'),
  'one name as long as the body': (clay) => `{"${word(clay.random, clay.size - 10)}":1}`,
  'a long text in a known member': (clay) =>
    `{${member(clay)}:"${word(clay.random, clay.size - 60)}${pick(clay.random, ['', '!', '@', '.', '\\n'])}"}`,
  'a long list in a known member': (clay) =>
    fill(
      clay,
      `{${member(clay)}:[`,
      (index) => pick(clay.random, [`${index}`, '{}', '""', 'null', '[]']),
      ']}',
    ),
  'a long list of long words': (clay) =>
    fill(clay, `{${member(clay)}:[`, () => `"${word(clay.random, 40)}"`, ']}'),
  'members below deep names': (clay) => {
    const names = Array.from({ length: 20 }, () => word(clay.random, 40));
    const head = `{"metadata":${names.map((name) => `{"${name}":`).join('')}{`;
    return fill(clay, head, (index) => `"memo${index}":1,"x${index}":{"address":"y"}`, '}'.repeat(22));
  },
  'lists in lists': (clay) =>
    fill(clay, `{"display":{"items":[`, () => `${'['.repeat(25)}${clay.size}${']'.repeat(25)}`, ']}}'),
  'near-addresses in free text': (clay) =>
    fill(
      { ...clay, size: clay.size - 4 },
      '{"metadata":{"note":["x"',
      () => `"${nearAddress(clay.random)} ${nearAddress(clay.random).toLowerCase()}"`,
      ']}}',
    ).replace('"x""', '"x","'),
  'addresses cut into pieces': (clay) =>
    fill(
      { ...clay, size: clay.size - 4 },
      '{"metadata":{"note":["x"',
      () =>
        `"${nearAddress(clay.random).replace(/.{4}/g, `$&${pick(clay.random, [' ', '-', '.', '_', '/'])}`)}"`,
      ']}}',
    ).replace('"x""', '"x","'),
  'escaped and invisible characters': (clay) =>
    fill(
      clay,
      '{"metadata":{',
      (index) =>
        `"k${index}":"${pick(clay.random, ['\\u202e', '\\ud83d\\ude00', '\\u200b', 'é', '\\u0007'])}"`,
      '}}',
    ),
  'long numbers': (clay) => fill(clay, `{${member(clay)}:[`, () => `1${'0'.repeat(200)}`, ']}'),
  'white space': (clay) => `{${' '.repeat(clay.size - 20)}"a":1}`,
  'broken at the end': (clay) => fill(clay, '{', (index) => `"b${index}":{"c":[]}`, ',}'),
  'a repeated key at the end': (clay) => fill(clay, '{"z":1,', (index) => `"d${index}":""`, ',"z":1}'),
};

/** Query strings, at most `size` bytes long. */
export const HOSTILE_QUERIES: Shapes = {
  'one parameter again and again': ({ size }) => 'a&'.repeat(size / 2).slice(0, size),
  'many parameters': (clay) => fillQuery(clay, (index) => `${word(clay.random, 3)}${index}=1`),
  'encoded parameters': (clay) => fillQuery(clay, () => `%61${word(clay.random, 2)}=%2B%26`),
  'a long value': ({ random, size }) => `cursor=${word(random, size - 8)}`,
  'nothing but separators': ({ size }) => '&='.repeat(size / 2),
  'a long encoded value': ({ size }) => `limit=${'%31'.repeat(Math.floor((size - 8) / 3))}`,
};

function fillQuery({ size }: Clay, piece: (index: number) => string): string {
  const parts = [piece(0)];
  let length = parts[0]?.length ?? 0;
  for (let index = 1; ; index += 1) {
    const next = piece(index);
    length += next.length + 1;
    if (length > size) return parts.join('&');
    parts.push(next);
  }
}

/** Names with claims that are reserved to the page. The service accepts them; no customer is shown them. */
export const CLAIMING_NAMES = {
  payee: 'Refund to you: +250.00 XLM ✔ verified',
  merchant: 'Stripe Payments ✔ Verified by PayAssent',
  agent: 'Apple Support ✔',
} as const;

/** A piece of any of them. */
export const CLAIMS = /[✔✅]|Refund to you|250\.00|Stripe Payments|Apple Support/;
