import { ApiError, WebhookVerificationError } from '@payassent/sdk';
import express from 'express';
import { ask, hear, look } from './payments.js';

const app = express();

app.post('/orders/:id', express.json(), async (req, res) => {
  res.status(202).json(await ask(req.params.id, req.body?.amount));
});

app.get('/orders/:id', async (req, res) => {
  res.json(await look(req.params.id));
});

// The signature is over the bytes as they came: no parser may touch them first.
app.post('/webhooks', express.raw({ type: 'application/json' }), async (req, res) => {
  const challenge = await hear(req.body, req.headers);
  if (challenge === undefined) res.status(204).end();
  else res.type('text/plain').send(challenge);
});

app.use((error, _req, res, _next) => {
  if (error instanceof WebhookVerificationError) return res.status(400).end();
  if (error instanceof ApiError)
    return res.status(error.httpStatus).json({ error: error.code, message: error.message });
  console.error(error);
  return res.status(500).end();
});

const port = Number(process.env.PORT ?? 3000);
app.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));
