import { isNetwork, networkRow } from '@payassent/protocol';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { decisionKeys } from '../../texts/wallet/decision-keys.ts';
import { lock as texts } from '../../texts/wallet/lock.ts';
import { useAction } from '../../ui/action.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/fields.tsx';
import { showHidden } from '../../ui/hidden-characters.ts';
import { Note } from '../../ui/notes.tsx';
import { hasPasskeys, NoPasskeyError } from '../../ui/passkey.ts';
import { refresh } from '../../ui/queries.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { useDecisionKey } from '../decisions/queries.ts';
import { waitingQuery } from '../payments/gateway.ts';
import { useSession } from '../session/session.tsx';
import { paidPayees } from '../storage/paid-payees.ts';
import { changeLimits, choosePasskey, replaceLock } from './change-lock.ts';
import { guard } from './guard.ts';
import { PinField, UsedUp } from './lock-dialog.tsx';
import { isEasyPin, SHORTEST_PIN } from './pin.ts';
import { useLock } from './queries.ts';
import {
  type AssetLimit,
  assetOf,
  isSameAsset,
  isUsedUp,
  MOST_WRONG,
  type StoredLock,
} from './stored-lock.ts';

type Kind = StoredLock['kind'] | 'off';
type When = 'always' | 'above';

/** Whether this device verifies its customer, how, and above which amounts. */
export function LockCard() {
  const lock = useLock();
  return (
    <section className="card stack" aria-labelledby="lock-title">
      <h2 id="lock-title">{texts.title}</h2>
      <p>{texts.lead}</p>
      {lock === undefined ? null : lock !== null && isUsedUp(lock) ? <UsedUp /> : <LockForm lock={lock} />}
    </section>
  );
}

interface Typed {
  kind: Kind;
  when: When;
  pin: string;
  again: string;
  /** By the place in the list of assets. */
  amounts: Readonly<Record<string, string>>;
}

function LockForm({ lock }: { lock: StoredLock | null }) {
  const { device } = useSession();
  const held = useDecisionKey().data?.held;
  const assets = useAssets(lock);
  const [typed, setTyped] = useState(() => typedOf(lock));
  const [problem, setProblem] = useState<Problem>();
  const [isSaved, setSaved] = useState(false);
  const { isBusy, error, run } = useAction();
  const now = lock?.kind ?? 'off';
  const put = (change: Partial<Typed>) => {
    setTyped({ ...typed, ...change });
    setSaved(false);
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const limits = limitsOf(typed, assets);
    const found = problemOf(typed, now);
    setProblem(found);
    if (found !== undefined || isBusy || !(await guard('change'))) return;
    await run(async () => {
      const { kind, pin } = typed;
      if (kind === now && pin === '') await changeLimits(limits);
      else if (kind === 'passkey')
        await replaceLock({ kind, credentialId: await choosePasskey(held, device) }, limits);
      else await replaceLock({ kind, pin }, limits);
      await refresh('lock', 'test-key');
      setTyped({ ...typed, pin: '', again: '' });
      setSaved(true);
    });
  };
  const kinds = (['off', 'pin', 'passkey'] as const).filter(
    (kind) => kind !== 'passkey' || now === 'passkey' || hasPasskeys(),
  );
  return (
    <form className="stack" onSubmit={save} autoComplete="off" noValidate>
      <p data-fact="lock">{texts.now[now]}</p>
      <SelectField
        label={texts.kind}
        choices={kinds.map((value) => ({ value, label: texts.kinds[value] }))}
        value={typed.kind}
        onValue={(value) => put({ kind: value })}
      />
      {typed.kind === 'passkey' ? <p className="soft">{texts.passkey.explains}</p> : null}
      {typed.kind === 'pin' ? (
        <PinFields typed={typed} put={put} problem={problem} isKept={now === 'pin'} />
      ) : null}
      {typed.kind === 'off' ? null : <Amounts typed={typed} put={put} problem={problem} assets={assets} />}
      {error instanceof NoPasskeyError ? <Note kind="warn">{decisionKeys.usePasskey.refused}</Note> : null}
      {error === undefined || error instanceof NoPasskeyError ? null : <ErrorNote error={error} />}
      <div className="row">
        <Button type="submit" isBusy={isBusy}>
          {texts.save}
        </Button>
        <span role="status">{isSaved ? texts.saved : ''}</span>
      </div>
    </form>
  );
}

interface PartProps {
  typed: Typed;
  put(change: Partial<Typed>): void;
  problem: Problem | undefined;
}

function PinFields({ typed, put, problem, isKept }: PartProps & { isKept: boolean }) {
  return (
    <>
      {texts.pin.explains.map((sentence) => (
        <p className="soft" key={sentence}>
          {sentence}
        </p>
      ))}
      <Note kind="warn">{texts.pin.lost(MOST_WRONG)}</Note>
      <PinField
        label={texts.pin.fresh}
        hint={isKept ? texts.pin.keep : texts.pin.hint}
        error={problem?.at === 'pin' ? problem.text : undefined}
        value={typed.pin}
        onChange={(pin) => put({ pin })}
      />
      <PinField
        label={texts.pin.again}
        error={problem?.at === 'again' ? problem.text : undefined}
        value={typed.again}
        onChange={(again) => put({ again })}
      />
    </>
  );
}

type Asset = Omit<AssetLimit, 'above'>;

function Amounts({ typed, put, problem, assets }: PartProps & { assets: readonly Asset[] }) {
  return (
    <>
      <SelectField
        label={texts.when}
        choices={texts.whens}
        value={typed.when}
        onValue={(value) => put({ when: value })}
      />
      {typed.when === 'always'
        ? null
        : assets.map((asset) => (
            <TextField
              key={nameOf(asset)}
              label={labelOf(asset)}
              hint={texts.aboveHint}
              error={problem?.at === nameOf(asset) ? problem.text : undefined}
              inputMode="decimal"
              value={typed.amounts[nameOf(asset)] ?? ''}
              onValue={(amount) => put({ amounts: { ...typed.amounts, [nameOf(asset)]: amount.trim() } })}
            />
          ))}
    </>
  );
}

const LUMENS: Asset = { network: 'stellar_testnet', asset: 'XLM', origin: '' };
const MOST_ASSETS = 20;

/** Assets with a limit, of the key in this browser, and of payments and requests here. */
function useAssets(lock: StoredLock | null): Asset[] {
  const waiting = useQuery(waitingQuery(useSession().client)).data ?? [];
  const seen = [...paidPayees.read(), ...waiting].map(({ facts }) => assetOf(facts));
  return [...(lock?.limits ?? []), LUMENS, ...seen]
    .filter(({ network }) => isNetwork(network))
    .filter((asset, place, listed) => listed.findIndex((other) => isSameAsset(other, asset)) === place)
    .slice(0, MOST_ASSETS);
}

function nameOf({ network, asset, origin }: Asset): string {
  return JSON.stringify([network, asset, origin]);
}

function labelOf({ network, asset, origin }: Asset): string {
  const name = showHidden(origin === '' ? asset : texts.issuedBy(asset, origin));
  return texts.above(name, networkRow(network).title);
}

function typedOf(lock: StoredLock | null): Typed {
  const limits = lock?.limits ?? [];
  return {
    kind: lock?.kind ?? 'off',
    when: limits.length === 0 ? 'always' : 'above',
    pin: '',
    again: '',
    amounts: Object.fromEntries(limits.map((limit) => [nameOf(limit), limit.above])),
  };
}

function limitsOf({ kind, when, amounts }: Typed, assets: readonly Asset[]): AssetLimit[] {
  if (kind === 'off' || when === 'always') return [];
  return assets.flatMap(({ network, asset, origin }) => {
    const above = amounts[nameOf({ network, asset, origin })] ?? '';
    return above === '' ? [] : { network, asset, origin, above };
  });
}

const AMOUNT = /^(\d{1,30}(\.\d{1,30})?)?$/;

interface Problem {
  /** The field. */
  at: string;
  text: string;
}

function problemOf({ kind, when, pin, again, amounts }: Typed, now: Kind): Problem | undefined {
  const isKept = now === 'pin' && pin === '' && again === '';
  if (kind === 'pin' && !isKept) {
    if (pin.length < SHORTEST_PIN) return { at: 'pin', text: texts.pin.short };
    if (isEasyPin(pin)) return { at: 'pin', text: texts.pin.easy };
    if (pin !== again) return { at: 'again', text: texts.pin.differs };
  }
  const wrong = Object.entries(amounts).find(([, amount]) => !AMOUNT.test(amount));
  if (kind === 'off' || when === 'always' || wrong === undefined) return undefined;
  return { at: wrong[0], text: texts.invalidAmount };
}
