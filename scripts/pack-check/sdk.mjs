import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { CheckError, outputOf } from '../processes.mjs';

const USE = `
const key = generateAgentKey();
const agent = new AgentClient({ baseUrl: 'http://127.0.0.1:1', agentId: 'agt_1', kid: 'k', key, store: memoryStore(), maxRetries: 0 });
`;
const NAMES = '{ AgentClient, generateAgentKey, memoryStore, verifyWebhook }';
const TELL = 'console.log(typeof fileStore, typeof agent.token, typeof verifyWebhook);';
const PROGRAMS = {
  'module.mjs': `import ${NAMES} from '@payassent/sdk';\nimport { fileStore } from '@payassent/sdk/node';${USE}${TELL}`,
  'common.cjs': `const ${NAMES} = require('@payassent/sdk');\nconst { fileStore } = require('@payassent/sdk/node');${USE}${TELL}`,
};

/** The SDK as an ES module, from CommonJS, bundled, and as an edge worker. */
export async function checkSdk(root, folder, user) {
  for (const name of ['typescript', 'esbuild', 'fastify', 'typebox', '@payassent/server'])
    if (existsSync(path.join(folder, 'node_modules', name))) throw new CheckError(`the SDK brings ${name}`);
  for (const [file, text] of Object.entries(PROGRAMS)) {
    writeFileSync(path.join(folder, file), text);
    expect(file, await outputOf(process.execPath, [file], { cwd: folder, user }));
  }
  const require = createRequire(path.join(root, 'sdk', 'package.json'));
  const { build } = require('esbuild');
  const bundled = await build({
    stdin: {
      contents: `import ${NAMES} from '@payassent/sdk';${USE}globalThis.told = typeof agent.token + ' ' + typeof verifyWebhook;`,
      resolveDir: folder,
    },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
  });
  const { EdgeVM } = require('@edge-runtime/vm');
  expect('a bundle in an edge worker', new EdgeVM().evaluate(`${bundled.outputFiles[0].text};told`));
}

const JEST = 'jest@30.5.2';
const JEST_TEST = `
test('the SDK', async () => {
  const ${NAMES} = await import('@payassent/sdk');
  const { fileStore } = await import('@payassent/sdk/node');${USE}
  expect([typeof fileStore, typeof agent.token, typeof verifyWebhook]).toEqual(Array(3).fill('function'));
});
`;

/** Jest as it comes, without any configuration, with the one line that docs/SDK.md names. */
export async function checkJest(root, folder, install) {
  const said = /Jest: run it as `NODE_OPTIONS=(\S+) npx jest` and load the SDK with `await import\(/.exec(
    readFileSync(path.join(root, 'docs', 'SDK.md'), 'utf8'),
  );
  if (!said) throw new CheckError('docs/SDK.md does not explain how to use the SDK with Jest');
  await install([JEST]);
  writeFileSync(path.join(folder, 'sdk.test.js'), JEST_TEST);
  const jest = path.join(folder, 'node_modules', 'jest', 'bin', 'jest.js');
  await outputOf(process.execPath, [jest, '--ci'], { cwd: folder, env: { NODE_OPTIONS: said[1] } });
}

function expect(what, told) {
  if (!/^(function ?){2,3}$/.test(told.trim())) throw new CheckError(`${what} of the SDK printed ${told}`);
}
