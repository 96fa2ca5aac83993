import type { Fetch } from '@payassent/sdk';
import { listing, type Output } from '../output.ts';

/** Who acts in a dev world. */
export type Actor = 'merchant' | 'agent' | 'wallet' | 'anyone';

/** Narrates a scenario step by step: what happened, in a sentence, and the calls that made it happen. */
export interface Narration {
  /** Sends with the platform's fetch and records each call, so that the narration reports only what happened. */
  fetchAs(actor: Actor): Fetch;
  /** One line of JSON, or a sentence with the calls since the step before. */
  tell(step: string, document: object, sentence: string): void;
  /** What the calls of a step that came to no end were. */
  giveUp(): void;
}

interface Call {
  actor: Actor;
  /** Method, path without the query, and status: no header and no body, so that no secret is among it. */
  call: string;
}

const NAMES = 'confirmed'.length;
const COLUMNS = 110;

export function createNarration(output: Output): Narration {
  let calls: Call[] = [];
  return {
    fetchAs: (actor) => async (url, init) => {
      const { pathname } = new URL(url);
      const noted: Call = { actor, call: `${init.method ?? 'GET'} ${pathname}` };
      calls.push(noted);
      const response = await fetch(url, init);
      noted.call += ` → ${response.status}`;
      return response;
    },
    tell(step, document, sentence) {
      const rows: [string, string][] = [[step.padEnd(NAMES), sentence], ...linesOf(calls)];
      output.result({ step, ...document, calls }, listing(rows, '', COLUMNS));
      calls = [];
    },
    giveUp() {
      if (calls.length > 0) output.note(listing([['stopped'.padEnd(NAMES), 'at:'], ...linesOf(calls)]));
    },
  };
}

/** Without the random part of ids; what was repeated until something was there is one line. */
function linesOf(calls: readonly Call[]): [string, string][] {
  const lines = calls.map(({ actor, call }) => `${actor}: ${call.replace(/_[0-9A-Z]{26}\b/g, '_…')}`);
  return [...new Set(lines)].map((line) => ['', line]);
}
