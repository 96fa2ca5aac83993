import type { AuditEvent, AuditEventType } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
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
  const emails = useEmails();
  return (
    <Page title={texts.title}>
      <p className="soft">{texts.lead}</p>
      <FilterForm filters={{ type, targetId }} onChange={setFilters} />
      <PagedTable
        pages={pages}
        texts={texts}
        rows={(page) => page.audit_events}
        isFiltered={type !== undefined || targetId !== ''}
      >
        {(event) => <AuditRow key={event.audit_event_id} event={event} emails={emails} />}
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
  const [targetId, setTargetId] = useState(filters.targetId);
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

type Emails = ReadonlyMap<string, string>;

/** Addresses of present team members; one who has left is known by the id alone. */
function useEmails(): Emails {
  const query = useQuery({
    queryKey: ['operators'],
    queryFn: ({ signal }) => merchantClient.operators.list({ signal }),
  });
  return new Map(query.data?.operators.map(({ operator_id, email }) => [operator_id, email]));
}

function AuditRow({ event, emails }: { event: AuditEvent; emails: Emails }) {
  const { actor, target } = event;
  const place = PLACES[target.type];
  return (
    <Row>
      <Moment>{event.occurred_at}</Moment>
      <Who kind={actor.kind} id={actor.id} email={emails.get(actor.id ?? '')} />
      <td className="what-cell">
        {auditActs[event.type] ?? event.type}
        <Details event={event} />
      </td>
      {place === undefined ? (
        <Named id={target.id} email={emails.get(target.id)} />
      ) : (
        <Link href={`${place}/${target.id}`}>
          <ShortId>{target.id}</ShortId>
        </Link>
      )}
    </Row>
  );
}

function Who({ kind, id, email }: { kind: string; id: string | null; email: string | undefined }) {
  if (id !== null && email !== undefined) return <Named id={id} email={email} />;
  return (
    <>
      {texts.actors[kind] ?? kind}
      {id === null ? null : (
        <>
          <br />
          <ShortId>{id}</ShortId>
        </>
      )}
    </>
  );
}

/** A team member by address, anything else by its id. */
function Named({ id, email }: { id: string; email: string | undefined }) {
  if (email === undefined) return <ShortId>{id}</ShortId>;
  return (
    <span title={id}>
      <ForeignText inline>{email}</ForeignText>
    </span>
  );
}

/** Shortened by style only: selecting or copying it gives the full id. */
function ShortId({ children }: { children: string }) {
  return (
    <code className="short-id" title={children}>
      {children}
    </code>
  );
}

/** Folded: most readers want to see who did what, and the details of one line only. */
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
