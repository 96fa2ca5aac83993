// Slow: films a code with a separate browser.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usableAgent } from '@payassent/proof/people/agents';
import { verifiedMerchant } from '@payassent/proof/people/merchants';
import { startService, type TestService } from '@payassent/proof/service/service';
import encodeQr from 'qr';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserReason, picture, startBrowser, type TestBrowser, withoutBrowser } from './harness/browser.ts';
import { agentClient, enrolInBrowser, expectSoundPage, openTab } from './harness/wallet.ts';

const WIDTH = 640;
const HEIGHT = 480;

/** A film of one picture, in the form that Chromium takes for a camera: grey values, then two planes without colour. */
function filmOf(text: string): Buffer {
  const modules = encodeQr(text, 'raw', { border: 4 });
  const scale = Math.floor(HEIGHT / modules.length);
  const picture = Buffer.alloc(WIDTH * HEIGHT, 235);
  modules.forEach((line, y) => {
    line.forEach((isDark, x) => {
      for (let row = 0; isDark && row < scale; row += 1)
        picture.fill(16, (y * scale + row) * WIDTH + x * scale, (y * scale + row) * WIDTH + (x + 1) * scale);
    });
  });
  const colours = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  return Buffer.concat([
    Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420mpeg2\nFRAME\n`),
    picture,
    colours,
  ]);
}

describe.skipIf(withoutBrowser)(`the camera of the wallet${browserReason}`, () => {
  let service: TestService;
  let browser: TestBrowser | undefined;
  let folder: string;
  beforeAll(async () => {
    service = await startService();
    folder = await mkdtemp(join(tmpdir(), 'film-'));
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('reads the pairing code from the screen of the agent', async () => {
    const merchant = await verifiedMerchant(service);
    const agent = agentClient(service, await usableAgent(service, merchant));
    const { pairing_session } = await agent.pairing.start({ requested_scopes: ['payment.requests.create'] });
    const film = join(folder, 'screen.y4m');
    await writeFile(film, filmOf(pairing_session.pairing_uri ?? ''));
    browser = await startBrowser([
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
    ]);
    const { page, complaints } = await browser.visitor();
    await enrolInBrowser(page, service.url, 'Phone');
    await openTab(page, 'Connect');
    await page.getByRole('button', { name: 'Scan a QR code' }).click();
    await page.getByText(merchant.domain).waitFor();
    await expectSoundPage(page);
    await picture(page, 'wallet-scanned');
    const paired = agent.pairing.wait(pairing_session);
    await page.getByRole('button', { name: 'Approve connection' }).click();
    expect((await paired).connection.scopes).toEqual(['payment.requests.create']);
    expect(complaints).toEqual([]);
  });
});
