import { networkRow, paymentUri } from '@payassent/protocol';
import { useEffect, useRef, useState } from 'react';
import { progress } from '../../texts/wallet.ts';
import { ConfirmButton } from '../../ui/action-buttons.tsx';
import { Button, CopyButton } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { showHidden } from '../../ui/hidden-characters.ts';
import { Note } from '../../ui/notes.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { isHashMemo } from './own-memo.ts';
import type { Payment } from './payment.ts';
import type { ApprovalRun } from './use-approval.ts';

const { elsewhere, hash, notPaid, sent } = progress;
const PRINTABLE = /^[!-~]{1,256}$/;
const STELLAR_HASH = /^[0-9a-f]{64}$/i;

interface ByHandProps {
  payment: Payment;
  approval: ApprovalRun;
}

/** Approved, and now paid with another app: link, QR code, and the report of what that app did. */
export function PayElsewhere({ payment, approval }: ByHandProps) {
  return (
    <div className="stack">
      <h3>{elsewhere.title}</h3>
      <p>{elsewhere.text}</p>
      <PaymentLink payment={payment} />
      <ReportByHand payment={payment} approval={approval} />
    </div>
  );
}

/** Signed: sent with this hash, or never. */
function ReportByHand({ payment, approval }: ByHandProps) {
  return (
    <>
      <HashForm payment={payment} approval={approval} />
      <ConfirmButton
        texts={notPaid}
        run={() => approval.report(payment, { status: 'failed', reasonCode: 'not_paid' })}
      />
    </>
  );
}

function PaymentLink({ payment }: { payment: Payment }) {
  const { network, amount, to, memo } = payment.facts;
  const link = paymentLink(payment);
  return (
    <div className="stack-tight">
      {link.state === 'pinned' ? (
        <>
          <QrCode value={link.uri} label={elsewhere.qr} />
          <code className="mono">{link.uri}</code>
          <span className="row">
            <CopyButton value={link.uri} name={elsewhere.link} />
            <a className="button" href={link.uri}>
              {elsewhere.open}
            </a>
          </span>
          <span className="soft">{elsewhere.standard(networkRow(network).paymentUri?.name ?? '')}</span>
        </>
      ) : (
        <>
          {link.state === 'none' ? (
            <Note kind="warn">{elsewhere.noUri}</Note>
          ) : (
            <Note kind="bad">{elsewhere.altered}</Note>
          )}
          <ByHand
            facts={{
              [elsewhere.address]: to,
              [elsewhere.amount]: amount,
              [isHashMemo(payment.facts) ? elsewhere.hashMemo : elsewhere.memo]: memo ?? '',
            }}
          />
        </>
      )}
      {memo ? <Note kind="warn">{elsewhere.needsMemo}</Note> : null}
    </div>
  );
}

function ByHand({ facts }: { facts: Record<string, string> }) {
  const present = Object.entries(facts).filter(([, value]) => value !== '');
  return (
    <Facts
      facts={present.map(([name, value]) => [
        name,
        <span className="row" key={name}>
          <code className="mono">{showHidden(value)}</code>
          <CopyButton value={value} name={name} />
        </span>,
      ])}
    />
  );
}

function HashForm({ payment, approval }: ByHandProps) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const submit = () => {
    const txHash = typed.trim();
    const found = problemOf(payment, txHash);
    setProblem(found);
    return found === undefined ? approval.report(payment, { status: 'broadcasted', txHash }) : undefined;
  };
  return (
    <Form className="stack-tight" action={hash.action} run={submit}>
      <TextField
        label={hash.label}
        hint={hash.hint}
        error={problem}
        value={typed}
        spellCheck={false}
        onValue={setTyped}
      />
    </Form>
  );
}

function problemOf(payment: Payment, txHash: string): string | undefined {
  if (!PRINTABLE.test(txHash)) return hash.invalid;
  if (payment.facts.network.startsWith('stellar') && !STELLAR_HASH.test(txHash)) return hash.invalidStellar;
  return undefined;
}

/** Once, as soon as the chain has the payment as it was approved: no one needs to press a button for that. */
function useChainsWord({ payment, approval }: ByHandProps): void {
  const isTold = useRef(false);
  useEffect(() => {
    if (payment.settlement?.state !== 'final' || approval.isBusy || isTold.current) return;
    isTold.current = true;
    approval.report(payment, { status: 'confirmed' });
  }, [payment, approval]);
}

/** Sent with another app: where no observer watches the chain, only the customer can see when the payment is final. */
export function ConfirmByHand({ payment, approval }: ByHandProps) {
  useChainsWord({ payment, approval });
  return (
    <div className="stack">
      <p>{sent.text}</p>
      <div className="row">
        <Button
          kind="main"
          isBusy={approval.isBusy}
          onClick={() => approval.report(payment, { status: 'confirmed' })}
        >
          {sent.confirm}
        </Button>
        <ConfirmButton
          texts={sent.failed}
          run={() => approval.report(payment, { status: 'failed', reasonCode: 'network_refused' })}
        />
      </div>
    </div>
  );
}

const { otherDevice } = progress;

/**
 * Another device has signed and reports. When it is lost, this one can take its place: it only reports the outcome of
 * the payment, and offers nothing that could pay a second time.
 */
export function SignedElsewhere({ payment, approval }: { payment: Payment; approval: ApprovalRun }) {
  const [hasTakenOver, setTakenOver] = useState(false);
  if (!hasTakenOver)
    return (
      <Note kind="warn" texts={otherDevice}>
        <ConfirmButton
          texts={{ ...otherDevice, title: otherDevice.question, text: otherDevice.warning }}
          run={async () => setTakenOver(true)}
        />
      </Note>
    );
  const taking: ApprovalRun = {
    ...approval,
    report: (each, report) => approval.report(each, { ...report, takeover: true }),
  };
  return (
    <div className="stack">
      <Note kind="warn">{otherDevice.taken}</Note>
      {payment.status === 'signed' ? (
        <ReportByHand payment={payment} approval={taking} />
      ) : (
        <ConfirmByHand payment={payment} approval={taking} />
      )}
    </div>
  );
}

/** What a signature adds to a link for Stellar wallets: the domain that it is from. */
const SIGNATURE = /&origin_domain=[a-z0-9.-]+&signature=[\w%.~-]+$/;

type CheckedLink = { state: 'none' | 'altered' } | { state: 'pinned'; uri: string };

/** The service's link, signed where it can be signed, as long as it matches the pinned details exactly. */
function paymentLink({ facts, link }: Payment): CheckedLink {
  if (link === undefined) return { state: 'none' };
  const { network, to: address, ...rest } = facts;
  const decimals = facts.decimals ?? networkRow(network).decimals;
  const pinned = paymentUri(network, { ...rest, address, decimals });
  return link.replace(SIGNATURE, '') === pinned ? { state: 'pinned', uri: link } : { state: 'altered' };
}
