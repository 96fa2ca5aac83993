import type { Approval, MerchantClient, OperatorRole } from '@payassent/sdk';
import { defineCommand, UsageError } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { change, MERCHANT_OPTIONS, openMerchant } from '../merchant.ts';
import { createOutput } from '../output.ts';
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

/** Operators are named by id or by address. */
async function idOf(client: MerchantClient, which: string): Promise<string> {
  if (!which.includes('@')) return which;
  const { operators } = await client.operators.list();
  const found = operators.find(({ email }) => email === which.toLowerCase());
  if (!found) throw new UsageError(`No operator has the address ${which}`);
  return found.operator_id;
}

export const operatorsList = defineCommand({
  name: 'operators list',
  summary: 'show the people who work for the organization',
  options: MERCHANT_OPTIONS,
  async run(io, { values, isJson }) {
    const client = await openMerchant(io, values, isJson);
    const { operators } = await client.operators.list({ signal: io.signal });
    const rows = operators.flatMap((one) => [
      `${one.operator_id}  ${one.role}  ${one.status}  ${one.email}`,
      ...one.pending_passkeys.map(
        (passkey) =>
          `  ${passkey.passkey_id}  ${passkey.name}  first passkey, effective from ${passkey.effective_at}`,
      ),
    ]);
    createOutput(io, isJson).result({ operators }, rows.join('\n'));
    return EXIT.ok;
  },
});

export const operatorsInvite = defineCommand({
  name: 'operators invite',
  summary: 'invite a person by mail',
  positionals: '<email>',
  options: { ...MERCHANT_OPTIONS, ...ROLE_OPTION },
  async run(io, args) {
    const email = required(args.positionals[0], 'the email address');
    const role = roleOf(args.values.role);
    return change(io, args, async (client) => {
      const { operator } = await client.operators.invite({ email, role }, { signal: io.signal });
      return { document: { operator }, text: `Invited: ${operator.email} as ${operator.role}` };
    });
  },
});

export const operatorsRole = defineCommand({
  name: 'operators role',
  summary: 'give an operator another role',
  positionals: '<operator id or email>',
  options: { ...MERCHANT_OPTIONS, ...ROLE_OPTION },
  async run(io, args) {
    const which = required(args.positionals[0], 'the operator');
    const role = roleOf(args.values.role);
    return change(io, args, async (client) => {
      const id = await idOf(client, which);
      const { operator } = await client.operators.changeRole(id, { role }, { signal: io.signal });
      return { document: { operator }, text: `${operator.email} is ${operator.role} from now on.` };
    });
  },
});

export const operatorsRemove = defineCommand({
  name: 'operators remove',
  summary: 'remove an operator, whose sessions end at once',
  positionals: '<operator id or email>',
  options: MERCHANT_OPTIONS,
  details: 'API keys that the operator made keep working; those that still do are listed.',
  async run(io, args) {
    const which = required(args.positionals[0], 'the operator');
    return change(io, args, async (client) => {
      const removed = await client.operators.remove(await idOf(client, which), { signal: io.signal });
      const keys = removed.api_keys.map((key) => `  still works: ${key.name} (${key.api_key_id})`);
      const text = [`Removed: ${removed.operator.email}`, ...keys].join('\n');
      return { document: removed, text };
    });
  },
});

export const approvalsList = defineCommand({
  name: 'approvals list',
  summary: 'show changes that wait or waited for a second owner',
  options: MERCHANT_OPTIONS,
  async run(io, { values, isJson }) {
    const client = await openMerchant(io, values, isJson);
    const { approvals } = await client.approvals.list({}, { signal: io.signal });
    createOutput(io, isJson).result({ approvals }, approvals.map(line).join('\n') || 'Nothing waits.');
    return EXIT.ok;
  },
});

function line(approval: Approval): string {
  const facts = Object.entries(approval.details).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`],
  );
  return `${approval.approval_id}  ${approval.status}  ${approval.act}  by ${approval.requested_by_email}  ${facts.join(' ')}`;
}

const decision = (name: 'approve' | 'reject', summary: string) =>
  defineCommand({
    name: `approvals ${name}`,
    summary,
    positionals: '<approval id>',
    options: MERCHANT_OPTIONS,
    async run(io, { values, positionals, isJson }) {
      const id = required(positionals[0], 'the approval id');
      const client = await openMerchant(io, values, isJson);
      const { approval } = await client.approvals[name](id, { signal: io.signal });
      createOutput(io, isJson).result({ approval }, line(approval));
      return EXIT.ok;
    },
  });

export const approvalsApprove = decision('approve', 'carry out what another owner asked for');
export const approvalsReject = decision('reject', 'reject what another owner asked for');
