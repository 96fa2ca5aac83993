import { randomBytes } from 'node:crypto';
import { newId } from '@payassent/protocol';
import type { Sent } from '../../stage/service/client.ts';
import { type Action, type Actions, ownDevice, type Scene } from './act.ts';
import type { Link } from './known-world.ts';

/**
 * Another party's resource must be indistinguishable from an absent one: the same call twice, with their id and with an
 * unknown one.
 */
async function askBoth(
  scene: Scene,
  method: string,
  path: (id: string) => string,
  foreign: string,
  absent: string,
  sent: Sent,
): Promise<void> {
  const pair = scene.world.nextName();
  await scene.callAs({ note: `foreign ${pair}` })(method, path(foreign), sent);
  await scene.callAs({ note: `absent ${pair}` })(method, path(absent), sent);
}

function absentId(prefix: 'pr' | 'con' | 'rcp' | 'whe' | 'ap' | 'pol' | 'agt'): string {
  return newId(prefix, Date.now(), (length) => randomBytes(length));
}

/** Two connections of different tenants and different wallets. */
function strangers(scene: Scene): { own: Link; other: Link } | undefined {
  const own = scene.random.pick(scene.world.links.filter((link) => !link.isRevoked));
  const other = scene.random.pick(
    scene.world.links.filter((link) => link.tenant !== own?.tenant && link.wallet !== own?.wallet),
  );
  return own && other ? { own, other } : undefined;
}

const asConnection: Action = async (scene) => {
  const pair = strangers(scene);
  const id = pair && scene.random.pick(pair.other.requests)?.requestId;
  if (!pair || id === undefined) return;
  const path = (each: string) => `/v1/payment-requests/${encodeURIComponent(each)}`;
  await askBoth(scene, 'GET', path, id, absentId('pr'), { bearer: pair.own.token });
};

const asWallet: Action = async (scene) => {
  const pair = strangers(scene);
  if (!pair) return;
  const device = ownDevice(pair.own.wallet);
  const id = scene.random.pick(pair.other.requests)?.requestId;
  if (id !== undefined) {
    const path = (each: string) => `/v1/payment-requests/${encodeURIComponent(each)}/status`;
    await askBoth(scene, 'POST', path, id, absentId('pr'), { device, body: { status: 'rejected' } });
  }
  const connection = (each: string) => `/v1/connections/${each}`;
  const body = { status: 'paused' };
  await askBoth(scene, 'PATCH', connection, pair.other.connectionId, absentId('con'), { device, body });
};

const asMerchant: Action = async (scene) => {
  const pair = strangers(scene);
  if (!pair) return;
  const { session } = pair.own.tenant.merchant;
  const { tenant } = pair.other;
  const request = scene.random.pick(pair.other.requests)?.requestId;
  const look = (folder: string, foreign: string | undefined, prefix: Parameters<typeof absentId>[0]) =>
    foreign === undefined
      ? Promise.resolve()
      : askBoth(
          scene,
          'GET',
          (each) => `/v1/${folder}/${encodeURIComponent(each)}`,
          foreign,
          absentId(prefix),
          { session },
        );
  await look('payment-requests', request, 'pr');
  await look('recipients', tenant.payees[0]?.recipientId, 'rcp');
  await look('agents', tenant.agents[0]?.agentId, 'agt');
  await look('webhook-endpoints', tenant.endpoints[0]?.endpointId, 'whe');
};

const asProject: Action = async (scene) => {
  const pair = strangers(scene);
  if (!pair) return;
  const { apiKey } = pair.own.agent;
  const payment = scene.random.pick(pair.other.payments)?.id;
  if (payment !== undefined)
    await askBoth(scene, 'GET', (each) => `/v1/agent-payments/${each}`, payment, absentId('ap'), { apiKey });
  const policy = pair.other.policy?.id;
  if (policy !== undefined) {
    const path = (each: string) => `/v1/automation-policies/${each}`;
    await askBoth(scene, 'GET', path, policy, absentId('pol'), { apiKey });
  }
};

export const STRANGER_ACTIONS: Actions = [
  ['stranger with a connection token', asConnection, 3],
  ['stranger with a wallet', asWallet, 3],
  ['stranger with a merchant session', asMerchant, 3],
  ['stranger with a project key', asProject, 3],
];
