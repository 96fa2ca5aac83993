import { NAME_NOT_SHOWN, shownName } from '@payassent/protocol';
import type { PaymentRequest } from '../contract.ts';
import { standing } from '../outcome.ts';
import { NAMES_ARE_DATA, NEXT_STEPS, OUTCOMES } from './texts.ts';

/** The result of a tool, as MCP defines it: a sentence, and the same content for programs. */
export interface ToolResult {
  /** One sentence for the model. */
  content: [{ type: 'text'; text: string }];
  /** What `outputSchema` of the tool describes. */
  structuredContent: Record<string, unknown>;
  /** Present when the call was rejected or failed. */
  isError?: true;
}

/** Members of a request that a model needs, and no more. */
export function paymentSummary(request: PaymentRequest, nowMs: number): Record<string, unknown> {
  const { payment, payee, reason, settlement, risk } = request;
  return {
    outcome: standing(request, nowMs),
    request_id: request.request_id,
    status: request.status,
    payment: { amount: payment.amount, asset: payment.asset, network: payment.network, to: payment.to },
    payee: {
      name: payee.name,
      domain: payee.domain,
      verified: payee.verified,
      recipient_id: payee.recipient_id,
    },
    review_url: request.review_url ?? null,
    created_at: request.created_at,
    expires_at: request.expires_at,
    settlement: settlement ?? null,
    ...(reason ? { reason } : {}),
    ...(request.tx_hash ? { tx_hash: request.tx_hash } : {}),
    ...(risk ? { risk } : {}),
  };
}

/** The result about one request. `note` adds what the model could not expect. */
export function paymentResult(request: PaymentRequest, nowMs: number, note?: string): ToolResult {
  const members = paymentSummary(request, nowMs);
  const outcome = standing(request, nowMs);
  const { amount, asset } = request.payment;
  const facts = [
    `${amount} ${asset} to ${quotedName(request.payee.name)}`,
    request.request_id,
    members['review_url'],
  ];
  const words = [OUTCOMES[outcome], settlementText(request), note];
  return withNames(
    result(
      { ...members, ...(note === undefined ? {} : { note }) },
      `${facts.filter(Boolean).join(', ')}: ${joined(words)}`,
      NEXT_STEPS[outcome],
    ),
  );
}

/** `confirmed` is the wallet's report; the network may contradict it. */
function settlementText(request: PaymentRequest): string | undefined {
  const { settlement, status } = request;
  return settlement && status === 'confirmed' ? `On the network it is ${settlement.state}.` : undefined;
}

/** A successful result. The text repeats the members in one sentence. */
export function result(members: Record<string, unknown>, text: string, nextStep: string): ToolResult {
  return {
    content: [{ type: 'text', text: `${joined([text, nextStep])}.` }],
    structuredContent: { ...members, next_step: nextStep },
  };
}

/** A rejected call: its code and the recovery. */
export function failure(code: string, message: string, recovery: string, more: object = {}): ToolResult {
  return {
    content: [{ type: 'text', text: `Error ${code}: ${joined([message, recovery])}.` }],
    structuredContent: { error: { code, message, recovery, ...more }, next_step: recovery },
    isError: true,
  };
}

const LONGEST_NAME = 80;

/**
 * The name of a merchant or payee in a text for models. A name that makes a claim reserved to PayAssent is left out.
 */
export function quotedName(name: string): string {
  const shown = shownName(name);
  return shown === undefined ? NAME_NOT_SHOWN : quoted(shown);
}

/** A third party's words in a text for models: they must not read as part of our sentence. */
export function quoted(text: string): string {
  const characters = [...text];
  const isLong = characters.length > LONGEST_NAME;
  return JSON.stringify(isLong ? `${characters.slice(0, LONGEST_NAME - 1).join('')}…` : text);
}

/** A result whose text shows names. */
export function withNames(shown: ToolResult): ToolResult {
  const [{ text }] = shown.content;
  return { ...shown, content: [{ type: 'text', text: `${NAMES_ARE_DATA} ${text}` }] };
}

/** Several sentences as one. */
function joined(sentences: readonly (string | undefined)[]): string {
  return sentences
    .filter((sentence) => sentence !== undefined && sentence !== '')
    .map((sentence) => sentence?.replace(/\.$/, ''))
    .join('; ');
}
