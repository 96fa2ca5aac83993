/**
 * Lets Lighthouse judge wallet, portal and documentation as a phone sees them, and says whether they reach what is
 * asked of them. Starts a service of its own, and installs Lighthouse and the Node it needs into a scratch folder, so
 * that nobody who only wants PayAssent installs them.
 *
 *   npm run lighthouse              three runs of each page, about three minutes
 *   npm run lighthouse -- --runs=1
 *
 * The middle run counts: a busy machine makes a page look slow, never fast.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium, WHAT_TO_INSTALL } from './chromium.mjs';
import { freePort, outcomeOf, startService, stopService } from './start-matrix/service.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const TOOLS = ['lighthouse@12.8.2', 'node@22.23.3'];
const WANTED = {
  '/wallet': { performance: 95, accessibility: 100 },
  '/portal': { performance: 95, accessibility: 100 },
  '/docs': { performance: 90, accessibility: 100 },
};
const ALSO_SHOWN = ['best-practices', 'seo'];

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

/** One run: the scores in per cent, and what cost points. */
function judge([node, lighthouse], url, file) {
  const args = [lighthouse, url, '--quiet', '--output=json', `--output-path=${file}`];
  const flags = '--chrome-flags=--headless=new --no-sandbox --disable-gpu';
  const env = { ...process.env, CHROME_PATH: findChromium() };
  const { status } = spawnSync(node, [...args, flags], { env, stdio: 'inherit', timeout: 300_000 });
  if (status !== 0) throw new Error(`Lighthouse could not judge ${url}.`);
  const { categories, audits } = JSON.parse(readFileSync(file, 'utf8'));
  const scores = Object.entries(categories).map(([name, { score }]) => [name, Math.round(score * 100)]);
  const lost = Object.values(categories)
    .flatMap(({ auditRefs }) => auditRefs)
    .filter(({ id, weight }) => weight > 0 && (audits[id].score ?? 1) < 0.9)
    .map(({ id }) => `${id} (${audits[id].displayValue ?? audits[id].score})`);
  return { scores: Object.fromEntries(scores), lost: [...new Set(lost)] };
}

const print = (line) => process.stdout.write(`${line}\n`);
const middle = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Prints a line for each score; returns how many are too low. */
function tell(page, runs) {
  let missed = 0;
  for (const name of [...Object.keys(WANTED[page]), ...ALSO_SHOWN]) {
    const all = runs.map(({ scores }) => scores[name]);
    const wanted = WANTED[page][name];
    const isMissed = wanted !== undefined && middle(all) < wanted;
    if (isMissed) missed += 1;
    const aim = wanted === undefined ? '' : `, wanted ${wanted}${isMissed ? ': MISSED' : ''}`;
    print(`${page} ${name}: ${middle(all)} (${all.join(', ')})${aim}`);
  }
  const lost = new Set(runs.flatMap((run) => run.lost));
  if (lost.size > 0) print(`  lost points: ${[...lost].join('; ')}`);
  return missed;
}

async function main() {
  if (findChromium() === undefined) throw new Error(WHAT_TO_INSTALL);
  const count = Number(/--runs=(\d+)/.exec(process.argv.join(' '))?.[1] ?? 3);
  const tools = install();
  const folder = mkdtempSync(path.join(tmpdir(), 'payassent-judged-'));
  const port = await freePort();
  const variables = { SVC_PORT: String(port), SVC_DATA_DIR: path.join(folder, 'data') };
  // User 0 stands for the user who runs this: no rights are taken away.
  const service = startService({ clone: root, user: 0, home: folder, variables });
  try {
    const outcome = await outcomeOf(service, port);
    if (outcome !== 'running') throw new Error(`the service was ${outcome}:\n${service.output}`);
    let missed = 0;
    for (const page of Object.keys(WANTED)) {
      const runs = Array.from({ length: count }, () =>
        judge(tools, `http://127.0.0.1:${port}${page}`, path.join(folder, 'report.json')),
      );
      missed += tell(page, runs);
    }
    return missed === 0 ? 0 : 1;
  } finally {
    await stopService(service, folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
