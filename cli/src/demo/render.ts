import { STATUS_CODES } from 'node:http';
import { styleText } from 'node:util';
import type { Entry } from './entries.ts';
import { formatJson } from './format-json.ts';

type Style = Parameters<typeof styleText>[0];
export type Paint = (style: Style, text: string) => string;

export function createPaint(isColoured: boolean): Paint {
  return (style, text) => (isColoured ? styleText(style, text) : text);
}

/** One entry as people read it. */
export function renderEntry(entry: Entry, paint: Paint): string {
  switch (entry.type) {
    case 'start':
      return renderStart(entry, paint);
    case 'step':
      return `\n${paint(['bold', 'inverse'], ` ${entry.number} `)} ${paint('bold', entry.title)}\n${indented(wrapped(entry.text))}\n`;
    case 'exchange':
      return renderExchange(entry, paint);
    case 'note':
      return `${indented(wrapped(entry.text))}\n`;
    case 'mail':
      return `${indented(`${paint('magenta', 'mail')} to ${entry.to}: ${entry.subject}\n${entry.link}`)}\n`;
    case 'dns':
      return `${indented(`${paint('magenta', 'dns')}  ${entry.name} ${entry.record} "${entry.value}"`)}\n`;
    case 'review':
      return renderReview(entry, paint);
    case 'webhook':
      return renderWebhook(entry, paint);
    case 'summary':
      return renderSummary(entry, paint);
    case 'failure':
      return `\n${paint(['bold', 'red'], `Stopped at step ${entry.step}: ${entry.title}`)}\n${indented(entry.message)}\n`;
  }
}

type EntryOf<Type extends Entry['type']> = Extract<Entry, { type: Type }>;

function renderStart(entry: EntryOf<'start'>, paint: Paint): string {
  return [
    paint('bold', 'Countersign: payments that agents ask for and people approve'),
    '',
    '  This walk uses a real service on this machine, with data that are removed at the end.',
    '  Every request and answer below is what really went over the wire; secrets are shortened.',
    '',
    `  service   ${entry.service}`,
    `  names     ${entry.dns}`,
    `  mail      ${entry.mail}`,
    `  webhooks  ${entry.webhooks}`,
    `  data      ${entry.data}`,
    '',
  ].join('\n');
}

function renderExchange(entry: EntryOf<'exchange'>, paint: Paint): string {
  const json = (value: unknown): string =>
    indented(formatJson(value, { name: (text) => paint('cyan', text), value: (text) => text }), 6);
  const credential = entry.request.headers['authorization'] ?? entry.request.headers['x-svc-api-key'];
  const shownCredential = credential ?? entry.request.headers['cookie'];
  const isSuccess = entry.status < 300;
  return [
    `    ${paint('blue', `${entry.actor} →`)} ${paint('bold', `${entry.method} ${entry.path}`)}${
      shownCredential === undefined ? '' : paint('dim', `   ${shownCredential}`)
    }`,
    ...(entry.request.body === undefined ? [] : [json(entry.request.body)]),
    `    ${paint(isSuccess ? 'green' : 'yellow', `← ${entry.status} ${STATUS_CODES[entry.status] ?? ''}`)}${paint('dim', `   ${entry.duration_ms} ms`)}`,
    json(entry.answer.body),
    '',
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

function renderWebhook(entry: EntryOf<'webhook'>, paint: Paint): string {
  const headers = Object.entries(entry.headers).map(([name, value]) => paint('dim', `${name}: ${value}`));
  return `${indented(
    [
      `${paint('magenta', 'webhook')} ${paint('bold', `POST ${entry.path}`)} ${paint('green', '✓ signature verified')}`,
      ...headers.map((line) => `  ${line}`),
      indented(formatJson(entry.body, { name: (text) => paint('cyan', text), value: (text) => text }), 2),
    ].join('\n'),
  )}\n\n`;
}

function renderSummary(entry: EntryOf<'summary'>, paint: Paint): string {
  const seconds = (entry.duration_ms / 1000).toFixed(1);
  return [
    '',
    paint(['bold', 'green'], 'Done'),
    ...entry.results.map((line) => `  ${paint('green', '✓')} ${line}`),
    '',
    `  ${entry.steps} steps, ${entry.calls} calls and ${entry.webhooks} verified webhooks in ${seconds} s.`,
    '  To try it by hand: npm run dev:world',
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
