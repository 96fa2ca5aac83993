import { Fragment, type ReactNode } from 'react';
import { locale } from '../texts/language.ts';
import { ForeignText } from './foreign-text.tsx';

export type Fact = readonly [name: string, value: ReactNode];

export function Facts({ facts }: { facts: ReadonlyArray<Fact | null | undefined> }) {
  return (
    <dl className="facts">
      {facts
        .filter((fact): fact is Fact => fact !== null && fact !== undefined)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}

const LONG_AMOUNT = 24;

/** The amount, first and large, for a box of pinned details: digits and point as pinned, in every language. */
export function Amount({ amount, asset }: { amount: string; asset: string }) {
  return (
    <p className="amount" data-fact="amount" data-is-long={amount.length > LONG_AMOUNT}>
      {amount} <ForeignText inline>{asset}</ForeignText>
    </p>
  );
}

const THOUSANDS = 3;

/** A sum in a table: its digits in groups of three by spacing alone, so that the text stays as pinned. */
export function Sum({ amount }: { amount: string }) {
  const [whole = '', ...rest] = amount.split(/(?=\.)/);
  const groups = whole.match(/\d{1,3}(?=(?:\d{3})*$)/g) ?? [whole];
  return (
    <span className="sum">
      {whole.length <= THOUSANDS || whole.length > LONG_AMOUNT
        ? whole
        : groups.map((group, index) => (
            // Groups repeat and never move: their place is their identity.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <span key={index}>{group}</span>
          ))}
      {rest}
    </span>
  );
}

const GROUP_LENGTH = 4;

/** A whole address in groups of four, never shortened: people compare groups, and look-alikes differ in the middle. */
export function Address({ children }: { children: string }) {
  const groups = children.match(new RegExp(`.{1,${GROUP_LENGTH}}`, 'gu')) ?? [];
  return (
    <span className="address">
      {groups.map((group, index) => (
        // Groups repeat and never move: their place is their identity.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <span key={index}>{group}</span>
      ))}
    </span>
  );
}

/** As the person's own browser writes dates. */
const MOMENT = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

export function Moment({ children }: { children: string }) {
  return (
    <time dateTime={children} title={children}>
      {MOMENT.format(new Date(children))}
    </time>
  );
}
