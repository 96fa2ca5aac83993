// What a model does with the tools, as a script: find the payee, ask once, wait for the person, tell.
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

try {
  process.loadEnvFile();
} catch {
  // No .env here: the variables come from elsewhere.
}

function setting(name) {
  const value = process.env[name];
  if (value) return value;
  console.error(`${name} is not set: run "payassent dev" in this folder, or copy .env.example to .env.`);
  process.exit(1);
}

const [purchase, amount] = process.argv.slice(2);
if (!purchase || !amount) {
  console.error('Name the purchase and the amount: npm start -- tickets-42 12.50');
  process.exit(2);
}

const client = new Client({ name: 'purchase', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [createRequire(import.meta.url).resolve('payassent/bin/payassent.js'), 'mcp'],
    env: {
      PAYASSENT_BASE_URL: setting('PAYASSENT_BASE_URL'),
      PAYASSENT_CONNECTION_TOKEN: setting('PAYASSENT_CONNECTION_TOKEN'),
    },
  }),
);

async function call(name, args) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  console.log(`${name}: ${content[0].text}`);
  if (isError) process.exitCode = 1;
  return structuredContent;
}

try {
  const { payees } = await call('list_payees', {});
  // One intent_id per purchase: the same name again finds the same request, it never asks twice.
  let told = await call('request_payment', {
    recipient_id: payees[0].recipient_id,
    amount,
    purpose: `Purchase ${purchase}`,
    intent_id: purchase,
  });
  const { request_id } = told;
  while (told.outcome === 'waiting_for_person') told = await call('wait_for_decision', { request_id });
  while (told.outcome === 'approved_not_yet_paid') {
    await sleep(1000);
    told = await call('get_payment', { request_id });
  }
  console.log(`outcome: ${told.outcome ?? told.error?.code}`);
} finally {
  await client.close();
}
