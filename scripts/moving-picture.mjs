/**
 * Draws the moving picture of the README, from request to webhook, out of a payment that `payassent try` really makes:
 * `npm run moving-picture`. An SVG, so that it is small, sharp and at rest for readers who want no motion.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
/** What it writes, for the test that compares the README with it. */
export const MOVING_PICTURE = 'docs/pictures/request-to-webhook.svg';

const SECONDS = 10;
const COLUMNS = [
  ['Agent', 20],
  ['Wallet', 300],
  ['Merchant’s server', 580],
];

/** The steps of one payment, as the command reports them. */
function stepsOfPayment() {
  const out = execFileSync(process.execPath, [path.join(root, 'cli/dist/main.js'), 'try', '--json'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = out.split('\n').filter((line) => line.startsWith('{'));
  return new Map(lines.map((line) => JSON.parse(line)).map((step) => [step.step, step]));
}

/** Each line of the picture: its column, its row, the second at which it appears, and how it is set. */
function linesOf(steps) {
  const [call] = steps.get('asked').calls;
  const [, path, , status] = call.call.split(' ');
  const webhooks = steps.get('heard').webhooks;
  return [
    { column: 0, row: 0, at: 0.3, text: `POST ${path}`, kind: 'code' },
    { column: 0, row: 1, at: 0.6, text: 'Blue Door Coffee, 12.50 XLM' },
    { column: 0, row: 2, at: 1.2, text: `${status} ${steps.get('asked').status}`, kind: 'code' },
    { column: 1, row: 0, at: 2, text: 'Blue Door Coffee', kind: 'strong' },
    { column: 1, row: 1, at: 2, text: '✓ bluedoor.example' },
    { column: 1, row: 2, at: 2, text: '12.50 XLM, details pinned' },
    { column: 1, row: 3.3, at: 2.4, text: 'Approve', kind: 'button' },
    { column: 1, row: 5, at: 4, text: 'approved and signed' },
    { column: 1, row: 6, at: 5, text: 'broadcasted by the wallet' },
    ...webhooks.map((event, index) => ({
      ...{ column: 2, row: index, at: [1.6, 4.2, 5.2, 6.2][index] ?? 6.2, kind: 'code' },
      text: `✓ payment_request.${event}`,
    })),
    { column: 2, row: webhooks.length + 0.4, at: 6.8, text: 'every signature verified' },
    { column: 0, row: 4, at: 6.8, text: steps.get('confirmed').status, kind: 'strong' },
  ];
}

function drawn({ column, row, at, text, kind = 'plain' }) {
  const x = COLUMNS[column][1] + 16;
  const y = 84 + row * 24;
  const style = `style="animation-name:${nameOf(at)}"`;
  const words = `<text class="${kind}" x="${kind === 'button' ? x + 105 : x}" y="${y}">${text}</text>`;
  const shape =
    kind === 'button' ? `<rect class="press" x="${x}" y="${y - 19}" width="210" height="28" rx="6"/>` : '';
  return `<g class="step" ${style}>${shape}${words}</g>`;
}

function nameOf(at) {
  return `at${String(at).replace('.', '_')}`;
}

/** Hidden until its second, then shown until the picture begins again. */
function keyframes(at) {
  const percent = ((at / SECONDS) * 100).toFixed(1);
  return `@keyframes ${nameOf(at)}{0%,${percent}%{opacity:0}${(Number(percent) + 2).toFixed(1)}%,97%{opacity:1}100%{opacity:0}}`;
}

function picture(lines) {
  const times = [...new Set(lines.map(({ at }) => at))];
  const css = [
    'text{font:14px system-ui,sans-serif;fill:#1c2421}',
    '.code{font:13px ui-monospace,monospace}.strong,.title{font-weight:600}.title{fill:#1f5f4a}',
    '.box{fill:#fff;stroke:#c9d4cf}.press{fill:#1f5f4a}.button{fill:#fff;text-anchor:middle}',
    `.step{animation-duration:${SECONDS}s;animation-iteration-count:infinite}`,
    '@media (prefers-color-scheme:dark){text{fill:#e6ece9}.title{fill:#7fd1b0}.box{fill:#16201c;stroke:#33423b}.press{fill:#7fd1b0}.button{fill:#10201a}}',
    '@media (prefers-reduced-motion:reduce){.step{animation:none}}',
    ...times.map(keyframes),
  ].join('\n');
  const boxes = COLUMNS.map(
    ([title, x]) =>
      `<rect class="box" x="${x}" y="20" width="260" height="240" rx="10"/><text class="title" x="${x + 16}" y="50">${title}</text>`,
  );
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 280" role="img" aria-label="An agent requests a payment, the customer approves it in the wallet, and the merchant receives webhooks">',
    `<style>${css}</style>`,
    ...boxes,
    ...lines.map(drawn),
    '</svg>',
    '',
  ].join('\n');
}

export function drawMovingPicture() {
  writeFileSync(path.join(root, MOVING_PICTURE), picture(linesOf(stepsOfPayment())));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  drawMovingPicture();
