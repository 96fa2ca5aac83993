import { useQuery } from '@tanstack/react-query';
import { review } from '../../texts/wallet.ts';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Badge, Progress } from '../../ui/notes.tsx';
import { useWallet } from '../session/session.tsx';
import type { Payment, SaidPart } from './payment.ts';
import { contextQuery } from './queries.ts';
import { SaidWords } from './said-words.tsx';

const { said } = review;

/** The agent's own words, in a box that looks like nothing else on the page. */
export function Said({ payment, agentName }: { payment: Payment; agentName: string | undefined }) {
  const { context, merchantName } = payment;
  const isSilent = context === undefined && payment.said.length === 0;
  return (
    <section className="said stack-tight" aria-labelledby="said-title">
      <div className="row-between">
        <h2 id="said-title">{said.title}</h2>
        <Badge tone="warn">{said.mark}</Badge>
      </div>
      <p className="soft">{said.explain}</p>
      {agentName === undefined ? null : <Named label={said.agent} name={agentName} />}
      {merchantName === undefined ? null : <Named label={said.forMerchant} name={merchantName} />}
      {isSilent ? <p>{said.nothing}</p> : null}
      {context === undefined ? null : <Context payment={payment} context={context} />}
      {payment.said.map((part) => (
        <Part key={part.part} part={part} />
      ))}
    </section>
  );
}

function Named({ label, name }: { label: string; name: string }) {
  return (
    <div className="said-entry">
      <span className="said-name">{label}</span>
      <ForeignText>{name}</ForeignText>
    </div>
  );
}

function Part({ part }: { part: SaidPart }) {
  return (
    <div className="stack-tight">
      <h3>{said[part.part]}</h3>
      <SaidWords content={part.content} label={said[part.part]} />
    </div>
  );
}

function Context({ payment, context }: { payment: Payment; context: NonNullable<Payment['context']> }) {
  const client = useWallet();
  const words = useQuery(contextQuery(client, payment.connectionId, context));
  if (words.data === null) return <p>{said.contextAbsent}</p>;
  if (words.isError) return <p>{said.contextMissing}</p>;
  if (words.data === undefined) return <Progress>{said.contextLoading}</Progress>;
  return (
    <>
      {context.revision === null ? (
        <p>
          <Badge tone="warn">{said.contextLater}</Badge> <Moment>{words.data.createdAt}</Moment>
        </p>
      ) : null}
      <Part part={{ part: 'context', content: words.data.content }} />
    </>
  );
}
