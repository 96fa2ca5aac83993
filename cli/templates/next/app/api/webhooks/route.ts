import { hear, refusal } from '@/lib/payments';

/** The signature is over the bytes as they came: read them with `arrayBuffer`, never with `json`. */
export async function POST(request: Request): Promise<Response> {
  const body = await request.arrayBuffer();
  return hear(body, request.headers).then(
    (challenge) => (challenge === null ? new Response(null, { status: 204 }) : new Response(challenge)),
    refusal,
  );
}
