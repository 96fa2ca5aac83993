import type { Agent } from '@payassent/sdk';

/** The name of the file in which the private half of this key is handed over. */
export function keyFileName(kid: string): string {
  return `${kid.replaceAll(/[^A-Za-z0-9._-]/g, '_')}.pem`;
}

/** A program that leads from the key file to a payment that a user decides. */
export function sampleFor(
  agent: Pick<Agent, 'agent_id' | 'allowed_scopes'>,
  kid: string,
  baseUrl: string,
): string {
  return `// npm install @payassent/sdk
// node agent.mjs <Connect Key that the user made in the wallet>
import { readFileSync } from 'node:fs';
import { AgentClient, agentKeyFromPem } from '@payassent/sdk';
import { fileStore } from '@payassent/sdk/node';

const agent = new AgentClient({
  baseUrl: ${JSON.stringify(baseUrl)},
  agentId: ${JSON.stringify(agent.agent_id)},
  kid: ${JSON.stringify(kid)},
  key: agentKeyFromPem(readFileSync(${JSON.stringify(keyFileName(kid))}, 'utf8')),
  // Tokens and keys that must outlive a restart.
  store: fileStore('agent-store'),
});

console.log('Approve the connection in the wallet.');
const { connection } = await agent.invitations.connect({
  connect_key: process.argv[2],
  requested_scopes: ${JSON.stringify(agent.allowed_scopes).replaceAll('"', "'").replaceAll(',', ', ')},
});
// Keep its id: the next payment needs no Connect Key.
const client = agent.connection({ connectionId: connection.connection_id });

const { payees } = await client.payees.list();
const { payment_request } = await client.paymentRequests.create(
  {
    recipient_id: payees[0].recipient_id,
    payment: { amount: '1' },
    display: { title: 'A first payment' },
  },
  // The name of the purchase: a retry never makes a second request.
  { intent: 'first-payment' },
);
console.log(\`Decide on it in the wallet: \${payment_request.review_url}\`);

const { status } = await client.paymentRequests.waitForStatus(payment_request.request_id);
console.log(\`The payment is \${status}.\`);
`;
}
