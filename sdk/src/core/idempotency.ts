import { encodeBase64Url, intentDigest } from '@countersign/protocol';
import type { Api, Operation } from './api.ts';
import type { CallOptions } from './call.ts';
import { isHeaderKey } from './request.ts';

/**
 * Remembers which key belongs to which intended payment, so that an agent that is started again repeats a create with
 * the key of its first attempt. A `Map` fits; so does anything that outlives the process.
 */
export interface IdempotencyStore {
  /** The key of this intent, if one was stored. */
  get(intent: string): string | undefined | Promise<string | undefined>;
  /** Stores the key before the first attempt is sent. */
  set(intent: string, key: string): unknown;
  /** Forgets an unnamed intent after its answer has arrived. */
  delete(intent: string): unknown;
}

/** How a create is made safe to repeat. */
export interface CreateOptions extends CallOptions {
  /** One key per intended payment, 1 to 256 characters. Generated when absent. */
  idempotencyKey?: string;
  /**
   * The caller's own name for the intended payment, such as an order number. With a store, its key is kept for ever:
   * the same name always leads to the same record. Without a name the body itself is the name, until the answer arrives.
   */
  intent?: string;
}

/** Added to the answer of every create. */
export interface Keyed {
  /** The key that was sent, generated or given. Store it with what it paid for. */
  idempotency_key: string;
  /** True when the record had already been created by an earlier attempt. */
  replayed: boolean;
}

const KEY_BYTES = 24;

/** Sends a create with its key: the given one, else the stored one, else a new one that is stored first. */
export async function createOnce<T extends object>(
  api: Api,
  operation: Operation<T> & { body: object },
  scope: string | undefined,
  store: IdempotencyStore | undefined,
  options: CreateOptions,
): Promise<T & Keyed> {
  const { idempotencyKey, intent, ...callOptions } = options;
  const stated = idempotencyKey ?? (operation.body as { idempotency_key?: string }).idempotency_key;
  const name = `${scope ?? ''}/${intent ?? intentDigest(operation.body as Record<string, unknown>)}`;
  const remembered = stated === undefined ? await store?.get(name) : undefined;
  const key = checkedKey(stated ?? remembered ?? encodeBase64Url(api.settings.randomBytes(KEY_BYTES)));
  if (store && stated === undefined && remembered === undefined) await store.set(name, key);

  const { idempotency_key: _, ...rest } = operation.body as { idempotency_key?: string };
  const body = isHeaderKey(key) ? rest : { ...rest, idempotency_key: key };
  const answered = await api.exchange<T>({ ...operation, body, idempotencyKey: key }, callOptions);
  if (store && stated === undefined && intent === undefined) await store.delete(name);
  const replayed = answered.headers.get('idempotency-replayed') === 'true';
  return { ...answered.members, idempotency_key: key, replayed };
}

function checkedKey(key: string): string {
  const { length } = [...key];
  if (length < 1 || length > 256) throw new RangeError('An idempotency key has 1 to 256 characters');
  return key;
}
