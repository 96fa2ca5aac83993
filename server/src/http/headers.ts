import type { IncomingMessage } from 'node:http';

/** Every distinct value of a header, as sent. Node joins or drops repeated ones, so the raw list is read. */
export function headerValues(request: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  const raw = request.rawHeaders;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const candidate = raw[at] ?? '';
    if (candidate.length !== name.length || candidate.toLowerCase() !== name) continue;
    const value = raw[at + 1] ?? '';
    if (!values.includes(value)) values.push(value);
  }
  return values;
}

/** Header bytes reach us as Latin-1; what people send is UTF-8. */
export function headerText(value: string): string {
  return Buffer.from(value, 'latin1').toString('utf8');
}

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
