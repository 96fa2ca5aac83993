import { listPaymentRequestEvents } from '@payassent/protocol/api';
import type { PaymentRequestEvent } from '../contract.ts';
import { EventReader } from './event-reader.ts';

/** The status events of payment requests. */
export const requestEvents = new EventReader<PaymentRequestEvent>(listPaymentRequestEvents);
