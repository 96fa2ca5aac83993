import type { Keys } from '../../lib/keys.ts';

/** The secret columns of an endpoint. */
export interface SealedSecrets {
  webhook_endpoint_id: string;
  secret_key_id: string;
  secret_box: Buffer;
  previous_secret_key_id: string | null;
  previous_secret_box: Buffer | null;
  previous_secret_expires_at: Date | null;
}

export interface SealedSecret {
  keyId: string;
  box: Buffer;
}

/** The endpoint's id is sealed in, so that a box copied to another row does not open. */
export function sealSecret(keys: Keys, endpointId: string, secret: string): SealedSecret {
  return keys.seal('webhook-secret', Buffer.from(secret, 'utf8'), endpointId);
}

/** Newest first; the former one as long as a rotation overlaps. */
export function openSecrets(keys: Keys, endpoint: SealedSecrets, now: Date): string[] {
  const open = (keyId: string, box: Buffer) =>
    keys.open('webhook-secret', { keyId, box }, endpoint.webhook_endpoint_id).toString('utf8');
  const secrets = [open(endpoint.secret_key_id, endpoint.secret_box)];
  const { previous_secret_key_id: keyId, previous_secret_box: box } = endpoint;
  if (keyId !== null && box !== null && overlaps(endpoint, now)) secrets.push(open(keyId, box));
  return secrets;
}

export function overlaps(endpoint: SealedSecrets, now: Date): boolean {
  return endpoint.previous_secret_expires_at !== null && now <= endpoint.previous_secret_expires_at;
}

const REMEMBERED = 1_000;

/** Opens each pair of boxes once as long as it does not change. */
export function createSecretReader(keys: Keys): (endpoint: SealedSecrets, now: Date) => string[] {
  const opened = new Map<string, { sealed: SealedSecrets; current: string; former: string | undefined }>();
  return (endpoint, now) => {
    let entry = opened.get(endpoint.webhook_endpoint_id);
    if (!entry || !isSame(entry.sealed, endpoint)) {
      if (opened.size >= REMEMBERED) opened.clear();
      const [current = '', former] = openSecrets(keys, endpoint, now);
      entry = { sealed: endpoint, current, former };
      opened.set(endpoint.webhook_endpoint_id, entry);
    }
    const { current, former } = entry;
    return former !== undefined && overlaps(endpoint, now) ? [current, former] : [current];
  };
}

function isSame(a: SealedSecrets, b: SealedSecrets): boolean {
  return a.secret_box.equals(b.secret_box) && Buffer.compare(boxOf(a), boxOf(b)) === 0;
}

function boxOf(endpoint: SealedSecrets): Buffer {
  return endpoint.previous_secret_box ?? Buffer.alloc(0);
}
