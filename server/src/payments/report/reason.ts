import {
  allowAddresses,
  findForeignAddresses,
  findRiskyText,
  type Issue,
  mayShowAddress,
  SERVICE_REASONS,
} from '@payassent/protocol';

/** A wallet's reason for an end that it reports, on both surfaces. */
export interface StatedReason {
  status?: string;
  reason_code?: string;
  reason?: string;
}

const MEMBERS = ['reason_code', 'reason'] as const;

/** A reason is given for an end that the customer or the network chose, and for nothing else; merchants read it. */
export function reasonIssues(body: StatedReason): Issue[] {
  const isEnd = body.status === undefined || body.status === 'rejected' || body.status === 'failed';
  if (isEnd) return [...imitationIssues(body.reason_code), ...findRiskyText(body.reason, 'reason')];
  return MEMBERS.filter((field) => body[field] !== undefined).map((field) => ({
    field,
    code: 'unknown_field' as const,
    message: `${field} can only be sent with rejected and failed.`,
  }));
}

/** Otherwise a wallet could state in the service's name that the merchant, or the agent, ended a payment. */
function imitationIssues(code: string | undefined): Issue[] {
  if (code === undefined || !SERVICE_REASONS.includes(code)) return [];
  const message = `${code} is a reason that only the service gives; send another one, for example user_rejected.`;
  return [{ field: 'reason_code', code: 'invalid_format', message }];
}

/** Whether the payment has to be read before the reason can be judged: almost never. */
export function showsAddress(body: StatedReason): boolean {
  return MEMBERS.some((field) => mayShowAddress(body[field]));
}

/** Addresses other than those of the payment itself. */
export function foreignReasonIssues(
  body: StatedReason,
  facts: { to: string; issuer?: string | null | undefined; contract?: string | null | undefined },
): Issue[] {
  const texts = [facts.to, facts.issuer, facts.contract].filter((text) => typeof text === 'string');
  const own = allowAddresses(texts);
  return MEMBERS.flatMap((field) => findForeignAddresses(body[field], field, own));
}
