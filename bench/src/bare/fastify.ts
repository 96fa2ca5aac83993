import Fastify from 'fastify';
import { serveJobs } from '../helper.ts';

// The limit of a read: the framework alone, answering the same bytes as the service from memory.
serveJobs<{ body: string }, { port: number }>(async ({ body }) => {
  const app = Fastify({ logger: false });
  app.get('/*', (_request, reply) => {
    reply.type('application/json; charset=utf-8').send(body);
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return { port: Number(new URL(address).port) };
});
