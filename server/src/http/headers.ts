import type { IncomingMessage } from 'node:http';
import { type Language, languageOf } from '@payassent/protocol';

/** RFC 8631: where programs find the description of the API. */
export const SERVICE_DESC = { link: '</openapi.json>; rel="service-desc"' } as const;

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

/**
 * Every value of a header in the order of its lines, repeated ones too: for a list in which the place of a value counts.
 */
export function headerLines({ rawHeaders: raw }: IncomingMessage, name: string): string[] {
  return raw.filter((_, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === name);
}

/** Longer than any browser's; the rest is not read. Anyone can send a header of many thousand languages. */
const LONGEST_ACCEPT_LANGUAGE = 1_000;

/** The supported language that the caller prefers; undefined when it names none of them. */
export function askedLanguage(request: IncomingMessage): Language | undefined {
  const best: { language?: Language; weight: number } = { weight: 0 };
  const sent = headerValues(request, 'accept-language').join().slice(0, LONGEST_ACCEPT_LANGUAGE);
  for (const range of sent.split(',')) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
    const language = languageOf(tag);
    const weight = Number(/^q=([\d.]+)$/i.exec(parameters.join())?.[1] ?? 1);
    if (language !== undefined && weight > best.weight) Object.assign(best, { language, weight });
  }
  return best.language;
}

/** Header bytes reach us as Latin-1; what people send is UTF-8. */
export function headerText(value: string): string {
  return Buffer.from(value, 'latin1').toString('utf8');
}

const MAX_USER_AGENT = 200;
/** Control, bidi and invisible characters. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The origin of a call, for the audit trail. The user agent is the caller's own text, sanitized. */
export function traceOf(call: { clientAddress: string; request: IncomingMessage }) {
  const [sent] = headerValues(call.request, 'user-agent');
  const harmless = sent === undefined ? null : headerText(sent).replace(UNSEEN, '\ufffd');
  return {
    network_address: call.clientAddress,
    user_agent: harmless === null ? null : [...harmless].slice(0, MAX_USER_AGENT).join(''),
  };
}
