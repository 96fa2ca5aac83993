import { canonicalJson, networkRow } from '@payassent/protocol';
import type { PaymentRequest } from '@payassent/sdk';
import { Link, useSearch } from 'wouter';
import { paymentRequests as texts } from '../../texts/portal/payment-requests.ts';
import { ActionButton } from '../../ui/action-buttons.tsx';
import { CommandLine, CopyButton } from '../../ui/button.tsx';
import { Address, Amount, type Fact, Facts, Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { merchantClient } from '../client.ts';
import { PaymentBadge, statusWord } from '../parts/lists.tsx';
import { LiveMark } from '../parts/live.tsx';
import { Deliveries } from './deliveries.tsx';
import { SaidByAgent } from './said-by-agent.tsx';
import { Timeline, usePaymentRequest } from './timeline.tsx';

/** One request with everything about it, on a separate page or next to the list. */
export function RequestDetail({ id, connection }: { id: string; connection: string | null }) {
  const query = usePaymentRequest(id, connection);
  return (
    <QueryView query={query}>
      {(request) => (
        <Detail key={`${request.connection_id} ${request.request_id}`} request={request} query={query} />
      )}
    </QueryView>
  );
}

function Detail({ request, query }: { request: PaymentRequest; query: { isError: boolean } }) {
  return (
    <div className="stack">
      <div className="row">
        <PaymentBadge payment={request} />
        <LiveMark query={query} isFinal={request.is_final} />
        <span className="visually-hidden" role="status">
          {texts.now(statusWord(request.status))}
        </span>
      </div>
      <PinnedFacts request={request} />
      <div className="columns">
        <section className="card stack">
          <h2>{texts.timeline.title}</h2>
          <Timeline request={request} />
        </section>
        <SaidByAgent request={request} />
      </div>
      <Deliveries request={request} />
      <Evidence request={request} />
      <section className="card stack">
        <h2>{texts.records}</h2>
        <Facts
          facts={[
            [
              texts.facts.id,
              <ForeignText key="id" inline>
                {request.request_id}
              </ForeignText>,
            ],
            [
              texts.facts.connection,
              <Link key="connection" href={`/connections/${request.connection_id}`}>
                <code>{request.connection_id}</code>
              </Link>,
            ],
            request.idempotency_key === undefined
              ? null
              : [
                  texts.facts.key,
                  <ForeignText key="key" inline>
                    {request.idempotency_key}
                  </ForeignText>,
                ],
            [texts.pinned.payeeVersion, <code key="version">{request.payee.recipient_version_id}</code>],
            [texts.pinned.digest, <code key="digest">{request.facts_digest}</code>],
            [texts.facts.version, String(request.state_version - 1)],
          ]}
        />
      </section>
    </div>
  );
}

export function PaymentRequestPage({ id }: { id: string }) {
  const connection = new URLSearchParams(useSearch()).get('connection');
  return (
    <Page title={texts.detailTitle}>
      <RequestDetail id={id} connection={connection} />
    </Page>
  );
}

const pinnedTexts = texts.pinned;

function PinnedFacts({ request }: { request: PaymentRequest }) {
  const { payment, payee } = request;
  return (
    <section className="pinned stack" aria-label={pinnedTexts.title}>
      <div className="stack-tight">
        <Amount amount={payment.amount} asset={payment.asset} />
        <div className="payee">
          <ForeignText>{payee.name}</ForeignText>
        </div>
      </div>
      <Facts
        facts={[
          [pinnedTexts.domain, payee.domain],
          [pinnedTexts.network, networkRow(payment.network).title],
          [
            pinnedTexts.address,
            <span className="row" key="address">
              <Address>{payment.to}</Address>
              <CopyButton value={payment.to} name={pinnedTexts.address.toLowerCase()} />
            </span>,
          ],
          optional(pinnedTexts.memo, payment.memo),
          optional(pinnedTexts.issuer, payment.issuer, true),
          optional(pinnedTexts.contract, payment.contract, true),
          [pinnedTexts.expires, <Moment key="expires">{request.expires_at}</Moment>],
        ]}
      />
      <p className="soft">{pinnedTexts.lead}</p>
    </section>
  );
}

function optional(name: string, value: string | undefined, isAddress = false): Fact | null {
  if (value === undefined) return null;
  const Shown = isAddress ? Address : ForeignText;
  return [name, <Shown key={name}>{value}</Shown>];
}

const evidenceTexts = texts.evidence;

/** Who decided what, and the evidence bundle, which proves it without trust in the service. */
function Evidence({ request }: { request: PaymentRequest }) {
  return (
    <section className="card stack" aria-labelledby="evidence-title">
      <h2 id="evidence-title">{evidenceTexts.title}</h2>
      <WhoDecided request={request} />
      <Download request={request} />
    </section>
  );
}

function WhoDecided({ request }: { request: PaymentRequest }) {
  const { payment, payee, source } = request;
  const decision = request.decision ?? null;
  const asker = source['agent_name'];
  const what = `${payment.amount} ${payment.asset}`;
  return (
    <Facts
      facts={[
        typeof asker === 'string'
          ? [evidenceTexts.asked, <ForeignText key="asked">{asker}</ForeignText>]
          : null,
        [
          evidenceTexts.decided,
          <span data-fact="decided" key="decided">
            {decision === null ? (
              evidenceTexts.undecided[request.is_final ? 'final' : 'open']
            ) : (
              <>
                {evidenceTexts.verdicts[decision.decision](what)} <Moment>{decision.decided_at}</Moment>
              </>
            )}
          </span>,
        ],
        [evidenceTexts.payee, <ForeignText key="payee">{payee.name}</ForeignText>],
        decision === null || decision.device_id === null
          ? null
          : [evidenceTexts.device, <code key="device">{decision.device_id}</code>],
        decision === null
          ? null
          : [
              evidenceTexts.signed,
              <span data-fact="signed" key="signed">
                {evidenceTexts.signatures[decision.alg ?? 'none']}
              </span>,
            ],
        decision?.key_thumbprint
          ? [
              evidenceTexts.thumbprint,
              <code className="mono" key="thumbprint">
                {decision.key_thumbprint}
              </code>,
            ]
          : null,
      ]}
    />
  );
}

const KEYS_FILE = 'svc-keys.json';
const BUNDLE_FILE = 'evidence.json';

function Download({ request: { request_id, connection_id } }: { request: PaymentRequest }) {
  const download = async () => {
    const bundle = await merchantClient.paymentRequests.evidence(request_id, { connection_id });
    // The service signs this canonical form.
    saveFile(BUNDLE_FILE, canonicalJson(bundle), 'application/json');
  };
  return (
    <>
      <p>{evidenceTexts.lead}</p>
      <div className="row">
        <ActionButton run={download} done={evidenceTexts.saved}>
          {evidenceTexts.download}
        </ActionButton>
      </div>
      <p>
        {evidenceTexts.check} <a href="/verify">{evidenceTexts.page}</a>
      </p>
      <CommandLine
        name={evidenceTexts.command}
      >{`curl -fsS -o ${KEYS_FILE} ${location.origin}/.well-known/svc-keys.json && payassent verify ${BUNDLE_FILE} --keys ${KEYS_FILE}`}</CommandLine>
    </>
  );
}
