import { encodeBase64Url, intentDigest } from '@payassent/protocol';
import { CallError, CreateInterruptedError } from '../errors/transport.ts';
import type { Api } from './api.ts';
import { type CallOptions, newFacts } from './call.ts';
import { checkedCreateOptions, toJson } from './checks.ts';
import type { AnswerOf, InputOf, OperationData } from './operation-data.ts';
import { isHeaderKey } from './request.ts';
import { type Store, storeNames } from './store.ts';

/** Options that make a create safe to retry. */
export interface CreateOptions extends CallOptions {
  /** One key per intended payment, 1 to 256 characters. Generated when absent. */
  idempotencyKey?: string;
  /**
   * The caller's name for the intended payment, such as an order number. Its key is kept in the store forever: the same
   * name always leads to the same record, also for concurrent creates. Needs a store, and no `idempotencyKey` next to
   * it. Without a name the body itself is the name, until the response arrives.
   */
  intent?: string;
}

/** Added to the response of every create. */
export interface Keyed {
  /** The key that was sent, generated or given. Store it with the purchase. */
  idempotency_key: string;
  /** True when the record had already been created by an earlier attempt. */
  replayed: boolean;
}

const KEY_BYTES = 24;

/**
 * Sends a create with its key: the given one, else the stored one, else a new one that is stored first. Whatever ends it
 * from then on carries the key, because a second create without it could be a second payment.
 */
export async function createOnce<Of extends OperationData>(
  api: Api,
  operation: Of,
  input: InputOf<Of> & { readonly idempotency_key?: string },
  place: { scope: string | undefined; store: Store | undefined },
  options: CreateOptions,
): Promise<AnswerOf<Of> & Keyed> {
  checkedCreateOptions(options);
  const { idempotencyKey, intent, ...callOptions } = options;
  const { scope, store } = place;
  const stated = idempotencyKey ?? input.idempotency_key;
  refuseLostIntent(intent, stated, store);
  const makeKey = () => encodeBase64Url(api.settings.randomBytes(KEY_BYTES));
  const kept = store && stated === undefined ? { store, name: nameOf(scope, intent, input) } : undefined;
  const facts = newFacts(operation);
  const orInterrupted = (error: unknown): never => {
    throw new CreateInterruptedError(error, facts);
  };
  const found = kept && (await keptKey(kept.store, kept.name, makeKey).catch(orInterrupted));
  const key = checkedKey(stated ?? found ?? makeKey());

  facts.idempotencyKey = key;
  const { idempotency_key: _, ...rest } = input;
  const body = (isHeaderKey(key) ? rest : { ...rest, idempotency_key: key }) as InputOf<Of>;
  const answered = await api
    .exchange(operation, { body, idempotencyKey: key, facts }, callOptions)
    .catch((error: unknown) => {
      const isOwn = error instanceof CallError && error.idempotencyKey === key;
      const isMisuse = error instanceof TypeError && facts.attempts === 0;
      if (isOwn || isMisuse) throw error;
      return orInterrupted(error);
    });
  if (kept && intent === undefined) {
    facts.earlierAttemptUnknown = true;
    await forget(kept.store, kept.name, key).catch(orInterrupted);
  }
  const replayed = answered.headers.get('idempotency-replayed') === 'true';
  return { ...answered.members, idempotency_key: key, replayed };
}

/** A name without a store protects nothing, and an explicit key makes it ineffective. */
function refuseLostIntent(
  intent: string | undefined,
  stated: string | undefined,
  store: Store | undefined,
): void {
  if (intent === undefined) return;
  if (typeof intent !== 'string' || intent === '')
    throw new TypeError('intent must be a name for the intended payment, such as an order number');
  if (stated !== undefined)
    throw new TypeError('Give either intent or an idempotency key, not both: the key alone would count');
  if (store === undefined)
    throw new TypeError(
      'intent needs a store that remembers its key: give the client one (store), or send your own idempotencyKey',
    );
}

/** A later create of the same name may have stored another key meanwhile. */
async function forget(store: Store, name: string, key: string): Promise<void> {
  if ((await store.get(name)) === key) await store.delete(name);
}

/** The body counts as it is sent: what JSON leaves out is no part of the intent. */
function nameOf(scope: string | undefined, intent: string | undefined, body: object): string {
  const name = intent ?? intentDigest(JSON.parse(toJson(body)) as Record<string, unknown>);
  return storeNames.key(scope ?? '', name);
}

const deciding = new WeakMap<Store, Map<string, Promise<string>>>();

/**
 * Concurrent creates of one name share one read of the store, so that each of them sees the key that the first one
 * writes.
 */
function keptKey(store: Store, name: string, makeKey: () => string): Promise<string> {
  const names = deciding.get(store) ?? new Map<string, Promise<string>>();
  deciding.set(store, names);
  const pending = names.get(name) ?? decideKey(store, name, makeKey).finally(() => names.delete(name));
  names.set(name, pending);
  return pending;
}

async function decideKey(store: Store, name: string, makeKey: () => string): Promise<string> {
  const found = await store.get(name);
  if (found !== undefined && found !== null) return found;
  const key = makeKey();
  await (store.setIfAbsent ? store.setIfAbsent(name, key) : store.set(name, key));
  // Another process may have been first; its key is in a store that keeps it.
  return (await store.get(name)) ?? key;
}

function checkedKey(key: string): string {
  if (typeof key !== 'string') throw new TypeError('An idempotency key is a string of 1 to 256 characters');
  const { length } = [...key];
  if (length < 1 || length > 256) throw new RangeError('An idempotency key has 1 to 256 characters');
  return key;
}
