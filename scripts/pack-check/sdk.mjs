import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { CheckError, outputOf } from './run.mjs';

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
  for (const name of ['typescript', 'esbuild', 'fastify', '@payassent/server'])
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

function expect(what, told) {
  if (!/^(function ?){2,3}$/.test(told.trim())) throw new CheckError(`${what} of the SDK says ${told}`);
}
