/**
 * Runs Lighthouse on wallet, portal and documentation with its mobile settings (a slow phone on a slow line, simulated),
 * and checks with Chromium whether the wallet can be installed. Ends with 1 when a target is missed. Starts a separate
 * service, and installs Lighthouse and the Node it needs into a scratch folder, so that a plain install does not
 * include them.
 *
 *   npm run lighthouse                 three runs of each page, some five minutes
 *   npm run lighthouse -- --runs=1
 *   npm run lighthouse -- --publish    writes the figures into docs/proof/lighthouse.md
 *
 * The middle run counts: a busy machine can make a page slower, never faster.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os, { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium, WHAT_TO_INSTALL } from './chromium.mjs';
import { freePort } from './ports.mjs';
import { outcomeOf, startService, stopService } from './start-matrix/service.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const TOOLS = ['lighthouse@12.8.2', 'node@22.23.3'];
const APP = { performance: 95, accessibility: 100 };
const TEXT = { performance: 90, accessibility: 100 };
const WANTED = {
  '/wallet': APP,
  '/portal': APP,
  '/docs': TEXT,
  '/docs/guides/webhooks': TEXT,
  '/docs/reference/payment-requests': TEXT,
};
const SCORES = ['performance', 'accessibility', 'best-practices', 'seo'];
const TIMES = {
  FCP: 'first-contentful-paint',
  LCP: 'largest-contentful-paint',
  TBT: 'total-blocking-time',
  CLS: 'cumulative-layout-shift',
};

function install() {
  const folder = path.join(tmpdir(), `payassent-${TOOLS.join('-').replaceAll('@', '-')}`);
  if (!existsSync(path.join(folder, 'done'))) {
    const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', ...TOOLS];
    const { status } = spawnSync('npm', args, { cwd: tmpdir(), stdio: 'inherit' });
    if (status !== 0) throw new Error('Lighthouse could not be installed.');
    mkdirSync(path.join(folder, 'done'));
  }
  const tools = path.join(folder, 'node_modules');
  return [path.join(tools, 'node', 'bin', 'node'), path.join(tools, 'lighthouse', 'cli', 'index.js')];
}

/** Lighthouse's report on a page. Sometimes its recording fails and it has no figures: it gets two more tries. */
function record([node, lighthouse], url, file) {
  const args = [lighthouse, url, '--quiet', '--output=json', `--output-path=${file}`];
  const flags = '--chrome-flags=--headless=new --no-sandbox --disable-gpu';
  const env = { ...process.env, CHROME_PATH: findChromium() };
  for (let tries = 0; tries < 3; tries++) {
    const { status } = spawnSync(node, [...args, flags], { env, stdio: 'inherit', timeout: 300_000 });
    const report = status === 0 ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
    if (report && !report.runtimeError) return report;
  }
  throw new Error(`Lighthouse could not judge ${url}.`);
}

/** One run: the scores in per cent, the times, what cost points, and how fast and busy the machine was. */
function judge(tools, url, file) {
  const [load] = os.loadavg();
  const { categories, audits, environment } = record(tools, url, file);
  const refs = Object.values(categories).flatMap(({ auditRefs }) => auditRefs);
  const lost = refs
    .filter(({ id, weight }) => weight > 0 && (audits[id].score ?? 1) < 0.9)
    .map(({ id }) => `${id} (${audits[id].displayValue ?? audits[id].score})`);
  return {
    scores: Object.fromEntries(SCORES.map((name) => [name, Math.round(categories[name].score * 100)])),
    times: Object.fromEntries(Object.entries(TIMES).map(([name, id]) => [name, audits[id].numericValue])),
    lost: [...new Set(lost)],
    load,
    speed: environment.benchmarkIndex,
  };
}

/** Why Chromium would not install the wallet; private windows install nothing, so it gets a profile. */
async function installFaults(url, folder) {
  const { chromium } = createRequire(path.join(root, 'web', 'package.json'))('playwright-core');
  const settings = { executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] };
  const browser = await chromium.launchPersistentContext(path.join(folder, 'profile'), settings);
  try {
    const page = await browser.newPage();
    await page.goto(url, { waitUntil: 'load' });
    const devtools = await browser.newCDPSession(page);
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    return installabilityErrors.map(({ errorId }) => errorId);
  } finally {
    await browser.close();
  }
}

const print = (line) => process.stdout.write(`${line}\n`);
const middle = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const spread = (numbers, form = String) =>
  [...new Set([Math.min(...numbers), Math.max(...numbers)].map(form))].join('–');

/** The table, and a line for each score that is too low. */
function report(judged) {
  const missed = [];
  const rows = [...judged].map(([page, runs]) => {
    const scores = SCORES.map((name) => {
      const all = runs.map((run) => run.scores[name]);
      const wanted = WANTED[page][name];
      if (wanted !== undefined && middle(all) < wanted)
        missed.push(`${page}: ${name} is ${middle(all)}, wanted is ${wanted}`);
      const range = Math.min(...all) === Math.max(...all) ? '' : ` (${spread(all)})`;
      return `${middle(all)}${range}${wanted === undefined ? '' : `, wanted ${wanted}`}`;
    });
    const times = Object.keys(TIMES).map((name) => {
      const value = middle(runs.map((run) => run.times[name]));
      return name === 'CLS'
        ? value.toFixed(3)
        : name === 'TBT'
          ? `${Math.round(value)} ms`
          : `${(value / 1000).toFixed(1)} s`;
    });
    return `| \`${page}\` | ${[...scores, ...times].join(' | ')} |`;
  });
  const names = ['Page', 'Performance', 'Accessibility', 'Best practices', 'SEO', ...Object.keys(TIMES)];
  const table = [`| ${names.join(' | ')} |`, `|${'---|'.repeat(names.length)}`, ...rows].join('\n');
  return { table, missed };
}

function machine(judged) {
  const runs = [...judged.values()].flat();
  const [{ model }] = os.cpus();
  const day = new Date().toISOString().slice(0, 10);
  const memory = Math.round(os.totalmem() / 2 ** 30);
  const load = spread(
    runs.map((run) => run.load),
    (value) => value.toFixed(1),
  );
  const speed = spread(
    runs.map((run) => run.speed),
    (value) => String(Math.round(value)),
  );
  return `${day}, ${judged.get('/wallet').length} runs of each page, ${TOOLS[0].replace('@', ' ')}, machine: ${os.cpus().length} × ${model}, ${memory} GiB, ${os.platform()}. Load before each run ${load}, Lighthouse's index of the machine's speed ${speed}.`;
}

const page = (figures, table, installed) => `# Lighthouse

<!-- Written by \`npm run lighthouse -- --publish\`. -->

Lighthouse's scores of the pages with its settings for phones: a slow phone on a slow line, simulated. The middle run counts, with the lowest and highest next to it where they differ. \`npm run lighthouse\` measures again and fails when a target is missed. The portal declares that it is not meant for search engines, which costs it points there.

${figures}

${table}

FCP: something is visible. LCP: the largest part is visible. TBT: how long the page did not react to input. CLS: how much of the page moved while it loaded.

Chromium offers to install the wallet: ${installed}.
`;

async function main() {
  if (findChromium() === undefined) throw new Error(WHAT_TO_INSTALL);
  const count = Number(/--runs=(\d+)/.exec(process.argv.join(' '))?.[1] ?? 3);
  const tools = install();
  const folder = mkdtempSync(path.join(tmpdir(), 'payassent-judged-'));
  const port = await freePort();
  const variables = { SVC_PORT: String(port), SVC_DATA_DIR: path.join(folder, 'data') };
  // User 0 means the user who runs this: no rights are dropped.
  const service = startService({ clone: root, user: 0, home: folder, variables });
  try {
    const outcome = await outcomeOf(service, port);
    if (outcome !== 'running') throw new Error(`the service was ${outcome}:\n${service.output}`);
    const url = `http://127.0.0.1:${port}`;
    const judged = new Map();
    for (const place of Object.keys(WANTED)) {
      const runs = Array.from({ length: count }, () =>
        judge(tools, `${url}${place}`, path.join(folder, 'report.json')),
      );
      judged.set(place, runs);
      const lost = new Set(runs.flatMap((run) => run.lost));
      print(
        `${place}: ${runs.map(({ scores }) => scores.performance).join(', ')}; lost points: ${[...lost].join('; ') || 'none'}`,
      );
    }
    const faults = await installFaults(`${url}/wallet`, folder);
    const { table, missed } = report(judged);
    missed.push(...faults.map((fault) => `/wallet cannot be installed: ${fault}`));
    print(`\n${machine(judged)}\n\n${table}\n`);
    for (const line of missed) print(`MISSED: ${line}`);
    if (process.argv.includes('--publish'))
      writeFileSync(
        path.join(root, 'docs', 'proof', 'lighthouse.md'),
        page(machine(judged), table, faults.length === 0 ? 'yes' : `no (${faults.join(', ')})`),
      );
    return missed.length === 0 ? 0 : 1;
  } finally {
    await stopService(service, folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
