import type { Issue, Scope } from '@payassent/protocol';
import { Type } from 'typebox';

export const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });
export const NEXT_CURSOR = { next_cursor: NullableText };

/** Unknown names are judged by `scopeIssues`, which can say more than a schema. */
const ScopeList = Type.Array(Type.String(), { minItems: 1, maxItems: 16, uniqueItems: true });

export const ClaimInvitation = Type.Object(
  {
    connect_key: Type.String({ description: 'What the user copied from the wallet, svc_ck_…' }),
    requested_scopes: ScopeList,
  },
  { additionalProperties: false },
);

export const ApproveInvitation = Type.Object(
  { scopes: Type.Optional(ScopeList) },
  { additionalProperties: false },
);

export const CreatePairingSession = Type.Object(
  { requested_scopes: ScopeList },
  { additionalProperties: false },
);

const PairingCode = Type.String({ description: 'As shown by the agent; case and hyphen do not matter.' });
export const PairingCodeQuery = Type.Object({ code: PairingCode });
export const RejectPairing = Type.Object({ code: PairingCode }, { additionalProperties: false });
export const ApprovePairing = Type.Object(
  { code: PairingCode, scopes: Type.Optional(ScopeList) },
  { additionalProperties: false },
);

const SeenName = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }));

export const ChangeConnection = Type.Object(
  {
    status: Type.Optional(Type.Unsafe<'paused' | 'active'>({ type: 'string', enum: ['paused', 'active'] })),
    seen_names: Type.Optional(
      Type.Object(
        { agent: SeenName, merchant: SeenName },
        {
          additionalProperties: false,
          description:
            'The names that the user was shown. One that is still the present one is no longer answered with a former_name.',
        },
      ),
    ),
  },
  { additionalProperties: false },
);

export function connectionChangeIssues(body: { status?: unknown; seen_names?: unknown }): Issue[] {
  if (body.status !== undefined || body.seen_names !== undefined) return [];
  return [{ field: 'status', code: 'required', message: 'Name what to change: status or seen_names.' }];
}

/** What a wallet approves must have been asked for. */
export function notRequestedIssues(scopes: readonly string[], requested: readonly Scope[]): Issue[] {
  return scopes.flatMap((scope, index): Issue[] =>
    (requested as readonly string[]).includes(scope)
      ? []
      : [
          {
            field: `scopes[${index}]`,
            code: 'scope_not_allowed',
            message: `scopes[${index}] was not requested; approve some of ${requested.join(', ')}.`,
          },
        ],
  );
}
