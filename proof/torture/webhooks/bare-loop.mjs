// The same POSTs without a service around them: `node bare-loop.mjs <url> <count> <in flight> <body>`.
import { Agent, request } from 'node:http';

const [url, countText, inFlightText, body] = process.argv.slice(2);
let left = Number(countText);
const agent = new Agent({ keepAlive: true, maxSockets: Number(inFlightText) });

function post() {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'webhook-id': `evt_${left}`,
      'webhook-timestamp': '1700000000',
      'webhook-signature': `v1,${'A'.repeat(43)}=`,
    };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', resolve);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function lane() {
  while (left > 0) {
    left -= 1;
    await post();
  }
}

const before = process.cpuUsage();
await Promise.all(Array.from({ length: Number(inFlightText) }, lane));
agent.destroy();
const { user, system } = process.cpuUsage(before);
process.stdout.write(String((user + system) / 1e6));
