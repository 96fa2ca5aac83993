/** Writes XDR (RFC 4506): everything big-endian, everything padded to four bytes. */
export class XdrWriter {
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
