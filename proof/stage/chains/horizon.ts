import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Asset,
  extractBaseAddress,
  FeeBumpTransaction,
  MemoHash,
  MemoReturn,
  MemoText,
  Networks,
  type Operation,
  type Transaction,
  TransactionBuilder,
} from '@stellar/stellar-base';

export const PASSPHRASE = Networks.TESTNET;

export interface Horizon {
  url: string;
  /** Closes a ledger with one transaction, given as its envelope; returns its hash. */
  submit(envelope: string, fate?: { fails?: boolean; received?: string }): string;
  closeLedgers(count: number): void;
  /** Deletes what the network never deletes, as one that lags behind by a ledger. */
  hide(hash: string, isHidden: boolean): void;
  close(): Promise<void>;
}

const NATIVE = Asset.native();

type Json = Record<string, unknown>;

/**
 * A stand-in for Horizon over a network of one: it parses real envelopes with Stellar's library and serves
 * transactions, effects and ledgers in Horizon's format. The test determines the amounts of conversions.
 */
export async function startHorizon(): Promise<Horizon> {
  const transactions = new Map<string, Json>();
  const effects = new Map<string, Json[]>();
  const hidden = new Set<string>();
  let sequence = 1000;

  const ledger = (number: number): Json => ({
    sequence: number,
    hash: createHash('sha256').update(`ledger ${number}`).digest('hex'),
    closed_at: new Date(Date.UTC(2026, 0, 1) + number * 5000).toISOString().replace('.000', ''),
  });
  const page = (records: Json[]): Json => ({ _embedded: { records } });
  const answer = (path: string, query: URLSearchParams): Json | undefined => {
    const [, kind, id = '', part] = path.split('/');
    if (kind === 'ledgers' && id === '') return page([ledger(sequence)]);
    if (kind === 'ledgers') return Number(id) <= sequence ? ledger(Number(id)) : undefined;
    if (kind !== 'transactions' || hidden.has(id)) return undefined;
    const found = transactions.get(id);
    if (part !== 'effects' || !found) return part === undefined ? found : undefined;
    const all = effects.get(id) ?? [];
    const start = all.findIndex(({ paging_token: token }) => token === query.get('cursor')) + 1;
    return page(all.slice(start, start + Number(query.get('limit') ?? 10)));
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://horizon');
    const found = answer(pathname, searchParams);
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/hal+json; charset=utf-8' });
    response.end(JSON.stringify(found ?? NOT_FOUND));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    submit(envelope, { fails = false, received } = {}) {
      sequence += 1;
      const parsed = TransactionBuilder.fromXDR(envelope, PASSPHRASE);
      const inner = parsed instanceof FeeBumpTransaction ? parsed.innerTransaction : parsed;
      const told = { ...memoOf(inner), successful: !fails, ledger: sequence, ...feeBumpOf(parsed) };
      const done = fails
        ? []
        : inner.operations.flatMap((operation) => effectsOf(inner, operation, received));
      const numbered = done.map((effect, n) => ({ ...effect, paging_token: `${sequence}0000-${n + 1}` }));
      for (const hash of new Set([hashOf(parsed), hashOf(inner)])) {
        transactions.set(hash, { ...told, id: hash, hash });
        effects.set(hash, numbered);
      }
      return hashOf(parsed);
    },
    closeLedgers(count) {
      sequence += count;
    },
    hide: (hash, isHidden) => void (isHidden ? hidden.add(hash) : hidden.delete(hash)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const NOT_FOUND = {
  type: 'https://stellar.org/horizon-errors/not_found',
  title: 'Resource Missing',
  status: 404,
};

export const hashOf = (transaction: Transaction | FeeBumpTransaction): string =>
  transaction.hash().toString('hex');

function feeBumpOf(transaction: Transaction | FeeBumpTransaction): Json {
  if (!(transaction instanceof FeeBumpTransaction)) return {};
  return {
    fee_bump_transaction: { hash: hashOf(transaction) },
    inner_transaction: { hash: hashOf(transaction.innerTransaction) },
  };
}

function memoOf({ memo }: Transaction): Json {
  const { type, value } = memo;
  if (value === null || value === undefined) return { memo_type: type };
  if (type === MemoHash || type === MemoReturn)
    return { memo_type: type, memo: Buffer.from(value).toString('base64') };
  if (type !== MemoText) return { memo_type: type, memo: String(value) };
  const bytes = Buffer.from(value);
  return { memo_type: type, memo: bytes.toString('utf8'), memo_bytes: bytes.toString('base64') };
}

const assetOf = (asset: Asset): Json =>
  asset.isNative()
    ? { asset_type: 'native' }
    : { asset_type: asset.getAssetType(), asset_code: asset.getCode(), asset_issuer: asset.getIssuer() };

const accountOf = (address: string): Json =>
  address.startsWith('M')
    ? { account: extractBaseAddress(address), account_muxed: address, account_muxed_id: '7' }
    : { account: address };

function effectsOf({ source }: Transaction, operation: Operation, received: string | undefined): Json[] {
  const moved = (
    to: string,
    asset: Asset,
    amount: string,
    paid: Asset = asset,
    spent: string = amount,
  ): Json[] => [
    { ...accountOf(to), type: 'account_credited', amount, ...assetOf(asset) },
    { ...accountOf(operation.source ?? source), type: 'account_debited', amount: spent, ...assetOf(paid) },
  ];
  switch (operation.type) {
    case 'payment':
      return moved(operation.destination, operation.asset, operation.amount);
    case 'createAccount':
      return [
        {
          account: operation.destination,
          type: 'account_created',
          starting_balance: operation.startingBalance,
        },
        { account: source, type: 'account_debited', amount: operation.startingBalance, asset_type: 'native' },
        { account: operation.destination, type: 'signer_created', weight: 1, key: operation.destination },
      ];
    case 'pathPaymentStrictReceive':
      return moved(
        operation.destination,
        operation.destAsset,
        operation.destAmount,
        operation.sendAsset,
        '0.1',
      );
    case 'pathPaymentStrictSend': {
      const { destination, destAsset, sendAsset, sendAmount } = operation;
      const trade = { account: source, type: 'trade', sold_amount: sendAmount, bought_amount: received };
      return [...moved(destination, destAsset, received ?? '0', sendAsset, sendAmount), trade];
    }
    case 'accountMerge':
      return moved(operation.destination, NATIVE, received ?? '0');
    default:
      return [];
  }
}
