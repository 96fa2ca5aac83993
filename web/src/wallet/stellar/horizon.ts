/** The wallet's calls to a Horizon server, the only host besides the service that the page calls. */
export interface Horizon {
  /** The account's last sequence number and its balances, or nothing when the account does not exist. */
  account(address: string): Promise<HorizonAccount | undefined>;
  /** Sends a signed transaction. Sending the same one again is safe: the network knows it by its hash. */
  submit(envelope: string): Promise<void>;
  /** Whether the network has it: applied, failed, or not seen yet. */
  transaction(txHash: string): Promise<'applied' | 'failed' | 'unknown'>;
  /** Requests lumens from the test network's faucet. */
  fund(address: string): Promise<void>;
}

export interface HorizonAccount {
  sequence: bigint;
  balances: readonly HorizonBalance[];
}

interface HorizonBalance {
  asset: string;
  issuer: string | null;
  balance: string;
}

/** No response: nothing is known about what was sent, and the same thing may be sent again. */
export class HorizonUnreachableError extends Error {}

/** The network processed the transaction and rejected it, temporarily or for good: the codes distinguish the two. */
export class HorizonRefusedError extends Error {
  readonly codes: readonly string[];

  constructor(codes: readonly string[]) {
    super(`The network refused the transaction: ${codes.join(', ') || 'no reason given'}.`);
    this.codes = codes;
  }
}

const PATIENCE_MS = 15_000;

export function createHorizon(baseUrl: string): Horizon {
  const base = baseUrl.replace(/\/+$/, '');
  const ask = async (path: string, init?: RequestInit): Promise<{ status: number; body: unknown }> => {
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const answer = await fetch(`${base}${path}`, { ...init, signal, credentials: 'omit' });
      return { status: answer.status, body: await answer.json().catch(() => undefined) };
    } catch {
      throw new HorizonUnreachableError(`${new URL(base).host} did not answer.`);
    }
  };
  return {
    async account(address) {
      const { status, body } = await ask(`/accounts/${encodeURIComponent(address)}`);
      if (status === 404) return undefined;
      if (status !== 200) throw new HorizonUnreachableError(`${new URL(base).host} answered ${status}.`);
      return readAccount(body);
    },
    async submit(envelope) {
      const form = new URLSearchParams({ tx: envelope });
      const { status, body } = await ask('/transactions', { method: 'POST', body: form });
      if (status === 200) return;
      if (status === 400) throw new HorizonRefusedError(resultCodes(body));
      throw new HorizonUnreachableError(`${new URL(base).host} answered ${status}.`);
    },
    async transaction(txHash) {
      const { status, body } = await ask(`/transactions/${encodeURIComponent(txHash)}`);
      if (status === 404) return 'unknown';
      if (status !== 200) throw new HorizonUnreachableError(`${new URL(base).host} answered ${status}.`);
      return (body as { successful?: unknown } | undefined)?.successful === false ? 'failed' : 'applied';
    },
    async fund(address) {
      const { status } = await ask(`/friendbot?addr=${encodeURIComponent(address)}`);
      if (status !== 200)
        throw new HorizonUnreachableError(`The faucet of the test network answered ${status}.`);
    },
  };
}

function readAccount(body: unknown): HorizonAccount {
  const { sequence, balances } = (body ?? {}) as { sequence?: unknown; balances?: unknown };
  if (typeof sequence !== 'string' || !/^\d{1,19}$/.test(sequence) || !Array.isArray(balances))
    throw new HorizonUnreachableError('The answer is not that of a Horizon server.');
  return {
    sequence: BigInt(sequence),
    balances: balances.flatMap((entry: Record<string, unknown>): HorizonBalance[] => {
      const { asset_type, asset_code, asset_issuer, balance } = entry;
      if (typeof balance !== 'string') return [];
      if (asset_type === 'native') return [{ asset: 'XLM', issuer: null, balance }];
      if (typeof asset_code !== 'string' || typeof asset_issuer !== 'string') return [];
      return [{ asset: asset_code, issuer: asset_issuer, balance }];
    }),
  };
}

function resultCodes(body: unknown): string[] {
  const codes = (
    body as { extras?: { result_codes?: { transaction?: unknown; operations?: unknown } } } | undefined
  )?.extras?.result_codes;
  const operations = Array.isArray(codes?.operations) ? codes.operations : [];
  return [codes?.transaction, ...operations].filter((code): code is string => typeof code === 'string');
}
