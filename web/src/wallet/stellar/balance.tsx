import { queryOptions, useQuery } from '@tanstack/react-query';
import { common } from '../../texts/common.ts';
import { stellar } from '../../texts/wallet/stellar.ts';
import { useAction } from '../../ui/action.tsx';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/notes.tsx';
import { refresh } from '../../ui/queries.ts';
import { configuredHorizon } from './key-store.ts';

const { balances, faucet } = stellar.page;

/** Null where the network knows no such account. */
export function accountQuery(address: string) {
  return queryOptions({
    queryKey: ['test-balance', address],
    queryFn: async () => (await (await configuredHorizon()).account(address)) ?? null,
  });
}

/** The account's balance on the network; it is optional for everything else. */
export function Balance({ address }: { address: string }) {
  const query = useQuery(accountQuery(address));
  if (query.isError)
    return (
      <Note kind="warn">
        <span>{balances.unreachable}</span>
        <span>
          <Button isBusy={query.isFetching} onClick={() => query.refetch()}>
            {common.tryAgain}
          </Button>
        </span>
      </Note>
    );
  if (query.data === undefined) return <span className="soft">{balances.looking}</span>;
  if (query.data === null) return <Unfunded address={address} />;
  return query.data.balances.map(({ balance, asset, issuer }) => (
    <div key={`${asset}/${issuer}`}>
      {balance} {asset}
    </div>
  ));
}

function Unfunded({ address }: { address: string }) {
  const { isBusy, error, run } = useAction();
  const fund = () =>
    run(async () => {
      await (await configuredHorizon()).fund(address);
      await refresh('test-balance');
    });
  return (
    <div className="stack-tight">
      <span>{balances.unfunded}</span>
      {error === undefined ? null : (
        <Note kind="bad">
          <strong>{faucet.failed}</strong>
          <span>{faucet.next}</span>
          {error instanceof Error ? <span className="soft">{error.message}</span> : null}
        </Note>
      )}
      <span>
        <Button isBusy={isBusy} onClick={fund}>
          {faucet.action}
        </Button>
      </span>
      <span className="soft" role="status">
        {isBusy ? faucet.asking : ''}
      </span>
    </div>
  );
}
