import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readKeys } from '@payassent/proof/log/public-log';
import { allIntegrated, evidenceOf } from '@payassent/proof/people/evidence';
import { outcome, succeed } from '@payassent/proof/people/merchants';
import { type PaymentStage, paymentStage, pendingRequest, report } from '@payassent/proof/people/payments';
import { deviceOf } from '@payassent/proof/people/wallets';
import type { Body } from '@payassent/proof/service/client';
import { startService, type TestService } from '@payassent/proof/service/service';
import {
  decisionKeyText,
  decisionKeyThumbprint,
  decisionStatement,
  verifyEvidence,
  type WebauthnDecisionKey,
  webauthnChallenge,
} from '@payassent/protocol/evidence';
import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuthenticator } from './harness/authenticator.ts';
import { browserReason, startBrowser, type TestBrowser, withoutBrowser } from './harness/browser.ts';

interface Assertion {
  authenticator_data: string;
  client_data_json: string;
  signature: string;
}

/** A passkey in Chromium's virtual authenticator, on a page of the service. */
async function passkeyOn(page: Page, url: string) {
  const origin = `http://localhost:${new URL(url).port}`;
  await page.goto(`${origin}/verify`);
  const { cdp, authenticatorId } = await addAuthenticator(page);
  const made = await page.evaluate(async () => {
    const credential = (await navigator.credentials.create({
      publicKey: {
        challenge: new Uint8Array(32),
        rp: { id: 'localhost', name: 'Wallet' },
        user: { id: new Uint8Array(8), name: 'user', displayName: 'User' },
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
        authenticatorSelection: { userVerification: 'required', residentKey: 'required' },
      },
    })) as PublicKeyCredential;
    const data = (credential.response as AuthenticatorAttestationResponse).getAuthenticatorData();
    return { data: [...new Uint8Array(data)] };
  });
  // After 37 bytes and the model of the authenticator: the id with its length, then the COSE key.
  const data = Buffer.from(made.data);
  const idLength = data.readUInt16BE(53);
  const key: WebauthnDecisionKey = {
    alg: 'webauthn',
    credential_id: data.subarray(55, 55 + idLength).toString('base64url'),
    public_key: data.subarray(55 + idLength).toString('base64url'),
    rp_id: 'localhost',
    origin,
  };
  const sign = (
    text: string,
    userVerification: 'required' | 'discouraged' = 'required',
  ): Promise<Assertion> =>
    page.evaluate(
      async ({ challenge, userVerification }) => {
        const credential = (await navigator.credentials.get({
          publicKey: { challenge: new Uint8Array(challenge), rpId: 'localhost', userVerification },
        })) as PublicKeyCredential;
        const { authenticatorData, clientDataJSON, signature } =
          credential.response as AuthenticatorAssertionResponse;
        const encode = (bytes: ArrayBuffer) =>
          btoa(String.fromCharCode(...new Uint8Array(bytes)))
            .replaceAll('+', '-')
            .replaceAll('/', '_')
            .replaceAll('=', '');
        return {
          authenticator_data: encode(authenticatorData),
          client_data_json: encode(clientDataJSON),
          signature: encode(signature),
        };
      },
      { challenge: [...webauthnChallenge(text)], userVerification },
    );
  const verifyUser = (isUserVerified: boolean) =>
    cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  return { key, sign, verifyUser };
}

const PASSKEY_PROGRAM = fileURLToPath(new URL('../../docs/verify/passkey.py', import.meta.url));
/** A Python that has Debian's package; another one may come first in the path. */
const python = ['python3', '/usr/bin/python3'].find(
  (program) => spawnSync(program, ['-c', 'import fido2.server, fido2.ctap2']).status === 0,
);
const fidoReason = python === undefined ? ' (left out: python3-fido2 is not installed)' : '';

describe.skipIf(withoutBrowser)(`a passkey of Chromium as decision key${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser;
  let stage: PaymentStage;
  /** The decisions as the bundles have them. */
  const bundled: Body[] = [];
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    stage = await paymentStage(service);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const statementOf = (request: Body, decision: 'approve' | 'reject', decided_at: string) =>
    decisionStatement({
      request_id: request.request_id,
      decision,
      connection_id: request.connection_id,
      device_id: stage.device.device_id,
      facts_digest: request.facts_digest,
      context_digest: null,
      expires_at: request.expires_at,
      decided_at,
    });

  it('approves and rejects, verified by the service, by the evidence, and by a library of other people', async () => {
    const { page } = await browser.visitor();
    const { key, sign, verifyUser } = await passkeyOn(page, service.url);
    const { device_id } = stage.device;
    const proof = await sign(decisionKeyText(service.url, device_id, decisionKeyThumbprint(key)));
    const set = await succeed(
      service.call('PUT', `/v1/wallet-devices/${device_id}/decision-key`, {
        device: deviceOf(stage.device),
        body: { decision_key: key, proof: { webauthn: proof } },
      }),
    );
    expect(set.body.device.decision_key).toMatchObject({ alg: 'webauthn' });

    for (const [decision, status] of [
      ['approve', 'signed'],
      ['reject', 'rejected'],
    ] as const) {
      const request = await pendingRequest(service, stage);
      const decided_at = service.clock.now().toISOString();
      const statement = statementOf(request, decision, decided_at);
      const send = (webauthn: Assertion) =>
        report(service, stage, request.request_id, { status, decision: { decided_at, webauthn } });
      // Another statement, and one without user verification.
      const other = await sign(statementOf({ ...request, facts_digest: 'sha256:0' }, decision, decided_at));
      expect(outcome(await send(other))).toBe('422 decision_signature_invalid');
      await verifyUser(false);
      const unverified = await sign(statement, 'discouraged');
      await verifyUser(true);
      expect((await send(unverified)).body.error.details.reason).toBe('user_not_verified');
      const assertion = await sign(statement);
      await succeed(send(assertion));
      await allIntegrated(service);
      const bundle = await evidenceOf(service, request.request_id, { bearer: stage.connectionToken });
      const { claims } = verifyEvidence(bundle, { keys: await readKeys(service.url) });
      expect(claims).toContainEqual(expect.objectContaining({ claim: 'decision', status: 'holds' }));
      expect(await isAcceptedElsewhere(key, statement, assertion)).toBe(true);
      await expect(isAcceptedElsewhere(key, `${statement} `, assertion)).rejects.toThrow('challenge');
      bundled.push(JSON.parse(bundle).decision);
    }
  });

  it(`is accepted by Debian's python3-fido2, which refuses another statement, origin or signature${fidoReason}`, () => {
    if (python === undefined) return;
    expect(bundled).toHaveLength(2);
    for (const decision of bundled) {
      const judge = (change: Body = {}) => {
        const input = JSON.stringify({ ...decision, ...change });
        return spawnSync(python, ['-B', PASSKEY_PROGRAM], { input, encoding: 'utf8' }).stdout.trim();
      };
      const { key, webauthn, statement } = decision;
      expect(judge()).toBe('accepted');
      expect(judge({ statement: `${statement} ` })).toBe('refused: Wrong challenge in response.');
      expect(judge({ key: { ...key, origin: 'https://evil.example' } })).toMatch(/^refused: Invalid origin/);
      const [first, second] = bundled;
      const other = decision === first ? second : first;
      const crossed = { ...webauthn, signature: other?.webauthn.signature };
      expect(judge({ webauthn: crossed })).toBe('refused: Invalid signature.');
      // Without user verification: the flag is in the 33rd byte.
      const data = Buffer.from(webauthn.authenticator_data, 'base64url');
      data[32] = (data[32] ?? 0) & ~0x04;
      const alone = { ...webauthn, authenticator_data: data.toString('base64url') };
      expect(judge({ webauthn: alone })).toMatch(/^refused: User verification required/);
    }
  });
});

async function isAcceptedElsewhere(
  key: WebauthnDecisionKey,
  statement: string,
  assertion: Assertion,
): Promise<boolean> {
  const { verified } = await verifyAuthenticationResponse({
    response: {
      id: key.credential_id,
      rawId: key.credential_id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        authenticatorData: assertion.authenticator_data,
        clientDataJSON: assertion.client_data_json,
        signature: assertion.signature,
      },
    },
    expectedChallenge: Buffer.from(webauthnChallenge(statement)).toString('base64url'),
    expectedOrigin: key.origin,
    expectedRPID: key.rp_id,
    requireUserVerification: true,
    credential: { id: key.credential_id, publicKey: Buffer.from(key.public_key, 'base64url'), counter: 0 },
  });
  return verified;
}
