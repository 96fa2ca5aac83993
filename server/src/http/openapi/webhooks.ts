import { WEBHOOK_EVENT_TYPES, WEBHOOK_VERIFICATION_TYPE } from '@payassent/protocol';
import {
  AgentPaymentSchema,
  AutomationPolicySchema,
  ConnectionSchema,
  PaymentRequestSchema,
  RecipientSchema,
  RecipientVersionSchema,
  schema,
  Type,
} from '@payassent/protocol/records';
import type { TProperties, TSchema } from 'typebox';
import { pascalCase } from './components.ts';

type Json = Record<string, unknown>;

const previousStatus = Type.Optional(
  Type.String({ description: 'What the status was before, where the event is a change of it.' }),
);

/** The contents of `data`, by the family of the event. */
const DATA: Record<string, TProperties> = {
  payment_request: { payment_request: PaymentRequestSchema, previous_status: previousStatus },
  connection: { connection: ConnectionSchema },
  recipient: { recipient: RecipientSchema, recipient_version: RecipientVersionSchema },
  agent_payment: { agent_payment: AgentPaymentSchema, previous_status: previousStatus },
  automation_policy: { automation_policy: AutomationPolicySchema },
  webhook: { challenge: Type.String({ description: 'To be sent back as the body of the response.' }) },
};

const SIGNATURE_HEADERS: Json[] = [
  ['webhook-id', 'The id of the event, the same for every attempt: use it to drop repeats.'],
  ['webhook-timestamp', 'Seconds since 1970 when this attempt was signed.'],
  [
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, during a rotation two of them; then `v1a,` and the Ed25519 signature of the same by a key of the service (`use: "webhook"` in `/.well-known/svc-keys.json`). Separated by spaces.',
  ],
].map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}));

const SENT_TYPES: readonly string[] = [...WEBHOOK_EVENT_TYPES, WEBHOOK_VERIFICATION_TYPE];

/** Every message that the service sends to a webhook endpoint, by its record. */
export function webhookDocuments(): Json {
  const families = new Set(SENT_TYPES.map((type) => type.slice(0, type.indexOf('.'))));
  return Object.fromEntries([...families].map((family) => [family, { post: message(family) }]));
}

function message(family: string): Json {
  const types = SENT_TYPES.filter((type) => type.startsWith(`${family}.`));
  const isVerification = types.includes(WEBHOOK_VERIFICATION_TYPE);
  return {
    operationId: `on${pascalCase(family)}`,
    summary: isVerification ? 'Prove that the endpoint is yours' : `Sent for ${types.join(', ')}`,
    description: isVerification
      ? 'Sent when an endpoint is verified; it wants no subscription.'
      : 'Read the record again before you act on it.',
    tags: ['Webhooks'],
    security: [],
    parameters: SIGNATURE_HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema: body(family, types) } } },
    responses: {
      '2XX': {
        description: isVerification
          ? 'The challenge as the body, or a JSON object with it as `challenge`.'
          : 'Received. Anything else is tried again for about three days.',
      },
      '410': { description: 'The endpoint is disabled and gets no more messages.' },
    },
  };
}

function body(family: string, types: readonly string[]): TSchema {
  return Type.Object(
    {
      id: Type.String({ description: 'The event; the polled one has the same id.' }),
      type: schema.oneOf(types, 'What happened.'),
      timestamp: schema.time('When it happened.'),
      sequence: Type.Optional(
        Type.Integer({ description: 'The number of the polled event, where there is one.' }),
      ),
      data: Type.Object(DATA[family] ?? {}, { description: 'The record that the type speaks of.' }),
    },
    { title: `${pascalCase(family)}Webhook`, description: 'The signed body of the message.' },
  );
}
