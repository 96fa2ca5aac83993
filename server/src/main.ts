import cluster from 'node:cluster';
import { exitCodeOf, runCli } from './cli.ts';
import { parseConfig } from './config.ts';
import { longDrainMs, runUntilStopped } from './run.ts';
import { serveHere } from './serve.ts';
import { awaitOrder } from './workers.ts';

/** `npm start` and every worker process begin here. */
process.exitCode = await (cluster.isWorker
  ? exitCodeOf(async () => {
      const order = await awaitOrder();
      const config = parseConfig(process.env);
      await runUntilStopped((stopping) => serveHere(config, order, stopping), {
        npmStarted: false,
        longDrainMs: longDrainMs(config),
      });
    })
  : runCli(process.argv.slice(2), process.env));
