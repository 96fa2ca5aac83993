import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { stellar } from '../../texts/wallet/stellar.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton, ShownOnce } from '../../ui/copy-button.tsx';
import { ConfirmButton } from '../../ui/dialogs.tsx';
import { Address, Facts } from '../../ui/facts.tsx';
import { TextField } from '../../ui/fields.tsx';
import { EmptyState, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { configuredHorizon, keepTestKey, readTestKey, removeTestKey } from './key-store.ts';
import { exportTestKey, generateTestKey, importTestKey, type TestKey } from './test-key.ts';

const texts = stellar.page;
const KEY_QUERY = ['test-key'];

export function TestKeyPage() {
  const query = useQuery({ queryKey: KEY_QUERY, queryFn: async () => (await readTestKey()) ?? null });
  return (
    <Page title={texts.title}>
      <p className="soft">{texts.lead}</p>
      <QueryView query={query}>{(key) => (key === null ? <NoKey /> : <KeyCard testKey={key} />)}</QueryView>
    </Page>
  );
}

function useKeep(): (key: TestKey) => Promise<void> {
  const cache = useQueryClient();
  return async (key) => {
    await keepTestKey(key);
    await cache.invalidateQueries({ queryKey: KEY_QUERY });
  };
}

function NoKey() {
  const keep = useKeep();
  const [seed, setSeed] = useState('');
  const [isRefused, setRefused] = useState(false);
  const take = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await keep(await importTestKey(seed));
    } catch {
      setRefused(true);
    }
  };
  return (
    <div className="stack">
      <EmptyState
        title={texts.none.title}
        action={
          <Button kind="main" onClick={async () => keep(await generateTestKey())}>
            {texts.none.create}
          </Button>
        }
      >
        {texts.none.text}
      </EmptyState>
      <form className="card stack" onSubmit={take}>
        <TextField
          label={texts.none.importLabel}
          hint={texts.none.importHint}
          error={isRefused ? texts.none.notASeed : undefined}
          type="password"
          value={seed}
          onChange={(event) => setSeed(event.target.value)}
        />
        <div>
          <Button type="submit">{texts.none.importAction}</Button>
        </div>
      </form>
    </div>
  );
}

function KeyCard({ testKey }: { testKey: TestKey }) {
  const cache = useQueryClient();
  const [seed, setSeed] = useState<string>();
  const remove = async () => {
    await removeTestKey();
    await cache.invalidateQueries({ queryKey: KEY_QUERY });
  };
  return (
    <div className="card stack">
      <Facts
        facts={[
          [texts.address, <Address key="address">{testKey.address}</Address>],
          [texts.balance, <Balance key="balance" address={testKey.address} />],
        ]}
      />
      <div className="row">
        <CopyButton value={testKey.address} name={texts.address} />
        <ConfirmButton
          kind="plain"
          label={texts.reveal.label}
          title={texts.reveal.title}
          confirmLabel={texts.reveal.confirm}
          run={async () => setSeed(await exportTestKey(testKey))}
        >
          {texts.reveal.text}
        </ConfirmButton>
        <ConfirmButton
          label={texts.remove.label}
          title={texts.remove.title}
          confirmLabel={texts.remove.confirm}
          run={remove}
        >
          {texts.remove.text}
        </ConfirmButton>
      </div>
      {seed === undefined ? null : <ShownOnce value={seed} name={texts.reveal.name} />}
    </div>
  );
}

function Balance({ address }: { address: string }) {
  const cache = useQueryClient();
  const queryKey = ['test-balance', address];
  const query = useQuery({
    queryKey,
    queryFn: async () => (await (await configuredHorizon()).account(address)) ?? null,
  });
  const fund = async () => {
    await (await configuredHorizon()).fund(address).catch(() => undefined);
    await cache.invalidateQueries({ queryKey });
  };
  if (query.isError) return <Note kind="warn">{texts.balances.unreachable}</Note>;
  if (query.data === undefined) return <span className="soft">{texts.balances.looking}</span>;
  if (query.data === null)
    return (
      <span className="stack-tight">
        <span>{texts.balances.unfunded}</span>
        <span>
          <Button onClick={fund}>{texts.fund}</Button>
        </span>
      </span>
    );
  return query.data.balances.map(({ balance, asset, issuer }) => (
    <div key={`${asset}/${issuer}`}>
      {balance} {asset}
    </div>
  ));
}
