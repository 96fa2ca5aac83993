import { AppError } from '../../../server/src/errors.ts';
import type { Incoming, Outgoing } from '../../../server/src/http/kernel.ts';
import {
  answerOf,
  publishedBody,
  refusalsOf,
  successStatuses,
} from '../../../server/src/http/openapi/documented.ts';
import type { Route } from '../../../server/src/http/route.ts';
import { compileValidator, type Validator } from '../../../server/src/http/validate.ts';

interface Published {
  statuses: ReadonlySet<number>;
  refusals: ReadonlySet<string>;
  findAnswerIssues: ReadonlyMap<number, Validator>;
  findBodyIssues: Validator | undefined;
}

const known = new WeakMap<Route, Published>();

function publishedOf(route: Route): Published {
  const body = publishedBody(route);
  const published = known.get(route) ?? {
    statuses: new Set(successStatuses(route)),
    refusals: refusalsOf(route),
    findAnswerIssues: new Map(
      successStatuses(route).map((status) => [status, compileValidator(answerOf(route, status))]),
    ),
    findBodyIssues: body && compileValidator(body),
  };
  known.set(route, published);
  return published;
}

/**
 * Checks every response of a test service against the published description of its call. A violation becomes a 500
 * immediately, and fails the run even if the test tolerates a 500.
 */
export function createAnswerCheck() {
  const findings = new Set<string>();
  return {
    observe(route: Route, incoming: Incoming, outcome: Outgoing | AppError): void {
      // After our own checks this route speaks another protocol, which that protocol's clients validate.
      if (route.path === '/mcp' && !(outcome instanceof AppError)) return;
      const fault =
        outcome instanceof AppError ? refusalFault(route, outcome) : successFault(route, incoming, outcome);
      if (fault === undefined) return;
      const finding = `${route.method} ${route.path} ${fault}`;
      findings.add(finding);
      throw new Error(finding);
    },
    /** Throws when anything was found. */
    conclude(): void {
      if (findings.size > 0)
        throw new Error(`Responses that are not as published:\n${[...findings].join('\n')}`);
    },
  };
}

function refusalFault(route: Route, refusal: AppError): string | undefined {
  if (publishedOf(route).refusals.has(refusal.code)) return undefined;
  return `refused with ${refusal.httpStatus} ${refusal.code}, which it does not declare`;
}

function successFault(
  route: Route,
  incoming: Incoming,
  { status, text, stream }: Outgoing,
): string | undefined {
  if (stream) return route.streams ? undefined : 'returned a stream, which it does not declare';
  const { statuses, findAnswerIssues, findBodyIssues } = publishedOf(route);
  if (!statuses.has(status)) return `returned ${status}, which it does not declare`;
  const answered = JSON.parse(text);
  const wrong =
    findAnswerIssues.get(status)?.(route.isBare || route.surface === 'first' ? answered : answered.data) ??
    [];
  if (wrong.length > 0) return `returned ${status} with a body that its schema refuses: ${listed(wrong)}`;
  const sent = incoming.body && incoming.body.length > 0 ? JSON.parse(incoming.body.toString('utf8')) : {};
  const foreign = findBodyIssues?.(sent) ?? [];
  if (foreign.length > 0) return `accepted a body that its published schema refuses: ${listed(foreign)}`;
  return undefined;
}

function listed(issues: ReturnType<Validator>): string {
  return issues.map((issue) => `${issue.field}: ${issue.message}`).join('; ');
}
