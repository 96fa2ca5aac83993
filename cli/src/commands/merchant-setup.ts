import {
  type AgentKey,
  type MerchantClient,
  type Network,
  type RecipientInput,
  SCOPES,
  type Scope,
  type WebhookSubscription,
} from '@payassent/sdk';
import { AGENT_OPTIONS, readAgent } from '../clients.ts';
import { type Io, type Options, UsageError } from '../command.ts';
import { merchantCommand } from '../merchant.ts';
import { listing, partyName, plain } from '../output.ts';
import { keptKeyFile, updateProfile } from '../profile.ts';
import { given, readSettings, required, requiredName } from '../settings.ts';

/** One line per record; every list of the merchant has the same form. */
function listCommand<Row>(
  name: string,
  summary: string,
  member: string,
  rows: (client: MerchantClient, options: { signal: AbortSignal }) => AsyncIterable<Row>,
  line: (row: Row) => string,
) {
  return merchantCommand({
    name,
    summary,
    run: () => async (client, options) => {
      const found: Row[] = [];
      for await (const row of rows(client, options)) found.push(row);
      return { document: { [member]: found }, text: found.map(line).join('\n') || 'None yet.' };
    },
  });
}

/** By name or id; without either the only one that is verified. */
async function domainOf(client: MerchantClient, which?: string): Promise<{ domain_id: string }> {
  const found = [];
  for await (const domain of client.domains.each())
    if (
      which === undefined ? domain.status === 'verified' : [domain.domain, domain.domain_id].includes(which)
    )
      found.push(domain);
  if (found.length === 1 && found[0]) return found[0];
  throw new UsageError(
    which === undefined
      ? `Name one of your ${found.length} verified domains with --domain`
      : `No domain ${which}`,
  );
}

type MemoPolicy = NonNullable<RecipientInput['memo_policy']>;

const KEY_OPTIONS = { kid: AGENT_OPTIONS.kid, 'key-file': AGENT_OPTIONS['key-file'] } satisfies Options;

/** Registers and proves the key, and keeps in the profile whose it is. The private half stays in its file. */
async function addKey(
  io: Io,
  values: { readonly profile?: string },
  client: MerchantClient,
  agent: { agentId: string; kid: string; key: AgentKey; keyFile: string | undefined },
) {
  const { agentId, kid, key, keyFile } = agent;
  const { credential } = await client.agents.credentials.add(agentId, { kid, key }, { signal: io.signal });
  updateProfile(io, readSettings(io, values).profileName, {
    agent_id: agentId,
    kid,
    ...(keyFile === undefined ? {} : { key_file: keptKeyFile(keyFile) }),
  });
  return credential;
}

export const commands = [
  merchantCommand({
    name: 'merchant domain add',
    summary: 'register a domain and print what to publish',
    positionals: '<domain>',
    run({ positionals }) {
      const domain = required(positionals[0], 'the domain');
      return async (client, options) => {
        const added = await client.domains.create({ domain }, options);
        const { type, name, value } = added.challenge.dns;
        const text = `Publish this record:\n  ${name} ${type} "${value}"\nThen: payassent merchant domain verify ${domain}`;
        return { document: added, text };
      };
    },
  }),
  merchantCommand({
    name: 'merchant domain verify',
    summary: 'have the service check the record',
    positionals: '<domain or its id>',
    run({ positionals }) {
      const which = required(positionals[0], 'the domain');
      return async (client, options) => {
        const { domain_id } = await domainOf(client, which);
        const verified = await client.domains.verify(domain_id, options);
        const { domain, merchant } = verified;
        const text = `${domain.domain} is ${domain.status}; ${partyName(merchant.name)} is ${merchant.status}.`;
        return { document: verified, text };
      };
    },
  }),
  listCommand(
    'merchant domain list',
    'show the domains with their status',
    'domains',
    (client, options) => client.domains.each({}, options),
    ({ domain_id, status, domain }) => `${domain_id}  ${status}  ${domain}`,
  ),
  merchantCommand({
    name: 'merchant payee add',
    summary: 'fix where the organization is paid, with the domain as evidence, and activate it',
    positionals: '<name>',
    options: {
      network: { type: 'string', placeholder: 'name', summary: 'the network [stellar_testnet]' },
      asset: { type: 'string', placeholder: 'symbol', summary: 'the asset [XLM]' },
      address: { type: 'string', placeholder: 'text', summary: 'where it is paid (needed)' },
      memo: { type: 'string', placeholder: 'text', summary: 'memo, destination tag or comment' },
      'memo-policy': {
        type: 'string',
        placeholder: 'fixed|request',
        summary: 'request: each payment carries a separate memo [fixed]',
      },
      issuer: { type: 'string', placeholder: 'account', summary: 'of a token on Stellar' },
      contract: { type: 'string', placeholder: 'address', summary: 'of a token on an EVM network' },
      domain: {
        type: 'string',
        placeholder: 'domain',
        summary: 'which vouches for it [the only verified one]',
      },
    },
    run({ values, positionals }) {
      const { network = 'stellar_testnet', asset = 'XLM', memo, issuer, contract, domain } = values;
      const input = {
        name: requiredName(positionals[0], 'the name that wallets show'),
        network: network as Network,
        asset,
        address: required(values.address, '--address'),
        ...given({ memo, memo_policy: values['memo-policy'] as MemoPolicy | undefined, issuer, contract }),
      };
      return async (client, options) => {
        const { domain_id } = await domainOf(client, domain);
        const created = await client.recipients.create(input, options);
        const { recipient_id, version } = created.recipient;
        const { recipient_version_id } = created.recipient_version;
        const proof = { recipient_version_id, type: 'domain_proof', source_id: domain_id, version } as const;
        const { evidence } = await client.recipients.verify(recipient_id, proof, options);
        const { evidence_id, evidence_digest } = evidence;
        const chosen = { evidence_id, evidence_digest, version };
        const active = await client.recipients.activate(recipient_id, recipient_version_id, chosen, options);
        return {
          document: active,
          text: `${recipient_id}  ${active.recipient.status}  ${plain(input.name)}`,
        };
      };
    },
  }),
  listCommand(
    'merchant payee list',
    'show the payees of the organization',
    'recipients',
    (client, options) => client.recipients.each({}, options),
    ({ recipient_id, status, name }) => `${recipient_id}  ${status}  ${plain(name)}`,
  ),
  merchantCommand({
    name: 'merchant agent add',
    summary: 'register an agent with a key of keys generate, and activate it',
    positionals: '<name>',
    options: {
      ...KEY_OPTIONS,
      runtime: { type: 'string', placeholder: 'text', summary: 'what it runs on, shown to customers [node]' },
      environment: { type: 'string', placeholder: 'word', summary: 'such as test or staging [test]' },
      scope: {
        type: 'string',
        placeholder: 'scope',
        multiple: true,
        summary: 'a scope that it may request [all]',
      },
    },
    details:
      'Only the public half of the key is sent. The profile keeps the agent, so that payassent connect is next.',
    async run({ values, positionals }, io) {
      const name = requiredName(positionals[0], 'the name that customers see');
      // Problems with the key are reported before anything is registered.
      const keyed = await readAgent(io, readSettings(io, values), { ...values, 'agent-id': 'agt_new' });
      const { runtime = 'node', environment = 'test', scope = SCOPES } = values;
      const input = { name, runtime, environment, allowed_scopes: scope as readonly Scope[] };
      return async (client, options) => {
        const { agent } = await client.agents.create(input, options);
        const credential = await addKey(io, values, client, { ...keyed, agentId: agent.agent_id });
        const next = { status: 'active', version: agent.version } as const;
        const active = (await client.agents.update(agent.agent_id, next, options)).agent;
        const text = listing([
          ['Agent', `${active.agent_id}  ${active.status}`],
          ['Key', `${credential.kid}  ${credential.status}`],
          ['Next', 'payassent connect, with the Connect Key of a customer'],
        ]);
        return { document: { agent: active, credential }, text };
      };
    },
  }),
  listCommand(
    'merchant agent list',
    'show the agents of the organization',
    'agents',
    (client, options) => client.agents.each({}, options),
    ({ agent_id, status, name }) => `${agent_id}  ${status}  ${plain(name)}`,
  ),
  merchantCommand({
    name: 'merchant key add',
    summary: 'register and prove another key of an agent',
    options: { ...KEY_OPTIONS, 'agent-id': AGENT_OPTIONS['agent-id'] },
    async run({ values }, io) {
      const keyed = await readAgent(io, readSettings(io, values), values);
      return async (client) => {
        const credential = await addKey(io, values, client, keyed);
        return { document: { credential }, text: `${credential.kid}  ${credential.status}` };
      };
    },
  }),
  merchantCommand({
    name: 'merchant webhook add',
    summary: 'create a webhook endpoint; its secret is shown this once',
    positionals: '<url>',
    options: {
      event: { type: 'string', placeholder: 'type', multiple: true, summary: 'which events [all]' },
    },
    run({ values, positionals }) {
      const url = required(positionals[0], 'the address');
      const event_types = values.event as readonly WebhookSubscription[] | undefined;
      return async (client, options) => {
        const added = await client.webhooks.create({ url, ...given({ event_types }) }, options);
        const id = added.webhook_endpoint.webhook_endpoint_id;
        const text = `${id}\n${added.secret}\nGive your receiver the secret, then: payassent merchant webhook verify ${id}`;
        return { document: added, text };
      };
    },
  }),
  merchantCommand({
    name: 'merchant webhook verify',
    summary: 'send the challenge to which a receiver must respond',
    positionals: '<endpoint id>',
    run({ positionals }) {
      const id = required(positionals[0], 'the endpoint id');
      return async (client, options) => {
        const verified = await client.webhooks.verify(id, options);
        return { document: verified, text: `${id} is ${verified.webhook_endpoint.status}.` };
      };
    },
  }),
  listCommand(
    'merchant webhook list',
    'show the webhook endpoints',
    'webhook_endpoints',
    (client, options) => client.webhooks.each({}, options),
    ({ webhook_endpoint_id, status, url }) => `${webhook_endpoint_id}  ${status}  ${plain(url)}`,
  ),
];
