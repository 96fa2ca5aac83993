import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';

/** A scrape reaches one worker; the answer must speak for all of them. The primary collects and adds up. */
interface Question {
  type: 'svc:metrics';
  id: number;
}
interface Reply extends Question {
  text: string;
}

const isOurs = (message: unknown): message is Question =>
  (message as { type?: unknown } | null)?.type === 'svc:metrics';

/** In the primary: answers the workers' questions. */
export function answerMetricsQuestions(): void {
  const aggregator = new AggregatorRegistry();
  cluster.on('message', (worker, message: unknown) => {
    if (!isOurs(message)) return;
    aggregator
      .clusterMetrics()
      .catch(() => '')
      .then((text) => worker.isConnected() && worker.send({ ...message, text } satisfies Reply));
  });
}

/** In a worker: the sum over all workers; its own metrics when the primary does not answer. */
export function createClusterMetrics(registry: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries([registry]);
  new AggregatorRegistry();
  let lastId = 0;
  return () =>
    new Promise((resolve) => {
      lastId += 1;
      const id = lastId;
      const timer = setTimeout(() => finish(''), 6_000);
      const hear = (message: unknown) => {
        if (isOurs(message) && message.id === id) finish((message as Reply).text);
      };
      const finish = (text: string) => {
        clearTimeout(timer);
        process.off('message', hear);
        resolve(text === '' ? registry.metrics() : text);
      };
      process.on('message', hear);
      process.send?.({ type: 'svc:metrics', id } satisfies Question);
    });
}
