import type * as api from '@payassent/protocol/api';
import type { BodyOf } from '@payassent/protocol/api';

export type RecipientInput = BodyOf<typeof api.createRecipient>;

export type RecipientChange = BodyOf<typeof api.updateRecipient>;

export type VerifyInput = BodyOf<typeof api.verifyRecipientVersion>;

export type ActivateInput = BodyOf<typeof api.activateRecipientVersion>;
