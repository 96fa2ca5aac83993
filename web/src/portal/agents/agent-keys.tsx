import { decodeBase64Url, encodeBase64 } from '@payassent/protocol';
import { type Agent, type Credential, generateAgentKey } from '@payassent/sdk';
import { useEffect, useRef, useState } from 'react';
import { keyTexts as texts } from '../../texts/portal/agents.ts';
import { ConfirmButton } from '../../ui/action-buttons.tsx';
import { Button, CopyButton } from '../../ui/button.tsx';
import { Facts, Moment } from '../../ui/facts.tsx';
import { TextField } from '../../ui/fields.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Form } from '../../ui/form.tsx';
import { refresh } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { merchantClient } from '../client.ts';
import { Row, Table } from '../parts/lists.tsx';
import { useLeaveGuard } from '../shell/leave-guard.tsx';
import { Offered, offered } from '../shell/offered.tsx';
import { KeyStatus, useCredentials } from './agent.tsx';
import { keyFileName, sampleFor } from './sample.ts';

export function AgentKeys({ agent }: { agent: Agent }) {
  const credentials = useCredentials(agent.agent_id);
  const [made, setMade] = useState<MadeKey>();
  const usable = credentials.data?.credentials.find(({ status }) => status === 'active');
  return (
    <>
      <section className="section" aria-labelledby="keys">
        <h2 id="keys">{texts.title}</h2>
        <p className="soft">{texts.lead}</p>
        {made === undefined ? null : (
          <KeyDownload
            key={made.kid}
            made={made}
            onForget={() => setMade({ kid: made.kid, pem: undefined })}
          />
        )}
        <QueryView query={credentials}>
          {({ credentials: keys }) =>
            keys.length === 0 ? <p>{texts.empty}</p> : <KeyTable agent={agent} keys={keys} />
          }
        </QueryView>
        {/* A second key would replace the first on this page, and its private half exists nowhere else. */}
        {agent.status === 'revoked' || made?.pem !== undefined ? null : (
          <Offered call="POST /v1/agents/{}/credentials">
            <div className="card section">
              <h3>{texts.make.title}</h3>
              <MakeKeyForm agent={agent} onMade={setMade} />
            </div>
          </Offered>
        )}
      </section>
      {usable === undefined ? null : <Handover agent={agent} kid={made?.kid ?? usable.kid} />}
    </>
  );
}

function KeyTable({ agent, keys }: { agent: Agent; keys: readonly Credential[] }) {
  return (
    <Table label={texts.table} heads={Object.values(texts.heads)}>
      {keys.map((key) => (
        <Row key={key.credential_id}>
          <ForeignText inline>{key.kid}</ForeignText>
          <KeyStatus status={key.status} />
          {key.expires_at === null ? texts.noEnd : <Moment>{key.expires_at}</Moment>}
          <Moment>{key.created_at}</Moment>
          {key.status === 'active' || key.status === 'pending_proof' ? (
            <RevokeKey agent={agent} credential={key} />
          ) : null}
        </Row>
      ))}
    </Table>
  );
}

const RevokeKey = offered(
  'DELETE /v1/agents/{}/credentials/{}',
  function RevokeKey({ agent, credential }: { agent: Agent; credential: Credential }) {
    const revoke = async () => {
      await merchantClient.agents.credentials.revoke(agent.agent_id, credential.credential_id);
      await refresh('agents');
    };
    return (
      <ConfirmButton
        texts={texts.revoke}
        about={
          <p>
            <code>{credential.kid}</code>
          </p>
        }
        run={revoke}
      />
    );
  },
);

const makeTexts = texts.make;

/** A key generated on this page. Its private half is held only in the page's state until it is deleted. */
interface MadeKey {
  kid: string;
  pem: string | undefined;
}

function MakeKeyForm({ agent, onMade }: { agent: Agent; onMade(made: MadeKey): void }) {
  const [kid, setKid] = useState(freshKid);
  const make = async () => {
    const key = generateAgentKey();
    const name = kid.trim();
    await merchantClient.agents.credentials.add(agent.agent_id, { kid: name, key });
    onMade({ kid: name, pem: pemOf(key.seed) });
    setKid(freshKid());
    await refresh('agents');
  };
  return (
    <Form action={makeTexts.action} busy={makeTexts.busy} run={make}>
      <p className="soft">{makeTexts.lead}</p>
      <TextField
        label={makeTexts.kid}
        hint={makeTexts.kidHint}
        name="kid"
        maxLength={160}
        required
        spellCheck={false}
        value={kid}
        onValue={setKid}
      />
    </Form>
  );
}

/** A name that sorts by time and is not taken: the name of a key is never reused. */
function freshKid(): string {
  return `key-${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase()}`;
}

const downloadTexts = texts.download;

/** The private key can be downloaded only here; afterwards the page deletes it. */
function KeyDownload({ made: { kid, pem }, onForget }: { made: MadeKey; onForget(): void }) {
  const [isSaved, setSaved] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useLeaveGuard(pem !== undefined && !isSaved, downloadTexts.leave);
  if (pem === undefined)
    return (
      <div className="note" data-kind="good" role="status">
        {downloadTexts.forgotten}
      </div>
    );
  const download = () => {
    saveFile(keyFileName(kid), pem, 'application/x-pem-file');
    setSaved(true);
  };
  return (
    <section className="note section" data-kind="warn" aria-labelledby="download-key">
      <h3 id="download-key" ref={heading} tabIndex={-1}>
        {downloadTexts.title}
      </h3>
      <p>{downloadTexts.text}</p>
      <div className="row">
        <Button kind={isSaved ? 'usual' : 'main'} onClick={download}>
          {isSaved ? downloadTexts.again : downloadTexts.action}
        </Button>
        {isSaved ? (
          <Button kind="main" onClick={onForget}>
            {downloadTexts.forget}
          </Button>
        ) : null}
      </div>
      <p className="soft" role="status">
        {isSaved ? downloadTexts.saved : ''}
      </p>
      <p className="soft">{downloadTexts.lost}</p>
    </section>
  );
}

const handoverTexts = texts.handover;

/** Everything besides the key file that a program needs to sign in as this agent. */
function Handover({ agent, kid }: { agent: Agent; kid: string }) {
  const baseUrl = location.origin;
  const facts = [
    [handoverTexts.agentId, agent.agent_id],
    [handoverTexts.kid, kid],
    [handoverTexts.baseUrl, baseUrl],
  ] as const;
  const sample = sampleFor(agent, kid, baseUrl);
  return (
    <section className="card section" aria-labelledby="handover">
      <h2 id="handover">{handoverTexts.title}</h2>
      <p className="soft">{handoverTexts.lead}</p>
      <Facts
        facts={facts.map(([name, value]) => [
          name,
          <span key={name} className="row">
            <code>{value}</code>
            <CopyButton value={value} name={name} />
          </span>,
        ])}
      />
      <div className="row-between">
        <h3>{handoverTexts.sample}</h3>
        <CopyButton value={sample} name={handoverTexts.copySample} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer */}
      <section className="sample-frame" tabIndex={0} aria-label={handoverTexts.sampleLabel}>
        <pre className="sample">{sample}</pre>
      </section>
      <p>
        <a href="/docs" target="_blank" rel="noreferrer">
          {handoverTexts.docs}
        </a>
      </p>
    </section>
  );
}

/** PKCS #8 around an Ed25519 seed (RFC 8410): everything before the 32 bytes is constant. */
const PKCS8_HEAD = Uint8Array.of(48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32);

/** The private key as OpenSSL, Node and the SDK's `agentKeyFromPem` read it. */
function pemOf(seed: string): string {
  const bytes = decodeBase64Url(seed);
  if (bytes === undefined) throw new TypeError('The seed is not base64url.');
  return `-----BEGIN PRIVATE KEY-----\n${encodeBase64(Uint8Array.of(...PKCS8_HEAD, ...bytes))}\n-----END PRIVATE KEY-----\n`;
}
