import type { IncomingMessage } from 'node:http';
import { headerText, headerValues } from './headers.ts';

const MAX_USER_AGENT = 200;
/** Controls, what changes the direction of text, and what no reader sees. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Where a call came from, for the audit trail. The user agent is the caller's own word, and made harmless. */
export function traceOf(call: { clientAddress: string; request: IncomingMessage }) {
  const [sent] = headerValues(call.request, 'user-agent');
  const harmless = sent === undefined ? null : headerText(sent).replace(UNSEEN, '\ufffd');
  return {
    network_address: call.clientAddress,
    user_agent: harmless === null ? null : [...harmless].slice(0, MAX_USER_AGENT).join(''),
  };
}
