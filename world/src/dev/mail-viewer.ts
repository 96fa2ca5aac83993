import type { DnsServer } from '../dns-server.ts';
import { type LoopbackAnswer, type LoopbackRequest, plainAnswer } from '../loopback-server.ts';
import type { ReceivedMail } from '../mail-catcher.ts';
import { html, jsonAnswer, linked, type Markup, page, STYLE } from './html.ts';

export interface Viewed {
  mails: readonly ReceivedMail[];
  dns: DnsServer;
  /** Called after every change of the records. */
  onRecords(): void;
}

const NAME = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{1,63}$/i;
/** One string of a TXT record. */
const VALUE = /^[\x20-\x7e]{1,255}$/;

/** Shows mails, and publishes TXT records: `PUT /txt/<name>` with the value as body. */
export function mailViewer(viewed: Viewed): (request: LoopbackRequest) => LoopbackAnswer {
  return (request) => {
    const { method, path } = request;
    if (path.startsWith('/txt/')) return changeRecord(viewed, request, path.slice('/txt/'.length));
    if (method !== 'GET') return plainAnswer(405, 'Only GET here; records are put at /txt/<name>.');
    if (path === '/') return overview(viewed);
    if (path === '/style.css') return STYLE;
    if (path === '/mails.json') return jsonAnswer(viewed.mails.map(summaryOf));
    if (path === '/txt') return plainAnswer(200, recordLines(viewed.dns).join('\n'));
    const mail = viewed.mails[Number(/^\/mails\/(\d{1,9})$/.exec(path)?.[1] ?? -1) - 1];
    return mail === undefined ? plainAnswer(404, 'Nothing is here.') : mailPage(mail);
  };
}

function changeRecord({ dns, onRecords }: Viewed, request: LoopbackRequest, name: string): LoopbackAnswer {
  if (!NAME.test(name))
    return plainAnswer(400, 'This is not a name of a host, such as _svc-challenge.shop.example.');
  if (request.method === 'DELETE') {
    dns.remove(name, 'TXT');
    onRecords();
    return plainAnswer(200, `${name} has no TXT record any more.`);
  }
  if (request.method !== 'PUT') return plainAnswer(405, 'PUT publishes a record, DELETE removes it.');
  const value = request.body.toString('utf8').trim();
  if (!VALUE.test(value))
    return plainAnswer(400, 'Send the value as the body: 1 to 255 printable characters.');
  dns.set(name, 'TXT', [value]);
  onRecords();
  return plainAnswer(200, `${name} TXT "${value}"`);
}

function recordLines(dns: DnsServer): string[] {
  return dns.records().map(({ name, type, values }) => `${name} ${type} ${JSON.stringify(values)}`);
}

function summaryOf({ at, from, to, subject, text }: ReceivedMail) {
  return { at: at.toISOString(), from, to, subject, text, links: text.match(/https?:\/\/[^\s<>"']+/g) ?? [] };
}

function overview({ mails, dns }: Viewed): LoopbackAnswer {
  const rows = mails
    .map(
      (mail, index) => html`<tr>
<td>${mail.at.toISOString().slice(0, 19).replace('T', ' ')}</td>
<td>${mail.to.join(', ')}</td>
<td><a href="/mails/${index + 1}">${mail.subject}</a></td>
</tr>
`,
    )
    .toReversed();
  const records = dns.records().map(
    ({
      name,
      type,
      values,
    }) => html`<tr><td><code>${name}</code></td><td>${type}</td><td><code>${values.flat().join(' ')}</code></td></tr>
`,
  );
  return page(
    'Mail and names',
    html`<h1>Mail</h1>
${rows.length === 0 ? html`<p>No mail yet. This page looks again by itself.</p>` : table(['When (UTC)', 'To', 'Subject'], rows)}
<h1>Names</h1>
${records.length === 0 ? html`<p>No record is published.</p>` : table(['Name', 'Type', 'Value'], records)}
<p>Publish one: <code>curl -X PUT http://127.0.0.1:8826/txt/_svc-challenge.shop.example -d '&lt;value&gt;'</code></p>`,
    { refreshSeconds: 3 },
  );
}

export function table(heads: readonly string[], rows: readonly Markup[]): Markup {
  return html`<table><thead><tr>${heads.map((head) => html`<th>${head}</th>`)}</tr></thead><tbody>
${rows}</tbody></table>`;
}

function mailPage(mail: ReceivedMail): LoopbackAnswer {
  return page(
    mail.subject,
    html`<p><a href="/">All mail</a></p>
<h1>${mail.subject}</h1>
<p>To ${mail.to.join(', ')}<br>From ${mail.from}<br>${mail.at.toISOString()}</p>
<pre>${linked(mail.text)}</pre>`,
  );
}
