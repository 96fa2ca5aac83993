import { AMOUNT_MAX_LENGTH, AMOUNT_PATTERN, PAYMENT_REQUEST_STATUSES } from '@payassent/protocol';
import { MEMBER_TEXTS, OUTCOMES, TOOL_TEXTS, type ToolName } from './texts.ts';

/** The part of JSON Schema that the tools use. */
export interface ToolSchema {
  /** One type, or several. */
  readonly type?: string | readonly string[];
  /** What it means. */
  readonly description?: string;
  /** Members of an object. */
  readonly properties?: Readonly<Record<string, ToolSchema>>;
  /** Required members. */
  readonly required?: readonly string[];
  /** False: no other members. */
  readonly additionalProperties?: boolean;
  /** Of a list. */
  readonly items?: ToolSchema;
  /** The only values. */
  readonly enum?: readonly string[];
  /** Of a text. */
  readonly pattern?: string;
  /** In characters. */
  readonly minLength?: number;
  /** In characters. */
  readonly maxLength?: number;
  /** Of a number. */
  readonly minimum?: number;
  /** Of a number. */
  readonly maximum?: number;
  /** Of a list. */
  readonly maxItems?: number;
}

/** A schema whose outermost type is an object, as inputs and results of tools are. */
export interface ToolObjectSchema extends ToolSchema {
  /** Always an object. */
  readonly type: 'object';
}

/** Hints for the program that calls the tool. */
export interface ToolAnnotations {
  /** It changes nothing. */
  readonly readOnlyHint: boolean;
  /** It may undo something. */
  readonly destructiveHint: boolean;
  /** Calling it twice has the same effect as calling it once. */
  readonly idempotentHint: boolean;
  /** It reaches parties outside this program. */
  readonly openWorldHint: boolean;
}

/** A tool as data: its description for a model and its program. */
export interface ToolDefinition<Name extends string = string> {
  /** The name a model calls it by. */
  readonly name: Name;
  /** The name a person reads. */
  readonly title: string;
  /** When and how to use it. */
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: ToolObjectSchema;
  /** JSON Schema of `structuredContent`. */
  readonly outputSchema: ToolObjectSchema;
  /** Whether it changes anything. */
  readonly annotations: ToolAnnotations;
}

type Members = Readonly<Record<string, ToolSchema>>;

const said = (name: keyof typeof MEMBER_TEXTS, schema: ToolSchema): ToolSchema => ({
  ...schema,
  description: MEMBER_TEXTS[name],
});
const text = (maxLength: number): ToolSchema => ({ type: 'string', minLength: 1, maxLength });
const integer = (minimum: number, maximum: number): ToolSchema => ({ type: 'integer', minimum, maximum });
const string: ToolSchema = { type: 'string' };
const object: ToolSchema = { type: 'object' };
const listOf = (...names: readonly string[]): ToolSchema => ({
  type: 'array',
  items: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, string])) },
});

const input = (properties: Members, ...required: readonly string[]): ToolObjectSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
});
/** Errors have the same shape: `error` and `next_step`. */
const output = (properties: Members): ToolObjectSchema => ({
  type: 'object',
  properties: { ...properties, next_step: said('next_step', string), error: object },
  required: ['next_step'],
});

const amount: ToolSchema = { type: 'string', pattern: AMOUNT_PATTERN, maxLength: AMOUNT_MAX_LENGTH };
const requestId = said('request_id', text(160));

const paymentMembers: Members = {
  outcome: { type: 'string', enum: Object.keys(OUTCOMES) },
  request_id: string,
  status: string,
  payment: object,
  payee: object,
  review_url: said('review_url', { type: ['string', 'null'] }),
  expires_at: string,
  settlement: said('settlement', { type: ['object', 'null'] }),
  reason: string,
  note: said('note', string),
};
const paymentOutput = output(paymentMembers);

const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};
const ASKS: ToolAnnotations = { ...READS, readOnlyHint: false };
const ENDS: ToolAnnotations = { ...ASKS, destructiveHint: true };

function define<Name extends keyof typeof TOOL_TEXTS>(
  name: Name,
  inputSchema: ToolObjectSchema,
  outputSchema: ToolObjectSchema,
  annotations: ToolAnnotations,
): ToolDefinition<Name> {
  return { name, ...TOOL_TEXTS[name], inputSchema, outputSchema, annotations };
}

/** The seven tools, in the order in which a model should read them. */
export const TOOL_DEFINITIONS: readonly ToolDefinition<ToolName>[] = [
  define(
    'list_payees',
    input({ query: said('query', text(200)) }),
    output({ payees: listOf('recipient_id', 'name', 'domain', 'network', 'asset') }),
    READS,
  ),
  define(
    'request_payment',
    input(
      {
        payee: said('payee', text(253)),
        recipient_id: said('recipient_id', text(160)),
        amount: said('amount', amount),
        asset: said('asset', text(64)),
        purpose: said('purpose', text(500)),
        items: said('items', {
          type: 'array',
          maxItems: 50,
          items: input({ name: text(200), quantity: integer(1, 1_000_000), amount }, 'name'),
        }),
        intent_id: said('intent_id', text(256)),
        valid_minutes: said('valid_minutes', integer(1, 527_040)),
        second_payment_of: said('second_payment_of', text(160)),
      },
      'amount',
      'purpose',
      'intent_id',
    ),
    output({
      ...paymentMembers,
      candidates: listOf('recipient_id', 'name', 'domain', 'network', 'asset'),
      earlier_requests: listOf('request_id', 'status', 'created_at'),
    }),
    ASKS,
  ),
  define(
    'wait_for_decision',
    input({ request_id: requestId, seconds: said('seconds', integer(1, 50)) }, 'request_id'),
    paymentOutput,
    READS,
  ),
  define('get_payment', input({ request_id: requestId }, 'request_id'), paymentOutput, READS),
  define(
    'list_payments',
    input({ status: { type: 'string', enum: PAYMENT_REQUEST_STATUSES }, limit: integer(1, 100) }),
    output({ payments: { type: 'array', items: object } }),
    READS,
  ),
  define('withdraw_payment', input({ request_id: requestId }, 'request_id'), paymentOutput, ENDS),
  define(
    'connection_status',
    input({}),
    output({
      connection: object,
      scopes: { type: 'array', items: string },
      policies: { type: 'array', items: object },
      wallet: object,
      limits: object,
    }),
    READS,
  ),
];

/** Only where a program runs next to the person, over stdio. */
export const CONNECT_WALLET_DEFINITION: ToolDefinition<'connect_wallet'> = define(
  'connect_wallet',
  input({}),
  output({ status: string, code: string, pairing_uri: string, expires_at: string, connection_id: string }),
  ASKS,
);
