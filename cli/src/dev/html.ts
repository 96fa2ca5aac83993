import type { LoopbackAnswer } from './loopback-server.ts';

/** Markup that is safe to put into a page: only `html` makes it. */
interface Markup {
  readonly markup: string;
}

/** Everything that is put in is text and stays text, unless it was itself made by `html`. */
export function html(
  parts: TemplateStringsArray,
  ...values: (string | number | Markup | readonly Markup[])[]
): Markup {
  const texts = values.map((value) =>
    typeof value === 'string' || typeof value === 'number'
      ? escaped(String(value))
      : [value]
          .flat()
          .map((each) => each.markup)
          .join(''),
  );
  return { markup: parts.reduce((text, part, index) => text + texts[index - 1] + part) };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** Addresses in a text become links; a token in the fragment goes nowhere but to the page it is for. */
export function linked(text: string): Markup[] {
  return text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, index) =>
      index % 2 === 0
        ? html`${part}`
        : html`<a href="${part}" rel="noreferrer noopener" target="_blank">${part}</a>`,
    );
}

/** No script, no form, nothing from elsewhere, whatever a mail contains. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

export function page(title: string, body: Markup, options: { refreshSeconds?: number } = {}): LoopbackAnswer {
  const refresh =
    options.refreshSeconds === undefined
      ? html``
      : html`<meta http-equiv="refresh" content="${options.refreshSeconds}">`;
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refresh}
<title>${title}</title>
<link rel="stylesheet" href="/style.css">
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
  return { status: 200, headers: PAGE_HEADERS, body: markup };
}

export const STYLE: LoopbackAnswer = {
  status: 200,
  headers: { 'content-type': 'text/css; charset=utf-8' },
  body: `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 2rem 1rem; }
main { max-width: 56rem; margin: 0 auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid #8884; vertical-align: top; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #8881; padding: 1rem; border-radius: 0.4rem; }
code { overflow-wrap: anywhere; }
.refused { color: #c33; }
.genuine { color: #282; }
`,
};

export function table(heads: readonly string[], rows: readonly Markup[]): Markup {
  return html`<table><thead><tr>${heads.map((head) => html`<th>${head}</th>`)}</tr></thead><tbody>
${rows}</tbody></table>`;
}
