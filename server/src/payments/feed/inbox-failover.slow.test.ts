import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Cluster,
  HAS_SERVER_PROGRAMS,
  placeOf,
  startPrimary,
  startStandby,
  urlOf,
} from '@payassent/proof/database/servers';
import { type PaymentStage, paymentStage, postRequest } from '@payassent/proof/people/payments';
import { deviceOf } from '@payassent/proof/people/wallets';
import type { Body } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe.runIf(HAS_SERVER_PROGRAMS)(
  'a waiting wallet and a failover (needs the programs of postgresql)',
  () => {
    let folder: string;
    let primary: Cluster;
    let standby: Cluster;
    let service: TestService;
    let stage: PaymentStage;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'svc-failover-'));
      primary = await startPrimary(folder);
      standby = await startStandby(primary, 'sync');
      const { host, port } = placeOf(standby);
      const url = urlOf(placeOf(primary)).replace(/(?<=@[^/]+)(?=\/)/, `,${host}:${port}`);
      service = await startService({ reach: async () => ({ url, close: async () => {} }) });
      stage = await paymentStage(service);
    });
    afterAll(async () => {
      await service?.close();
      await Promise.all([primary?.kill(), standby?.kill()]);
      await rm(folder, { recursive: true, force: true });
    });

    const look = (cursor?: string, wait = 0): Promise<Body> =>
      service
        .call('GET', '/v1/payment-requests', {
          device: deviceOf(stage.device),
          query: { status: 'pending', wait, ...(cursor === undefined ? {} : { cursor }) },
        })
        .then(({ body }) => body);
    const idsIn = (page: Body): string[] =>
      page['payment_requests'].map(({ request_id }: Body) => request_id);
    /** The same create again, until it is acknowledged. */
    const create = async (): Promise<string> => {
      const idempotencyKey = randomUUID();
      let id: string | undefined;
      await expect
        .poll(
          async () => {
            const { status, body } = await postRequest(service, stage, {}, { idempotencyKey });
            id = body.payment_request?.request_id;
            return status;
          },
          { timeout: 60_000 },
        )
        .toBeLessThan(300);
      return id ?? '';
    };

    it('misses nothing with the cursor from before: what came before, meanwhile and after', async () => {
      const first = await create();
      const before = await look(undefined, 1);
      expect(idsIn(before)).toEqual([first]);
      const unseen = await create();
      const waiting = look(before['next_cursor'], 20).catch(() => undefined);
      await primary.kill();
      standby.promote();
      await waiting;
      const later = [await create(), await create()];
      const after = await look(before['next_cursor'], 5);
      expect(idsIn(after)).toEqual(expect.arrayContaining([unseen, ...later]));
      const last = await create();
      expect(idsIn(await look(after['next_cursor'], 5))).toContain(last);
    });
  },
);
