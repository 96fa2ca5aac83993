import { firstText, purposeOf } from '@payassent/protocol';
import { review } from '../../texts/wallet.ts';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText, PartyName } from '../../ui/foreign-text.tsx';
import { Badge, Progress } from '../../ui/notes.tsx';
import type { Payment, SaidPart } from './payment.ts';
import { displayOf, useDescription } from './use-purpose.ts';

const { said } = review;
/** As many as fit on one screen; the folded part has all of them. */
const MOST_ITEMS = 8;

/** The agent's own words, in a box unlike any other on the page: first the purpose, the rest folded. */
export function Said({ payment, agentName }: { payment: Payment; agentName: string | undefined }) {
  const { context, merchantName } = payment;
  const words = useDescription(payment);
  const content = words.data?.content ?? {};
  const isSilent = context === undefined && payment.said.length === 0;
  return (
    <section className="said" aria-labelledby="said-title">
      <div className="row-between">
        <h2 id="said-title">{said.title}</h2>
        <Badge tone="warn">{said.mark}</Badge>
      </div>
      {isSilent ? <p className="soft">{said.nothing}</p> : null}
      {context === undefined ? null : <ContextState isError={words.isError} data={words.data} />}
      {context?.revision === null && words.data ? (
        <p>
          <Badge tone="warn">{said.contextLater}</Badge> <Moment>{words.data.createdAt}</Moment>
        </p>
      ) : null}
      <Words said={{ ...displayOf(payment), ...content }} />
      <details className="said-rest">
        <summary>{said.all}</summary>
        <p className="soft">{said.explain}</p>
        {agentName === undefined ? null : <Named label={said.agent} name={agentName} />}
        {merchantName === undefined ? null : <Named label={said.forMerchant} name={merchantName} />}
        {words.data ? <Part part={{ part: 'context', content }} /> : null}
        {payment.said.map((part) => (
          <Part key={part.part} part={part} />
        ))}
      </details>
    </section>
  );
}

function ContextState({ isError, data }: { isError: boolean; data: object | null | undefined }) {
  if (data === null) return <p>{said.contextAbsent}</p>;
  if (isError) return <p>{said.contextMissing}</p>;
  return data === undefined ? <Progress>{said.contextLoading}</Progress> : null;
}

const SUMMARIES = ['summary', 'note', 'text', 'description'];

function Words({ said: words }: { said: Record<string, unknown> }) {
  const title = purposeOf(words);
  const summary = firstText(words, SUMMARIES);
  const items = itemsOf(words['line_items']);
  return (
    <>
      {title === undefined ? null : (
        <div className="said-title">
          <ForeignText>{title}</ForeignText>
        </div>
      )}
      {summary === undefined || summary === title ? null : (
        <div className="said-summary">
          <ForeignText>{summary}</ForeignText>
        </div>
      )}
      {items.length === 0 ? null : <Items items={items} />}
    </>
  );
}

interface Item {
  name: string;
  quantity: string;
  price: string;
}

function itemsOf(value: unknown): Item[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => {
    if (typeof item === 'string') return { name: item, quantity: '', price: '' };
    if (typeof item !== 'object' || item === null) return [];
    const words = item as Record<string, unknown>;
    const name = firstText(words, ['name', 'title', 'description', 'text']);
    if (name === undefined) return [];
    return {
      name,
      quantity: shortText(words['quantity'] ?? words['count']),
      price: shortText(words['price'] ?? words['amount'] ?? words['total']),
    };
  });
}

function shortText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 40) : '';
}

function Items({ items }: { items: readonly Item[] }) {
  return (
    <table className="said-items">
      <caption className="visually-hidden">{said.items}</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{said.item}</th>
          <th scope="col">{said.quantity}</th>
          <th scope="col">{said.price}</th>
        </tr>
      </thead>
      <tbody>
        {items.slice(0, MOST_ITEMS).map(({ name, quantity, price }, index) => (
          // Items have no identity but their place, and the data never changes.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <tr key={index}>
            <td>
              <ForeignText inline>{name}</ForeignText>
            </td>
            <td>{quantity === '' ? null : <ForeignText inline>{`× ${quantity}`}</ForeignText>}</td>
            <td>{price === '' ? null : <ForeignText inline>{price}</ForeignText>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Named({ label, name }: { label: string; name: string }) {
  return (
    <div className="said-entry">
      <span className="said-name">{label}</span>
      <PartyName>{name}</PartyName>
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

/** More entries than anybody reads; a record of 64 KiB may hold thousands. */
const MOST_ENTRIES = 200;

interface Line {
  depth: number;
  name: string;
  /** Undefined for a name without a value, whose members follow. */
  value: string | undefined;
}

/** Free-form data as lines of text, names as foreign as values. However long it is, its box keeps its size. */
function SaidWords({ content, label }: { content: Record<string, unknown>; label: string }) {
  const lines = linesOf(content);
  const hidden = lines.length - MOST_ENTRIES;
  return (
    // The box scrolls, so it has to be reachable with the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className="said-words" tabIndex={0} aria-label={label}>
      {lines.slice(0, MOST_ENTRIES).map((line, index) => (
        // Lines have no identity but their place, and the data never changes.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div key={index} className={line.depth > 0 ? 'said-entry said-nested' : 'said-entry'}>
          <span className="said-name">
            <ForeignText inline>{line.name}</ForeignText>
          </span>
          {line.value === undefined ? null : <ForeignText lines>{line.value}</ForeignText>}
        </div>
      ))}
      {hidden > 0 ? <p className="soft">{review.said.cut(hidden)}</p> : null}
    </section>
  );
}

function linesOf(content: Record<string, unknown>): Line[] {
  const lines: Line[] = [];
  const visit = (name: string, value: unknown, depth: number) => {
    if (typeof value === 'object' && value !== null) {
      lines.push({ depth, name, value: undefined });
      for (const [member, inner] of Object.entries(value))
        visit(Array.isArray(value) ? `${name} ${Number(member) + 1}` : member, inner, depth + 1);
      return;
    }
    lines.push({ depth, name, value: typeof value === 'string' ? value : JSON.stringify(value) });
  };
  for (const [name, value] of Object.entries(content)) visit(name, value, 0);
  return lines;
}
