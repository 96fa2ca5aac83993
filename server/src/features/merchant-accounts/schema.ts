import type { Issue } from '@countersign/protocol';
import { MerchantChoiceSchema, MerchantSchema, MerchantSessionSchema } from '@countersign/protocol/records';
import { Type } from 'typebox';
import { NAME } from '../merchants/schema.ts';

const closed = { additionalProperties: false } as const;
const time = () => Type.String({ format: 'date-time' });

export const RegistrationInput = Type.Object(
  { email: Type.String({ maxLength: 254, format: 'email', description: "The operator's email address." }) },
  closed,
);
export const RegistrationAnswer = Type.Object({
  status: Type.Unsafe<'accepted'>({ type: 'string', const: 'accepted' }),
});

// A secret that is present but wrong is 401, whatever its form: so no pattern here.
export const EmailVerificationInput = Type.Object(
  { token: Type.String({ description: 'The part of the mailed link behind `#token=`.' }) },
  closed,
);
export const EmailVerificationAnswer = Type.Object({
  session_grant: Type.String(),
  session_grant_expires_at: time(),
  merchants: Type.Array(MerchantChoiceSchema),
});

export const OrganizationInput = Type.Object({ session_grant: Type.String(), name: NAME }, closed);
export const OrganizationAnswer = Type.Object({
  merchant: MerchantSchema,
  next_grant: Type.String(),
  next_grant_expires_at: time(),
});

export const SessionInput = Type.Object(
  {
    next_grant: Type.Optional(Type.String({ description: 'From POST /v1/merchants.' })),
    session_grant: Type.Optional(Type.String({ description: 'From the email verification.' })),
    choice_id: Type.Optional(
      Type.String({ description: 'One of the choices that came with session_grant.' }),
    ),
  },
  closed,
);
export const SessionAnswer = Type.Object({
  merchant: MerchantSchema,
  csrf_token: Type.String(),
  session: MerchantSessionSchema,
});

export const Nothing = Type.Object({});

/** `next_grant` alone, or `session_grant` with `choice_id`. */
export function sessionInputIssues(body: {
  next_grant?: string;
  session_grant?: string;
  choice_id?: string;
}): Issue[] {
  const { next_grant, session_grant, choice_id } = body;
  if (next_grant !== undefined) {
    return (['session_grant', 'choice_id'] as const)
      .filter((field) => body[field] !== undefined)
      .map((field) => ({
        field,
        code: 'invalid_format',
        message: `${field} cannot be sent together with next_grant: send one of the two grants.`,
      }));
  }
  if (session_grant === undefined && choice_id === undefined)
    return [required('next_grant', 'Send next_grant, or session_grant with choice_id.')];
  if (session_grant === undefined)
    return [required('session_grant', 'session_grant is required beside choice_id.')];
  if (choice_id === undefined) return [required('choice_id', 'choice_id is required beside session_grant.')];
  return [];
}

function required(field: string, message: string): Issue {
  return { field, code: 'required', message };
}
