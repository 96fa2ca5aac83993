import type { AuditEvent, AuditEventType } from '@payassent/sdk';
import { useState } from 'react';
import { Link } from 'wouter';
import { auditActs, audit as texts } from '../../texts/portal/audit.ts';
import { Button } from '../../ui/button.tsx';
import { Moment } from '../../ui/facts.tsx';
import { TextField } from '../../ui/fields.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Page } from '../../ui/page.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { merchantClient } from '../client.ts';
import { PagedTable, Row, usePages, useUrlFilters } from '../parts/lists.tsx';
import { linesOf } from '../payment-requests/said-by-agent.tsx';

interface Filters {
  type: AuditEventType | undefined;
  targetId: string;
}
const EVERYTHING: Filters = { type: undefined, targetId: '' };

export function AuditPage() {
  const [query, choose] = useUrlFilters();
  const type = TYPES.find((one) => one === query.get('type'));
  const targetId = query.get('target') ?? '';
  const setFilters = (next: Filters) => choose({ type: next.type, target: next.targetId });
  const pages = usePages({
    key: ['audit', type ?? null, targetId],
    read: (cursor, signal) => {
      const query = {
        ...(type === undefined ? {} : { type }),
        ...(targetId === '' ? {} : { target_id: targetId }),
      };
      return merchantClient.audit.list({ limit: 50, ...query, ...cursor }, { signal });
    },
  });
  return (
    <Page title={texts.title}>
      <p className="soft">{texts.lead}</p>
      <FilterForm filters={{ type, targetId }} onChange={setFilters} />
      <PagedTable pages={pages} texts={texts} rows={(page) => page.audit_events}>
        {(event) => <AuditRow key={event.audit_event_id} event={event} />}
      </PagedTable>
    </Page>
  );
}

const TYPES = Object.keys(auditActs) as AuditEventType[];
const typeChoices = () => [
  { value: '' as const, label: texts.filters.anyType },
  ...TYPES.map((type) => ({ value: type, label: auditActs[type] })),
];

function FilterForm({ filters, onChange }: { filters: Filters; onChange(filters: Filters): void }) {
  const [targetId, setTargetId] = useState('');
  return (
    <form
      className="filters"
      onSubmit={(event) => {
        event.preventDefault();
        onChange({ ...filters, targetId: targetId.trim() });
      }}
    >
      <div className="filter">
        <SelectField
          label={texts.filters.type}
          choices={typeChoices()}
          value={filters.type ?? ''}
          onValue={(type) => onChange({ ...filters, type: type === '' ? undefined : type })}
        />
      </div>
      <div className="filter">
        <TextField
          label={texts.filters.target}
          placeholder={texts.filters.targetHint}
          value={targetId}
          onValue={setTargetId}
        />
      </div>
      <Button type="submit">{texts.filters.apply}</Button>
      {filters.type === undefined && filters.targetId === '' ? null : (
        <Button
          kind="plain"
          onClick={() => {
            setTargetId('');
            onChange(EVERYTHING);
          }}
        >
          {texts.filters.clear}
        </Button>
      )}
    </form>
  );
}

const PLACES: Record<string, string> = {
  connection: '/connections',
  webhook_endpoint: '/webhooks',
  automation_policy: '/policies',
  agent: '/agents',
  recipient: '/recipients',
};

function AuditRow({ event }: { event: AuditEvent }) {
  const { actor, target } = event;
  const place = PLACES[target.type];
  return (
    <Row>
      <Moment>{event.occurred_at}</Moment>
      <td>
        {texts.actors[actor.kind] ?? actor.kind}
        {actor.id === null ? null : (
          <>
            <br />
            <ShortId>{actor.id}</ShortId>
          </>
        )}
      </td>
      <td className="what-cell">
        {auditActs[event.type] ?? event.type}
        <Details event={event} />
      </td>
      {place === undefined ? (
        <ShortId>{target.id}</ShortId>
      ) : (
        <Link href={`${place}/${target.id}`}>
          <ShortId>{target.id}</ShortId>
        </Link>
      )}
    </Row>
  );
}

/** Cut only where it is drawn: who selects or copies it has all of it. */
function ShortId({ children }: { children: string }) {
  return (
    <code className="short-id" title={children}>
      {children}
    </code>
  );
}

/** Folded: most readers want to see who did what, and only of one line more. */
function Details({ event }: { event: AuditEvent }) {
  const lines = linesOf(event.details);
  if (lines.length === 0 && event.request_id === null) return null;
  return (
    <details>
      <summary className="soft">{texts.details}</summary>
      <div className="stack-tight">
        {lines.map(({ name, text }) => (
          <span key={name}>
            <span className="soft">{name}:</span> <ForeignText inline>{text}</ForeignText>
          </span>
        ))}
        {event.request_id === null ? null : (
          <span>
            <span className="soft">{texts.reference}</span>{' '}
            <ForeignText inline>{event.request_id}</ForeignText>
          </span>
        )}
      </div>
    </details>
  );
}
