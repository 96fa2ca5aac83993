import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { VERSION } from '../../lib/version.ts';
import { createToolServer, type ToolServerParts } from './server.ts';

/** For `payassent mcp`: serves one client until it closes the input or the signal ends it. */
export async function serveToolsOverStdio(
  parts: Omit<ToolServerParts, 'version'>,
  streams: { stdin: Readable; stdout: Writable },
  signal: AbortSignal,
): Promise<void> {
  const { stdin, stdout } = streams;
  const ended = once(stdin, 'close', { signal }).catch(() => undefined);
  const handle = serveStdio(() => createToolServer({ ...parts, version: VERSION }), {
    transport: new StdioServerTransport(stdin, stdout),
  });
  await ended;
  await handle.close();
}
