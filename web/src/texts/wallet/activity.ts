import type { AuditEventType } from '@payassent/sdk';
import { translated } from '../language.ts';

export const activity = translated('activity', {
  title: 'Recent activity of this wallet',
  lead: 'Everything that changed a right or a secret of this wallet in the last 400 days. If a line is not yours, remove the device that did it.',
  empty: 'Nothing yet.',
  older: 'Show older',
  from: (address: string) => `from ${address}`,
  thisDevice: 'This device',
  otherDevice: 'Another device of this wallet',
  actors: {
    agent: 'An agent',
    system: 'The service itself',
    installation: 'The operator of this service',
  } as Record<string, string>,
});

/** As the end of a sentence that begins with who did it. What is not here never concerns a wallet. */
export const activityActs = translated<Partial<Record<AuditEventType, string>>>('activityActs', {
  'device.enrolled': 'joined this wallet',
  'device.token_rotated': 'renewed its access',
  'device.deleted': 'removed a device',
  'device.link_code_created': 'made a code to link a device',
  'device.recovery_code_used': 'used the recovery code',
  'device.recovery_code_replaced': 'made a new recovery code',
  'device.decision_key_set': 'set the key that signs its decisions',
  'device.push_set': 'asked to be rung',
  'device.push_removed': 'asked not to be rung any more',
  'connect_key.created': 'made a Connect Key',
  'connect_key.withdrawn': 'withdrew a Connect Key',
  'connect_invitation.claimed': 'asked to connect with a Connect Key',
  'connect_invitation.approved': 'approved a connection',
  'connect_invitation.rejected': 'refused a connection',
  'connect_invitation.exchanged': 'took up an approved connection',
  'pairing_session.approved': 'approved a pairing',
  'pairing_session.rejected': 'refused a pairing',
  'connection.created': 'connected an agent',
  'connection.paused': 'paused a connection',
  'connection.resumed': 'resumed a connection',
  'connection.revoked': 'ended a connection',
  'connection.token_rotated': 'renewed an agent’s access',
  'connection.token_collected': 'collected its renewed access',
  'automation_policy.created': 'proposed a policy',
  'automation_policy.updated': 'changed a policy',
  'automation_policy.activated': 'agreed to a policy',
  'automation_policy.paused': 'paused a policy',
  'automation_policy.resumed': 'resumed a policy',
  'automation_policy.expired': 'closed a policy whose time was over',
  'automation_policy.revoked': 'ended a policy',
});
