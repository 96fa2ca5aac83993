/** Refuses what is no object, with a sentence that says what to pass instead. */
export function needObject(value: unknown, sentence: string): void {
  if (typeof value !== 'object' || value === null) throw new TypeError(sentence);
}

const ID_PREFIXES = { agentId: 'agt_', connectionId: 'con_', deviceId: 'dev_' } as const;

/** The prefix says what an identifier names: another kind is a mistake that the service could only call absent. */
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
        `A create has no option ${name}: use idempotencyKey, intent, ${OPTION_NAMES.join(', ')}; what is asked for goes into the first argument`,
      );
}

/** As it is sent. What JSON cannot write is a mistake of the caller, whatever the runtime calls it. */
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

/** What a wait is for. One that does not exist could never be reached, and would end the wait at once. */
export function checkedStatuses<Status extends string>(
  statuses: readonly Status[],
  known: readonly Status[],
  name = 'statuses',
): void {
  if (!Array.isArray(statuses) || !statuses.every((status) => known.includes(status)))
    throw new TypeError(`${name} is a list out of ${known.join(', ')}`);
}
