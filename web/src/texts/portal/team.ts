import { translated } from '../language.ts';

/** Texts of the pages about people: the team, approvals, and the team member's own sign-in. */
export const teamTexts = translated('teamTexts', {
  title: 'Team',
  lead: 'The people who work for this organization. Owners do everything; developers agents, keys, webhooks and connections; viewers read.',
  table: 'Team members',
  heads: { email: 'Email address', role: 'Role', status: 'Status', since: 'Since', actions: 'Actions' },
  you: 'you',
  roles: { owner: 'Owner', developer: 'Developer', viewer: 'Viewer' },
  invite: {
    title: 'Invite a team member',
    email: 'Email address',
    emailHint: 'A sign-in link is mailed there. All owners get a mail.',
    role: 'Role',
    action: 'Send the invitation',
    sent: 'The invitation is on its way.',
  },
  change: {
    action: 'Change the role',
    title: 'Give another role?',
    text: 'It takes effect with the next call of this team member. They and all owners get a mail.',
    confirm: 'Change the role',
  },
  passkey: {
    waits: 'First passkey, effective from',
    action: 'Confirm the passkey',
    title: 'Confirm this passkey?',
    text: 'Ask the team member, and not by mail, whether they registered it. Once confirmed, it is effective immediately; otherwise after 24 hours. All owners get a mail.',
    confirm: 'Confirm',
  },
  remove: {
    action: 'Remove',
    title: 'Remove this team member?',
    text: 'Every session of this team member in this organization ends immediately. API keys that they made keep working until you revoke them.',
    confirm: 'Remove',
  },
  keys: {
    title: 'API keys that the team member made still work',
    text: 'Agents may depend on them. Decide for each whether to revoke it, under API access:',
  },
});

export const approvalTexts = translated('approvalTexts', {
  title: 'Approvals',
  lead: 'Changes that one owner requested and another one decides, within 24 hours.',
  table: 'Approvals',
  empty: {
    title: 'No pending changes',
    text: 'Where two owners are needed, the changes that one requests are listed here.',
  },
  heads: { act: 'Change', details: 'What exactly', by: 'Requested by', status: 'Status', actions: 'Actions' },
  acts: {
    'recipient.activate': 'Activate a payee',
    'recipient.archive': 'Archive a payee',
    'operator.invite': 'Invite a team member',
    'operator.change_role': 'Change a role',
    'operator.remove': 'Remove a team member',
    'merchant.four_eyes_off': 'No longer require two owners',
    'domain.delete': 'Delete a domain',
  },
  until: 'until',
  decidedBy: 'by',
  own: 'You requested it: another owner decides.',
  approve: {
    action: 'Approve',
    title: 'Carry this out?',
    text: 'Compare what is shown with what you expect. All checks are made again.',
    confirm: 'Approve and carry out',
  },
  reject: { action: 'Reject', title: 'Reject this?', text: 'Nothing is changed.', confirm: 'Reject' },
});

export const safetyTexts = translated('safetyTexts', {
  title: 'Your sign-in',
  passkeys: {
    title: 'Passkeys',
    lead: 'With a passkey you sign in without mail, and someone who reads your mailbox cannot change payees, secrets or team members. Once one is effective, you use it where it matters. Register a second one for the day you lose the first.',
    table: 'Passkeys',
    heads: {
      name: 'Name',
      made: 'Registered',
      effective: 'Effective from',
      used: 'Last used',
      actions: 'Actions',
    },
    pending:
      'Your passkey is not effective yet. Until then nothing needs it. Another owner can confirm it under Team; otherwise it is effective after 24 hours. All owners got a mail with a link that cancels it.',
    none: 'You have no passkey yet.',
    never: 'never',
    name: 'Name',
    nameHint: 'For you: which phone, computer or key it is.',
    add: 'Register a passkey',
    added: 'The passkey is registered.',
    refused: 'No passkey was made. Try again, or with another device.',
    address: 'A browser has passkeys only for a name. Open the portal here:',
    remove: {
      action: 'Remove',
      title: 'Remove this passkey?',
      text: 'It no longer signs you in.',
      confirm: 'Remove',
    },
  },
  sessions: {
    title: 'Where you are signed in',
    table: 'Sessions',
    heads: { place: 'Browser', actions: 'Actions' },
    browser: (name: string, system: string | undefined) =>
      system === undefined ? name : `${name} on ${system}`,
    now: 'now',
    by: { mail: 'Signed in with a mailed link', passkey: 'Signed in with a passkey' },
    here: 'this browser',
    unknown: 'Another program',
    end: {
      action: 'Sign out',
      title: 'Sign out there?',
      text: 'That session and the admin sessions made in it end immediately.',
      confirm: 'Sign out',
    },
  },
});
