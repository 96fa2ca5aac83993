import pino from 'pino';
import type { Logger } from '../../../server/src/lib/log.ts';

/** A log of every level that keeps its lines. */
export function createLogLines(): { log: Logger; lines: string[] } {
  const lines: string[] = [];
  const log = pino({ level: 'debug', base: null }, { write: (line: string) => void lines.push(line) });
  return { log, lines };
}
