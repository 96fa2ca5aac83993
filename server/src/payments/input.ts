import type * as api from '@payassent/protocol/api';
import type { BodyOf } from '@payassent/protocol/api';

export type CreateInput = BodyOf<typeof api.createPaymentRequest>;

export type StatusInput = BodyOf<typeof api.reportPaymentRequestStatus>;
