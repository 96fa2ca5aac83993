import { STATUS_CODES } from 'node:http';
import { styleText } from 'node:util';
import type { Entry } from './entries.ts';
import { formatJson } from './format-json.ts';
import { createKnownRecords } from './known-records.ts';

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

export function createPaint(isColoured: boolean): Paint {
  return (style, text) => (isColoured ? styleText(style, text) : text);
}

/** Makes the text of one entry after the other: what was shown before is not shown again. */
export function createRenderer(isColoured: boolean): (entry: Entry) => string {
  const paint = createPaint(isColoured);
  const reduce = createKnownRecords();
  const style = { name: (text: string) => paint('cyan', text), value: (text: string) => text, width: 92 };
  const json = (value: unknown): string => indented(formatJson(reduce(value), style), 6);
  return (entry) => renderEntry(entry, paint, json);
}

type Json = (value: unknown) => string;

function renderEntry(entry: Entry, paint: Paint, json: Json): string {
  if ('brief' in entry) return '';
  switch (entry.type) {
    case 'start':
      return renderStart(entry, paint);
    case 'step':
      return `\n${paint(['bold', 'inverse'], ` ${entry.number} `)} ${paint('bold', entry.title)}\n${indented(wrapped(entry.text))}\n\n`;
    case 'exchange':
      return renderExchange(entry, paint, json);
    case 'note':
      return `${indented(wrapped(entry.text))}\n\n`;
    case 'mail':
      return `${indented(`${paint('magenta', 'mail')} to ${entry.to}: ${entry.subject}\n  ${entry.link}`)}\n\n`;
    case 'dns':
      return `${indented(`${paint('magenta', 'dns')} ${entry.name} ${entry.record}\n  "${entry.value}"`)}\n\n`;
    case 'review':
      return renderReview(entry, paint);
    case 'webhook':
      return renderWebhook(entry, paint, json);
    case 'summary':
      return renderSummary(entry, paint);
    case 'failure':
      return `\n${paint(['bold', 'red'], `Stopped at step ${entry.step}: ${entry.title}`)}\n${indented(entry.message)}\n`;
  }
}

type EntryOf<Type extends Entry['type']> = Extract<Entry, { type: Type }>;

function renderStart(entry: EntryOf<'start'>, paint: Paint): string {
  return [
    paint('bold', 'PayAssent: payments that agents ask for and people approve'),
    '',
    '  This walk uses a real service on this machine, with data that are removed at the end.',
    '  Every request and answer below is what really went over the wire. Secrets are shortened, and of a',
    '  record that was shown before only what has changed is shown; --json shows everything.',
    '',
    `  service   ${entry.service}`,
    `  names     ${entry.dns}`,
    `  mail      ${entry.mail}`,
    `  webhooks  ${entry.webhooks}`,
    `  data      ${entry.data}`,
    '',
    '',
  ].join('\n');
}

function renderExchange(entry: EntryOf<'exchange'>, paint: Paint, json: Json): string {
  const { headers, body } = entry.request;
  const credential = headers['authorization'] ?? headers['x-svc-api-key'] ?? headers['cookie'];
  const key = headers['x-idempotency-key'];
  const shown = [credential, key === undefined ? undefined : `key ${key}`].filter(
    (text) => text !== undefined,
  );
  const status = `← ${entry.status} ${STATUS_CODES[entry.status] ?? ''}`;
  return [
    `    ${paint('blue', `${entry.actor} →`)} ${paint('bold', `${entry.method} ${entry.path}`)}`,
    ...shown.map((text) => `      ${paint('dim', text)}`),
    ...(body === undefined ? [] : [json(body)]),
    `    ${paint(entry.status < 300 ? 'green' : 'yellow', status)}${paint('dim', `   ${entry.duration_ms} ms`)}`,
    json(entry.answer.body),
    '\n',
  ].join('\n');
}

function renderReview(entry: EntryOf<'review'>, paint: Paint): string {
  const facts = [
    paint(['bold', 'underline'], `Pay ${entry.amount} ${entry.asset}`),
    '',
    paint('bold', `to ${entry.payee}`),
    entry.domain === null
      ? paint('red', 'no domain has been proved')
      : paint('green', `✓ controls ${entry.domain}`),
    '',
    ...addressLines(entry.address).map((line) => paint('bold', line)),
    `on ${entry.network}${entry.memo === null ? '' : `, memo ${entry.memo}`}`,
    entry.facts_are_pinned
      ? paint('green', '✓ these facts are the ones that were pinned')
      : paint('red', 'THESE FACTS ARE NOT THE PINNED ONES'),
    paint('dim', `until ${entry.expires_at}`),
  ];
  const words = [
    paint('yellow', `What ${entry.agent} says (not checked by anyone):`),
    ...entry.agent_says.map((line) => paint('dim', `  ${line}`)),
  ];
  const bar = paint('dim', '│');
  const line = paint('dim', '─'.repeat(60));
  const framed = [
    ...facts.map((text) => `${bar} ${text}`),
    `├${line}`,
    ...words.map((text) => `${bar} ${text}`),
  ];
  return `${indented([`┌${line}`, ...framed, `└${line}`].join('\n'))}\n\n`;
}

/** Seven groups of four fill a line that is still compared easily. */
function addressLines(address: string): string[] {
  const groups = address.split(' ');
  const lines: string[] = [];
  for (let start = 0; start < groups.length; start += 7) lines.push(groups.slice(start, start + 7).join(' '));
  return lines;
}

function renderWebhook(entry: EntryOf<'webhook'>, paint: Paint, json: Json): string {
  const title = `${paint('magenta', 'webhook')} ${paint('bold', `POST ${entry.path}`)}`;
  return [
    `    ${title} ${paint('green', '✓ signature verified')}`,
    ...Object.entries(entry.headers).map(([name, value]) => `      ${paint('dim', `${name}: ${value}`)}`),
    json(entry.body),
    '\n',
  ].join('\n');
}

function renderSummary(entry: EntryOf<'summary'>, paint: Paint): string {
  const seconds = (entry.duration_ms / 1000).toFixed(1);
  return [
    '',
    paint(['bold', 'green'], 'Done'),
    ...entry.results.map((line) => `  ${paint('green', '✓')} ${line}`),
    '',
    `  ${entry.steps} steps, ${entry.calls} calls and ${entry.webhooks} verified webhooks in ${seconds} s.`,
    '  To try it by hand: payassent dev, then payassent try',
    '',
  ].join('\n');
}

function indented(text: string, columns = 4): string {
  return text.replaceAll(/^/gm, ' '.repeat(columns));
}

function wrapped(text: string, width = 92): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}
