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
