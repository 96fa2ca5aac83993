import { encodeBase64 } from '@payassent/protocol';
import { openCheckpoint, rootOf } from '@payassent/protocol/log';
import type { LogWitness } from '../../config/log-witnesses.ts';
import type { Context } from '../../context.ts';
import type { Job } from '../../jobs/job.ts';
import { addMs, MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';
import { TIME_OUTS } from '../../limits.ts';
import type { CounterSpec } from '../../telemetry/metrics.ts';
import { witnessOutcome } from '../../telemetry/outcomes.ts';
import { checkpointText, type LogSigner, withSignatures } from './checkpoint.ts';
import { readEdge } from './log-sql.ts';
import { proveConsistency } from './prove.ts';
import { claimWitness, recordCosignature, recordTry } from './witness-sql.ts';

const DEADLINE_MS = TIME_OUTS.witness.s * SECOND_MS;
/** Longer than an exchange takes: meanwhile no other process calls the same witness. */
const LEASE_MS = 30 * SECOND_MS;
const PAUSE_AFTER_FAILURE_MS = MINUTE_MS;
const MAX_ANSWER_BYTES = 4096;

const ANSWERS: CounterSpec<'outcome'> = {
  name: 'svc_log_witness_answers_total',
  help: 'Responses of witnesses to new checkpoints by outcome.',
  labels: ['outcome'],
};

/**
 * Sends new checkpoints to the witnesses, each by one process at a time. Nothing waits for them: a checkpoint is served
 * immediately, and carries a cosignature from the moment it arrives.
 */
export const witnessJob = (log: LogSigner): Job => ({
  name: 'log-witnesses',
  everyMs: SECOND_MS,
  async run(context: Context) {
    if (context.stopping.aborted) return false;
    await Promise.all(context.config.logWitnesses.map((witness) => askWitness(context, log, witness)));
    return false;
  },
});

async function askWitness(context: Context, log: LogSigner, witness: LogWitness): Promise<void> {
  const { db, clock } = context;
  const name = { vkey: witness.vkey, origin: log.key.name };
  const now = clock.now();
  const claimed = await claimWitness(db, name, { now, until: addMs(now, LEASE_MS) });
  if (!claimed) return;
  const edge = await readEdge(db);
  const checkpoint = withSignatures(checkpointText(log.baseUrl, edge.size, rootOf(edge)), log, []);
  const answer = await exchange(context, log, witness, claimed.size, edge.size, checkpoint);
  context.metrics.increment(ANSWERS, { outcome: answer.kind });
  if (answer.kind === 'cosigned') {
    context.outcomes.note(witnessOutcome(witness.vkey), 'ok');
    return recordCosignature(db, name, { size: edge.size, line: answer.line }, clock.now());
  }
  // The witness has a larger size than our record; the next turn starts from there.
  if (answer.kind === 'knows_other_size' && answer.size <= edge.size)
    return recordTry(db, name, { size: answer.size, tryAt: clock.now() });
  context.outcomes.note(witnessOutcome(witness.vkey), 'failing');
  context.log.warn(
    {
      event: answer.kind === 'silent' ? 'witness_silent' : 'witness_refuses',
      witness: witness.key.name,
      outcome: answer.kind,
      size: edge.size,
    },
    answer.kind === 'silent'
      ? 'a witness of the transparency log does not respond'
      : 'a witness of the transparency log refuses the checkpoint: compare what it has seen with this database',
  );
  return recordTry(db, name, { size: claimed.size, tryAt: addMs(clock.now(), PAUSE_AFTER_FAILURE_MS) });
}

type Answer =
  | { kind: 'cosigned'; line: string }
  | { kind: 'knows_other_size'; size: number }
  | { kind: 'refused' }
  | { kind: 'silent' };

async function exchange(
  context: Context,
  log: LogSigner,
  witness: LogWitness,
  oldSize: number,
  size: number,
  checkpoint: string,
): Promise<Answer> {
  const proof = await proveConsistency(context.db, oldSize, size);
  const lines = proof.map((hash) => `${encodeBase64(hash)}\n`).join('');
  const answer = await context.outbound.send(
    {
      url: `${witness.url}/add-checkpoint`,
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: `old ${oldSize}\n${lines}\n${checkpoint}`,
      deadlineMs: DEADLINE_MS,
      maxBodyBytes: MAX_ANSWER_BYTES,
    },
    context.stopping,
  );
  if (!answer.ok || answer.status >= 500 || answer.status === 429) return { kind: 'silent' };
  const text = Buffer.from(answer.body).toString('utf8');
  if (answer.status === 409) {
    const known = /^(0|[1-9]\d{0,15})\n?$/.exec(text)?.[1];
    return known === undefined ? { kind: 'refused' } : { kind: 'knows_other_size', size: Number(known) };
  }
  if (answer.status !== 200) return { kind: 'refused' };
  const line = lineOf(log, witness, checkpoint, text);
  return line === undefined ? { kind: 'refused' } : { kind: 'cosigned', line };
}

/** The one line of the response that verifies under the witness's configured key; others do not count. */
function lineOf(log: LogSigner, witness: LogWitness, checkpoint: string, answer: string): string | undefined {
  for (const line of answer.split(/(?<=\n)/)) {
    const opened = openCheckpoint(`${checkpoint}${line}`, log.key, [witness.key]);
    if (opened?.witnesses.includes(witness.key)) return line;
  }
  return undefined;
}
