import { escapeHtml } from './layout.mjs';

const QUICK_STARTS = [
  [
    '/docs/guides/quick-start-agent',
    'For agents',
    'Request a payment, watch the decision, and connect a customer.',
    'Request a payment',
  ],
  [
    '/docs/guides/quick-start-merchant',
    'For merchants',
    'Verify a domain, set up a payee and register the agent that asks.',
    'Get ready to be paid',
  ],
  [
    '/docs/guides/quick-start-wallet',
    'For wallets',
    'Show requests, sign on the device, and report the outcome.',
    'Build a wallet',
  ],
];

const PLACES = [
  ['/docs/guides/authentication', 'Authentication', 'Who calls with which credential.'],
  ['/docs/reference/payment-requests', 'API reference', 'Every call with samples and responses.'],
  ['/docs/reference/webhook-events', 'Webhook events', 'Every message with its body.'],
  ['/docs/errors', 'Errors', 'Every code, and what to do about it.'],
  ['/docs/sdk', 'TypeScript SDK', 'By task, with what can go wrong.'],
  ['/docs/guides/cli', 'Command line', 'The payassent command.'],
  ['/docs/guides/models', 'Models and MCP', 'Tools that request and never approve.'],
  ['/docs/guides/quick-start-operator', 'Run it yourself', 'From nothing to production.'],
  ['/docs/concepts', 'Concepts', 'One word for each thing.'],
  ['/docs/auditors', 'For auditors', 'What you can check without believing us.'],
  ['/docs/security/model', 'Security model', 'Who can do what, and what stops them.'],
];

/** The parties of the diagram; each is a column, referred to by its index. */
const LANES = ['Agent', 'PayAssent', 'Wallet', 'Chain'];
const MESSAGES = [
  [0, 1, 'payee and amount'],
  [1, 1, 'pins the verified payee'],
  [1, 2, 'the pinned details'],
  [2, 1, 'signed, or rejected'],
  [2, 3, 'transaction'],
  [2, 1, 'broadcasted, confirmed'],
  [1, 3, 'looks it up'],
  [1, 0, 'events and webhooks'],
];

function sequence() {
  const x = (lane) => 90 + lane * 200;
  const height = 80 + MESSAGES.length * 42;
  const lanes = LANES.map(
    (name, lane) =>
      `<line class="lane" x1="${x(lane)}" x2="${x(lane)}" y1="44" y2="${height - 10}"/><rect class="who" x="${x(lane) - 70}" y="8" width="140" height="36" rx="10"/><text class="who-name" x="${x(lane)}" y="31">${name}</text>`,
  );
  const arrows = MESSAGES.map(([from, to, text], index) => {
    const y = 84 + index * 42;
    if (from === to)
      return `<rect class="self" x="${x(from) - 92}" y="${y - 20}" width="184" height="26" rx="8"/><text class="said" x="${x(from)}" y="${y - 2}">${text}</text>`;
    const end = x(to) + (to > from ? -3 : 3);
    return `<line class="arrow" x1="${x(from)}" x2="${end}" y1="${y}" y2="${y}" marker-end="url(#head)"/><text class="said" x="${(x(from) + x(to)) / 2}" y="${y - 8}">${text}</text>`;
  });
  return `<svg viewBox="0 0 780 ${height}" role="img" aria-label="How a payment goes: the agent requests a payment to a payee. PayAssent pins the verified payee and shows the details to the wallet. The wallet signs or rejects, sends the transaction to the chain and reports it. PayAssent looks it up on the chain, and the agent receives each step."><defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="arrow-head" d="M0 0l8 4-8 4z"/></marker></defs>${lanes.join('')}${arrows.join('')}</svg>`;
}

export function landingPage() {
  const starts = QUICK_STARTS.map(
    ([url, title, text, go]) =>
      `<li><a class="start" href="${url}"><strong>${title}</strong><span>${escapeHtml(text)}</span><span class="go">${go}</span></a></li>`,
  );
  const places = PLACES.map(
    ([url, title, text]) =>
      `<li><a href="${url}"><strong>${title}</strong></a><span class="soft">${escapeHtml(text)}</span></li>`,
  );
  return {
    kind: 'landing',
    title: 'Overview',
    url: '/docs',
    summary: 'Payments that software agents request and people approve: guides, API reference and samples.',
    html: `<div class="hero"><h1>Payments that agents request and people approve</h1><p class="lead">An agent names a payee and an amount. The payee’s details are pinned from a verified domain, a person decides in a wallet, and everyone can prove what happened. The service never holds a key.</p></div>
<h2>Quick starts</h2><ul class="starts">${starts.join('')}</ul>
<h2>How a payment goes</h2><div class="sequence" tabindex="0" role="region" aria-label="Picture">${sequence()}</div>
<h2>Find your way</h2><ul class="places">${places.join('')}</ul>
<h2>For programs</h2><ul class="plain"><li><a href="/openapi.json" download>Download the OpenAPI document</a></li><li><a href="/llms.txt">llms.txt</a>, <a href="/llms-full.txt">llms-full.txt</a> and <a href="/skill.md">skill.md</a> for models</li><li><a href="/docs/changelog">Changelog</a></li></ul>`,
  };
}
