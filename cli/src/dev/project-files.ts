import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LocalError } from '../command.ts';
import { readFileIfThere, writePrivateFile } from '../private-file.ts';
import { ignoreInGit } from './git-ignore.ts';

const BEGIN = '# payassent dev: removed when it ends';
const END = '# end of payassent dev';
const COMMAND = fileURLToPath(new URL('../../bin/payassent.js', import.meta.url));

/**
 * `.env` for programs and `.mcp.json` for models in a folder. Whatever else is in them stays as it is, and what
 * was added goes when the world ends. git ignores them meanwhile: they hold a live token.
 */
export function writeProjectFiles(
  folder: string,
  variables: Readonly<Record<string, string>>,
  profile: string,
): { files: string[]; tracked: string[]; remove(): void } {
  const names = ['.env', '.mcp.json'];
  // Before there is anything to commit.
  const ignored = ignoreInGit(folder, names);
  const [env = '', mcp = ''] = names.map((name) => join(folder, name));
  const remove = () => {
    ignored.remove();
    change(env, withoutBlock);
    // One that a person is editing stays as it is: it must not keep the world from ending.
    change(mcp, (text) => (isJson(text) ? withServer(mcp, text, undefined) : text));
  };
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const server = { command: process.execPath, args: [COMMAND, 'mcp'], env: { PAYASSENT_PROFILE: profile } };
  try {
    change(env, (text) => `${withoutBlock(text)}${[BEGIN, ...lines, END, ''].join('\n')}`);
    change(mcp, (text) => withServer(mcp, text, server));
  } catch (error) {
    remove();
    throw error;
  }
  return {
    files: [env, mcp],
    tracked: ignored.tracked.map((name) => join(folder, name)),
    remove,
  };
}

/** What is empty afterwards was ours alone. */
function change(file: string, edit: (text: string) => string): void {
  const before = readFileIfThere(file) ?? '';
  const after = edit(before);
  if (after === '') rmSync(file, { force: true });
  else if (after !== before) writePrivateFile(file, after, { overwrite: true });
}

function withoutBlock(text: string): string {
  const from = text.indexOf(BEGIN);
  const to = text.indexOf(END, from);
  return from < 0 || to < 0 ? text : text.slice(0, from) + text.slice(to + END.length).replace(/^\r?\n/, '');
}

function isJson(text: string): boolean {
  try {
    return text === '' || JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

function withServer(file: string, text: string, server: object | undefined): string {
  if (!isJson(text))
    throw new LocalError(
      'file_error',
      `${file} is no JSON`,
      'Fix it, or choose another folder with --folder.',
    );
  const config: { mcpServers?: Record<string, unknown> } = text === '' ? {} : JSON.parse(text);
  const { payassent: present, ...others } = config.mcpServers ?? {};
  // One that was configured by hand, or by payassent init, stays.
  if (present !== undefined && !(present as { args?: string[] }).args?.includes(COMMAND)) return text;
  const { mcpServers: __, ...rest } = config;
  const servers = server === undefined ? others : { ...others, payassent: server };
  const next = Object.keys(servers).length === 0 ? rest : { ...rest, mcpServers: servers };
  return Object.keys(next).length === 0 ? '' : `${JSON.stringify(next, null, 2)}\n`;
}
