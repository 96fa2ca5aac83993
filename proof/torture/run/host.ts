import { clearEntryText } from '@payassent/protocol/evidence';
import { Alarm, NEW_STATE, readOn } from '../../../cli/src/monitor/read-log.ts';
import { createLyingLog, misspellings } from '../../stage/log/lying-log.ts';
import type { History } from './history.ts';

/** The entries that a lying host puts into its log; a watcher reads the log after each. */
export interface LyingHost {
  misspell(domain: string): readonly (readonly [how: string, domain: string])[];
  /** One entry after an honest one. What the watcher made of it is in the history. */
  show(domain: string, spelling: string): Promise<void>;
}

const HOST = 'host.example';
const DIGEST = `sha256:${'0'.repeat(64)}`;

export function createLyingHost(history: History): LyingHost {
  return {
    misspell: misspellings,
    async show(domain, spelling) {
      const log = createLyingLog(HOST);
      log.show(
        [domain, spelling].map((each) =>
          clearEntryText('payee.activated', new Date(), { domain: each, evidence_digest: DIGEST }),
        ),
      );
      history.reading({ domain, spelling, isAccepted: await isAccepted(log.url, log.read) });
    },
  };
}

async function isAccepted(url: string, read: (path: string) => Uint8Array): Promise<boolean> {
  try {
    await readOn(url, NEW_STATE, async (path) => read(path));
    return true;
  } catch (error) {
    if (error instanceof Alarm) return false;
    throw error;
  }
}
