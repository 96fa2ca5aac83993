import type { Issue, Scope } from '@countersign/protocol';
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

export const ChangeConnection = Type.Object(
  { status: Type.Unsafe<'paused' | 'active'>({ type: 'string', enum: ['paused', 'active'] }) },
  { additionalProperties: false },
);

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
