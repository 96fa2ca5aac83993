import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEV_PORTS, type DevWorld, freePort, startDevWorld } from '@payassent/world';
import { connectAgent, type DemoConnection } from '../demo/connect-steps.ts';
import { COUNTER, type DemoMerchant, fixPayee, MERCHANT, setUpMerchant } from '../demo/merchant-steps.ts';
import { createStage } from '../demo/stage.ts';
import type { RunningWorld } from './world-file.ts';

const BEANS = { name: 'Blue Door Coffee, beans by post', memo: 'subscription 7' };

/** A world with everything in it that a first payment needs. */
export interface SeededWorld {
  dev: DevWorld;
  merchant: DemoMerchant;
  connected: DemoConnection;
  /** With which a browser's wallet becomes another device of the connected wallet. */
  linkCode: string;
  running: RunningWorld;
  /** Ends it; its data are temporary. */
  stop(): Promise<void>;
}

/** Starts the surroundings on free ports, the usual ones where they are, and walks what the demo walks, in silence. */
export async function startSeededWorld(options: {
  signal: AbortSignal;
  say(text: string): void;
}): Promise<SeededWorld> {
  const { signal, say } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'payassent-dev-'));
  const removeData = () => rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
  let isSeeded = false;
  let dev: DevWorld | undefined;
  try {
    const usual = async (port: number) => freePort(port).catch(() => freePort());
    dev = await startDevWorld({
      dataDir,
      signal,
      isMovable: true,
      say: (text) => void (isSeeded && say(text)),
      ports: {
        service: await usual(DEV_PORTS.service),
        viewer: await usual(DEV_PORTS.viewer),
        webhooks: await usual(DEV_PORTS.webhooks),
        dns: 0,
        smtp: 0,
      },
    });
    const stage = createStage({
      world: dev.world,
      signal,
      tell: () => undefined,
      pause: async () => undefined,
    });
    const merchant = await setUpMerchant(stage);
    const second = await fixPayee(stage, merchant.client, merchant.domainId, BEANS);
    const connected = await connectAgent(stage, merchant.client);
    const { link_code: linkCode } = await connected.wallet.devices.createLinkCode({ signal });
    isSeeded = true;
    const { world, viewer, stop } = dev;
    return {
      dev,
      merchant,
      connected,
      linkCode,
      running: {
        pid: process.pid,
        service: world.service.url,
        viewer: viewer.url,
        webhooks: world.webhooks.url,
        merchant: MERCHANT,
        payees: [
          { recipient_id: merchant.recipientId, name: COUNTER.name },
          { recipient_id: second.recipientId, name: BEANS.name },
        ],
      },
      async stop() {
        await stop();
        await removeData();
      },
    };
  } catch (error) {
    await dev?.stop();
    await removeData();
    throw error;
  }
}

/** What the profile of the world holds: every command works with it. */
export function profileOf({ running, merchant, connected }: SeededWorld) {
  const { agentId, kid, connectionId, connectionToken, device } = connected;
  const cookie = merchant.client.sessions.cookie();
  return {
    base_url: running.service,
    agent_id: agentId,
    kid,
    connection_id: connectionId,
    connection_token: connectionToken,
    device_id: device.deviceId,
    device_token: device.deviceToken,
    ...(cookie === undefined ? {} : { session_cookie: cookie }),
  };
}
