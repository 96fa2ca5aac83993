import { stellar } from '../../texts/wallet/stellar.ts';
import { useAction } from '../../ui/action.tsx';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/notes.tsx';
import { queries } from '../../ui/queries.ts';
import { guardVault } from '../lock/guard.ts';
import type { Payment } from '../payments/payment.ts';
import { configuredHorizon } from './key-store.ts';
import { generateTestKey } from './test-key.ts';
import { keepTestKey } from './test-key-store.ts';

const { faucet } = stellar.page;

/** Lumens of the test network: what the faucet gives is enough, and nothing else must be set up. */
export function canPayByTestKey({ facts }: Payment): boolean {
  return facts.network === 'stellar_testnet' && facts.asset === 'XLM' && !facts.issuer;
}

/** Key and play money in one step, where a payment waits for them. A key that got nothing is not kept. */
export function MakeTestKey() {
  const { isBusy, error, run } = useAction();
  const make = async () => {
    if (!(await guardVault('testKey'))) return;
    await run(async () => {
      const key = await generateTestKey();
      await (await configuredHorizon()).fund(key.address);
      await keepTestKey(key);
      for (const name of ['test-key', 'signer']) await queries.invalidateQueries({ queryKey: [name] });
    });
  };
  return (
    <div className="stack-tight">
      {error === undefined ? null : (
        <Note kind="bad">
          <strong>{faucet.failed}</strong>
          <span>{faucet.next}</span>
        </Note>
      )}
      <Button isBusy={isBusy} onClick={make}>
        {stellar.signer.make}
      </Button>
      <span className="soft" role="status">
        {isBusy ? faucet.asking : ''}
      </span>
    </div>
  );
}
