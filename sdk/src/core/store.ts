/**
 * Stores what an agent must not lose: idempotency keys, connection tokens and event cursors, each under a name of the
 * SDK's. `fileStore` of `@payassent/sdk/node` keeps them in a folder, `memoryStore` until the process ends; any
 * database or a `Map` fits too. Tokens are secrets.
 */
export interface Store {
  /** The value under this name; undefined or null when there is none. */
  get(name: string): string | null | undefined | Promise<string | null | undefined>;
  /**
   * Stores a value and replaces an earlier one. Resolves only when the value is durable: the SDK uses it afterwards.
   */
  set(name: string, value: string): unknown;
  /**
   * Stores a value only where the name is free, atomically. Needed where several processes share the store: the SDK
   * reads the name again afterwards and uses the key stored first.
   */
  setIfAbsent?(name: string, value: string): unknown;
  /** Deletes a name; it is no error when it does not exist. */
  delete(name: string): unknown;
}

/** The names under which the SDK stores its values. */
export const storeNames = {
  key: (scope: string, intent: string) => `key/${scope}/${intent}`,
  token: (connectionId: string) => `token/${connectionId}`,
  cursor: (connectionId: string, reader: string) => `cursor/${connectionId}/${reader}`,
};

/**
 * A store that is lost when the process ends: for tests and trials. An agent that restarts with it has lost its token
 * as soon as the wallet has rotated it, and may request a payment twice.
 */
export function memoryStore(): Store {
  return new Map<string, string>();
}

export function checkedStore<Given extends Store | undefined>(store: Given): Given {
  const wanted = ['get', 'set', 'delete'] as const;
  if (store !== undefined && !wanted.every((name) => typeof store?.[name] === 'function'))
    throw new TypeError(
      'store must have get, set and delete: use fileStore(path) of @payassent/sdk/node, or memoryStore() for a trial',
    );
  return store;
}
