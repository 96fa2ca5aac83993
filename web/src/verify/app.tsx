import { type PublishedKey, type Verification, verifyEvidence } from '@payassent/protocol/evidence';
import { useState } from 'react';
import { verify as texts } from '../texts/verify.ts';
import { TextField } from '../ui/fields.tsx';
import { Brand, LanguageSwitch } from '../ui/header.tsx';
import { Note } from '../ui/notes.tsx';
import { Page } from '../ui/page.tsx';

/** The command `verify` as a page: the files are read by the browser, and the page's policy lets nothing out. */
export function VerifyApp() {
  const [bundle, setBundle] = useState<Uint8Array>();
  const [keys, setKeys] = useState<readonly PublishedKey[]>();
  const [fault, setFault] = useState<string>();
  const [verified, setVerified] = useState<Verification>();

  const judge = async (chosen: Uint8Array | undefined, kept: readonly PublishedKey[] | undefined) => {
    setFault(undefined);
    setVerified(undefined);
    if (!chosen) return;
    const known = kept ?? (await publishedKeys());
    if (known) setVerified(verifyEvidence(chosen, { keys: known }));
    else setFault(texts.noKeys);
  };
  const chooseBundle = async (file: File | undefined) => {
    const chosen = file && withoutLineEnd(new Uint8Array(await file.arrayBuffer()));
    setBundle(chosen);
    await judge(chosen, keys);
  };
  const chooseKeys = async (file: File | undefined) => {
    const kept = file && keysIn(await file.text());
    setKeys(kept);
    if (file && !kept) setFault(texts.badKeys);
    else await judge(bundle, kept);
  };

  return (
    <main className="page-narrow stack">
      <div className="row-between">
        <Brand />
        <LanguageSwitch />
      </div>
      <Page title={texts.title}>
        <p className="soft">{texts.lead}</p>
        <TextField
          label={texts.bundle}
          type="file"
          accept="application/json,.json"
          onChange={(event) => void chooseBundle(event.target.files?.[0])}
        />
        <TextField
          label={texts.keys}
          hint={texts.keysHint}
          type="file"
          accept="application/json,.json"
          onChange={(event) => void chooseKeys(event.target.files?.[0])}
        />
        {fault ? <Note kind="bad">{fault}</Note> : null}
        {verified ? <Outcome verified={verified} /> : null}
      </Page>
    </main>
  );
}

function Outcome({ verified }: { verified: Verification }) {
  return (
    <>
      <Note kind={verified.ok ? 'good' : 'bad'}>{verified.ok ? texts.allHold : texts.broken}</Note>
      <h2>{texts.claims}</h2>
      {verified.claims.some(({ status }) => status === 'service_word') ? (
        <p className="soft">{texts.onlyWord}</p>
      ) : null}
      <ul className="stack">
        {verified.claims.map(({ claim, status, explanation }) => (
          <li key={claim} data-claim={claim} data-status={status}>
            <strong>
              <span aria-hidden="true">{texts.marks[status]} </span>
              {texts.names[claim]}: {texts.statuses[status]}
            </strong>
            <br />
            <span className="soft">{explanation}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

async function publishedKeys(): Promise<readonly PublishedKey[] | undefined> {
  try {
    const response = await fetch('/.well-known/svc-keys.json');
    return response.ok ? keysIn(await response.text()) : undefined;
  } catch {
    return undefined;
  }
}

function keysIn(text: string): readonly PublishedKey[] | undefined {
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown };
    return Array.isArray(keys) ? (keys as PublishedKey[]) : undefined;
  } catch {
    return undefined;
  }
}

/** Programs that write files like to end them with one. */
function withoutLineEnd(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes;
}
