/** Throws on anything but an object, with a sentence that names what to pass instead. */
export function needObject(value: unknown, sentence: string): void {
  if (typeof value !== 'object' || value === null) throw new TypeError(sentence);
}

const ID_PREFIXES = { agentId: 'agt_', connectionId: 'con_', deviceId: 'dev_' } as const;

/** The prefix shows what an identifier names; the service could only report an identifier of another kind as absent. */
export function checkedId(name: keyof typeof ID_PREFIXES, value: unknown): void {
  const prefix = ID_PREFIXES[name];
  if (typeof value !== 'string' || !value.startsWith(prefix))
    throw new TypeError(
      `${name} must be an identifier that begins with ${prefix}; pass the one of the record`,
    );
}

const OPTION_NAMES: readonly string[] = ['signal', 'timeoutMs', 'maxRetries', 'headers'];

/** A misspelt option of a create, such as `idempotency_key`, would otherwise be a new key for each attempt. */
export function checkedCreateOptions(options: object): void {
  needObject(options, "The options of a create are an object, for example { intent: 'order-1' }");
  for (const name of Object.keys(options))
    if (!OPTION_NAMES.includes(name) && name !== 'idempotencyKey' && name !== 'intent')
      throw new TypeError(
        `A create has no option ${name}: use idempotencyKey, intent, ${OPTION_NAMES.join(', ')}; what is requested goes into the first argument`,
      );
}

/**
 * The JSON text of the body. A value that JSON cannot represent is the caller's mistake, whatever error the runtime
 * throws.
 */
export function toJson(body: object): string {
  needObject(body, 'The input of this call is an object with the members that the documentation lists');
  try {
    return JSON.stringify(body);
  } catch {
    throw new TypeError(
      'The input cannot be written as JSON: use strings for amounts and large numbers, such as "12.50", and no cycles',
    );
  }
}

/** The statuses that a wait is for. An unknown one could never be reached, and would end the wait immediately. */
export function checkedStatuses<Status extends string>(
  statuses: readonly Status[],
  known: readonly Status[],
  name = 'statuses',
): void {
  if (!Array.isArray(statuses) || !statuses.every((status) => known.includes(status)))
    throw new TypeError(`${name} is a list out of ${known.join(', ')}`);
}
