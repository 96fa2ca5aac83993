import cluster from 'node:cluster';

// Loaded before the service: a bench that is killed leaves no service behind. A worker ends with its primary anyway.
if (!cluster.isWorker) {
  process.on('disconnect', () => process.exit());
  process.channel?.unref();
}
