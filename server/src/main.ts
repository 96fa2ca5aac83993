import cluster from 'node:cluster';
import { exitCodeOf, runCli } from './cli.ts';
import { parseConfig } from './config/index.ts';
import { longDrainMs, runUntilStopped } from './processes/run-until-stopped.ts';
import { serveHere } from './processes/serve.ts';
import { awaitOrder } from './processes/workers.ts';

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
