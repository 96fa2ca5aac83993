import { readFileSync } from 'node:fs';

/** The part of an example between its region marks, moved to the margin. */
function region(file: string, name: string): string {
  const text = readFileSync(new URL(`../examples/${file}.ts`, import.meta.url), 'utf8');
  const found = new RegExp(`// #region ${name}\\n([\\s\\S]*?)\\n\\s*// #endregion`).exec(text)?.[1];
  if (found === undefined) throw new Error(`no region ${name} in ${file}`);
  return `\`\`\`ts\n${found.replace(/^ {2}/gm, '')}\n\`\`\``;
}

/** docs/SDK.md: by task, with the programs that the tests run. */
export function guide(notice: string): string {
  return `# SDK

${notice}

\`@payassent/sdk\` has a client for each party: \`AgentClient\` and \`ConnectionClient\` for agents, \`WalletClient\` for wallet apps, \`MerchantClient\` for operators, \`AgentPaymentsClient\` for the second surface, and \`verifyWebhook\` for receivers. It runs in Node from 20.19, browsers, Deno, Bun and edge workers, and needs nothing but \`fetch\` and Web Crypto. What needs Node is apart, in \`@payassent/sdk/node\`. Every method, option and error is in the [reference](SDK-REFERENCE.md).

The package is an ES module. CommonJS: \`const { AgentClient } = require('@payassent/sdk')\` works from Node 20.19 on; with TypeScript set \`"module": "nodenext"\` or \`"moduleResolution": "bundler"\`. Jest: run it as \`NODE_OPTIONS=--experimental-vm-modules npx jest\` and load the SDK with \`await import('@payassent/sdk')\`.

## Connect

${region('agent', 'connect')}

The store keeps connection tokens, idempotency keys and cursors: \`fileStore(folder)\` in a folder that processes may share, \`memoryStore()\` until the process ends, or anything with \`get\`, \`set\` and \`delete\`. After a pairing, an exchange or a rotation by the wallet the client collects the agent's own token automatically and stores it before it is used.

## Ask

${region('agent', 'ask')}

\`intent\` names the purchase; its key is stored before the first attempt and kept forever. With a key of your own use \`idempotencyKey\` instead. An \`intent\` without a store, or beside a key, is refused.

## Wait

${region('agent', 'wait')}

\`confirmed\` is what the wallet says: the service reports it and does not vouch for it. A wait ends after five minutes unless told otherwise, with a \`WaitTimeoutError\` that carries the request and its last \`status\`. When the wallet has signed and then been silent for ten minutes past the end of the request, the wait returns it, and its outcome is \`unknown\`. \`waitForStatus\` of agent payments, with whatever credential, does the same.

| \`outcome(request)\` | \`standing(request)\` | Status | What to do |
|---|---|---|---|
| \`waiting\` | \`waiting_for_person\` | \`pending\` | wait; nothing is decided |
| \`waiting\` | \`approved_not_yet_paid\` | \`signed\`, \`broadcasted\` | wait; money may be moving |
| \`paid\` | \`paid\` | \`confirmed\` | deliver, after a look at the transaction where it matters |
| \`not_paid\` | \`rejected_by_person\` | \`rejected\` | stop; \`reason\` may say why |
| \`not_paid\` | \`withdrawn_by_merchant\` | \`rejected\` | the merchant recalled the payee; no person decided |
| \`not_paid\` | \`connection_revoked\` | \`rejected\` | the connection ended first; no person decided |
| \`not_paid\` | \`expired_without_decision\` | \`expired\` | ask again under a new name, if it is still wanted |
| \`not_paid\` | \`withdrawn\` | \`expired\`, \`cancelled\` | nothing: you took it back or replaced it |
| \`not_paid\` | \`failed\` | \`failed\` | the wallet says that nothing was or will be paid |
| \`unknown\` | \`outcome_unknown\` | \`signed\`, \`broadcasted\` | look at the chain; never ask for a second payment |

Many requests are followed better by \`paymentRequests.events({ cursor: 'worker' })\`: the store keeps how far it has come.

## Recover

${region('agent', 'recover')}

Every error has a \`code\`. \`isPayAssentError(error)\` makes it narrow: to the error's class, and for answers of the service to the type of \`details\`. Every error of a create carries \`idempotencyKey\`, and says with \`mayBeStored\` whether a request may be there: repeat the create with that key, never with a new one. An error after a repetition says with \`earlierAttemptUnknown\` that an earlier attempt may have been carried out: a \`version_conflict\` or \`resource_not_found\` may then be with one's own change. Wrong input is a \`TypeError\` that says what to pass, before anything is sent.

## Webhooks

The signature is over the bytes as they were received: pass the raw body, not what a parser made of it. A message may come twice: remember \`event.id\`. It tells that a record is worth reading; read the record.

Express:

${region('webhooks', 'express')}

Fastify:

${region('webhooks', 'fastify')}

Next.js, and every server with \`Request\` and \`Response\`:

${region('webhooks', 'next')}

Hono:

${region('webhooks', 'hono')}

## Policies

Payments within limits that the user has agreed to once, with the merchant's API key:

${region('policies', 'policies')}

## What the clients do by themselves

| Situation | What happens |
|---|---|
| No answer, 429 or 503 | Repeated with growing, jittered waits, at least as long as \`Retry-After\` says, but only what is safe to repeat: GET, DELETE, PATCH with a version, and creates with their idempotency key |
| A create | Carries an idempotency key on every attempt, the same one; generated when absent, returned as \`idempotency_key\`. With a \`store\` a restarted agent finds the key again, and creates of one \`intent\` at the same time share it |
| 401 for an agent | One more attempt with a fresh token. None after a revocation, and none when the exchange is refused for the clock or a repeated jti |
| 401 \`token_rotated\` for a connection | The agent's own token is read from the store or collected, and stored before it is used. The same after 403 \`insufficient_scope\` because a wallet has seen the token |
| 403 and every other error | Thrown at once |
| A limit is used up | The next call waits until the window ends, when that is within \`maxRetryDelayMs\` |
| A custom header that names a credential | Refused with a \`TypeError\` before anything is sent |
| A sign-out whose session is gone | Done: a repetition after a lost answer finds it ended |
| A redirect | Not followed |
| A number in \`display\`, \`metadata\`, \`source\` or a context | The service keeps and answers it digit for digit, but JavaScript reads and writes doubles: \`1.10\` becomes \`1.1\` here, \`12345678901234567890\` another number, \`1e400\` \`Infinity\`. Send amounts and long numbers as strings |
| A private key | Stays where it is: the SDK asks for signatures only |
`;
}
