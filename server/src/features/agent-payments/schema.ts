import type * as api from '@countersign/protocol/api';
import type { BodyOf } from '@countersign/protocol/api';

export type PaymentInput = BodyOf<typeof api.createAgentPayment>;

export type StatusInput = BodyOf<typeof api.reportAgentPaymentStatus>;
