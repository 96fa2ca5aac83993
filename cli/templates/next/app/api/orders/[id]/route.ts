import { ask, look, refusal } from '@/lib/payments';

type Context = { params: Promise<{ id: string }> };

/** Requests the payment of an order: `{ "amount": "12.50" }`. */
export async function POST(request: Request, { params }: Context): Promise<Response> {
  const { amount } = (await request.json()) as { amount: string };
  return ask((await params).id, amount).then((told) => Response.json(told, { status: 202 }), refusal);
}

/** The state of the order; waits a while for the decision. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  return look((await params).id).then((told) => Response.json(told), refusal);
}
