import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, occupyPort } from '../ports.mjs';
import { CheckError, outputOf, start } from '../processes.mjs';

const READY_MS = 120_000;
const NOT_FOR_OPERATORS = ['typescript', 'esbuild', 'vite', 'rolldown', 'vitest', 'playwright-core', 'react'];
/** Only tests have a mail server, and only types are taken from TypeBox. */
const NOT_INSTALLED = ['smtp-server', '@payassent/proof', 'typebox'];

const USUAL_PORTS = [8787, 8826, 8827];
/** One that another program has is as taken as one that is taken here. */
const take = (port) => occupyPort(port).catch(() => undefined);
const PROJECTS = {
  express: ['server.js', 'payments.js'],
  next: ['lib/payments.ts', 'app/api/webhooks/route.ts', 'app/api/orders/[id]/route.ts'],
  mcp: ['.mcp.json', 'purchase.js'],
};

/** Every command's help in one process, which afterwards has loaded nothing that only a dev world needs. */
const HELP = `
import { createRequire } from 'node:module';
import { COMMANDS } from 'payassent/dist/registry.js';
import { runCommandLine } from 'payassent/dist/run.js';
const told = { text: '' };
const sink = { write: (text) => { told.text += text; } };
const io = { stdout: sink, stderr: sink, stdin: process.stdin, env: process.env, signal: new AbortController().signal, isColoured: false };
for (const name of ['', ...Object.keys(COMMANDS)]) {
  told.text = '';
  const code = await runCommandLine(io, [...name.split(' '), '--help'].filter(Boolean));
  if (code !== 0 || !told.text.includes('Usage: payassent')) throw new Error(name + ': ' + code + told.text);
}
const loaded = Object.keys(createRequire(import.meta.url).cache);
const stray = ['postal-mime', 'dns2'].filter((name) => loaded.some((file) => file.includes('/' + name + '/')));
if (stray.length > 0) throw new Error('loaded for a help text: ' + stray);
console.log(Object.keys(COMMANDS).length);
`;

/** The command as an operator and a newcomer use it. */
export async function checkCommand(folder, user, say, isThorough) {
  for (const name of [...NOT_FOR_OPERATORS, ...NOT_INSTALLED])
    if (existsSync(path.join(folder, 'node_modules', name)))
      throw new CheckError(`the command brings ${name}`);
  const payassent = path.join(folder, 'node_modules', '.bin', 'payassent');
  writeFileSync(path.join(folder, 'help.mjs'), HELP);
  const count = (await outputOf(process.execPath, ['help.mjs'], { cwd: folder, user })).trim();
  await outputOf(payassent, ['--help'], { cwd: folder, user });
  say(`  --help of ${count} commands`);
  await checkServe(payassent, folder, user);
  say('  serve');
  await checkInit(payassent, folder, user);
  say('  init');
  if (!isThorough) return;
  // With the usual ports free, and for the other user with all of them taken.
  const taken = user === undefined ? [] : await Promise.all(USUAL_PORTS.map(take));
  const seconds = await checkDev(payassent, folder, user);
  for (const server of taken) server?.close();
  say(`  dev and try: the first payment is confirmed after ${seconds} s`);
}

async function checkServe(payassent, folder, user) {
  const port = await freePort();
  const service = start(payassent, ['serve'], { cwd: folder, user, env: { SVC_PORT: String(port) } });
  const address = `http://127.0.0.1:${port}`;
  await untilTrue(service, async () => (await statusOf(`${address}/ready`)) === 200);
  for (const page of ['/portal', '/wallet', '/docs', '/openapi.json'])
    if ((await statusOf(`${address}${page}`)) !== 200) throw new CheckError(`${page} is not served`);
  service.child.kill('SIGTERM');
  await service.ended;
  if (service.code !== 0) throw new CheckError(`serve ended with ${service.code}:\n${service.output}`);
}

/** What npm leaves out of a package, a project would lack. */
async function checkInit(payassent, folder, user) {
  for (const [template, wanted] of Object.entries(PROJECTS)) {
    const told = await outputOf(payassent, ['init', template, `my-${template}`, '--json'], {
      cwd: folder,
      user,
    });
    const { files } = JSON.parse(told);
    const missing = [...wanted, '.env.example', '.gitignore', 'README.md', 'package.json'].filter(
      (file) => !files.includes(file),
    );
    if (missing.length > 0) throw new CheckError(`init ${template} wrote no ${missing.join(', ')}`);
  }
}

/** The steps of the README: one terminal with a world, another one with a payment; then a payment without a world. */
async function checkDev(payassent, folder, user) {
  const startedAt = performance.now();
  const world = start(payassent, ['dev', '--json'], { cwd: folder, user });
  await untilTrue(world, async () => world.stdout.includes('"type":"ready"'));
  const paid = await outputOf(payassent, ['try'], { cwd: folder, user });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  world.child.kill('SIGINT');
  await world.ended;
  if (!/^done .* confirmed$/m.test(paid)) throw new CheckError(`try printed:\n${paid}`);
  if (world.code !== 0) throw new CheckError(`dev ended with ${world.code}:\n${world.output}`);
  await outputOf(payassent, ['try'], { cwd: folder, user });
  return seconds;
}

async function untilTrue(started, isSo) {
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await sleep(100)) {
    if (await isSo()) return;
    if (started.code !== undefined) break;
  }
  started.child.kill('SIGKILL');
  throw new CheckError(`not ready:\n${started.output}`);
}

function statusOf(url) {
  return fetch(url).then(
    async (answer) => {
      await answer.body?.cancel();
      return answer.status;
    },
    () => 0,
  );
}
