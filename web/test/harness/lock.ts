import type { Page } from 'playwright-core';
import { addAuthenticator } from './authenticator.ts';
import { openTab } from './wallet.ts';

/** The dialog of the lock, for every purpose. */
export const lockDialog = (page: Page) => page.getByRole('dialog', { name: 'Is it you?' });

export async function enterPin(page: Page, pin: string): Promise<void> {
  const dialog = lockDialog(page);
  await dialog.getByLabel('PIN').fill(pin);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
}

/** The right PIN closes the dialog. */
export async function unlock(page: Page, pin: string): Promise<void> {
  await enterPin(page, pin);
  await lockDialog(page).waitFor({ state: 'detached' });
}

export async function turnAway(page: Page): Promise<void> {
  await lockDialog(page).getByRole('button', { name: 'Cancel' }).click();
  await lockDialog(page).waitFor({ state: 'detached' });
}

export const lockCard = (page: Page) => page.getByRole('region', { name: 'Lock before approvals' });

export async function fillPin(page: Page, pin: string, again = pin): Promise<void> {
  const card = lockCard(page);
  await card.getByLabel('Lock of this device').selectOption('pin');
  await card.getByLabel('New PIN').fill(pin);
  await card.getByLabel('Repeat the PIN').fill(again);
}

export async function setPin(page: Page, pin: string, above?: string): Promise<void> {
  await openTab(page, 'Security');
  await fillPin(page, pin);
  const card = lockCard(page);
  if (above !== undefined) {
    await card.getByLabel('Lock before').selectOption('above');
    await card.getByLabel(/^Above this much XLM/).fill(above);
  }
  await card.getByRole('button', { name: 'Set this lock' }).click();
  await card.getByText('The lock is set.').waitFor();
}

/** Everything that this page could read from the browser's storage, keys included, as hexadecimal text. */
export function storedBytes(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    const textHex = (text: string) => hex(new TextEncoder().encode(text));
    const walk = async (value: unknown): Promise<string> => {
      if (value instanceof CryptoKey)
        return value.extractable && value.type === 'private'
          ? hex(new Uint8Array(await crypto.subtle.exportKey('pkcs8', value)))
          : '';
      if (value instanceof ArrayBuffer) return hex(new Uint8Array(value));
      if (ArrayBuffer.isView(value)) return hex(new Uint8Array(value.buffer));
      if (typeof value !== 'object' || value === null) return textHex(String(value));
      return (await Promise.all(Object.values(value).map(walk))).join(' ');
    };
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('countersign-wallet');
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => resolve(opening.result);
    });
    const all: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
    for (const store of database.objectStoreNames)
      all.push(
        await new Promise((resolve, reject) => {
          const reading = database.transaction(store).objectStore(store).getAll();
          reading.onerror = () => reject(reading.error);
          reading.onsuccess = () => resolve(reading.result);
        }),
      );
    database.close();
    return walk(all);
  });
}

/** As if the pause had passed: only its stored state matters. */
export function endPause(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('countersign-wallet');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const change = opening.result.transaction('device', 'readwrite');
          const store = change.objectStore('device');
          const read = store.get('lock');
          read.onsuccess = () => store.put({ ...read.result, pausedUntil: 0 }, 'lock');
          change.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
  );
}

export interface CountingAuthenticator {
  /** Whether the authenticator verifies the person from now on. */
  recognise(isUserVerified: boolean): Promise<unknown>;
  /** How often this page has requested a passkey since the last call. */
  asked(): Promise<number>;
}

/** A virtual authenticator, and a count of the page's requests. */
export async function countingAuthenticator(page: Page): Promise<CountingAuthenticator> {
  const { cdp, authenticatorId } = await addAuthenticator(page);
  await page.evaluate(() => {
    const get = navigator.credentials.get.bind(navigator.credentials);
    Object.assign(globalThis, { passkeysAsked: 0 });
    navigator.credentials.get = (asked) => {
      (globalThis as unknown as { passkeysAsked: number }).passkeysAsked += 1;
      return get(asked);
    };
  });
  return {
    recognise: (isUserVerified) => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    asked: () =>
      page.evaluate(() => {
        const counted = globalThis as unknown as { passkeysAsked: number };
        const { passkeysAsked } = counted;
        counted.passkeysAsked = 0;
        return passkeysAsked;
      }),
  };
}
