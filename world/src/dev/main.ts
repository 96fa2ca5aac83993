import { relative, resolve } from 'node:path';
import { DEV_PORTS, startDevWorld } from './dev-world.ts';

const dataDir = resolve('data/world');
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** `npm run dev:world`: stays until Ctrl-C. */
async function main(): Promise<number> {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort());
  say('Starting the service and its surroundings …');
  try {
    const world = await startDevWorld({ dataDir, say, signal: stop.signal });
    say(banner());
    await new Promise<void>((ended) => {
      if (stop.signal.aborted) ended();
      stop.signal.addEventListener('abort', () => ended());
      world.world.service.child.once('exit', () => ended());
    });
    const isAsked = stop.signal.aborted;
    say(isAsked ? 'Stopping …' : 'The service stopped unexpectedly.');
    await world.stop();
    return isAsked ? 0 : 1;
  } catch (error) {
    if (stop.signal.aborted) return 0;
    process.stderr.write(`${explained(error)}\n`);
    return 1;
  }
}

function explained(error: unknown): string {
  const { code, port, message } = error as NodeJS.ErrnoException & { port?: number };
  if (code !== 'EADDRINUSE') return message;
  return `Port ${port} is taken: is another world still running? Stop it, then start this one again.`;
}

function banner(): string {
  const at = (port: number): string => `http://127.0.0.1:${port}`;
  return `
  PayAssent and everything around it, on this machine. Ctrl-C stops it; ${relative('.', dataDir)} keeps the data.

  Service   ${at(DEV_PORTS.service)}   reference at ${at(DEV_PORTS.service)}/docs
  Mail      ${at(DEV_PORTS.viewer)}   every mail that the service sends, with its links
  Webhooks  ${at(DEV_PORTS.webhooks)}   receives, verifies and lists
  DNS       127.0.0.1:${DEV_PORTS.dns} (udp, tcp)
  SMTP      127.0.0.1:${DEV_PORTS.smtp}

  Sign up; the mail with the link appears at ${at(DEV_PORTS.viewer)}
    curl -X POST ${at(DEV_PORTS.service)}/v1/merchant-accounts/registrations \\
      -H 'content-type: application/json' -d '{"email":"you@shop.example"}'

  Prove a domain: publish the value of its challenge, then verify it
    curl -X PUT ${at(DEV_PORTS.viewer)}/txt/_svc-challenge.shop.example -d 'svc-domain-verification=…'

  Receive webhooks: create an endpoint for ${at(DEV_PORTS.webhooks)}/hooks,
  give the receiver the secret of the answer, then verify the endpoint
    curl -X PUT ${at(DEV_PORTS.webhooks)}/secret -d 'whsec_…'
`;
}

process.exitCode = await main();
