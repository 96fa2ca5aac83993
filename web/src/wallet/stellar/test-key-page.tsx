import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { stellar } from '../../texts/wallet/stellar.ts';
import { useAction } from '../../ui/action.tsx';
import { ConfirmButton } from '../../ui/action-buttons.tsx';
import { Button, CopyButton, ShownOnce } from '../../ui/button.tsx';
import { Address, Facts } from '../../ui/facts.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { EmptyState, Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { queries } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { guard, guardVault } from '../lock/guard.ts';
import { Balance } from './balance.tsx';
import { exportTestKey, generateTestKey, importTestKey, NotASeedError, type TestKey } from './test-key.ts';
import {
  keepTestKey,
  openTestKey,
  readTestKey,
  removeTestKey,
  type StoredTestKey,
} from './test-key-store.ts';

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
  return async (key) => {
    if (!(await guardVault('testKey'))) return;
    await keepTestKey(key);
    await queries.invalidateQueries({ queryKey: KEY_QUERY });
  };
}

function NoKey() {
  const keep = useKeep();
  const making = useAction();
  const [seed, setSeed] = useState('');
  const [isNoSeed, setNoSeed] = useState(false);
  const take = async () => {
    setNoSeed(false);
    try {
      await keep(await importTestKey(seed));
    } catch (error) {
      if (!(error instanceof NotASeedError)) throw error;
      setNoSeed(true);
    }
  };
  return (
    <div className="stack">
      <EmptyState
        title={texts.none.title}
        action={
          <Button
            kind="main"
            isBusy={making.isBusy}
            onClick={() => making.run(async () => keep(await generateTestKey()))}
          >
            {texts.none.create}
          </Button>
        }
      >
        {texts.none.text}
      </EmptyState>
      {making.error === undefined ? null : <KeyFault />}
      <Form
        className="card stack"
        kind="usual"
        action={texts.none.importAction}
        run={take}
        problem={() => <KeyFault />}
      >
        <TextField
          label={texts.none.importLabel}
          hint={texts.none.importHint}
          error={isNoSeed ? texts.none.notASeed : undefined}
          type="password"
          value={seed}
          onValue={setSeed}
        />
      </Form>
    </div>
  );
}

/** An old browser does not know this kind of key, and a closed one does not keep it. */
function KeyFault() {
  return (
    <Note kind="bad">
      <strong>{texts.none.fault}</strong>
      <span>{texts.none.faultNext}</span>
    </Note>
  );
}

function KeyCard({ testKey }: { testKey: StoredTestKey }) {
  const [seed, setSeed] = useState<string>();
  const reveal = async () => {
    const key = (await guard('seed')) ? await openTestKey() : undefined;
    if (key !== undefined) setSeed(await exportTestKey(key));
  };
  const remove = async () => {
    await removeTestKey();
    await queries.invalidateQueries({ queryKey: KEY_QUERY });
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
        <ConfirmButton texts={texts.reveal} kind="plain" run={reveal} />
        <ConfirmButton texts={texts.remove} run={remove} />
      </div>
      {seed === undefined ? null : <ShownOnce value={seed} name={texts.reveal.name} />}
    </div>
  );
}
