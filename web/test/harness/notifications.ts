import type { Page } from 'playwright-core';

/** The worker's notifications, read by another page of the service, which it does not control. */
export function shown(page: Page): Promise<Array<{ title: string; body: string; icon: string }>> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/wallet');
    return ((await registration?.getNotifications()) ?? []).map(({ title, body, icon }) => ({
      title,
      body,
      icon: new URL(icon).pathname,
    }));
  });
}

/** Hands the text to the real worker, as the browser does when a message has come and been decrypted. */
export async function deliver(page: Page, origin: string, text: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const registrationId = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.endsWith('/wallet'));
      if (own) resolve(own.registrationId);
    }),
  );
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.deliverPushMessage', {
    origin,
    registrationId: await registrationId,
    data: text,
  });
  await session.detach();
}
