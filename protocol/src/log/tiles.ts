/** Tiles of the tree and bundles of its entries as C2SP tlog-tiles names and encodes them. */
export const TILE_WIDTH = 256;
const MAX_ENTRY_BYTES = 65_535;

/** One tile: a level, or the entries themselves, its number in the level, and how many hashes it has. */
export interface Tile {
  readonly level: number | 'entries';
  readonly index: number;
  /** 256 when the tile is full. */
  readonly width: number;
}

/** `tile/0/x001/x234/067.p/112`, without the prefix. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index).padStart(Math.ceil(String(index).length / 3) * 3, '0');
  const groups = digits.match(/\d{3}/g) ?? [];
  const last = groups.pop() ?? '000';
  const number = [...groups.map((group) => `x${group}`), last].join('/');
  return `tile/${level}/${number}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

/** The tile that a path names, or undefined: each tile has exactly one path. */
export function parseTilePath(path: string): Tile | undefined {
  const match = /^tile\/(entries|0|[1-9]\d?)\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path);
  if (!match) return undefined;
  const [, levelText = '', number = '', widthText] = match;
  const level = levelText === 'entries' ? 'entries' : Number(levelText);
  const index = Number(number.replace(/[x/]/g, ''));
  const width = widthText === undefined ? TILE_WIDTH : Number(widthText);
  const tile: Tile = { level, index, width };
  const isValid = (level === 'entries' || level <= 63) && (widthText === undefined || width < TILE_WIDTH);
  return isValid && tilePath(tile) === path ? tile : undefined;
}

/** How many hashes the tile has in a tree of this size; 0 when there is no such tile. */
export function tileWidth(tile: Pick<Tile, 'level' | 'index'>, size: number): number {
  const nodes = Math.floor(size / TILE_WIDTH ** (tile.level === 'entries' ? 0 : tile.level));
  return Math.max(0, Math.min(TILE_WIDTH, nodes - tile.index * TILE_WIDTH));
}

/** Entries with their lengths, as big-endian 16-bit numbers, in front. */
export function encodeEntries(entries: readonly Uint8Array[]): Uint8Array {
  const total = entries.reduce((sum, entry) => sum + 2 + entry.length, 0);
  const bytes = new Uint8Array(total);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const entry of entries) {
    if (entry.length > MAX_ENTRY_BYTES)
      throw new RangeError('An entry of the log is longer than 65,535 bytes.');
    view.setUint16(at, entry.length);
    bytes.set(entry, at + 2);
    at += 2 + entry.length;
  }
  return bytes;
}

/** The entries of a bundle, or undefined when it was cut off or has something behind it. */
export function decodeEntries(bytes: Uint8Array): Uint8Array[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: Uint8Array[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (at + 2 > bytes.length) return undefined;
    const end = at + 2 + view.getUint16(at);
    if (end > bytes.length) return undefined;
    entries.push(bytes.subarray(at + 2, end));
    at = end;
  }
  return entries;
}
