import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectInvitation, isApiError, type PairingSession } from '@payassent/sdk';
import { listing, type Paint, partyName, plain } from '../output.ts';
import type { Simulation } from './simulation.ts';

const LOOK_EVERY_MS = 400;

/** Decides the requests of agents that claimed one of this wallet's Connect Keys, as long as the simulation runs. */
export async function watchInvitations(sim: Simulation): Promise<void> {
  const { signal } = sim;
  const skipped = new Set<string>();
  for (;;) {
    await decideInvitations(sim, skipped);
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

/** Decides what waits now. */
export async function decideInvitations(sim: Simulation, skipped = new Set<string>()): Promise<void> {
  const { wallet, signal } = sim;
  for await (const invitation of wallet.invitations.each({ status: 'pending_approval' }, { signal }))
    if (!skipped.has(invitation.connect_invitation_id)) await decideInvitation(sim, invitation, skipped);
}

async function decideInvitation(
  { wallet, output, paint, decider, connections, signal }: Simulation,
  invitation: ConnectInvitation,
  skipped: Set<string>,
): Promise<void> {
  const { connect_invitation_id: id } = invitation;
  output.step(
    { type: 'invitation', connect_invitation: invitation },
    describeAsker('Connection request', invitation, paint),
  );
  const decision = await decider.decide(connections, 'Connect?');
  if (decision === 'skip') {
    skipped.add(id);
    return;
  }
  try {
    const { connect_invitation } =
      decision === 'approve'
        ? await wallet.invitations.approve(id, {}, { signal })
        : await wallet.invitations.reject(id, { signal });
    const { status } = connect_invitation;
    output.step({ type: 'invitation_decided', connect_invitation_id: id, status }, `Connection ${status}.`);
  } catch (error) {
    // Another device was faster, or its time was over.
    if (!isApiError(error, 'invitation_closed')) throw error;
  }
}

/** Finds the session behind a code that an agent shows, and decides it. */
export async function decidePairing(sim: Simulation, code: string): Promise<void> {
  const { wallet, output, paint, decider, connections, signal } = sim;
  const { pairing_session } = await wallet.pairing.find(code, { signal });
  const { pairing_session_id: id } = pairing_session;
  output.step({ type: 'pairing', pairing_session }, describeAsker('Pairing request', pairing_session, paint));
  const decision = await decider.decide(connections, 'Pair?');
  if (decision === 'skip') return;
  if (decision === 'approve') await wallet.pairing.approve(id, { code }, { signal });
  else await wallet.pairing.reject(id, { code }, { signal });
  const status = decision === 'approve' ? 'approved' : 'rejected';
  output.step({ type: 'pairing_decided', pairing_session_id: id, status }, `Pairing ${status}.`);
}

type Asker = Pick<ConnectInvitation & PairingSession, 'agent' | 'merchant' | 'requested_scopes'>;

export function describeAsker(
  title: string,
  { agent, merchant, requested_scopes }: Asker,
  paint: Paint,
): string {
  const rows = listing(
    [
      ['Agent', partyName(agent.name)],
      ['Of', `${partyName(merchant.name)} (${plain(merchant.verified_domain ?? 'no verified domain')})`],
      ['Wants', plain(requested_scopes.join(', '))],
    ],
    '  ',
    paint.columns,
  );
  return `${title}\n${rows}`;
}
