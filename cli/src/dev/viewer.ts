import { type SimulatedChain, takeTransfer } from './chain.ts';
import { html, linked, page, STYLE, table } from './html.ts';
import { jsonAnswer, type LoopbackAnswer, type LoopbackRequest, plainAnswer } from './loopback-server.ts';
import type { LocalMail } from './mail-folder.ts';

interface Viewed {
  mails: readonly LocalMail[];
  /** TXT records by name. */
  names: Map<string, string>;
  chain: SimulatedChain;
  /** Returns the time of the service after the move. */
  moveClock(ms: number): Promise<Date>;
  /** A session of the merchant's owner, whose mails are here; returns its cookie. */
  openSession(): Promise<string>;
  /** Once a record, the clock or the chain was changed. */
  onChange(): void;
}

const NAME = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{1,63}$/i;
/** One string of a TXT record. */
const VALUE = /^[\x20-\x7e]{1,255}$/;

/** Shows mails; `PUT /txt/<name>` publishes a TXT record, `PUT /clock` moves the service's clock by milliseconds, `PUT /session` signs in. */
export function viewerPages(viewed: Viewed): (request: LoopbackRequest) => Promise<LoopbackAnswer> {
  return async (request) => {
    const answer = await answerOf(viewed, request);
    if (request.method !== 'GET') viewed.onChange();
    return answer;
  };
}

async function answerOf(viewed: Viewed, request: LoopbackRequest): Promise<LoopbackAnswer> {
  const { method, origin, path } = request;
  if (path.startsWith('/txt/')) return changeRecord(viewed, request, path.slice('/txt/'.length));
  if (path === '/clock') return moveClock(viewed, request);
  if (path.startsWith('/chain/')) return takeTransfer(viewed.chain, request, path.slice('/chain/'.length));
  if (path === '/session' && method === 'PUT')
    return jsonAnswer({ session_cookie: await viewed.openSession() });
  if (method !== 'GET') return plainAnswer(405, 'Only GET here; records are put at /txt/<name>.');
  if (path === '/') return overview(viewed, origin);
  if (path === '/style.css') return STYLE;
  if (path === '/mails.json') return jsonAnswer(viewed.mails.map(summaryOf));
  if (path === '/txt')
    return plainAnswer(
      200,
      recordsOf(viewed)
        .map((row) => row.join(' '))
        .join('\n'),
    );
  const mail = viewed.mails[Number(/^\/mails\/(\d{1,9})$/.exec(path)?.[1] ?? -1) - 1];
  return mail === undefined ? plainAnswer(404, 'Nothing is here.') : mailPage(mail);
}

function changeRecord({ names }: Viewed, { method, body }: LoopbackRequest, written: string): LoopbackAnswer {
  if (!NAME.test(written))
    return plainAnswer(400, 'This is not a name of a host, such as _svc-challenge.shop.example.');
  const name = written.toLowerCase();
  if (method === 'DELETE') {
    names.delete(name);
    return plainAnswer(200, `${name} has no TXT record any more.`);
  }
  if (method !== 'PUT') return plainAnswer(405, 'PUT publishes a record, DELETE removes it.');
  const value = body.toString('utf8').trim();
  if (!VALUE.test(value))
    return plainAnswer(400, 'Send the value as the body: 1 to 255 printable characters.');
  names.set(name, value);
  return plainAnswer(200, `${name} TXT "${value}"`);
}

/** 0 requests the time. */
async function moveClock(viewed: Viewed, { method, body }: LoopbackRequest): Promise<LoopbackAnswer> {
  const text = body.toString('utf8').trim();
  if (method !== 'PUT' || !/^-?\d{1,12}$/.test(text))
    return plainAnswer(400, 'PUT the milliseconds by which to move the clock.');
  const now = await viewed.moveClock(Number(text));
  return jsonAnswer({ now: now.toISOString(), offset_ms: now.getTime() - Date.now() });
}

function recordsOf({ names }: Viewed): [string, string, string][] {
  return [...names].sort().map(([name, value]) => [name, 'TXT', JSON.stringify(value)]);
}

function summaryOf(mail: LocalMail) {
  return { ...mail, links: mail.text.match(/https?:\/\/[^\s<>"']+/g) ?? [] };
}

function overview(viewed: Viewed, origin: string): LoopbackAnswer {
  const mails = viewed.mails.map(
    (mail, index) => html`<tr>
<td>${mail.at.slice(0, 19).replace('T', ' ')}</td>
<td>${mail.to.join(', ')}</td>
<td><a href="/mails/${index + 1}">${mail.subject}</a></td>
</tr>
`,
  );
  const records = recordsOf(viewed).map(
    (row) => html`<tr>${row.map((cell) => html`<td><code>${cell}</code></td>`)}</tr>`,
  );
  return page(
    'Mail and names',
    html`<h1>Mail</h1>
${mails.length === 0 ? html`<p>No mail yet. This page refreshes automatically.</p>` : table(['When (UTC)', 'To', 'Subject'], mails.toReversed())}
<h1>Names</h1>
${records.length === 0 ? html`<p>No record is published.</p>` : table(['Name', 'Type', 'Value'], records)}
<p>Publish one: <code>curl -X PUT ${origin}/txt/_svc-challenge.shop.example -d '&lt;value&gt;'</code></p>`,
    { refreshSeconds: 3 },
  );
}

function mailPage(mail: LocalMail): LoopbackAnswer {
  return page(
    mail.subject,
    html`<p><a href="/">All mail</a></p>
<h1>${mail.subject}</h1>
<p>To ${mail.to.join(', ')}<br>From ${mail.from}<br>${mail.at}</p>
<pre>${linked(mail.text)}</pre>`,
  );
}
