import type * as api from '@payassent/protocol/api';
import type { BodyOf } from '@payassent/protocol/api';

export type PaymentInput = BodyOf<typeof api.createAgentPayment>;

export type StatusInput = BodyOf<typeof api.reportAgentPaymentStatus>;
