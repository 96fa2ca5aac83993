import { defineCommand, UsageError } from '../command.ts';
import type { Entry } from './entries.ts';
import { createPause } from './pause.ts';
import { createPaint, createRenderer } from './render.ts';
import type { DemoOptions } from './run-demo.ts';

export const demoCommand = defineCommand({
  name: 'demo',
  summary: 'walk through the whole product with a service of its own',
  options: {
    fast: { type: 'boolean', summary: 'do not pause between the steps' },
    port: {
      type: 'string',
      placeholder: 'number',
      summary: 'where the service of the demo listens (a free port)',
    },
    'base-url': {
      type: 'string',
      placeholder: 'url',
      summary: 'where it is called, to put a proxy of your own between (its own address)',
    },
  },
  details: [
    'Starts a service with temporary data, a name server, a mail catcher and a webhook receiver on this machine,',
    'then walks from a merchant that signs up to payments that are approved, refused and decided by a person.',
    'It prints every request and answer as it really went over the wire, with secrets shortened, and removes',
    'everything at the end. With --json each line is one step, exchange, mail, webhook or the summary.',
  ].join('\n'),
  async run(io, { values, isJson }) {
    const paint = createPaint(io.isColoured);
    const render = createRenderer(io.isColoured);
    const tell = (entry: Entry): void => {
      io.stdout.write(isJson ? `${JSON.stringify(entry)}\n` : render(entry));
    };
    const pause = values.fast
      ? undefined
      : createPause(io, (text) => void (isJson || io.stdout.write(paint('dim', text))));
    const options: DemoOptions = {
      tell,
      pause: () => pause?.wait() ?? Promise.resolve(),
      signal: io.signal,
      ...(values.port === undefined ? {} : { port: readPort(values.port) }),
      ...(values['base-url'] === undefined ? {} : { baseUrl: readBaseUrl(values['base-url']) }),
    };
    if (!isJson) io.stderr.write('Starting a service with data of its own …\n');
    // The surroundings of a service are loaded only by what starts them.
    const { runDemo } = await import('./run-demo.ts');
    try {
      return await runDemo(options);
    } finally {
      pause?.end();
    }
  },
});

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new UsageError('--port must be a number from 1 to 65535');
  return port;
}

function readBaseUrl(text: string): string {
  if (!/^http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?\/?$/.test(text))
    throw new UsageError('--base-url must be an http address of this machine, such as http://127.0.0.1:9000');
  return text.replace(/\/$/, '');
}
