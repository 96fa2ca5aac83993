import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DEV_PORTS,
  type DevWorld,
  type DevWorldOptions,
  freePort,
  refuseTakenPort,
  startDevWorld,
} from '@payassent/world';
import { connectAgent, type DemoConnection } from '../demo/connect-steps.ts';
import { createDemoStage } from '../demo/demo-stage.ts';
import { COUNTER, type DemoMerchant, fixPayee, MERCHANT, setUpMerchant } from '../demo/merchant-steps.ts';
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

/** Starts the surroundings and walks what the demo walks, in silence. */
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
    dev = await startSurroundings({
      dataDir,
      signal,
      isMovable: true,
      say: (text) => void (isSeeded && say(text)),
    });
    const stage = createDemoStage({
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

/**
 * On the usual ports, or on free ones when any of these is taken. The receiver's is opened first and kept: of several
 * worlds that start at once, one has all of them, and the others learn it before they start a service.
 */
async function startSurroundings(options: Omit<DevWorldOptions, 'ports'>): Promise<DevWorld> {
  const others = { dns: 0, smtp: 0 };
  try {
    await refuseTakenPort(DEV_PORTS.viewer);
    return await startDevWorld({ ...options, ports: { ...DEV_PORTS, ...others } });
  } catch (error) {
    if (!isPortTaken(error)) throw error;
    const service = await freePort();
    return startDevWorld({ ...options, ports: { service, viewer: 0, webhooks: 0, ...others } });
  }
}

/** By a server of this process, or by the service, which says it in its own words. */
function isPortTaken(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'EADDRINUSE' || /\bPort \d+ on \S+ is taken\b/.test(message);
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
