import type { ApiKey, Operator, OperatorRole, TeamMember } from '@payassent/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { teamTexts as texts } from '../../texts/portal/team.ts';
import { ConfirmButton } from '../../ui/action-buttons.tsx';
import { Moment } from '../../ui/facts.tsx';
import { TextField } from '../../ui/fields.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Form } from '../../ui/form.tsx';
import { Note } from '../../ui/notes.tsx';
import { Page } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { merchantClient } from '../client.ts';
import { Row, StatusBadge, Table } from '../parts/lists.tsx';
import { useMerchant, useOperator } from '../session.ts';
import { Offered, offered } from '../shell/offered.tsx';

export function TeamPage() {
  const operators = useQuery({
    queryKey: ['operators'],
    queryFn: ({ signal }) => merchantClient.operators.list({ signal }),
  });
  const [leftKeys, setLeftKeys] = useState<readonly ApiKey[]>([]);
  return (
    <Page title={texts.title}>
      <p className="soft">{texts.lead}</p>
      {leftKeys.length === 0 ? null : <LeftKeys keys={leftKeys} />}
      <QueryView query={operators}>
        {(answer) => (
          <Table label={texts.table} heads={Object.values(texts.heads)}>
            {answer.operators.map((operator) => (
              <OperatorRow key={operator.operator_id} operator={operator} onRemoved={setLeftKeys} />
            ))}
          </Table>
        )}
      </QueryView>
      <InviteForm />
    </Page>
  );
}

function LeftKeys({ keys }: { keys: readonly ApiKey[] }) {
  return (
    <Note kind="warn" texts={texts.keys}>
      <ul>
        {keys.map((key) => (
          <li key={key.api_key_id}>
            <ForeignText inline>{key.name}</ForeignText> <code>{key.api_key_id}</code>
          </li>
        ))}
      </ul>
    </Note>
  );
}

interface RowProps {
  operator: TeamMember;
  onRemoved(keys: readonly ApiKey[]): void;
}

function OperatorRow({ operator, onRemoved }: RowProps) {
  const me = useOperator();
  const remove = async () => {
    const { api_keys } = await merchantClient.operators.remove(operator.operator_id);
    onRemoved(api_keys);
    await refresh('operators');
  };
  return (
    <Row>
      <td>
        <ForeignText inline>{operator.email}</ForeignText>
        {operator.operator_id === me.operator_id ? <span className="soft"> ({texts.you})</span> : null}
      </td>
      {texts.roles[operator.role]}
      <td>
        <StatusBadge status={operator.status} />
        {operator.pending_passkeys.map((passkey) => (
          <PendingPasskey key={passkey.passkey_id} operator={operator} passkey={passkey} />
        ))}
      </td>
      <Moment>{operator.created_at}</Moment>
      <div className="row">
        <Offered call="PATCH /v1/merchant-operators/{}">
          <ChangeRole operator={operator} />
        </Offered>
        <Offered call="DELETE /v1/merchant-operators/{}">
          <ConfirmButton
            texts={texts.remove}
            about={<ForeignText>{operator.email}</ForeignText>}
            run={remove}
          />
        </Offered>
      </div>
    </Row>
  );
}

interface PendingPasskeyProps {
  operator: Operator;
  passkey: TeamMember['pending_passkeys'][number];
}

/** A first passkey waits for a day, or for another owner's approval. */
function PendingPasskey({ operator, passkey }: PendingPasskeyProps) {
  const me = useOperator();
  return (
    <div className="stack-tight">
      <span className="soft">
        {texts.passkey.waits} <Moment>{passkey.effective_at}</Moment>
      </span>
      {operator.operator_id === me.operator_id ? null : (
        <Offered call="POST /v1/merchant-passkeys/{}/confirm">
          <ConfirmButton
            texts={texts.passkey}
            about={
              <>
                <ForeignText>{operator.email}</ForeignText>
                <ForeignText>{passkey.name}</ForeignText>
              </>
            }
            kind="usual"
            run={() => merchantClient.passkeys.confirm(passkey.passkey_id)}
            refreshes={['operators']}
          />
        </Offered>
      )}
    </div>
  );
}

function ChangeRole({ operator }: { operator: Operator }) {
  const [role, setRole] = useState<OperatorRole>(operator.role);
  return (
    <ConfirmButton
      texts={texts.change}
      about={
        <>
          <ForeignText>{operator.email}</ForeignText>
          <SelectField label={texts.invite.role} choices={roleChoices()} value={role} onValue={setRole} />
        </>
      }
      kind="usual"
      run={() => merchantClient.operators.changeRole(operator.operator_id, { role })}
      refreshes={['operators']}
    />
  );
}

const inviteTexts = texts.invite;

function roleChoices() {
  return (['viewer', 'developer', 'owner'] as const).map((role) => ({
    value: role,
    label: texts.roles[role],
  }));
}

const InviteForm = offered('POST /v1/merchant-operators', function Invite() {
  const merchant = useMerchant();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<OperatorRole>('viewer');
  const invite = async () => {
    await merchantClient.operators.invite({ email: email.trim(), role });
    setEmail('');
    await refresh('operators');
  };
  if (merchant.status !== 'active') return null;
  return (
    <section className="card section" aria-labelledby="invite-title">
      <h2 id="invite-title">{inviteTexts.title}</h2>
      <Form action={inviteTexts.action} done={inviteTexts.sent} run={invite}>
        <TextField
          label={inviteTexts.email}
          hint={inviteTexts.emailHint}
          name="email"
          type="email"
          maxLength={254}
          required
          value={email}
          onValue={setEmail}
        />
        <SelectField
          label={inviteTexts.role}
          name="role"
          choices={roleChoices()}
          value={role}
          onValue={setRole}
        />
      </Form>
    </section>
  );
});
