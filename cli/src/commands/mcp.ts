import { createHash, randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { pairingWebLink } from '@payassent/protocol';
import {
  type AgentClient,
  type ConnectionClient,
  NotApprovedError,
  type StartedPairing,
  WaitTimeoutError,
} from '@payassent/sdk';
import {
  CONNECT_WALLET_DEFINITION,
  callTool,
  paymentTools,
  TOOL_DEFINITIONS,
  type Tool,
  type ToolResult,
  toolFailure,
  toolResult,
} from '@payassent/sdk/tools';
import encodeQr from 'qr';
import { AGENT_OPTIONS, CONNECTION_OPTIONS, keepConnection, openAgent, openConnection } from '../clients.ts';
import { type Args, defineCommand, EXIT, type Io, UsageError } from '../command.ts';
import { readSettings, SERVICE_OPTIONS, type Settings } from '../settings.ts';

const OPTIONS = { ...SERVICE_OPTIONS, ...CONNECTION_OPTIONS, ...AGENT_OPTIONS } as const;

type Values = Args<typeof OPTIONS>['values'];

export const commands = [
  defineCommand({
    name: 'mcp',
    summary: 'serve the tools for models over MCP, on standard input and output',
    options: OPTIONS,
    details: [
      'Service and token come from SVC_BASE_URL and SVC_CONNECTION_TOKEN, from the variables above, or from the profile.',
      'Without a connection the tool connect_wallet pairs one, if the profile has an agent and its key.',
      'Ends when its input is closed. Nothing in a tool can approve a payment.',
    ].join('\n'),
    async run(outer, { values }) {
      const io = withServiceNames(outer);
      const settings = readSettings(io, values);
      const session = await openSession(io, settings, values);
      const { serveToolsOverStdio } = await import('@payassent/server/mcp');
      const parts = { tools: toolsOf(session), stateKey: session.stateKey, caller: 'stdio' };
      const streams = { stdin: io.stdin as Readable, stdout: io.stdout as unknown as Writable };
      await serveToolsOverStdio(parts, streams, io.signal);
      return EXIT.ok;
    },
  }),
];

/** Clients of MCP are configured with the names that the service itself uses. */
function withServiceNames(io: Io): Io {
  const { SVC_BASE_URL, SVC_CONNECTION_TOKEN } = io.env;
  return {
    ...io,
    env: {
      ...io.env,
      PAYASSENT_BASE_URL: io.env['PAYASSENT_BASE_URL'] || SVC_BASE_URL,
      PAYASSENT_CONNECTION_TOKEN: io.env['PAYASSENT_CONNECTION_TOKEN'] || SVC_CONNECTION_TOKEN,
    },
  };
}

interface Session {
  connection: ConnectionClient | undefined;
  /** The same after a restart with the same token, so that a round that was begun before can end. */
  stateKey: Uint8Array;
  pairing: StartedPairing['pairing_session'] | undefined;
  openAgent(): Promise<AgentClient>;
  keep(connectionId: string, connectionToken: string): Promise<void>;
}

async function openSession(io: Io, settings: Settings, values: Values): Promise<Session> {
  const { profile } = settings;
  const token = io.env['PAYASSENT_CONNECTION_TOKEN'] || profile.connection_token;
  const stated = token ?? values['connection-token'] ?? values['connection-token-file'];
  return {
    connection: stated === undefined ? undefined : await openConnection(io, settings, values, true),
    stateKey:
      token === undefined ? randomBytes(32) : createHash('sha256').update(`svc-mcp-round:${token}`).digest(),
    pairing: undefined,
    openAgent: async () => (await openAgent(io, settings, values, true)).agent,
    async keep(connection_id, connection_token) {
      const { settings: identity } = await openAgent(io, settings, values, true);
      keepConnection(io, settings, identity, { connection_id, connection_token });
    },
  };
}

function toolsOf(session: Session): Tool<string>[] {
  const payment = TOOL_DEFINITIONS.map((definition, at) => ({
    ...definition,
    call: async (args: unknown, options: { signal?: AbortSignal } = {}) =>
      session.connection
        ? ((await paymentTools(session.connection)[at]?.call(args, options)) ?? NOT_CONNECTED)
        : NOT_CONNECTED,
  }));
  return [
    ...payment,
    {
      ...CONNECT_WALLET_DEFINITION,
      call: (args) => callTool(CONNECT_WALLET_DEFINITION, args, () => connectWallet(session)),
    },
  ];
}

const NOT_CONNECTED = toolFailure(
  'not_connected',
  'No wallet is connected yet.',
  'Call connect_wallet and show the person its code and link.',
);

/** How long one call waits for the approval before it reports that the approval is still pending. */
const LOOK_MS = 2_000;

async function connectWallet(session: Session): Promise<ToolResult> {
  if (session.connection) return connected();
  let agent: AgentClient;
  try {
    agent = await session.openAgent();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return toolFailure(
      'agent_not_set_up',
      error.message,
      'Ask the person who set this up to run payassent connect.',
    );
  }
  if (!session.pairing) {
    const { scopes } = await agent.exchangeAssertion();
    session.pairing = (await agent.pairing.start({ requested_scopes: scopes })).pairing_session;
    return waiting(session.pairing);
  }
  try {
    const granted = await agent.pairing.wait(session.pairing, { timeoutMs: LOOK_MS, pollMs: 250 });
    await session.keep(granted.connection.connection_id, granted.connection_token);
    session.connection = granted.client;
    return connected(granted.connection.connection_id);
  } catch (error) {
    if (error instanceof WaitTimeoutError) return waiting(session.pairing);
    session.pairing = undefined;
    if (!(error instanceof NotApprovedError)) throw error;
    return toolFailure(
      'not_approved',
      `${error.message}.`,
      'Call connect_wallet again only if the person asks for it.',
    );
  }
}

function connected(connectionId?: string): ToolResult {
  const members = {
    status: 'connected',
    ...(connectionId === undefined ? {} : { connection_id: connectionId }),
  };
  return toolResult(members, 'A wallet is connected', 'Call list_payees or request_payment.');
}

function waiting({ code, pairing_uri, expires_at }: StartedPairing['pairing_session']): ToolResult {
  const link = pairingWebLink(pairing_uri);
  const told = toolResult(
    { status: 'waiting', code, pairing_uri, expires_at },
    `The person enters ${code} in their wallet, or opens ${link}`,
    'Show the person the code, the link and the QR code, then call connect_wallet again.',
  );
  const [{ text }] = told.content;
  return { ...told, content: [{ type: 'text', text: `${text}\n\n${encodeQr(link, 'ascii')}` }] };
}
