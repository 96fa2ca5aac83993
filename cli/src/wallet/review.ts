import { exceedsNetworkMaximum } from '@payassent/protocol';
import { isLogDomain } from '@payassent/protocol/evidence';
import {
  type Connection,
  hasPinnedFacts,
  type PaymentRequest,
  type TransactionContext,
} from '@payassent/sdk';
import { listing, type Paint, partyName, plain, shortName } from '../output.ts';
import { type Checked, dangerText } from './danger.ts';
import type { ApprovalGuards } from './decider.ts';
import type { Simulation } from './simulation.ts';

/**
 * What a wallet shows before the customer decides: the pinned details first, and apart from them, marked as such, the
 * agent's words. Nothing that the agent wrote can pass for a pinned detail.
 */
export function renderReview({ request, context, connection, checked }: Reviewed, paint: Paint): string {
  return [
    paint.bold(isOwnId(request) ? `Payment request ${request.request_id}` : 'Payment request'),
    ...dangerText(checked, paint),
    listing([...factsOf(request, paint), ...renamedOf(connection, paint)], '  ', paint.columns),
    '',
    paint.dim("  The agent's own words (not verified):"),
    wordsOf(request, context, paint),
  ].join('\n');
}

export interface Reviewed {
  request: PaymentRequest;
  context: TransactionContext | undefined;
  connection: Connection | undefined;
  checked: Checked;
}

/** An id that the agent chose is one of its words: it could read like anything. */
function isOwnId({ request_id: id }: PaymentRequest): boolean {
  return /^pr_[0-9A-Z]{26}$/.test(id);
}

/** The final question. It repeats what is paid to whom, from the pinned details alone. */
export function questionOf(payment: Paid, payee: Readonly<Record<string, unknown>>): string {
  const { name, domain } = payee;
  const isVerified = hasVerifiedDomain(payee);
  const to =
    typeof name === 'string'
      ? `${shortName(partyName(name))} (${isVerified ? shortName(String(domain)) : 'NOT verified'})`
      : `${shortName(payment.to)} (a bare address)`;
  return `Pay ${payment.amount} ${shortName(payment.asset)} to ${to}?`;
}

type Paid = Pick<PaymentRequest['payment'], 'amount' | 'asset' | 'to'>;

function factsOf(request: PaymentRequest, paint: Paint): [string, string | undefined][] {
  const { payment, payee, source } = request;
  return [
    ['Pay', paint.bold(`${payment.amount} ${plain(payment.asset)}`)],
    ['On', plain(payment.network)],
    ['To', plain(payment.to)],
    [memoLabel(payment), payment.memo === undefined ? undefined : plain(payment.memo)],
    ['Contract', payment.contract === undefined ? undefined : plain(payment.contract)],
    ['Issuer', payment.issuer === undefined ? undefined : plain(payment.issuer)],
    ...payeeLines({ ...payee }, paint),
    ['Requested by', typeof source['agent_name'] === 'string' ? partyName(source['agent_name']) : undefined],
    ['Expires', plain(request.expires_at)],
    ['Facts', factsLine(hasPinnedFacts(request), paint)],
    ...riskLines(request, paint),
  ];
}

/** 64 hex digits are no text that a person could type as a memo. */
export function memoLabel({ memo_type: type }: { memo_type?: 'hash' | undefined }): string {
  return type === 'hash' ? 'Memo (hash)' : 'Memo';
}

/** No payment can carry the amount, whatever anyone decides. */
function isTooMuch({ network, decimals, amount }: Amount): boolean {
  return exceedsNetworkMaximum(network, decimals ?? 0, amount);
}

/**
 * What prevents the approval of a payment, or requires a second act. Where no person reviews it, an unchecked payment
 * counts as dangerous.
 */
export function guardsOf(
  { manner, approvesDangerous }: Pick<Simulation, 'manner' | 'approvesDangerous'>,
  payment: Amount,
  payee: StatedPayee,
  { dangers, isMissing }: Checked,
): ApprovalGuards {
  const isRisky = dangers.length > 0 || (isMissing && manner === 'approve');
  return {
    canApprove: !isTooMuch(payment) && !isMisspelled(payee),
    typedAmount: isRisky && !approvesDangerous ? payment.amount : undefined,
  };
}

export function skippedText({ manner }: Pick<Simulation, 'manner'>, { dangers, isMissing }: Checked): string {
  return manner === 'approve' && (dangers.length > 0 || isMissing)
    ? 'Skipped: --approve alone pays nothing dangerous. Decide it with --ask, or add --approve-dangerous.'
    : 'Skipped.';
}

type Amount = Pick<PaymentRequest['payment'], 'network' | 'amount'> & { decimals?: number | null };

/** The service's findings from before the decision. */
function riskLines({ risk, payment }: PaymentRequest, paint: Paint): [string, string | undefined][] {
  const { possible_duplicate_of: same = [], acknowledged_duplicate_of: known } = risk ?? {};
  const ids = same.map(shortName).join(', ');
  return [
    [
      'Duplicate?',
      same.length > 0 ? paint.bad(`the same was requested in the last 24 hours: ${ids}`) : undefined,
    ],
    [
      'On purpose',
      known === undefined ? undefined : `the agent wants a second payment after ${shortName(known)}`,
    ],
    [
      'Too much',
      isTooMuch(payment) ? paint.bad('the network cannot carry this amount: no approval') : undefined,
    ],
  ];
}

export function factsLine(holds: boolean, paint: Paint): string {
  return holds
    ? paint.good('are the pinned ones (digest computed here)')
    : paint.bad('DIFFER from the pinned ones: do not pay');
}

type StatedPayee = Readonly<Record<string, unknown>>;

/** Called verified under a domain that is not written as the log has it. */
function isMisspelled({ verified, domain }: StatedPayee): boolean {
  return verified === true && !isLogDomain(String(domain));
}

function hasVerifiedDomain(payee: StatedPayee): boolean {
  return payee['verified'] === true && !isMisspelled(payee);
}

/** Who is paid, what was proved of it, since when it is so, and whether it still is. */
export function payeeLines(
  payee: Readonly<Record<string, unknown>>,
  paint: Paint,
): [string, string | undefined][] {
  const text = (name: string) => (typeof payee[name] === 'string' ? plain(payee[name]) : '');
  const isVerified = hasVerifiedDomain(payee);
  return [
    ['Payee', `${partyName(text('name'))}, ${isVerified ? 'verified' : 'not verified'}: ${text('domain')}`],
    ['Proof', isVerified ? PROOFS[payee['binding'] === 'payee' ? 'payee' : 'domain'] : undefined],
    ['Payee changed', text('activated_at') ? ago(text('activated_at'), new Date()) : undefined],
    ['Beware', payee['is_current'] === false ? paint.bad(NOT_CURRENT) : undefined],
    ['Spelling', isMisspelled(payee) ? paint.bad(MISSPELLED) : undefined],
  ];
}

const PROOFS = {
  payee: "payee address proved in the domain's own record",
  domain: "only the domain was proved: the address is the merchant's statement",
};
const MISSPELLED = 'its owner would not find this payee in the transparency log: no approval';
const NOT_CURRENT = 'the merchant replaced or archived this payee, or lost its domain';

/** A party that was renamed after the customer consented is shown with the name that the customer knows. */
function renamedOf(connection: Connection | undefined, paint: Paint): [string, string | undefined][] {
  const renamed = (party: { name: string; former_name?: string } | undefined) =>
    party?.former_name === undefined
      ? undefined
      : paint.bad(
          `you know it as ${partyName(party.former_name)}; now it is called ${partyName(party.name)}`,
        );
  return [
    ['Agent renamed', renamed(connection?.agent)],
    ['Merchant renamed', renamed(connection?.merchant)],
  ];
}

/** Members that the service writes itself. */
const SERVICE_MEMBERS = ['transaction_id', 'revision', 'created_at', 'connection_id'];
const SOURCE_MEMBERS = ['agent_id', 'agent_name', 'merchant_name'];

function wordsOf(request: PaymentRequest, context: TransactionContext | undefined, paint: Paint): string {
  // Words that no one could have read when the request was made.
  const isLater = context !== undefined && request.transaction_context?.revision === null;
  const words: [string, string][] = [
    ...(isOwnId(request) ? [] : [['request id', plain(request.request_id)] as [string, string]]),
    ...(isLater ? [['Added after the request', plain(context.created_at)] as [string, string]] : []),
    ...members(context && { ...context }, SERVICE_MEMBERS),
    ...members(request.display, []),
    ...members(request.metadata, []),
    ...members(request.source, SOURCE_MEMBERS),
  ];
  return wordLines(words, paint);
}

const GUTTER = '    | ';

/**
 * Each line has the gutter, also where a word is longer than the terminal: no part of it can appear among the pinned
 * details.
 */
export function wordLines(words: readonly [string, string][], paint: Paint): string {
  return words.length > 0 ? listing(words, GUTTER, paint.columns) : `${GUTTER}(none)`;
}

export function members(
  object: Record<string, unknown> | undefined,
  without: readonly string[],
): [string, string][] {
  return Object.entries(object ?? {})
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => [plain(name), plain(typeof value === 'string' ? value : JSON.stringify(value))]);
}

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];
const WORDS = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** How long ago, in its largest whole unit: “2 hours ago”. */
function ago(moment: string, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - new Date(moment).getTime()) / 1000);
  const [unit, length] = STEPS.find(([, step]) => seconds >= step) ?? ['second', 1];
  return WORDS.format(-Math.floor(seconds / length), unit);
}
