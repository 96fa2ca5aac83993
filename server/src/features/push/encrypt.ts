import { createCipheriv, createECDH, hkdfSync } from 'node:crypto';

/** The browser's half of a subscription. */
interface PushKeys {
  /** An uncompressed point of P-256. */
  p256dh: Uint8Array;
  auth: Uint8Array;
}

interface EncryptOptions {
  salt: Uint8Array;
  /** Of the one-time key; a new one when absent. */
  privateKey?: Uint8Array;
  /** The length of what is encrypted, so that it does not tell messages apart. */
  paddedTo?: number;
}

const RECORD_SIZE = 4096;
const LAST_RECORD = 2;

/** The body of a push message: RFC 8291, in one record of `aes128gcm` (RFC 8188). */
export function encryptPush(text: string, keys: PushKeys, options: EncryptOptions): Buffer {
  const { salt, privateKey, paddedTo = 0 } = options;
  const own = createECDH('prime256v1');
  if (privateKey) own.setPrivateKey(privateKey);
  else own.generateKeys();
  const publicKey = own.getPublicKey();
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), keys.p256dh, publicKey]);
  const secret = hkdfSync('sha256', own.computeSecret(keys.p256dh), keys.auth, keyInfo, 32);
  const derive = (use: string, length: number) =>
    new Uint8Array(hkdfSync('sha256', new Uint8Array(secret), salt, `Content-Encoding: ${use}\0`, length));
  const cipher = createCipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  const plain = Buffer.from(text, 'utf8');
  const padding = Buffer.alloc(Math.max(0, paddedTo - plain.length));
  const header = Buffer.alloc(5);
  header.writeUInt32BE(RECORD_SIZE);
  header.writeUInt8(publicKey.length, 4);
  const sealed = [cipher.update(Buffer.concat([plain, Buffer.from([LAST_RECORD]), padding])), cipher.final()];
  return Buffer.concat([salt, header, publicKey, ...sealed, cipher.getAuthTag()]);
}
