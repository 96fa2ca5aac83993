import {
  type AgentKey,
  type MerchantClient,
  type Network,
  SCOPES,
  type Scope,
  type WebhookSubscription,
} from '@payassent/sdk';
import { AGENT_OPTIONS, readAgent } from '../clients.ts';
import { defineCommand, type Io, type Options, UsageError } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { change, MERCHANT_OPTIONS, openMerchant } from '../merchant.ts';
import { createOutput, listing, partyName, plain } from '../output.ts';
import { keptKeyFile, updateProfile } from '../profile.ts';
import { readSettings, required, requiredName } from '../settings.ts';

export const domainAdd = defineCommand({
  name: 'merchant domain add',
  summary: 'register a domain; tells what to publish',
  positionals: '<domain>',
  options: MERCHANT_OPTIONS,
  async run(io, args) {
    const domain = required(args.positionals[0], 'the domain');
    return change(io, args, async (client) => {
      const added = await client.domains.create({ domain }, { signal: io.signal });
      const { type, name, value } = added.challenge.dns;
      const text = `Publish this record:\n  ${name} ${type} "${value}"\nThen: payassent merchant domain verify ${domain}`;
      return { document: added, text };
    });
  },
});

export const domainVerify = defineCommand({
  name: 'merchant domain verify',
  summary: 'have the service look the record up',
  positionals: '<domain or its id>',
  options: MERCHANT_OPTIONS,
  async run(io, args) {
    const which = required(args.positionals[0], 'the domain');
    return change(io, args, async (client) => {
      const { domain_id } = await domainOf(client, which);
      const verified = await client.domains.verify(domain_id, { signal: io.signal });
      const { domain, merchant } = verified;
      return {
        document: verified,
        text: `${domain.domain} is ${domain.status}; ${partyName(merchant.name)} is ${merchant.status}.`,
      };
    });
  },
});

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

/** One line per record; every list of the merchant looks alike. */
function listCommand<Row>(
  name: string,
  summary: string,
  member: string,
  rows: (client: MerchantClient, io: Io) => AsyncIterable<Row>,
  line: (row: Row) => string,
) {
  return defineCommand({
    name,
    summary,
    options: MERCHANT_OPTIONS,
    async run(io, { values, isJson }) {
      const client = await openMerchant(io, values, isJson);
      const found: Row[] = [];
      for await (const row of rows(client, io)) found.push(row);
      createOutput(io, isJson).result({ [member]: found }, found.map(line).join('\n') || 'None yet.');
      return EXIT.ok;
    },
  });
}

export const domainList = listCommand(
  'merchant domain list',
  'show the domains and what became of them',
  'domains',
  (client, { signal }) => client.domains.each({}, { signal }),
  ({ domain_id, status, domain }) => `${domain_id}  ${status}  ${domain}`,
);

export const payeeList = listCommand(
  'merchant payee list',
  'show the payees of the organization',
  'recipients',
  (client, { signal }) => client.recipients.each({}, { signal }),
  ({ recipient_id, status, name }) => `${recipient_id}  ${status}  ${plain(name)}`,
);

export const agentList = listCommand(
  'merchant agent list',
  'show the agents of the organization',
  'agents',
  (client, { signal }) => client.agents.each({}, { signal }),
  ({ agent_id, status, name }) => `${agent_id}  ${status}  ${plain(name)}`,
);

export const webhookList = listCommand(
  'merchant webhook list',
  'show the webhook endpoints',
  'webhook_endpoints',
  (client, { signal }) => client.webhooks.each({}, { signal }),
  ({ webhook_endpoint_id, status, url }) => `${webhook_endpoint_id}  ${status}  ${plain(url)}`,
);

export const payeeAdd = defineCommand({
  name: 'merchant payee add',
  summary: 'fix where the organization is paid, with the domain as evidence, and activate it',
  positionals: '<name>',
  options: {
    ...MERCHANT_OPTIONS,
    network: { type: 'string', placeholder: 'name', summary: 'the network [stellar_testnet]' },
    asset: { type: 'string', placeholder: 'symbol', summary: 'the asset [XLM]' },
    address: { type: 'string', placeholder: 'text', summary: 'where it is paid (needed)' },
    memo: { type: 'string', placeholder: 'text', summary: 'memo, destination tag or comment' },
    'memo-policy': {
      type: 'string',
      placeholder: 'fixed|request',
      summary: 'request: each payment carries a memo of its own [fixed]',
    },
    issuer: { type: 'string', placeholder: 'account', summary: 'of a token on Stellar' },
    contract: { type: 'string', placeholder: 'address', summary: 'of a token on an EVM network' },
    domain: {
      type: 'string',
      placeholder: 'domain',
      summary: 'which vouches for it [the only verified one]',
    },
  },
  async run(io, args) {
    const {
      network = 'stellar_testnet',
      asset = 'XLM',
      address,
      memo,
      issuer,
      contract,
      domain,
      'memo-policy': memo_policy,
    } = args.values;
    const facts = { network: network as Network, asset, address: required(address, '--address') };
    const optional = Object.fromEntries(
      Object.entries({ memo, memo_policy, issuer, contract }).filter(([, value]) => value !== undefined),
    );
    const name = requiredName(args.positionals[0], 'the name that wallets show');
    const options = { signal: io.signal };
    return change(io, args, async (client) => {
      const { domain_id } = await domainOf(client, domain);
      const created = await client.recipients.create({ name, ...facts, ...optional }, options);
      const { recipient_id, version } = created.recipient;
      const { recipient_version_id } = created.recipient_version;
      const proof = { recipient_version_id, type: 'domain_proof', source_id: domain_id, version } as const;
      const { evidence } = await client.recipients.verify(recipient_id, proof, options);
      const { evidence_id, evidence_digest } = evidence;
      const chosen = { evidence_id, evidence_digest, version };
      const active = await client.recipients.activate(recipient_id, recipient_version_id, chosen, options);
      return { document: active, text: `${recipient_id}  ${active.recipient.status}  ${plain(name)}` };
    });
  },
});

const KEY_OPTIONS = {
  ...MERCHANT_OPTIONS,
  kid: AGENT_OPTIONS.kid,
  'key-file': AGENT_OPTIONS['key-file'],
} as const satisfies Options;

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

export const agentAdd = defineCommand({
  name: 'merchant agent add',
  summary: 'register an agent with a key of keys generate, and activate it',
  positionals: '<name>',
  options: {
    ...KEY_OPTIONS,
    runtime: { type: 'string', placeholder: 'text', summary: 'what it runs on, shown to users [node]' },
    environment: { type: 'string', placeholder: 'word', summary: 'such as test or staging [test]' },
    scope: { type: 'string', placeholder: 'scope', multiple: true, summary: 'what it may ask for [all]' },
  },
  details:
    'Only the public half of the key is sent. The profile keeps the agent, so that payassent connect is next.',
  async run(io, args) {
    const { values } = args;
    const name = requiredName(args.positionals[0], 'the name that users see');
    // Whatever is wrong with the key is told before anything is registered.
    const settings = readSettings(io, values);
    const keyed = await readAgent(io, settings, { ...values, 'agent-id': 'agt_new' });
    const { runtime = 'node', environment = 'test', scope = SCOPES } = values;
    return change(io, args, async (client) => {
      const input = { name, runtime, environment, allowed_scopes: scope as readonly Scope[] };
      const { agent } = await client.agents.create(input, { signal: io.signal });
      const credential = await addKey(io, values, client, { ...keyed, agentId: agent.agent_id });
      const next = { status: 'active', version: agent.version } as const;
      const active = (await client.agents.update(agent.agent_id, next, { signal: io.signal })).agent;
      const text = listing([
        ['Agent', `${active.agent_id}  ${active.status}`],
        ['Key', `${credential.kid}  ${credential.status}`],
        ['Next', 'payassent connect, with the Connect Key of a user'],
      ]);
      return { document: { agent: active, credential }, text };
    });
  },
});

export const keyAdd = defineCommand({
  name: 'merchant key add',
  summary: 'register and prove another key of an agent',
  options: { ...KEY_OPTIONS, 'agent-id': AGENT_OPTIONS['agent-id'] },
  async run(io, args) {
    const keyed = await readAgent(io, readSettings(io, args.values), args.values);
    return change(io, args, async (client) => {
      const credential = await addKey(io, args.values, client, keyed);
      return { document: { credential }, text: `${credential.kid}  ${credential.status}` };
    });
  },
});

export const webhookAdd = defineCommand({
  name: 'merchant webhook add',
  summary: 'create a webhook endpoint; its secret is shown this once',
  positionals: '<url>',
  options: {
    ...MERCHANT_OPTIONS,
    event: { type: 'string', placeholder: 'type', multiple: true, summary: 'which events [all]' },
  },
  async run(io, args) {
    const url = required(args.positionals[0], 'the address');
    const { event } = args.values;
    const input = {
      url,
      ...(event === undefined ? {} : { event_types: event as readonly WebhookSubscription[] }),
    };
    return change(io, args, async (client) => {
      const added = await client.webhooks.create(input, { signal: io.signal });
      const id = added.webhook_endpoint.webhook_endpoint_id;
      const text = `${id}\n${added.secret}\nGive your receiver the secret, then: payassent merchant webhook verify ${id}`;
      return { document: added, text };
    });
  },
});

export const webhookVerify = defineCommand({
  name: 'merchant webhook verify',
  summary: 'send the challenge that a receiver must answer',
  positionals: '<endpoint id>',
  options: MERCHANT_OPTIONS,
  async run(io, args) {
    const id = required(args.positionals[0], 'the endpoint id');
    return change(io, args, async (client) => {
      const verified = await client.webhooks.verify(id, { signal: io.signal });
      return { document: verified, text: `${id} is ${verified.webhook_endpoint.status}.` };
    });
  },
});
