import { readFileSync } from 'node:fs';

/** The part of an example between its region marks, moved to the margin. */
export function exampleRegion(name: string): string {
  const text = readFileSync(new URL(`../examples/${name}.ts`, import.meta.url), 'utf8');
  const region = /\/\/ #region .*\n([\s\S]*?)\n\s*\/\/ #endregion/.exec(text)?.[1] ?? '';
  if (region === '') throw new Error(`no region in ${name}`);
  return region.replace(/^ {2}/gm, '');
}

export function introduction(): string {
  return `
\`@payassent/sdk\` has a client for each party: \`AgentClient\` and \`ConnectionClient\` for agents, \`WalletClient\` for wallet apps, \`MerchantClient\` for operators, \`AgentPaymentsClient\` for the second surface, and \`verifyWebhook\` for receivers. It runs in Node from 20.19, browsers, Deno, Bun and edge workers, and needs nothing but \`fetch\` and Web Crypto.

## An agent

\`\`\`ts
${exampleRegion('agent')}
\`\`\`

## A receiver of webhooks

\`\`\`ts
${exampleRegion('webhook')}
\`\`\`

## What the clients do by themselves

| Situation | What happens |
|---|---|
| No answer, 429 or 503 | Repeated with growing, jittered waits, at least as long as \`Retry-After\` says, but only what is safe to repeat: GET, DELETE, PATCH with a version, and creates with their idempotency key |
| A create | Carries an idempotency key on every attempt, the same one; generated when absent, returned as \`idempotency_key\`. With a \`store\` a restarted agent finds the key again, and creates of one \`intent\` at the same time share it |
| 401 for an agent | One more attempt with a fresh token. None after a revocation, and none when the exchange is refused for the clock or a repeated jti |
| 401 \`token_rotated\` for a connection | The new token is read from the store or collected, and stored before it is used |
| 403 and every other error | Thrown at once |
| A limit is used up | The next call waits until the window ends, when that is within \`maxRetryDelayMs\` |
| A custom header that names a credential | Refused with a \`TypeError\` before anything is sent |
| A sign-out whose session is gone | Done: a repetition after a lost answer finds it ended |
| A redirect | Not followed |
| A number in \`display\`, \`metadata\`, \`source\` or a context | The service keeps and answers it digit for digit, but JavaScript reads and writes doubles: \`1.10\` becomes \`1.1\` here, \`12345678901234567890\` another number, \`1e400\` \`Infinity\`. Send amounts and long numbers as strings |
| A private key | Stays where it is: the SDK asks for signatures only |

Every error has a \`code\`. \`isPayAssentError(error)\` makes it narrow: to the error's class, and for answers of the service to the type of \`details\`. An error after a repetition says with \`earlierAttemptUnknown\` that an earlier attempt may have been carried out: a \`version_conflict\` or \`resource_not_found\` may then be with one's own change. Every error of a create carries \`idempotencyKey\`, and says with \`mayBeStored\` whether a request may be there: repeat the create with that key, never with a new one.
`;
}
