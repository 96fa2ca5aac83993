import { AdminSessionSchema, ApiKeySchema } from '@countersign/protocol/records';
import { type Static, Type } from 'typebox';

export const ApiKeyInput = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, description: 'What operators see in the list.' }),
    agent_id: Type.String({
      minLength: 1,
      maxLength: 160,
      description: 'The agent that the key speaks for.',
    }),
  },
  { additionalProperties: false },
);
export type ApiKeyInput = Static<typeof ApiKeyInput>;

/** The key itself leaves once, beside the members of its record. */
export const NewApiKeyAnswer = Type.Object({
  api_key: Type.Unsafe<string>({ type: 'string', pattern: '^svc_key_test_' }),
  ...ApiKeySchema.properties,
});
export const ApiKeyListAnswer = Type.Object({
  api_keys: Type.Array(ApiKeySchema),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
});
export const ApiKeyAnswer = Type.Object({ api_key: ApiKeySchema });
export const AdminSessionAnswer = AdminSessionSchema;
