import type { Language } from '@payassent/protocol';
import type { Mail } from '../../../lib/mail/index.ts';
import type { InEach } from './words.ts';

/** One part of a mail's text, written once for both formats. */
export type Block =
  /** A paragraph. */
  | string
  | { kind: 'link'; label: string; url: string }
  | { kind: 'facts'; rows: readonly (readonly [name: string, value: string])[] };

interface MailContent {
  to: string;
  language: Language;
  subject: string;
  blocks: readonly Block[];
  /** The sender, below a line. */
  footer: string;
}

/** The input of every notice to team members. */
export interface NoticeFacts<Notice> {
  to: string;
  language: Language;
  baseUrl: string;
  /** When the act happened. */
  at: Date;
  notice: Notice;
}

const MAX_SUBJECT = 120;
const TEXT_WIDTH = 72;

/** Plain text and HTML with the same words: a reader of either one misses nothing. */
export function composeMail(content: MailContent): Mail {
  const { language } = content;
  const blocks = [GREETING[language], ...content.blocks];
  const text = [...blocks.map(asText), `-- \n${wrapped(content.footer)}`].join('\n\n');
  const body = [
    ...blocks.map((block) => asHtml(block, language)),
    `<p style="${STYLES.footer}">${escaped(content.footer)}</p>`,
  ];
  const html = [
    '<!doctype html>',
    `<html lang="${language}">`,
    `<head><meta charset="utf-8"><title>${escaped(content.subject)}</title></head>`,
    `<body style="${STYLES.body}">`,
    ...body,
    '</body>',
    '</html>',
  ].join('\n');
  return {
    to: content.to,
    subject: oneLine(content.subject).slice(0, MAX_SUBJECT),
    text: `${text}\n`,
    html: `${html}\n`,
  };
}

const GREETING: InEach<string> = { en: 'Hello,', de: 'Guten Tag,' };
const COPY_IT: InEach<string> = {
  en: 'If the button does not work, copy this address into your browser:',
  de: 'Wenn die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
};

/** Below every notice that goes to all team members. */
export function noticeFooter(baseUrl: string, merchant: string, language: Language): string {
  return {
    en: `Sent by PayAssent at ${baseUrl} to every team member of ${merchant}. This notice cannot be switched off.`,
    de: `Gesendet von PayAssent unter ${baseUrl} an alle Teammitglieder von ${merchant}. Diese Nachricht lässt sich nicht abschalten.`,
  }[language];
}

/** Text from others may contain line ends; in a mail it must not pass for ours. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

const STYLES = {
  body: 'font-family: system-ui, -apple-system, Segoe UI, Roboto, sans-serif; font-size: 16px; line-height: 1.5; max-width: 36em; margin: 2em auto; padding: 0 1em;',
  button:
    'display: inline-block; padding: 0.7em 1.4em; border-radius: 6px; background: #1f5f4a; color: #ffffff; text-decoration: none; font-weight: 600;',
  address: 'font-size: 13px; word-break: break-all;',
  name: 'text-align: left; vertical-align: top; padding: 0.2em 1em 0.2em 0; font-weight: 600; white-space: nowrap;',
  value: 'padding: 0.2em 0; word-break: break-all;',
  footer: 'font-size: 13px; border-top: 1px solid #999999; padding-top: 1em; margin-top: 2em;',
} as const;

function asText(block: Block): string {
  if (typeof block === 'string') return wrapped(block);
  switch (block.kind) {
    case 'link':
      // Alone on its line and never wrapped, so that it can be copied whole.
      return `${block.label}:\n\n${block.url}`;
    case 'facts':
      return block.rows.map(([name, value]) => `  ${name}: ${oneLine(value)}`).join('\n');
  }
}

function asHtml(block: Block, language: Language): string {
  if (typeof block === 'string') return `<p>${escaped(block)}</p>`;
  switch (block.kind) {
    case 'link':
      return [
        `<p><a href="${escaped(block.url)}" style="${STYLES.button}">${escaped(block.label)}</a></p>`,
        `<p style="${STYLES.address}">${COPY_IT[language]}<br>${escaped(block.url)}</p>`,
      ].join('\n');
    case 'facts':
      return `<table role="presentation">\n${block.rows.map(asRow).join('\n')}\n</table>`;
  }
}

function asRow([name, value]: readonly [string, string]): string {
  return `<tr><th scope="row" style="${STYLES.name}">${escaped(name)}</th><td style="${STYLES.value}">${escaped(oneLine(value))}</td></tr>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function wrapped(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > TEXT_WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}
