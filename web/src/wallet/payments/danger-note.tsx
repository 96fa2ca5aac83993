import { type Danger, FAR_ABOVE, isNetwork } from '@payassent/protocol';
import type { ReactNode } from 'react';
import { danger as texts } from '../../texts/wallet/danger.ts';
import { Address } from '../../ui/facts.tsx';
import { CheckboxField } from '../../ui/fields.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { networkTitle, type Payment } from './payment.ts';
import type { Checks } from './use-checks.ts';

interface DangerProps {
  payment: Payment;
  checks: Checks;
}

/**
 * First on the sheet, and red. It takes an act of its own, at the other end of the page than the approval, so that no
 * habit and no double tap pays.
 */
export function DangerNote({ payment, checks: { dangers, isConfirmed, confirm } }: DangerProps) {
  if (dangers.length === 0) return null;
  return (
    <section className="note danger-note stack-tight" data-kind="bad" role="alert" data-fact="danger">
      <strong className="row">
        <Icon name="warning" />
        {texts.title}
      </strong>
      <ul className="plain-list">
        {dangers.map((danger) => (
          <li key={danger.danger}>{textOf(danger, payment)}</li>
        ))}
      </ul>
      <p>{texts.advice}</p>
      <CheckboxField
        label={texts.confirm}
        checked={isConfirmed}
        onChange={(event) => confirm(event.target.checked)}
      />
    </section>
  );
}

function textOf(danger: Danger, { facts }: Payment): ReactNode {
  switch (danger.danger) {
    case 'address':
    case 'issuer':
    case 'contract':
      return (
        <>
          {texts[danger.danger]} {danger.before === null ? texts.none : <Address>{danger.before}</Address>}
        </>
      );
    case 'memo':
      return (
        <>
          {texts.memo} <ForeignText>{danger.before ?? texts.none}</ForeignText>
        </>
      );
    case 'network':
      return texts.network(isNetwork(danger.before) ? networkTitle(danger.before) : danger.before);
    case 'asset':
      return texts.asset(danger.before);
    case 'amount':
      return texts.amount(`${danger.highest} ${facts.asset}`, String(FAR_ABOVE));
  }
}
