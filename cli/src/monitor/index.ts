import { setTimeout as sleep } from 'node:timers/promises';
import { domainToASCII } from 'node:url';
import { isLogDomain } from '@payassent/protocol/evidence';
import { defineCommand, EXIT, type Io, UsageError } from '../command.ts';
import { createOutput, type Output, plain } from '../output.ts';
import { readFileIfThere, writePrivateFile } from '../private-file.ts';
import { readInput, readSettings, SERVICE_OPTIONS } from '../settings.ts';
import { Alarm, type LogEntry, type MonitorState, NEW_STATE, readOn } from './read-log.ts';

const PAUSE_MS = 10_000;
const TIMEOUT_MS = 20_000;
/** Entries commit out of order by seconds; what is this much older than its neighbours was written into the past. */
const MAX_DISORDER_MS = 10 * 60_000;

class Unreachable extends Error {}

interface Watch {
  baseUrl: string;
  domain: string | undefined;
  known: ReadonlySet<string>;
}

export const commands = [
  defineCommand({
    name: 'monitor',
    summary: 'follow the transparency log: alarm on forks, and on unknown payees of your domain',
    options: {
      ...SERVICE_OPTIONS,
      domain: { type: 'string', placeholder: 'domain', summary: 'a domain whose payees are watched' },
      known: {
        type: 'string',
        placeholder: 'file',
        summary: 'the evidence digests of its payees, one on a line; needed with --domain',
      },
      state: {
        type: 'string',
        placeholder: 'file',
        summary: 'where to continue, and where to write what was seen',
      },
      once: { type: 'boolean', summary: 'check once, and end with 0 when all is well' },
    },
    details: [
      'Every entry is read, and the root that the service signs is computed from them again, from the checkpoint in --state',
      'on. Ends with 1 and an explanation when the log forks, shrinks, writes into the past, has an entry that no verifier',
      'accepts (a domain in another spelling than lower-case A-labels, for example), or shows a payee for --domain that is',
      'not in --known. Keep the state file somewhere that the service cannot reach.',
    ].join('\n'),
    async run(io, { values, isJson }) {
      const { baseUrl } = readSettings(io, values);
      const { domain, known, state: file } = values;
      if ((domain === undefined) !== (known === undefined))
        throw new UsageError('Give --domain and --known together');
      const watch: Watch = {
        baseUrl,
        domain: domain === undefined ? undefined : logDomain(domain),
        known: new Set(known === undefined ? [] : digestsIn(await readInput(io, known))),
      };
      const output = createOutput(io, isJson);
      let state = file === undefined ? NEW_STATE : readState(file);
      for (;;) {
        try {
          state = await look(io, watch, state, output);
        } catch (error) {
          if (error instanceof Unreachable && !values.once) {
            // Silence is no alarm: anyone who stops the service can hide nothing behind it for long.
            output.note(error.message);
            await sleep(PAUSE_MS, undefined, { signal: io.signal });
            continue;
          }
          if (error instanceof Unreachable) {
            output.result({ ok: false, unreachable: true, message: error.message }, error.message);
            return EXIT.unreachable;
          }
          if (!(error instanceof Alarm)) throw error;
          output.result(
            { ok: false, alarm: error.kind, message: error.message },
            `ALARM: ${plain(error.message)}`,
          );
          return EXIT.refused;
        }
        if (file !== undefined) writePrivateFile(file, `${JSON.stringify(state)}\n`, { overwrite: true });
        if (values.once) {
          output.result(
            { ok: true, size: state.size },
            `The log has ${state.size} entries, and all is well.`,
          );
          return EXIT.ok;
        }
        await sleep(PAUSE_MS, undefined, { signal: io.signal });
      }
    },
  }),
];

async function look(io: Io, watch: Watch, before: MonitorState, output: Output): Promise<MonitorState> {
  const { state, entries } = await readOn(watch.baseUrl, before, (path) => read(io, watch.baseUrl, path));
  let latest = before.latest_at;
  for (const [n, entry] of entries.entries()) {
    const { at } = entry;
    if (latest !== '' && Date.parse(at) < Date.parse(latest) - MAX_DISORDER_MS)
      throw new Alarm(
        'backdated',
        `Entry ${before.size + n} has the time ${at}, after an entry with ${latest}.`,
      );
    if (at > latest) latest = at;
    judgePayee(watch, entry, before.size + n);
  }
  if (entries.length > 0) output.note(`${entries.length} new entries, ${state.size} in all.`);
  return state;
}

/** The watched domain as entries have it, from any spelling of it. */
function logDomain(domain: string): string {
  const read = domainToASCII(domain.trim().replace(/\.$/, ''));
  if (isLogDomain(read)) return read;
  throw new UsageError(`--domain is no domain name: ${domain}`);
}

function judgePayee({ domain, known }: Watch, entry: LogEntry, position: number): void {
  if (entry.type !== 'payee.activated' || entry.domain !== domain) return;
  if (!known.has(entry.evidence_digest))
    throw new Alarm(
      'unknown_payee',
      `Entry ${position} shows a payee for ${domain} that you do not know: ${entry.evidence_digest}, activated ${entry.at}. If it is yours, add the digest to --known.`,
    );
}

async function read(io: Io, baseUrl: string, path: string): Promise<Uint8Array> {
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  for (;;) {
    const response = await fetch(`${baseUrl}${path}`, { signal }).catch((error: unknown) => {
      io.signal.throwIfAborted();
      throw new Unreachable(`${baseUrl}${path} does not respond: ${String(error)}`);
    });
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    if (response.status !== 429) throw new Unreachable(`${baseUrl}${path} returns ${response.status}.`);
    // The service counts calls by address; a long log is read over several minutes.
    const pauseS = Number(response.headers.get('retry-after') ?? '1');
    await sleep(Math.min(60, Math.max(1, pauseS)) * 1000, undefined, { signal: io.signal });
  }
}

function readState(file: string): MonitorState {
  const text = readFileIfThere(file);
  if (text === undefined || text.trim() === '') return NEW_STATE;
  try {
    const state = JSON.parse(text) as MonitorState;
    if (Number.isSafeInteger(state.size) && Array.isArray(state.edge)) return { ...NEW_STATE, ...state };
  } catch {
    // Reported below.
  }
  throw new UsageError(`${file} is no state of this command`);
}

function digestsIn(text: string): string[] {
  return text.match(/sha256:[0-9a-f]{64}/g) ?? [];
}
