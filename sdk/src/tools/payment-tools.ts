import type { ConnectionClient } from '../connection/client.ts';
import type { PaymentRequest, PaymentRequestQuery } from '../contract.ts';
import type { CallOptions } from '../core/call.ts';
import {
  type ApiFailure,
  isApiError,
  isPayAssentError,
  TransportError,
  WaitTimeoutError,
} from '../errors/index.ts';
import { inputFaults } from './check-input.ts';
import { TOOL_DEFINITIONS, type ToolDefinition } from './definitions.ts';
import { payeeList, payeeSummary } from './find-payee.ts';
import {
  failure,
  paymentResult,
  paymentSummary,
  quotedName,
  result,
  type ToolResult,
  withNames,
} from './outcome.ts';
import { type PaymentArguments, requestPayment } from './request-payment.ts';
import type { ToolName } from './texts.ts';

/** The options of a tool call. */
export interface ToolCallOptions {
  /** Ends the call. A created request remains. */
  signal?: AbortSignal;
}

/** A tool that can be called. */
export interface Tool<Name extends string = ToolName> extends ToolDefinition<Name> {
  /** Never throws for an error of the service: models get a result with `isError`, a code and the recovery. */
  call(args: unknown, options?: ToolCallOptions): Promise<ToolResult>;
}

/** Options of the tools besides the connection. */
export interface ToolsOptions {
  /** Another clock; for tests. */
  now?: () => number;
  /** Ends waits early: `wait_for_decision` then returns the current state of the payment. */
  stopping?: AbortSignal;
}

/**
 * The tools for models, over one connection. They can request, wait, read and withdraw; none can approve.
 *
 * @example
 * const tools = paymentTools(connection);
 * const result = await tools[0].call({ query: 'harbour' });
 */
export function paymentTools(connection: ConnectionClient, options: ToolsOptions = {}): Tool[] {
  const { now = Date.now, stopping } = options;
  return TOOL_DEFINITIONS.map((definition) => ({
    ...definition,
    call: (args, { signal } = {}) =>
      callTool(definition, args, (checked) =>
        RUNS[definition.name](
          { connection, now, stopping, options: signal ? { signal } : {} },
          checked as never,
        ),
      ),
  }));
}

/** Checks the arguments, runs the tool, and turns the SDK's errors into results. */
export async function callTool(
  { inputSchema }: ToolDefinition,
  args: unknown,
  run: (checked: Record<string, unknown>) => Promise<ToolResult>,
): Promise<ToolResult> {
  const given = args ?? {};
  const faults = inputFaults(inputSchema, given);
  if (faults.length > 0)
    return failure(
      'validation_failed',
      faults.slice(0, 10).join(' '),
      'Correct the arguments and call again.',
    );
  try {
    return await run(given as Record<string, unknown>);
  } catch (error) {
    return failureOf(error);
  }
}

interface Run {
  connection: ConnectionClient;
  now: () => number;
  stopping: AbortSignal | undefined;
  options: CallOptions;
}

interface OneRequest {
  request_id: string;
}

const DEFAULT_WAIT_S = 25;
const DEFAULT_LIMIT = 20;

const RUNS: { [Name in ToolName]: (run: Run, args: never) => Promise<ToolResult> } = {
  async list_payees({ connection, options }, { query }: { query?: string }) {
    const asked = query === undefined ? {} : { q: query };
    const { payees } = await connection.payees.list({ ...asked, limit: 50 }, options);
    if (payees.length === 0)
      return result({ payees: [] }, 'No payee matches.', 'Search with another query, or none.');
    return withNames(
      result(
        { payees: payees.map(payeeSummary) },
        `Payees: ${payeeList(payees)}`,
        'Name one of them in request_payment.',
      ),
    );
  },

  request_payment: ({ connection, now, options }, args: PaymentArguments) =>
    requestPayment(connection, args, now, options),

  async wait_for_decision(run, { request_id: id, seconds }: OneRequest & { seconds?: number }) {
    return paymentResult(await waitForDecision(run, id, seconds ?? DEFAULT_WAIT_S), run.now());
  },

  async get_payment(run, { request_id: id }: OneRequest) {
    return paymentResult(await read(run, id), run.now());
  },

  async list_payments({ connection, now, options }, query: Pick<PaymentRequestQuery, 'status' | 'limit'>) {
    const page = await connection.paymentRequests.list({ limit: DEFAULT_LIMIT, ...query }, options);
    const payments = page.payment_requests.map((request) => paymentSummary(request, now()));
    const lines = payments.map(({ request_id: id, outcome }) => `${String(id)} ${String(outcome)}`);
    return result(
      { payments },
      lines.length === 0 ? 'No payments.' : `Payments: ${lines.join(', ')}`,
      'Call get_payment for one of them; request none again that is waiting, approved, paid or unknown.',
    );
  },

  async withdraw_payment({ connection, now, options }, { request_id: id }: OneRequest) {
    const { payment_request: request } = await connection.paymentRequests.withdraw(id, options);
    return paymentResult(request, now());
  },

  async connection_status({ connection, options }) {
    const {
      connection: record,
      effective_scopes: scopes,
      policies,
      wallet,
      limits,
    } = await connection.current(options);
    const mayAsk = record.status === 'active' && scopes.includes('payment.requests.create');
    return withNames(
      result(
        { connection: record, scopes, policies, wallet, limits },
        `The connection to ${quotedName(record.merchant.name)} is ${record.status}`,
        mayAsk
          ? 'You may call request_payment.'
          : 'You cannot request payments now; tell the person, who can change it in their wallet.',
      ),
    );
  },
};

async function read({ connection, options }: Run, id: string): Promise<PaymentRequest> {
  return (await connection.paymentRequests.get(id, options)).payment_request;
}

const DECIDED = ['signed', 'broadcasted', 'confirmed', 'failed', 'rejected', 'expired'] as const;

/** A timeout is not a response, so the request is read again. */
async function waitForDecision(run: Run, id: string, seconds: number): Promise<PaymentRequest> {
  const { connection, stopping, options } = run;
  const signals = [stopping, options.signal].filter((signal) => signal !== undefined);
  try {
    return await connection.paymentRequests.waitForStatus(id, {
      ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}),
      timeoutMs: seconds * 1000,
      statuses: DECIDED,
    });
  } catch (error) {
    if (error instanceof WaitTimeoutError || stopping?.aborted) return read(run, id);
    throw error;
  }
}

const UNKNOWN_RECOVERY =
  'Unknown is not failed: call the same tool again with the same arguments and the same intent_id.';

/** The details of an error, for models that read only the text. */
function factsOf(error: ApiFailure): string {
  if (error.code === 'expectation_mismatch') {
    const { expected, actual } = error.details;
    return ` Expected: ${JSON.stringify(expected)}, actual: ${JSON.stringify(actual)}.`;
  }
  if (error.code === 'network_not_enabled') return ` Enabled: ${error.details.enabled_networks.join(', ')}.`;
  return '';
}

function failureOf(error: unknown): ToolResult {
  if (isApiError(error)) {
    const { serverCode, message, recovery = 'Tell the person what happened.', issues, retryAfterMs } = error;
    const problems = issues.map(({ field, message: problem }) => `${field}: ${problem}`);
    const told = problems.length > 1 ? problems.slice(0, 10).join(' ') : `${message}${factsOf(error)}`;
    return failure(serverCode, told, recovery, {
      details: error.details,
      ...(retryAfterMs === undefined ? {} : { retry_after_seconds: Math.ceil(retryAfterMs / 1000) }),
    });
  }
  if (error instanceof TransportError) return failure(error.code, error.message, UNKNOWN_RECOVERY);
  if (isPayAssentError(error))
    return failure(error.code, error.message, 'Call get_payment or list_payments.');
  throw error;
}
