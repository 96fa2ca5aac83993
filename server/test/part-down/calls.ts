import { proveDomain, uniqueDomain, uniqueEmail } from '@payassent/proof/people/merchants';
import { pollRequests, postRequest, readRequest, report } from '@payassent/proof/people/payments';
import { newHash } from '@payassent/proof/people/settlements';
import { deviceOf } from '@payassent/proof/people/wallets';
import { eventsAt } from '@payassent/proof/people/webhooks';
import type { Caller, Received } from '@payassent/proof/service/client';
import type { Site } from './site.ts';

/** The immediate result of a call, and what must have come of it afterwards. */
export interface Trial {
  told: string;
  hasCome?(): boolean | Promise<boolean>;
  /** It did not come for now and is put off, so that there is nothing to wait for before the part is back. */
  isPutOff?(): Promise<boolean>;
}

export interface Call {
  name: string;
  /** It needs room in the database. */
  writes?: true;
  try(site: Site): Promise<Trial>;
}

/** As the SDK does when a connection breaks. */
async function again(call: () => Promise<Received>): Promise<Received> {
  return call().catch(call);
}

const told = ({ status, body }: Received): string => {
  if (status < 300) return 'yes';
  if (status === 503) return '503';
  return `${status} \`${body.error?.code ?? 'not ready'}\``;
};
export const ROOM_LEFT = 'yes or 503';
const worst = (received: readonly Received[]) => received.map(told).find((each) => each !== 'yes') ?? 'yes';

const ask = (site: Site) => again(() => postRequest(site, site.stage));
/** The delivery that failed last. */
async function newestFailure({ call, stage }: Site): Promise<string | undefined> {
  const { session } = stage.merchant;
  const query = { status: 'failed', limit: 1 };
  const { body } = await again(() => call('GET', '/v1/webhook-deliveries', { session, query }));
  return body.webhook_deliveries?.[0]?.delivery_id;
}
const idOf = (made: Received): string => made.body.payment_request?.request_id ?? '';

export const CALLS: readonly Call[] = [
  {
    name: 'A balancer checks `/ready`',
    try: async ({ call }) => ({ told: told(await again(() => call('GET', '/ready'))) }),
  },
  {
    name: 'An agent requests a payment',
    writes: true,
    try: async (site) => ({ told: told(await ask(site)) }),
  },
  {
    name: 'An agent reads and waits',
    async try(site) {
      const { stage, requestId } = site;
      const read = await again(() => readRequest(site, stage, requestId));
      return { told: worst([read, await again(() => pollRequests(site, stage, { wait: 1 }))]) };
    },
  },
  {
    name: 'A wallet reads its inbox',
    async try({ call, stage }) {
      const query = { status: 'pending' };
      return {
        told: told(
          await again(() => call('GET', '/v1/payment-requests', { device: deviceOf(stage.device), query })),
        ),
      };
    },
  },
  {
    name: 'A wallet decides',
    writes: true,
    async try(site) {
      const made = await ask(site);
      if (made.status >= 300) return { told: told(made) };
      return { told: told(await again(() => report(site, site.stage, idOf(made), { status: 'signed' }))) };
    },
  },
  {
    name: 'A merchant works in the portal',
    writes: true,
    try: async ({ call, stage }) => ({
      told: told(
        await again(() => call('GET', '/v1/merchants/current', { session: stage.merchant.session })),
      ),
    }),
  },
  {
    name: 'Signing in by mail',
    writes: true,
    async try({ call, smtp }) {
      const email = uniqueEmail();
      const asked = await again(() =>
        call('POST', '/v1/merchant-accounts/registrations', { body: { email } }),
      );
      return { told: told(asked), hasCome: () => smtp.mails.some(({ to }) => to.includes(email)) };
    },
  },
  {
    name: 'Proving a domain',
    writes: true,
    async try({ call, dns, stage }) {
      const { session } = stage.merchant;
      const patient: Caller = (...args) => again(() => call(...args));
      const outcome = await proveDomain({ call: patient, dns: dns() }, session, uniqueDomain()).then(
        () => 'yes',
        ({ message }: Error) => {
          const [, status = '', code = ''] = /returned (\d+): .*"code":"(\w+)"/.exec(message) ?? [];
          return status === '503' ? '503' : `${status} \`${code}\``;
        },
      );
      return { told: outcome };
    },
  },
  {
    name: 'Webhooks',
    writes: true,
    async try(site) {
      const failedBefore = await newestFailure(site);
      const made = await ask(site);
      const id = idOf(made);
      // Later events of other requests can name this one too.
      const tellsOf = ({ text }: { text: string }) => {
        const { type, data } = JSON.parse(text);
        return type === 'payment_request.created' && data.payment_request.request_id === id;
      };
      return {
        told: told(made),
        hasCome: () => eventsAt(site.hooks).some(tellsOf),
        isPutOff: async () => (await newestFailure(site)) !== failedBefore,
      };
    },
  },
  {
    name: 'The log is cosigned',
    writes: true,
    async try(site) {
      const made = await ask(site);
      if (made.status >= 300) return { told: told(made) };
      const before = Math.max(0, ...site.witness.signed);
      const rejected = await again(() => report(site, site.stage, idOf(made), { status: 'rejected' }));
      return { told: told(rejected), hasCome: () => Math.max(0, ...site.witness.signed) > before };
    },
  },
  {
    name: 'The chain confirms a payment',
    writes: true,
    async try(site) {
      const { stage, horizon } = site;
      const made = await ask(site);
      if (made.status >= 300) return { told: told(made) };
      const [id, tx_hash] = [idOf(made), newHash()];
      const { to, amount } = made.body.payment_request.payment;
      horizon.has(tx_hash, { to, amount });
      const steps = [
        await again(() => report(site, stage, id, { status: 'signed' })),
        await again(() => report(site, stage, id, { status: 'broadcasted', tx_hash })),
      ];
      return {
        told: worst(steps),
        hasCome: async () => {
          const { body } = await again(() => readRequest(site, stage, id));
          return body.payment_request?.settlement?.state === 'final';
        },
      };
    },
  },
];
