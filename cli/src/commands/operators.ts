import type { Approval, MerchantClient, OperatorRole } from '@payassent/sdk';
import { UsageError } from '../command.ts';
import { merchantCommand } from '../merchant.ts';
import { required } from '../settings.ts';

const ROLES: readonly OperatorRole[] = ['viewer', 'developer', 'owner'];
const ROLE_OPTION = {
  role: { type: 'string', placeholder: 'role', summary: 'owner, developer or viewer' },
} as const;

function roleOf(text: string | undefined): OperatorRole {
  const role = ROLES.find((one) => one === text);
  if (!role) throw new UsageError('Give --role owner, developer or viewer');
  return role;
}

/** Team members are named by id or by address. */
async function idOf(client: MerchantClient, which: string): Promise<string> {
  if (!which.includes('@')) return which;
  const { operators } = await client.operators.list();
  const found = operators.find(({ email }) => email === which.toLowerCase());
  if (!found) throw new UsageError(`No team member has the address ${which}`);
  return found.operator_id;
}

const decision = (name: 'approve' | 'reject', summary: string) =>
  merchantCommand({
    name: `approvals ${name}`,
    summary,
    positionals: '<approval id>',
    run({ positionals }) {
      const id = required(positionals[0], 'the approval id');
      return async (client, options) => {
        const { approval } = await client.approvals[name](id, options);
        return { document: { approval }, text: line(approval) };
      };
    },
  });

export const commands = [
  merchantCommand({
    name: 'operators list',
    summary: 'show the people who work for the organization',
    run: () => async (client, options) => {
      const { operators } = await client.operators.list(options);
      const rows = operators.flatMap((one) => [
        `${one.operator_id}  ${one.role}  ${one.status}  ${one.email}`,
        ...one.pending_passkeys.map(
          (passkey) =>
            `  ${passkey.passkey_id}  ${passkey.name}  first passkey, effective from ${passkey.effective_at}`,
        ),
      ]);
      return { document: { operators }, text: rows.join('\n') };
    },
  }),
  merchantCommand({
    name: 'operators invite',
    summary: 'invite a person by mail',
    positionals: '<email>',
    options: ROLE_OPTION,
    run({ positionals, values }) {
      const email = required(positionals[0], 'the email address');
      const role = roleOf(values.role);
      return async (client, options) => {
        const { operator } = await client.operators.invite({ email, role }, options);
        return { document: { operator }, text: `Invited: ${operator.email} as ${operator.role}` };
      };
    },
  }),
  merchantCommand({
    name: 'operators role',
    summary: 'give a team member another role',
    positionals: '<operator id or email>',
    options: ROLE_OPTION,
    run({ positionals, values }) {
      const which = required(positionals[0], 'the operator');
      const role = roleOf(values.role);
      return async (client, options) => {
        const { operator } = await client.operators.changeRole(await idOf(client, which), { role }, options);
        return { document: { operator }, text: `${operator.email} is ${operator.role} from now on.` };
      };
    },
  }),
  merchantCommand({
    name: 'operators remove',
    summary: 'remove a team member, whose sessions end immediately',
    positionals: '<operator id or email>',
    details: 'API keys that the team member made keep working; those that still do are listed.',
    run({ positionals }) {
      const which = required(positionals[0], 'the operator');
      return async (client, options) => {
        const removed = await client.operators.remove(await idOf(client, which), options);
        const keys = removed.api_keys.map((key) => `  still works: ${key.name} (${key.api_key_id})`);
        return { document: removed, text: [`Removed: ${removed.operator.email}`, ...keys].join('\n') };
      };
    },
  }),
  merchantCommand({
    name: 'approvals list',
    summary: 'show changes that wait or waited for a second owner',
    run: () => async (client, options) => {
      const { approvals } = await client.approvals.list({}, options);
      return { document: { approvals }, text: approvals.map(line).join('\n') || 'Nothing waits.' };
    },
  }),
  decision('approve', 'carry out a change that another owner requested'),
  decision('reject', 'reject a change that another owner requested'),
];

function line(approval: Approval): string {
  const facts = Object.entries(approval.details).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`],
  );
  return `${approval.approval_id}  ${approval.status}  ${approval.act}  by ${approval.requested_by_email}  ${facts.join(' ')}`;
}
