import cluster from 'node:cluster';
import { Session } from 'node:inspector/promises';

// Loaded before the service. A bench that is killed leaves no service behind, and the profiler runs just while the load
// does: what the start costs would otherwise hide everything else. A worker ends with its primary anyway.
if (!cluster.isWorker) {
  process.on('disconnect', () => process.exit());
  process.on('message', (order) => {
    const act = order === 'start profile' ? startProfile : order === 'stop profile' ? stopProfile : undefined;
    act?.().then((answer) => process.send?.({ profile: answer }));
  });
  process.channel?.unref();
}

let session: Session | undefined;

async function startProfile(): Promise<null> {
  session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 500 });
  await session.post('Profiler.start');
  return null;
}

async function stopProfile(): Promise<unknown> {
  const stopped = await session?.post('Profiler.stop');
  session?.disconnect();
  return stopped?.profile;
}
