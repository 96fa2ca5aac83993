import { addDecimals, checkStellarAddress } from '@payassent/protocol';
import {
  amountOf,
  type JsonObject,
  listOf,
  must,
  parseAnswer,
  partsOf,
  textOf,
  timeOf,
  wholeOf,
} from './answer.ts';
import type { ChainFetch, ChainSource, ChainTip, ObservedPayment, PinnedPayment } from './chain.ts';
import { memoOfBytes, memoOfText } from './compare.ts';

const DECIMALS = 7;
const HASH = /^[0-9a-f]{64}$/;
const PAGE = 200;
/** A hundred operations that each cross many offers have more effects than one page holds, but not more than these. */
const MAX_PAGES = 20;

type Get = (
  path: string,
  query: Record<string, string>,
  signal: AbortSignal,
) => Promise<JsonObject | undefined>;

/**
 * Horizon. Credits to an account are read from the effects, which have the same form for a payment, a path payment, a
 * merge, a claim and a contract's transfer. Everything that Horizon shows is in a closed ledger, and those are never
 * undone.
 */
export function horizonSource(url: string, fetch: ChainFetch): ChainSource {
  const get = createGet(url, fetch);
  return {
    tip: (signal) => readTip(get, signal),
    async lookUp(hash, pinned, signal) {
      const { height } = await readTip(get, signal);
      const told = HASH.test(hash) ? await get(`/transactions/${hash}`, {}, signal) : undefined;
      if (told === undefined) return { present: false, height };
      must(hashesOf(told).includes(hash), 'another transaction');
      must(typeof told.successful === 'boolean', 'neither successful nor failed');
      const block = wholeOf(told.ledger);
      const ledger = await get(`/ledgers/${block}`, {}, signal);
      must(ledger !== undefined && ledger.sequence === block, 'another ledger');
      const effects = told.successful ? await readEffects(get, hash, signal) : [];
      const transaction = {
        tx_hash: nameOf(told, hash),
        block,
        block_hash: textOf(ledger.hash, HASH),
        time: timeOf(ledger.closed_at),
        confirmations: Math.max(height - block, 0) + 1,
        payments: effects.flatMap(paymentOf),
        memo: memoOf(told),
      };
      return {
        present: true,
        height: Math.max(height, block),
        final: true,
        failed: !told.successful,
        transaction,
        debited: debitedBy(effects, pinned),
      };
    },
  };
}

function createGet(url: string, fetch: ChainFetch): Get {
  return async (path, query, signal) => {
    const address = new URL(url);
    address.pathname = address.pathname.replace(/\/$/, '') + path;
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    const headers = { accept: 'application/json' };
    const { status, body } = await fetch({ url: address.href, method: 'GET', headers }, signal);
    const answer = partsOf(parseAnswer(body));
    // Any server may return 404 for an unknown path; only Horizon has this form.
    if (status === 404 && answer.status === 404) return undefined;
    must(status === 200, 'another status');
    return answer;
  };
}

async function readTip(get: Get, signal: AbortSignal): Promise<ChainTip> {
  const [newest] = recordsOf(await get('/ledgers', { order: 'desc', limit: '1' }, signal));
  must(newest !== undefined, 'no ledger');
  return { height: wholeOf(newest.sequence), time: timeOf(newest.closed_at) };
}

function recordsOf(page: JsonObject | undefined): readonly JsonObject[] {
  return listOf(partsOf(partsOf(page)._embedded).records).map(partsOf);
}

/** A fee bump has its own hash and that of the transaction it pays for; both identify it. */
function hashesOf(told: JsonObject): unknown[] {
  const wrapped = [told.fee_bump_transaction, told.inner_transaction].filter((part) => part !== undefined);
  return [told.hash, ...wrapped.map((part) => partsOf(part).hash)];
}

/** Whichever of its hashes was requested, one identifies it: that of the fee bump. */
function nameOf({ fee_bump_transaction: bump }: JsonObject, hash: string): string {
  return bump === undefined ? hash : textOf(partsOf(bump).hash, HASH);
}

async function readEffects(get: Get, hash: string, signal: AbortSignal): Promise<JsonObject[]> {
  const effects: JsonObject[] = [];
  let cursor = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { order: 'asc', limit: String(PAGE), ...(cursor === '' ? {} : { cursor }) };
    const records = recordsOf(await get(`/transactions/${hash}/effects`, query, signal));
    effects.push(...records);
    if (records.length < PAGE) return effects;
    cursor = textOf(records.at(-1)?.paging_token, /^[\d-]{1,60}$/);
  }
  throw new Error('more effects than a transaction can have');
}

/** A muxed address shares the balance of its account, so a debit of the account is its debit too. */
function debitedBy(effects: readonly JsonObject[], { to, asset, issuer }: PinnedPayment): string {
  const accounts = new Set(
    effects
      .filter(({ account, account_muxed }) => (account_muxed ?? account) === to)
      .map((part) => part.account),
  );
  return effects
    .filter(({ type, account }) => type === 'account_debited' && accounts.has(account))
    .map((effect) => ({ ...assetOf(effect), amount: amountOf(effect.amount, DECIMALS) }))
    .filter((debit) => debit.asset === asset && (debit.issuer ?? null) === (issuer || null))
    .map(({ amount }) => amount)
    .reduce(addDecimals, '0');
}

function assetOf(effect: JsonObject): { asset: string; issuer?: string } {
  if (effect.type === 'account_created' || effect.asset_type === 'native') return { asset: 'XLM' };
  const issuer = checkStellarAddress(textOf(effect.asset_issuer, /^G/));
  must(issuer.ok, 'no issuer');
  return { asset: textOf(effect.asset_code, /^[A-Za-z0-9]{1,12}$/), issuer: issuer.address };
}

function paymentOf(effect: JsonObject): ObservedPayment[] {
  if (effect.type !== 'account_credited' && effect.type !== 'account_created') return [];
  // A muxed address identifies the payee; the account alone does not.
  const address = checkStellarAddress(textOf(effect.account_muxed ?? effect.account, /^[GM]/));
  must(address.ok, 'no address');
  const isNew = effect.type === 'account_created';
  const amount = amountOf(isNew ? effect.starting_balance : effect.amount, DECIMALS);
  return [{ to: address.address, amount, ...assetOf(effect) }];
}

/** Only text is pinned here; other kinds are spelled so that no text reads like them. */
function memoOf({ memo_type: type, memo, memo_bytes: bytes }: JsonObject): string | null {
  if (type === 'none') return null;
  if (type === 'id') return `id:${textOf(memo, /^\d{1,20}$/)}`;
  if (type === 'hash' || type === 'return') {
    const hash = Buffer.from(textOf(memo, /^[A-Za-z0-9+/]{43}=$/), 'base64').toString('hex');
    return `${type}:${hash}`;
  }
  must(type === 'text', 'a memo of an unknown kind');
  // Horizon omits empty text, and replaces what is not UTF-8.
  if (bytes !== undefined) return memoOfBytes(Buffer.from(textOf(bytes, /^[A-Za-z0-9+/=]*$/), 'base64'));
  return memoOfText(memo === undefined ? '' : textOf(memo, /^/));
}
