// A receiver in a process of its own: answers 200, remembers when each webhook-id was under way.
import { createServer } from 'node:http';

const holdMs = Number(process.argv[2] ?? 0);
let state = fresh();

function fresh() {
  return {
    count: 0,
    firstMs: 0,
    lastMs: 0,
    overlaps: 0,
    underWay: 0,
    most: 0,
    ids: new Map(),
    now: new Set(),
  };
}

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url === '/stats') {
      const { ids, now: _, ...rest } = state;
      const repeated = [...ids.values()].filter((times) => times > 1).length;
      return response.end(JSON.stringify({ ...rest, distinct: ids.size, repeated }));
    }
    if (request.url === '/reset') {
      state = fresh();
      return response.end();
    }
    const body = Buffer.concat(chunks).toString();
    if (body.includes('"webhook.verification"')) return response.end(JSON.parse(body).data.challenge);
    const id = request.headers['webhook-id'];
    const seen = state;
    if (seen.now.has(id)) seen.overlaps += 1;
    seen.now.add(id);
    seen.ids.set(id, (seen.ids.get(id) ?? 0) + 1);
    seen.underWay += 1;
    seen.most = Math.max(seen.most, seen.underWay);
    seen.count += 1;
    seen.lastMs = performance.timeOrigin + performance.now();
    seen.firstMs ||= seen.lastMs;
    const answer = () => {
      seen.now.delete(id);
      seen.underWay -= 1;
      response.end();
    };
    if (holdMs > 0) setTimeout(answer, holdMs);
    else answer();
  });
}).listen(0, '127.0.0.1', function listening() {
  process.send?.({ port: this.address().port });
});
