import type { TestAgent } from '@payassent/proof/people/agents';
import { AgentClient, agentKeyFromPem, memoryStore, type Scope } from '@payassent/sdk';
import type { Page } from 'playwright-core';

export { expectSoundPage } from './browser.ts';

/** The agent's side, as an integrator would write it. */
export function agentClient(service: { url: string }, agent: TestAgent): AgentClient {
  const pem = agent.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  return new AgentClient({
    baseUrl: service.url,
    agentId: agent.agentId,
    kid: agent.kid,
    key: agentKeyFromPem(pem),
    store: memoryStore(),
  });
}

/** From an empty browser into a new wallet; returns the recovery code. */
export async function enrolInBrowser(page: Page, url: string, deviceName: string): Promise<string> {
  await page.goto(`${url}/wallet`);
  const code = await createWallet(page, deviceName);
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  return code;
}

/** Starts on any page of a browser without a wallet; that page is shown when the wallet exists. */
export async function createWallet(page: Page, deviceName: string): Promise<string> {
  // Where a link to a request was opened, joining is offered first.
  const fresh = page.getByRole('tab', { name: 'New wallet' });
  if ((await fresh.getAttribute('aria-selected')) !== 'true') await fresh.click();
  await page.getByLabel('Name of this device').fill(deviceName);
  await page.getByRole('button', { name: 'Create wallet' }).click();
  await page.getByRole('heading', { name: 'Keep your recovery code' }).waitFor();
  return keepRecoveryCode(page);
}

/** Proves to have the recovery code that is shown, and returns it. */
export async function keepRecoveryCode(page: Page): Promise<string> {
  const code = (await page.locator('[data-secret=recovery-code]').textContent()) ?? '';
  await page.getByLabel('Last four characters of the code').fill(code.slice(-4));
  await page.getByRole('button', { name: 'Open the wallet' }).click();
  return code;
}

export async function openTab(page: Page, name: string): Promise<void> {
  // On a phone the sheet is alone, with a way back above it.
  const back = page.getByRole('link', { name: /^(Back to the inbox|Done)$/ });
  const bar = page.getByRole('navigation', { name: 'Wallet' });
  if (!(await bar.isVisible()) && (await back.count()) > 0) await back.click();
  const link = bar.getByRole('link', { name });
  await bar.waitFor();
  // A phone's bar has no room for all of them.
  if (await link.isVisible()) return link.click();
  await bar.getByRole('link', { name: 'More' }).click();
  await page.getByRole('navigation', { name: 'More pages' }).getByRole('link', { name }).click();
}

/** Details are folded where a verified domain vouches for the payee. */
export async function openDetails(page: Page): Promise<void> {
  await page.locator('.sheet-details, .said-rest').first().waitFor();
  await page.evaluate(() => {
    for (const folded of document.querySelectorAll('details')) folded.open = true;
  });
}

/** The agent shows a code, the person enters it and approves. */
export async function pairInBrowser(
  page: Page,
  agent: AgentClient,
  scopes: readonly Scope[] = ['payment.requests.create', 'payment.requests.read'],
): Promise<Awaited<ReturnType<AgentClient['pairing']['wait']>>> {
  const started = await agent.pairing.start({ requested_scopes: scopes });
  await openTab(page, 'Connect');
  await page.getByLabel('Code or pairing link').fill(started.pairing_session.code ?? '');
  await page.getByRole('button', { name: 'Find the agent' }).click();
  await page.getByRole('button', { name: 'Approve connection' }).click();
  return agent.pairing.wait(started.pairing_session);
}

/** Another device of the wallet endorses the new one, by the codes that both show. */
export async function confirmDevice(fresh: Page, known: Page): Promise<void> {
  await openTab(fresh, 'Security');
  await fresh.getByText('Confirm this device on another one').waitFor();
  const request = (await fresh.locator('code').filter({ hasText: 'key-request:' }).textContent()) ?? '';
  await openTab(known, 'Devices');
  await known.getByLabel('Code of the new device').fill(request);
  await known.getByRole('button', { name: 'Confirm another device' }).click();
  await known.getByRole('button', { name: 'Confirm it' }).click();
  const answer = known.locator('code').filter({ hasText: 'key-answer:' });
  await fresh.getByLabel('Response of the other device').fill((await answer.textContent()) ?? '');
  await fresh.getByRole('button', { name: 'Confirm this device' }).click();
  await fresh.locator('[data-fact=decision-key]').waitFor();
}

/** Presses Tab until the element with this name has the focus, as a person without a mouse does. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let step = 0; step < 80; step += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined;
      return element?.getAttribute('aria-label') ?? label ?? element?.textContent?.trim() ?? '';
    });
    if (typeof name === 'string' ? focused === name : name.test(focused)) return;
  }
  throw new Error(`the keyboard does not reach ${String(name)}`);
}

/** Approval waits for the checks of the payee. */
export async function approvable(page: Page, amount: string): Promise<void> {
  await page.locator(`button:enabled[aria-label="Approve ${amount}"]`).waitFor();
}

/** The parts of the approval sheet that are not wholly inside the unscrolled window. */
export function outOfSight(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const bar = document.querySelector('.decision-bar')?.getBoundingClientRect();
    const essential = [
      ...document.querySelectorAll('.sheet-agent, .amount, .sheet-payee, [data-fact=network]'),
    ];
    const buttons = [...document.querySelectorAll('.decision-bar button')];
    const isOut = (element: Element, bottom: number) => {
      const box = element.getBoundingClientRect();
      return box.height === 0 || box.top < 0 || box.left < 0 || box.right > innerWidth || box.bottom > bottom;
    };
    return [
      ...essential.filter((element) => isOut(element, bar?.top ?? 0)),
      ...buttons.filter((element) => isOut(element, innerHeight)),
      ...(essential.length === 4 && buttons.length === 2 && scrollY === 0 ? [] : [document.body]),
    ].map((element) => element.className || element.tagName);
  });
}

/** Everything that the browser keeps or shows in its address, except IndexedDB, which is meant for it. */
export async function plainStorage(page: Page): Promise<string> {
  return page.evaluate(() =>
    JSON.stringify([
      location.href,
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      history.state,
    ]),
  );
}
