import { pairingWebLink } from '@payassent/protocol';
import {
  type AgentClient,
  type ConnectionWithToken,
  SCOPES,
  type Scope,
  type WaitOptions,
} from '@payassent/sdk';
import { AGENT_OPTIONS, keepConnection, openAgent } from '../clients.ts';
import { type Args, defineCommand, EXIT, type Io, UsageError } from '../command.ts';
import { createOutput, listing, type Output, partyName } from '../output.ts';
import { checkedIdentifier, durationMs, readSecret, readSettings, SERVICE_OPTIONS } from '../settings.ts';

const OPTIONS = {
  ...SERVICE_OPTIONS,
  ...AGENT_OPTIONS,
  'connect-key': {
    type: 'string',
    placeholder: 'svc_ck_…',
    summary: "the customer's Connect Key, - for stdin [PAYASSENT_CONNECT_KEY]",
  },
  'connect-key-file': { type: 'string', placeholder: 'path', summary: 'a file with the Connect Key' },
  pair: { type: 'boolean', summary: 'show a short code that the customer types into the wallet instead' },
  collect: {
    type: 'string',
    placeholder: 'con_…',
    summary: "collect the agent's own token of a connection that exists already",
  },
  scope: {
    type: 'string',
    placeholder: 'scope',
    multiple: true,
    summary: "scopes to request [all of the agent's]",
  },
  timeout: {
    type: 'string',
    placeholder: 'duration',
    summary: "how long to wait [until the customer's time is over]",
  },
  force: { type: 'boolean', summary: "replace the profile's connection" },
} as const;

type Values = Args<typeof OPTIONS>['values'];

export const commands = [
  defineCommand({
    name: 'connect',
    summary: "claim a customer's Connect Key or pair, wait for the approval, keep the connection",
    options: OPTIONS,
    details: [
      'The connection token is written to the profile, which only you can read; it is not shown.',
      'With --json one line per step: claimed or pairing_session, then connected.',
    ].join('\n'),
    async run(io, { values, isJson }) {
      const settings = readSettings(io, values);
      const { profile, profileName } = settings;
      if (profile.connection_token !== undefined && values.force !== true && values.collect === undefined)
        throw new UsageError(
          `Profile ${profileName} already has a connection; name another with --profile, or replace it with --force`,
        );
      const way = await chosenWay(io, values);
      const output = createOutput(io, isJson);
      const { agent, settings: identity } = await openAgent(io, settings, values, isJson);
      const { connection, connection_token } = await way(agent, output);
      const { connection_id } = connection;
      const file = keepConnection(io, settings, identity, { connection_id, connection_token });
      output.result(
        { type: 'connected', connection, profile: profileName, profile_file: file },
        listing([
          ['Connected', connection_id],
          ['Scopes', connection.scopes.join(', ')],
          ['Token', `kept in ${file}`],
        ]),
      );
      return EXIT.ok;
    },
  }),
];

type Way = (agent: AgentClient, output: Output) => Promise<ConnectionWithToken>;

async function chosenWay(io: Io, values: Values): Promise<Way> {
  const { collect, pair } = values;
  const scopes = checkedScopes(values.scope);
  const wait = {
    signal: io.signal,
    pollMs: 500,
    ...(values.timeout === undefined ? {} : { timeoutMs: durationMs('timeout', values.timeout) }),
  };
  const connectKey = await readSecret(
    io,
    {},
    {
      name: 'connect-key',
      option: values['connect-key'],
      file: values['connect-key-file'],
      // Requested another way: a variable that happens to be set is no second wish.
      env: pair || collect !== undefined ? '' : 'PAYASSENT_CONNECT_KEY',
    },
  );
  if ([connectKey !== undefined, pair === true, collect !== undefined].filter(Boolean).length !== 1)
    throw new UsageError('Give exactly one of --connect-key (or --connect-key-file), --pair and --collect');
  if (collect !== undefined) {
    const connectionId = checkedIdentifier(collect);
    return (agent) => agent.connections.collectToken(connectionId, { signal: io.signal });
  }
  if (connectKey !== undefined)
    return async (agent, output) => {
      const requested_scopes = scopes ?? (await agent.exchangeAssertion({ signal: io.signal })).scopes;
      return claimAndWait(agent, { connect_key: connectKey, requested_scopes }, wait, output);
    };
  return async (agent, output) => {
    const requested_scopes = scopes ?? (await agent.exchangeAssertion({ signal: io.signal })).scopes;
    const { pairing_session } = await agent.pairing.start({ requested_scopes }, { signal: io.signal });
    const { code, pairing_uri, expires_at } = pairing_session;
    output.result(
      { type: 'pairing_session', pairing_session },
      listing([
        ['Code', code],
        ['Or open', pairingWebLink(pairing_uri)],
        ['Until', expires_at],
      ]),
    );
    output.note("Waiting for the customer's decision …");
    return agent.pairing.wait(pairing_session, wait);
  };
}

async function claimAndWait(
  agent: AgentClient,
  input: { connect_key: string; requested_scopes: readonly Scope[] },
  wait: WaitOptions & { signal: AbortSignal },
  output: Output,
): Promise<ConnectionWithToken> {
  const claimed = await agent.invitations.claim(input, { signal: wait.signal });
  const { connect_invitation } = claimed;
  output.step(
    { type: 'claimed', connect_invitation },
    `Claimed for ${partyName(connect_invitation.merchant.name)}; waiting for the customer's decision …`,
  );
  return agent.invitations.wait(claimed, wait);
}

function checkedScopes(given: readonly string[] | undefined): readonly Scope[] | undefined {
  const unknown = given?.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown !== undefined) throw new UsageError(`--scope is one of ${SCOPES.join(', ')}`);
  return given as readonly Scope[] | undefined;
}
