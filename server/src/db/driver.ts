import { readFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import path from 'node:path';
import type postgres from 'postgres';

/**
 * The driver, with four faults of its version 3.4.9 mended while it is loaded: each of them lets a database that goes
 * away end the whole service, or leaves a connection that never speaks again. They are known to its makers and open.
 * Mending at load works wherever the service runs: also from a read-only folder, and installed without scripts.
 */
const MENDS = [
  {
    // A statement of a transaction whose connection was lost (its rollback, mostly) was written to no socket, which
    // threw where nobody can catch it. Its caller is told instead.
    from: '  function execute(q) {\n',
    to:
      '  function execute(q) {\n' +
      '    if (socket === null) {\n' +
      "      queryError(q, Errors.connection('CONNECTION_CLOSED', options))\n" +
      '      return true\n' +
      '    }\n',
  },
  {
    // What a connection was about when it ended stayed with it: callers that waited for ever, or the error of a lost
    // transaction given to the next caller.
    from: '    socket = null\n',
    to:
      '    socket = null\n' +
      "    const lost = errorResponse || Errors.connection('CONNECTION_CLOSED', options)\n" +
      '    stream && (stream.destroy(lost), stream = null)\n' +
      '    query && queryError(query, lost)\n' +
      '    while (sent.length)\n' +
      '      queryError(sent.shift(), lost)\n' +
      '    query = results = errorResponse = null\n' +
      '    result = new Result()\n',
  },
  {
    // Whatever waited to be written when a connection ended stayed, and blocked all writing of the next one.
    from: '    clearImmediate(nextWriteTimer)\n',
    to: '    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n',
  },
  {
    // Asked on each new connection, with nobody to hear that it failed; the connection itself is met again.
    from: '        return fetchArrayTypes()\n',
    to: '        return fetchArrayTypes().catch(() => {})\n',
  },
] as const;

function mend(text: string): string {
  return MENDS.reduce((mended, { from, to }) => {
    if (!mended.includes(from))
      throw new Error(`This is not the driver that PayAssent knows how to mend: no "${from.trim()}" in it.`);
    return mended.replaceAll(from, to);
  }, text);
}

/** The module that differs is put where the package's own `require` finds it: under its own name, with its own errors. */
function loadMended(): typeof postgres {
  const require = createRequire(import.meta.url);
  const main = require.resolve('postgres');
  const file = path.join(path.dirname(main), 'connection.js');
  const mended = Object.assign(new Module(file), { filename: file }) as Compilable;
  mended._compile(mend(readFileSync(file, 'utf8')), file);
  require.cache[file] = mended;
  return require(main);
}

/** What every loader of CommonJS code relies on, though the types do not name it. */
type Compilable = Module & { _compile(text: string, file: string): void };

export const connect = loadMended();
