import type { PaymentRequestEvent } from '../contract.ts';
import { listPaymentRequestEvents } from '../operations.ts';
import { EventReader } from './event-reader.ts';

/** The status events of payment requests. */
export const requestEvents = new EventReader<PaymentRequestEvent>(listPaymentRequestEvents);
