import type { Approval } from '@payassent/sdk';
import { approvalTexts as texts } from '../../texts/portal/team.ts';
import { ConfirmButton } from '../../ui/action-buttons.tsx';
import { Moment } from '../../ui/facts.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Page } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { merchantClient } from '../client.ts';
import { PagedTable, Row, StatusBadge, usePages } from '../parts/lists.tsx';
import { useOperator } from '../session.ts';
import { Offered } from '../shell/offered.tsx';

export function ApprovalsPage() {
  const pages = usePages({
    key: ['approvals'],
    read: (cursor, signal) => merchantClient.approvals.list({ limit: 25, ...cursor }, { signal }),
  });
  return (
    <Page title={texts.title}>
      <p className="soft">{texts.lead}</p>
      <PagedTable pages={pages} texts={texts} rows={(page) => page.approvals}>
        {(approval) => <ApprovalRow key={approval.approval_id} approval={approval} />}
      </PagedTable>
    </Page>
  );
}

function ApprovalRow({ approval }: { approval: Approval }) {
  return (
    <Row>
      {texts.acts[approval.act]}
      <Details approval={approval} />
      <td>
        <ForeignText inline>{approval.requested_by_email}</ForeignText>
        <br />
        <Moment>{approval.created_at}</Moment>
      </td>
      <td>
        <StatusBadge status={approval.status} />{' '}
        {approval.status === 'pending' ? (
          <span className="soft nowrap">
            {texts.until} <Moment>{approval.expires_at}</Moment>
          </span>
        ) : null}
        {approval.decided_by_email === null ? null : (
          <span className="soft">
            {texts.decidedBy} <ForeignText inline>{approval.decided_by_email}</ForeignText>
          </span>
        )}
      </td>
      {approval.status === 'pending' ? (
        <Offered call="POST /v1/approvals/{}/approve">
          <Decide approval={approval} />
        </Offered>
      ) : null}
    </Row>
  );
}

/** Everything that the approval would execute: the approving team member sees the address, not a name for it. */
function Details({ approval }: { approval: Approval }) {
  const facts = Object.entries(approval.details).filter(([, value]) => value !== null && value !== undefined);
  return (
    <ul className="plain-list">
      {facts.map(([name, value]) => (
        <li key={name}>
          {name}:{' '}
          <ForeignText inline>{typeof value === 'string' ? value : JSON.stringify(value)}</ForeignText>
        </li>
      ))}
    </ul>
  );
}

function Decide({ approval }: { approval: Approval }) {
  const me = useOperator();
  const decide = (decision: 'approve' | 'reject') => async () => {
    await merchantClient.approvals[decision](approval.approval_id);
    await refresh();
  };
  if (approval.requested_by === me.operator_id) return <span className="soft">{texts.own}</span>;
  return (
    <div className="row">
      {(['approve', 'reject'] as const).map((decision) => (
        <ConfirmButton
          texts={texts[decision]}
          about={
            <>
              <strong>{texts.acts[approval.act]}</strong>
              <Details approval={approval} />
            </>
          }
          key={decision}
          kind={decision === 'approve' ? 'main' : 'danger'}
          run={decide(decision)}
        />
      ))}
    </div>
  );
}
