import { createHash, randomUUID } from 'node:crypto';
import {
  type ConnectionClient,
  type ContextInput,
  isPayAssentError,
  type Keyed,
  type PaymentRequestAnswer,
  type PaymentRequestInput,
} from '@payassent/sdk';
import { connectionCommand } from '../clients.ts';
import { type Args, type Io, UsageError } from '../command.ts';
import { AnnotatedError } from '../faults.ts';
import { createOutput, listing, partyName, plain } from '../output.ts';
import { describeRequest } from '../request-text.ts';
import { durationMs, given, readInput, required } from '../settings.ts';

const OPTIONS = {
  recipient: { type: 'string', placeholder: 'rcp_…', summary: 'who is to be paid (needed)' },
  'recipient-version': {
    type: 'string',
    placeholder: 'rcv_…',
    summary: 'refuse unless this version is the active one',
  },
  amount: { type: 'string', placeholder: '12.50', summary: 'an exact decimal (needed)' },
  'expires-at': { type: 'string', placeholder: 'time', summary: 'RFC 3339 [one hour ahead]' },
  'expires-in': {
    type: 'string',
    placeholder: 'duration',
    summary: 'instead of --expires-at, for example 10m',
  },
  'request-id': { type: 'string', placeholder: 'id', summary: 'your own id for the request' },
  'idempotency-key': {
    type: 'string',
    placeholder: 'key',
    summary: 'one per intended payment [a new one, printed]',
  },
  'context-title': { type: 'string', placeholder: 'text', summary: 'what the payment is for, in a line' },
  'context-summary': { type: 'string', placeholder: 'text', summary: 'the same in a few sentences' },
  'context-item': { type: 'string', placeholder: 'text', multiple: true, summary: 'a line item' },
  'context-file': {
    type: 'string',
    placeholder: 'path',
    summary: 'a JSON object with the whole context, - for stdin',
  },
  'transaction-id': {
    type: 'string',
    placeholder: 'id',
    summary: 'a context that exists, or the id of the one made here',
  },
  source: { type: 'string', placeholder: 'json', summary: 'where the request comes from, @file for a file' },
  display: {
    type: 'string',
    placeholder: 'json',
    summary: 'what the customer may be shown, @file for a file',
  },
  metadata: { type: 'string', placeholder: 'json', summary: 'your notes, @file for a file' },
} as const;

/** The service takes no request that would live longer. */
const LONGEST_LIFE_MS = 366 * 24 * 3_600_000;

type Values = Args<typeof OPTIONS>['values'];

const { recipient, amount, 'recipient-version': version, 'transaction-id': transaction } = OPTIONS;
const { 'expires-at': at, 'expires-in': within } = OPTIONS;

export const commands = [
  connectionCommand({
    name: 'request create',
    summary: 'request a payment from the customer',
    options: OPTIONS,
    details: [
      'Created means that the customer has to decide, not that anything is paid: see "payassent request watch".',
      'Network, asset and address come from the Recipient and cannot be given here.',
      'After a lost response repeat the same command with the printed --idempotency-key: it leads to the same request.',
      '',
      "  payassent request create --recipient rcp_… --amount 12.50 --context-title 'Two tickets'",
    ].join('\n'),
    async run(io, { values, isJson }) {
      const body = await readBody(io, values);
      const context = await readContext(io, values);
      const key = values['idempotency-key'] ?? randomUUID();
      return async (client) => {
        // Printed before anything is sent, and for programs too: a caller that gets no response, or is killed, needs
        // the key to repeat the request.
        io.stderr.write(`Idempotency key: ${key}\n`);
        const created = await create(io, client, { body, context, key }).catch((error: unknown) => {
          if (error instanceof RangeError) throw new UsageError(error.message);
          throw isPayAssentError(error) ? new AnnotatedError(error, { idempotency_key: key }) : error;
        });
        const { payment_request, idempotency_key, replayed } = created;
        if (replayed)
          createOutput(io, isJson).note('This request was already there; nothing new was created.');
        return {
          document: { payment_request, idempotency_key, replayed },
          text: describeRequest(payment_request),
        };
      };
    },
  }),
  connectionCommand({
    name: 'request preview',
    summary: 'see what a create would request from the customer; nothing is created',
    options: {
      recipient,
      'recipient-version': version,
      amount,
      'expires-at': at,
      'expires-in': within,
      'transaction-id': transaction,
    },
    async run(io, { values }) {
      const body = await readBody(io, values);
      return async (client, options) => {
        const { preview } = await client.paymentRequests.preview(body, options);
        const { payment, payee, risk } = preview;
        const text = listing([
          ['Amount', `${payment.amount} ${plain(payment.asset)} on ${payment.network}`],
          ['To', `${partyName(payee.name)} (${plain(payee.domain)})`],
          ['Address', plain(payment.to)],
          ['Memo', payment.memo === null ? 'made for each request' : payment.memo && plain(payment.memo)],
          ['Duplicate of', risk?.possible_duplicate_of?.map(plain).join(', ')],
          ['Too large', risk?.exceeds_network_maximum ? 'the network cannot carry this amount' : undefined],
        ]);
        return { document: { preview }, text };
      };
    },
  }),
];

async function create(
  io: Io,
  client: ConnectionClient,
  intent: { body: PaymentRequestInput; context: ContextInput | undefined; key: string },
): Promise<PaymentRequestAnswer & Keyed> {
  const { body, context, key } = intent;
  const made = context && { transaction_id: await createContext(io, client, context, key) };
  return client.paymentRequests.create({ ...body, ...made }, { idempotencyKey: key, signal: io.signal });
}

async function readBody(io: Io, values: Values): Promise<PaymentRequestInput> {
  const object = async (name: 'source' | 'display' | 'metadata') =>
    values[name] === undefined ? undefined : await readObject(io, name, values[name]);
  return {
    recipient_id: required(values.recipient, '--recipient'),
    payment: { amount: required(values.amount, '--amount') },
    ...given({
      recipient_version_id: values['recipient-version'],
      expires_at: expiry(values),
      request_id: values['request-id'],
      transaction_id: values['transaction-id'],
      source: await object('source'),
      display: await object('display'),
      metadata: await object('metadata'),
    }),
  };
}

function expiry(values: Values): string | undefined {
  const { 'expires-at': at, 'expires-in': within } = values;
  if (at !== undefined && within !== undefined)
    throw new UsageError('Give either --expires-at or --expires-in, not both');
  if (within === undefined) return at;
  if (values['idempotency-key'] !== undefined)
    throw new UsageError(
      'With --idempotency-key use --expires-at: a repetition has to state the same moment',
    );
  return new Date(Date.now() + durationMs('expires-in', within, LONGEST_LIFE_MS)).toISOString();
}

async function readContext(io: Io, values: Values): Promise<ContextInput | undefined> {
  const { 'context-title': title, 'context-summary': summary, 'context-item': items } = values;
  const file = values['context-file'];
  if ([file, title, summary, items].every((value) => value === undefined)) return undefined;
  return {
    ...(file === undefined ? {} : await readObject(io, 'context-file', file === '-' ? '-' : `@${file}`)),
    ...given({
      title,
      summary,
      line_items: items?.map((text) => ({ text })),
      transaction_id: values['transaction-id'],
    }),
  };
}

/**
 * The context's id follows from the idempotency key: a repetition adds a revision to the same context instead of making
 * a second one, which would be another intent.
 */
async function createContext(
  io: Io,
  client: ConnectionClient,
  context: ContextInput,
  key: string,
): Promise<string> {
  const transaction_id =
    context.transaction_id ?? `ctx-${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;
  const answer = await client.contexts.create({ ...context, transaction_id }, { signal: io.signal });
  return answer.transaction_context.transaction_id;
}

async function readObject(io: Io, option: string, stated: string): Promise<Record<string, unknown>> {
  const file = stated === '-' ? '-' : stated.startsWith('@') ? stated.slice(1) : undefined;
  const text = file === undefined ? stated : await readInput(io, file);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`--${option}: this is no JSON`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`--${option} is a JSON object`);
  return value as Record<string, unknown>;
}
