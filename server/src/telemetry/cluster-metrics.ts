import cluster, { type Worker } from 'node:cluster';
import {
  AggregatorRegistry,
  type MetricObjectWithValues,
  type MetricValue,
  type Registry,
} from 'prom-client';

/** A scrape reaches one worker; the response must cover all of them. The primary collects and adds up. */
type Metrics = MetricObjectWithValues<MetricValue<string>>[];

type Message =
  /** From a worker: it is ready, requests the sum, or sends its own metrics. */
  | { type: 'svc:metrics'; is: 'here' | 'question'; id: number }
  | { type: 'svc:metrics'; is: 'own'; id: number; metrics: Metrics }
  /** From the primary: requests a worker's own metrics, or sends the sum. */
  | { type: 'svc:metrics'; is: 'ask'; id: number }
  | { type: 'svc:metrics'; is: 'sum'; id: number; text: string };

const isOurs = (message: unknown): message is Message =>
  (message as { type?: unknown } | null)?.type === 'svc:metrics';

const PRIMARY_PATIENCE_MS = 2_000;
const WORKER_PATIENCE_MS = 4_000;

/** Their values stay in the sum when the process that counted them is gone. */
const GROWING = new Set(['counter', 'histogram']);

/** In the primary: serves the workers' requests. A worker that starts, does not respond or crashes delays nothing. */
export function answerMetricsQuestions(): void {
  const latest = new Map<number, Metrics>();
  const asked = new Map<number, (workerId: number) => void>();
  let ended: Metrics = [];
  let lastId = 0;

  const collect = (): Promise<void> =>
    new Promise((resolve) => {
      lastId += 1;
      const id = lastId;
      const open = new Set(latest.keys());
      const finish = () => {
        clearTimeout(timer);
        asked.delete(id);
        resolve();
      };
      const timer = setTimeout(finish, PRIMARY_PATIENCE_MS);
      const settle = (workerId: number) => {
        open.delete(workerId);
        if (open.size === 0) finish();
      };
      asked.set(id, settle);
      for (const workerId of [...open]) {
        const worker = cluster.workers?.[workerId];
        if (worker?.isConnected())
          worker.send({ type: 'svc:metrics', is: 'ask', id } satisfies Message, () => {});
        else settle(workerId);
      }
    });
  const answer = async (worker: Worker, id: number): Promise<void> => {
    await collect();
    const text = await AggregatorRegistry.aggregate([ended, ...latest.values()]).metrics();
    if (worker.isConnected())
      worker.send({ type: 'svc:metrics', is: 'sum', id, text } satisfies Message, () => {});
  };
  cluster.on('message', (worker, message: unknown) => {
    if (!isOurs(message)) return;
    if (message.is === 'here') latest.set(worker.id, []);
    if (message.is === 'question') void answer(worker, message.id);
    if (message.is !== 'own') return;
    if (latest.has(worker.id)) latest.set(worker.id, message.metrics);
    asked.get(message.id)?.(worker.id);
  });
  cluster.on('exit', (worker) => {
    const last = latest.get(worker.id) ?? [];
    latest.delete(worker.id);
    for (const settle of [...asked.values()]) settle(worker.id);
    const growing = last.filter(({ type }) => GROWING.has(String(type)));
    void AggregatorRegistry.aggregate([ended, growing])
      .getMetricsAsJSON()
      .then((sum) => {
        ended = sum as Metrics;
      });
  });
}

/** In a worker: the sum over all workers; its own metrics when the primary does not respond. */
export function createClusterMetrics(registry: Registry): () => Promise<string> {
  let lastId = 0;
  const send = (message: Message) => void process.send?.(message, () => {});
  process.on('message', (message: unknown) => {
    if (!isOurs(message) || message.is !== 'ask') return;
    const { id } = message;
    void registry.getMetricsAsJSON().then((metrics) => {
      send({ type: 'svc:metrics', is: 'own', id, metrics: metrics as Metrics });
    });
  });
  send({ type: 'svc:metrics', is: 'here', id: 0 });
  return () =>
    new Promise((resolve) => {
      lastId += 1;
      const id = lastId;
      const timer = setTimeout(() => finish(''), WORKER_PATIENCE_MS);
      const hear = (message: unknown) => {
        if (isOurs(message) && message.is === 'sum' && message.id === id) finish(message.text);
      };
      const finish = (text: string) => {
        clearTimeout(timer);
        process.off('message', hear);
        resolve(text === '' ? registry.metrics() : text);
      };
      process.on('message', hear);
      send({ type: 'svc:metrics', is: 'question', id });
    });
}
