import { randomBytes } from 'node:crypto';
import { startService, type TestService } from '@payassent/proof/service/service';
import { ed25519PublicKey, encodeBase64Url, signEd25519 } from '@payassent/protocol';
import {
  authorizeChange,
  ChangePendingError,
  type DecisionKey,
  type KeySigner,
  keyText,
  keyThumbprint,
  signText,
  WalletClient,
} from '@payassent/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

interface Made {
  key: DecisionKey;
  sign(text: string): Promise<{ signature: string }>;
}

function newKey(): Made {
  const seed = new Uint8Array(randomBytes(32));
  const key: DecisionKey = { alg: 'Ed25519', public_key: encodeBase64Url(ed25519PublicKey(seed)) };
  const sign = async (text: string) => ({
    signature: await signText(text, (bytes) => signEd25519(bytes, seed)),
  });
  return { key, sign };
}

async function change(deviceId: string, { key, sign }: Made) {
  return { decision_key: key, proof: (await sign(keyText(service.url, deviceId, key))).signature };
}

async function keyedWallet() {
  const options = { baseUrl: service.url };
  const { client, device, token } = await WalletClient.enrol(options, { name: 'Phone' });
  const deviceId = device.device_id;
  const made = newKey();
  await client.devices.setDecisionKey(await change(deviceId, made));
  const signer: KeySigner = { deviceId, sign: made.sign };
  const signing = new WalletClient({ ...options, deviceToken: token, deviceId, signer });
  const { link_code } = await client.devices.createLinkCode();
  const second = await WalletClient.enrol(options, { name: 'Tablet', link_code });
  return { client, signing, deviceId, made, signer, second };
}

it('a client without a signer learns that its change is pending, and any device can cancel it', async () => {
  const { client, second, deviceId } = await keyedWallet();
  const next = await change(deviceId, newKey());
  const attempts = [
    () => client.devices.setDecisionKey(next),
    () => client.devices.removeDecisionKey(),
    () => client.devices.createRecoveryCode(),
    () => second.client.devices.delete(deviceId),
  ];
  const acts: string[] = [];
  for (const attempt of attempts) {
    const error = await attempt().then(
      () => undefined,
      (caught: unknown) => caught,
    );
    if (!(error instanceof ChangePendingError)) throw error;
    acts.push(error.pendingChange.act);
  }
  expect(acts).toEqual(['set_key', 'remove_key', 'recovery_code', 'delete_device']);
  for (const { change_id } of await client.pendingChanges.list()) {
    const { pending_change } = await second.client.pendingChanges.cancel(change_id);
    expect(pending_change.status).toBe('cancelled');
  }
});

it('a client with the key of its device authorizes every change of the keys', async () => {
  const { signing, second, deviceId, made, signer } = await keyedWallet();
  expect((await signing.devices.createRecoveryCode()).recovery_code).toMatch(/^svc_rc_/);
  const tablet = second.device.device_id;
  const other = newKey();
  const allowed = await authorizeChange(service.url, signer, {
    act: 'set_key',
    deviceId: tablet,
    thumbprint: keyThumbprint(other.key),
  });
  const set = await second.client.devices.setDecisionKey({
    ...(await change(tablet, other)),
    authorization: allowed,
  });
  expect(set.device.decision_key?.endorsed_by).toBe(deviceId);
  expect((await signing.devices.delete(tablet)).device.status).toBe('revoked');
  const next = newKey();
  const replaced = await signing.devices.setDecisionKey(await change(deviceId, next));
  expect(replaced.device.decision_key).toMatchObject({ thumbprint: keyThumbprint(next.key) });
  expect(keyThumbprint(made.key)).not.toBe(keyThumbprint(next.key));
  const authorization = await authorizeChange(
    service.url,
    { deviceId, sign: next.sign },
    { act: 'remove_key', deviceId, thumbprint: keyThumbprint(next.key) },
  );
  expect((await signing.devices.removeDecisionKey({ authorization })).device.decision_key).toBeNull();
  expect(await signing.pendingChanges.list()).toEqual([]);
});
