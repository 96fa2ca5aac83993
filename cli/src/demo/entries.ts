/** One call as it really went over the wire, secrets shortened. */
export interface Exchange {
  /** Of the payment in brief, which the readable form tells in a line. */
  brief?: true;
  /** Who called. */
  actor: string;
  method: string;
  /** Path and query as sent. */
  path: string;
  request: { headers: Record<string, string>; body?: unknown };
  status: number;
  answer: { headers: Record<string, string>; body: unknown };
  duration_ms: number;
}

/** What the wallet shows: facts that were pinned when the request was made, apart from what the agent says. */
export interface Review {
  payee: string;
  domain: string | null;
  amount: string;
  asset: string;
  network: string;
  /** In groups of four, to be compared by eye. */
  address: string;
  memo: string | null;
  /** Recomputed on this machine and equal to `facts_digest`. */
  facts_are_pinned: boolean;
  expires_at: string;
  agent: string;
  /** Nothing in here was checked by anybody. */
  agent_says: string[];
}

/** Everything the demo tells, in the order in which it happens. `--json` prints these, one per line. */
export type Entry =
  | { type: 'start'; service: string; dns: string; mail: string; webhooks: string; data: string }
  | { type: 'step'; number: number; title: string; text: string }
  | ({ type: 'exchange'; step: number } & Exchange)
  | { type: 'note'; step: number; text: string }
  | { type: 'mail'; step: number; brief?: true; to: string; subject: string; link: string }
  | { type: 'dns'; step: number; brief?: true; name: string; record: 'TXT'; value: string }
  | ({ type: 'review'; step: number } & Review)
  | {
      type: 'webhook';
      step: number;
      path: string;
      headers: Record<string, string>;
      body: unknown;
      /** By `verifyWebhook` over the exact bytes; only verified ones are told. */
      is_verified: true;
    }
  | {
      type: 'summary';
      ok: true;
      steps: number;
      calls: number;
      webhooks: number;
      duration_ms: number;
      results: string[];
    }
  | { type: 'failure'; ok: false; step: number; title: string; message: string };

/** A step's entry before the narration knows its number. */
export type Telling = Entry extends infer E ? (E extends { step: number } ? Omit<E, 'step'> : never) : never;
