import { decisionKeyThumbprint } from '@payassent/protocol/evidence';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { decisionKeys as texts } from '../../texts/wallet.ts';
import { ActionButton, ConfirmButton } from '../../ui/action-buttons.tsx';
import { Facts } from '../../ui/facts.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Note } from '../../ui/notes.tsx';
import { hasPasskeys, NoPasskeyError, namedAddress } from '../../ui/passkey.ts';
import { refresh } from '../../ui/queries.ts';
import { followPasskey } from '../lock/change-lock.ts';
import { guard } from '../lock/guard.ts';
import { useSession } from '../session/session.tsx';
import {
  isKeyAnswer,
  type KeyState,
  keepFormerKey,
  removeDecisionKey,
  replaceDecisionKey,
  takeEndorsement,
} from './decision-keys.ts';
import { CodeForm, ShownText } from './endorse-device.tsx';
import { type HeldKey, makeBrowserKey, makePasskeyOf } from './held-key.ts';
import { passkeyLimitQuery, useDecisionKey } from './queries.ts';
import { keepPasskeyLimit } from './sign-shown.ts';

/** The decision key of this device, and every change that can be made to it. */
export function DecisionKeyCard() {
  const { data: state, isError } = useDecisionKey();
  return (
    <section className="card stack" aria-labelledby="decision-key-title">
      <h2 id="decision-key-title">{texts.title}</h2>
      <p>{texts.lead}</p>
      {isError ? <Note kind="warn">{texts.unread}</Note> : null}
      {state === undefined ? null : <Known state={state} />}
      {state?.request === undefined ? null : <Waiting state={state} request={state.request} />}
      {state === undefined ? null : <Changes state={state} />}
      <Limit />
    </section>
  );
}

function Known({ state: { held, request } }: { state: KeyState }) {
  if (held === undefined) return request === undefined ? <Note kind="warn">{texts.none}</Note> : null;
  return (
    <Facts
      facts={[
        [
          texts.kind,
          <span data-fact="decision-key" data-alg={held.key.alg} key="kind">
            {texts.kinds[held.key.alg]}
          </span>,
        ],
        [
          texts.thumbprint,
          <code className="mono" key="thumbprint">
            {decisionKeyThumbprint(held.key)}
          </code>,
        ],
      ]}
    />
  );
}

function useChange() {
  const { client, device } = useSession();
  return {
    device: { client, deviceId: device.deviceId },
    name: device.name,
    done: async () => {
      await refresh('decision-key', 'devices', 'pending-changes');
    },
  };
}

function Changes({ state: { held } }: { state: KeyState }) {
  const { device, name, done } = useChange();
  const [isRefused, setRefused] = useState(false);
  const replace = async (make: () => Promise<HeldKey | undefined>) => {
    setRefused(false);
    if (!(await guard('decisionKey'))) return;
    try {
      const next = await make();
      if (next?.key.alg === 'webauthn' && held?.key.alg === 'webauthn')
        await followPasskey(held.key.credential_id, next.key.credential_id);
      if (next !== undefined) await replaceDecisionKey(device, next);
      await done();
    } catch (error) {
      if (!(error instanceof NoPasskeyError)) throw error;
      setRefused(true);
    }
  };
  const remove = async () => {
    if (!(await guard('decisionKey'))) return;
    await removeDecisionKey(device);
    await done();
  };
  return (
    <>
      {isRefused ? <Note kind="warn">{texts.usePasskey.refused}</Note> : null}
      {hasPasskeys() ? null : (
        <Note>
          <span>{texts.usePasskey.address}</span>
          <a href={namedAddress('/wallet')}>{namedAddress('/wallet')}</a>
        </Note>
      )}
      <div className="row">
        {hasPasskeys() ? (
          <ConfirmButton
            texts={texts.usePasskey}
            kind="usual"
            run={() => replace(() => makePasskeyOf(device.deviceId, name))}
          />
        ) : null}
        {held === undefined ? null : (
          <ConfirmButton
            texts={texts.replace}
            kind="usual"
            run={() => replace(() => makeBrowserKey(device.deviceId))}
          />
        )}
        {held === undefined ? null : <ConfirmButton texts={texts.remove} run={remove} />}
      </div>
    </>
  );
}

/** The new key waits for the endorsement of another device. */
function Waiting({ state: { held }, request }: { state: KeyState; request: string }) {
  const { device, done } = useChange();
  const take = async (answer: string) => {
    await takeEndorsement(device, answer);
    await done();
  };
  const keepFormer = async () => {
    await keepFormerKey(device);
    await done();
  };
  return (
    <div className="stack-tight">
      <Note kind="warn" texts={texts.waiting} />
      <ShownText value={request} name={texts.waiting.name} qr={texts.waiting.qr} />
      <CodeForm
        label={texts.waiting.answer}
        hint={texts.waiting.answerHint}
        action={texts.waiting.take}
        problemOf={(text) => (isKeyAnswer(text) ? undefined : texts.waiting.notACode)}
        onCode={take}
      />
      {held === undefined ? null : <ActionButton run={keepFormer}>{texts.waiting.keepFormer}</ActionButton>}
    </div>
  );
}

const AMOUNT = /^(\d{1,30}(\.\d{1,30})?)?$/;

function Limit() {
  const kept = useQuery(passkeyLimitQuery()).data;
  return kept === undefined ? null : <LimitForm kept={kept} />;
}

function LimitForm({ kept }: { kept: string }) {
  const [typed, setTyped] = useState(kept);
  const [problem, setProblem] = useState<string>();
  const [saved, setSaved] = useState<string>();
  const save = async () => {
    const limit = typed.trim();
    setProblem(AMOUNT.test(limit) ? undefined : texts.limit.invalid);
    if (!AMOUNT.test(limit) || !(await guard('decisionKey'))) return;
    await keepPasskeyLimit(limit);
    await refresh('passkey-limit');
    setSaved(typed);
  };
  return (
    <Form
      className="stack-tight"
      kind="usual"
      action={texts.limit.save}
      run={save}
      extra={<span role="status">{saved === typed ? texts.limit.saved : ''}</span>}
    >
      <TextField
        label={texts.limit.label}
        hint={texts.limit.hint}
        error={problem}
        inputMode="decimal"
        value={typed}
        onValue={setTyped}
      />
    </Form>
  );
}
