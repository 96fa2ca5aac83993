import { isMutation } from '@payassent/protocol/api';
import { AppError, notFound, refuseWhenInvalid } from '../../errors.ts';
import { listedOrigin } from '../cors.ts';
import { readCredentials, SESSION_COOKIES } from '../credentials.ts';
import { headerValues } from '../headers.ts';
import type { Kernel } from '../kernel.ts';
import type { Route } from '../route.ts';
import { refuseWithoutStepUp } from '../step-up.ts';
import { boundContext, refuseForeignOrigin } from './authenticate.ts';
import type { RouteCall } from './call.ts';
import { countCall, refuseSpentStranger, tokenHashOf } from './callers.ts';
import { compileBodyReader, compileJudging, namesNothing, readIdempotencyKey } from './inputs.ts';
import { compileRun } from './run.ts';

/*
 * The published order of checks. A route declares what it needs and never performs these checks itself. Each step is
 * finished before the next one begins; docs/ARCHITECTURE.md prints both lists from here.
 */

type Take = (call: RouteCall) => unknown;

export interface Step {
  name: string;
  /** The step's description on the architecture page. */
  about: string;
  /** Compiled once for each route; undefined where the route does not need it. What it returns is awaited. */
  compile(kernel: Kernel, route: Route): Take | undefined;
}

const READING: readonly Step[] = [
  {
    name: 'ready',
    about: '503 until the database is ready, and for changes while it confirms no writes.',
    compile: refuseUntilReady,
  },
  {
    name: 'strangers',
    about: '429 for an address that has used up its share, where no credential came with the call.',
    compile: (kernel, route) => (call) =>
      refuseSpentStranger(kernel, route, call.incoming.request, call.act.now),
  },
  {
    name: 'body',
    about: 'The body as JSON (400, 415). Its size was limited before it was read (413).',
    compile: compileBodyReader,
  },
  {
    name: 'presented',
    about:
      'The credential as it was sent: 401 for one that is malformed, ambiguous, or of a kind the route does not take. Nothing of it is believed yet.',
    compile: readPresented,
  },
];

/** Each of the ordinary steps is done before the next one begins. */
export const ORDINARY_STEPS: readonly Step[] = [
  ...READING,
  {
    name: 'credential',
    about:
      "The credential is checked (401), then CSRF and origin (403), then state, role and scope (403). From here on the database shows only what the caller may see: a merchant or its agent gets a connection limited to this merchant's rows (`db/roles`, `boundContext`). Wallets and jobs see all, and a route that must cross tenants declares why (`crossesTenants`).",
    compile: proveCaller,
  },
  { name: 'factors', about: 'A recent passkey, where the route needs one (403).', compile: askForFactors },
  { name: 'identifiers', about: 'An id that no record can have is a 404.', compile: refuseImpossibleIds },
  {
    name: 'origin',
    about:
      "403 for another origin, where a route accepts calls only from the service's pages (`/mcp` also from those in `SVC_CORS_ORIGINS`).",
    compile: refuseOtherOrigins,
  },
  {
    name: 'rate limit',
    about: 'The call is counted against the limit of its route (429).',
    compile: countAgainstLimit,
  },
  { name: 'screen', about: 'What the route refuses whatever else is wrong with the body.', compile: screen },
  {
    name: 'idempotency key',
    about: 'From header or body; two that differ are refused (400).',
    compile: takeIdempotencyKey,
  },
  {
    name: 'inputs',
    about: 'Every issue visible in query, key and body alone, in one list (400).',
    compile: judgeInputs,
  },
  {
    name: 'run',
    about:
      'The route of the feature, or a request to a second owner. What it returns leaves in the envelope.',
    compile: compileRun,
  },
];

/**
 * The steps of a hot request: its statement proves the credential itself, so that no query precedes it. Any other
 * problem is reported only to a caller whose credential passes the ordinary check; most never need it.
 */
export const HOT_STEPS: readonly Step[] = [
  ...READING,
  {
    name: 'identifiers',
    about: 'As above, reported to a proved caller only.',
    compile: toldToProved(refuseImpossibleIds),
  },
  {
    name: 'rate limit',
    about:
      'By the connection, which is cached for each token; only the first call of a token reads it from the database.',
    compile: countAgainstLimit,
  },
  {
    name: 'proof',
    about: 'A proof of possession that is sent is checked, required or not (401).',
    compile: checkSentProof,
  },
  {
    name: 'idempotency key',
    about: 'As above, reported to a proved caller only.',
    compile: toldToProved(takeIdempotencyKey),
  },
  {
    name: 'large bodies',
    about: 'Judged for known callers only: the work grows with the body.',
    compile: proveCallerOfLargeBody,
  },
  {
    name: 'inputs',
    about:
      'As above, reported to a proved caller only. A create collects its issues itself, because it can add more of them.',
    compile: toldToProved(judgeInputs),
  },
  {
    name: 'run',
    about:
      'The route of the feature, whose statement proves the credential. A statement that finds no caller or no record returns no reason: the ordinary check then gives it.',
    compile: compileRun,
  },
];

function refuseUntilReady(kernel: Kernel, route: Route): Take {
  const { writing } = kernel.context;
  const changes = isMutation(route.method) && !route.changesNothing;
  return () => {
    if (!kernel.isReady())
      throw new AppError('unavailable', {
        message: 'The service is starting; its database is not ready yet.',
      });
    if (changes) writing.refuse();
  };
}

function readPresented({ context }: Kernel, route: Route): Take {
  const cookieName = context.config.baseUrl.startsWith('https:')
    ? SESSION_COOKIES.https
    : SESSION_COOKIES.loopback;
  return (call) => {
    const { request, query, provedBy } = call.incoming;
    const { members } = call;
    call.sent = readCredentials({
      request,
      accepted: route.credential,
      mayCarryKey: route.surface === 'second',
      query,
      body: members,
      cookieName,
    });
    if (provedBy !== undefined && call.sent.primary) call.sent.primary.provedBy = provedBy;
  };
}

function proveCaller(kernel: Kernel, route: Route): Take | undefined {
  if (route.credential.length === 0) return undefined;
  return async (call) => {
    call.proved = await call.check();
    call.context = boundContext(kernel.context, route, call.proved.principal);
  };
}

function askForFactors(_kernel: Kernel, route: Route): Take | undefined {
  if (!route.authority?.stepUp) return undefined;
  return ({ proved, body, act }) => {
    const principal = proved?.principal;
    if (principal?.kind === 'merchant' || principal?.kind === 'admin')
      refuseWithoutStepUp(route, principal, body, act.now);
  };
}

function refuseImpossibleIds(_kernel: Kernel, route: Route): Take | undefined {
  if (!route.path.includes('{')) return undefined;
  return ({ incoming }) => {
    if (namesNothing(incoming.params)) throw notFound();
  };
}

function refuseOtherOrigins({ context }: Kernel, { sameOriginOnly }: Route): Take | undefined {
  if (!sameOriginOnly) return undefined;
  const others = sameOriginOnly === 'or listed' ? context.config.corsOrigins : [];
  return ({ request }) => {
    if (listedOrigin(others, request) === undefined) refuseForeignOrigin(context, request);
  };
}

function countAgainstLimit(): Take {
  return (call) =>
    countCall(call)?.then((rate) => {
      call.rate = rate;
    });
}

function screen(_kernel: Kernel, route: Route): Take | undefined {
  if (!route.screen) return undefined;
  return ({ context, principal, companion, params, body, incoming }) =>
    route.screen?.({ context, principal, companion, params, body, query: incoming.query });
}

function takeIdempotencyKey(_kernel: Kernel, route: Route): Take | undefined {
  if (!route.idempotent) return undefined;
  return (call) => {
    call.idempotencyKey = readIdempotencyKey(call.incoming.request, call.members);
  };
}

function judgeInputs(kernel: Kernel, route: Route): Take {
  const judge = compileJudging(kernel, route);
  return (call) => {
    const { query, issues } = judge(call);
    call.query = query;
    call.issues = issues;
    if (!route.collectsIssues) refuseWhenInvalid(issues);
  };
}

/** What the step rejects is reported only to a caller whose credential passes. */
function toldToProved(compile: Step['compile']): Step['compile'] {
  return (kernel, route) => {
    const take = compile(kernel, route);
    return (
      take &&
      ((call) => {
        try {
          return take(call);
        } catch (refusal) {
          return call.check().then(() => Promise.reject(refusal));
        }
      })
    );
  };
}

/** Not for a call within another one, whose proof has been checked. */
function checkSentProof(): Take {
  return (call) => {
    const { primary } = call.sent;
    if (primary?.kind !== 'connection' || primary.provedBy !== undefined) return undefined;
    return headerValues(call.request, 'dpop').length > 0 ? call.check() : undefined;
  };
}

/** Bodies above this size are validated for known callers only. */
const LARGE_BODY_BYTES = 4 * 1024;

function proveCallerOfLargeBody(kernel: Kernel): Take {
  return (call) => {
    const { body } = call.incoming;
    if (body === undefined || body.length <= LARGE_BODY_BYTES) return undefined;
    // Its token has passed the ordinary check in this process.
    const isKnown = kernel.owners.get(tokenHashOf(call.sent) ?? '') !== undefined;
    return isKnown ? undefined : call.check();
  };
}
