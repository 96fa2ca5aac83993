import { canonicalJson } from '@payassent/protocol';
import type { PaymentRequest } from '@payassent/sdk';
import { useMutation } from '@tanstack/react-query';
import { paymentRequests } from '../../texts/portal/payment-requests.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Facts, Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { merchantClient } from '../client.ts';
import { CommandLine } from '../parts/copied.tsx';

const texts = paymentRequests.evidence;

/** Who said yes or no to what, and the document that proves it to somebody who believes nobody. */
export function Evidence({ request }: { request: PaymentRequest }) {
  return (
    <section className="card stack" aria-labelledby="evidence-title">
      <h2 id="evidence-title">{texts.title}</h2>
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
        typeof asker === 'string' ? [texts.asked, <ForeignText key="asked">{asker}</ForeignText>] : null,
        [
          texts.decided,
          <span data-fact="decided" key="decided">
            {decision === null ? (
              texts.undecided[request.is_final ? 'final' : 'open']
            ) : (
              <>
                {texts.verdicts[decision.decision](what)} <Moment>{decision.decided_at}</Moment>
              </>
            )}
          </span>,
        ],
        [texts.payee, <ForeignText key="payee">{payee.name}</ForeignText>],
        decision === null || decision.device_id === null
          ? null
          : [texts.device, <code key="device">{decision.device_id}</code>],
        decision === null
          ? null
          : [
              texts.signed,
              <span data-fact="signed" key="signed">
                {texts.signatures[decision.alg ?? 'none']}
              </span>,
            ],
        decision?.key_thumbprint
          ? [
              texts.thumbprint,
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
  const download = useMutation({
    mutationFn: async () => {
      const bundle = await merchantClient.paymentRequests.evidence(request_id, { connection_id });
      // The service signs this one spelling.
      saveFile(BUNDLE_FILE, canonicalJson(bundle), 'application/json');
    },
  });
  return (
    <>
      <p>{texts.lead}</p>
      <div className="row">
        <Button isBusy={download.isPending} onClick={() => download.mutate()}>
          {texts.download}
        </Button>
        <span role="status">{download.isSuccess ? texts.saved : ''}</span>
      </div>
      {download.isError ? <ErrorNote error={download.error} /> : null}
      <p>
        {texts.check} <a href="/verify">{texts.page}</a>
      </p>
      <CommandLine
        name={texts.command}
      >{`curl -fsS -o ${KEYS_FILE} ${location.origin}/.well-known/svc-keys.json && payassent verify ${BUNDLE_FILE} --keys ${KEYS_FILE}`}</CommandLine>
    </>
  );
}
