import { parseToken } from '@payassent/protocol';
import { type EnrolInput, isApiError, WalletClient } from '@payassent/sdk';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { connect, enrol } from '../../texts/wallet.ts';
import { CheckboxField, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { ScanButton } from '../connect/scan-button.tsx';
import type { ThisDevice } from '../decisions/decision-keys.ts';
import { placeIn } from '../payments/places.ts';
import { tellOtherPages, useOtherPages } from '../session/other-pages.ts';
import { keepEnrolment, readDevice } from '../storage/device-store.ts';

/** `onEnrolled`: a device is stored, by this page or by another one of this browser. */
export function EnrolPage({ onEnrolled }: { onEnrolled(): Promise<void> }) {
  useOtherPages(onEnrolled);
  // Without a device the request cannot be read, so none of its details are shown.
  const isRequest = placeIn(location) !== undefined;
  const start = async (input: EnrolInput) => {
    await enrolOnce(input);
    await onEnrolled();
  };
  return (
    <Page title={enrol.title}>
      {isRequest ? <Note kind="warn" texts={enrol.waiting} /> : null}
      <p>{enrol.intro}</p>
      <Tabs label={enrol.choices.label} choices={enrol.choices.ways} first={isRequest ? 'link' : 'new'}>
        {(way) => <EnrolForm way={way} onSubmit={start} />}
      </Tabs>
    </Page>
  );
}

/** One page of this browser at a time, and none once there is a device: a second enrolment would take its place. */
function enrolOnce(input: EnrolInput): Promise<void> {
  return navigator.locks.request('enrol', async () => {
    if ((await readDevice()) !== undefined) return;
    const enrolled = await WalletClient.enrol({ baseUrl: location.origin }, input);
    const { client, device, token, recovery_code, other_devices = [] } = enrolled;
    const others = other_devices.filter(({ status }) => status === 'active');
    // Stored before anything else happens with it: a device that was enrolled and lost is of no use.
    await keepEnrolment(
      { deviceId: device.device_id, walletId: device.wallet_id, name: device.name, token },
      // Anyone who joins by a link code receives none: the wallet has one already.
      recovery_code ? { recoveryCode: recovery_code, others } : undefined,
    );
    tellOtherPages();
    // Without waiting: a key that is not there yet is made when the wallet opens.
    void makeDecisionKey({ client, deviceId: device.device_id }).catch(() => undefined);
  });
}

async function makeDecisionKey(device: ThisDevice): Promise<void> {
  const { openDecisionKey } = await import('../decisions/decision-keys.ts');
  await openDecisionKey(device);
}

type EnrolWay = 'new' | 'link' | 'recovery';

const ACTIONS = { new: 'create', link: 'join', recovery: 'recover' } as const;
const WORDS = { link: enrol.linkCode, recovery: enrol.recoveryCode } as const;
const KINDS = { link: 'wallet_link_code', recovery: 'recovery_code' } as const;
const LINK_CODE = /^svc_lc_\w+$/;

interface EnrolFormProps {
  way: EnrolWay;
  onSubmit(input: EnrolInput): Promise<void>;
}

function EnrolForm({ way, onSubmit }: EnrolFormProps) {
  const [name, setName] = useState<string>(enrol.defaultDeviceName);
  const [code, setCode] = useState('');
  const [typo, setTypo] = useState<string>();
  const [isAlone, setAlone] = useState(false);
  const submit = async () => {
    // Codes end with a checksum, so a typo is found before any call.
    const typo =
      way !== 'new' && parseToken(bareCode(code))?.kind !== KINDS[way] ? WORDS[way].typo : undefined;
    setTypo(typo);
    if (typo !== undefined) return;
    await onSubmit({ name: name.trim(), platform: 'web', ...codeOf(way, bareCode(code), isAlone) });
  };
  return (
    <Form
      className="stack"
      action={enrol[ACTIONS[way]]}
      size="large"
      run={submit}
      problem={(error) => refusal(error, way)}
    >
      {way === 'new' ? (
        <p>{enrol.newExplains}</p>
      ) : (
        <TextField
          label={WORDS[way].label}
          hint={WORDS[way].hint}
          error={typo}
          value={code}
          spellCheck={false}
          required
          onValue={setCode}
        />
      )}
      {way === 'link' ? (
        <ScanButton
          accept={(text) => (LINK_CODE.test(text) ? undefined : connect.scanner.wrong)}
          onText={setCode}
        />
      ) : null}
      <TextField
        label={enrol.deviceName.label}
        hint={enrol.deviceName.hint}
        value={name}
        maxLength={200}
        required
        onValue={setName}
      />
      {way === 'recovery' ? (
        <CheckboxField
          label={enrol.signOutOthers.label}
          hint={enrol.signOutOthers.hint}
          checked={isAlone}
          onValue={setAlone}
        />
      ) : null}
    </Form>
  );
}

/** For a code of the right form: the possible problems and their remedies differ by its kind. */
function refusal(error: unknown, way: EnrolWay) {
  if (way === 'new' || !isApiError(error, 'link_invalid')) return undefined;
  return (
    <Note kind="bad">
      <strong>{WORDS[way].refused.title}</strong>
      <span>{WORDS[way].refused.next}</span>
    </Note>
  );
}

/** Kits and papers show it in groups. */
function bareCode(typed: string): string {
  return typed.replace(/\s+/g, '');
}

function codeOf(way: EnrolWay, code: string, isAlone: boolean): Partial<EnrolInput> {
  if (way === 'link') return { link_code: code };
  return way === 'recovery' ? { recovery_code: code, revoke_others: isAlone } : {};
}

interface TabsProps<Choice extends string> {
  /** What the row of tabs is called. */
  label: string;
  choices: Readonly<Record<Choice, string>>;
  first: Choice;
  children: (choice: Choice) => ReactNode;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Ways to do one thing, of which one is shown. Arrow keys go from tab to tab, the tabulator key goes past them. */
function Tabs<Choice extends string>({ label, choices, first, children }: TabsProps<Choice>) {
  const all = Object.keys(choices) as Choice[];
  const [chosen, choose] = useState(first);
  const list = useRef<HTMLDivElement>(null);
  const panelId = useId();
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    const next = (all.indexOf(chosen) + step + all.length) % all.length;
    choose(all[next] as Choice);
    (list.current?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <div className="card stack">
      <div className="row" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {all.map((choice) => (
          <button
            className="wallet-choice"
            type="button"
            role="tab"
            aria-selected={choice === chosen}
            aria-controls={panelId}
            tabIndex={choice === chosen ? 0 : -1}
            onClick={() => choose(choice)}
            key={choice}
          >
            {choices[choice]}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={panelId} aria-label={choices[chosen]} key={chosen}>
        {children(chosen)}
      </div>
    </div>
  );
}
