import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProtocolLine } from './mcp.ts';

const SUITE = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const WITH_GLOB = new URL('with-glob.mjs', import.meta.url).href;

/** One requirement, as the suite of MCP judged it. */
export interface Judged {
  scenario: string;
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

/** The suite knows no credential: every call passes here and gets one. */
export async function startCredentialProxy() {
  let target: { url: string; token: string } | undefined;
  const server = createServer((incoming, outgoing) => {
    if (!target) return void outgoing.destroy();
    const { hostname, port } = new URL(target.url);
    const headers = { ...incoming.headers, authorization: `Bearer ${target.token}` };
    const { method, url: path } = incoming;
    const passedOn = request({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passedOn.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passedOn.destroy());
    incoming.pipe(passedOn);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lead(url: string, token: string) {
      target = { url, token };
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Every scenario of the official suite for this line. Its exit code counts features that a server may leave out. */
export async function judgeServer(url: string, line: ProtocolLine): Promise<Judged[]> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-conformance-'));
  try {
    const about = ['--url', url, '--suite', 'all', '--spec-version', line, '--output-dir', folder];
    const child = spawn(process.execPath, ['--import', WITH_GLOB, SUITE, 'server', ...about], {
      stdio: 'ignore',
    });
    await once(child, 'close');
    const judged = (await readdir(folder)).map(async (name) => {
      const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] ?? name;
      const checks: Judged[] = JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8'));
      return checks.map((check) => ({ ...check, scenario }));
    });
    return (await Promise.all(judged)).flat();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
