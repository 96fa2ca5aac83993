import { type PaymentRequest, WaitTimeoutError } from '@payassent/sdk';
import { DEVICE_OPTIONS, openWallet } from '../clients.ts';
import { type Args, defineCommand, EXIT, type Result, UsageError } from '../command.ts';
import { sendOnChain } from '../dev/chain.ts';
import { findWorldAt } from '../dev/running.ts';
import { createOutput, createPaint } from '../output.ts';
import { describeRequest } from '../request-text.ts';
import { durationMs, readSettings, SERVICE_OPTIONS, wholeNumber } from '../settings.ts';
import { decideAgentPayments, resumeAgentPayments, watchAgentPayments } from './agent-payments.ts';
import { decideInvitations, decidePairing, watchInvitations } from './connections.ts';
import type { HandledAs } from './decide.ts';
import { createDecider, type Manner } from './decider.ts';
import { openDecisionKey, reviewPendingChanges } from './decision-key.ts';
import { handlePending, handleSigned } from './payments.ts';
import type { Simulation } from './simulation.ts';

const OPTIONS = {
  ...SERVICE_OPTIONS,
  ...DEVICE_OPTIONS,
  approve: { type: 'boolean', summary: 'approve every payment that is not dangerous' },
  'approve-dangerous': {
    type: 'boolean',
    summary: 'approve too what goes to another address than before, or is far above earlier payments',
  },
  reject: { type: 'boolean', summary: 'reject every payment' },
  ask: { type: 'boolean', summary: 'prompt for each one [the default]' },
  list: { type: 'boolean', summary: 'only list the requests, decide nothing' },
  connections: {
    type: 'string',
    placeholder: 'approve|reject|ask',
    summary: 'what to do with connection requests of agents [approve]',
  },
  'mint-connect-key': { type: 'boolean', summary: 'make a Connect Key and show it' },
  'pairing-code': {
    type: 'string',
    placeholder: 'code',
    summary: 'decide the pairing behind this code first',
  },
  reason: { type: 'string', placeholder: 'code', summary: 'reason code of rejections [user_rejected]' },
  slow: { type: 'string', placeholder: 'duration', summary: 'wait this long before every step' },
  'sign-decisions': {
    type: 'boolean',
    summary: 'sign what is approved and rejected, with a decision key kept in the profile',
  },
  'cancel-changes': {
    type: 'boolean',
    summary: "cancel changes of the wallet's keys that wait for their 24 hours",
  },
  'crash-after-signing': {
    type: 'boolean',
    summary: 'crash right after signed was reported; start again to see it continue',
  },
  once: { type: 'boolean', summary: 'deal with what is there, then end' },
  count: { type: 'string', placeholder: 'number', summary: 'end after so many requests' },
  timeout: { type: 'string', placeholder: 'duration', summary: 'end after this time, exit code 3' },
} as const;

type Values = Args<typeof OPTIONS>['values'];

export const commands = [
  defineCommand({
    name: 'wallet connect-key',
    summary: 'make a one-time Connect Key for an agent',
    options: { ...SERVICE_OPTIONS, ...DEVICE_OPTIONS },
    details: [
      'Prints the key alone on stdout. It is valid for ten minutes and lets one agent request a connection, nothing more:',
      'the wallet still has to approve, for example with "payassent wallet simulate".',
    ].join('\n'),
    async run(io, { values, isJson }) {
      const settings = readSettings(io, values);
      const { wallet, enrolledInto } = await openWallet(io, settings, values, isJson);
      const output = createOutput(io, isJson);
      if (enrolledInto !== undefined) output.note(`A new wallet, kept in ${enrolledInto}`);
      const { connect_key, connect_key_id, expires_at } = await wallet.connectKeys.create({
        signal: io.signal,
      });
      output.note(`Works once, until ${expires_at}`);
      output.result({ connect_key, connect_key_id, expires_at }, connect_key);
      return EXIT.ok;
    },
  }),
  defineCommand({
    name: 'wallet simulate',
    summary: 'a local wallet that reviews and decides, and moves nothing',
    options: OPTIONS,
    details: [
      'This is a simulation: hashes are made up, nothing is signed or sent to any network.',
      'The device is kept in the profile; the first start enrols a new wallet. Runs until Ctrl-C (exit code 0),',
      '--once, --count or --timeout. With --json one line per step: enrolled, pending_change, connect_key,',
      'invitation, review, reported, resumed, skipped, refused, done.',
    ].join('\n'),
    async run(io, { values, isJson }) {
      const settings = readSettings(io, values);
      const plan = readPlan(values);
      const output = createOutput(io, isJson);
      output.note('This is a simulation: hashes are made up and nothing is moved.');
      const { wallet, enrolledInto } = await openWallet(io, settings, values, isJson);
      if (enrolledInto !== undefined)
        output.step(
          { type: 'enrolled', profile_file: enrolledInto },
          `A new wallet, kept in ${enrolledInto}`,
        );
      const sign = await openDecisionKey(io, readSettings(io, values), wallet, {
        isAsked: values['sign-decisions'] ?? false,
        output,
      });
      await reviewPendingChanges(io, wallet, { output, cancels: values['cancel-changes'] ?? false });
      if (values.list) return listed(wallet.paymentRequests.each({}, { signal: io.signal }));

      const end = new AbortController();
      const timer = plan.timeoutMs === undefined ? [] : [AbortSignal.timeout(plan.timeoutMs)];
      const signal = AbortSignal.any([io.signal, end.signal, ...timer]);
      const paint = createPaint(io);
      // Only a signal that no one can catch resembles a power cut.
      const crash = () => process.kill(process.pid, 'SIGKILL');
      const decider = createDecider({ ...io, signal });
      const world = findWorldAt(io, settings.baseUrl);
      const send: Simulation['send'] = (hash, transfer) => sendOnChain(world, hash, transfer);
      const sim: Simulation = { ...plan, wallet, output, paint, decider, send, crash, sign, signal };
      if (values['mint-connect-key']) {
        const { connect_key, connect_key_id, expires_at } = await wallet.connectKeys.create({ signal });
        output.result({ type: 'connect_key', connect_key, connect_key_id, expires_at }, connect_key);
      }
      const tally = { confirmed: 0, rejected: 0, skipped: 0, left: 0 };
      try {
        if (values['pairing-code'] !== undefined) await decidePairing(sim, values['pairing-code']);
        if (plan.isOnce) await workOnce(sim, tally);
        else await Promise.all([watchInvitations(sim), workOn(sim, tally, plan.count, () => end.abort())]);
      } catch (error) {
        // The first to end it is the reason; the loops that follow end it again.
        if (timer[0]?.aborted && signal.reason === timer[0].reason)
          throw new WaitTimeoutError('The end of the simulation', plan.timeoutMs ?? 0);
        // Ctrl-C is how a wallet that runs forever is ended.
        if (!signal.aborted) throw error;
        if (error !== signal.reason && !isAbort(error)) throw error;
      } finally {
        // Of the two loops one may have failed; the other must not keep the process.
        end.abort();
      }
      output.step(
        { type: 'done', ...tally },
        `Confirmed ${tally.confirmed}, rejected ${tally.rejected}, skipped ${tally.skipped}.`,
      );
      return EXIT.ok;
    },
  }),
];

type Tally = Record<HandledAs, number>;

async function workOnce(sim: Simulation, tally: Tally): Promise<void> {
  await decideInvitations(sim);
  await resume(sim, tally);
  const { wallet, signal } = sim;
  for await (const request of wallet.paymentRequests.each({ status: 'pending' }, { signal }))
    tally[await handlePending(sim, request)] += 1;
  await decideAgentPayments(sim, counted(tally));
}

/** Payments of both surfaces side by side, until enough are handled. */
async function workOn(sim: Simulation, tally: Tally, count: number, end: () => void): Promise<void> {
  try {
    await resume(sim, tally);
    const isEnough = () => tally.confirmed + tally.rejected + tally.skipped >= count;
    if (isEnough()) return;
    const add = (outcome: HandledAs) => {
      tally[outcome] += 1;
      if (isEnough()) end();
    };
    const requests = async () => {
      for await (const request of sim.wallet.paymentRequests.inbox({ signal: sim.signal }))
        add(await handlePending(sim, request));
    };
    await Promise.all([requests(), watchAgentPayments(sim, add)]);
  } finally {
    end();
  }
}

function counted(tally: Tally): (outcome: HandledAs) => void {
  return (outcome) => {
    tally[outcome] += 1;
  };
}

/** What was signed before the last stop is brought to its end first. */
async function resume(sim: Simulation, tally: Tally): Promise<void> {
  const { wallet, signal } = sim;
  for (const status of ['broadcasted', 'signed'] as const)
    for await (const request of wallet.paymentRequests.each({ status }, { signal }))
      tally[await handleSigned(sim, request)] += 1;
  await resumeAgentPayments(sim, counted(tally));
}

async function listed(requests: AsyncIterable<PaymentRequest>): Promise<Result> {
  const found: PaymentRequest[] = [];
  for await (const request of requests) found.push(request);
  const text = found.map(describeRequest).join('\n\n') || 'No request yet.';
  return { document: { payment_requests: found }, text: text };
}

function readPlan(values: Values) {
  const manners = (['approve', 'reject', 'ask'] as const).filter((name) => values[name]);
  if (manners.length > 1) throw new UsageError('Give one of --approve, --reject and --ask');
  const { connections = 'approve', reason = 'user_rejected' } = values;
  if (!isManner(connections)) throw new UsageError('--connections is approve, reject or ask');
  if (!/^[a-z0-9_]{1,64}$/.test(reason))
    throw new UsageError('--reason is 1 to 64 lower-case letters, digits and underscores');
  return {
    manner: manners[0] ?? ('ask' as const),
    approvesDangerous: values['approve-dangerous'] === true,
    connections,
    reasonCode: reason,
    slowMs: values.slow === undefined ? 0 : durationMs('slow', values.slow),
    crashAfterSigning: values['crash-after-signing'] === true,
    isOnce: values.once === true,
    count: values.count === undefined ? Number.POSITIVE_INFINITY : wholeNumber('count', values.count, 1, 1e6),
    timeoutMs: values.timeout === undefined ? undefined : durationMs('timeout', values.timeout),
  };
}

function isManner(text: string): text is Manner {
  return text === 'approve' || text === 'reject' || text === 'ask';
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');
}
